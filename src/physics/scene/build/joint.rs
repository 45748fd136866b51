//! Joints in code.

use crate::scene::format::{
    ActuatorFile, JointFile, JointSpringFile, Kind, LimitFile, OrientationFile, PdFile,
};
use crate::scene::value::{Number, Numbers, SignalValue, Vector};

/// A joint under construction, between a parent, which is the world if it is not said, and a child.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// All fields of a joint of a scene file.
    pub file: JointFile,
}

/// A constructor for every kind.
macro_rules! kinds {
    ($($(#[$what:meta])* $word:ident: $kind:ident,)*) => {
        $($(#[$what])*
        pub fn $word(name: impl Into<String>) -> Self {
            Self::new(name, Kind::$kind)
        })*
    };
}

impl Joint {
    kinds! {
        /// Nothing moves.
        fixed: Fixed,
        /// Slides along its axis.
        prismatic: Prismatic,
        /// Slides in the plane normal to its axis, does not turn.
        planar: Planar,
        /// Translates freely, does not turn.
        fixed_orientation: FixedOrientation,
        /// Turns about its axis.
        revolute: Revolute,
        /// Slides along and turns about its axis.
        cylindrical: Cylindrical,
        /// Slides in the plane normal to its axis and turns about it.
        planar_axis: PlanarAxis,
        /// Turns about its axis, then about the child's cross axis.
        universal: Universal,
        /// Turns freely about its anchor.
        spherical: Spherical,
        /// The child's anchor stays on the axis.
        point_on_line: PointOnLine,
        /// The child's anchor stays in the plane normal to the axis.
        point_on_plane: PointOnPlane,
        /// Holds nothing; its coordinates place the child.
        floating: Floating,
    }

    /// A joint of a kind.
    pub fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self {
            name: name.into(),
            file: JointFile {
                kind,
                parent: "world".into(),
                ..JointFile::default()
            },
        }
    }

    /// Its parent; the world if it is not said.
    pub fn parent(mut self, body: impl Into<String>) -> Self {
        self.file.parent = body.into();
        self
    }

    /// Its child.
    pub fn child(mut self, body: impl Into<String>) -> Self {
        self.file.child = body.into();
        self
    }

    /// Where it is, in the parent's frame (m); the origin if it is not said.
    pub fn anchor(mut self, point: impl Into<Vector>) -> Self {
        self.file.anchor = Some(point.into());
        self
    }

    /// Its axis, in the parent's frame, of any length; `(0, 0, 1)` if it is not said.
    pub fn axis(mut self, axis: impl Into<Vector>) -> Self {
        self.file.axis = Some(axis.into());
        self
    }

    /// x axis of its frame, perpendicular to its axis: the cross axis of a universal joint.
    pub fn x_axis(mut self, axis: impl Into<Vector>) -> Self {
        self.file.x_axis = Some(axis.into());
        self
    }

    /// Where it is in the child's frame (m); the origin if it is not said.
    pub fn child_anchor(mut self, point: impl Into<Vector>) -> Self {
        self.file.child_anchor = Some(point.into());
        self
    }

    /// How the child's frame is turned in the parent's where all coordinates are zero: about an axis by an angle (rad).
    pub fn child_turned(mut self, axis: impl Into<Vector>, angle: f64) -> Self {
        self.file.child_orientation = Some(OrientationFile::about(axis, angle));
        self
    }

    /// Anchor and axes are world coordinates at the start, where all coordinates of the joint are zero: for bodies that say
    /// themselves where they are.
    pub fn in_world(mut self) -> Self {
        self.file.in_world = true;
        self
    }

    /// Its coordinates at the start (m, rad), translations first, which place the child.
    pub fn at(mut self, coordinates: impl Into<Numbers>) -> Self {
        self.file.at = Some(coordinates.into());
        self
    }

    /// Its rates at the start (m/s, rad/s), which move the child.
    pub fn rates(mut self, rates: impl Into<Numbers>) -> Self {
        self.file.rates = Some(rates.into());
        self
    }

    /// Viscous damping of a joint that only turns (N·m·s/rad) or only slides (N·s/m).
    pub fn damping(mut self, damping: f64) -> Self {
        self.file.damping = Some(Number(damping));
        self
    }

    /// A spring on its first coordinate: stiffness (N/m or N·m/rad), and where it is relaxed (m or rad).
    pub fn spring(mut self, stiffness: f64, rest: f64) -> Self {
        self.file.springs.push(JointSpringFile {
            coordinate: 0,
            stiffness: Number(stiffness),
            rest: Number(rest),
        });
        self
    }

    /// A force (N) or torque (N·m) on its first coordinate: a number, or an expression in `t` such as `"2*sin(3*t)"`.
    pub fn motor(mut self, command: impl Into<SignalValue>) -> Self {
        self.file.actuators.push(ActuatorFile {
            command: command.into(),
            ..ActuatorFile::default()
        });
        self
    }

    /// A drive that pulls its first coordinate to a target (m or rad) like a spring (N/m or N·m/rad) and a damper
    /// (N·s/m or N·m·s/rad).
    pub fn servo(mut self, stiffness: f64, damping: f64, target: impl Into<SignalValue>) -> Self {
        self.file.actuators.push(ActuatorFile {
            pd: Some(PdFile {
                stiffness: Number(stiffness),
                damping: Number(damping),
                target: target.into(),
                ..PdFile::default()
            }),
            ..ActuatorFile::default()
        });
        self
    }

    /// Range of its first coordinate (m or rad).
    pub fn limits(mut self, lower: f64, upper: f64) -> Self {
        self.file.limits.push(LimitFile {
            lower: Some(Number(lower)),
            upper: Some(Number(upper)),
            ..LimitFile::default()
        });
        self
    }
}
