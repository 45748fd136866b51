//! What concerns methods beside each other.

use super::{Binding, plain, shift, unbound};
use crate::app::actions::{Action, Side};
use crate::app::compare::CompareWish;
use bevy::prelude::KeyCode as K;

/// The entries.
pub fn bindings() -> Vec<Binding> {
    let wish = |wish| Action::Compare(wish);
    let found = |meaning, action| unbound("Compare", meaning, action);
    vec![
        plain(
            "Compare",
            K::KeyK,
            "K",
            "make the next lane the leader",
            wish(CompareWish::LeadNext),
        ),
        shift(
            "Compare",
            K::KeyK,
            "Shift + K",
            "synchronise: all lanes from the leader's state",
            wish(CompareWish::Synchronise),
        ),
        found(
            "methods beside each other",
            Action::ToggleSide(Side::Compare),
        ),
        found("end comparing", wish(CompareWish::End)),
        found(
            "convergence: error against step and time",
            wish(CompareWish::Study(true)),
        ),
    ]
}
