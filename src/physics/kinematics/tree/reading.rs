//! From poses and velocities of bodies to joint coordinates and their rates.

use super::group::put;
use super::{Tree, TreeLink};
use crate::joints::{self, Placement};
use crate::math::{Quat, Vec3, rotation};
use crate::model::{BodyState, Twist};

impl Tree {
    /// Bodies of the joint by which a link hangs: its parent (`None` for the world) and its child.
    fn ends(&self, link: usize) -> (Option<usize>, usize) {
        let own = self.links[link].body;
        match self.up(link).map(|up| self.links[up].body) {
            Some(up) if self.links[link].reversed() => (Some(own), up),
            up => (up, own),
        }
    }

    fn placement(&self, link: usize, bodies: &[BodyState]) -> Placement {
        let TreeLink {
            parent_frame,
            child_frame,
            ..
        } = &self.links[link];
        let (parent, child) = self.ends(link);
        Placement::between(
            (parent.map(|p| &bodies[p]), parent_frame),
            (&bodies[child], child_frame),
        )
    }

    /// Coordinates of the poses of `bodies`, into `q`. What joints hold and tree coordinates cannot say (open
    /// joints, cut joints) is lost.
    ///
    /// `angles` are unwrapped angles less than half a turn away, as [`State::angles`](crate::model::State) keeps
    /// them. Of the two quaternions of a rotation the one nearer to what `q` holds is taken, so that a path in
    /// time has no jump.
    pub fn read(&self, bodies: &[BodyState], angles: &[[f64; 2]], q: &mut [f64]) {
        for (i, link) in self.links.iter().enumerate() {
            let at = self.placement(i, bodies);
            let reference = link.joint.map_or([0.0; 2], |j| angles[j.joint]);
            let out = &mut q[link.coordinates()];
            let n = link.kind.free_translations();
            for (slot, &k) in out.iter_mut().zip(joints::free_translations(link.kind)) {
                *slot = at.parent_axis(k).dot(&at.gap);
            }
            if link.kind.free_rotations() == 3 {
                let (parent, child) = self.ends(i);
                let of = |b: usize| bodies[b].orientation;
                let from = parent.map_or_else(Quat::identity, of) * link.parent_frame.orientation;
                let to = of(child) * link.child_frame.orientation;
                let turn = from.inverse() * to;
                let before = nalgebra::Quaternion::new(out[n], out[n + 1], out[n + 2], out[n + 3]);
                let same_side = turn.quaternion().dot(&before) >= 0.0;
                let nearer = if same_side {
                    turn.into_inner()
                } else {
                    -turn.into_inner()
                };
                put(&Quat::new_unchecked(nearer), &mut out[n..]);
            } else {
                let turned = joints::unwrapped_angles(link.kind, &at, reference);
                let free = link.kind.free_rotations();
                out[n..].copy_from_slice(&turned[..free]);
            }
        }
    }

    /// Leaves the angles of the joints of one or two free rotations where
    /// [`State::angles`](crate::model::State) keeps them.
    pub fn write_angles(&self, q: &[f64], angles: &mut [[f64; 2]]) {
        for link in &self.links {
            if let (Some(joint), 1 | 2) = (link.joint, link.kind.free_rotations()) {
                let turned = &q[link.coordinates()][link.kind.free_translations()..];
                angles[joint.joint][..turned.len()].copy_from_slice(turned);
            }
        }
    }

    /// Generalised velocities of the `twists` of bodies at poses where the tree's joints hold, into `v`.
    pub fn read_velocities(&self, bodies: &[BodyState], twists: &[Twist], v: &mut [f64]) {
        for (i, link) in self.links.iter().enumerate() {
            let at = self.placement(i, bodies);
            let (parent, child) = self.ends(i);
            let parent = parent.map_or_else(Twist::default, |p| twists[p]);
            let rates = joints::rates(link.kind, &at, &parent, &twists[child]);
            v[link.velocities()].copy_from_slice(&rates[..link.kind.freedoms()]);
        }
    }

    /// The coordinates of the joint of a link as plots and tables have them [m, rad]: free rotation as a rotation
    /// vector, on the branch nearest to the last three entries of `reference`, so that a ball or a floating joint
    /// counts turns too (see [`rotation::unwrapped`]). The first [`freedoms`](crate::model::JointKind::freedoms)
    /// entries count.
    pub fn joint_coordinates(&self, link: usize, q: &[f64], reference: &[f64; 6]) -> [f64; 6] {
        let link = &self.links[link];
        let mut out = [0.0; 6];
        let n = link.kind.free_translations();
        if link.kind.free_rotations() == 3 {
            out[..n].copy_from_slice(&q[link.first_coordinate..link.first_coordinate + n]);
            let reference = Vec3::new(reference[n], reference[n + 1], reference[n + 2]);
            let whole = rotation::unwrapped(&rotation::log(&link.turn(q)), &reference);
            out[n..n + 3].copy_from_slice(whole.as_slice());
        } else {
            out[..link.kind.freedoms()].copy_from_slice(&q[link.coordinates()]);
        }
        out
    }
}
