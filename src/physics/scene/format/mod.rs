//! The scene file: what stands in a `.ron` file, field by field; `docs/reference/scenes.md` explains each.
//!
//! Angles are radians (a string may say degrees: `"30 deg"`), everything else is SI; the world's z axis points up.

mod body;
mod chart;
mod compliance;
mod contact;
mod force;
mod joint;
mod shape;

pub use body::{BodyFile, OrientationFile};
pub use chart::{ChartFile, SectionFile};
pub use compliance::{ComplianceFile, FoundationFile, HertzFile, JointComplianceFile};
pub use contact::{ContactFile, FRICTION, MaterialFile, PairFile};
pub use force::{
    AttachmentFile, AxesFile, CableFile, CouplingFile, SpringFile, TermFile, WrenchFile,
};
pub use joint::{ActuatorFile, JointFile, JointSpringFile, Kind, LimitFile, PdFile};
pub use shape::{
    BoxFile, EllipsoidFile, HalfSpaceFile, HeightFieldFile, HullFile, MeshFile, RoundFile,
    ShapeFile, SphereFile,
};

use super::items::Items;
use super::value::{Number, OptionWord, Vector};
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// Uniform gravity (m/s²); `(0, 0, -9.81)` if absent.
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
    /// Ropes between points by name.
    #[serde(default, skip_serializing_if = "Items::is_empty")]
    pub cables: Items<CableFile>,
    /// Forces and torques on bodies by name.
    #[serde(default, skip_serializing_if = "Items::is_empty")]
    pub wrenches: Items<WrenchFile>,
    /// Static shapes of the world; bodies touch them where there is `contact`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub world: Vec<ShapeFile>,
    /// Rules of contact; if absent, shapes pass through each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<ContactFile>,
    /// Method and settings.
    #[serde(default, skip_serializing_if = "is_default")]
    pub integrator: IntegratorFile,
    /// Where the picture is taken from; framed automatically if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<CameraFile>,
    /// Plots shown when the scene opens.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plots: Vec<Plot>,
    /// Plots of quantities of your choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charts: Vec<ChartFile>,
    /// How long a run without a window lasts if nothing else is asked for (s).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<Number>,
    /// Simulated seconds per second in the window; 1 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<Number>,
}

/// A scene of this version in which nothing is.
impl Default for SceneFile {
    fn default() -> Self {
        Self {
            version: VERSION,
            title: String::new(),
            description: String::new(),
            gravity: None,
            bodies: Items::default(),
            joints: Items::default(),
            couplings: Items::default(),
            springs: Items::default(),
            cables: Items::default(),
            wrenches: Items::default(),
            world: Vec::new(),
            contact: None,
            integrator: IntegratorFile::default(),
            camera: None,
            plots: Vec::new(),
            charts: Vec::new(),
            duration: None,
            speed: None,
        }
    }
}

/// Method and settings; what is absent has the default of the program.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntegratorFile {
    /// Name of the method; `variational-2` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Step size (s); 0.01 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dt: Option<Number>,
    /// Newton tolerance, relative to forces and sizes; 1e-10 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Number>,
    /// Most Newton iterations of one attempt at a step; 30 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u32>,
    /// `articulated` (default), `block-ldu` or `dense`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linear_solver: Option<String>,
    /// `exact` (default), or `linearised-4` with an even number of edges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<String>,
    /// Options of the method by name.
    #[serde(default, skip_serializing_if = "Items::is_empty")]
    pub options: Items<OptionWord>,
    /// An older place of the option of that name; methods that do not have it pay no heed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact_solver: Option<String>,
    /// An older place of the option of that name, which chooses that stabilisation too, or none if it is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baumgarte: Option<Number>,
}

/// Where the picture is taken from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CameraFile {
    /// Position of the camera in the world (m).
    pub eye: Vector,
    /// Point in the middle of the picture (m).
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
    /// Contact points with a force.
    Contacts,
    /// Deepest penetration and smallest gap of all contact points, logarithmic.
    Penetration,
    /// Largest product of gap and normal force, logarithmic.
    Complementarity,
    /// Energy taken by impacts, friction and dampers.
    Losses,
    /// Smallest gap of the selected body, logarithmic.
    BodyGap,
    /// Total normal force on the selected body.
    BodyForce,
}
