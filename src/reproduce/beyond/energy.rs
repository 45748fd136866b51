//! The energy of a double pendulum over 10^8 steps.

use super::BEYOND;
use crate::claimed::in_words;
use crate::maximal::energy::{SECOND_HANGS, double_pendulum};
use crate::maximal::{OURS, STEP, TOLERANCE, largest};
use crate::runs::Case;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use physics::figures::{Curve, Plot};

/// The item.
pub const ITEM: Item = Item {
    paper: BEYOND,
    figure: "energy",
    claim: "over 10^8 steps, eleven days and a half of motion, the energy error of the variational integrator is as bounded as over an \
            hour: neither its extremes nor its mean grow",
    place: "[Brüdigam2020] fig. 4a goes to 3.6e5 steps",
    setup: "the double pendulum of figure 4a, 10^8 steps of 10 ms, quick 10^6; variational at 1e-10; extremes and mean of the error by parts of a \
            thousandth of the run, looked at every fourth step",
    expected: Standing::Holds,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::Near(
        "double_pendulum",
        "two slender links; what is run has cubes of 0.1 m at the ends of massless arms, the first of them level",
    ),
    claimed: in_words,
};

const TIME: &str = "time [s]";
const LEAST: &str = "least error [J]";
const MOST: &str = "largest error [J]";
const MEAN: &str = "mean error [J]";

/// Rows of the table.
const ROWS: u64 = 1000;
/// Steps between two looks at the energy.
const LOOK: u64 = 4;

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let steps = match effort {
        Effort::Quick => 1_000_000,
        Effort::Full => 100_000_000,
    };
    watched(&OURS, TOLERANCE, steps, watch)
}

/// Energy errors by parts of a run.
pub fn watched(case: &Case, tolerance: f64, steps: u64, watch: Watch) -> Result<Table, RunError> {
    let mut sim = case.simulation(&double_pendulum(SECOND_HANGS), STEP, tolerance)?;
    let first = sim.energy().total();
    let looks = steps / (ROWS * LOOK);
    let mut table = Table::new([TIME, LEAST, MOST, MEAN]);
    for row in 0..ROWS {
        let [mut least, mut most, mut sum] = [f64::INFINITY, f64::NEG_INFINITY, 0.0];
        for _ in 0..looks {
            for _ in 0..LOOK {
                step(&mut sim)?;
            }
            let error = sim.energy().total() - first;
            least = least.min(error);
            most = most.max(error);
            sum += error;
        }
        let time = ((row + 1) * looks * LOOK) as f64 * STEP;
        table.rows.push(vec![time, least, most, sum / looks as f64]);
        watch((row + 1) as f64 / ROWS as f64, &table)?;
    }
    Ok(table)
}

/// How much larger the extremes of the last tenth are than those of the first where they are bounded.
const BOUNDED: f64 = 1.05;
/// Part of the largest error that the mean of the last tenth may be away from that of the first: what chance does to the mean of
/// a chaotic motion is less.
const STEADY: f64 = 0.1;

fn judge(table: &Table) -> Verdict {
    let tenth = table.rows.len() / 10;
    if tenth < 10 || table.columns.len() != 4 {
        return Verdict::unjudged("the table has fewer than 100 rows");
    }
    let ends = |name: &str, of: &dyn Fn(&[f64]) -> f64| {
        let all = table.column(name);
        [of(&all[..tenth]), of(&all[all.len() - tenth..])]
    };
    let extremes = |k: usize| {
        let [least, most] = [ends(LEAST, &largest)[k], ends(MOST, &largest)[k]];
        least.max(most)
    };
    let [first, last] = [extremes(0), extremes(1)];
    let all = largest(&[table.column(LEAST), table.column(MOST)].concat());
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let means = ends(MEAN, &mean);
    let steps = table.rows[table.rows.len() - 1][0] / STEP;
    Verdict::of(
        last <= BOUNDED * first
            && all <= BOUNDED * first
            && (means[1] - means[0]).abs() <= STEADY * first,
        format!(
            "over {steps:.0e} steps the energy error is at most {first:.4} J in the first tenth of the run, {last:.4} J in the last and \
             {all:.4} J in all; its mean is {:.4} J and {:.4} J",
            means[0], means[1]
        ),
    )
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Energy error of a double pendulum over 10^8 steps".into(),
        axes: [TIME, "energy error [J]"].map(Into::into),
        logarithmic: [false, false],
        curves: [LEAST, MOST, MEAN]
            .map(|name| Curve {
                name: name.into(),
                points: table.points(TIME, name),
            })
            .into(),
    }
}
