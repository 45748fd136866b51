//! Points at which solids were pressed together along a line, held from one interval to the next.
//!
//! The side of a cone on a face, or two cylinders side by side, touch along a line, of which a search finds one point: another
//! one in every step, although nothing moves. A point that pressed is fixed in its body, and the other body bounds it by the
//! plane that is tangent to it there. That is a bound wherever the bodies move, since no point of one is ever inside the other.

use super::detect::Detector;
use super::feature::{Contact, Feature};
use crate::model::{BodyState, ContactState};

/// Cosine of the angle between the normal that a plane had and that of the side of its solid, up to which it is the side's, which
/// turns a little where a body rolls: at the rims of the side planes lean out of it.
const ALONG: f64 = 1.0 - 1e-4;

impl Detector {
    /// The contact of a state between a point that is fixed in one solid and the plane that is tangent to the other where the
    /// bodies are, with the key of the state; `like` is a contact of the same solids. Nothing where the other is neither
    /// cylinder nor cone.
    pub fn hold(
        &self,
        last: &ContactState,
        like: &Contact,
        bodies: &[BodyState],
    ) -> Option<Contact> {
        let solids = last.key.numbers().map(|k| self.solid(k));
        if !solids.iter().all(|solid| solid.convex) {
            return None;
        }
        // The one whose plane it is, as where the contact was made.
        let plane = usize::from(solids[1].polyhedron.is_curved());
        let sign = if plane == 1 { 1.0 } else { -1.0 };
        let outward = last.normal * sign;
        let point = last.point + outward * (0.5 * last.gap);
        let poses = solids.map(|solid| solid.pose(bodies));
        let own = |side: usize| poses[side].inverse_transform_point(&point.into()).coords;
        let normal = poses[plane].rotation.inverse() * outward;
        let (at, side) = solids[plane].polyhedron.beside(&own(plane))?;
        // At an end of the side the plane is the one that it was.
        let normal = if side.dot(&normal) > ALONG {
            side
        } else {
            normal
        };
        let mut features = [Feature::Plane { at, normal }; 2];
        features[1 - plane] = Feature::Point {
            at: own(1 - plane),
            radius: 0.0,
        };
        Some(Contact {
            key: last.key,
            features,
            ..*like
        })
    }
}
