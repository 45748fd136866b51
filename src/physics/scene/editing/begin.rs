//! Writing a state into a scene file, so that the scene starts with it.
//!
//! A body that a joint places is moved by that joint's coordinates; any other gives its own position. Joints whose
//! frames the file gives in the world, and lengths that it takes from the start, are written out as they are now.

use crate::joints::{self, Placement};
use crate::math::{Quat, Vec3};
use crate::model::{Attachment, BodyState, Force, Joint, JointFrame, Model, State, Twist};
use crate::scene::check::Check;
use crate::scene::format::{JointFile, OrientationFile, SceneFile};
use crate::scene::joint;
use crate::scene::link::Link;
use crate::scene::placement;
use crate::scene::value::{Number, Numbers, Vector};

/// Distance and angle below which a body has not moved (m, rad).
const STILL: f64 = 1e-12;

/// Lets the bodies start where `to` has them; `from` is the first state that the file has given so far.
pub(super) fn write_poses(file: &mut SceneFile, model: &Model, from: &State, to: &State) {
    let moved: Vec<bool> = from
        .bodies
        .iter()
        .zip(&to.bodies)
        .map(|(a, b)| {
            (a.position - b.position).norm() > STILL
                || a.orientation.angle_to(&b.orientation) > STILL
        })
        .collect();
    let placed_by = placed_by(file);
    // Bodies that must give their own position, lest a joint whose frames are now known places them.
    let mut own = vec![false; model.bodies.len()];
    for (k, joint) in model.joints.iter().enumerate() {
        let parent_moved = joint.parent.is_some_and(|p| moved[p.0]);
        if !parent_moved && !moved[joint.child.0] {
            continue;
        }
        let Some(mut data) = file.joints.get(&joint.name).cloned() else {
            continue;
        };
        if data.in_world {
            in_bodies(&mut data, model, joint);
            own[joint.child.0] = placed_by[joint.child.0].is_none();
        } else if placed_by[joint.child.0] == Some(k) {
            let at = Placement::of(joint, &to.bodies);
            let q = joints::coordinates(joint.kind, &at, to.angles[k]);
            let q = &q[..joint.kind.freedoms()];
            data.at = q.iter().any(|x| *x != 0.0).then(|| Numbers(q.to_vec()));
        }
        file.joints.set(joint.name.clone(), data);
    }
    for (k, body) in model.bodies.iter().enumerate() {
        if placed_by[k].is_some() || !(moved[k] || own[k]) {
            continue;
        }
        let Some(mut data) = file.bodies.get(&body.name).cloned() else {
            continue;
        };
        let at = &to.bodies[k];
        data.position = Some(Vector(at.position + at.orientation * body.origin));
        data.orientation = orientation(&at.orientation);
        file.bodies.set(body.name.clone(), data);
    }
    write_lengths(file, model, &moved);
}

/// Lets one body, or all, start with the velocities that the state has.
pub(super) fn write_velocities(
    file: &mut SceneFile,
    model: &Model,
    to: &State,
    only: Option<usize>,
) {
    let placed_by = placed_by(file);
    for (k, body) in model.bodies.iter().enumerate() {
        if only.is_some_and(|o| o != k) {
            continue;
        }
        let Some(mut data) = file.bodies.get(&body.name).cloned() else {
            continue;
        };
        let BodyState {
            orientation,
            velocity: Twist { linear, angular },
            ..
        } = to.bodies[k];
        let linear = linear + angular.cross(&(orientation * body.origin));
        // A body that a joint places would move with its parent.
        let rests = linear == Vec3::zeros() && angular == Vec3::zeros() && placed_by[k].is_none();
        data.velocity = (!rests).then_some(Vector(linear));
        data.angular_velocity = (angular != Vec3::zeros()).then_some(Vector(angular));
        data.spin = None;
        file.bodies.set(body.name.clone(), data);
    }
    for joint in &model.joints {
        if only.is_some_and(|o| o != joint.child.0) {
            continue;
        }
        if let Some(data) = file.joints.get(&joint.name)
            && data.rates.is_some()
        {
            let data = JointFile {
                rates: None,
                ..data.clone()
            };
            file.joints.set(joint.name.clone(), data);
        }
    }
}

/// For each body the joint that places it. The file is sound, so that nothing is reported.
fn placed_by(file: &SceneFile) -> Vec<Option<usize>> {
    let mut check = Check::new(&[]);
    let links: Vec<Link> = file
        .joints
        .iter()
        .filter_map(|(name, j)| joint::link(name, j, &file.bodies, &mut check))
        .collect();
    placement::place(file, &links, &mut check).1
}

/// Writes the frames of a joint in the frames of its bodies.
pub fn in_bodies(data: &mut JointFile, model: &Model, joint: &Joint) {
    let place = |frame: &JointFrame, body: Option<usize>| {
        // From the centre of mass to the frame of the file.
        frame.anchor - body.map_or(Vec3::zeros(), |b| model.bodies[b].origin)
    };
    let parent = joint.parent_frame.orientation;
    data.in_world = false;
    data.anchor = some(place(&joint.parent_frame, joint.parent.map(|p| p.0)));
    data.axis = Some(Vector(parent * Vec3::z()));
    data.x_axis = Some(Vector(parent * Vec3::x()));
    data.child_anchor = some(place(&joint.child_frame, Some(joint.child.0)));
    data.child_orientation = orientation(&(parent * joint.child_frame.orientation.inverse()));
}

fn some(vector: Vec3) -> Option<Vector> {
    (vector != Vec3::zeros()).then_some(Vector(vector))
}

/// An orientation of the file; none for no rotation.
pub(super) fn orientation(rotation: &Quat) -> Option<OrientationFile> {
    let q = rotation.quaternion();
    (rotation.angle() > 0.0).then(|| OrientationFile {
        quaternion: Some(Numbers(vec![q.w, q.i, q.j, q.k])),
        ..OrientationFile::default()
    })
}

/// Writes out lengths that the file takes from the start.
fn write_lengths(file: &mut SceneFile, model: &Model, moved: &[bool]) {
    let moves = |ends: &[Attachment; 2]| ends.iter().any(|e| e.body.is_some_and(|b| moved[b.0]));
    for force in &model.forces {
        let Force::Spring {
            name, ends, rest, ..
        } = force
        else {
            continue;
        };
        if let Some(data) = file.springs.get(name)
            && data.rest.is_none()
            && moves(ends)
        {
            let mut data = data.clone();
            data.rest = Some(Number(*rest));
            file.springs.set(name.clone(), data);
        }
    }
    for cable in &model.cables {
        if let Some(data) = file.cables.get(&cable.name)
            && data.length.is_none()
            && moves(&cable.ends)
        {
            let mut data = data.clone();
            data.length = Some(Number(cable.length));
            file.cables.set(cable.name.clone(), data);
        }
    }
}
