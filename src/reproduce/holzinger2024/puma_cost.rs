//! Figure 21: iterations and time of the Puma.

use super::ladder::{Of, ratio};
use super::{EP, MINIMAL, PAPER, PUMA, PUMA_SETUP, RV, RXYZ};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::Plot;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "21",
    claim: "the Lie-group method needs the fewest iterations of the methods in absolute coordinates at steps up to 1e-3 s; minimal coordinates take the least time",
    place: "sect. 4.4, fig. 21",
    setup: PUMA_SETUP,
    expected: Standing::Differs,
    timed: true,
    run,
    judge,
    plot,
    scene: Subject::Run("puma"),
    claimed: in_words,
};

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    PUMA.table(effort, watch)
}

fn judge(table: &Table) -> Verdict {
    let fine = Table {
        columns: table.columns.clone(),
        rows: table
            .rows
            .iter()
            .filter(|r| r[0] <= 1e-3)
            .cloned()
            .collect(),
    };
    let iterations = [RXYZ.name, EP.name].map(|o| ratio(&fine, [o, RV.name], Of::Iterations));
    let times = [RV.name, "variational-2"].map(|o| ratio(table, [o, MINIMAL], Of::Time));
    let ([Some(rxyz), Some(ep)], [Some(rv), Some(variational)]) = (iterations, times) else {
        return Verdict::unjudged("no step was met by both");
    };
    Verdict::of(
        rxyz >= 1.0 && ep >= 1.0 && rv > 1.0,
        format!(
            "iterations up to 1e-3 s: Rxyz over RV {rxyz:.2}, EP over RV {ep:.2}; time of RV over minimal coordinates {rv:.2}, of \
             variational-2 over them {variational:.2}; the tangent operator is neglected in RV as in the paper, the other matrices are exact here"
        ),
    )
}

fn plot(table: &Table) -> Plot {
    PUMA.plot(table, Of::Time, "Time of the Puma's motion", "time [s]")
}
