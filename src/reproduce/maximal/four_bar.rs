//! The double four-bar linkage beside the variational GGL method: figures 12a to 12d of the later paper.

use super::{G, OURS, PAPER_2023, TOLERANCE, largest, opened};
use crate::claimed::{in_words, of_plot, points};
use crate::runs::Case;
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use physics::figures::{Curve, Plot};
use physics::math::Vec3;
use physics::model::{Input, Model, State};
use physics::sim::Simulation;
use physics::solver::assembly::{EquationsOfMotion, Moment};
use std::f64::consts::FRAC_PI_2;

/// The trajectory.
pub const TRAJECTORY: Item = Item {
    paper: PAPER_2023,
    figure: "12a",
    claim: "in steps of 10 ms the variational integrator follows the linkage through its singular configurations, the variational GGL method \
            goes increasingly wrong; in steps of 1 ms there is almost no difference",
    place: "sect. 5.3, fig. 12a",
    setup: "two four-bars of five equal bars of 1 m and 1 kg, all uprights vertical, the first corner moving with 1 m/s; 10 s in steps of 10 ms \
            and of 1 ms; variational and variational-ggl at 1e-10 beside the exact motion of the one angle; the constraints of velocities of \
            variational-ggl are met at the end of an interval, where the paper's rival meets them at a point near it; variational-ggl also from \
            uprights that do not turn, as the published script of that rival began",
    expected: Standing::Holds,
    timed: false,
    run,
    judge: judge_trajectory,
    plot: plot_trajectory,
    scene: Subject::Run("double_four_bar"),
    claimed: claimed_trajectory,
};

/// The energy error.
pub const ENERGY: Item = Item {
    figure: "12b",
    claim: "in steps of 10 ms the energy error of the variational integrator is bounded, that of the variational GGL method increases",
    place: "sect. 5.3, fig. 12b",
    expected: Standing::Differs,
    judge: judge_energy,
    plot: plot_energy,
    claimed: in_words,
    ..TRAJECTORY
};

/// The constraints.
pub const CONSTRAINTS: Item = Item {
    figure: "12c",
    claim: "both keep the constraints to very small violations, the variational GGL method to smaller ones, and those of velocities too",
    place: "sect. 5.3, fig. 12c",
    judge: judge_constraints,
    plot: plot_constraints,
    claimed: in_words,
    ..TRAJECTORY
};

/// Kinetic, potential and total energy.
pub const PARTS: Item = Item {
    figure: "12d",
    claim: "kinetic, potential and total energy are a reference for other benchmarks",
    place: "sect. 5.3, fig. 12d",
    judge: judge_parts,
    plot: plot_parts,
    claimed: |table| of_plot(plot_parts(table), &[KINETIC[1], POTENTIAL[1]]),
    ..TRAJECTORY
};

/// The rival.
pub const GGL: Case = Case::plain("variational-ggl");

const TIME: &str = "time [s]";
const HEIGHT: [&str; 3] = [
    "variational: height of the corner [m]",
    "GGL: height of the corner [m]",
    "exact: height of the corner [m]",
];
const AWAY: [&str; 2] = [
    "variational: distance from the exact corner [m]",
    "GGL: distance from the exact corner [m]",
];
const FINE: [&str; 2] = [
    "variational in steps of 1 ms: distance from the exact corner [m]",
    "GGL in steps of 1 ms: distance from the exact corner [m]",
];
const ERROR: [&str; 2] = ["variational: energy error [J]", "GGL: energy error [J]"];
const OPEN: [&str; 2] = [
    "variational: largest opening [m]",
    "GGL: largest opening [m]",
];
const SLIP: [&str; 2] = [
    "variational: fastest opening [m/s]",
    "GGL: fastest opening [m/s]",
];
const KINETIC: [&str; 2] = [
    "variational: kinetic energy [J]",
    "exact: kinetic energy [J]",
];
const POTENTIAL: [&str; 2] = [
    "variational: potential energy [J]",
    "exact: potential energy [J]",
];

/// The rival from uprights that do not turn.
const SCRIPT: [&str; 3] = [
    "GGL as first published: distance from the exact corner [m]",
    "GGL as first published: energy error [J]",
    "GGL as first published: largest opening [m]",
];

const DURATION: f64 = 10.0;
const STEPS: [f64; 2] = [0.01, 0.001];
const ROWS: u32 = (DURATION / STEPS[0]) as u32;
/// Energy of the exact motion: five bars at 1 m/s, or half of it in the middle and a turn, and their weight (J).
const FIRST_ENERGY: f64 = 1.5 + 3.5 * G;
/// Angle of the bars from level, and its rate (rad, rad/s).
const START: [f64; 2] = [FRAC_PI_2, -1.0];

fn run(_: Effort, watch: Watch) -> Result<Table, RunError> {
    compared([&OURS, &GGL], TOLERANCE, watch)
}

/// Angle of the bars from level and its rate a time later: all bars turn or stay level as one degree of freedom,
/// `3 θ'' = -3.5 g cos θ` for five bars of 1 m and 1 kg.
fn exact(mut x: [f64; 2], time: f64) -> [f64; 2] {
    let rate = |[angle, rate]: [f64; 2]| [rate, -3.5 / 3.0 * G * angle.cos()];
    // Steps of 0.1 ms: truncation 1e-16 times derivatives of some thousands.
    let steps = (time * 1e4).round() as u32;
    let h = time / f64::from(steps);
    for _ in 0..steps {
        let at = |k: [f64; 2], part: f64| rate([0, 1].map(|i| x[i] + part * h * k[i]));
        let a = rate(x);
        let b = at(a, 0.5);
        let c = at(b, 0.5);
        let d = at(c, 1.0);
        x = [0, 1].map(|i| x[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    x
}

/// The corner where the first upright ends.
fn corner(sim: &Simulation) -> Vec3 {
    let left = &sim.state().bodies[0];
    left.position + left.orientation * Vec3::new(0.0, 0.0, 0.5)
}

/// Largest rate of a constraint row at the velocities that a method holds.
fn slip(equations: &mut EquationsOfMotion, model: &Model, state: &State) -> f64 {
    let twists: Vec<_> = state.bodies.iter().map(|b| b.velocity).collect();
    let at = Moment {
        bodies: &state.bodies,
        twists: &twists,
        angles: &state.angles,
        time: state.time,
        input: &Input::default(),
    };
    equations.evaluate(model, &at);
    largest(equations.rates())
}

/// Both methods on the linkage.
pub fn compared(cases: [&Case; 2], tolerance: f64, watch: Watch) -> Result<Table, RunError> {
    let mechanism = opened("double_four_bar");
    let mut equations = EquationsOfMotion::new(&mechanism.0);
    let all = [TIME]
        .into_iter()
        .chain(HEIGHT)
        .chain(AWAY)
        .chain(FINE)
        .chain(ERROR)
        .chain(OPEN)
        .chain(SLIP)
        .chain(KINETIC)
        .chain(POTENTIAL)
        .chain(SCRIPT);
    let mut table = Table::new(all);
    let begin = |dt: f64| -> Result<[Simulation; 2], RunError> {
        let [ours, ggl] = cases.map(|case| case.simulation(&mechanism, dt, tolerance));
        Ok([ours?, ggl?])
    };
    let [mut coarse, mut fine] = [begin(STEPS[0])?, begin(STEPS[1])?];
    let mut script = (mechanism.0.clone(), mechanism.1.clone());
    for body in &mut script.1.bodies {
        body.velocity.angular.fill(0.0);
    }
    let mut script = cases[1].simulation(&script, STEPS[0], tolerance)?;
    let mut lost = false;
    let between = (STEPS[0] / STEPS[1]).round() as u32;
    let mut turned = START;
    for row in 1..=ROWS {
        let time = f64::from(row) * STEPS[0];
        turned = exact(turned, STEPS[0]);
        let [angle, rate] = turned;
        let there = Vec3::new(0.0, angle.cos(), angle.sin());
        let [
            mut height,
            mut away,
            mut near,
            mut error,
            mut open,
            mut slips,
        ] = [[0.0; 2]; 6];
        let mut parts = [0.0; 2];
        for k in 0..2 {
            let sim = &mut coarse[k];
            step(sim)?;
            height[k] = corner(sim).z;
            away[k] = (corner(sim) - there).norm();
            let sample = sim.sample();
            error[k] = sample.energy_error;
            open[k] = sample.drift_position;
            if k == 0 {
                parts = [sample.energy.kinetic, sample.energy.potential];
            }
            slips[k] = slip(&mut equations, &mechanism.0, sim.state());
            let sim = &mut fine[k];
            for _ in 0..between {
                step(sim)?;
            }
            near[k] = (corner(sim) - there).norm();
        }
        // Three uprights with their middles at half of the height, two bars at all of it.
        let [kinetic, potential] = [1.5 * rate * rate, 3.5 * G * angle.sin()];
        let numbers = [time, height[0], height[1], there.z].into_iter();
        let pairs = [away, near, error, open, slips].concat();
        let energies = [parts[0], kinetic, parts[1], potential];
        lost |= step(&mut script).is_err();
        let sample = script.sample();
        let published = [
            (corner(&script) - there).norm(),
            sample.energy.total() - FIRST_ENERGY,
            sample.drift_position,
        ];
        let published = published.map(|x| if lost { f64::NAN } else { x });
        let numbers = numbers.chain(pairs).chain(energies).chain(published);
        table.rows.push(numbers.collect());
        watch(f64::from(row) / f64::from(ROWS), &table)?;
    }
    Ok(table)
}

/// Largest of a column in the first and in the last fifth of the run.
fn ends(table: &Table, column: &str) -> [f64; 2] {
    let all = table.column(column);
    let fifth = all.len() / 5;
    [largest(&all[..fifth]), largest(&all[all.len() - fifth..])]
}

/// What grows is this many times as large in the last fifth as in the first.
const GROWN: f64 = 2.0;
/// What is bounded stays within this many times what it was.
const BOUNDED: f64 = 1.3;
/// Distance of two corners that is almost none (m).
const ALMOST: f64 = 0.02;

fn judge_trajectory(table: &Table) -> Verdict {
    if table.rows.len() < 500 {
        return Verdict::unjudged("the table has fewer than 500 rows");
    }
    let [ours, ggl] = AWAY.map(|name| ends(table, name));
    let fine = FINE.map(|name| largest(&table.column(name)));
    Verdict::of(
        ggl[1] >= GROWN * ours[1] && ggl[1] >= GROWN * ggl[0] && fine[0] + fine[1] <= ALMOST,
        format!(
            "farthest from the exact corner in the first and in the last 2 s: variational {:.1e} and {:.1e} m, variational-ggl {:.1e} and \
             {:.1e} m; in steps of 1 ms at most {:.1e} and {:.1e} m",
            ours[0], ours[1], ggl[0], ggl[1], fine[0], fine[1]
        ),
    )
}

fn judge_energy(table: &Table) -> Verdict {
    if table.rows.len() < 500 {
        return Verdict::unjudged("the table has fewer than 500 rows");
    }
    let [ours, ggl, script] = [ERROR[0], ERROR[1], SCRIPT[1]].map(|name| ends(table, name));
    let all = largest(&table.column(ERROR[0]));
    Verdict::of(
        all <= BOUNDED * ours[0] && ggl[1] >= GROWN * ggl[0],
        format!(
            "largest energy error in the first and in the last 2 s: variational {:.1e} and {:.1e} J, variational-ggl {:.1e} and {:.1e} J, from \
             uprights that do not turn at the start, as first published, {:.1e} and {:.1e} J with joints that open by at most {:.0e} m",
            ours[0],
            ours[1],
            ggl[0],
            ggl[1],
            script[0],
            script[1],
            largest(&table.column(SCRIPT[2])),
        ),
    )
}

/// Opening that is very small (m).
const SMALL: f64 = 1e-8;

fn judge_constraints(table: &Table) -> Verdict {
    if table.rows.is_empty() {
        return Verdict::unjudged("the table has no rows");
    }
    let [ours, ggl] = OPEN.map(|name| largest(&table.column(name)));
    let [our_slip, ggl_slip] = SLIP.map(|name| largest(&table.column(name)));
    Verdict::of(
        ours <= SMALL && ggl <= ours && ggl_slip <= SMALL && our_slip > 1e3 * ggl_slip,
        format!(
            "joints open by at most {ours:.1e} m, by variational-ggl {ggl:.1e} m; at the velocities that the methods hold rows open by at \
             most {our_slip:.1e} and {ggl_slip:.1e} in a second"
        ),
    )
}

/// Energy that is small beside 34 J of the linkage (J).
const FAITHFUL: f64 = 1.0;

fn judge_parts(table: &Table) -> Verdict {
    if table.rows.is_empty() {
        return Verdict::unjudged("the table has no rows");
    }
    let column = |name: &str| table.column(name);
    let sum = |a: &str, b: &str| -> Vec<f64> {
        let pairs = column(a).into_iter().zip(column(b));
        pairs.map(|(a, b)| a + b).collect()
    };
    let first = sum(KINETIC[1], POTENTIAL[1]);
    let total = sum(KINETIC[0], POTENTIAL[0]);
    let apart: Vec<f64> = total.iter().zip(&first).map(|(a, b)| a - b).collect();
    let swing = |name: &str| {
        let all = column(name);
        all.iter().copied().fold(f64::MIN, f64::max) - all.iter().copied().fold(f64::MAX, f64::min)
    };
    let swings = [KINETIC, POTENTIAL].map(|pair| pair.map(swing));
    let faithful = swings
        .iter()
        .all(|[ours, exact]| (ours - exact).abs() <= FAITHFUL);
    Verdict::of(
        faithful && largest(&apart) <= FAITHFUL,
        format!(
            "kinetic and potential energy of variational swing by {:.2} and {:.2} J, those of the exact motion by {:.2} and {:.2} J; their sum \
             is at most {:.2} J from its {:.3} J",
            swings[0][0],
            swings[1][0],
            swings[0][1],
            swings[1][1],
            largest(&apart),
            first[0]
        ),
    )
}

fn drawn(table: &Table, title: &str, axis: &str, logarithmic: bool, columns: &[&str]) -> Plot {
    Plot {
        title: title.into(),
        axes: [TIME, axis].map(Into::into),
        logarithmic: [false, logarithmic],
        curves: columns
            .iter()
            .map(|&name| Curve {
                name: name.into(),
                points: table.points(TIME, name),
            })
            .collect(),
    }
}

/// The exact motion, which the paper's trajectory follows.
fn claimed_trajectory(_: &Table) -> Vec<Curve> {
    let mut turned = START;
    let rows = (1..=ROWS).map(|row| {
        turned = exact(turned, STEPS[0]);
        [f64::from(row) * STEPS[0], turned[0].sin()]
    });
    let rows: Vec<[f64; 2]> = rows.collect();
    vec![points(HEIGHT[2], &rows)]
}

fn plot_trajectory(table: &Table) -> Plot {
    let title = "Height of the first corner of a double four-bar linkage";
    drawn(table, title, "height [m]", false, &HEIGHT)
}

fn plot_energy(table: &Table) -> Plot {
    let title = "Energy error of a double four-bar linkage";
    drawn(table, title, "energy error [J]", false, &ERROR)
}

fn plot_constraints(table: &Table) -> Plot {
    let title = "Constraints of a double four-bar linkage";
    let columns = [OPEN, SLIP].concat();
    drawn(table, title, "opening [m], [m/s]", true, &columns)
}

fn plot_parts(table: &Table) -> Plot {
    let title = "Energy of a double four-bar linkage";
    let columns = [KINETIC, POTENTIAL].concat();
    drawn(table, title, "energy [J]", false, &columns)
}
