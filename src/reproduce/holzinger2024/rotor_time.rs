//! Figure 12: time of four seconds of the rotor.

use super::ladder::Of;
use super::{PAPER, ROTOR, ROTOR_SETUP, judges};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Watch};
use physics::figures::Plot;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "12",
    claim: "the Lie-group method takes on average no more time than the classical ones, explicit and implicit",
    place: "sect. 4.2, fig. 12",
    setup: ROTOR_SETUP,
    expected: Standing::Holds,
    timed: true,
    run,
    judge: judges::time,
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
        Of::Time,
        "Time of four seconds of the rotor",
        "time [s]",
    )
}
