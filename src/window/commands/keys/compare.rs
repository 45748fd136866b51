//! What concerns methods beside each other.

use crate::commands::Command;
use crate::commands::compare::CompareCommand;
use crate::commands::keys::{Binding, plain, shift, unbound};
use bevy::prelude::KeyCode as K;

/// The entries.
pub fn bindings() -> Vec<Binding> {
    let asked = |asked| Command::Compare(asked);
    let found = |meaning, action| unbound("Compare", meaning, action);
    vec![
        plain(
            "Compare",
            K::KeyK,
            "K",
            "make the next run the reference",
            asked(CompareCommand::LeadNext),
        ),
        shift(
            "Compare",
            K::KeyK,
            "Shift + K",
            "synchronise: all runs from the state of the reference",
            asked(CompareCommand::Synchronise),
        ),
        found(
            "run twin: the same method from a shifted state (sensitivity, Lyapunov, run it twice)",
            asked(CompareCommand::Perturb),
        ),
        found("stop comparing", asked(CompareCommand::End)),
        found(
            "convergence study: error against step and time",
            asked(CompareCommand::Study(true)),
        ),
    ]
}
