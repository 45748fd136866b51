//! Points beside cylinders and cones, in closed form: the nearest point of a profile, turned about the axis.

use super::pair::Apart;
use super::polyhedron::{Face, Polyhedron};
use crate::math::Vec3;

/// Distance, in sizes of the smaller solid, below which the direction between two points is rounding.
const VANISHING: f64 = 1e-9;

/// Where a ball and a cylinder or cone are nearest, without the rounding of the ball; nothing for other solids, and where
/// the centre of the ball is in the other.
pub(super) fn ball_beside(x: &Polyhedron, y: &Polyhedron, size: f64) -> Option<Apart> {
    if let Some(centre) = ball(x) {
        let nearest = nearest(y, &centre)?;
        between([centre, nearest], size)
    } else {
        let centre = ball(y)?;
        let nearest = nearest(x, &centre)?;
        between([nearest, centre], size)
    }
}

impl Polyhedron {
    /// Whether a point is outside a convex solid, by more than `slack` (m) where that is bounded by faces.
    pub fn is_beside(&self, point: &Vec3, slack: f64) -> bool {
        let before = |face: &Face| face.height(point) > slack;
        self.faces.iter().any(before) || nearest(self, point).is_some()
    }
}

fn between(points: [Vec3; 2], size: f64) -> Option<Apart> {
    let arm = points[0] - points[1];
    let distance = arm.norm();
    (distance > VANISHING * size).then(|| Apart {
        normal: arm / distance,
        distance,
        points,
    })
}

/// The centre of a solid that is a ball.
fn ball(solid: &Polyhedron) -> Option<Vec3> {
    match solid.corners.as_slice() {
        [centre] if centre.radius > 0.0 && solid.edges.is_empty() => Some(centre.at),
        _ => None,
    }
}

/// The point of a cylinder or cone nearest to a point outside.
fn nearest(solid: &Polyhedron, point: &Vec3) -> Option<Vec3> {
    let (base, end, radii) = match (solid.rims.as_slice(), solid.corners.as_slice()) {
        ([base, top], []) => (base, top.at, [base.radius, top.radius]),
        ([base], [tip]) => (base, tip.at, [base.radius, 0.0]),
        _ => return None,
    };
    // The axis points out of the solid at its base.
    let along = -base.axis;
    let length = along.dot(&(end - base.at));
    let arm = point - base.at;
    let height = along.dot(&arm);
    let outward = arm - along * height;
    let radius = outward.norm();
    let within = radii[0] + (radii[1] - radii[0]) * (height / length);
    if (0.0..=length).contains(&height) && radius <= within {
        return None;
    }
    let outward = match radius > 0.0 {
        true => outward / radius,
        false => base.zero,
    };
    // Radius and height of the corners of the profile.
    let corners = [
        [0.0, 0.0],
        [radii[0], 0.0],
        [radii[1], length],
        [0.0, length],
    ];
    let sides = corners.windows(2).map(|side| {
        let [from, to] = [side[0], side[1]];
        let way = [to[0] - from[0], to[1] - from[1]];
        let square = way[0] * way[0] + way[1] * way[1];
        let part = (radius - from[0]) * way[0] + (height - from[1]) * way[1];
        // The top of a cone has no length.
        let share = (part / square.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        [from[0] + way[0] * share, from[1] + way[1] * share]
    });
    let far = |at: &[f64; 2]| (at[0] - radius).hypot(at[1] - height);
    let [out, up] = sides.min_by(|a, b| far(a).total_cmp(&far(b)))?;
    Some(base.at + along * up + outward * out)
}
