//! What an edit changed in a model: the items that differ, so that a take need not repeat the whole mechanism.

use crate::math::Vec3;
use crate::model::{
    Body, Cable, ContactRules, Coupling, Force, Joint, Model, ModelError, ModelParts, Shape,
};
use serde::{Deserialize, Serialize};

/// The difference of two models.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Edit {
    #[serde(skip_serializing_if = "Items::same")]
    bodies: Items<Body>,
    #[serde(skip_serializing_if = "Items::same")]
    joints: Items<Joint>,
    #[serde(skip_serializing_if = "Items::same")]
    couplings: Items<Coupling>,
    #[serde(skip_serializing_if = "Items::same")]
    forces: Items<Force>,
    #[serde(skip_serializing_if = "Items::same")]
    world_shapes: Items<Shape>,
    #[serde(skip_serializing_if = "Items::same")]
    cables: Items<Cable>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gravity: Option<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contact: Option<Contact>,
}

/// What became of the rules of contact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Contact {
    Off,
    On(ContactRules),
}

/// What became of a list.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
enum Items<T> {
    #[default]
    Same,
    /// These items, by their places.
    Changed(Vec<(usize, T)>),
    /// A list of another length.
    All(Vec<T>),
}

impl<T: Clone + PartialEq> Items<T> {
    fn between(before: &[T], after: &[T]) -> Self {
        if before.len() != after.len() {
            return Self::All(after.to_vec());
        }
        let pairs = before.iter().zip(after).enumerate();
        let changed: Vec<_> = pairs
            .filter(|(_, (a, b))| a != b)
            .map(|(k, (_, b))| (k, b.clone()))
            .collect();
        if changed.is_empty() {
            Self::Same
        } else {
            Self::Changed(changed)
        }
    }

    fn same(&self) -> bool {
        matches!(self, Self::Same)
    }

    /// Carries the change out; an item that is not there is named by its place.
    fn apply(self, items: &mut Vec<T>) -> Result<(), usize> {
        match self {
            Self::Same => {}
            Self::All(all) => *items = all,
            Self::Changed(changed) => {
                for (k, item) in changed {
                    *items.get_mut(k).ok_or(k)? = item;
                }
            }
        }
        Ok(())
    }
}

/// What the model's own checks rely on: joints, couplings, forces and cables name bodies and joints that are there.
fn references(parts: &ModelParts) -> Result<(), String> {
    let (bodies, joints) = (parts.bodies.len(), parts.joints.len());
    let of_joints = parts.joints.iter().flat_map(|j| [j.parent, Some(j.child)]);
    let of_cables = parts.cables.iter().flat_map(|c| c.ends.map(|e| e.body));
    let of_forces = parts.forces.iter().flat_map(|f| match f {
        Force::Spring { ends, .. } => ends.map(|e| e.body),
        Force::Wrench { body, .. } => [Some(*body), None],
    });
    let rules = parts.contact.iter().flat_map(|c| &c.apart);
    let apart = rules.flat_map(|pair| pair.map(Some));
    let named = of_joints.chain(of_cables).chain(of_forces).chain(apart);
    if let Some(body) = named.flatten().find(|b| b.0 >= bodies) {
        return Err(format!("body {}, which is not there", body.0));
    }
    let mut terms = parts.couplings.iter().flat_map(|c| &c.terms);
    match terms.find(|t| t.joint.0 >= joints) {
        Some(term) => Err(format!("joint {}, which is not there", term.joint.0)),
        None => Ok(()),
    }
}

/// Whether a state of one model has the numbers that another one asks for.
pub(super) fn same_shape(a: &Model, b: &Model) -> bool {
    let counts = |m: &Model| {
        [
            m.bodies.len(),
            m.joints.len(),
            m.couplings.len(),
            m.limit_count(),
        ]
    };
    counts(a) == counts(b)
}

impl Edit {
    /// What leads from one model to another.
    pub fn between(before: &Model, after: &Model) -> Self {
        let rules = || match &after.contact {
            None => Contact::Off,
            Some(rules) => Contact::On(rules.clone()),
        };
        Self {
            bodies: Items::between(&before.bodies, &after.bodies),
            joints: Items::between(&before.joints, &after.joints),
            couplings: Items::between(&before.couplings, &after.couplings),
            forces: Items::between(&before.forces, &after.forces),
            world_shapes: Items::between(&before.world_shapes, &after.world_shapes),
            cables: Items::between(&before.cables, &after.cables),
            gravity: (before.gravity != after.gravity).then_some(after.gravity),
            contact: (before.contact != after.contact).then(rules),
        }
    }

    /// The model that the edit makes of another, or what is wrong with it.
    pub fn apply(self, model: &Model) -> Result<Model, String> {
        let mut parts: ModelParts = model.parts();
        let missing = |list: &'static str| move |k| format!("{list} {k}, which is not there");
        self.bodies
            .apply(&mut parts.bodies)
            .map_err(missing("body"))?;
        self.joints
            .apply(&mut parts.joints)
            .map_err(missing("joint"))?;
        self.couplings
            .apply(&mut parts.couplings)
            .map_err(missing("coupling"))?;
        self.forces
            .apply(&mut parts.forces)
            .map_err(missing("force"))?;
        self.world_shapes
            .apply(&mut parts.world_shapes)
            .map_err(missing("world shape"))?;
        self.cables
            .apply(&mut parts.cables)
            .map_err(missing("cable"))?;
        parts.gravity = self.gravity.unwrap_or(parts.gravity);
        match self.contact {
            None => {}
            Some(Contact::Off) => parts.contact = None,
            Some(Contact::On(rules)) => parts.contact = Some(rules),
        }
        references(&parts)?;
        let text = |errors: Vec<ModelError>| {
            let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
            lines.join("; ")
        };
        Model::new(parts).map_err(text)
    }
}
