//! Figure 3: convergence of the heavy top without constraints.

use super::ladder::Of;
use super::{PAPER, TOP, TOP_SETUP, judges};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Watch};
use physics::figures::Plot;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "3",
    claim: "explicit Lie-group methods are more accurate than Cardan angles; implicit Euler parameters are more accurate than the Lie-group method",
    place: "sect. 4.1.1, fig. 3",
    setup: TOP_SETUP,
    expected: Standing::Holds,
    timed: true,
    run,
    judge: judges::convergence,
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
        Of::Error,
        "Convergence of the heavy top without constraints",
        "error of the centre of mass [m]",
    )
}
