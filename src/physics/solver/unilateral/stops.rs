//! Gaps, gradients and lengths of limits and cables.

use super::constraint::{Scene, What, six};
use crate::contact::Located;
use crate::joints::{self, Placement, row_on};
use crate::math::Vec3;
use crate::model::{BodyState, Cable, Model};
use crate::solver::Scale;
use crate::solver::fronts::Six;

/// Gap of a limit or cable at the poses of `bodies` (m), an angle times its `lever`, and its gradient by side: child and
/// parent, or the ends of a cable. `angles` are those to continue from.
pub fn stop_rows(
    what: What,
    model: &Model,
    bodies: &[BodyState],
    angles: &[[f64; 2]],
    lever: f64,
) -> (f64, [[Six; 3]; 2]) {
    let mut rows = [[[0.0; 6]; 3]; 2];
    let gap = match what {
        What::Contact(_) => 0.0,
        What::Limit {
            joint,
            limit,
            upper,
            ..
        } => {
            let data = &model.joints[joint];
            let limit = &data.limits[limit];
            let at = Placement::of(data, bodies);
            let q = joints::coordinates(data.kind, &at, angles[joint]);
            let q = q[limit.coordinate];
            let row = joints::coordinate_row(data.kind, &at, limit.coordinate);
            let sign = if upper { -lever } else { lever };
            for (side, child) in [(0, true), (1, false)] {
                rows[side][0] = row_on(&row, &at, child).map(|x| sign * x);
            }
            lever
                * if upper {
                    limit.upper - q
                } else {
                    q - limit.lower
                }
        }
        What::Cable { cable, .. } => cable_rows(&model.cables[cable], bodies, &mut rows),
    };
    (gap, rows)
}

/// What makes the gap of a limit a length (m).
pub fn lever(what: What, scene: &Scene) -> f64 {
    match what {
        What::Limit { joint, limit, .. } => {
            let data = &scene.model.joints[joint];
            let coordinate = data.limits[limit].coordinate;
            scene.scale.lever(joint, data.kind, coordinate)
        }
        What::Contact(_) | What::Cable { .. } => 1.0,
    }
}

/// Length with which a gap is compared (m).
pub fn size(what: What, model: &Model, contacts: &[Located], scale: &Scale) -> f64 {
    match what {
        What::Contact(k) => scale.smaller(contacts[k].bodies),
        What::Limit { joint, .. } => scale.joint(joint),
        What::Cable { cable, .. } => {
            let cable = &model.cables[cable];
            let bodies = scale.smaller(cable.ends.map(|e| e.body));
            if bodies.is_finite() {
                bodies
            } else {
                cable.length
            }
        }
    }
}

/// How much shorter than its length a cable is (m), with its gradient; a cable whose ends coincide has none.
fn cable_rows(cable: &Cable, bodies: &[BodyState], rows: &mut [[Six; 3]; 2]) -> f64 {
    let arms = cable.ends.map(|end| match end.body {
        Some(b) => bodies[b.0].orientation * end.point,
        None => Vec3::zeros(),
    });
    let points = [0, 1].map(|k| match cable.ends[k].body {
        Some(b) => bodies[b.0].position + arms[k],
        None => cable.ends[k].point,
    });
    let span = points[1] - points[0];
    let distance = span.norm();
    if distance > 0.0 {
        let along = span / distance;
        for (side, pull) in [(0, along), (1, -along)] {
            if cable.ends[side].body.is_some() {
                rows[side][0] = six(&pull, &arms[side].cross(&pull));
            }
        }
    }
    cable.length - distance
}
