//! Figure 17: iterations and time of the slider-crank.

use super::ladder::{Of, ratio};
use super::{EP, PAPER, RV, RXYZ, SLIDER, SLIDER_SETUP, shown};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::Plot;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "17",
    claim: "Cardan angles need fewer Newton iterations and less time than the Lie-group method and Euler parameters",
    place: "sect. 4.3, fig. 17",
    setup: SLIDER_SETUP,
    expected: Standing::Differs,
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
    let of = |of| [EP.name, RV.name].map(|other| ratio(table, [other, RXYZ.name], of));
    let (iterations, times) = (of(Of::Iterations), of(Of::Time));
    let all: Vec<f64> = iterations.into_iter().chain(times).flatten().collect();
    if all.is_empty() {
        return Verdict::unjudged("no step was met by both");
    }
    Verdict::of(
        all.iter().all(|r| *r > 1.0),
        format!(
            "over Rxyz: iterations of EP {}, of RV {}; time of EP {}, of RV {}",
            shown(iterations[0]),
            shown(iterations[1]),
            shown(times[0]),
            shown(times[1])
        ),
    )
}

fn plot(table: &Table) -> Plot {
    SLIDER.plot(
        table,
        Of::Iterations,
        "Newton iterations, slider-crank",
        "iterations of a step",
    )
}
