//! Table 7: newton iterations, rotor.

use super::ladder::Of;
use super::{PAPER, ROTOR, ROTOR_SETUP, judges};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Watch};
use physics::figures::Plot;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "t7",
    claim: "the Lie-group method needs fewer Newton iterations than Euler parameters and Cardan angles",
    place: "sect. 4.2, table 7",
    setup: ROTOR_SETUP,
    expected: Standing::Holds,
    timed: true,
    run,
    judge: judges::iterations,
    plot,
    scene: Subject::Run("rotor"),
    claimed: in_words,
};

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    ROTOR.table(effort, watch)
}

fn plot(table: &Table) -> Plot {
    ROTOR.plot(
        table,
        Of::Iterations,
        "Newton iterations, rotor",
        "iterations of a step",
    )
}
