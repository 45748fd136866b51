//! Whether what a take says fits the mechanism: a file that was changed must not bring the program down.

use crate::math::{Quat, Vec3};
use crate::model::{DragGoal, Input, Model, State};

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
    if let Some(drag) = &input.drag {
        if drag.body.0 >= model.bodies.len() {
            let expected = match model.bodies.len() {
                0 => "no drag: there is no body".into(),
                count => format!("a body from 0 to {}", count - 1),
            };
            return Err(wrong("drag.body", drag.body.0.to_string(), expected));
        }
        finite("drag.point", &drag.point)?;
        match &drag.goal {
            DragGoal::Pull(point) => finite("drag.goal", point)?,
            DragGoal::Turn(rotation) => unit("drag.goal", rotation)?,
        }
    }
    for (k, command) in input.commands.iter().enumerate() {
        let path = |field: &str| format!("commands.{k}.{field}");
        let Some(joint) = model.joints.get(command.joint.0) else {
            let found = command.joint.0.to_string();
            let expected = format!("a joint below {}", model.joints.len());
            return Err(wrong(path("joint"), found, expected));
        };
        if command.coordinate >= joint.kind.freedoms() {
            let found = command.coordinate.to_string();
            let expected = format!("a coordinate below {}", joint.kind.freedoms());
            return Err(wrong(path("coordinate"), found, expected));
        }
        if !command.value.is_finite() {
            let found = command.value.to_string();
            return Err(wrong(path("value"), found, "a finite number"));
        }
    }
    Ok(())
}

/// A state must have the shape of its model, finite numbers and the hash that the file gives.
pub(super) fn state(state: &State, model: &Model, digest: u64) -> Result<(), Wrong> {
    let counts = [
        ("bodies", state.bodies.len(), model.bodies.len()),
        ("reactions", state.reactions.len(), model.joints.len()),
        ("angles", state.angles.len(), model.joints.len()),
        (
            "coupling_forces",
            state.coupling_forces.len(),
            model.couplings.len(),
        ),
        ("limits", state.limits.len(), model.limit_count()),
    ];
    for (field, found, expected) in counts {
        if found != expected {
            let expected = format!("{expected}, as many as the scene has");
            return Err(wrong(field, format!("{found} entries"), expected));
        }
    }
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
