//! Table 5: what neglecting the tangent operator costs.

use super::ladder::{Case, Ladder, Of, STEP, column};
use super::{HELD, HELD_SETUP, PAPER, implicit};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::Plot;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "t5",
    claim: "neglecting the tangent operator costs Newton iterations at steps of 4e-5 s and more, and none below; with modified Newton it hardly matters",
    place: "sect. 4.1.2, table 5",
    setup: HELD_SETUP,
    expected: Standing::Differs,
    timed: true,
    run,
    judge,
    plot,
    scene: Subject::Run("heavy_top"),
    claimed: in_words,
};

const FULL: [&str; 2] = ["full, exact", "full, neglected"];
const MODIFIED: [&str; 2] = ["modified, exact", "modified, neglected"];

const CASES: [Case; 4] = [
    implicit(FULL[0], &[]),
    implicit(FULL[1], &[("tangent", "neglected")]),
    implicit(MODIFIED[0], &[("newton", "modified")]),
    implicit(
        MODIFIED[1],
        &[("newton", "modified"), ("tangent", "neglected")],
    ),
];

const LADDER: Ladder = Ladder {
    name: "tangent",
    cases: &CASES,
    ..HELD
};

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    LADDER.table(effort, watch)
}

fn judge(table: &Table) -> Verdict {
    let more = |[exact, neglected]: [&str; 2]| -> Vec<f64> {
        let pairs = column(table, neglected, Of::Iterations)
            .into_iter()
            .zip(column(table, exact, Of::Iterations));
        pairs.map(|(a, b)| a - b).collect()
    };
    let (full, modified) = (more(FULL), more(MODIFIED));
    let steps = table.column(STEP);
    let of = |large: bool| -> Vec<f64> {
        let pairs = steps.iter().zip(&full);
        pairs
            .filter(|(h, more)| (**h >= 4e-5) == large && more.is_finite())
            .map(|(_, more)| *more)
            .collect()
    };
    let (large, small) = (of(true), of(false));
    if large.is_empty() || small.is_empty() {
        return Verdict::unjudged("the table lacks steps above or below 4e-5 s");
    }
    let worst = |v: &[f64]| v.iter().copied().fold(0.0, f64::max);
    let listed: Vec<String> = steps
        .iter()
        .zip(&full)
        .map(|(h, more)| format!("{more:.2} at {h:.2e} s"))
        .collect();
    Verdict::of(
        large.iter().all(|m| *m > 0.05) && worst(&small) < 0.05,
        format!(
            "iterations more by neglecting it, full Newton: {}; modified at most {:.2}; with the exact matrix a step takes one or two, so \
             that what the operator leaves out shows in smaller steps already",
            listed.join(", "),
            worst(&modified)
        ),
    )
}

fn plot(table: &Table) -> Plot {
    LADDER.plot(
        table,
        Of::Iterations,
        "The tangent operator",
        "iterations of a step",
    )
}
