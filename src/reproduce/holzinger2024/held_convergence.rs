//! Figure 6: convergence of the heavy top with constraints.

use super::ladder::{Of, largest_step, ratio, shown_step};
use super::{EP, HELD, HELD_SETUP, IMPLICIT, PAPER, RV};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::Plot;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "6",
    claim: "Euler parameters are more accurate than the Lie-group method with full and modified Newton; the Lie-group method survives the largest steps, the others do not",
    place: "sect. 4.1.2, fig. 6",
    setup: HELD_SETUP,
    expected: Standing::Differs,
    timed: true,
    run,
    judge,
    plot,
    scene: Subject::Run("heavy_top"),
    claimed: in_words,
};

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    HELD.table(effort, watch)
}

fn judge(table: &Table) -> Verdict {
    let full = ratio(table, [RV.name, EP.name], Of::Error);
    let modified = ratio(table, ["modified RV", "modified EP"], Of::Error);
    let (Some(full), Some(modified)) = (full, modified) else {
        return Verdict::unjudged("no step was met by both");
    };
    let largest = IMPLICIT.map(|name| largest_step(table, name).unwrap_or(0.0));
    let survives = largest[2] > largest[0] && largest[2] > largest[1];
    let steps = IMPLICIT.map(|name| shown_step(table, name));
    Verdict::of(
        full > 1.0 && modified > 1.0 && survives,
        format!(
            "errors of RV over EP: full Newton {full:.2}, modified {modified:.2}; largest steps met: Rxyz {}, EP {}, RV \
             {}; Euler parameters keep their length exactly here, and their matrix is exact",
            steps[0], steps[1], steps[2]
        ),
    )
}

fn plot(table: &Table) -> Plot {
    HELD.plot(
        table,
        Of::Error,
        "Convergence of the heavy top with constraints",
        "error of the centre of mass [m]",
    )
}
