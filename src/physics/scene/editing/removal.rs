//! Edits that take items out, with all that cannot be without them.

use super::begin::orientation;
use super::edit::{Amendment, Edit};
use super::names::Section;
use crate::math::Vec3;
use crate::scene::Scene;
use crate::scene::format::{AttachmentFile, BodyFile, CouplingFile, JointFile};
use crate::scene::value::Vector;

/// Takes an item out, with all that cannot be without it; bodies that it placed stay where they start. What is made of
/// a material that goes is made of the first one again.
pub fn delete(scene: &Scene, section: Section, name: &str) -> Edit {
    let out = match section {
        Section::Bodies => delete_body(scene, name),
        Section::Joints => delete_joints(scene, |joint, _| joint == name),
        Section::Couplings => vec![Amendment::Coupling(name.into(), None)],
        Section::Springs => vec![Amendment::Spring(name.into(), None)],
        Section::Cables => vec![Amendment::Cable(name.into(), None)],
        Section::Wrenches => vec![Amendment::Wrench(name.into(), None)],
        Section::Materials => delete_material(scene, name),
    };
    Edit::new(format!("delete {name}"), out)
}

/// The joints of a coupling.
fn joints(coupling: &CouplingFile) -> impl Iterator<Item = &str> {
    let pairs = coupling.gear.iter().chain(&coupling.rack);
    let pairs = pairs.flat_map(|(a, b)| [a.as_str(), b.as_str()]);
    let terms = coupling.terms.iter().map(|t| t.joint.as_str());
    coupling
        .screw
        .as_deref()
        .into_iter()
        .chain(pairs)
        .chain(terms)
}

fn delete_joints(scene: &Scene, gone: impl Fn(&str, &JointFile) -> bool) -> Vec<Amendment> {
    let file = &scene.file;
    let gone: Vec<(&str, &JointFile)> = file.joints.iter().filter(|(n, j)| gone(n, j)).collect();
    let mut out = Vec::new();
    for (joint, data) in &gone {
        out.push(Amendment::Joint((*joint).into(), None));
        out.extend(pin(scene, &data.child).map(|b| keep(&data.child, b)));
    }
    for (coupling, data) in file.couplings.iter() {
        if joints(data).any(|joint| gone.iter().any(|(name, _)| *name == joint)) {
            out.push(Amendment::Coupling(coupling.into(), None));
        }
    }
    out
}

fn delete_body(scene: &Scene, body: &str) -> Vec<Amendment> {
    let file = &scene.file;
    let mut out = delete_joints(scene, |_, j| j.child == body || j.parent == body);
    // Where it would have stayed, had only its joint gone.
    out.retain(|a| !matches!(a, Amendment::Body(name, _) if name == body));
    out.push(Amendment::Body(body.into(), None));
    let on = |end: &AttachmentFile| end.body == body;
    for (spring, data) in file.springs.iter() {
        if on(&data.from) || on(&data.to) {
            out.push(Amendment::Spring(spring.into(), None));
        }
    }
    for (cable, data) in file.cables.iter() {
        if on(&data.ends.0) || on(&data.ends.1) {
            out.push(Amendment::Cable(cable.into(), None));
        }
    }
    for (wrench, data) in file.wrenches.iter() {
        if data.body == body {
            out.push(Amendment::Wrench(wrench.into(), None));
        }
    }
    if let Some(contact) = &file.contact
        && contact.apart.iter().any(|(a, b)| a == body || b == body)
    {
        let mut contact = contact.clone();
        contact.apart.retain(|(a, b)| a != body && b != body);
        out.push(Amendment::Contact(Some(Box::new(contact))));
    }
    out
}

fn delete_material(scene: &Scene, name: &str) -> Vec<Amendment> {
    let mut out = Vec::new();
    if let Some(mut contact) = scene.file.contact.clone() {
        contact.materials.remove(name);
        let of = |(a, b): &(String, String)| a == name || b == name;
        contact.pairs.retain(|pair| !of(&pair.materials));
        out.push(Amendment::Contact(Some(Box::new(contact))));
    }
    out.extend(without_materials(scene, |material| material == name));
    out
}

/// Takes the rules of contact out, with the names of materials, which mean nothing without them.
pub fn without_contact(scene: &Scene) -> Vec<Amendment> {
    let mut out = vec![Amendment::Contact(None)];
    out.extend(without_materials(scene, |_| true));
    out
}

/// Bodies and the world without some names of materials.
fn without_materials(scene: &Scene, goes: impl Fn(&str) -> bool) -> Vec<Amendment> {
    let file = &scene.file;
    let mut out = Vec::new();
    let strip = |material: &mut Option<String>| {
        if material.as_deref().is_some_and(&goes) {
            *material = None;
        }
    };
    for (body, data) in file.bodies.iter() {
        let mut changed = data.clone();
        strip(&mut changed.material);
        let shapes = changed.shape.iter_mut().chain(&mut changed.shapes);
        shapes.for_each(|s| strip(&mut s.material));
        if changed != *data {
            out.push(keep(body, changed));
        }
    }
    let mut world = file.world.clone();
    world.iter_mut().for_each(|s| strip(&mut s.material));
    if world != file.world {
        out.push(Amendment::World(world));
    }
    out
}

/// Puts a body in the place of the one of that name.
pub(super) fn keep(name: &str, body: BodyFile) -> Amendment {
    Amendment::Body(name.into(), Some(Box::new(body)))
}

/// A body with its own pose and velocity at the start, if it is not the body itself that gives its pose.
pub(super) fn pin(scene: &Scene, name: &str) -> Option<BodyFile> {
    let data = scene.file.bodies.get(name)?;
    if data.position.is_some() || data.orientation.is_some() {
        return None;
    }
    let k = scene.model.body(name)?.0;
    let (at, origin) = (&scene.state.bodies[k], scene.model.bodies[k].origin);
    let arm = at.orientation * origin;
    let mut pinned = data.clone();
    pinned.position = Some(Vector(at.position + arm));
    pinned.orientation = orientation(&at.orientation);
    let of_child = scene.file.joints.iter().filter(|(_, j)| j.child == name);
    let rated = of_child.filter(|(_, j)| j.rates.is_some()).count();
    if rated < 2 && (at.velocity.linear, at.velocity.angular) != (Vec3::zeros(), Vec3::zeros()) {
        let (linear, angular) = (at.velocity.linear, at.velocity.angular);
        pinned.velocity = Some(Vector(linear + angular.cross(&arm)));
        pinned.angular_velocity = Some(Vector(angular));
        pinned.spin = None;
    }
    Some(pinned)
}
