//! Figure 10: time of stacks of spheres.

use super::{METHOD, PAPER, described, simulation, steps};
use crate::claimed::linear;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, mean_time};
use physics::figures::{Curve, Plot};
use physics::model::{Model, State};
use std::fmt::Write;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "10",
    claim: "the time of a stack of spheres grows with their number, up to 100, since their problem is sparse, and the stack stands",
    place: "sect. 6.5, fig. 10",
    setup: "spheres of 0.25 m and 1 kg, 0.02 m apart above the ground, by compliant, contacts of 1e11 N/m and 1 N s/m, friction 0.5; 500 steps of 10 ms; \
            the mean of the least time of each step in ten runs, quick five; linear is within 20 % of the same time a sphere from 20 spheres on",
    expected: Standing::Holds,
    timed: true,
    run,
    judge,
    plot,
    scene: Subject::Near(
        "sphere-stack:",
        "the ground is rigid; what is run gives as a spring does",
    ),
    claimed: |table| {
        linear(&table.points(SPHERES, TIME), 5.0)
            .into_iter()
            .collect()
    },
};

const SPHERES: &str = "spheres";
const TIME: &str = "time of a step [s]";
const ASIDE: &str = "farthest aside [m]";
const OFF: &str = "farthest from its height [m]";
const SPEED: &str = "fastest at the end [m/s]";

const RADIUS: f64 = 0.25;
const GAP: f64 = 0.02;
/// Stiffness of a contact (N/m).
const STIFFNESS: f64 = 1e11;

fn mechanism(spheres: usize) -> (Model, State) {
    let mut bodies = String::new();
    for k in 0..spheres {
        let height = GAP + RADIUS + k as f64 * (2.0 * RADIUS + GAP);
        let _ = write!(
            bodies,
            r#""sphere_{k}": (mass: 1, shape: (sphere: (radius: {RADIUS})), position: (0, 0, {height:?})),"#
        );
    }
    described(&format!(
        r#"(version: 1, bodies: {{{bodies}}}, world: [(half_space: ())],
            contact: (materials: {{"steel": ()}},
                pairs: [(materials: ("steel", "steel"), friction: 0.5, compliance: (stiffness: {STIFFNESS:?}, damping: 1))]))"#
    ))
}

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let (sizes, repeats): (&[usize], u32) = match effort {
        Effort::Quick => (&[5, 20, 50, 100], 5),
        Effort::Full => (&[1, 2, 5, 10, 20, 40, 60, 80, 100], 10),
    };
    let mut table = Table::new([SPHERES, TIME, ASIDE, OFF, SPEED]);
    for &spheres in sizes {
        let mut sim = simulation(&mechanism(spheres), METHOD, 0.01)?;
        let time = mean_time(&mut sim, 499, repeats)?;
        let [mut aside, mut off] = [0.0_f64; 2];
        for (k, body) in sim.state().bodies.iter().enumerate() {
            let at = body.position;
            aside = aside.max(at.x.hypot(at.y));
            off = off.max((at.z - RADIUS * (2 * k + 1) as f64).abs());
        }
        // The stack is seen to stand for as long again.
        steps(&mut sim, 500)?;
        let speeds = sim.velocities().iter().map(|v| v.linear.norm());
        let speed = speeds.fold(0.0, f64::max);
        table
            .rows
            .push(vec![spheres as f64, time, aside, off, speed]);
        watch(table.rows.len() as f64 / sizes.len() as f64, &table)?;
    }
    Ok(table)
}

fn judge(table: &Table) -> Verdict {
    let times = table.points(SPHERES, TIME);
    let each: Vec<f64> = times
        .iter()
        .filter(|p| p[0] >= 20.0)
        .map(|[n, time]| time / n)
        .collect();
    let at_hundred = |column| table.at(SPHERES, 100.0, column);
    let found = [TIME, ASIDE, OFF, SPEED].map(at_hundred);
    let [Some(time), Some(aside), Some(off), Some(speed)] = found else {
        return Verdict::unjudged("the table lacks 100 spheres");
    };
    let least = each.iter().copied().fold(f64::INFINITY, f64::min);
    let most = each.iter().copied().fold(0.0, f64::max);
    let mean = each.iter().sum::<f64>() / each.len() as f64;
    let spread = ((most - mean) / mean).max((mean - least) / mean);
    Verdict::of(
        each.len() > 1 && spread <= 0.2 && aside < 1e-6 && off < 1e-3 && speed < 1e-3,
        format!(
            "a step of 100 spheres takes {:.2} ms, 500 of them {:.2} s; from 20 spheres on {:.2} to {:.2} µs a sphere, at most {:.0} % from their mean; 100 \
             spheres stand: {aside:.1e} m aside, {off:.1e} m from their heights, {speed:.1e} m/s after 10 s",
            1e3 * time,
            500.0 * time,
            1e6 * least,
            1e6 * most,
            100.0 * spread
        ),
    )
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Time of a step of a stack of spheres".into(),
        axes: [SPHERES, TIME].map(Into::into),
        logarithmic: [false, false],
        curves: vec![Curve {
            name: METHOD.into(),
            points: table.points(SPHERES, TIME),
        }],
    }
}
