//! Whole mechanisms in code.

use super::{Body, Joint, Shape};
use crate::integrators::Written;
use crate::scene::format::{
    CableFile, ContactFile, CouplingFile, MaterialFile, SceneFile, SpringFile, WrenchFile,
};
use crate::scene::items::Items;
use crate::scene::value::{Number, OptionWord, Vector};
use crate::scene::{Scene, SceneError, SceneErrors, title};

/// A mechanism under construction, and how it is simulated.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mechanism {
    /// All fields of a scene file.
    pub file: SceneFile,
    /// Names that were given twice: kind of item, name.
    twice: Vec<(&'static str, String)>,
}

impl Mechanism {
    /// Nothing yet, in the gravity of the earth.
    pub fn new() -> Self {
        Self::default()
    }

    fn insert<T>(
        mut self,
        kind: &'static str,
        items: impl FnOnce(&mut SceneFile) -> &mut Items<T>,
        name: String,
        item: T,
    ) -> Self {
        if items(&mut self.file).insert(name.clone(), item).is_err() {
            self.twice.push((kind, name));
        }
        self
    }

    /// One more body.
    pub fn body(self, body: Body) -> Self {
        self.insert("bodies", |file| &mut file.bodies, body.name, body.file)
    }

    /// One more joint; its bodies may come later.
    pub fn joint(self, joint: Joint) -> Self {
        self.insert("joints", |file| &mut file.joints, joint.name, joint.file)
    }

    /// One more relation between joint coordinates.
    pub fn coupling(self, name: impl Into<String>, coupling: CouplingFile) -> Self {
        self.insert(
            "couplings",
            |file| &mut file.couplings,
            name.into(),
            coupling,
        )
    }

    /// One more spring or damper between two points.
    pub fn spring(self, name: impl Into<String>, spring: SpringFile) -> Self {
        self.insert("springs", |file| &mut file.springs, name.into(), spring)
    }

    /// One more rope.
    pub fn cable(self, name: impl Into<String>, cable: CableFile) -> Self {
        self.insert("cables", |file| &mut file.cables, name.into(), cable)
    }

    /// One more force and torque on a body.
    pub fn wrench(self, name: impl Into<String>, wrench: WrenchFile) -> Self {
        self.insert("wrenches", |file| &mut file.wrenches, name.into(), wrench)
    }

    /// One more shape of the world, which bodies touch where there is [contact](Self::contact).
    pub fn ground(mut self, shape: impl Into<Shape>) -> Self {
        self.file.world.push(shape.into().file);
        self
    }

    /// Shapes touch each other, all with this coefficient of friction and this coefficient of restitution (0 to 1).
    pub fn contact(self, friction: f64, restitution: f64) -> Self {
        let everywhere = MaterialFile {
            friction: Some(Number(friction)),
            restitution: Number(restitution),
            ..MaterialFile::default()
        };
        self.material("everywhere", everywhere)
    }

    /// Shapes touch each other, and this is one more material; the first is that of shapes that name none.
    pub fn material(self, name: impl Into<String>, material: MaterialFile) -> Self {
        fn materials(file: &mut SceneFile) -> &mut Items<MaterialFile> {
            let contact = file.contact.get_or_insert_with(ContactFile::default);
            &mut contact.materials
        }
        self.insert("materials", materials, name.into(), material)
    }

    /// Uniform gravity (m/s²); `(0, 0, -9.81)` if it is not said.
    pub fn gravity(mut self, gravity: impl Into<Vector>) -> Self {
        self.file.gravity = Some(gravity.into());
        self
    }

    /// The method; `variational-2` if it is not said.
    pub fn method(mut self, name: impl Into<String>) -> Self {
        self.file.integrator.method = Some(name.into());
        self
    }

    /// An option of the method.
    pub fn option(mut self, name: impl Into<String>, value: impl Into<Written>) -> Self {
        let options = &mut self.file.integrator.options;
        options.set(name, OptionWord(value.into()));
        self
    }

    /// Step size (s); 0.01 if it is not said.
    pub fn dt(mut self, dt: f64) -> Self {
        self.file.integrator.dt = Some(Number(dt));
        self
    }

    /// Newton's tolerance, relative to forces and sizes; 1e-10 if it is not said.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.file.integrator.tolerance = Some(Number(tolerance));
        self
    }

    /// The scene, put together: bodies placed by their joints, loops closed. The errors are those of a scene file, with the
    /// names of bodies and joints in their paths.
    pub fn scene(self) -> Result<Scene, SceneErrors> {
        let second = |(kind, name): (&str, String)| SceneError {
            file: title(&self.file).into(),
            path: format!("{kind}.{name}"),
            found: format!("a second item named `{name}`"),
            expected: "names that differ".into(),
            ..SceneError::default()
        };
        let mut errors: Vec<SceneError> = self.twice.into_iter().map(second).collect();
        match Scene::from_file(self.file) {
            Ok(scene) if errors.is_empty() => Ok(scene),
            Ok(_) => Err(SceneErrors(errors)),
            Err(SceneErrors(more)) => {
                errors.extend(more);
                Err(SceneErrors(errors))
            }
        }
    }
}
