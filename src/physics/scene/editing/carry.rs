//! The running state of one mechanism as that of another: what stays keeps what it does, by name.

use crate::kinematics::{self, AssemblyError};
use crate::math::Vec3;
use crate::model::{Body, Cable, Joint, LimitState, Memory, Model, State};
use std::collections::BTreeMap;

/// The state of `to` that continues a state of `from`, whose velocities are at the knot. What `from` does not have is
/// as in `first`. Joints are closed where the edit has opened any.
pub(super) fn carry(
    (from, state): (&Model, &State),
    to: &Model,
    first: &State,
) -> Result<State, AssemblyError> {
    let mut carried = first.clone();
    let bodies = places(from.bodies.iter().map(|b| b.name.as_str()));
    let joints = places(from.joints.iter().map(|j| j.name.as_str()));
    for (body, new) in to.bodies.iter().zip(&mut carried.bodies) {
        let Some(&k) = bodies.get(body.name.as_str()) else {
            continue;
        };
        let old = state.bodies[k];
        // The frame of the file stays where it is; the centre of mass may lie elsewhere in it now.
        let shift = old.orientation * (from.bodies[k].origin - body.origin);
        *new = old;
        new.position += shift;
        new.velocity.linear += old.velocity.angular.cross(&shift);
    }
    for (j, joint) in to.joints.iter().enumerate() {
        let Some(&k) = joints.get(joint.name.as_str()) else {
            continue;
        };
        carried.reactions[j] = state.reactions[k];
        if joint.kind == from.joints[k].kind {
            carried.angles[j] = state.angles[k];
        }
    }
    for (force, coupling) in carried.coupling_forces.iter_mut().zip(&to.couplings) {
        let old = from.couplings.iter().position(|c| c.name == coupling.name);
        *force = old.map_or(0.0, |k| state.coupling_forces[k]);
    }
    carried.limits = stops((from, state), to);
    carried.contacts.clear();
    if same_surfaces(from, to) {
        carried.contacts.clone_from(&state.contacts);
    }
    (carried.time, carried.step) = (state.time, state.step);
    (carried.work, carried.swept) = (state.work, state.swept);
    carried.memory = Memory::default();
    if opens(from, to) {
        kinematics::assemble(to, &mut carried)?;
    }
    kinematics::set_momenta(to, &mut carried.bodies);
    Ok(carried)
}

/// Where each name is.
fn places<'n>(names: impl Iterator<Item = &'n str>) -> BTreeMap<&'n str, usize> {
    names.enumerate().map(|(k, name)| (name, k)).collect()
}

/// Whether a state of one model is one of the other as it stands.
pub(super) fn fits(from: &Model, to: &Model) -> bool {
    let layout = |m: &Model| -> Vec<usize> { m.joints.iter().map(|j| j.limits.len()).collect() };
    let cables = |m: &Model| -> Vec<String> { m.cables.iter().map(|c| c.name.clone()).collect() };
    let origins =
        |m: &Model| -> Vec<(String, Vec3)> { m.bodies.iter().map(place).collect::<Vec<_>>() };
    !opens(from, to)
        && same_surfaces(from, to)
        && layout(from) == layout(to)
        && cables(from) == cables(to)
        && origins(from) == origins(to)
}

fn place(body: &Body) -> (String, Vec3) {
    (body.name.clone(), body.origin)
}

/// Whether the constraints of one model may be open in a state of the other.
fn opens(from: &Model, to: &Model) -> bool {
    // Names in the place of ids, which may have moved.
    let held = |m: &Model, j: &Joint| {
        (
            j.name.clone(),
            j.kind,
            j.parent.map(|p| place(&m.bodies[p.0])),
            place(&m.bodies[j.child.0]),
            j.parent_frame,
            j.child_frame,
        )
    };
    let joints = |m: &Model| -> Vec<_> { m.joints.iter().map(|j| held(m, j)).collect() };
    let couplings = |m: &Model| -> Vec<_> {
        let terms = |c: &crate::model::Coupling| -> Vec<_> {
            let term = |t: &crate::model::CouplingTerm| {
                (m.joints[t.joint.0].name.clone(), t.coordinate, t.factor)
            };
            c.terms.iter().map(term).collect()
        };
        m.couplings.iter().map(|c| (terms(c), c.offset)).collect()
    };
    joints(from) != joints(to) || couplings(from) != couplings(to)
}

/// Whether contacts of one model are contacts of the other.
fn same_surfaces(from: &Model, to: &Model) -> bool {
    let shapes = |a: &Body, b: &Body| {
        a.name == b.name
            && a.shapes.len() == b.shapes.len()
            && a.shapes
                .iter()
                .zip(&b.shapes)
                .all(|(a, b)| a.pose == b.pose && a.geometry == b.geometry && a.touch == b.touch)
    };
    from.contact.is_some() == to.contact.is_some()
        && from.bodies.len() == to.bodies.len()
        && from
            .bodies
            .iter()
            .zip(&to.bodies)
            .all(|(a, b)| shapes(a, b))
        && from.world_shapes == to.world_shapes
}

/// What limits and cables hold, found by their names.
fn stops((from, state): (&Model, &State), to: &Model) -> Vec<LimitState> {
    let key = |m: &Model| -> Vec<(String, Option<usize>)> {
        let limits = m.joints.iter().flat_map(|j| {
            let of = |l: &crate::model::JointLimit| (j.name.clone(), Some(l.coordinate));
            j.limits.iter().map(of)
        });
        let cables = m.cables.iter().map(|c: &Cable| (c.name.clone(), None));
        limits.chain(cables).collect()
    };
    let old = key(from);
    // Of a name that occurs twice the first counts.
    let old: BTreeMap<_, _> = old.into_iter().zip(&state.limits).rev().collect();
    let stop = |k| old.get(&k).map_or_else(LimitState::default, |s| **s);
    key(to).into_iter().map(stop).collect()
}

/// Lets a model use the surfaces that another one already holds where they are the same, so that they are drawn and
/// compared as one.
pub(super) fn share_surfaces(from: &Model, to: &mut Model) {
    use crate::model::Geometry::{HeightField, Hull, Mesh};
    let bodies = places(from.bodies.iter().map(|b| b.name.as_str()));
    for body in &mut to.bodies {
        let Some(&old) = bodies.get(body.name.as_str()) else {
            continue;
        };
        for (new, old) in body.shapes.iter_mut().zip(&from.bodies[old].shapes) {
            let large = matches!(new.geometry, Hull(_) | Mesh(_) | HeightField(_));
            if large && new.geometry == old.geometry {
                new.geometry = old.geometry.clone();
            }
        }
    }
    for (new, old) in to.world_shapes.iter_mut().zip(&from.world_shapes) {
        if new.geometry == old.geometry {
            new.geometry = old.geometry.clone();
        }
    }
}
