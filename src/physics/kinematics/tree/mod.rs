//! Joint coordinates of the spanning tree: the group in which they live, and the way to poses and back.
//!
//! [`Tree`] is the forest that [`Topology`] spans, parents first. A link hangs on its parent link by one joint and
//! has that joint's coordinates; a root that hangs on nothing has the six of a floating joint to the world at its
//! centre of mass. Joints that close loops are [`cut`](Tree::cut): the coordinates leave them open, and whoever
//! moves along the tree closes them by constraints. Couplings and limits are constraints on coordinates and take
//! none away.
//!
//! | free | coordinates | velocities | increment |
//! |---|---|---|---|
//! | 0 to 3 translations | displacements of the child's anchor along the parent's joint axes (m) | their rates (m/s) | sum |
//! | 1 rotation | angle about the axis, counting turns (rad) | its rate (rad/s) | sum |
//! | 2 rotations (universal) | angles about the parent's z and the child's x axis (rad) | their rates (rad/s) | sum |
//! | 3 rotations | unit quaternion (w, x, y, z), parent's joint axes from child's | relative angular velocity in the parent's joint axes (rad/s) | `exp(δ) q` in SO(3) |
//!
//! Translations come before rotations, and a kind with both has the product of their groups, R³ × SO(3) for a
//! floating joint. No kind is singular anywhere: the two axes of a universal joint are perpendicular in every
//! position that it can take, and quaternions are the group itself.
//!
//! `q` and `v` are slices over all links, `v` shorter than `q` by one for each quaternion. [`TreeMotion`] has the
//! velocities, accelerations and Jacobians. Nothing here allocates after [`Tree::new`] and [`TreeMotion::new`].

mod articulated;
mod fronts;
mod group;
mod motion;
mod reading;
#[cfg(test)]
mod tests;

pub use articulated::{ArticulatedBodies, Jacobian, SpatialBlock};
pub use fronts::{Fronts, LoopClosure};
pub use motion::{JointPlace, TreeMotion};

use crate::math::{Quat, Vec3};
use crate::model::{JointFrame, JointId, JointKind, Model};
use crate::solver::{LoopConstraintKind, Topology, TreeJoint, WORLD};
use std::ops::Range;

/// One body of a [`Tree`] and the joint by which it hangs.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeLink {
    /// The body (index in the model).
    pub body: usize,
    /// Parent link, [`WORLD`] for roots; always an earlier one.
    pub parent: usize,
    /// The joint; `None` for a root that floats freely.
    pub joint: Option<TreeJoint>,
    /// Kind of the joint; floating for a free root.
    pub kind: JointKind,
    /// Joint frame on the joint's parent, which is this link where the joint is reversed.
    parent_frame: JointFrame,
    /// Joint frame on the joint's child.
    child_frame: JointFrame,
    first_coordinate: usize,
    first_velocity: usize,
}

impl TreeLink {
    /// Whether the link is the parent of its joint, and its parent link the child.
    pub fn reversed(&self) -> bool {
        self.joint.is_some_and(|j| j.reversed)
    }

    /// Places of its coordinates in `q`.
    pub fn coordinates(&self) -> Range<usize> {
        self.first_coordinate..self.first_coordinate + coordinates(self.kind)
    }

    /// Places of its velocities in `v`.
    pub fn velocities(&self) -> Range<usize> {
        self.first_velocity..self.first_velocity + self.kind.freedoms()
    }
}

/// Numbers that hold the coordinates of a joint.
fn coordinates(kind: JointKind) -> usize {
    let rotations = match kind.free_rotations() {
        3 => 4,
        fewer => fewer,
    };
    kind.free_translations() + rotations
}

/// The spanning tree of a mechanism with its joint coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    links: Vec<TreeLink>,
    /// Link of every body.
    link_of: Vec<usize>,
    cut: Vec<JointId>,
    coordinates: usize,
    freedoms: usize,
}

impl Tree {
    /// The tree of a model: the same spanning forest as the solver's.
    pub fn new(model: &Model) -> Self {
        let topology = Topology::new(model);
        let still = JointFrame {
            anchor: Vec3::zeros(),
            orientation: Quat::identity(),
        };
        let mut tree = Self {
            links: Vec::with_capacity(topology.bodies.len()),
            link_of: topology.links.clone(),
            cut: Vec::new(),
            coordinates: 0,
            freedoms: 0,
        };
        for (link, &body) in topology.bodies.iter().enumerate() {
            let joint = topology.joints[link];
            let (kind, parent_frame, child_frame) = match joint {
                Some(tree) => {
                    let joint = &model.joints[tree.joint];
                    (joint.kind, joint.parent_frame, joint.child_frame)
                }
                None => (JointKind::Floating, still, still),
            };
            tree.links.push(TreeLink {
                body,
                parent: topology.parents[link],
                joint,
                kind,
                parent_frame,
                child_frame,
                first_coordinate: tree.coordinates,
                first_velocity: tree.freedoms,
            });
            tree.coordinates += coordinates(kind);
            tree.freedoms += kind.freedoms();
        }
        tree.cut = topology
            .loop_constraints
            .iter()
            .filter_map(|c| match c.kind {
                LoopConstraintKind::Joint(j) => Some(JointId(j)),
                _ => None,
            })
            .collect();
        tree
    }

    /// Links, parents before children.
    pub fn links(&self) -> &[TreeLink] {
        &self.links
    }

    /// The link of a body (index in the model).
    pub fn link_of(&self, body: usize) -> usize {
        self.link_of[body]
    }

    /// Joints that close loops and have no coordinates here, in the order of the model.
    pub fn cut(&self) -> &[JointId] {
        &self.cut
    }

    /// Length of `q`.
    pub fn coordinates(&self) -> usize {
        self.coordinates
    }

    /// Length of `v`: the degrees of freedom of the tree.
    pub fn freedoms(&self) -> usize {
        self.freedoms
    }

    /// Link and its parent, the parent as an option.
    fn up(&self, link: usize) -> Option<usize> {
        let parent = self.links[link].parent;
        (parent != WORLD).then_some(parent)
    }
}
