//! Figure 20: convergence of the Puma.

use super::ladder::{Of, ratio, shown_step};
use super::{EP, MINIMAL, PAPER, PUMA, PUMA_SETUP, RV, RXYZ};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::Plot;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "20",
    claim: "minimal coordinates are the most accurate at all steps, Euler parameters more than the Lie-group method in fine steps, Cardan angles the least",
    place: "sect. 4.4, fig. 20",
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
    let over = |a: &str, b: &str| ratio(table, [a, b], Of::Error);
    let found = [
        over(EP.name, MINIMAL),
        over(RV.name, EP.name),
        over(RXYZ.name, RV.name),
    ];
    let [Some(minimal), Some(rv), Some(rxyz)] = found else {
        return Verdict::unjudged("no step was met by both");
    };
    Verdict::of(
        minimal > 1.0 && rv > 1.0 && rxyz > 1.0,
        format!(
            "errors: EP over minimal coordinates {minimal:.2}, RV over EP {rv:.2}, Rxyz over RV {rxyz:.2}; largest steps met: Rxyz {}, RV \
             {}, minimal {}; the variational method in minimal coordinates makes the motion of variational-2, whose treatment of stiff servos \
             and not its coordinates decides",
            shown_step(table, RXYZ.name),
            shown_step(table, RV.name),
            shown_step(table, MINIMAL)
        ),
    )
}

fn plot(table: &Table) -> Plot {
    PUMA.plot(
        table,
        Of::Error,
        "Convergence of the Puma",
        "error of the joint angles [rad]",
    )
}
