//! Edits that copy items, and that add forces and couplings.

use super::begin::orientation;
use super::compose::{free_name, tidy};
use super::edit::{Amendment, Edit};
use super::names::Section;
use crate::math::Vec3;
use crate::model::{BodyId, State};
use crate::scene::Scene;
use crate::scene::format::{BodyFile, CouplingFile, JointFile, SceneFile, TermFile, WrenchFile};
use crate::scene::items::Items;
use crate::scene::value::{Number, Vector};

/// A copy of an item. A body stands beside the one it was copied from, a joint takes a copy of its child along. Gives
/// its name too; `None` where there is nothing of the kind to copy.
pub fn duplicate(
    scene: &Scene,
    state: &State,
    section: Section,
    name: &str,
) -> Option<(String, Edit)> {
    let file = &scene.file;
    match section {
        Section::Bodies => duplicate_body(scene, state, scene.model.body(name)?),
        Section::Joints => duplicate_joint(scene, name),
        Section::Springs => copy(&file.springs, name, Amendment::Spring),
        Section::Cables => copy(&file.cables, name, Amendment::Cable),
        Section::Wrenches => copy(&file.wrenches, name, Amendment::Wrench),
        Section::Couplings | Section::Materials => None,
    }
}

/// A copy of an item that concerns nothing else.
fn copy<T: Clone>(
    items: &Items<T>,
    name: &str,
    put: impl Fn(String, Option<Box<T>>) -> Amendment,
) -> Option<(String, Edit)> {
    let item = items.get(name)?.clone();
    let new = free_name(items.names(), name);
    let edit = Edit::new(
        format!("copy {name}"),
        vec![put(new.clone(), Some(Box::new(item)))],
    );
    Some((new, edit))
}

/// A force on a body's centre of mass, still without any strength. Gives its name too.
pub fn add_wrench(file: &SceneFile, body: &str) -> (String, Edit) {
    let name = free_name(file.wrenches.names(), "force");
    let wrench = WrenchFile {
        body: body.into(),
        ..WrenchFile::default()
    };
    let edit = Edit::new(
        format!("add {name}"),
        vec![Amendment::Wrench(name.clone(), Some(Box::new(wrench)))],
    );
    (name, edit)
}

/// A coupling of a joint, or of the first that can be coupled, with another one: both turn or slide alike. A joint that
/// is alone is held. Gives its name too; `None` where no joint has a free coordinate.
pub fn add_coupling(scene: &Scene, joint: Option<&str>) -> Option<(String, Edit)> {
    let free = |j: &&crate::model::Joint| (1..4).contains(&j.kind.freedoms());
    let joints = || scene.model.joints.iter().filter(free);
    let first = match joint {
        Some(name) => joints().find(|j| j.name == name)?,
        None => joints().next()?,
    };
    let slides = |j: &crate::model::Joint| j.kind.free_translations() > 0;
    let other = joints().find(|j| j.name != first.name && slides(j) == slides(first));
    let term = |joint: &str, factor: f64| TermFile {
        joint: joint.into(),
        coordinate: 0,
        factor: Number(factor),
    };
    let mut coupling = CouplingFile::default();
    let turn = |j: &crate::model::Joint| j.kind.free_rotations() == 1 && !slides(j);
    match other {
        Some(other) if turn(first) && turn(other) => {
            coupling.gear = Some((first.name.clone(), other.name.clone()));
            coupling.ratio = Some(Number(1.0));
        }
        Some(other) => coupling.terms = vec![term(&first.name, 1.0), term(&other.name, -1.0)],
        None => coupling.terms = vec![term(&first.name, 1.0)],
    }
    let name = free_name(scene.file.couplings.names(), "coupling");
    let put = Amendment::Coupling(name.clone(), Some(Box::new(coupling)));
    Some((name.clone(), Edit::new(format!("add {name}"), vec![put])))
}

/// A copy of a body beside it, at rest; joints are not copied. Gives its name too.
fn duplicate_body(scene: &Scene, state: &State, body: BodyId) -> Option<(String, Edit)> {
    let data = scene.model.bodies.get(body.0)?;
    let at = state.bodies.get(body.0)?;
    let name = free_name(scene.file.bodies.names(), &data.name);
    let reach = data.shapes.iter().map(|s| s.geometry.reach());
    let aside = Vec3::x() * tidy(reach.fold(0.1, f64::max).min(10.0));
    let copy = BodyFile {
        position: Some(Vector(at.position + at.orientation * data.origin + aside)),
        orientation: orientation(&at.orientation),
        velocity: None,
        angular_velocity: None,
        spin: None,
        ..scene.file.bodies.get(&data.name)?.clone()
    };
    let edit = Edit::new(
        format!("copy {}", data.name),
        vec![Amendment::Body(name.clone(), Some(Box::new(copy)))],
    );
    Some((name, edit))
}

/// A copy of a joint with a copy of its child, which starts where the child does. Gives the name of the joint too.
fn duplicate_joint(scene: &Scene, joint: &str) -> Option<(String, Edit)> {
    let data = scene.file.joints.get(joint)?;
    let child = free_name(scene.file.bodies.names(), &data.child);
    let name = free_name(scene.file.joints.names(), joint);
    let body = scene.file.bodies.get(&data.child)?.clone();
    let copy = JointFile {
        child: child.clone(),
        ..data.clone()
    };
    let edit = Edit::new(
        format!("copy {joint}"),
        vec![
            Amendment::Body(child, Some(Box::new(body))),
            Amendment::Joint(name.clone(), Some(Box::new(copy))),
        ],
    );
    Some((name, edit))
}
