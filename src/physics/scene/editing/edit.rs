//! An edit as data: what it is called, and what it makes of the scene and of its state.

use super::names::Renaming;
use crate::integrators::{IntegratorInfo, Settings};
use crate::kinematics::Goal;
use crate::math::Vec3;
use crate::model::{Model, Twist};
use crate::scene::format::{
    BodyFile, CableFile, CameraFile, ChartFile, ContactFile, CouplingFile, IntegratorFile,
    JointFile, SceneFile, ShapeFile, SpringFile, WrenchFile,
};
use crate::scene::items::Items;
use crate::scene::settings;
use crate::scene::value::{Number, Vector};

/// A named change of a scene, undone and redone as a whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// What it changes, as undo shows it: `mass of link_2`.
    pub name: String,
    /// Edits of the same group that follow each other are one to undo, as while a value is dragged.
    pub group: Option<String>,
    /// What it does, in order.
    pub amendments: Vec<Amendment>,
}

/// One thing that an edit does. What names an item replaces it, adds it where there is none, or removes it.
#[derive(Debug, Clone, PartialEq)]
pub enum Amendment {
    /// Uniform gravity (m/s²).
    Gravity(Vec3),
    /// A body.
    Body(String, Option<Box<BodyFile>>),
    /// A joint.
    Joint(String, Option<Box<JointFile>>),
    /// A coupling.
    Coupling(String, Option<Box<CouplingFile>>),
    /// A spring between points.
    Spring(String, Option<Box<SpringFile>>),
    /// A cable.
    Cable(String, Option<Box<CableFile>>),
    /// A force on a body.
    Wrench(String, Option<Box<WrenchFile>>),
    /// The rules of contact, or none.
    Contact(Option<Box<ContactFile>>),
    /// Method and settings.
    Integrator(Box<IntegratorFile>),
    /// The shapes of the world.
    World(Vec<ShapeFile>),
    /// Plots of quantities.
    Charts(Vec<ChartFile>),
    /// Another name for an item, wherever the scene names it.
    Rename(Renaming),
    /// Title and description.
    Words(String, String),
    /// How long a run without a window lasts (s), and simulated seconds per second in the window; the program's own
    /// where absent.
    Pace(Option<Number>, Option<Number>),
    /// Where the picture is taken from; framed automatically if absent.
    Camera(Option<CameraFile>),
    /// Moves a body; joints pull the rest along. At the first moment this changes where the scene starts.
    Move(String, Goal),
    /// Gives a body a velocity, world axes; joints pass it on. At the first moment this changes how the scene starts.
    Push(String, Twist),
    /// Lets the scene start as it is now.
    Begin,
    /// Another text in the place of the scene's, as that of edits kept from an earlier session.
    Text(String),
}

impl Edit {
    /// An edit that stands alone.
    pub fn new(name: impl Into<String>, amendments: Vec<Amendment>) -> Self {
        Self {
            name: name.into(),
            group: None,
            amendments,
        }
    }

    /// The edit that leads from some settings of a simulation of the scene to others; `None` if they are the same.
    pub fn settings(file: &SceneFile, before: &Settings, after: &Settings) -> Option<Self> {
        let mut integrator = file.integrator.clone();
        let name = settings::write(&mut integrator, before, after)?;
        let put = Amendment::Integrator(Box::new(integrator));
        Some(Self::merging(name, vec![put]))
    }

    /// The edit that chooses a method; options that it does not have go.
    pub fn method(file: &SceneFile, info: &IntegratorInfo) -> Self {
        let mut integrator = file.integrator.clone();
        settings::choose(&mut integrator, info);
        Self::new(
            format!("integrator {}", info.name),
            vec![Amendment::Integrator(Box::new(integrator))],
        )
    }

    /// An edit that merges with those of the same name right before it.
    pub fn merging(name: impl Into<String>, amendments: Vec<Amendment>) -> Self {
        let name = name.into();
        Self {
            group: Some(name.clone()),
            name,
            amendments,
        }
    }
}

impl Amendment {
    /// What it makes of the file of a mechanism; nothing where it concerns the state.
    pub(super) fn amend(&self, file: &mut SceneFile, model: &Model) {
        match self {
            Self::Gravity(gravity) => file.gravity = Some(Vector(*gravity)),
            Self::Body(name, item) => put(&mut file.bodies, name, item),
            Self::Joint(name, item) => put(&mut file.joints, name, item),
            Self::Coupling(name, item) => put(&mut file.couplings, name, item),
            Self::Spring(name, item) => put(&mut file.springs, name, item),
            Self::Cable(name, item) => put(&mut file.cables, name, item),
            Self::Wrench(name, item) => put(&mut file.wrenches, name, item),
            Self::Contact(contact) => file.contact = contact.as_deref().cloned(),
            Self::Integrator(integrator) => file.integrator = (**integrator).clone(),
            Self::World(shapes) => file.world.clone_from(shapes),
            Self::Charts(charts) => file.charts.clone_from(charts),
            Self::Rename(renaming) => {
                renaming.put(file);
                renaming.refer(file, model);
            }
            Self::Words(title, description) => {
                file.title.clone_from(title);
                file.description.clone_from(description);
            }
            Self::Pace(duration, speed) => (file.duration, file.speed) = (*duration, *speed),
            Self::Camera(camera) => file.camera.clone_from(camera),
            Self::Move(..) | Self::Push(..) | Self::Begin | Self::Text(_) => {}
        }
    }

    /// What leaves a file as it is where this puts something; nothing where it concerns the state or the whole text.
    pub fn undoing(&self, file: &SceneFile) -> Option<Self> {
        fn item<T: Clone>(items: &Items<T>, name: &str) -> Option<Box<T>> {
            items.get(name).cloned().map(Box::new)
        }
        Some(match self {
            Self::Body(name, _) => Self::Body(name.clone(), item(&file.bodies, name)),
            Self::Joint(name, _) => Self::Joint(name.clone(), item(&file.joints, name)),
            Self::Coupling(name, _) => Self::Coupling(name.clone(), item(&file.couplings, name)),
            Self::Spring(name, _) => Self::Spring(name.clone(), item(&file.springs, name)),
            Self::Cable(name, _) => Self::Cable(name.clone(), item(&file.cables, name)),
            Self::Wrench(name, _) => Self::Wrench(name.clone(), item(&file.wrenches, name)),
            Self::Contact(_) => Self::Contact(file.contact.clone().map(Box::new)),
            Self::Integrator(_) => Self::Integrator(Box::new(file.integrator.clone())),
            Self::World(_) => Self::World(file.world.clone()),
            Self::Charts(_) => Self::Charts(file.charts.clone()),
            Self::Words(..) => Self::Words(file.title.clone(), file.description.clone()),
            Self::Pace(..) => Self::Pace(file.duration, file.speed),
            Self::Camera(_) => Self::Camera(file.camera.clone()),
            Self::Gravity(_)
            | Self::Rename(_)
            | Self::Move(..)
            | Self::Push(..)
            | Self::Begin
            | Self::Text(_) => return None,
        })
    }

    /// Whether this and another put something in the same place, so that the later counts.
    pub fn concerns_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Body(a, _), Self::Body(b, _))
            | (Self::Joint(a, _), Self::Joint(b, _))
            | (Self::Coupling(a, _), Self::Coupling(b, _))
            | (Self::Spring(a, _), Self::Spring(b, _))
            | (Self::Cable(a, _), Self::Cable(b, _))
            | (Self::Wrench(a, _), Self::Wrench(b, _))
            | (Self::Push(a, _), Self::Push(b, _)) => a == b,
            (
                Self::Move(a, Goal::Point { point: p, .. }),
                Self::Move(b, Goal::Point { point: q, .. }),
            ) => a == b && p == q,
            (Self::Move(a, from), Self::Move(b, to)) => {
                a == b && std::mem::discriminant(from) == std::mem::discriminant(to)
            }
            (Self::Rename(_), _) | (Self::Begin, _) => false,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// Whether it needs no saving: method and settings are chosen anew, and the window itself keeps plots.
    pub(super) fn is_fleeting(&self) -> bool {
        matches!(self, Self::Integrator(_) | Self::Charts(_))
    }

    /// Whether it changes the state and not the mechanism.
    pub(super) fn concerns_state(&self) -> bool {
        matches!(self, Self::Move(..) | Self::Push(..))
    }
}

fn put<T: Clone>(items: &mut Items<T>, name: &str, item: &Option<Box<T>>) {
    match item {
        Some(item) => items.set(name, (**item).clone()),
        None => {
            items.remove(name);
        }
    }
}
