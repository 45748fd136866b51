//! Minimal coordinates of joints: displacements and angles, their rates, and unwrapping over full turns.
//!
//! Order: free translations (along the parent's joint axes x, y, z as far as they are free), then free rotations:
//! one angle about the axis for revolute, cylindrical and planar-axis joints; for a universal joint the angle
//! about the parent's z axis, then about the child's x axis; for free rotation the rotation vector of the child
//! in the parent's joint axes.

use super::placement::{Placement, free_translations};
use crate::math::{Mat3, Quat, Vec3, rotation};
use crate::model::{BodyState, JointKind, Model, Row, State, Twist};
use std::f64::consts::TAU;

/// Cosine and sine of the wrapped angles of the joint; angles that the kind lacks read (1, 0).
fn angles(kind: JointKind, at: &Placement) -> [(f64, f64); 2] {
    let (t1, t2, t3) = (at.parent_axis(0), at.parent_axis(1), at.parent_axis(2));
    let b1 = at.child_axis(0);
    match kind.constrained_rotations() {
        2 => [(t1.dot(&b1), t2.dot(&b1)), (1.0, 0.0)],
        1 => {
            let b3 = at.child_axis(2);
            [
                (t1.dot(&b1), t2.dot(&b1)),
                (t3.dot(&b3), b1.cross(&t3).dot(&b3)),
            ]
        }
        _ => [(1.0, 0.0); 2],
    }
}

/// The branch of a wrapped angle that is nearest to a reference (rad).
pub(super) fn unwrap(wrapped: f64, reference: f64) -> f64 {
    wrapped + TAU * ((reference - wrapped) / TAU).round()
}

/// Unwrapped angles of the joint (rad), given unwrapped angles less than half a turn away.
pub fn unwrapped_angles(kind: JointKind, at: &Placement, reference: [f64; 2]) -> [f64; 2] {
    let angles = angles(kind, at);
    std::array::from_fn(|k| unwrap(angles[k].1.atan2(angles[k].0), reference[k]))
}

/// Moves every unwrapped angle to the branch nearest to its last value.
pub fn refresh_angles(model: &Model, bodies: &[BodyState], angles: &mut [[f64; 2]]) {
    for (joint, angle) in model.joints.iter().zip(angles) {
        if matches!(joint.kind.constrained_rotations(), 1 | 2) {
            *angle = unwrapped_angles(joint.kind, &Placement::of(joint, bodies), *angle);
        }
    }
}

/// Adds to the bound on how far any joint has turned since its angles were read, and reads them again before that can
/// be half a turn: `angle` is the most by which two bodies have turned against each other (rad).
pub fn sweep(model: &Model, state: &mut State, angle: f64) {
    state.swept += angle;
    if state.swept < SWEPT {
        return;
    }
    state.swept = 0.0;
    let State { bodies, angles, .. } = state;
    refresh_angles(model, bodies, angles);
}

/// [`sweep`] for a step of a length (s) from bodies to those of the state, each at the faster of its rates at the ends.
pub fn sweep_from(model: &Model, bodies: &[BodyState], state: &mut State, dt: f64) {
    let ends = bodies.iter().chain(&state.bodies);
    let rates = ends.map(|b| b.velocity.angular.norm());
    // Two bodies turn against each other.
    sweep(model, state, 2.0 * dt * rates.fold(0.0, f64::max));
}

/// Bound on the angle that joints turn before their angles are read again [rad]: a third of half a turn.
const SWEPT: f64 = 1.0;

/// Coordinates of the joint (m, rad); the first [`JointKind::freedoms`] entries count.
///
/// `reference` are unwrapped angles less than half a turn away, as [`State::angles`](crate::model::State) keeps them.
pub fn coordinates(kind: JointKind, at: &Placement, reference: [f64; 2]) -> [f64; 6] {
    let mut q = [0.0; 6];
    let mut n = 0;
    for &k in free_translations(kind) {
        q[n] = at.parent_axis(k).dot(&at.gap);
        n += 1;
    }
    match kind.constrained_rotations() {
        0 => q[n..n + 3].copy_from_slice(rotation_vector(at).as_slice()),
        3 => {}
        held => {
            let angles = unwrapped_angles(kind, at, reference);
            q[n..n + 3 - held].copy_from_slice(&angles[..3 - held]);
        }
    }
    q
}

/// Rotation of the child in the parent's joint axes.
pub fn relative_rotation(at: &Placement) -> Mat3 {
    at.parent_axes.transpose() * at.child_axes
}

/// Rotation vector from one [`relative_rotation`] to another, in the parent's joint axes (rad): how far a free
/// rotation went. Divided by time it is the mean of [`rates`].
pub fn turn_between(from: &Mat3, to: &Mat3) -> Vec3 {
    let step = nalgebra::Rotation3::from_matrix_unchecked(to * from.transpose());
    rotation::log(&Quat::from_rotation_matrix(&step))
}

/// The rotation of a rotation vector on the branch that is nearest to another vector [rad]: one that goes on past half a
/// turn, where it would jump to the other side.
pub(super) fn nearest_turn(vector: &Vec3, to: &Vec3) -> Vec3 {
    let Some(axis) = vector.try_normalize(0.0) else {
        return *vector;
    };
    axis * unwrap(vector.norm(), to.dot(&axis))
}

/// Coordinates of the joint after a motion by less than half a turn from where they were `from`: as
/// [`coordinates`], but that a free rotation goes on past half a turn.
pub fn coordinates_from(
    kind: JointKind,
    at: &Placement,
    reference: [f64; 2],
    from: &[f64; 6],
) -> [f64; 6] {
    let mut q = coordinates(kind, at, reference);
    if kind.free_rotations() == 3 {
        let first = kind.free_translations();
        let vector = |q: &[f64; 6]| Vec3::new(q[first], q[first + 1], q[first + 2]);
        let turn = nearest_turn(&vector(&q), &vector(from));
        q[first..first + 3].copy_from_slice(turn.as_slice());
    }
    q
}

/// Rotation vector of the child in the parent's joint axes (rad).
pub(super) fn rotation_vector(at: &Placement) -> Vec3 {
    turn_between(&Mat3::identity(), &relative_rotation(at))
}

/// Gradient of one component of a rotation vector in the parent's joint axes, as a wrench on the child that turns.
pub(super) fn rotation_row(at: &Placement, vector: &Vec3, component: usize) -> Row {
    let inverse = rotation::left_jacobian_inverse(vector);
    Row {
        force: Vec3::zeros(),
        torque: at.parent_axes * inverse.row(component).transpose(),
    }
}

/// Gradient of one coordinate: the wrench on the child per unit generalised force.
pub fn coordinate_row(kind: JointKind, at: &Placement, coordinate: usize) -> Row {
    let free = free_translations(kind);
    if let Some(&k) = free.get(coordinate) {
        return Row {
            force: at.parent_axis(k),
            torque: Vec3::zeros(),
        };
    }
    let k = coordinate - free.len();
    let torque = match kind.constrained_rotations() {
        0 => return rotation_row(at, &rotation_vector(at), k),
        1 if k == 1 => at.child_axis(0),
        _ => at.parent_axis(2),
    };
    Row {
        force: Vec3::zeros(),
        torque,
    }
}

/// Gradient of one rate of [`rates`] with respect to the relative motion: the wrench on the child per unit of a
/// force that does work at that rate (commands, actuators, dampers).
///
/// It is [`coordinate_row`] except for free rotation, where it is an axis of the parent's joint frame.
pub fn rate_row(kind: JointKind, at: &Placement, coordinate: usize) -> Row {
    let first = kind.free_translations();
    if kind.constrained_rotations() == 0 && coordinate >= first {
        return Row {
            force: Vec3::zeros(),
            torque: at.parent_axis(coordinate - first),
        };
    }
    coordinate_row(kind, at, coordinate)
}

/// Rates of the coordinates (m/s, rad/s).
///
/// For free rotation the rate is the relative angular velocity in the parent's joint axes, not the
/// derivative of the rotation vector.
pub fn rates(kind: JointKind, at: &Placement, parent: &Twist, child: &Twist) -> [f64; 6] {
    let mut out = [0.0; 6];
    let mut n = 0;
    let spin = child.angular - parent.angular;
    let slip = child.linear + child.angular.cross(&at.child_arm)
        - parent.linear
        - parent.angular.cross(&at.reach());
    for &k in free_translations(kind) {
        out[n] = at.parent_axis(k).dot(&slip);
        n += 1;
    }
    match kind.constrained_rotations() {
        0 => out[n..n + 3].copy_from_slice((at.parent_axes.transpose() * spin).as_slice()),
        1 => {
            out[n] = at.parent_axis(2).dot(&spin);
            out[n + 1] = at.child_axis(0).dot(&spin);
        }
        2 => out[n] = at.parent_axis(2).dot(&spin),
        _ => {}
    }
    out
}
