//! Figure 7c of the later paper: the energy of a damped pendulum.

use super::{G, OURS, PAPER_2023, TOLERANCE, opened};
use crate::claimed::of_plot;
use crate::runs::Case;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use physics::figures::{Curve, Plot};
use physics::model::Model;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER_2023,
    figure: "7c",
    claim: "the variational integrator dissipates energy as the damper does, after a small error at the start; Euler's method \
            underdamps drastically",
    place: "sect. 5.1, fig. 7c",
    setup: "box of 1 m and 1 kg on a hinge of 0.5 N·m·s/rad, released level, 10 s in steps of 0.1 s as printed and of 0.05 s as in \
            the paper's code; Euler's method on angle and rate; the reference is the classical Runge-Kutta method on these in steps of \
            0.1 ms, with the inertia of the thin rod that the paper's code has; and in steps of 0.05 s with that of the box",
    expected: Standing::Holds,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::Run("damped_pendulum"),
    claimed: |table| of_plot(plot(table), &[EXACT]),
};

const TIME: &str = "time [s]";
/// Steps as printed and as in the paper's code (s), and that again with the right inertia.
const STEPS: [f64; 3] = [0.1, 0.05, 0.05];
const OURS_AT: [&str; 3] = [
    "variational at 0.1 s [J]",
    "variational at 0.05 s [J]",
    "variational at 0.05 s, inertia of the box [J]",
];
const EULER_AT: [&str; 3] = [
    "Euler at 0.1 s [J]",
    "Euler at 0.05 s [J]",
    "Euler at 0.05 s, inertia of the box [J]",
];
const EXACT: &str = "reference [J]";
const EXACT_BOX: &str = "reference, inertia of the box [J]";

const DURATION: f64 = 10.0;
/// Damper (N m s/rad).
const DAMPER: f64 = 0.5;
/// Moments of inertia about the hinge of the thin rod that the paper's code has, and of the box, 0.1 m thick (kg m²).
const ROD: f64 = 1.0 / 3.0;
const BOX: f64 = 1.0 / 3.0 + 0.01 / 12.0;
const INERTIA: [f64; 3] = [ROD, ROD, BOX];
/// Steps of the reference in the shorter of the two.
const FINE: u32 = 500;

/// Rates of angle from hanging and angular velocity, by the moment of inertia.
fn slope([angle, rate]: [f64; 2], inertia: f64) -> [f64; 2] {
    [rate, -(0.5 * G * angle.sin() + DAMPER * rate) / inertia]
}

/// Energy above hanging (J).
fn energy([angle, rate]: [f64; 2], inertia: f64) -> f64 {
    0.5 * G * (1.0 - angle.cos()) + 0.5 * inertia * rate * rate
}

fn euler(state: [f64; 2], inertia: f64, h: f64) -> [f64; 2] {
    let slope = slope(state, inertia);
    [0, 1].map(|k| state[k] + h * slope[k])
}

fn runge_kutta(state: [f64; 2], inertia: f64, h: f64) -> [f64; 2] {
    let moved = |slope: [f64; 2], h: f64| [0, 1].map(|k| state[k] + h * slope[k]);
    let a = slope(state, inertia);
    let b = slope(moved(a, 0.5 * h), inertia);
    let c = slope(moved(b, 0.5 * h), inertia);
    let d = slope(moved(c, h), inertia);
    [0, 1].map(|k| state[k] + h / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]))
}

const LEVEL: [f64; 2] = [std::f64::consts::FRAC_PI_2, 0.0];

fn run(_: Effort, watch: Watch) -> Result<Table, RunError> {
    compared(&OURS, watch)
}

/// Energies at the multiples of the shorter step; those of longer ones where they have a knot.
pub fn compared(case: &Case, watch: Watch) -> Result<Table, RunError> {
    let mechanism = opened("damped_pendulum");
    let short = STEPS[1];
    let rows = (DURATION / short).round() as u32;
    let mut right = (mechanism.0.parts(), mechanism.1.clone());
    right.0.bodies[0].inertia[(0, 0)] = BOX - 0.25;
    let right = Model::new(right.0).map(|model| (model, right.1));
    let right = right.expect("the box has another inertia alone");
    let columns = [TIME, EXACT, EXACT_BOX]
        .into_iter()
        .chain(OURS_AT)
        .chain(EULER_AT);
    let mut table = Table::new(columns);
    let mut sims = [
        case.simulation(&mechanism, STEPS[0], TOLERANCE)?,
        case.simulation(&mechanism, STEPS[1], TOLERANCE)?,
        case.simulation(&right, STEPS[2], TOLERANCE)?,
    ];
    let lowest = sims[0].energy().total() - energy(LEVEL, ROD);
    let mut eulers = [LEVEL; 3];
    let mut exact = [LEVEL; 2];
    for row in 0..=rows {
        let truths = [energy(exact[0], ROD), energy(exact[1], BOX)];
        let mut numbers = vec![f64::from(row) * short, truths[0], truths[1]];
        let mut theirs = Vec::new();
        for k in 0..3 {
            let every = (STEPS[k] / short).round() as u32;
            let at_knot = row.is_multiple_of(every);
            numbers.push(if at_knot {
                sims[k].energy().total() - lowest
            } else {
                f64::NAN
            });
            theirs.push(if at_knot {
                energy(eulers[k], INERTIA[k])
            } else {
                f64::NAN
            });
            if at_knot && row < rows {
                step(&mut sims[k])?;
                eulers[k] = euler(eulers[k], INERTIA[k], STEPS[k]);
            }
        }
        numbers.extend(theirs);
        table.rows.push(numbers);
        for _ in 0..FINE {
            for (exact, inertia) in exact.iter_mut().zip([ROD, BOX]) {
                *exact = runge_kutta(*exact, inertia, short / f64::from(FINE));
            }
        }
        watch(f64::from(row) / f64::from(rows), &table)?;
    }
    Ok(table)
}

/// How much less the variational integrator errs.
const BETTER: f64 = 5.0;
/// Part of the first energy that it errs by at most on the mean.
const SMALL: f64 = 0.05;

fn judge(table: &Table) -> Verdict {
    // Mean distance from the reference over that of the whole first energy.
    let error = |column: &str| {
        let exact = if column.contains("box") {
            EXACT_BOX
        } else {
            EXACT
        };
        let [exact, found] = [exact, column].map(|name| table.points(TIME, name));
        let pairs = found.iter().filter_map(|[t, e]| {
            let at = exact.iter().find(|p| p[0] == *t)?;
            Some((e - at[1]).abs() / energy(LEVEL, ROD))
        });
        let errors: Vec<f64> = pairs.collect();
        errors.iter().sum::<f64>() / errors.len() as f64
    };
    let ours = OURS_AT.map(error);
    let theirs = EULER_AT.map(error);
    if ours.iter().chain(&theirs).any(|e| !e.is_finite()) {
        return Verdict::unjudged("the table has no energies");
    }
    let holds = (0..3).all(|k| ours[k] <= SMALL && theirs[k] >= BETTER * ours[k]);
    let last = |column: &str| table.column(column).last().copied().unwrap_or(f64::NAN);
    Verdict::of(
        holds,
        format!(
            "mean distance from the reference in parts of the first energy: variational {:.1e} at 0.1 s as printed and {:.1e} at \
             0.05 s as in the code, {:.1e} with the inertia of the box; Euler {:.1e}, {:.1e} and {:.1e}, which keeps {:.2}, {:.2} and {:.2} J of \
             {:.2} J after 10 s",
            ours[0],
            ours[1],
            ours[2],
            theirs[0],
            theirs[1],
            theirs[2],
            last(EULER_AT[0]),
            last(EULER_AT[1]),
            last(EULER_AT[2]),
            energy(LEVEL, ROD)
        ),
    )
}

fn plot(table: &Table) -> Plot {
    // The inertia of the box would hide behind that of the rod.
    let names = [EXACT, OURS_AT[0], OURS_AT[1], EULER_AT[0], EULER_AT[1]].into_iter();
    Plot {
        title: "Energy of a damped pendulum".into(),
        axes: [TIME, "energy [J]"].map(Into::into),
        logarithmic: [false, false],
        curves: names
            .map(|name| Curve {
                name: name.into(),
                points: table.points(TIME, name),
            })
            .collect(),
    }
}
