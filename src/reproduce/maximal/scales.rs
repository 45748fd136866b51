//! Figures 11a and 11b of the later paper: pendulums of three scales at ever shorter steps.

use super::{G, OURS, PAPER_2023, TOLERANCE, described, growth};
use crate::claimed::in_words;
use crate::runs::Case;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use physics::figures::{Curve, Plot};
use physics::model::{JointId, Model, State};
use std::f64::consts::{FRAC_PI_2, PI};

/// Iterations.
pub const ITERATIONS: Item = Item {
    paper: PAPER_2023,
    figure: "11a",
    claim: "the mean number of iterations of a step grows where steps become short, as systems become ill-conditioned",
    place: "sect. 5.3, fig. 11a",
    setup: "pendulums of scale s = 1, 0.5, 0.1: mass s, length s², inertia m l²/3 about the pivot, released level, in 8·4^k steps of half a \
            swing, to k = 8, quick 5; variational at 1e-10",
    expected: Standing::Differs,
    timed: false,
    run,
    judge: judge_iterations,
    plot: plot_iterations,
    scene: Subject::Near(
        "pendulum",
        "one pendulum; what is run has three scales and steps of many lengths",
    ),
    claimed: in_words,
};

/// Errors of the last angle.
pub const ERRORS: Item = Item {
    figure: "11b",
    claim: "the angle after half a swing is accurate even for short steps",
    place: "sect. 5.3, fig. 11b",
    setup: "as figure 11a; the paper stops at half of the period of small swings, T/2 with T = 2π sqrt(2l/3g), where the rod has not \
            come to its turn: run to that as printed, and to the true half swing, 1.180340599 times as long",
    expected: Standing::Holds,
    timed: false,
    judge: judge_errors,
    plot: plot_errors,
    ..ITERATIONS
};

const SCALES: [f64; 3] = [1.0, 0.5, 0.1];
const COUNT: &str = "steps of a half swing";

fn iterations(scale: f64) -> String {
    format!("s = {scale}: iterations")
}

fn error(scale: f64) -> String {
    format!("s = {scale}: error of the angle [rad]")
}

fn printed(scale: f64) -> String {
    format!("s = {scale}: error as printed [rad]")
}

fn iterations_printed(scale: f64) -> String {
    format!("s = {scale}: iterations as printed")
}

fn guess(scale: f64) -> String {
    format!("s = {scale}: residual of the guess")
}

/// True half swing from level over that of small swings: `(2/π) K(1/√2)`.
const LONGER: f64 = 1.180_340_599_016_096;

fn mechanism(scale: f64) -> (Model, State) {
    let length = scale * scale;
    let across = scale * length * length / 12.0;
    let along = across * 1e-2;
    let half = 0.5 * length;
    described(&format!(
        r#"(version: 1,
            bodies: {{"rod": (mass: {scale:?}, inertia: ({across:?}, {across:?}, {along:?}), centre: (0, 0, {:?}))}},
            joints: {{"pivot": (kind: revolute, child: "rod", axis: (1, 0, 0), at: "90 deg")}})"#,
        -half
    ))
}

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let levels = match effort {
        Effort::Quick => 6,
        Effort::Full => 9,
    };
    swings(&OURS, TOLERANCE, levels, watch)
}

/// Half swings in ever more steps.
pub fn swings(case: &Case, tolerance: f64, levels: u32, watch: Watch) -> Result<Table, RunError> {
    let columns = SCALES.iter().flat_map(|&s| {
        [
            iterations(s),
            error(s),
            guess(s),
            printed(s),
            iterations_printed(s),
        ]
    });
    let mut table = Table::new([COUNT.to_owned()].into_iter().chain(columns));
    for level in 0..levels {
        let steps = 8 * 4_u32.pow(level);
        let mut row = vec![f64::from(steps)];
        for scale in SCALES {
            let small = PI * (2.0 * scale * scale / (3.0 * G)).sqrt();
            row.extend(swing(case, scale, LONGER * small, steps, tolerance)?);
            let [iterations, error, _] = swing(case, scale, small, steps, tolerance)?;
            row.extend([error, iterations]);
        }
        table.rows.push(row);
        watch(
            f64::from(4_u32.pow(level + 1)) / f64::from(4_u32.pow(levels)),
            &table,
        )?;
    }
    Ok(table)
}

/// Mean iterations of a step, the distance of the last angle from level on the other side, and the mean residual that the
/// extrapolated guess leaves before the first iteration.
fn swing(
    case: &Case,
    scale: f64,
    duration: f64,
    steps: u32,
    tolerance: f64,
) -> Result<[f64; 3], RunError> {
    let mut sim = case.simulation(&mechanism(scale), duration / f64::from(steps), tolerance)?;
    let mut iterations = 0;
    let mut guesses = 0.0;
    for _ in 0..steps {
        step(&mut sim)?;
        let report = sim.report();
        iterations += report.iterations;
        let first = report.history.first();
        guesses += first.map_or(f64::NAN, |i| i.residual.max(i.constraint));
    }
    let angle = sim.coordinates(JointId(0))[0];
    let count = f64::from(steps);
    Ok([
        f64::from(iterations) / count,
        (angle + FRAC_PI_2).abs(),
        guesses / count,
    ])
}

fn judge_iterations(table: &Table) -> Verdict {
    let ends = SCALES.map(|s| {
        let all = table.column(&iterations(s));
        Some([*all.first()?, *all.last()?])
    });
    let [Some(a), Some(b), Some(c)] = ends else {
        return Verdict::unjudged("the table has no rows");
    };
    let steps = table.column(COUNT);
    let printed = SCALES.map(|s| table.column(&iterations_printed(s)));
    let grows = |all: &Vec<f64>| all.last() > all.first();
    let grown = [a, b, c].iter().all(|[few, many]| many > few);
    let holds = grown && printed.iter().all(grows);
    let printed = printed.map(|all| format!("{:.2} and {:.2}", all[0], all[all.len() - 1]));
    let all = [a, b, c].map(|[few, many]| format!("{few:.2} and {many:.2}"));
    let guesses = table.column(&guess(SCALES[0]));
    Verdict::of(
        holds,
        format!(
            "iterations of a step in half swings of {} and {} steps: {}, to the end as printed {}; what is extrapolated from the last steps leaves {:.0e} of the \
             forces unbalanced in the longest steps and {:.0e} in the shortest, where the tolerance of 1e-10 of them is the same: systems \
             of short steps are solved with hardly an iteration",
            steps[0],
            steps[steps.len() - 1],
            all.join(", "),
            printed.join(", "),
            guesses[0],
            guesses[guesses.len() - 1],
        ),
    )
}

/// The last number of a column.
fn last(table: &Table, column: &str) -> Option<f64> {
    table.column(column).last().copied()
}

/// Error of the shortest steps that is accurate (rad).
const ACCURATE: f64 = 1e-4;

fn judge_errors(table: &Table) -> Verdict {
    let ends = SCALES.map(|s| Some([last(table, &error(s))?, last(table, &printed(s))?]));
    let [Some(a), Some(b), Some(c)] = ends else {
        return Verdict::unjudged("the table has no rows");
    };
    let orders = SCALES.map(|s| -growth(table, COUNT, &error(s), 0.0));
    let holds = [a, b, c].iter().all(|e| e[0] <= ACCURATE) && orders.iter().all(|o| *o > 0.8);
    let shown = |values: [f64; 3]| values.map(|x| format!("{x:.2e}")).join(", ");
    Verdict::of(
        holds,
        format!(
            "error at the true half swing in the shortest steps {} rad, by orders of {}; stopped where the paper does it stays at {} rad at any step",
            shown([a[0], b[0], c[0]]),
            orders.map(|o| format!("{o:.2}")).join(", "),
            shown([a[1], b[1], c[1]])
        ),
    )
}

fn plot_iterations(table: &Table) -> Plot {
    drawn(table, "iterations of a step", false, &[iterations])
}

fn plot_errors(table: &Table) -> Plot {
    drawn(table, "error of the angle [rad]", true, &[error, printed])
}

fn drawn(table: &Table, axis: &str, logarithmic: bool, columns: &[fn(f64) -> String]) -> Plot {
    let names = columns.iter().flat_map(|of| SCALES.map(of));
    Plot {
        title: "Half a swing of pendulums of three scales".into(),
        axes: [COUNT, axis].map(Into::into),
        logarithmic: [true, logarithmic],
        curves: names
            .map(|name| Curve {
                points: table.points(COUNT, &name),
                name,
            })
            .collect(),
    }
}
