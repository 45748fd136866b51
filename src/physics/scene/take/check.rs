//! Whether what a take says fits the mechanism: a file that was changed must not bring the program down.

use crate::math::{Quat, Vec3};
use crate::model::{Input, InputError, Model, State};

/// How far a quaternion's length may be from 1: rounding of a long run.
const UNIT: f64 = 1e-9;

/// What is wrong: path of the field, what was found, what is expected.
pub(super) type Wrong = (String, String, String);

fn wrong(path: impl Into<String>, found: impl Into<String>, expected: impl Into<String>) -> Wrong {
    (path.into(), found.into(), expected.into())
}

fn finite(path: &str, vector: &Vec3) -> Result<(), Wrong> {
    if vector.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    let found = format!("{:?}", vector.as_slice());
    Err(wrong(path, found, "finite numbers"))
}

fn unit(path: &str, rotation: &Quat) -> Result<(), Wrong> {
    // Written so that a length that is not a number fails.
    if (rotation.coords.norm() - 1.0).abs() <= UNIT {
        return Ok(());
    }
    let found = format!("{:?}", rotation.coords.as_slice());
    Err(wrong(path, found, "a quaternion x, y, z, w of length 1"))
}

/// An input must name bodies and joints that are there.
pub(super) fn input(input: &Input, model: &Model) -> Result<(), Wrong> {
    let wrong = |e: InputError| (e.field, e.found, e.expected);
    input.check(model).map_err(wrong)
}

/// A state must have the shape of its model, finite numbers and the hash that the file gives.
pub(super) fn state(state: &State, model: &Model, digest: u64) -> Result<(), Wrong> {
    state.check(model).map_err(|misfit| {
        let expected = format!("{}, as many as the scene has", misfit.expected);
        wrong(misfit.field, format!("{} entries", misfit.found), expected)
    })?;
    for (k, body) in state.bodies.iter().enumerate() {
        let path = |field: &str| format!("bodies.{k}.{field}");
        finite(&path("position"), &body.position)?;
        unit(&path("orientation"), &body.orientation)?;
        finite(&path("velocity.linear"), &body.velocity.linear)?;
        finite(&path("velocity.angular"), &body.velocity.angular)?;
        finite(&path("momentum"), &body.momentum)?;
        finite(&path("angular_momentum"), &body.angular_momentum)?;
    }
    for (k, contact) in state.contacts.iter().enumerate() {
        let there = |b: &crate::model::BodyId| b.0 < model.bodies.len();
        if !contact.bodies.iter().flatten().all(there) {
            let path = format!("contacts.{k}.bodies");
            let found = format!("{:?}", contact.bodies);
            return Err(wrong(path, found, "bodies of the scene"));
        }
    }
    let found = state.digest();
    if found == digest {
        return Ok(());
    }
    Err(wrong(
        "",
        format!("a state with the hash {}", super::record::hex(found)),
        format!(
            "the hash {}: a number was changed in the file",
            super::record::hex(digest)
        ),
    ))
}
