//! The matrix of the equations of motion against differences of the equations, in every parametrisation, for random
//! mechanisms of all kinds of joints with loops, couplings and every force.

mod charted;

use super::tests::mechanisms::{mechanism, twists};
use super::*;
use crate::math::{Quat, Vec3};
use crate::model::specimen::Numbers;
use charted::Charted;
use nalgebra::DVector;

/// Cardan angles about fixed axes, `R = Rz(c) Ry(b) Rx(a)`: a tangent operator that changes with the pose. The
/// velocities stay those of the group.
struct Cardan;

impl Cardan {
    fn axes(orientation: &Quat) -> [Vec3; 3] {
        let (_, b, c) = orientation.euler_angles();
        let turn = Quat::from_euler_angles(0.0, 0.0, c);
        [
            turn * (Quat::from_euler_angles(0.0, b, 0.0) * Vec3::x()),
            turn * Vec3::y(),
            Vec3::z(),
        ]
    }
}

impl Parametrisation for Cardan {
    fn tangent(&self, _: usize, at: &BodyMotion, weights: &Weights) -> Tangent {
        let b = Mat3::from_columns(&Self::axes(at.orientation));
        Tangent {
            rows: b.transpose(),
            turn: b * weights.position,
            ..Tangent::still(weights)
        }
    }

    fn row_slope(
        &self,
        _: usize,
        (at, _): (&BodyMotion, &Tangent),
        weights: &Weights,
        torque: &Vec3,
    ) -> Mat3 {
        // An axis turns with those that come before it in the product.
        let axes = Self::axes(at.orientation);
        Mat3::from_fn(|i, j| {
            if j > i {
                axes[j].cross(&axes[i]).dot(torque)
            } else {
                0.0
            }
        }) * weights.position
    }
}

/// A parametrisation that can be followed.
trait Followed: Parametrisation {
    /// Orientation, angular velocity and acceleration after an unknown.
    fn follow(
        &self,
        body: usize,
        at: &BodyMotion,
        w: &Weights,
        unknown: &Vec3,
    ) -> (Quat, Vec3, Vec3);

    /// Position, velocity and acceleration of the centre of mass after an unknown, where they do not follow it by the weights.
    fn carry(&self, _: usize, _: &Weights, _: &Twist) -> Option<[Vec3; 3]> {
        None
    }

    /// Rows of its equations at another pose.
    fn rows(&self, body: usize, at: &BodyMotion, w: &Weights) -> Mat3 {
        self.tangent(body, at, w).rows
    }
}

impl Followed for Increments {
    fn follow(&self, _: usize, at: &BodyMotion, w: &Weights, unknown: &Vec3) -> (Quat, Vec3, Vec3) {
        let turned = self.turned(at.orientation, &(unknown * w.position));
        let (velocity, acceleration) = (unknown * w.velocity, unknown * w.acceleration);
        match self {
            Self::World => (
                turned,
                at.velocity + velocity,
                at.acceleration + acceleration,
            ),
            Self::Body => {
                let held = |v: &Vec3, change| {
                    turned * (at.orientation.inverse_transform_vector(v) + change)
                };
                (
                    turned,
                    held(at.velocity, velocity),
                    held(at.acceleration, acceleration),
                )
            }
        }
    }
}

impl Followed for Cardan {
    fn follow(&self, _: usize, at: &BodyMotion, w: &Weights, unknown: &Vec3) -> (Quat, Vec3, Vec3) {
        let (a, b, c) = at.orientation.euler_angles();
        let d = unknown * w.position;
        (
            Quat::from_euler_angles(a + d.x, b + d.y, c + d.z),
            at.velocity + unknown * w.velocity,
            at.acceleration + unknown * w.acceleration,
        )
    }
}

/// Equations and constraints after one component of the unknown of a body, in the layout of the matrix.
fn moved_equations(
    model: &Model,
    (equations, system): (&mut EquationsOfMotion, &LinearSystem),
    trial: &Trial,
    followed: &impl Followed,
    (weights, level): (&Weights, Level),
    (body, component, amount): (usize, usize, f64),
) -> DVector<f64> {
    let mut bodies = trial.moment.bodies.to_vec();
    let mut twists = trial.moment.twists.to_vec();
    let mut accelerations = trial.accelerations.to_vec();
    let step = Vec3::ith(component % 3, amount);
    if component < 3 {
        bodies[body].position += step * weights.position;
        twists[body].linear += step * weights.velocity;
        accelerations[body].linear += step * weights.acceleration;
    } else {
        let (turn, velocity, acceleration) =
            followed.follow(body, &trial.body(body), weights, &step);
        bodies[body].orientation = turn;
        twists[body].angular = velocity;
        accelerations[body].angular = acceleration;
    }
    let mut unknown = Twist::default();
    if component < 3 {
        unknown.linear = step;
    } else {
        unknown.angular = step;
    }
    if let Some([position, velocity, acceleration]) = followed.carry(body, weights, &unknown) {
        bodies[body].position = position;
        twists[body].linear = velocity;
        accelerations[body].linear = acceleration;
    }
    let trial = Trial {
        moment: Moment {
            bodies: &bodies,
            twists: &twists,
            ..trial.moment
        },
        accelerations: &accelerations,
        multipliers: trial.multipliers,
    };
    let mut balanced = equations.balance(model, &trial);
    let size = 6 * bodies.len() + model.equations();
    let mut out = DVector::zeros(size);
    for k in 0..bodies.len() {
        let r = &balanced.unbalanced()[k];
        let torque = followed.rows(k, &trial.body(k), weights) * r.torque;
        let first = system.place_of_body(k);
        for i in 0..3 {
            out[first + i] = r.force[i];
            out[first + 3 + i] = torque[i];
        }
    }
    for row in 0..model.equations() {
        let value = match level {
            Level::Position => balanced.equations().values()[row],
            Level::Velocity => balanced.rates()[row],
            Level::Acceleration => 0.0,
        };
        out[system.place_of_row(row)] = value * weights.rows;
    }
    out
}

fn check_matrix<F: Followed>(seed: u64, followed: impl Fn(&Trial) -> F, level: Level) {
    // One loop and a coupling in every second; eight kinds of joints at a time, all over the seeds.
    let (model, state) = mechanism(seed, 8, (seed % 2) as usize);
    let mut numbers = Numbers(seed + 1000);
    let twists = twists(&state);
    let accelerations: Vec<Twist> = twists.iter().map(|_| numbers.twist()).collect();
    let multipliers: Vec<f64> = (0..model.equations()).map(|_| numbers.unit()).collect();
    let input = Input::default();
    let trial = Trial {
        moment: Moment {
            bodies: &state.bodies,
            twists: &twists,
            angles: &state.angles,
            time: 0.3,
            input: &input,
        },
        accelerations: &accelerations,
        multipliers: &multipliers,
    };
    let followed = &followed(&trial);
    let weights = Weights {
        position: 0.8,
        velocity: 1.3,
        acceleration: 0.6,
        rows: 1.7,
    };
    let mut system = LinearSystem::new(&model, Pattern::Full);
    let mut equations = EquationsOfMotion::new(&model);
    equations
        .balance(&model, &trial)
        .linearise(followed, &weights, level, &mut system);
    let matrix = system.matrix();
    let gradients = equations.gradients().to_vec();
    let mut other = equations.clone();
    // Truncation 1e-10 times third derivatives of order 1e3, rounding 1e-16/1e-5 times torques of order 1e2.
    let h = 1e-5;
    for (body, component) in (0..8).flat_map(|b| (0..6).map(move |c| (b, c))) {
        let mut at = |s: f64| {
            let what = (body, component, s);
            moved_equations(
                &model,
                (&mut other, &system),
                &trial,
                followed,
                (&weights, level),
                what,
            )
        };
        let found = (at(h) - at(-h)) / (2.0 * h);
        let claimed = matrix.column(system.place_of_body(body) + component);
        for (i, (found, claimed)) in found.iter().zip(claimed.iter()).enumerate() {
            assert!(
                (found - claimed).abs() < 1e-6,
                "seed {seed} row {i} by body {body} component {component}: {found} {claimed}"
            );
        }
    }
    // The columns of multipliers are -Gᵀ in the rows of the parametrisation.
    let mut wanted = nalgebra::DMatrix::zeros(matrix.nrows(), matrix.ncols());
    for g in &gradients {
        let rows = followed.tangent(g.body, &trial.body(g.body), &weights).rows;
        let torque = rows * g.value.fixed_rows::<3>(3);
        let (at, column) = (system.place_of_body(g.body), system.place_of_row(g.row));
        for k in 0..3 {
            wanted[(at + k, column)] -= g.value[k];
            wanted[(at + 3 + k, column)] -= torque[k];
        }
    }
    for row in 0..model.equations() {
        let column = system.place_of_row(row);
        assert!((matrix.column(column) - wanted.column(column)).amax() < 1e-14);
    }
}

#[test]
fn the_matrix_is_the_derivative_of_equations_and_constraints_in_every_parametrisation() {
    for seed in 0..12 {
        check_matrix(seed, |_| Increments::World, Level::Position);
        check_matrix(seed, |_| Increments::Body, Level::Position);
        check_matrix(seed, |_| Cardan, Level::Position);
    }
}

#[test]
fn the_matrix_is_the_derivative_in_every_chart() {
    for seed in 0..12 {
        for chart in [
            Chart::Cardan,
            Chart::EulerParameters,
            Chart::RotationVector,
            Chart::Motion,
        ] {
            check_matrix(seed, |trial| Charted::new(chart, trial), Level::Position);
        }
    }
}

#[test]
fn the_rows_of_velocities_are_derivatives_by_velocity_and_position() {
    for seed in 0..12 {
        check_matrix(seed, |_| Increments::World, Level::Velocity);
        check_matrix(seed, |_| Increments::Body, Level::Velocity);
    }
}
