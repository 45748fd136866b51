//! The bits of a state: their hash, their size, and where two states differ.

use super::contact::{ContactState, LimitState};
use super::state::{BodyState, Rest, Row, State, Twist, Work};
use super::xxh64::Xxh64;
use super::{BodyId, Model};
use crate::math::Vec3;
use std::fmt;

/// Whose field it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    Body(usize),
    Joint(usize),
    Coupling(usize),
    Contact(usize),
    Limit(usize),
    Memory(usize),
}

/// A field of a state and its bits.
type Field = (Part, &'static str, u64);

/// A field in which two states differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// What the field belongs to: ``body `link_1` ``, ``joint `hinge` ``, `contact point 3`, `the state`.
    pub item: String,
    /// The field, such as `position.x`.
    pub field: &'static str,
    /// Its value in the first state and in the second; `None` where it is not a number.
    pub values: Option<[f64; 2]>,
    /// How many more fields differ.
    pub others: usize,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} of {}", self.field, self.item)?;
        if let Some([a, b]) = self.values {
            write!(f, " is {a:?} and not {b:?}")?;
        }
        match self.others {
            0 => Ok(()),
            1 => f.write_str("; another field differs too"),
            n => write!(f, "; {n} other fields differ too"),
        }
    }
}

impl State {
    /// Hash of all bits of the state: XXH64 with seed 0 over its numbers as little-endian 64-bit words.
    ///
    /// The order is: time, step; of every body position, orientation (x, y, z, w), velocity, angular velocity,
    /// momentum, angular momentum; of every joint its reaction's force and torque, and its angles; coupling forces;
    /// the bound on swept angles; the number of contact points and each of them; joint limits and cables; work;
    /// what the method remembers; where bodies may sleep, of each how long it was slow and whether it sleeps. Equal states have equal hashes, and 0 and -0 are not equal.
    pub fn digest(&self) -> u64 {
        let mut hash = Xxh64::default();
        visit(self, &mut |_, _, bits| hash.word(bits));
        hash.finish()
    }

    /// Memory that the state takes (bytes), its vectors' included.
    pub fn bytes(&self) -> usize {
        fn of<T>(vector: &Vec<T>) -> usize {
            vector.capacity() * size_of::<T>()
        }
        size_of::<Self>()
            + of(&self.bodies)
            + of(&self.reactions)
            + of(&self.coupling_forces)
            + of(&self.angles)
            + of(&self.contacts)
            + of(&self.limits)
            + of(&self.memory.words)
            + of(&self.rest)
    }

    /// The first field whose bits differ from those of another state of the same model, if any does.
    pub fn difference(&self, other: &Self, model: &Model) -> Option<Difference> {
        let fields = |state: &Self| {
            let mut all: Vec<Field> = Vec::new();
            visit(state, &mut |part, name, bits| all.push((part, name, bits)));
            all
        };
        let (ours, theirs) = (fields(self), fields(other));
        let differing = || ours.iter().zip(&theirs).filter(|(a, b)| a != b);
        let surplus = ours.len().abs_diff(theirs.len());
        let Some((a, b)) = differing().next() else {
            // The numbers of fields differ only where a count before them does.
            return None;
        };
        let integer = [
            "step", "contacts", "key", "bodies", "status", "memory", "asleep",
        ];
        let number = a.0 == b.0 && a.1 == b.1 && !integer.contains(&a.1);
        Some(Difference {
            item: named(a.0, model),
            field: a.1,
            values: number.then(|| [a.2, b.2].map(f64::from_bits)),
            others: differing().count() - 1 + surplus,
        })
    }
}

fn named(part: Part, model: &Model) -> String {
    match part {
        Part::Whole => "the state".into(),
        Part::Body(k) => format!("body `{}`", model.bodies[k].name),
        Part::Joint(k) => format!("joint `{}`", model.joints[k].name),
        Part::Coupling(k) => format!("coupling `{}`", model.couplings[k].name),
        Part::Contact(k) => format!("contact point {k}"),
        Part::Limit(k) => format!("joint limit or cable {k}"),
        Part::Memory(k) => format!("the method, at word {k}"),
    }
}

/// Shows every number of a state, in the order that [`State::digest`] states.
fn visit(state: &State, see: &mut impl FnMut(Part, &'static str, u64)) {
    // Every field is named here, so that a new one cannot be forgotten.
    let State {
        time,
        step,
        bodies,
        reactions,
        coupling_forces,
        angles,
        swept,
        contacts,
        limits,
        work,
        memory,
        rest,
    } = state;
    see(Part::Whole, "time", time.to_bits());
    see(Part::Whole, "step", *step);
    for (k, body) in bodies.iter().enumerate() {
        visit_body(Part::Body(k), body, see);
    }
    for (k, Row { force, torque }) in reactions.iter().enumerate() {
        vector(Part::Joint(k), FORCE, force, see);
        vector(Part::Joint(k), TORQUE, torque, see);
    }
    for (k, both) in angles.iter().enumerate() {
        for angle in both {
            see(Part::Joint(k), "angle", angle.to_bits());
        }
    }
    for (k, force) in coupling_forces.iter().enumerate() {
        see(Part::Coupling(k), "force", force.to_bits());
    }
    see(Part::Whole, "swept angle", swept.to_bits());
    see(Part::Whole, "contacts", contacts.len() as u64);
    for (k, contact) in contacts.iter().enumerate() {
        visit_contact(Part::Contact(k), contact, see);
    }
    for (
        k,
        LimitState {
            gap,
            force,
            rebound,
        },
    ) in limits.iter().enumerate()
    {
        see(Part::Limit(k), "gap", gap.to_bits());
        see(Part::Limit(k), "force", force.to_bits());
        see(Part::Limit(k), "rebound", rebound.to_bits());
    }
    let Work {
        external,
        dissipated,
        impact,
        friction,
    } = work;
    see(Part::Whole, "external work", external.to_bits());
    see(Part::Whole, "energy dissipated", dissipated.to_bits());
    see(Part::Whole, "energy lost to impacts", impact.to_bits());
    see(Part::Whole, "energy lost to friction", friction.to_bits());
    for (k, word) in memory.words.iter().enumerate() {
        see(Part::Memory(k), "memory", *word);
    }
    for (k, Rest { calm, asleep }) in rest.iter().enumerate() {
        see(Part::Body(k), "time of being slow", calm.to_bits());
        see(Part::Body(k), "asleep", u64::from(*asleep));
    }
}

fn visit_body(part: Part, body: &BodyState, see: &mut impl FnMut(Part, &'static str, u64)) {
    let BodyState {
        position,
        orientation,
        velocity: Twist { linear, angular },
        momentum,
        angular_momentum,
    } = body;
    vector(part, POSITION, position, see);
    for (name, x) in ORIENTATION.into_iter().zip(orientation.coords.iter()) {
        see(part, name, x.to_bits());
    }
    vector(part, VELOCITY, linear, see);
    vector(part, SPIN, angular, see);
    vector(part, MOMENTUM, momentum, see);
    vector(part, ANGULAR_MOMENTUM, angular_momentum, see);
}

fn visit_contact(
    part: Part,
    contact: &ContactState,
    see: &mut impl FnMut(Part, &'static str, u64),
) {
    let ContactState {
        key,
        bodies,
        point,
        normal,
        gap,
        force,
        slip,
        friction,
        status,
        rebound,
        hit,
        turning,
    } = contact;
    see(part, "key", key.shapes);
    see(part, "key", key.features);
    for body in bodies {
        see(part, "bodies", body.map_or(0, |BodyId(k)| k as u64 + 1));
    }
    vector(part, POINT, point, see);
    vector(part, NORMAL, normal, see);
    see(part, "gap", gap.to_bits());
    vector(part, FORCE, force, see);
    vector(part, SLIP, slip, see);
    see(part, "friction", friction.to_bits());
    see(part, "status", *status as u64);
    see(part, "rebound", rebound.to_bits());
    see(part, "hit", u64::from(*hit));
    see(part, "turning", turning.to_bits());
}

fn vector(
    part: Part,
    names: [&'static str; 3],
    vector: &Vec3,
    see: &mut impl FnMut(Part, &'static str, u64),
) {
    for (name, x) in names.into_iter().zip(vector.iter()) {
        see(part, name, x.to_bits());
    }
}

/// Names of the components of a vector.
macro_rules! components {
    ($($constant:ident = $name:literal),* $(,)?) => {
        $(const $constant: [&str; 3] =
            [concat!($name, ".x"), concat!($name, ".y"), concat!($name, ".z")];)*
    };
}

components! {
    POSITION = "position",
    VELOCITY = "velocity",
    SPIN = "angular velocity",
    MOMENTUM = "momentum",
    ANGULAR_MOMENTUM = "angular momentum",
    FORCE = "force",
    TORQUE = "torque",
    POINT = "point",
    NORMAL = "normal",
    SLIP = "slip",
}

const ORIENTATION: [&str; 4] = [
    "orientation.x",
    "orientation.y",
    "orientation.z",
    "orientation.w",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use crate::model::{Body, ContactKey, ModelParts};

    fn model() -> Model {
        let bodies = ["one", "two"].map(|name| Body::new(name, 1.0, Mat3::identity()));
        Model::new(ModelParts {
            bodies: bodies.to_vec(),
            ..ModelParts::default()
        })
        .unwrap()
    }

    #[test]
    fn a_changed_bit_anywhere_changes_the_hash_and_is_named() {
        let model = model();
        let mut state = State::at_rest(&model);
        state.memory.words = vec![0; 2];
        let whole = state.digest();
        assert_eq!(state.clone().digest(), whole);
        assert_eq!(state.difference(&state.clone(), &model), None);
        let mut flipped = state.clone();
        flipped.bodies[1].velocity.angular.y = f64::from_bits(1);
        assert_ne!(flipped.digest(), whole);
        let found = flipped.difference(&state, &model).unwrap();
        assert_eq!(
            found.to_string(),
            "angular velocity.y of body `two` is 5e-324 and not 0.0"
        );
        let mut remembered = state.clone();
        remembered.memory.words[1] = (-0.0_f64).to_bits();
        assert_ne!(remembered.digest(), whole, "a zero with a sign is another");
        let found = remembered.difference(&state, &model).unwrap();
        assert_eq!(found.to_string(), "memory of the method, at word 1");
    }

    #[test]
    fn a_contact_more_is_seen() {
        let model = model();
        let state = State::at_rest(&model);
        let mut touching = state.clone();
        touching.contacts.push(ContactState {
            key: ContactKey::default(),
            bodies: [Some(BodyId(0)), None],
            point: Vec3::zeros(),
            normal: Vec3::z(),
            gap: 0.0,
            force: Vec3::zeros(),
            slip: Vec3::zeros(),
            friction: 0.5,
            status: Default::default(),
            rebound: 0.0,
            hit: false,
            turning: 0.0,
        });
        assert_ne!(touching.digest(), state.digest());
        let found = touching.difference(&state, &model).unwrap();
        assert_eq!((found.field, found.values), ("contacts", None));
        assert!(found.others > 0);
        assert!(touching.bytes() > state.bytes());
    }
}
