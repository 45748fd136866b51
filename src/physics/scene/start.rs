//! What unilateral bounds ask of the start: joints within their limits, cables not longer than they are.

use super::error::Problem;
use crate::joints::{self, Placement};
use crate::math::Vec3;
use crate::model::{Attachment, Model, State};

/// What the digits of a file and the assembly may leave (m, rad); a bound is met exactly from the first step on.
const ROUNDING: f64 = 1e-9;

/// Largest distance from the origin over the radius of gyration: the rounding of the position is then a thousandth of
/// the body.
const FARTHEST: f64 = 1e12;

/// Bodies whose place or motion at the start double precision cannot hold.
pub(super) fn out_of_reach(model: &Model, state: &State) -> Vec<Problem> {
    let mut found = Vec::new();
    for (body, at) in model.bodies.iter().zip(&state.bodies) {
        let gyration = (body.inertia.diagonal().max() / body.mass).sqrt();
        let distance = at.position.norm();
        // Also false where the distance is no number.
        let near = distance <= FARTHEST * gyration;
        if !near {
            let shown = format!(
                "its centre of mass {distance:e} m from the origin, with a radius of gyration of {gyration:e} m"
            );
            let expected =
                "at most 1e12 times the radius of gyration: double precision has fifteen digits";
            found.push(Problem::new(
                &["bodies", &body.name, "position"],
                shown,
                expected,
            ));
        }
        let energy = body.kinetic_energy(&at.orientation, &at.velocity);
        if !energy.iter().sum::<f64>().is_finite() {
            let shown = "a motion whose energy is not finite";
            found.push(Problem::new(
                &["bodies", &body.name, "velocity"],
                shown,
                "a smaller velocity",
            ));
        }
    }
    found
}

/// Bounds that the first state breaks.
pub(super) fn beyond_bounds(model: &Model, state: &State) -> Vec<Problem> {
    let mut found = Vec::new();
    for (joint, angles) in model.joints.iter().zip(&state.angles) {
        let at = Placement::of(joint, &state.bodies);
        let coordinates = joints::coordinates(joint.kind, &at, *angles);
        for (k, limit) in joint.limits.iter().enumerate() {
            let value = coordinates[limit.coordinate];
            let excess = (limit.lower - value).max(value - limit.upper);
            if excess > ROUNDING * (1.0 + value.abs()) {
                let path = ["joints", &joint.name, "limits", &k.to_string()];
                let shown = format!("coordinate {} at {value:.6} at the start", limit.coordinate);
                let expected = format!("a start between {} and {}", limit.lower, limit.upper);
                found.push(Problem::new(&path, shown, expected));
            }
        }
    }
    let world = |end: &Attachment| -> Vec3 {
        end.body.map_or(end.point, |b| {
            let body = &state.bodies[b.0];
            body.position + body.orientation * end.point
        })
    };
    for cable in &model.cables {
        let [a, b] = &cable.ends;
        let distance = (world(b) - world(a)).norm();
        if distance > cable.length * (1.0 + ROUNDING) + ROUNDING {
            let shown = format!("ends {distance:.6} m apart at the start");
            let expected = format!("at most the length of the cable, {} m", cable.length);
            let path = ["cables", &cable.name, "length"];
            found.push(Problem::new(&path, shown, expected));
        }
    }
    found
}
