//! What is selected.

use physics::model::{BodyId, ContactKey, JointId, Model};
use physics::scene::editing::Section;

/// What is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// A body.
    Body(BodyId),
    /// A joint.
    Joint(JointId),
    /// A cable, by its place in the model.
    Cable(usize),
    /// A spring between points, by its place among the forces of the model.
    Spring(usize),
    /// A contact point, as long as its shapes are near each other.
    Contact(ContactKey),
    /// A force on a body, by its place among the forces of the model.
    Wrench(usize),
    /// A relation between joint coordinates, by its place in the model.
    Coupling(usize),
}

impl Selection {
    /// The section and the name of what is selected.
    pub fn name(self, model: &Model) -> Option<(Section, &str)> {
        Some(match self {
            Self::Body(BodyId(k)) => (Section::Bodies, &model.bodies.get(k)?.name),
            Self::Joint(JointId(k)) => (Section::Joints, &model.joints.get(k)?.name),
            Self::Cable(k) => (Section::Cables, &model.cables.get(k)?.name),
            Self::Coupling(k) => (Section::Couplings, &model.couplings.get(k)?.name),
            Self::Spring(k) => (Section::Springs, model.forces.get(k)?.name()),
            Self::Wrench(k) => (Section::Wrenches, model.forces.get(k)?.name()),
            // It has no name, and an edit may be the end of it.
            Self::Contact(_) => return None,
        })
    }

    /// The item of that name.
    pub fn find(model: &Model, section: Section, name: &str) -> Option<Self> {
        let force = || {
            let is_wrench = section == Section::Wrenches;
            let mut forces = model.forces.iter();
            forces.position(|f| f.name() == name && f.is_wrench() == is_wrench)
        };
        match section {
            Section::Bodies => model.body(name).map(Self::Body),
            Section::Joints => model.joint(name).map(Self::Joint),
            Section::Couplings => {
                let at = model.couplings.iter().position(|c| c.name == name);
                at.map(Self::Coupling)
            }
            Section::Cables => {
                let at = model.cables.iter().position(|c| c.name == name);
                at.map(Self::Cable)
            }
            Section::Springs => force().map(Self::Spring),
            Section::Wrenches => force().map(Self::Wrench),
            Section::Materials => None,
        }
    }

    /// The same item of another model, by name.
    pub fn moved(self, before: &Model, after: &Model) -> Option<Self> {
        let (section, name) = self.name(before)?;
        Self::find(after, section, name)
    }
}
