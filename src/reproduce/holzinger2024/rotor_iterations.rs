//! Table 7: newton iterations, rotor.

use super::ladder::Of;
use super::{PAPER, ROTOR, ROTOR_SETUP, judges};
use crate::figures::Plot;
use crate::reproduce::{Effort, Item, RunError, Standing, Table, Watch};

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
