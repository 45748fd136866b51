//! Joints as data: which bodies, which frames, what is free, what drives the free coordinates.

use super::compliance::Compliance;
use super::contact::JointLimit;
use super::id::{BodyId, JointId};
use super::signal::Signal;
use crate::math::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// How a joint constrains the relative motion of its child to its parent.
///
/// A kind is a pair of half-joints: how many translations of the child's anchor are constrained in the
/// parent's joint frame, and how many rotations. The joint axis is the z axis of both joint frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum JointKind {
    /// Nothing moves (3 translations, 3 rotations constrained).
    Fixed,
    /// Slides along the axis (2, 3).
    Prismatic,
    /// Slides in the plane normal to the axis, does not turn (1, 3).
    Planar,
    /// Translates freely, does not turn (0, 3).
    FixedOrientation,
    /// Turns about the axis (3, 2).
    Revolute,
    /// Slides along and turns about the axis (2, 2).
    Cylindrical,
    /// Slides in the plane normal to the axis and turns about the axis (1, 2).
    PlanarAxis,
    /// Cardan joint: the parent's z axis stays perpendicular to the child's x axis (3, 1).
    Universal,
    /// Turns freely about the anchor (3, 0).
    Spherical,
    /// The child's anchor stays on the axis (2, 0).
    PointOnLine,
    /// The child's anchor stays in the plane normal to the axis (1, 0).
    PointOnPlane,
    /// No constraint (0, 0): gives a free body coordinates.
    Floating,
}

impl JointKind {
    /// All kinds, in the order of the documentation.
    pub const ALL: [Self; 12] = [
        Self::Fixed,
        Self::Prismatic,
        Self::Planar,
        Self::FixedOrientation,
        Self::Revolute,
        Self::Cylindrical,
        Self::PlanarAxis,
        Self::Universal,
        Self::Spherical,
        Self::PointOnLine,
        Self::PointOnPlane,
        Self::Floating,
    ];

    /// Number of constrained translations, 0 to 3.
    pub const fn constrained_translations(self) -> usize {
        match self {
            Self::Fixed | Self::Revolute | Self::Universal | Self::Spherical => 3,
            Self::Prismatic | Self::Cylindrical | Self::PointOnLine => 2,
            Self::Planar | Self::PlanarAxis | Self::PointOnPlane => 1,
            Self::FixedOrientation | Self::Floating => 0,
        }
    }

    /// Number of constrained rotations, 0 to 3.
    pub const fn constrained_rotations(self) -> usize {
        match self {
            Self::Fixed | Self::Prismatic | Self::Planar | Self::FixedOrientation => 3,
            Self::Revolute | Self::Cylindrical | Self::PlanarAxis => 2,
            Self::Universal => 1,
            Self::Spherical | Self::PointOnLine | Self::PointOnPlane | Self::Floating => 0,
        }
    }

    /// Number of constraint equations, 0 to 6.
    pub const fn constraints(self) -> usize {
        self.constrained_translations() + self.constrained_rotations()
    }

    /// Number of free translations: the first coordinates of the joint.
    pub const fn free_translations(self) -> usize {
        3 - self.constrained_translations()
    }

    /// Number of free rotations: the last coordinates of the joint.
    pub const fn free_rotations(self) -> usize {
        3 - self.constrained_rotations()
    }

    /// Number of free coordinates, 0 to 6.
    pub const fn freedoms(self) -> usize {
        6 - self.constraints()
    }
}

/// A frame fixed to a body (origin at its centre of mass) or to the world.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct JointFrame {
    /// Anchor point (m), body axes.
    pub anchor: Vec3,
    /// Orientation `body_from_joint`; its z axis is the joint axis.
    pub orientation: Quat,
}

/// Spring on one joint coordinate: generalised force `-stiffness · (coordinate - rest)`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct JointSpring {
    /// Which coordinate of the joint, counted from 0 (translations first).
    pub coordinate: usize,
    /// (N/m) for a translation, (N·m/rad) for a rotation.
    pub stiffness: f64,
    /// Coordinate at which the spring is relaxed [m or rad].
    pub rest: f64,
}

/// What drives one joint coordinate [Brüdigam2023 eq. 1]: a commanded force plus, if given, a PD law.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Actuator {
    /// Which coordinate of the joint, counted from 0 (translations first).
    pub coordinate: usize,
    /// Feed-forward generalised force [N or N·m].
    pub command: Signal,
    /// Proportional-derivative law, added to the command.
    pub pd: Option<PdTarget>,
    /// The sum is held within ± this value [N or N·m]; infinite if the drive has no limit.
    pub limit: f64,
}

/// `stiffness · (target - coordinate) + damping · (target rate - rate)`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PdTarget {
    /// Proportional gain [N/m or N·m/rad].
    pub stiffness: f64,
    /// Derivative gain [N·s/m or N·m·s/rad].
    pub damping: f64,
    /// Wanted coordinate [m or rad].
    pub target: Signal,
    /// Wanted rate [m/s or rad/s], beside that of a target that is a motion through waypoints.
    pub rate: Signal,
}

impl PdTarget {
    /// Wanted coordinate and rate at a time (s).
    pub fn wanted(&self, time: f64) -> [f64; 2] {
        let [target, rate] = match &self.target {
            Signal::Profile(profile) => profile.at(time),
            target => [target.at(time), 0.0],
        };
        [target, rate + self.rate.at(time)]
    }
}

/// A joint between two bodies or a body and the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// Unique name.
    pub name: String,
    /// What is free.
    pub kind: JointKind,
    /// Parent body; `None` is the world.
    pub parent: Option<BodyId>,
    /// Child body.
    pub child: BodyId,
    /// Joint frame on the parent (or in the world).
    pub parent_frame: JointFrame,
    /// Joint frame on the child.
    pub child_frame: JointFrame,
    /// Viscous damping of the free translations (N·s/m), implicit in every integrator that can.
    pub damping_translation: f64,
    /// Viscous damping of the free rotations (N·m·s/rad).
    pub damping_rotation: f64,
    /// Springs on coordinates.
    pub springs: Vec<JointSpring>,
    /// Drives on coordinates.
    pub actuators: Vec<Actuator>,
    /// Ranges of coordinates, at most one each.
    pub limits: Vec<JointLimit>,
    /// How far what it holds gives: each held translation, each held rotation.
    pub compliance: [Compliance; 2],
}

/// One term of a coupling: a coordinate of a joint and its factor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CouplingTerm {
    /// The joint.
    pub joint: JointId,
    /// Which coordinate of the joint, counted from 0 (translations first).
    pub coordinate: usize,
    /// Factor of the coordinate.
    pub factor: f64,
}

/// A linear relation between joint coordinates, `Σ factor · coordinate = offset`: screw, gear and rack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Coupling {
    /// Unique name.
    pub name: String,
    /// The terms; one (drives a coordinate), two (screw, gear, rack) or more (differential).
    pub terms: Vec<CouplingTerm>,
    /// Right-hand side, set so that the scene's first configuration satisfies the relation.
    pub offset: f64,
    /// How far the relation gives, in the units of its left-hand side.
    pub compliance: Compliance,
}
