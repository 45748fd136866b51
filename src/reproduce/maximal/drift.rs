//! How far joints of a closed loop open: figure 4b of the earlier paper, 7a of the later one.

use super::{OURS, PAPER_2020, PAPER_2023, STEP, TOLERANCE, closed_in_plane, largest, opened};
use crate::claimed::in_words;
use crate::runs::Case;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use physics::figures::{Curve, Plot};

/// The item of the later paper.
pub const ITEM_2023: Item = Item {
    paper: PAPER_2023,
    figure: "7a",
    claim: "the variational integrator prevents constraint drift entirely, without stabilisation; the explicit Runge-Kutta method of \
            fourth order, which keeps accelerations on the constraints, drifts",
    place: "sect. 5.1, fig. 7a",
    setup: "loop of three links of 1, sqrt(1/2) and 1 m, 600 s in steps of 10 ms, quick 60 s; variational at 1e-10 beside rk4 without \
            stabilisation, which keeps the accelerations of all joints on their constraints and not of the closing one alone; all hinges \
            closed in full, and the last one in its plane alone as in the paper's code",
    expected: Standing::Holds,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::Run("three_link_loop"),
    claimed: in_words,
};

/// The item of the earlier paper.
pub const ITEM_2020: Item = Item {
    paper: PAPER_2020,
    figure: "4b",
    claim: "constraints on positions are kept without stabilisation; those on accelerations drift increasingly",
    place: "sect. 5.1, fig. 4b",
    ..ITEM_2023
};

const TIME: &str = "time [s]";
const KEPT: &str = "variational [m]";
const DRIFTS: &str = "rk4 [m]";
/// The same with the loop closed as in the code of the papers.
const PRINTED: [&str; 2] = [
    "variational, closed as printed [m]",
    "rk4, closed as printed [m]",
];

/// Rows of the table.
const ROWS: u64 = 500;

/// Joint errors that are no drift: the tolerance of 1e-10 of links of a metre, and rounding (m).
const CLOSED: f64 = 2.0 * TOLERANCE;

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let duration = match effort {
        Effort::Quick => 60.0,
        Effort::Full => 600.0,
    };
    compared(duration, [&OURS, &Case::plain("rk4")], watch)
}

/// Largest opening of a joint between two rows, by two methods; not a number from where a method is lost.
pub fn compared(duration: f64, cases: [&Case; 2], watch: Watch) -> Result<Table, RunError> {
    let full = opened("three_link_loop");
    let printed = closed_in_plane(full.clone(), |name| name == "right_knee");
    let mut sims = [
        cases[0].simulation(&full, STEP, TOLERANCE)?,
        cases[1].simulation(&full, STEP, TOLERANCE)?,
        cases[0].simulation(&printed, STEP, TOLERANCE)?,
        cases[1].simulation(&printed, STEP, TOLERANCE)?,
    ];
    let between = (duration / STEP / ROWS as f64).round() as u64;
    let mut lost = [false; 4];
    let columns = [TIME, KEPT, DRIFTS].into_iter().chain(PRINTED);
    let mut table = Table::new(columns);
    for row in 1..=ROWS {
        let mut worst = [0.0_f64; 4];
        for _ in 0..between {
            for k in 0..4 {
                lost[k] |= step(&mut sims[k]).is_err();
                if !lost[k] {
                    worst[k] = worst[k].max(sims[k].sample().drift_position);
                }
            }
        }
        for k in 0..4 {
            if lost[k] {
                worst[k] = f64::NAN;
            }
        }
        let time = (row * between) as f64 * STEP;
        let numbers = [time].into_iter().chain(worst);
        table.rows.push(numbers.collect());
        watch(row as f64 / ROWS as f64, &table)?;
    }
    Ok(table)
}

/// What opens: by ours, by the rival in the first tenth of the run and at most, and whether the rival was lost.
fn openings(table: &Table, [ours, theirs]: [&str; 2]) -> Option<([f64; 3], bool)> {
    let [ours, theirs] = [ours, theirs].map(|name| table.column(name));
    let tenth = ours.len() / 10;
    if tenth < 10 || theirs.len() != ours.len() {
        return None;
    }
    let kept = if ours.iter().any(|x| !x.is_finite()) {
        f64::INFINITY
    } else {
        largest(&ours)
    };
    let finite: Vec<f64> = theirs.iter().copied().filter(|x| x.is_finite()).collect();
    let first = largest(&finite[..tenth.min(finite.len())]);
    let most = largest(&finite);
    Some(([kept, first, most], finite.len() < theirs.len()))
}

fn judge(table: &Table) -> Verdict {
    let both = [[KEPT, DRIFTS], PRINTED].map(|names| openings(table, names));
    let [Some(full), Some(printed)] = both else {
        return Verdict::unjudged("the table has fewer than 100 rows");
    };
    let holds = |[kept, first, most]: [f64; 3]| {
        kept <= CLOSED && most >= 2.0 * first && most > 100.0 * CLOSED
    };
    let said = |([kept, first, most], lost): ([f64; 3], bool)| {
        let lost = if lost { ", where it is lost" } else { "" };
        format!(
            "by at most {kept:.1e} m; those of rk4 by {first:.1e} m in the first tenth of the run and by {most:.1e} m{lost}"
        )
    };
    Verdict::of(
        holds(full.0) && holds(printed.0),
        format!(
            "joints of variational open {}; with the last hinge closed in its plane alone, as printed, {}",
            said(full),
            said(printed)
        ),
    )
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Largest opening of a joint of a closed loop".into(),
        axes: ["time [s]", "opening [m]"].map(Into::into),
        logarithmic: [false, true],
        curves: [KEPT, DRIFTS, PRINTED[0], PRINTED[1]]
            .map(|name| Curve {
                name: name.into(),
                points: table.points(TIME, name),
            })
            .into(),
    }
}
