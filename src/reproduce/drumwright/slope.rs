//! Figure 9: how far a block slides down a slope.

use super::{G, METHOD, PAPER, described, simulation, steps};
use crate::claimed::of_plot;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use physics::figures::{Curve, Plot};
use physics::model::{Model, State};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER,
    figure: "9",
    claim: "a block on a slope of 15° slides less far in a second with µ = 0, 0.125 and 0.25, and sticks with 0.375 without creep",
    place: "sect. 6.4, fig. 9",
    setup: "block of 0.1 × 0.2 × 0.05 m and 1 kg by compliant, steps of 0.01 s as in the paper and of 0.001 s; surfaces as stiff as can be, of 1e10 N/m \
            and 1 N s/m, and of 9.4e6 N/m, which is the slope of the paper's law of Hertz under its 2.5 N a point; distances beside those of Coulomb's \
            law, creep with 0.375 from 2 to 10 s, quick 4 s",
    expected: Standing::Holds,
    timed: false,
    run,
    judge,
    plot,
    scene: Subject::Near(
        "slope:degrees=15,mu=0.25",
        "the ground is rigid; what is run has compliant ground as well",
    ),
    claimed: |table| of_plot(plot(table), &["Coulomb's law"]),
};

const STEP: &str = "h [s]";
const STIFFNESS: &str = "k [N/m]";
const FRICTION: &str = "friction";
const EXACT: &str = "distance by Coulomb's law [m]";
const DISTANCE: &str = "distance [m]";
const CREEP: &str = "creep [m/s]";

const STEPS: [f64; 2] = [1e-2, 1e-3];
const FRICTIONS: [f64; 4] = [0.0, 0.125, 0.25, 0.375];
/// Stiffness (N/m) and damping (N·s/m) of the contact of a corner.
const SURFACES: [[f64; 2]; 3] = [[f64::INFINITY, 0.0], [1e10, 1.0], [9.4e6, 1.0]];

/// Slip that is none [m/s]: a micrometre in a day.
const NO_CREEP: f64 = 1e-11;
/// What a block that sticks may settle by [m]: the depth to which its weight presses the softest of the surfaces. Contacts are solved
/// to a ten-thousandth of what gravity gives in a step.
const SETTLED: f64 = 2.6e-7;
/// Time after which what sticks has settled (s).
const REST: f64 = 2.0;

fn angle() -> f64 {
    15_f64.to_radians()
}

fn mechanism([stiffness, damping]: [f64; 2], friction: f64) -> (Model, State) {
    let angle = angle();
    let (x, z) = (0.025 * angle.sin(), 0.025 * angle.cos());
    let gives = if stiffness.is_finite() {
        format!("compliance: (stiffness: {stiffness:?}, damping: {damping:?})")
    } else {
        String::new()
    };
    described(&format!(
        r#"(version: 1,
            bodies: {{"block": (mass: 1, shape: (box: (size: (0.1, 0.2, 0.05))), position: ({x:?}, 0, {z:?}),
                orientation: (euler: (0, {angle:?}, 0)))}},
            world: [(half_space: (), orientation: (euler: (0, {angle:?}, 0)))],
            contact: (materials: {{"all": ()}}, pairs: [(materials: ("all", "all"), friction: {friction:?}, {gives})]))"#
    ))
}

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let end = match effort {
        Effort::Quick => 4.0,
        Effort::Full => 10.0,
    };
    let mut table = Table::new([STEP, STIFFNESS, FRICTION, EXACT, DISTANCE, CREEP]);
    let all = STEPS.len() * SURFACES.len() * FRICTIONS.len();
    let (sin, cos) = angle().sin_cos();
    for h in STEPS {
        for surface in SURFACES {
            for friction in FRICTIONS {
                let mechanism = mechanism(surface, friction);
                let mut sim = simulation(&mechanism, METHOD, h)?;
                let from = mechanism.1.bodies[0].position;
                steps(&mut sim, (1.0 / h).round() as u64)?;
                let there = sim.state().bodies[0].position;
                let moved = there - from;
                let distance = moved.x * cos - moved.z * sin;
                let exact = (0.5 * G * (sin - friction * cos)).max(0.0);
                let creep = if exact > 0.0 {
                    f64::NAN
                } else {
                    steps(&mut sim, ((REST - 1.0) / h).round() as u64)?;
                    let rest = sim.state().bodies[0].position;
                    steps(&mut sim, ((end - REST) / h).round() as u64)?;
                    (sim.state().bodies[0].position - rest).norm() / (end - REST)
                };
                table
                    .rows
                    .push(vec![h, surface[0], friction, exact, distance, creep]);
                watch(table.rows.len() as f64 / all as f64, &table)?;
            }
        }
    }
    Ok(table)
}

fn judge(table: &Table) -> Verdict {
    let steps = table.column(STEP);
    let (exact, found) = (table.column(EXACT), table.column(DISTANCE));
    let at = |h: f64| -> Vec<usize> { (0..steps.len()).filter(|k| steps[*k] == h).collect() };
    let [long, short] = STEPS.map(at);
    if long.is_empty() || short.is_empty() {
        return Verdict::unjudged("the table lacks a step");
    }
    let worst = |rows: &[usize]| {
        let slides = rows.iter().filter(|k| exact[**k] > 0.0);
        let off = slides.map(|&k| (found[k] - exact[k]).abs() / exact[k]);
        off.fold(0.0, f64::max)
    };
    let sticks = (0..found.len()).filter(|k| exact[*k] == 0.0);
    let settled = sticks.map(|k| found[k].abs()).fold(0.0, f64::max);
    let creep = table.column(CREEP).into_iter().filter(|c| c.is_finite());
    let creep = creep.fold(0.0, f64::max);
    // Falling by steps of `h` is `h/t` too far in a time `t`, with and without friction: eq. 36 takes the last velocity.
    let [a, b] = [worst(&long), worst(&short)];
    Verdict::of(
        a < 0.0101 && b < 0.01 && settled < SETTLED && creep < NO_CREEP,
        format!(
            "distances at most {:.3} % off Coulomb's law at 0.001 s and {:.3} % at 0.01 s, whatever the surface; what sticks \
             settles by {settled:.1e} m and creeps by at most {creep:.1e} m/s",
            100.0 * b,
            100.0 * a
        ),
    )
}

fn plot(table: &Table) -> Plot {
    let rows = |h: f64, column: &'static str, name: String| Curve {
        name,
        points: {
            let steps = table.column(STEP);
            let rigid = table.column(STIFFNESS);
            let [x, y] = [FRICTION, column].map(|c| table.column(c));
            let of = |k: &usize| steps[*k] == h && rigid[*k] == f64::INFINITY;
            (0..steps.len()).filter(of).map(|k| [x[k], y[k]]).collect()
        },
    };
    Plot {
        title: "Distance that a block slides down 15° in a second".into(),
        axes: [FRICTION, "distance [m]"].map(Into::into),
        logarithmic: [false, false],
        curves: vec![
            rows(1e-3, EXACT, "Coulomb's law".into()),
            rows(1e-2, DISTANCE, "compliant, 0.01 s".into()),
            rows(1e-3, DISTANCE, "compliant, 0.001 s".into()),
        ],
    }
}
