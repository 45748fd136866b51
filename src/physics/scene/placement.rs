//! Where bodies are and how they move at the start: as given, or as the joints say.
//!
//! A body that gives its own position or orientation is there. Otherwise the first joint in the file that
//! has it as a child, with anchors in body frames, places it from its parent by the joint's coordinates.
//! What nothing places has its frame at the world's origin: such bodies are drawn in world coordinates.

use super::check::Check;
use super::format::{BodyFile, SceneFile};
use super::link::{Frames, Link};
use crate::math::{Pose, Quat, Vec3};
use crate::model::JointKind;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Pose and velocity of a body's frame (the frame of the file) in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Motion {
    /// Frame of the body.
    pub pose: Pose,
    /// Velocity of the frame's origin (m/s).
    pub linear: Vec3,
    /// Angular velocity (rad/s).
    pub angular: Vec3,
}

impl Motion {
    /// At rest.
    pub fn at(pose: Pose) -> Self {
        Self {
            pose,
            linear: Vec3::zeros(),
            angular: Vec3::zeros(),
        }
    }
}

/// Free translations and free rotation of a joint at coordinates `q`: child joint frame in the parent's.
pub(super) fn joint_pose(kind: JointKind, q: &[f64]) -> Pose {
    let turns = &q[kind.free_translations()..];
    let rotation = match turns {
        [] => Quat::identity(),
        [a] => Quat::from_scaled_axis(Vec3::z() * *a),
        [a, b] => Quat::from_scaled_axis(Vec3::z() * *a) * Quat::from_scaled_axis(Vec3::x() * *b),
        _ => Quat::from_scaled_axis(Vec3::new(turns[0], turns[1], turns[2])),
    };
    Pose::from_parts(translation(kind, q).into(), rotation)
}

fn translation(kind: JointKind, q: &[f64]) -> Vec3 {
    match kind.free_translations() {
        0 => Vec3::zeros(),
        1 => Vec3::new(0.0, 0.0, q[0]),
        2 => Vec3::new(q[0], q[1], 0.0),
        _ => Vec3::new(q[0], q[1], q[2]),
    }
}

/// Velocity of a child at a known pose whose joint coordinates change at the rates `u`.
fn velocity_of_child(
    kind: JointKind,
    frames: &Frames,
    parent: &Motion,
    pose: Pose,
    u: &[f64],
) -> Motion {
    let axes = parent.pose.rotation * frames.parent.rotation;
    let child_frame = pose * frames.child;
    let relative = match &u[kind.free_translations()..] {
        [] => Vec3::zeros(),
        [a] => axes * Vec3::z() * *a,
        [a, b] => axes * Vec3::z() * *a + child_frame.rotation * Vec3::x() * *b,
        r => axes * Vec3::new(r[0], r[1], r[2]),
    };
    let angular = parent.angular + relative;
    // The child's anchor moves with the parent and slides along the parent's axes.
    let anchor = child_frame.translation.vector;
    let anchor_velocity = parent.linear
        + parent
            .angular
            .cross(&(anchor - parent.pose.translation.vector))
        + axes * translation(kind, u);
    let linear = anchor_velocity + angular.cross(&(pose.translation.vector - anchor));
    Motion {
        pose,
        linear,
        angular,
    }
}

/// Motions of all bodies at the start, and for each body the joint that placed it.
pub(super) fn place(
    file: &SceneFile,
    links: &[Link],
    check: &mut Check,
) -> (Vec<Motion>, Vec<Option<usize>>) {
    let bodies: Vec<(&str, &BodyFile)> = file.bodies.iter().collect();
    let world = Motion::at(Pose::identity());
    let mut motions: Vec<Option<Motion>> = vec![None; bodies.len()];
    let mut placed_by: Vec<Option<usize>> = vec![None; bodies.len()];
    let mut has_joint = vec![false; bodies.len()];
    for link in links.iter().filter(|l| l.frames.is_some()) {
        has_joint[link.child] = true;
    }
    for (k, (name, body)) in bodies.iter().enumerate() {
        let given = body.position.is_some() || body.orientation.is_some();
        let rotation =
            check.orientation(&["bodies", name, "orientation"], body.orientation.as_ref());
        if given || !has_joint[k] {
            let position = body.position.map_or(Vec3::zeros(), |p| p.0);
            let pose = Pose::from_parts(position.into(), rotation);
            motions[k] = Some(own_velocity(name, body, Motion::at(pose), check));
        }
    }
    // Joints that may place their child once their parent is placed.
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); bodies.len()];
    // Those whose parent is placed, in the order of going through the file again and again.
    let mut ready = BinaryHeap::new();
    for (j, link) in links.iter().enumerate().filter(|l| l.1.frames.is_some()) {
        match link.parent {
            Some(p) if motions[p].is_none() => from[p].push(j),
            _ => ready.push(Reverse((0, j))),
        }
    }
    let mut round = 0;
    let mut unplaced = 0..bodies.len();
    loop {
        while let Some(Reverse((now, j))) = ready.pop() {
            let link = &links[j];
            let parent = link.parent.map_or(Some(world), |p| motions[p]);
            let (Some(frames), Some(parent), None) = (&link.frames, parent, motions[link.child])
            else {
                continue;
            };
            let zeros = vec![0.0; link.kind.freedoms()];
            let q = link.at.as_ref().unwrap_or(&zeros);
            let (name, body) = bodies[link.child];
            let pose =
                parent.pose * frames.parent * joint_pose(link.kind, q) * frames.child.inverse();
            motions[link.child] = Some(own_velocity(name, body, Motion::at(pose), check));
            placed_by[link.child] = Some(j);
            let later = |k: usize| if k > j { now } else { now + 1 };
            let next = from[link.child].iter();
            ready.extend(next.map(|&k| Reverse((later(k), k))));
            round = now;
        }
        // A ring of bodies that place each other: the first of them stays at the origin.
        let Some(first) = unplaced.find(|&b| motions[b].is_none()) else {
            break;
        };
        let (name, body) = bodies[first];
        motions[first] = Some(own_velocity(name, body, world, check));
        round += 1;
        ready.extend(from[first].iter().map(|&k| Reverse((round, k))));
    }
    let mut motions: Vec<Motion> = motions.into_iter().flatten().collect();
    velocities(&bodies, links, &placed_by, &mut motions, check);
    (motions, placed_by)
}

/// Velocities that follow from the rates of joints; reports coordinates and rates without effect.
fn velocities(
    bodies: &[(&str, &BodyFile)],
    links: &[Link],
    placed_by: &[Option<usize>],
    motions: &mut [Motion],
    check: &mut Check,
) {
    // The joint that moves each body.
    let mut moved_by: Vec<Option<usize>> = placed_by.to_vec();
    for (k, (_, body)) in bodies.iter().enumerate() {
        if has_velocity(body) {
            moved_by[k] = None;
        }
    }
    for (j, link) in links.iter().enumerate() {
        let path = |field| ["joints", link.name, field];
        let (child, body) = bodies[link.child];
        let places = placed_by[link.child] == Some(j);
        if link.at.is_some() && !places {
            let found = match placed_by[link.child] {
                _ if link.frames.is_none() => {
                    "at on a joint with in_world, whose coordinates are zero at the start".into()
                }
                Some(other) => format!("`{child}` is already placed by `{}`", links[other].name),
                None => format!("`{child}` is already placed by its own position"),
            };
            check.wrong(
                &path("at"),
                found,
                "at only on the joint that places its child",
            );
        }
        if link.rates.is_none() {
            continue;
        }
        if has_velocity(body) || moved_by[link.child].is_some_and(|other| other != j) {
            let found = format!("the velocity of `{child}` is already given");
            check.wrong(&path("rates"), found, "rates on one joint of a child only");
        } else {
            moved_by[link.child] = Some(j);
        }
    }
    for child in parents_first(links, &moved_by) {
        let Some(link) = moved_by[child].map(|j| &links[j]) else {
            continue;
        };
        let still = Motion::at(Pose::identity());
        let parent = link.parent.map_or(still, |p| motions[p]);
        let pose = motions[child].pose;
        let frames = link.frames(&parent.pose, &pose);
        let zeros = vec![0.0; link.kind.freedoms()];
        let rates = link.rates.as_ref().unwrap_or(&zeros);
        motions[child] = velocity_of_child(link.kind, &frames, &parent, pose, rates);
    }
}

/// Bodies in an order in which what moves a body stands before it, wherever it stands in the file. A ring of bodies
/// that move each other is gone round once, beginning with what moves it from the velocity that the first in the file
/// has.
fn parents_first(links: &[Link], moved_by: &[Option<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(moved_by.len());
    let mut known = vec![false; moved_by.len()];
    for body in 0..moved_by.len() {
        let start = order.len();
        let mut next = Some(body);
        while let Some(b) = next.filter(|b| !known[*b]) {
            known[b] = true;
            order.push(b);
            next = moved_by[b].and_then(|j| links[j].parent);
        }
        order[start..].reverse();
    }
    order
}

fn has_velocity(body: &BodyFile) -> bool {
    body.velocity.is_some() || body.angular_velocity.is_some() || body.spin.is_some()
}

/// Replaces the velocity by the one that the body itself gives, if any.
fn own_velocity(name: &str, body: &BodyFile, motion: Motion, check: &mut Check) -> Motion {
    if !has_velocity(body) {
        return motion;
    }
    if body.spin.is_some() && body.angular_velocity.is_some() {
        let found = "both spin and angular_velocity";
        check.wrong(&["bodies", name, "spin"], found, "one of them");
    }
    let spin = body.spin.map(|s| motion.pose.rotation * s.0);
    Motion {
        pose: motion.pose,
        linear: body.velocity.map_or(Vec3::zeros(), |v| v.0),
        angular: body
            .angular_velocity
            .map(|w| w.0)
            .or(spin)
            .unwrap_or(Vec3::zeros()),
    }
}
