//! Figure 16: convergence of the slider-crank.

use super::ladder::{Of, ratio};
use super::{EP, PAPER, RV, RXYZ, SLIDER, SLIDER_SETUP};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::Plot;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "16",
    claim: "the classical methods are more accurate than the Lie-group method at steps above 1e-4 s",
    place: "sect. 4.3, fig. 16",
    setup: SLIDER_SETUP,
    expected: Standing::Holds,
    timed: true,
    run,
    judge,
    plot,
    scene: Subject::Run("slider_crank"),
    claimed: in_words,
};

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    SLIDER.table(effort, watch)
}

fn judge(table: &Table) -> Verdict {
    let coarse = Table {
        columns: table.columns.clone(),
        rows: table.rows.iter().filter(|r| r[0] > 1e-4).cloned().collect(),
    };
    let found = [RXYZ.name, EP.name].map(|other| ratio(&coarse, [RV.name, other], Of::Error));
    let [Some(rxyz), Some(ep)] = found else {
        return Verdict::unjudged("no step was met by both");
    };
    Verdict::of(
        rxyz > 1.0 && ep > 1.0,
        format!("errors above 1e-4 s: RV over Rxyz {rxyz:.2}, RV over EP {ep:.2}"),
    )
}

fn plot(table: &Table) -> Plot {
    SLIDER.plot(
        table,
        Of::Error,
        "Convergence of the slider-crank",
        "error of the slider [m]",
    )
}
