//! Bodies at the start of a step, and where they go.

use super::{Asked, CompliantSolver};
use crate::forces::{self, DragLaw, Wrench};
use crate::math::rotation::{left_jacobian, skew};
use crate::math::{Mat3, Mat6, Quat, Vec3};
use crate::model::{BodyState, Model, State, Twist};
use crate::solver::{EASY, MOST_PARTS};

/// Linear and angular impulse, or velocity, world axes.
pub type Impulse = [f64; 6];

/// A body at the start of a step.
#[derive(Debug, Clone, Copy)]
pub struct Body {
    /// Momentum by velocity, with what the mouse adds (kg, kg·m, kg·m²).
    pub matrix: [[f64; 6]; 6],
    /// Its inverse.
    pub inverse: [[f64; 6]; 6],
    /// Of all forces that are no rows (N·s, N·m·s).
    pub impulse: Impulse,
    /// At the start.
    pub velocity: Impulse,
    /// Change of the velocity in the step.
    pub change: Impulse,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            matrix: [[0.0; 6]; 6],
            inverse: [[0.0; 6]; 6],
            impulse: [0.0; 6],
            velocity: [0.0; 6],
            change: [0.0; 6],
        }
    }
}

impl Body {
    /// Velocity at the end of the step.
    pub fn end(&self) -> Impulse {
        std::array::from_fn(|k| self.velocity[k] + self.change[k])
    }
}

pub(super) fn dot(a: &Impulse, b: &Impulse) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

pub(super) fn times(matrix: &[[f64; 6]; 6], x: &Impulse) -> Impulse {
    matrix.map(|row| dot(&row, x))
}

/// Velocity along a row per unit impulse of it, the body free.
pub(super) fn mobility(body: &Body, row: &Impulse) -> f64 {
    dot(row, &times(&body.inverse, row))
}

pub(super) fn six(linear: &Vec3, angular: &Vec3) -> Impulse {
    [
        linear.x, linear.y, linear.z, angular.x, angular.y, angular.z,
    ]
}

impl CompliantSolver {
    /// Masses, velocities and forces at the start.
    pub(super) fn take_bodies(&mut self, model: &Model, state: &State, asked: &Asked) {
        let h = asked.h;
        self.wrenches.fill(Wrench::default());
        forces::knot_wrenches(
            model,
            &state.bodies,
            &state.angles,
            state.time,
            asked.input,
            &self.springs,
            &mut self.wrenches,
        );
        let (mut speed, mut far): (f64, f64) = (0.0, 0.0);
        for (k, body) in self.bodies.iter_mut().enumerate() {
            let (data, at) = (&model.bodies[k], &state.bodies[k]);
            let turn = at.orientation.to_rotation_matrix();
            let inertia = turn * data.inertia * turn.inverse();
            let inverse = turn * self.inverse_inertia[k] * turn.inverse();
            body.matrix = blocks(data.mass, &inertia);
            body.inverse = blocks(1.0 / data.mass, &inverse);
            let Wrench { force, torque } = &self.wrenches[k];
            body.impulse = six(&(force * h), &(torque * h));
            body.velocity = six(&at.velocity.linear, &at.velocity.angular);
            let fast = at.velocity.linear.norm() + at.velocity.angular.norm() * data.gyration();
            speed = speed.max(force.norm() * h / data.mass).max(MOVING * fast);
            far = far.max(at.position.amax());
        }
        self.scale.speed = speed;
        self.scale.grain = 4.0 * f64::EPSILON * far;
        if let Some(drag) = &asked.input.drag {
            let b = drag.body.0;
            let (data, at) = (&model.bodies[b], &state.bodies[b]);
            let law = forces::drag_law(data, &model.gravity, drag, at, &at.velocity);
            self.bodies[b].pull(&law, &at.velocity, h);
        }
    }

    /// Moves bodies and state to the end of the step.
    pub fn advance(&self, model: &Model, bodies: &mut [BodyState], h: f64) {
        for ((body, change), data) in bodies.iter_mut().zip(&self.bodies).zip(&model.bodies) {
            let [x, y, z, a, b, c] = change.change;
            body.velocity.linear += Vec3::new(x, y, z);
            body.velocity.angular += Vec3::new(a, b, c);
            body.position += body.velocity.linear * h;
            drift(&data.inertia, body, h);
        }
    }
}

/// Part of a velocity that is handled in a step whatever acts.
const MOVING: f64 = 1e-2;

fn blocks(mass: f64, inertia: &Mat3) -> [[f64; 6]; 6] {
    let mut matrix = [[0.0; 6]; 6];
    for k in 0..3 {
        matrix[k][k] = mass;
        for j in 0..3 {
            matrix[3 + k][3 + j] = inertia[(k, j)];
        }
    }
    matrix
}

impl Body {
    /// Adds the mouse's spring and damper, taken at the end of the step.
    fn pull(&mut self, law: &DragLaw, now: &Twist, h: f64) {
        // The force for a motion of the held point: `force + slope (v₁ - v₀) + h position v₀`.
        let (force, position, velocity, arm) = match law {
            DragLaw::Pull {
                arm,
                force,
                d_position,
                d_velocity,
            } => (*force, *d_position, *d_velocity, Some(*arm)),
            DragLaw::Turn {
                torque,
                d_rotation,
                d_spin,
            } => (*torque, *d_rotation, *d_spin, None),
        };
        let mut by = nalgebra::Matrix3x6::<f64>::zeros();
        match arm {
            Some(arm) => {
                by.fixed_columns_mut::<3>(0).copy_from(&Mat3::identity());
                by.fixed_columns_mut::<3>(3).copy_from(&-skew(&arm));
            }
            None => by.fixed_columns_mut::<3>(3).copy_from(&Mat3::identity()),
        }
        let slope = velocity * h + position * (h * h);
        // What the held body feels of its own turning is no spring: the symmetric part alone keeps the matrix definite.
        let slope = (slope + slope.transpose()) * 0.5;
        let speed = by * nalgebra::Vector6::from(six(&now.linear, &now.angular));
        let impulse = by.transpose() * (force * h + position * speed * (h * h));
        let added = by.transpose() * slope * by;
        let mut matrix = Mat6::from_fn(|r, c| self.matrix[r][c]) - added;
        matrix = (matrix + matrix.transpose()) * 0.5;
        let Some(inverse) = matrix.try_inverse() else {
            return;
        };
        for r in 0..6 {
            self.impulse[r] += impulse[r];
            for c in 0..6 {
                self.matrix[r][c] = matrix[(r, c)];
                self.inverse[r][c] = inverse[(r, c)];
            }
        }
    }
}

/// Turns a body freely over a time, as often as its angular momentum, which stays, asks for.
fn drift(inertia: &Mat3, body: &mut BodyState, h: f64) {
    let Some(inverse) = inertia.try_inverse() else {
        return;
    };
    let turn = body.orientation.to_rotation_matrix();
    let spin = turn * (inertia * (turn.inverse() * body.velocity.angular));
    let free = FreeTurn { inverse, spin };
    let parts = (body.velocity.angular.norm() * h.abs() / EASY).ceil() as u32;
    let mut parts = parts.clamp(1, MOST_PARTS);
    let end = loop {
        let (end, arrived) = free.over(body.orientation, h, parts);
        if arrived || parts == MOST_PARTS {
            break end;
        }
        parts = (2 * parts).min(MOST_PARTS);
    };
    body.orientation = Quat::new_normalize(end.into_inner());
    body.velocity.angular = free.rate(&body.orientation);
}

/// A body that turns with an angular momentum.
struct FreeTurn {
    /// Inverse of the inertia, body axes.
    inverse: Mat3,
    /// The angular momentum, world axes.
    spin: Vec3,
}

impl FreeTurn {
    /// The angular velocity at an orientation.
    fn rate(&self, orientation: &Quat) -> Vec3 {
        orientation * (self.inverse * (orientation.inverse() * self.spin))
    }

    /// Twice the kinetic energy at an orientation.
    fn energy(&self, orientation: &Quat) -> f64 {
        self.spin.dot(&self.rate(orientation))
    }

    /// The orientation after a time that is made in equal parts, and whether it can be used: each part was found, and the
    /// energy is still that of the start.
    fn over(&self, start: Quat, h: f64, parts: u32) -> (Quat, bool) {
        let h = h / f64::from(parts);
        let (mut end, mut found) = (start, true);
        for _ in 0..parts {
            let (omega, arrived) = self.part(&end, h);
            end = Quat::from_scaled_axis(omega * h) * end;
            found &= arrived;
        }
        let [before, after] = [&start, &end].map(|at| self.energy(at));
        (end, found && (after - before).abs() <= LEEWAY * before)
    }

    /// The mean angular velocity of a part: that at its half, which is exact about a principal axis, symmetric in time, of
    /// second order, and keeps the energy of a body of revolution. The flag says whether it was found.
    fn part(&self, start: &Quat, h: f64) -> (Vec3, bool) {
        let mut omega = self.rate(start);
        for _ in 0..ROUNDS {
            let half = omega * (0.5 * h);
            let middle = Quat::from_scaled_axis(half) * start;
            let found = self.rate(&middle);
            // Newton's method: about a needle's axis the rate changes by far more than the turn, and a simple iteration
            // would not converge.
            let turn = middle.to_rotation_matrix();
            let by_turn = turn * self.inverse * turn.inverse() * skew(&self.spin) - skew(&found);
            let slope = Mat3::identity() - by_turn * left_jacobian(&half) * (0.5 * h);
            let Some(inverse) = slope.try_inverse() else {
                return (omega, false);
            };
            let change = inverse * (found - omega);
            omega += change;
            if change.norm() <= FOUND * omega.norm() {
                return (omega, true);
            }
        }
        (omega, false)
    }
}

/// Rounds for the angular velocity at half of a part: digits double with each.
const ROUNDS: usize = 8;

/// Last change of the angular velocity, relative to it, after which nothing but rounding is left: the next would be its
/// square.
const FOUND: f64 = 1e-9;

/// How far the energy of a turn may be beside that of its start, relative to it, before it is made in more parts.
const LEEWAY: f64 = 1e-2;
