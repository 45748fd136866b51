//! Figure 13: work and precision, rotor.

use super::ladder::time_to;
use super::{EP, PAPER, ROTOR, ROTOR_SETUP, RV, RXYZ};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::Plot;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "13",
    claim: "to 1e-9 m DOPRI5 and RK67 take about 10 times as long with Cardan angles as on the group; implicit, the Lie-group method beats Cardan angles and equals Euler parameters",
    place: "sect. 4.2, fig. 13",
    setup: ROTOR_SETUP,
    expected: Standing::Differs,
    timed: true,
    run,
    judge,
    plot,
    scene: Subject::Run("rotor"),
    claimed: in_words,
};

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    ROTOR.table(effort, watch)
}

fn judge(table: &Table) -> Verdict {
    let over = |slow: &str, fast: &str, error| {
        let (slow, fast) = (time_to(table, slow, error)?, time_to(table, fast, error)?);
        Some((slow.0 / fast.0, slow.1 || fast.1))
    };
    let found = [
        over("DOPRI5 Rxyz", "DOPRI5 RV", 1e-9),
        over("RK67 Rxyz", "RK67 RV", 1e-9),
        over("RK44 Rxyz", "RK44 RV", 1e-9),
        over(RXYZ.name, RV.name, 1e-5),
        over(EP.name, RV.name, 1e-5),
    ];
    let [Some(dopri5), Some(rk67), Some(rk44), Some(rxyz), Some(ep)] = found else {
        return Verdict::unjudged("no error was met by both");
    };
    let said = format!(
        "time to 1e-9 m, Rxyz over RV: DOPRI5 {:.2}, RK67 {:.2}, RK44 {:.2}; to 1e-5 m with generalised-alpha: Rxyz over RV {:.2}, EP over \
         RV {:.2}",
        dopri5.0, rk67.0, rk44.0, rxyz.0, ep.0
    );
    if dopri5.1 || rk67.1 {
        return Verdict::unjudged(format!(
            "{said}; with our parameters the coarsest step of DOPRI5 and RK67 meets 1e-9 m already, so that their times there say nothing"
        ));
    }
    // Half of what the paper reads off its diagram, by eye.
    Verdict::of(
        dopri5.0 > 5.0 && rk67.0 > 5.0 && rxyz.0 > 1.0 && (0.5..2.0).contains(&ep.0),
        format!(
            "{said}; how much Cardan angles lose depends on how far the rotor tilts, and the parameters are ours"
        ),
    )
}

fn plot(table: &Table) -> Plot {
    ROTOR.work_precision(table, "Rotor", "error of the left support's point [m]")
}
