//! The scene file: what stands in a `.ron` file, field by field; `docs/scenes.md` explains each.
//!
//! Angles are radians (a string may say degrees: `"30 deg"`), everything else is SI; the world's z axis points up.

use super::items::Items;
use super::value::{ColourValue, Number, Numbers, SignalValue, Signals, Tensor, Vector};
use serde::{Deserialize, Serialize};

/// Version of the format that this program reads and writes.
pub const VERSION: u32 = 1;

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn world() -> String {
    "world".into()
}

fn is_world(name: &String) -> bool {
    name == "world"
}

/// A scene.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneFile {
    /// Version of the format: 1.
    pub version: u32,
    /// Name shown to people; the scene's own name if empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// One line on what there is to see.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Uniform gravity [m/s²]; `(0, 0, -9.81)` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gravity: Option<Vector>,
    /// Rigid bodies by name.
    #[serde(default)]
    pub bodies: Items<BodyFile>,
    /// Joints by name.
    #[serde(default, skip_serializing_if = "Items::is_empty")]
    pub joints: Items<JointFile>,
    /// Relations between joint coordinates by name.
    #[serde(default, skip_serializing_if = "Items::is_empty")]
    pub couplings: Items<CouplingFile>,
    /// Springs and dampers between points by name.
    #[serde(default, skip_serializing_if = "Items::is_empty")]
    pub springs: Items<SpringFile>,
    /// Forces and torques on bodies by name.
    #[serde(default, skip_serializing_if = "Items::is_empty")]
    pub wrenches: Items<WrenchFile>,
    /// Static shapes of the world, drawn only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub world: Vec<ShapeFile>,
    /// Method and settings.
    #[serde(default, skip_serializing_if = "is_default")]
    pub integrator: IntegratorFile,
    /// Where the picture is taken from; framed automatically if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<CameraFile>,
    /// Plots shown when the scene opens.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plots: Vec<Plot>,
    /// How long a run without a window lasts if nothing else is asked for [s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<Number>,
    /// Simulated seconds per second in the window; 1 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<Number>,
}

/// A rigid body. Its frame is where the author finds it handy; the centre of mass follows from shapes or `centre`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyFile {
    /// Mass [kg]; from the density of the shapes if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Number>,
    /// Density of shapes without their own mass or density [kg/m³]; 1000 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Number>,
    /// Inertia about the centre of mass, body axes [kg·m²]; from the shapes if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<Tensor>,
    /// Centre of mass in the body's frame [m]; from the shapes if absent, the origin if `inertia` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre: Option<Vector>,
    /// The only shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<ShapeFile>,
    /// Several shapes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeFile>,
    /// Origin of the body's frame in the world at the start [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Vector>,
    /// Orientation of the body's frame in the world at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation: Option<OrientationFile>,
    /// Velocity of the frame's origin at the start, world axes [m/s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vector>,
    /// Angular velocity at the start, world axes [rad/s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<Vector>,
    /// Angular velocity at the start, body axes [rad/s], instead of `angular_velocity`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<Vector>,
    /// Colour of shapes without their own; neighbours get different ones if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<ColourValue>,
}

/// One solid piece; exactly one of `sphere`, `box`, `cylinder`, `capsule`, `cone`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShapeFile {
    /// Ball.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sphere: Option<SphereFile>,
    /// Box.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub cuboid: Option<BoxFile>,
    /// Cylinder along its z axis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cylinder: Option<RoundFile>,
    /// Cylinder along its z axis with hemispherical ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capsule: Option<RoundFile>,
    /// Cone along its z axis; its centre is its centroid, a quarter of the height above the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cone: Option<RoundFile>,
    /// Centre in the body's frame [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Vector>,
    /// Orientation in the body's frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation: Option<OrientationFile>,
    /// Lower end of the axis of a cylinder, capsule or cone [m], instead of `at` and `orientation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Vector>,
    /// Upper end of the axis, a cone's tip [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Vector>,
    /// Mass [kg]; 0 for a piece that is only drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Number>,
    /// Density [kg/m³].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Number>,
    /// Colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<ColourValue>,
}

/// A ball.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SphereFile {
    /// Radius [m].
    pub radius: Number,
}

/// A box.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxFile {
    /// Edge lengths along x, y and z [m].
    pub size: Vector,
}

/// A cylinder, capsule or cone.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundFile {
    /// Radius [m].
    pub radius: Number,
    /// Length along the axis [m]; a capsule's caps come on top. Absent where `from` and `to` say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Number>,
}

/// An orientation: `axis` and `angle`, or `euler`, or `quaternion`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrientationFile {
    /// Axis of the rotation; need not be a unit vector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<Vector>,
    /// Angle about the axis [rad].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<Number>,
    /// Rotations about the fixed x, y and z axes, in this order [rad].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub euler: Option<Vector>,
    /// Quaternion (w, x, y, z); is normalised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quaternion: Option<Numbers>,
}

/// A joint between two bodies or a body and the world.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointFile {
    /// What is free.
    pub kind: Kind,
    /// Parent body, or `world`.
    #[serde(default = "world", skip_serializing_if = "is_world")]
    pub parent: String,
    /// Child body.
    pub child: String,
    /// Anchor in the parent's frame [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Vector>,
    /// Joint axis (z axis of the joint frame) in the parent's frame; `(0, 0, 1)` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<Vector>,
    /// x axis of the joint frame, perpendicular to `axis`: the child's cross axis of a universal joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x_axis: Option<Vector>,
    /// Anchor in the child's frame [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child_anchor: Option<Vector>,
    /// Orientation of the child's frame in the parent's where all coordinates are zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child_orientation: Option<OrientationFile>,
    /// `anchor`, `axis` and `x_axis` are world coordinates at the start, where all joint coordinates are zero.
    #[serde(default, skip_serializing_if = "is_default")]
    pub in_world: bool,
    /// Coordinates at the start [m, rad], which place the child.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Numbers>,
    /// Rates at the start [m/s, rad/s], which move the child.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rates: Option<Numbers>,
    /// Viscous damping of the free coordinates of a joint that only turns [N·m·s/rad] or only slides [N·s/m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Number>,
    /// Viscous damping of the free translations [N·s/m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping_translation: Option<Number>,
    /// Viscous damping of the free rotations [N·m·s/rad].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping_rotation: Option<Number>,
    /// Springs on coordinates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub springs: Vec<JointSpringFile>,
    /// Drives on coordinates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actuators: Vec<ActuatorFile>,
}

/// Kinds of joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Nothing moves.
    #[default]
    Fixed,
    /// Slides along the axis.
    Prismatic,
    /// Slides in the plane normal to the axis, does not turn.
    Planar,
    /// Translates freely, does not turn.
    FixedOrientation,
    /// Turns about the axis.
    Revolute,
    /// Slides along and turns about the axis.
    Cylindrical,
    /// Slides in the plane normal to the axis and turns about the axis.
    PlanarAxis,
    /// Cardan joint: turns about the axis, then about the child's cross axis.
    Universal,
    /// Turns freely about the anchor.
    Spherical,
    /// The child's anchor stays on the axis.
    PointOnLine,
    /// The child's anchor stays in the plane normal to the axis.
    PointOnPlane,
    /// No constraint.
    Floating,
}

/// A spring on one joint coordinate.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointSpringFile {
    /// Which coordinate, counted from 0, translations first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub coordinate: usize,
    /// [N/m] or [N·m/rad].
    pub stiffness: Number,
    /// Coordinate at which it is relaxed [m or rad].
    #[serde(default, skip_serializing_if = "is_default")]
    pub rest: Number,
}

/// A drive on one joint coordinate.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActuatorFile {
    /// Which coordinate, counted from 0, translations first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub coordinate: usize,
    /// Feed-forward force [N] or torque [N·m].
    #[serde(default, skip_serializing_if = "is_default")]
    pub command: SignalValue,
    /// Proportional-derivative law, added to the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pd: Option<PdFile>,
    /// Bound on the magnitude of the sum [N or N·m]; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Number>,
}

/// A proportional-derivative law.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PdFile {
    /// [N/m or N·m/rad].
    pub stiffness: Number,
    /// [N·s/m or N·m·s/rad].
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: Number,
    /// Wanted coordinate [m or rad].
    #[serde(default, skip_serializing_if = "is_default")]
    pub target: SignalValue,
    /// Wanted rate [m/s or rad/s].
    #[serde(default, skip_serializing_if = "is_default")]
    pub rate: SignalValue,
}

/// A relation between joint coordinates; exactly one of `screw`, `gear`, `rack`, `terms`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CouplingFile {
    /// Cylindrical joint that moves along its axis as it turns; needs `pitch`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screw: Option<String>,
    /// Advance per turn of a screw [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pitch: Option<Number>,
    /// Two joints, the first of which turns `ratio` times as fast as the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gear: Option<(String, String)>,
    /// Turns of the first joint per turn of the second; negative for opposite senses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<Number>,
    /// A joint that turns (the pinion) and a joint that slides (the rack); needs `radius`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack: Option<(String, String)>,
    /// Displacement of the rack per radian of the pinion [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number>,
    /// Any linear relation: the sum of factor times coordinate keeps its first value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<TermFile>,
}

/// One term of a linear relation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermFile {
    /// The joint.
    pub joint: String,
    /// Which coordinate, counted from 0, translations first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub coordinate: usize,
    /// Factor of the coordinate.
    pub factor: Number,
}

/// A spring and damper along the line between two points.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpringFile {
    /// One end.
    pub from: AttachmentFile,
    /// The other end.
    pub to: AttachmentFile,
    /// [N/m].
    #[serde(default, skip_serializing_if = "is_default")]
    pub stiffness: Number,
    /// Length at which it is relaxed [m]; the length at the start if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<Number>,
    /// Damping along the line [N·s/m].
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: Number,
}

/// A point of a body or of the world.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttachmentFile {
    /// The body, or `world`.
    #[serde(default = "world", skip_serializing_if = "is_world")]
    pub body: String,
    /// The point in the body's frame, or in the world [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Vector>,
}

/// A force and a torque on a body.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrenchFile {
    /// The body.
    pub body: String,
    /// Point of attack in the body's frame [m]; the centre of mass if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Vector>,
    /// Axes of force and torque: `world` (default) or `body`, which turn with it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axes: AxesFile,
    /// Force along the three axes [N].
    #[serde(default, skip_serializing_if = "is_default")]
    pub force: Signals,
    /// Torque about the three axes [N·m].
    #[serde(default, skip_serializing_if = "is_default")]
    pub torque: Signals,
}

/// Axes in which a wrench is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AxesFile {
    /// World axes.
    #[default]
    World,
    /// The body's own axes.
    Body,
}

/// Method and settings; what is absent has the default of the program.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntegratorFile {
    /// Name of the method; `variational-2` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Step size [s]; 0.01 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dt: Option<Number>,
    /// Newton tolerance [N, N·m, m, rad]; 1e-10 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Number>,
    /// Most Newton iterations of one attempt at a step; 30 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u32>,
    /// `articulated` (default), `block-ldu` or `dense`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linear_solver: Option<String>,
    /// Rate of Baumgarte stabilisation of acceleration-level methods [1/s]; 0 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baumgarte: Option<Number>,
}

/// Where the picture is taken from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CameraFile {
    /// Position of the camera in the world [m].
    pub eye: Vector,
    /// Point in the middle of the picture [m].
    pub target: Vector,
    /// Direction that points up in the picture; `(0, 0, 1)` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up: Option<Vector>,
}

/// A plot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Plot {
    /// Kinetic, potential and total energy.
    Energy,
    /// Error of the total energy.
    EnergyError,
    /// Joint drift in position and angle, logarithmic.
    Drift,
    /// Newton iterations per step.
    Iterations,
    /// Final residual per step, logarithmic.
    Residual,
    /// Residual against iteration of the last step.
    Newton,
    /// Linear and angular momentum.
    Momentum,
}
