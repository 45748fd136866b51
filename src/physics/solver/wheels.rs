//! Bodies that turn about an axis of their own symmetry, whose turn moves no row of a joint and changes no inertia.

use super::unilateral::tangents;
use crate::math::{Mat3, Vec3};
use crate::model::{Body, JointFrame, JointKind, Model};

/// How far a wheel may be off its axis, relative to its size and to its inertia: what is written with ten digits is on it.
const OFF: f64 = 1e-9;

/// For every body that is a wheel the axis about which it turns, in its own frame: it is on one hinge alone, along an axis of symmetry
/// through its centre, and holds no cable.
pub fn axes(model: &Model) -> Vec<Option<Vec3>> {
    let mut ties = vec![0u32; model.bodies.len()];
    let joined = model.joints.iter().flat_map(|j| [Some(j.child), j.parent]);
    let cables = model.cables.iter().flat_map(|c| c.ends.map(|end| end.body));
    // What a cable is on is no wheel, whatever else it is on.
    for body in joined.chain(cables.flat_map(|body| [body; 2])).flatten() {
        ties[body.0] += 1;
    }
    let mut axes = vec![None; model.bodies.len()];
    for joint in model
        .joints
        .iter()
        .filter(|j| j.kind == JointKind::Revolute)
    {
        let sides = [
            (Some(joint.child), &joint.child_frame),
            (joint.parent, &joint.parent_frame),
        ];
        for (body, frame) in sides {
            if let Some(body) = body
                && ties[body.0] == 1
            {
                axes[body.0] = symmetry(&model.bodies[body.0], frame);
            }
        }
    }
    axes
}

/// The axis of a hinge on a body, if that is symmetric about it.
fn symmetry(body: &Body, frame: &JointFrame) -> Option<Vec3> {
    let axis = frame.orientation * Vec3::z();
    let about_it = |axis: &Vec3| axis.dot(&(body.inertia * axis));
    let (along, across) = (about_it(&axis), about_it(&tangents(&axis)[0]));
    let about = axis * axis.transpose();
    let round = about * along + (Mat3::identity() - about) * across;
    let size = ((along + across) / body.mass).sqrt();
    let aside = frame.anchor - axis * frame.anchor.dot(&axis);
    let even = (body.inertia - round).amax() <= OFF * along.max(across);
    (even && aside.norm() <= OFF * size).then_some(axis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene;

    /// Axes of the bodies of a mechanism, by name: an arm on a hinge at the world, a wheel on it, and what else is given.
    fn found(wheel: &str, joint: &str, more: &str) -> Vec<(String, Option<Vec3>)> {
        let text = format!(
            r#"(version: 1, bodies: {{"arm": (mass: 1, inertia: (0.02, 0.02, 0.02)), "wheel": (mass: 2, {wheel})}},
            joints: {{"j": (kind: revolute, parent: "world", child: "arm", axis: (0, 1, 0), child_anchor: (0, 0, 1)),
            "k": (kind: revolute, parent: "arm", child: "wheel", {joint})}}, {more})"#,
        );
        let model = scene::from_text("wheel", &text, &[])
            .expect("a scene")
            .model;
        let names = model.bodies.iter().map(|b| b.name.clone());
        names.zip(axes(&model)).collect()
    }

    #[test]
    fn a_body_on_one_hinge_along_its_axis_is_a_wheel_and_no_other_is() {
        let (round, along) = ("inertia: (0.01, 0.015, 0.01)", "axis: (0, 1, 0)");
        let is = |wheel: &str, joint: &str, more: &str| {
            let all = found(wheel, joint, more);
            assert!(
                all.iter()
                    .all(|(name, axis)| name == "wheel" || axis.is_none())
            );
            let wheel = all.into_iter().find(|(name, _)| name == "wheel");
            wheel.and_then(|(_, axis)| axis)
        };
        let axis = is(round, along, "").expect("it is round");
        assert!((axis.y.abs() - 1.0).abs() < 1e-12);
        let along_it = "axis: (0, 1, 0), child_anchor: (0, 0.2, 0)";
        assert!(is(round, along_it, "").is_some());
        let lame = "inertia: (0.01, 0.015, 0.011)";
        assert_eq!(is(lame, along, ""), None);
        assert_eq!(is(round, "axis: (0, 0, 1)", ""), None);
        assert_eq!(
            is(round, "axis: (0, 1, 0), child_anchor: (0.01, 0, 0)", ""),
            None
        );
        let rope = r#"cables: {"c": (ends: ((body: "wheel"), (point: (0, 0, 5))), length: 9)}"#;
        assert_eq!(is(round, along, rope), None);
    }
}
