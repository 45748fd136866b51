//! Table 4: newton iterations, heavy top without constraints.

use super::ladder::Of;
use super::{PAPER, TOP, TOP_SETUP, judges};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Watch};
use physics::figures::Plot;

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
    scene: Subject::Run("heavy_top_free"),
    claimed: in_words,
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
