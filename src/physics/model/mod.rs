//! What the mechanism is: plain data with ids, constant while a simulation runs.
//!
//! [`Model::new`] checks everything, so that the code behind it may rely on it.

mod body;
mod compliance;
mod contact;
mod digest;
mod expression;
mod force;
mod foundation;
mod hertz;
mod id;
mod input;
mod joint;
mod memory;
mod part;
mod profile;
mod shape;
mod signal;
#[cfg(test)]
pub mod specimen;
mod state;
mod xxh64;

pub use body::Body;
pub use compliance::Compliance;
pub use contact::{
    Cable, ContactKey, ContactRules, ContactState, ContactStatus, JointLimit, LimitState, Material,
    MaterialPair,
};
pub use digest::Difference;
pub use expression::bounded;
pub use force::{Attachment, Axes, Force};
pub use foundation::{Face, Foundation, MOST_ELEMENTS, Patch};
pub use hertz::{Hertz, SurfaceCompliance};
pub use id::{BodyId, JointId};
pub use input::{AppliedWrench, Command, Drag, DragGoal, Input, InputError};
pub use joint::{
    Actuator, Coupling, CouplingTerm, Joint, JointFrame, JointKind, JointSpring, PdTarget,
};
pub use memory::Memory;
pub use part::Part;
pub use profile::{Course, Profile, ProfileError};
pub use shape::{Colour, Geometry, HeightField, Shape, Surface, Touch};
pub use signal::{Expression, Signal, SignalError};
pub use state::{BodyState, Misfit, Rest, Row, State, Twist, Work};

use crate::math::Vec3;
use crate::math::disjoint_sets::DisjointSets;

/// A mechanism: bodies, joints, couplings, forces and gravity.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Couplings between joint coordinates.
    pub couplings: Vec<Coupling>,
    /// Springs between points, wrenches.
    pub forces: Vec<Force>,
    /// Uniform gravity (m/s²).
    pub gravity: Vec3,
    /// Static shapes of the world.
    pub world_shapes: Vec<Shape>,
    /// Ropes between points.
    pub cables: Vec<Cable>,
    /// Rules of contact; `None` if shapes pass through each other.
    pub contact: Option<ContactRules>,
    /// First constraint equation of every joint, then of every coupling, then their number.
    rows: Vec<usize>,
}

/// The parts of a [`Model`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelParts {
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Couplings between joint coordinates.
    pub couplings: Vec<Coupling>,
    /// Springs between points, wrenches.
    pub forces: Vec<Force>,
    /// Uniform gravity (m/s²).
    pub gravity: Vec3,
    /// Static shapes of the world.
    pub world_shapes: Vec<Shape>,
    /// Ropes between points.
    pub cables: Vec<Cable>,
    /// Rules of contact.
    pub contact: Option<ContactRules>,
}

/// Why parts do not make a model. Each names the item.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// A mass that is not positive and finite.
    #[error("body `{body}`: mass is {mass}, expected a positive number of kilograms")]
    Mass {
        /// Name of the body.
        body: String,
        /// What was found.
        mass: f64,
    },
    /// An inertia that no rigid body has.
    #[error("body `{body}`: inertia {problem}")]
    Inertia {
        /// Name of the body.
        body: String,
        /// What is wrong.
        problem: String,
    },
    /// A number out of its range.
    #[error("{item} `{name}`: {field} is {found}, expected {expected}")]
    Value {
        /// Kind of the item.
        item: &'static str,
        /// Its name.
        name: String,
        /// The field.
        field: &'static str,
        /// What was found.
        found: String,
        /// What is allowed.
        expected: &'static str,
    },
    /// A joint between a body and itself.
    #[error("joint `{joint}`: parent and child are the same body `{body}`")]
    SelfJoint {
        /// Name of the joint.
        joint: String,
        /// Name of the body.
        body: String,
    },
    /// Two items with the same name.
    #[error("two {items} are named `{name}`; names must differ")]
    Duplicate {
        /// Kind of the items, plural.
        items: &'static str,
        /// The name.
        name: String,
    },
}

impl Model {
    /// Checks the parts and builds the model; all problems are reported, not only the first.
    pub fn new(parts: ModelParts) -> Result<Self, Vec<ModelError>> {
        let problems = check::problems(&parts);
        if !problems.is_empty() {
            return Err(problems);
        }
        let ModelParts {
            bodies,
            joints,
            couplings,
            forces,
            gravity,
            world_shapes,
            cables,
            contact,
        } = parts;
        let rows = rows(&joints, &couplings);
        Ok(Self {
            bodies,
            joints,
            couplings,
            forces,
            gravity,
            world_shapes,
            cables,
            contact,
            rows,
        })
    }

    /// Kinetic energy (J) of bodies in these states with these velocities, one each.
    pub fn kinetic_energy<'a>(
        &self,
        states: &[BodyState],
        velocities: impl IntoIterator<Item = &'a Twist>,
    ) -> f64 {
        let moving = self.bodies.iter().zip(states).zip(velocities);
        let energy = |((body, state), velocity): ((&Body, &BodyState), &Twist)| {
            let [translation, rotation] = body.kinetic_energy(&state.orientation, velocity);
            translation + rotation
        };
        moving.map(energy).sum()
    }

    /// The parts it was built from.
    pub fn parts(&self) -> ModelParts {
        let Self {
            bodies,
            joints,
            couplings,
            forces,
            gravity,
            world_shapes,
            cables,
            contact,
            rows: _,
        } = self.clone();
        ModelParts {
            bodies,
            joints,
            couplings,
            forces,
            gravity,
            world_shapes,
            cables,
            contact,
        }
    }

    /// Number of constraint equations of all joints and couplings.
    pub fn equations(&self) -> usize {
        self.rows[self.rows.len() - 1]
    }

    /// Rows of a joint among the constraint equations.
    pub fn joint_rows(&self, joint: JointId) -> std::ops::Range<usize> {
        self.rows[joint.0]..self.rows[joint.0 + 1]
    }

    /// Row of a coupling among the constraint equations.
    pub fn coupling_row(&self, coupling: usize) -> usize {
        self.rows[self.joints.len() + coupling]
    }

    /// The body of that name.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.bodies.iter().position(|b| b.name == name).map(BodyId)
    }

    /// The joint of that name.
    pub fn joint(&self, name: &str) -> Option<JointId> {
        self.joints.iter().position(|j| j.name == name).map(JointId)
    }

    /// Whether anything is a unilateral constraint: contact, joint limits, cables.
    pub fn has_unilateral(&self) -> bool {
        self.contact.is_some() || self.limit_count() > 0
    }

    /// Whether any joint has limits.
    pub fn has_limits(&self) -> bool {
        self.joints.iter().any(|j| !j.limits.is_empty())
    }

    /// Whether joints or couplings constrain more than a tree of joints does: where a joint closes a loop, or a
    /// coupling ties coordinates together.
    pub fn has_loops(&self) -> bool {
        // The world stands behind the last body.
        let world = self.bodies.len();
        let mut sets = DisjointSets::new(world + 1);
        let mut binding = self.joints.iter().filter(|j| j.kind.constraints() > 0);
        let closes = |j: &Joint| !sets.join(j.parent.map_or(world, |p| p.0), j.child.0);
        !self.couplings.is_empty() || binding.any(closes)
    }

    /// Number of joint limits and cables: the entries of [`State::limits`], limits by joint first.
    pub fn limit_count(&self) -> usize {
        self.joints.iter().map(|j| j.limits.len()).sum::<usize>() + self.cables.len()
    }

    /// Whether energy can leave through a damper, so that a conservative method must refuse.
    pub fn dissipates(&self) -> bool {
        let in_joint = |j: &Joint| {
            (j.damping_translation > 0.0 && j.kind.free_translations() > 0)
                || (j.damping_rotation > 0.0 && j.kind.free_rotations() > 0)
                || j.actuators
                    .iter()
                    .any(|a| a.pd.as_ref().is_some_and(|pd| pd.damping > 0.0))
        };
        self.joints.iter().any(in_joint)
            || self
                .forces
                .iter()
                .any(|f| matches!(f, Force::Spring { damping, .. } if *damping > 0.0))
    }
}

/// First constraint equation of every joint, then of every coupling, then their number.
fn rows(joints: &[Joint], couplings: &[Coupling]) -> Vec<usize> {
    let mut rows = vec![0];
    let sizes = joints.iter().map(|j| j.kind.constraints());
    for size in sizes.chain(couplings.iter().map(|_| 1)) {
        rows.push(rows[rows.len() - 1] + size);
    }
    rows
}

mod check;
