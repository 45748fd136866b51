//! Trails of chosen points as they are drawn.

use crate::mesh::convert;
use crate::scene3d::layers::subject::LayerSubject;
use crate::scene3d::layers::vectors::linear;
use crate::state::layers::{Drawing, LayerStyle, Motion};
use crate::theme::categorical;
use bevy::color::Alpha;

/// Thickness, as a share of the radius of a usual body.
const THICKNESS: f32 = 0.03;
/// Opacity of the newest part.
const OPACITY: f32 = 0.85;

/// Draws the trails as they are at a time.
pub fn draw(out: &mut Drawing, style: &LayerStyle, subject: &LayerSubject) {
    let Motion {
        state,
        trails,
        poses: [_, poses],
        ..
    } = subject.motion;
    let (now, dark) = (state.time, subject.dark);
    let radius = style.scale as f32 * THICKNESS * subject.measure.length as f32;
    for (k, point) in trails.points().iter().enumerate() {
        let Some(pose) = poses.get(point.body.0) else {
            continue;
        };
        let mut trail = trails.trail(k, now);
        trail.push(((pose * nalgebra::Point3::from(point.point)).coords, 0.0));
        let shade = linear(categorical::rgb(k % 7, dark));
        for pair in trail.windows(2) {
            let [(from, age), (to, _)] = [pair[0], pair[1]];
            let young = 1.0 - age as f32;
            let ends = [convert::vec3(&from), convert::vec3(&to)];
            out.veils.wire(
                &ends,
                radius * (0.4 + 0.6 * young),
                shade.with_alpha(OPACITY * young),
            );
        }
    }
}
