//! Figure 8b of the later paper: chains of spheres that fall on the ground.

use super::{OURS, PAPER_2023, STEP, TOLERANCE, described, growth, largest, opened};
use crate::claimed::linear;
use crate::runs::Case;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use physics::figures::{Curve, Plot};
use physics::model::{Model, State};
use std::time::Instant;

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER_2023,
    figure: "8b",
    claim: "with contacts time grows linearly with the spheres of a chain, and no sphere enters the ground",
    place: "sect. 5.2, fig. 8b",
    setup: "1 to 50 spheres of 0.25 m and 1 kg, 1 m apart on spherical joints, leaning at 45°, friction 1, 500 steps of 10 ms; variational by \
            the interior point of the paper, and by its own solver of contacts, whose iterations are as many as the motion asks for; \
            the least time of each step in three runs, quick one; spheres touch with their surfaces, and, as in the paper's code, in a point \
            in the centre of each, here a ball of 1 mm, by the interior point",
    expected: Standing::Holds,
    timed: true,
    run,
    judge,
    plot,
    scene: Subject::Run("sphere-chain:spheres=10"),
    claimed: |table| {
        linear(&table.points(SPHERES, &column(&INTERIOR, 0)), 10.0)
            .into_iter()
            .collect()
    },
};

const SPHERES: &str = "spheres";
const RESTING: &str = "spheres on the ground at the end";

/// By the solver of the paper.
pub const INTERIOR: Case = Case {
    name: "interior point",
    options: &[("contact_solver", "interior-point")],
    ..OURS
};

/// The same with points in the centres, as in the code of the paper.
const PRINTED: Case = Case {
    name: "interior point, centres as printed",
    ..INTERIOR
};

/// What is measured of a method.
const MEASURES: [&str; 4] = [
    "time of a step [s]",
    "iterations of a step",
    "deepest below the ground [m]",
    "widest opening of a joint [m]",
];

fn column(case: &Case, measure: usize) -> String {
    format!("{}: {}", case.name, MEASURES[measure])
}

/// Radius of the spheres (m).
pub const RADIUS: f64 = 0.25;
const STEPS: usize = 500;

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let (sizes, repeats): (&[usize], u32) = match effort {
        Effort::Quick => (&[5, 10, 20, 40], 1),
        Effort::Full => (&[1, 2, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50], 3),
    };
    let columns = [INTERIOR, OURS, PRINTED]
        .into_iter()
        .flat_map(|case| [0, 1, 2, 3].map(|k| column(&case, k)));
    let names = [SPHERES.to_owned()].into_iter().chain(columns);
    let mut table = Table::new(names.chain([RESTING.to_owned()]));
    for (k, &spheres) in sizes.iter().enumerate() {
        let mut row = vec![spheres as f64];
        let mut resting = 0;
        let full = opened(&format!("sphere-chain:spheres={spheres}"));
        for case in [INTERIOR, OURS] {
            let fallen;
            (fallen, resting) = fall(&case, &full, RADIUS, repeats)?;
            row.extend(fallen);
        }
        let (fallen, _) = fall(&PRINTED, &points(spheres), POINT, repeats)?;
        row.extend(fallen);
        row.push(resting as f64);
        table.rows.push(row);
        watch((k + 1) as f64 / sizes.len() as f64, &table)?;
    }
    Ok(table)
}

/// Radius of what stands for a point in the centre of a sphere (m).
const POINT: f64 = 1e-3;

/// The chain of solid balls, of which small ones in the centres touch the ground.
fn points(spheres: usize) -> (Model, State) {
    let moment = 0.4 * RADIUS * RADIUS;
    let ball = format!(
        "mass: 1, inertia: ({moment:?}, {moment:?}, {moment:?}), shape: (sphere: (radius: {POINT:?}))"
    );
    let mut bodies = format!(
        r#""sphere_1": ({ball}, position: (0, 0, {POINT:?}), orientation: (euler: ("3*PI/4", 0, 0))),"#
    );
    let mut joints = String::new();
    for k in 2..=spheres {
        let before = k - 1;
        bodies += &format!(r#""sphere_{k}": ({ball}),"#);
        joints += &format!(
            r#""joint_{before}": (kind: spherical, parent: "sphere_{before}", child: "sphere_{k}", child_anchor: (0, 0, 1)),"#
        );
    }
    described(&format!(
        r#"(version: 1, bodies: {{{bodies}}}, joints: {{{joints}}}, world: [(half_space: ())],
            contact: (materials: {{"steel": (friction: 1)}}))"#
    ))
}

/// What is measured of a fall, and how many spheres rest on the ground in the end.
pub fn fall(
    case: &Case,
    mechanism: &(Model, State),
    radius: f64,
    repeats: u32,
) -> Result<([f64; 4], usize), RunError> {
    let mut sim = case.simulation(mechanism, STEP, TOLERANCE)?;
    let mut least = vec![f64::INFINITY; STEPS];
    let [mut deepest, mut open] = [0.0_f64; 2];
    let mut iterations = 0;
    for repeat in 0..repeats {
        sim.reset();
        for least in &mut least {
            let start = Instant::now();
            step(&mut sim)?;
            *least = least.min(start.elapsed().as_secs_f64());
            if repeat == 0 {
                iterations += sim.report().iterations;
                open = open.max(sim.sample().drift_position);
                for body in &sim.state().bodies {
                    deepest = deepest.max(radius - body.position.z);
                }
            }
        }
    }
    let bodies = &sim.state().bodies;
    let resting = bodies.iter().filter(|b| b.position.z < radius + 1e-3);
    let count = STEPS as f64;
    let time = least.iter().sum::<f64>() / count;
    Ok((
        [time, f64::from(iterations) / count, deepest, open],
        resting.count(),
    ))
}

/// Exponent up to which growth is linear from 10 spheres on.
const LINEAR: f64 = 1.3;
/// What spheres may enter the ground and joints open by: rounding over lengths of tens of metres (m).
const ROUNDING: f64 = 1e-8;

fn judge(table: &Table) -> Verdict {
    let exponents =
        [INTERIOR, OURS, PRINTED].map(|case| growth(table, SPHERES, &column(&case, 0), 10.0));
    let over = |measure: usize| {
        let all =
            [INTERIOR, OURS, PRINTED].map(|case| largest(&table.column(&column(&case, measure))));
        largest(&all)
    };
    let (deepest, open) = (over(2), over(3));
    let Some(last) = table.rows.last().filter(|row| row.len() == 14) else {
        return Verdict::unjudged("the table has no rows");
    };
    if !exponents.iter().all(|e| e.is_finite()) {
        return Verdict::unjudged("the table has fewer than two sizes from 10 spheres on");
    }
    let ends = [INTERIOR, OURS, PRINTED].map(|case| {
        let counts = table.points(SPHERES, &column(&case, 1));
        let ten = counts
            .iter()
            .find(|p| p[0] >= 10.0)
            .map_or(f64::NAN, |p| p[1]);
        let most = counts.last().map_or(f64::NAN, |p| p[1]);
        format!("{ten:.1} to {most:.1}")
    });
    Verdict::of(
        exponents[0] <= LINEAR
            && exponents[2] <= LINEAR
            && deepest <= ROUNDING
            && open <= ROUNDING
            && last[13] > 1.0,
        format!(
            "by the interior point time grows with the spheres from 10 on to the power of {:.2} and iterations from {}; by its own solver \
             variational takes {:.2} of that time at {} spheres, with iterations from {} and a power of {:.2}; with contact points in the centres, as printed, the interior point takes \
             {:.2} of its time, with iterations from {} and a power of {:.2}; no sphere is deeper than \
             {deepest:.1e} m below the ground, joints open by at most {open:.1e} m",
            exponents[0],
            ends[0],
            last[5] / last[1],
            last[0],
            ends[1],
            exponents[1],
            last[9] / last[1],
            ends[2],
            exponents[2],
        ),
    )
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Time of a step of a chain of spheres with contacts".into(),
        axes: [SPHERES, MEASURES[0]].map(Into::into),
        logarithmic: [false, false],
        curves: [INTERIOR, OURS, PRINTED]
            .map(|case| Curve {
                name: case.name.into(),
                points: table.points(SPHERES, &column(&case, 0)),
            })
            .into(),
    }
}
