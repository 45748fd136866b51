//! Rows of dampers and stiff springs between points.

use super::drives::push_momentum;
use super::fronts::Six;
use super::near::Poses;
use crate::forces::{Line, LineDamper};
use crate::math::Vec3;
use crate::model::{BodyId, BodyState, Force};

/// Ends of a line and the sign of a tension that lengthens it.
const ENDS: [(usize, f64); 2] = [(0, -1.0), (1, 1.0)];

/// From the first end of a spring to the second (m).
pub fn span(force: &Force, poses: &Poses) -> Vec3 {
    let line = Line::about(force, poses.bodies, &poses.origin);
    line.map_or_else(Vec3::zeros, |l| l.span)
}

/// Wrenches on the bodies of a damper per unit impulse that lengthens it; none where its ends meet.
pub fn damper(force: &Force, poses: &Poses) -> impl Iterator<Item = (Option<BodyId>, Six)> + use<> {
    let line = LineDamper::about(force, poses.bodies, &poses.origin);
    line.into_iter().flat_map(|line| {
        ENDS.map(|(end, sign)| {
            let push = line.direction * sign;
            (line.bodies[end], wrench(&push, &line.arms[end]))
        })
    })
}

/// Wrenches on the bodies of a spring per unit impulse along each axis of the world.
pub fn spring(
    force: &Force,
    poses: &Poses,
) -> impl Iterator<Item = (Option<BodyId>, [Six; 3])> + use<> {
    let line = Line::about(force, poses.bodies, &poses.origin);
    line.into_iter().flat_map(|line| {
        ENDS.map(|(end, sign)| {
            let rows = std::array::from_fn(|r| wrench(&Vec3::ith(r, sign), &line.arms[end]));
            (line.bodies[end], rows)
        })
    })
}

/// Adds a wrench impulse to the momenta of a body; the world has none.
pub fn push(bodies: &mut [BodyState], body: Option<BodyId>, row: &Six, impulse: f64) {
    if let Some(body) = body {
        push_momentum(&mut bodies[body.0], row, impulse);
    }
}

fn wrench(push: &Vec3, arm: &Vec3) -> Six {
    let torque = arm.cross(push);
    [push.x, push.y, push.z, torque.x, torque.y, torque.z]
}
