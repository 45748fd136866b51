//! Figure 4: time of a second of the heavy top without constraints.

use super::ladder::Of;
use super::{PAPER, TOP, TOP_SETUP, judges};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Watch};
use physics::figures::Plot;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "4",
    claim: "the Lie-group method takes on average no more time than the classical ones, explicit and implicit",
    place: "sect. 4.1.1, fig. 4",
    setup: TOP_SETUP,
    expected: Standing::Holds,
    timed: true,
    run,
    judge: judges::time,
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
        Of::Time,
        "Time of a second of the heavy top without constraints",
        "time [s]",
    )
}
