//! Another name for an item: everything in the file that names it follows, and what runs goes on.

use super::patch;
use crate::diagnostics::{Owner, Quantity};
use crate::model::{Force, Model};
use crate::scene::error::Problem;
use crate::scene::format::SceneFile;
use crate::scene::items::Items;
use crate::scene::spans;

/// Kinds of items that have names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// Bodies.
    Bodies,
    /// Joints.
    Joints,
    /// Relations between joint coordinates.
    Couplings,
    /// Springs between points.
    Springs,
    /// Cables.
    Cables,
    /// Forces on bodies.
    Wrenches,
    /// Materials of the rules of contact.
    Materials,
}

impl Section {
    /// Where its items stand in the file.
    pub fn path(self) -> &'static [&'static str] {
        match self {
            Self::Bodies => &["bodies"],
            Self::Joints => &["joints"],
            Self::Couplings => &["couplings"],
            Self::Springs => &["springs"],
            Self::Cables => &["cables"],
            Self::Wrenches => &["wrenches"],
            Self::Materials => &["contact", "materials"],
        }
    }

    /// The word for one of its items.
    pub fn word(self) -> &'static str {
        match self {
            Self::Bodies => "body",
            Self::Joints => "joint",
            Self::Couplings => "coupling",
            Self::Springs => "spring",
            Self::Cables => "cable",
            Self::Wrenches => "force",
            Self::Materials => "material",
        }
    }
}

/// An item and the name that it gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renaming {
    /// What it is.
    pub section: Section,
    /// What it is called.
    pub from: String,
    /// What it will be called.
    pub to: String,
}

impl Renaming {
    /// Why it cannot be called so, if it cannot.
    pub(super) fn refusal(&self, file: &SceneFile) -> Option<Problem> {
        let wrong = |found: String, expected: &str| {
            let item = [self.section.path(), &[self.from.as_str(), "name"]].concat();
            Some(Problem::new(&item, found, expected))
        };
        let word = self.section.word();
        let Self { to, from, .. } = self;
        if to.is_empty() || to.contains(['.', '[', ']', '"']) {
            return wrong(
                format!("the name `{to}`"),
                "a name without dots, brackets and quotes",
            );
        }
        if self.section == Section::Bodies && to == "world" {
            return wrong(
                "a body named `world`".into(),
                "another name; `world` is the ground",
            );
        }
        if !self.is_there(file, from) {
            return wrong(
                format!("no {word} named `{from}`"),
                "the name of one that is there",
            );
        }
        if self.is_there(file, to) {
            return wrong(
                format!("`{to}`, as another {word} is called"),
                "a name that none has",
            );
        }
        None
    }

    fn is_there(&self, file: &SceneFile, name: &str) -> bool {
        match self.section {
            Section::Bodies => file.bodies.get(name).is_some(),
            Section::Joints => file.joints.get(name).is_some(),
            Section::Couplings => file.couplings.get(name).is_some(),
            Section::Springs => file.springs.get(name).is_some(),
            Section::Cables => file.cables.get(name).is_some(),
            Section::Wrenches => file.wrenches.get(name).is_some(),
            Section::Materials => {
                let contact = file.contact.as_ref();
                contact.is_some_and(|c| c.materials.get(name).is_some())
            }
        }
    }

    /// Gives the item its name; what refers to it still has the old one.
    pub(super) fn put(&self, file: &mut SceneFile) {
        fn call<T>(items: &mut Items<T>, renaming: &Renaming) {
            items.rename(&renaming.from, &renaming.to);
        }
        match self.section {
            Section::Bodies => call(&mut file.bodies, self),
            Section::Joints => call(&mut file.joints, self),
            Section::Couplings => call(&mut file.couplings, self),
            Section::Springs => call(&mut file.springs, self),
            Section::Cables => call(&mut file.cables, self),
            Section::Wrenches => call(&mut file.wrenches, self),
            Section::Materials => {
                if let Some(contact) = &mut file.contact {
                    call(&mut contact.materials, self);
                }
            }
        }
    }

    /// Lets everything that refers to the item use its new name. `model` is the mechanism before.
    pub(super) fn refer(&self, file: &mut SceneFile, model: &Model) {
        let to = |name: &mut String| {
            if *name == self.from {
                name.clone_from(&self.to);
            }
        };
        match self.section {
            Section::Bodies => {
                file.joints.change(|joint| {
                    to(&mut joint.parent);
                    to(&mut joint.child);
                });
                file.springs.change(|spring| {
                    to(&mut spring.from.body);
                    to(&mut spring.to.body);
                });
                file.cables.change(|cable| {
                    to(&mut cable.ends.0.body);
                    to(&mut cable.ends.1.body);
                });
                file.wrenches.change(|wrench| to(&mut wrench.body));
                for (a, b) in file.contact.iter_mut().flat_map(|c| &mut c.apart) {
                    to(a);
                    to(b);
                }
            }
            Section::Joints => file.couplings.change(|coupling| {
                coupling.screw.iter_mut().for_each(to);
                for (a, b) in coupling.gear.iter_mut().chain(&mut coupling.rack) {
                    to(a);
                    to(b);
                }
                coupling.terms.iter_mut().for_each(|t| to(&mut t.joint));
            }),
            Section::Materials => {
                for pair in file.contact.iter_mut().flat_map(|c| &mut c.pairs) {
                    to(&mut pair.materials.0);
                    to(&mut pair.materials.1);
                }
                file.bodies.change(|body| {
                    body.material.iter_mut().for_each(to);
                    let shapes = body.shape.iter_mut().chain(&mut body.shapes);
                    shapes.for_each(|s| s.material.iter_mut().for_each(to));
                });
                let shapes = file.world.iter_mut();
                shapes.for_each(|s| s.material.iter_mut().for_each(to));
            }
            Section::Couplings | Section::Springs | Section::Cables | Section::Wrenches => {}
        }
        let quantity = |name: &mut String| {
            if let Some(new) = self.quantity(name, model) {
                *name = new;
            }
        };
        for chart in &mut file.charts {
            quantity(&mut chart.x);
            chart.curves.iter_mut().for_each(quantity);
            chart
                .section
                .iter_mut()
                .for_each(|section| quantity(&mut section.of));
        }
    }

    /// What a quantity is called afterwards; none if its name stays.
    fn quantity(&self, name: &str, model: &Model) -> Option<String> {
        let quantity = Quantity::named(name, model)?;
        if quantity.owner == Owner::Run {
            return None;
        }
        let mut after = model.clone();
        let named = |name: &mut String| {
            if *name == self.from {
                name.clone_from(&self.to);
            }
        };
        match self.section {
            Section::Bodies => after.bodies.iter_mut().for_each(|b| named(&mut b.name)),
            Section::Joints => after.joints.iter_mut().for_each(|j| named(&mut j.name)),
            Section::Cables => after.cables.iter_mut().for_each(|c| named(&mut c.name)),
            _ => return None,
        }
        Some(quantity.name(&after))
    }

    /// The author's text with the item's name replaced where the item stands; none if it is not found there.
    pub(super) fn write(&self, text: &str) -> Option<String> {
        let root = spans::scan(text)?;
        let path: Vec<String> = self.section.path().iter().map(|p| (*p).into()).collect();
        let items = root.at(&path)?.entries();
        let entry = items.iter().find(|e| e.key == self.from)?;
        let span = entry.key_span.clone();
        let name = format!("{:?}", self.to);
        Some([&text[..span.start], &name, &text[span.end..]].concat())
    }
}

/// A scene's text with items renamed, and the file that it then is, references aside; none where the text cannot be
/// rewritten so.
pub(super) fn renamed_text<'a>(
    text: &str,
    file: &SceneFile,
    renamings: impl Iterator<Item = &'a Renaming>,
) -> Option<(String, SceneFile)> {
    let mut out = (text.to_owned(), file.clone());
    for renaming in renamings {
        out.0 = renaming.write(&out.0)?;
        renaming.put(&mut out.1);
    }
    Some(out)
}

/// The text of a scene in which items were renamed, and perhaps more was changed.
pub(super) fn patched<'a>(
    text: &str,
    before: &SceneFile,
    after: &SceneFile,
    renamings: impl Iterator<Item = &'a Renaming>,
) -> patch::Patched {
    match renamed_text(text, before, renamings) {
        Some((text, file)) => patch::patch(&text, &file, after),
        None => patch::patch(text, before, after),
    }
}

/// The mechanism before under the names of the one after, if nothing but names differs.
pub fn renamed(before: &Model, after: &Model) -> Option<Model> {
    let counts = |m: &Model| {
        let materials = m.contact.as_ref().map(|c| c.materials.len());
        (
            [m.bodies.len(), m.joints.len(), m.couplings.len()],
            [m.forces.len(), m.cables.len()],
            materials,
        )
    };
    if names(before).eq(names(after)) || counts(before) != counts(after) {
        return None;
    }
    let mut out = before.clone();
    for (old, new) in out.bodies.iter_mut().zip(&after.bodies) {
        old.name.clone_from(&new.name);
    }
    for (old, new) in out.joints.iter_mut().zip(&after.joints) {
        old.name.clone_from(&new.name);
    }
    for (old, new) in out.couplings.iter_mut().zip(&after.couplings) {
        old.name.clone_from(&new.name);
    }
    for (old, new) in out.forces.iter_mut().zip(&after.forces) {
        match (old, new) {
            (Force::Spring { name: old, .. }, Force::Spring { name, .. })
            | (Force::Wrench { name: old, .. }, Force::Wrench { name, .. }) => old.clone_from(name),
            _ => return None,
        }
    }
    for (old, new) in out.cables.iter_mut().zip(&after.cables) {
        old.name.clone_from(&new.name);
    }
    if let (Some(old), Some(new)) = (&mut out.contact, &after.contact) {
        for (old, new) in old.materials.iter_mut().zip(&new.materials) {
            old.name.clone_from(&new.name);
        }
    }
    (out == *after).then_some(out)
}

/// All names of a model.
fn names(model: &Model) -> impl Iterator<Item = &str> {
    let bodies = model.bodies.iter().map(|b| b.name.as_str());
    let joints = model.joints.iter().map(|j| j.name.as_str());
    let couplings = model.couplings.iter().map(|c| c.name.as_str());
    let cables = model.cables.iter().map(|c| c.name.as_str());
    let materials = model.contact.iter().flat_map(|c| &c.materials);
    bodies
        .chain(joints)
        .chain(couplings)
        .chain(cables)
        .chain(materials.map(|m| m.name.as_str()))
        .chain(model.forces.iter().map(Force::name))
}
