//! Figure 11: convergence of the rotor.

use super::ladder::Of;
use super::{PAPER, ROTOR, ROTOR_SETUP, judges};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Watch};
use physics::figures::Plot;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "11",
    claim: "explicit Lie-group methods are more accurate than Cardan angles; implicit Euler parameters are more accurate than the Lie-group method",
    place: "sect. 4.2, fig. 11",
    setup: ROTOR_SETUP,
    expected: Standing::Holds,
    timed: true,
    run,
    judge: judges::convergence,
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
        Of::Error,
        "Convergence of the rotor",
        "error of the left support's point [m]",
    )
}
