//! The update of rotations with the sign of its gyroscopic term as [Brüdigam2023 eq. 16] prints it and as the papers' code has it.

use super::energy::{SECOND_HANGS, double_pendulum};
use super::{OURS, PAPER_2023, STEP, TOLERANCE, chain, described, largest, opened};
use crate::claimed::of_plot;
use crate::runs::Case;
use crate::{Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use nalgebra::{Matrix3, UnitQuaternion};
use physics::figures::{Curve, Plot};
use physics::math::Vec3;
use physics::model::{Model, State};

/// The item.
pub const ITEM: Item = Item {
    paper: PAPER_2023,
    figure: "sign",
    claim: "the update of rotations is the discrete Euler-Lagrange equation: it keeps the angular momentum of a free body; the papers' code \
            has the other sign in one of its gyroscopic terms, which none of their figures shows",
    place: "eq. 16, and the code of the papers",
    setup: "a free body with moments of inertia 1, 2 and 3 kg·m² that tumbles for 5 s in steps of 10 ms from (0.3, 2, 0.2) rad/s: both \
            updates, variational, and the exact motion of its angular velocity; beside it the gyroscopic torque in the mechanisms of the \
            figures, over the largest that their inertia and angular velocities could have",
    expected: Standing::Holds,
    timed: false,
    run: |_, watch| compared(&OURS, [1.0, -1.0], watch),
    judge,
    plot,
    scene: Subject::None("a free body on paper, and the mechanisms of the other figures"),
    claimed: |table| of_plot(plot(table), &[EXACT]),
};

const TIME: &str = "time [s]";
const EXACT: &str = "exact: angular velocity about the first axis [rad/s]";
const SPIN: [&str; 2] = [
    "equation 16: angular velocity about the first axis [rad/s]",
    "as in the code: angular velocity about the first axis [rad/s]",
];
const AWAY: [&str; 2] = [
    "equation 16: error of the angular velocity [rad/s]",
    "as in the code: error of the angular velocity [rad/s]",
];
const MOMENTUM: [&str; 2] = [
    "equation 16: error of the angular momentum [kg m²/s]",
    "as in the code: error of the angular momentum [kg m²/s]",
];
const OURS_APART: &str = "variational: distance from equation 16 [rad/s]";

/// The other figures by their mechanisms.
const FIGURES: [&str; 7] = [
    "4a and 7b",
    "4b and 7a",
    "4c, 4d, 5a, 8 and 10",
    "6 and 9a",
    "7",
    "7d and 8b",
    "12",
];

fn gyroscopic(figures: &str) -> String {
    format!("gyroscopic part in figures {figures}")
}

/// Moments of inertia (kg m²), angular velocity at the start (rad/s), in the axes of the body.
const INERTIA: [f64; 3] = [1.0, 2.0, 3.0];
const START: [f64; 3] = [0.3, 2.0, 0.2];
const ROWS: u32 = 500;

fn mechanisms() -> [(Model, State); 7] {
    [
        double_pendulum(SECOND_HANGS),
        opened("three_link_loop"),
        chain(10, "revolute"),
        opened("four-bar-chain:segments=2"),
        opened("minitaur_leg"),
        opened("sphere-chain:spheres=5"),
        opened("double_four_bar"),
    ]
}

/// `√(4/h² - ωᵀω) J ω + sign ω × J ω`: the discrete momentum of an interval, times 2, at its start (sign 1) or its end (sign -1).
fn momentum(spin: Vec3, sign: f64) -> Vec3 {
    let inertia = Matrix3::from_diagonal(&Vec3::from(INERTIA));
    let moved = inertia * spin;
    (4.0 / (STEP * STEP) - spin.norm_squared()).sqrt() * moved + sign * spin.cross(&moved)
}

/// The angular velocity of the next interval, in which the term of the last one has a sign: with 1 as printed,
/// `√ J ω₂ + ω₂ × J ω₂ = √ J ω₁ - ω₁ × J ω₁`.
fn next(spin: Vec3, sign: f64) -> Vec3 {
    let wanted = momentum(spin, -sign);
    let inertia = Matrix3::from_diagonal(&Vec3::from(INERTIA));
    let mut found = spin;
    // Each iteration gains a factor of h ω, of 0.02 here.
    for _ in 0..20 {
        let left = momentum(found, 1.0) - wanted;
        let root = (4.0 / (STEP * STEP) - found.norm_squared()).sqrt();
        found -= inertia.try_inverse().expect("a body has inertia") * left / root;
    }
    found
}

/// The orientation an interval later.
fn turned(orientation: UnitQuaternion<f64>, spin: Vec3) -> UnitQuaternion<f64> {
    let half = 0.5 * STEP;
    let vector = half * spin;
    let scalar = (1.0 - vector.norm_squared()).sqrt();
    let by = nalgebra::Quaternion::from_parts(scalar, vector);
    orientation * UnitQuaternion::from_quaternion(by)
}

/// Euler's equations by the classical Runge-Kutta method in steps of a hundredth.
fn exact(mut spin: Vec3) -> Vec3 {
    let [a, b, c] = INERTIA;
    let rate = |w: Vec3| {
        Vec3::new(
            (b - c) / a * w.y * w.z,
            (c - a) / b * w.z * w.x,
            (a - b) / c * w.x * w.y,
        )
    };
    let h = STEP / 100.0;
    for _ in 0..100 {
        let k = rate(spin);
        let l = rate(spin + 0.5 * h * k);
        let m = rate(spin + 0.5 * h * l);
        let n = rate(spin + h * m);
        spin += h / 6.0 * (k + 2.0 * l + 2.0 * m + n);
    }
    spin
}

/// A method on a free body beside two updates with such signs, and the gyroscopic torques of the figures.
pub fn compared(case: &Case, signs: [f64; 2], watch: Watch) -> Result<Table, RunError> {
    let columns = [TIME, EXACT].into_iter().chain(SPIN).chain(AWAY);
    let columns = columns
        .chain(MOMENTUM)
        .chain([OURS_APART])
        .map(String::from);
    let mut table = Table::new(columns.chain(FIGURES.map(gyroscopic)));
    let [a, b, c] = START;
    let body = described(&format!(
        r#"(version: 1, gravity: (0, 0, 0), bodies: {{"body": (mass: 1, inertia: (1, 2, 3), spin: ({a}, {b}, {c}))}})"#
    ));
    let mut sim = case.simulation(&body, STEP, 1e-12)?;
    let mut others = Vec::new();
    for mechanism in &mechanisms() {
        others.push(OURS.simulation(mechanism, STEP, TOLERANCE)?);
    }
    // What is given at the start is the angular velocity of the interval before it, as in the code of the papers.
    let mut truth = Vec3::from(START);
    let mut spins = [truth; 2];
    let mut orientations = [UnitQuaternion::identity(); 2];
    // By equation 16 from the first interval of the method, which starts from the momentum of a rigid body.
    let mut follows: Option<Vec3> = None;
    let before = momentum(next(truth, 1.0), 1.0);
    for row in 1..=ROWS {
        truth = exact(truth);
        let mut errors = [0.0; 2];
        for k in 0..2 {
            spins[k] = next(spins[k], signs[k]);
            let now = orientations[k] * momentum(spins[k], 1.0);
            // Times h/2: what the equation is multiplied by.
            errors[k] = 0.5 * STEP * (now - before).norm();
            orientations[k] = turned(orientations[k], spins[k]);
        }
        step(&mut sim)?;
        // An interval turns about one axis, whose components in the body are the same at either end.
        let spin = sim.velocities()[0].angular;
        let ours = sim.state().bodies[0].orientation.inverse() * spin;
        let time = f64::from(row) * STEP;
        let mut numbers = vec![time, truth.x, spins[0].x, spins[1].x];
        numbers.extend(spins.map(|spin| (spin - truth).norm()));
        numbers.extend(errors);
        follows = follows.map_or(Some(ours), |spin| Some(next(spin, 1.0)));
        numbers.push(follows.map_or(f64::NAN, |spin| (ours - spin).norm()));
        for other in &mut others {
            step(other)?;
            let bodies = other.model().bodies.iter().zip(&other.state().bodies);
            let parts = bodies.map(|(body, state)| {
                let spin = state.orientation.inverse() * state.velocity.angular;
                let most = body.inertia.norm() * spin.norm_squared();
                let torque = spin.cross(&(body.inertia * spin)).norm();
                if most > 0.0 { torque / most } else { 0.0 }
            });
            numbers.push(parts.fold(0.0, f64::max));
        }
        table.rows.push(numbers);
        watch(f64::from(row) / f64::from(ROWS), &table)?;
    }
    Ok(table)
}

/// What is rounding: of momenta of 4 kg m²/s over 500 steps, and of torques.
const ROUNDING: f64 = 1e-11;
/// Error of a method of second order in steps of 10 ms that is small beside 2 rad/s.
const NEAR: f64 = 2e-3;

fn judge(table: &Table) -> Verdict {
    if table.rows.is_empty() {
        return Verdict::unjudged("the table has no rows");
    }
    let most = |name: &str| largest(&table.column(name));
    let [kept, lost] = MOMENTUM.map(most);
    let [near, far] = AWAY.map(most);
    let apart = most(OURS_APART);
    let parts = FIGURES.map(|figures| most(&gyroscopic(figures)));
    let frozen = table.column(SPIN[1]);
    let stays = largest(&frozen.iter().map(|x| x - START[0]).collect::<Vec<_>>());
    Verdict::of(
        kept <= ROUNDING
            && near <= NEAR
            && apart <= 1e3 * ROUNDING
            && lost > 0.1
            && far > 1.0
            && largest(&parts) <= ROUNDING,
        format!(
            "by equation 16 the angular momentum changes by at most {kept:.0e} kg m²/s and the angular velocity is at most {near:.1e} rad/s from \
             the exact one, variational, from its first interval on, at most {apart:.0e} rad/s from what that equation makes of it; with the sign of the code the angular momentum changes by \
             {lost:.2} kg m²/s, and the angular velocity stays within {stays:.0e} rad/s of its first value, {far:.1} rad/s from the exact \
             one; the gyroscopic torques in the mechanisms of the figures are at most {:.0e} of what their inertia could make: they turn in \
             a plane, or all axes are alike",
            largest(&parts)
        ),
    )
}

fn plot(table: &Table) -> Plot {
    let names = [EXACT].into_iter().chain(SPIN);
    Plot {
        title: "Angular velocity of a tumbling body".into(),
        axes: [TIME, "angular velocity [rad/s]"].map(Into::into),
        logarithmic: [false, false],
        curves: names
            .map(|name| Curve {
                name: name.into(),
                points: table.points(TIME, name),
            })
            .collect(),
    }
}
