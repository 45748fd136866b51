//! What concerns methods beside each other.

use crate::app::commands::Command;
use crate::app::commands::compare::CompareCommand;
use crate::app::commands::keys::{Binding, plain, shift, unbound};
use crate::app::state::panels::Side;
use bevy::prelude::KeyCode as K;

/// The entries.
pub fn bindings() -> Vec<Binding> {
    let wish = |wish| Command::Compare(wish);
    let found = |meaning, action| unbound("Compare", meaning, action);
    vec![
        plain(
            "Compare",
            K::KeyK,
            "K",
            "make the next lane the leader",
            wish(CompareCommand::LeadNext),
        ),
        shift(
            "Compare",
            K::KeyK,
            "Shift + K",
            "synchronise: all lanes from the leader's state",
            wish(CompareCommand::Synchronise),
        ),
        found(
            "methods beside each other",
            Command::ToggleSide(Side::Compare),
        ),
        found("end comparing", wish(CompareCommand::End)),
        found(
            "convergence: error against step and time",
            wish(CompareCommand::Study(true)),
        ),
    ]
}
