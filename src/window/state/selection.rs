//! What is selected: an item of the scene, or a contact.

use physics::math::{Pose, Vec3};
use physics::model::{Attachment, BodyId, ContactKey, Force, JointId, Model};
use physics::scene::editing::Section;

/// An item of the scene: a section and a place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub section: Section,
    /// Its place in the model; of springs and wrenches, which are both forces there, its place among the forces.
    pub place: usize,
}

impl Item {
    /// The sections whose items can be selected, in the order in which they are listed, with their titles.
    pub const SECTIONS: [(Section, &'static str); 6] = [
        (Section::Bodies, "Bodies"),
        (Section::Joints, "Joints"),
        (Section::Couplings, "Couplings"),
        (Section::Springs, "Springs"),
        (Section::Cables, "Cables"),
        (Section::Wrenches, "Forces"),
    ];

    /// A body.
    pub fn body(BodyId(place): BodyId) -> Self {
        Self {
            section: Section::Bodies,
            place,
        }
    }

    /// A joint.
    pub fn joint(JointId(place): JointId) -> Self {
        Self {
            section: Section::Joints,
            place,
        }
    }

    /// All items of a section with their names.
    pub fn all(model: &Model, section: Section) -> Vec<(Self, &str)> {
        let names: Vec<(usize, &str)> = match section {
            Section::Bodies => placed(&model.bodies, |b| &b.name),
            Section::Joints => placed(&model.joints, |j| &j.name),
            Section::Couplings => placed(&model.couplings, |c| &c.name),
            Section::Cables => placed(&model.cables, |c| &c.name),
            Section::Springs | Section::Wrenches => {
                let wrenches = section == Section::Wrenches;
                let mut forces = placed(&model.forces, Force::name);
                forces.retain(|(place, _)| model.forces[*place].is_wrench() == wrenches);
                forces
            }
            Section::Materials => Vec::new(),
        };
        let item = |(place, name)| (Self { section, place }, name);
        names.into_iter().map(item).collect()
    }

    /// Its name; none if it is not there.
    pub fn name(self, model: &Model) -> Option<&str> {
        let place = self.place;
        match self.section {
            Section::Bodies => model.bodies.get(place).map(|b| b.name.as_str()),
            Section::Joints => model.joints.get(place).map(|j| j.name.as_str()),
            Section::Couplings => model.couplings.get(place).map(|c| c.name.as_str()),
            Section::Cables => model.cables.get(place).map(|c| c.name.as_str()),
            Section::Springs | Section::Wrenches => model.forces.get(place).map(Force::name),
            Section::Materials => None,
        }
    }

    /// The item of that name.
    pub fn find(model: &Model, section: Section, name: &str) -> Option<Self> {
        let mut all = Self::all(model, section).into_iter();
        all.find(|(_, called)| *called == name)
            .map(|(item, _)| item)
    }

    /// Where it is with the bodies at `poses`: the middle of what lies between two points, and for a coupling where its
    /// first joint is.
    pub fn position(self, model: &Model, poses: &[Pose]) -> Option<Vec3> {
        let at = |body: Option<BodyId>, point: &Vec3| match body {
            Some(body) => Some((poses.get(body.0)? * nalgebra::Point3::from(*point)).coords),
            None => Some(*point),
        };
        let middle = |ends: &[Attachment; 2]| {
            let [a, b] = ends;
            Some((at(a.body, &a.point)? + at(b.body, &b.point)?) / 2.0)
        };
        let place = self.place;
        match self.section {
            Section::Bodies => Some(poses.get(place)?.translation.vector),
            Section::Joints => {
                let joint = model.joints.get(place)?;
                at(Some(joint.child), &joint.child_frame.anchor)
            }
            Section::Couplings => {
                let joint = model.couplings.get(place)?.terms.first()?.joint;
                Self::joint(joint).position(model, poses)
            }
            Section::Cables => middle(&model.cables.get(place)?.ends),
            Section::Springs | Section::Wrenches => match model.forces.get(place)? {
                Force::Spring { ends, .. } => middle(ends),
                Force::Wrench { body, point, .. } => at(Some(*body), point),
            },
            Section::Materials => None,
        }
    }

    /// The body that it is, moves or holds; of two the first.
    pub fn held_body(self, model: &Model) -> Option<BodyId> {
        let first = |ends: &[Attachment; 2]| ends.iter().find_map(|e| e.body);
        let place = self.place;
        match self.section {
            Section::Bodies => Some(BodyId(place)),
            Section::Joints => Some(model.joints.get(place)?.child),
            Section::Couplings => {
                let joint = model.couplings.get(place)?.terms.first()?.joint;
                Self::joint(joint).held_body(model)
            }
            Section::Cables => first(&model.cables.get(place)?.ends),
            Section::Springs | Section::Wrenches => match model.forces.get(place)? {
                Force::Spring { ends, .. } => first(ends),
                Force::Wrench { body, .. } => Some(*body),
            },
            Section::Materials => None,
        }
    }
}

/// Places and names.
fn placed<T>(items: &[T], name: impl Fn(&T) -> &str) -> Vec<(usize, &str)> {
    items.iter().map(name).enumerate().collect()
}

/// What is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// An item of the scene.
    Item(Item),
    /// A contact point, as long as its shapes are near each other. It has no name, and an edit may be the end of it.
    Contact(ContactKey),
}

impl Selection {
    /// A body.
    pub fn body(body: BodyId) -> Self {
        Self::Item(Item::body(body))
    }

    /// A joint.
    pub fn joint(joint: JointId) -> Self {
        Self::Item(Item::joint(joint))
    }

    /// An item by its section and its place in the model.
    pub fn item(section: Section, place: usize) -> Self {
        Self::Item(Item { section, place })
    }

    /// The item, if it is one.
    pub fn as_item(self) -> Option<Item> {
        match self {
            Self::Item(item) => Some(item),
            Self::Contact(_) => None,
        }
    }

    /// The contact, if it is one.
    pub fn as_contact(self) -> Option<ContactKey> {
        match self {
            Self::Contact(key) => Some(key),
            Self::Item(_) => None,
        }
    }

    /// The body, if it is one.
    pub fn as_body(self) -> Option<BodyId> {
        let item = self.as_item()?;
        (item.section == Section::Bodies).then_some(BodyId(item.place))
    }

    /// The joint, if it is one.
    pub fn as_joint(self) -> Option<JointId> {
        let item = self.as_item()?;
        (item.section == Section::Joints).then_some(JointId(item.place))
    }

    /// Whether it is in a model. Contacts come and go.
    pub fn is_there(self, model: &Model) -> bool {
        match self {
            Self::Item(item) => item.name(model).is_some(),
            Self::Contact(_) => model.contact.is_some(),
        }
    }

    /// The same item of another model, by name.
    pub fn moved(self, before: &Model, after: &Model) -> Option<Self> {
        let item = self.as_item()?;
        let name = item.name(before)?;
        Item::find(after, item.section, name).map(Self::Item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::scene;

    /// Two wheels whose turns are coupled.
    const GEARED: &str = r#"(version: 1,
        bodies: {
            "small": (mass: 1, shape: (sphere: (radius: 0.1))),
            "large": (mass: 1, shape: (sphere: (radius: 0.1)), position: (1, 0, 0)),
        },
        joints: {
            "first": (kind: revolute, child: "small"),
            "second": (kind: revolute, child: "large", anchor: (1, 0, 0), in_world: true),
        },
        couplings: { "mesh": (gear: ("first", "second"), ratio: 2) },
    )"#;

    #[test]
    fn every_item_of_a_scene_is_found_by_its_name_and_has_a_place() {
        let mut seen = [false; Item::SECTIONS.len()];
        let shipped = ["rotor", "brick_wall", "flyball_governor"];
        let shipped = shipped.map(|name| (name, scene::open(name, &[])));
        let geared = ("geared", scene::from_text("geared", GEARED, &[]));
        for (name, opened) in shipped.into_iter().chain([geared]) {
            let opened = opened.unwrap();
            let model = &opened.model;
            let poses: Vec<Pose> = (0..model.bodies.len())
                .map(|k| Pose::translation(k as f64, 0.0, 0.0))
                .collect();
            for (k, (section, title)) in Item::SECTIONS.into_iter().enumerate() {
                for (item, called) in Item::all(model, section) {
                    seen[k] = true;
                    assert_eq!(item.name(model), Some(called), "{name}, {title}");
                    assert_eq!(Item::find(model, section, called), Some(item));
                    let at = item.position(model, &poses).expect(called);
                    assert!(at.iter().all(|x| x.is_finite()), "{name}: {called}");
                    let body = item.held_body(model);
                    assert!(body.is_some_and(|b| b.0 < poses.len()), "{name}: {called}");
                    let selected = Selection::Item(item);
                    assert!(selected.is_there(model));
                    assert_eq!(selected.moved(model, model), Some(selected));
                }
                let none = Selection::item(section, usize::MAX);
                assert!(!none.is_there(model) && none.moved(model, model).is_none());
            }
            assert_eq!(Item::all(model, Section::Materials), []);
        }
        assert_eq!(seen, [true; Item::SECTIONS.len()], "each kind is there");
    }
}
