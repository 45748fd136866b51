//! Table 4: newton iterations, heavy top without constraints.

use super::ladder::Of;
use super::{PAPER, TOP, TOP_SETUP, judges};
use crate::figures::Plot;
use crate::reproduce::{Effort, Item, RunError, Standing, Table, Watch};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "t4",
    claim: "the Lie-group method needs fewer Newton iterations than Euler parameters and Cardan angles",
    place: "sect. 4.1.1, table 4",
    setup: TOP_SETUP,
    expected: Standing::Holds,
    timed: true,
    run,
    judge: judges::iterations,
    plot,
};

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    TOP.table(effort, watch)
}

fn plot(table: &Table) -> Plot {
    TOP.plot(
        table,
        Of::Iterations,
        "Newton iterations, heavy top without constraints",
        "iterations of a step",
    )
}
