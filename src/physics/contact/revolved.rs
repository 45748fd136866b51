//! Points beside cylinders and cones, in closed form: the nearest point of a profile, turned about the axis.

use super::pair::Apart;
use super::polyhedron::{Face, Polyhedron, Rim};
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

    /// The point of the side of a cylinder or cone that is nearest to a point, and the unit normal of the side there. Nothing
    /// for other solids.
    pub fn beside(&self, point: &Vec3) -> Option<(Vec3, Vec3)> {
        let beside = Beside::of(self, point)?;
        let [radius, height] = beside.at;
        let slope = beside.radii[1] - beside.radii[0];
        let slant = slope.hypot(beside.length);
        let [out, up] = [slope / slant, beside.length / slant];
        let along = (radius - beside.radii[0]) * out + height * up;
        let along = along.clamp(0.0, slant);
        let foot = beside.base.at + beside.turned([beside.radii[0] + along * out, along * up]);
        Some((foot, beside.turned([up, -out])))
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

/// Where a point is beside the profile of a cylinder or cone.
struct Beside<'a> {
    base: &'a Rim,
    /// Unit vector along the axis from the base.
    along: Vec3,
    /// Unit vector from the axis to the point.
    outward: Vec3,
    /// Radius and height of the point (m).
    at: [f64; 2],
    /// Radii of both ends, and the distance between them (m).
    radii: [f64; 2],
    length: f64,
}

impl<'a> Beside<'a> {
    /// Nothing of other solids.
    fn of(solid: &'a Polyhedron, point: &Vec3) -> Option<Self> {
        let (base, end, radii) = match (solid.rims.as_slice(), solid.corners.as_slice()) {
            ([base, top], []) => (base, top.at, [base.radius, top.radius]),
            ([base], [tip]) => (base, tip.at, [base.radius, 0.0]),
            _ => return None,
        };
        // The axis points out of the solid at its base.
        let along = -base.axis;
        let arm = point - base.at;
        let height = along.dot(&arm);
        let outward = arm - along * height;
        let radius = outward.norm();
        Some(Self {
            base,
            along,
            outward: match radius > 0.0 {
                true => outward / radius,
                false => base.zero,
            },
            at: [radius, height],
            radii,
            length: along.dot(&(end - base.at)),
        })
    }

    /// The direction, along and across the axis, and the place that a radius and a height are.
    fn turned(&self, [out, up]: [f64; 2]) -> Vec3 {
        self.along * up + self.outward * out
    }
}

/// The point of a cylinder or cone nearest to a point outside.
fn nearest(solid: &Polyhedron, point: &Vec3) -> Option<Vec3> {
    let beside = Beside::of(solid, point)?;
    let Beside {
        at: [radius, height],
        radii,
        length,
        ..
    } = beside;
    let within = radii[0] + (radii[1] - radii[0]) * (height / length);
    if (0.0..=length).contains(&height) && radius <= within {
        return None;
    }
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
    let place = sides.min_by(|a, b| far(a).total_cmp(&far(b)))?;
    Some(beside.base.at + beside.turned(place))
}
