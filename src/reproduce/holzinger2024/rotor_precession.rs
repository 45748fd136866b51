//! Figure 10: the precession of the rotor.

use super::ladder::{Case, opened, step_along};
use super::{PAPER, ROTOR, ROTOR_SETUP};
use crate::claimed::in_words;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::{Curve, Plot};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "10",
    claim: "the rotor precesses in about 2.5 s",
    place: "sect. 4.2, fig. 10",
    setup: ROTOR_SETUP,
    expected: Standing::Unjudged,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::Run("rotor"),
    claimed: in_words,
};

const TIME: &str = "time [s]";
const Y: &str = "y [m]";
const Z: &str = "z [m]";
/// Rows, and steps of 1e-5 s from one to the next.
const ROWS: u32 = 400;
const BETWEEN: u32 = 1000;

const METHOD: Case = Case {
    name: "rk67",
    method: "runge-kutta",
    options: &[("tableau", "rk67")],
};

fn run(_: Effort, watch: Watch) -> Result<Table, RunError> {
    let scene = opened(ROTOR.scene);
    let mut table = Table::new([TIME, Y, Z]);
    let dt = ROTOR.end / f64::from(ROWS * BETWEEN);
    step_along(&scene, &METHOD, (dt, ROWS, BETWEEN), |sim| {
        let at = (ROTOR.measure)(sim);
        table.rows.push(vec![sim.state().time, at[1], at[2]]);
        watch(table.rows.len() as f64 / f64::from(ROWS), &table)
    })?;
    Ok(table)
}

fn judge(table: &Table) -> Verdict {
    // The mean over whole turns is the centre; the angle about it gains a turn in a period.
    let (y, z) = (table.column(Y), table.column(Z));
    let half = |v: &[f64]| {
        let range = |f: fn(f64, f64) -> f64| v.iter().copied().reduce(f).unwrap_or(f64::NAN);
        0.5 * (range(f64::max) + range(f64::min))
    };
    let centre = [half(&y), half(&z)];
    let angles: Vec<f64> = y
        .iter()
        .zip(&z)
        .map(|(y, z)| (z - centre[1]).atan2(y - centre[0]))
        .collect();
    let turned: f64 = angles
        .windows(2)
        .map(|w| {
            let d = w[1] - w[0];
            d - std::f64::consts::TAU * (d / std::f64::consts::TAU).round()
        })
        .sum();
    let times = table.column(TIME);
    let (Some(first), Some(last)) = (times.first(), times.last()) else {
        return Verdict::unjudged("the table has no rows");
    };
    let period = (last - first) * std::f64::consts::TAU / turned.abs();
    Verdict::unjudged(format!(
        "a period of {period:.3} s; the parameters were chosen for it, since those of the paper are not public"
    ))
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Point of the left support".into(),
        axes: [Y, Z].map(Into::into),
        logarithmic: [false, false],
        curves: vec![Curve {
            name: "trajectory".into(),
            points: table.points(Y, Z),
        }],
    }
}
