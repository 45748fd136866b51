//! What lower layers find wrong with a scene, at the fields of the file that it comes from.

use super::error::Problem;
use super::format::{PairFile, SceneFile};
use crate::kinematics::AssemblyError;
use crate::model::ModelError;

/// A problem that the model found, at the field of the file that it comes from.
pub(super) fn of_model(error: &ModelError, file: &SceneFile) -> Problem {
    match error {
        ModelError::Mass { body, mass } => Problem::new(
            &["bodies", body, "mass"],
            format!("a mass of {mass} kg"),
            "a positive number of kilograms",
        ),
        ModelError::Inertia { body, problem } => Problem::new(
            &["bodies", body, "inertia"],
            format!("a tensor that {problem}"),
            "symmetric, positive definite, no principal moment larger than the sum of the others",
        ),
        ModelError::Value {
            item,
            name,
            field,
            found,
            expected,
        } => {
            let (section, field) = match *item {
                "joint" => match *field {
                    "spring stiffness" => ("joints", "springs"),
                    "actuator limit" | "PD gains" => ("joints", "actuators"),
                    other => ("joints", other),
                },
                "spring of joint" => ("joints", "springs"),
                "actuator of joint" => ("joints", "actuators"),
                "limit of joint" => ("joints", "limits"),
                "cable" => ("cables", *field),
                "wrench" => ("wrenches", *field),
                "body" => ("bodies", *field),
                "material" => {
                    let path = ["contact", "materials", name, field];
                    return Problem::new(&path, found.clone(), *expected);
                }
                "pair of materials" => {
                    let index = pair(file, name).to_string();
                    let path = ["contact", "pairs", &index, field];
                    return Problem::new(&path, found.clone(), *expected);
                }
                "foundation of" | "shape of" => {
                    let path = if file.bodies.get(name).is_some() {
                        vec!["bodies", name]
                    } else {
                        vec!["world"]
                    };
                    return Problem::new(&path, format!("{field}: {found}"), *expected);
                }
                "coupling" => ("couplings", "terms"),
                _ => ("springs", *field),
            };
            Problem::new(&[section, name, field], found.clone(), *expected)
        }
        ModelError::SelfJoint { joint, body } => Problem::new(
            &["joints", joint, "child"],
            format!("`{body}`, which is also the parent"),
            "two different bodies",
        ),
        ModelError::Duplicate { items, name } => Problem::new(
            &[items, name],
            format!("a second item named `{name}`"),
            "names that differ",
        ),
    }
}

/// Index of the pair that the model calls by the names of its materials.
fn pair(file: &SceneFile, name: &str) -> usize {
    let pairs = file.contact.iter().flat_map(|c| &c.pairs);
    let called = |p: &PairFile| format!("{}, {}", p.materials.0, p.materials.1) == name;
    pairs.into_iter().position(called).unwrap_or(0)
}

/// Joints that cannot be closed.
pub(super) fn of_assembly(error: &AssemblyError) -> Problem {
    match error {
        AssemblyError::CannotClose { joint, gap } => Problem::new(
            &["joints", joint],
            format!("a joint that cannot be closed: {gap} at best"),
            "anchors and axes that can meet; check positions, anchors and `at` around the loop",
        ),
    }
}
