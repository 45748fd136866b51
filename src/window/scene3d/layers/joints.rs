//! Frames, axes and errors of joints.

use crate::mesh::convert;
use crate::scene3d::layers::bodies::AXES;
use crate::scene3d::layers::scale::{Measure, round_up};
use crate::scene3d::layers::subject::{LayerSubject, LegendLine};
use crate::scene3d::layers::vectors::linear;
use crate::state::layers::{Drawing, LayerStyle, Motion};
use crate::text::format;
use crate::theme::categorical;
use physics::joints::Placement;
use physics::math::{Pose, Quat, Vec3};
use physics::model::{JointFrame, JointKind, Model, State};

/// Length and thickness of the axes of a joint's frame, half the length of its own axis, thickness of an error; as
/// shares of the radius of a usual body.
const AXIS: (f32, f32) = (0.4, 0.018);
const THROUGH: f32 = 0.9;
const ERROR: f32 = 0.04;

/// Colour of errors and deflections.
pub const ERROR_SHADE: usize = 3;

/// Joints that are open: where, by how much in position (m), held directions only, world axes.
pub fn violations(model: &Model, state: &State) -> Vec<(usize, Vec3)> {
    let gap = |(k, joint): (usize, &physics::model::Joint)| {
        let at = Placement::of(joint, &state.bodies);
        let held = match joint.kind.constrained_translations() {
            3 => at.gap,
            2 => at.gap - at.parent_axis(2) * at.parent_axis(2).dot(&at.gap),
            1 => at.parent_axis(2) * at.parent_axis(2).dot(&at.gap),
            _ => Vec3::zeros(),
        };
        (k, held)
    };
    model.joints.iter().enumerate().map(gap).collect()
}

/// What joint errors are enlarged by.
pub fn enlargement(style: &LayerStyle, measure: &Measure, largest: f64) -> f64 {
    if style.auto && largest > 0.0 {
        // The largest is as long as a body is wide, or half of that.
        measure.length / round_up(largest)
    } else {
        style.scale
    }
}

/// Draws the axes of every joint on both bodies.
pub fn frames(out: &mut Drawing, style: &LayerStyle, subject: &LayerSubject) {
    let [_, poses] = subject.motion.poses;
    let still = Pose::identity();
    let scale = style.scale as f32 * subject.measure.length as f32;
    for joint in &subject.motion.model.joints {
        let parent = joint.parent.map_or(&still, |p| &poses[p.0]);
        let child = &poses[joint.child.0];
        for (pose, frame, size) in [
            (parent, &joint.parent_frame, 1.0),
            (child, &joint.child_frame, 0.7),
        ] {
            let (at, turn) = placed(pose, frame);
            for (k, shade) in AXES.into_iter().enumerate() {
                let along = convert::vec3(&(turn * Vec3::ith(k, 1.0)));
                let shade = linear(categorical::rgb(shade, subject.dark));
                out.marks
                    .arrow(at, along, size * AXIS.0 * scale, AXIS.1 * scale, shade);
            }
        }
        if has_axis(joint.kind) {
            let (at, turn) = placed(parent, &joint.parent_frame);
            let along = convert::vec3(&(turn * Vec3::z())) * THROUGH * scale;
            let shade = linear(categorical::rgb(6, subject.dark));
            out.marks
                .wire(&[at - along, at + along], 0.6 * AXIS.1 * scale, shade);
        }
    }
}

/// Draws how far joints are open.
pub fn errors(out: &mut Drawing, style: &LayerStyle, subject: &LayerSubject) {
    let Motion {
        model,
        state,
        poses: [_, poses],
        ..
    } = subject.motion;
    let still = Pose::identity();
    let factor = errors_factor(style, subject);
    let radius = ERROR * subject.measure.length as f32;
    let shade = linear(categorical::rgb(ERROR_SHADE, subject.dark));
    for (k, gap) in violations(model, state) {
        let size = gap.norm();
        if size <= style.threshold || size == 0.0 {
            continue;
        }
        let joint = &model.joints[k];
        let parent = joint.parent.map_or(&still, |p| &poses[p.0]);
        let (at, _) = placed(parent, &joint.parent_frame);
        let length = (factor * size).min(subject.longest) as f32;
        let along = convert::vec3(&(gap / size));
        out.marks.arrow(at, along, length, radius, shade);
    }
}

/// By how much errors are enlarged.
pub fn errors_legend(style: &LayerStyle, subject: &LayerSubject) -> Vec<LegendLine> {
    let factor = format::number(errors_factor(style, subject));
    let shade = categorical::rgb(ERROR_SHADE, subject.dark);
    vec![LegendLine::plain(
        &[shade],
        format!("joint errors × {factor}"),
    )]
}

fn errors_factor(style: &LayerStyle, subject: &LayerSubject) -> f64 {
    let found = violations(subject.motion.model, subject.motion.state);
    let largest = found.iter().map(|v| v.1.norm()).fold(0.0, f64::max);
    enlargement(style, &subject.measure, largest)
}

/// Whether a joint turns about or slides along its z axis alone.
fn has_axis(kind: JointKind) -> bool {
    let (turns, slides) = (kind.free_rotations(), kind.free_translations());
    (turns == 1 || slides == 1) && turns <= 2
}

/// Anchor and orientation of a joint's frame on a body that is drawn at a pose.
fn placed(pose: &Pose, frame: &JointFrame) -> (bevy::math::Vec3, Quat) {
    let at = (pose * nalgebra::Point3::from(frame.anchor)).coords;
    (convert::vec3(&at), pose.rotation * frame.orientation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::state::layers::{Layer, Layers};
    use physics::scene;

    #[test]
    fn errors_are_those_of_the_drift_and_are_enlarged_to_the_size_of_a_body() {
        let changes = [("integrator.method".to_string(), "\"heun\"".to_string())];
        let mut session = Session::new(scene::open("double_pendulum", &changes).unwrap()).unwrap();
        for _ in 0..200 {
            assert!(session.step());
        }
        let (model, state) = (session.model(), session.state());
        let found = violations(model, state);
        let worst = found.iter().map(|v| v.1.norm()).fold(0.0, f64::max);
        // Heun's method opens joints far beyond rounding.
        assert!(worst > 1e-6);
        let drift = physics::diagnostics::worst_drift(model, state).position.0;
        assert!((worst / drift - 1.0).abs() < 1e-9);
        let measure = Measure::of(model, 2.0);
        let mut style = *Layers::default().style(Layer::Violations);
        let drawn = enlargement(&style, &measure, worst) * worst;
        assert!(
            (0.39 * measure.length..=measure.length * 1.0001).contains(&drawn),
            "{drawn}"
        );
        (style.auto, style.scale) = (false, 300.0);
        assert_eq!(enlargement(&style, &measure, worst), 300.0);
    }
}
