//! Figure 19: the joint angles of the Puma.

use super::ladder::{opened, step_along};
use super::{EP, PAPER, PUMA, PUMA_SETUP, angles};
use crate::claimed::points;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::{Curve, Plot};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "19",
    claim: "the controllers take all joints along the prescribed trajectory from (0, 22.5, 90, 0, 22.5, 0) to (-120, 60, -200, 90, 90, 45) degrees with \
            minimal error",
    place: "sect. 4.4, fig. 19",
    setup: PUMA_SETUP,
    expected: Standing::Holds,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::Run("puma"),
    claimed,
};

const TIME: &str = "time [s]";
const START: [f64; 6] = [0.0, 22.5, 90.0, 0.0, 22.5, 0.0];
const GOAL: [f64; 6] = [-120.0, 60.0, -200.0, 90.0, 90.0, 45.0];

fn name(joint: usize) -> String {
    format!("joint {} [degrees]", joint + 1)
}

fn run(_: Effort, watch: Watch) -> Result<Table, RunError> {
    let scene = opened(PUMA.scene);
    let mut table = Table::new([TIME.to_owned()].into_iter().chain((0..6).map(name)));
    step_along(&scene, &EP, (1e-4, 100, 100), |sim| {
        let found = angles(sim);
        let degrees = found.iter().map(|a| a.to_degrees());
        table
            .rows
            .push([sim.state().time].into_iter().chain(degrees).collect());
        watch(table.rows.len() as f64 / 100.0, &table)
    })?;
    Ok(table)
}

/// Part of the way done after a part of the time.
fn part(t: f64) -> f64 {
    if t < 0.5 {
        2.0 * t * t
    } else {
        1.0 - 2.0 * (1.0 - t) * (1.0 - t)
    }
}

fn judge(table: &Table) -> Verdict {
    let times = table.column(TIME);
    if times.is_empty() {
        return Verdict::unjudged("the table has no rows");
    }
    let off = |joint: usize| {
        let found = table.column(&name(joint));
        let wanted = times
            .iter()
            .map(|t| START[joint] + (GOAL[joint] - START[joint]) * part(*t));
        let gaps = found.iter().zip(wanted).map(|(a, b)| (a - b).abs());
        gaps.fold(0.0, f64::max)
    };
    let all: Vec<f64> = (0..6).map(off).collect();
    let worst = all.iter().copied().fold(0.0, f64::max);
    let listed: Vec<String> = all.iter().map(|x| format!("{x:.3}")).collect();
    // Against motions of 37 to 290 degrees.
    Verdict::of(
        worst < 3.0,
        format!(
            "farthest from the trajectory, joint by joint: {} degrees",
            listed.join(", ")
        ),
    )
}

/// The prescribed trajectory.
fn claimed(_: &Table) -> Vec<Curve> {
    let times = (0..=50).map(|k| 0.02 * f64::from(k));
    let wanted = |joint: usize| {
        let angle = |t| START[joint] + (GOAL[joint] - START[joint]) * part(t);
        let points: Vec<[f64; 2]> = times.clone().map(|t| [t, angle(t)]).collect();
        points
    };
    (0..6)
        .map(|joint| points(&format!("prescribed, joint {}", joint + 1), &wanted(joint)))
        .collect()
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Joint angles of the Puma".into(),
        axes: [TIME, "angle [degrees]"].map(Into::into),
        logarithmic: [false, false],
        curves: (0..6)
            .map(|joint| Curve {
                name: format!("joint {}", joint + 1),
                points: table.points(TIME, &name(joint)),
            })
            .collect(),
    }
}
