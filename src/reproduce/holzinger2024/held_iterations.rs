//! Figure 7: Newton iterations, heavy top with constraints.

use super::ladder::{Of, ratio};
use super::{EP, HELD, HELD_SETUP, PAPER, RV, RXYZ, shown};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::Plot;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "7",
    claim: "modified Newton needs more iterations than full Newton, and the Lie-group method fewer than the classical ones",
    place: "sect. 4.1.2, fig. 7",
    setup: HELD_SETUP,
    expected: Standing::Holds,
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
    let modified = ["Rxyz", "EP", "RV"].map(|name| {
        let names = [format!("modified {name}"), format!("gen-alpha {name}")];
        ratio(table, names.each_ref().map(String::as_str), Of::Iterations)
    });
    let others = [RXYZ.name, EP.name].map(|other| ratio(table, [other, RV.name], Of::Iterations));
    let all: Vec<f64> = modified.into_iter().chain(others).flatten().collect();
    if all.is_empty() {
        return Verdict::unjudged("no step was met by both");
    }
    Verdict::of(
        all.iter().all(|r| *r >= 1.0) && others.iter().flatten().all(|r| *r > 1.0),
        format!(
            "iterations, modified over full: Rxyz {}, EP {}, RV {}; full: Rxyz over RV {}, EP over RV {}; with exact \
             matrices a fine step takes one iteration, whatever holds the rotation",
            shown(modified[0]),
            shown(modified[1]),
            shown(modified[2]),
            shown(others[0]),
            shown(others[1])
        ),
    )
}

fn plot(table: &Table) -> Plot {
    HELD.plot(
        table,
        Of::Iterations,
        "Newton iterations, heavy top with constraints",
        "iterations of a step",
    )
}
