//! Contact in one interval, whatever the method that steps: which unilateral constraints take part, where their
//! impulses start from, what they did to the energy, how fast what was hit comes back, what the state keeps of them.
//!
//! 1. [`find_limits`](Contacts::find_limits), before the interval begins: the joint limits and cables that are near, and that joints do
//!    not lock. [`look`](Contacts::look): contact points at the first knot, as far away as the bodies may come in the interval.
//! 2. [`take`](Contacts::take): they become nodes of the Newton system, with impulses from the state and from nothing
//!    else. The method solves for them.
//! 3. [`look_again`](Contacts::look_again): contact points at the second knot. What penetrates there or went through each
//!    other and was not foreseen joins, and the interval is solved again: nothing tunnels, whatever its speed.
//! 4. [`judge`](Contacts::judge): energy that contacts gave or took, by island.
//! 5. [`settle`](Contacts::settle) before the bodies are moved and [`write`](Contacts::write) after: the account, the
//!    rebounds of the next interval, and what the state keeps.

mod absent;
mod account;
mod candidates;
mod carried;
mod depth;
mod jammed;
mod material;
mod passages;
mod rebounds;
mod record;
#[cfg(test)]
mod specimen;
mod turning;
mod warm_start;

pub use account::{Judgement, Verdict};
pub use candidates::{
    BEND, Look, Missed, TANGENTS, TOLERATED, TURNED, margin, measure_reach, radius, thin,
};
pub use record::{ContactReport, turned};

use super::past::Taken;
use super::{Islands, MechanismSolver, What, limits};
use crate::contact::{Contact, Detector, Located, Passage};
use crate::model::{BodyState, ContactKey, Model, Twist};

/// Contact of the interval in hand. What is kept from step to step is room and what was found at the second knot, which
/// is what would be found at the first knot of the next interval.
pub struct Contacts {
    detector: Detector,
    /// Finds what penetrates where more is to be solved in any case; nothing of it is what the other remembers.
    nearby: Detector,
    /// Radius of a ball around each body's centre of mass that holds its shapes (m).
    radii: Vec<f64>,
    /// How far the points of each body may come (m).
    reach: Vec<f64>,
    /// That nothing moves.
    still: Vec<f64>,
    /// Contact points of the interval, with their gaps at the first knot.
    points: Vec<Located>,
    /// Contact points at the second knot, and the configuration and reaches for which they were found.
    ahead: Ahead,
    /// Bodies that went through each other.
    passages: Vec<Passage>,
    /// Contact points of a pair that pressed.
    again: Vec<Contact>,
    /// Their keys in order, each with its place.
    order: Vec<(ContactKey, usize)>,
    /// What takes part in the interval.
    what: Vec<What>,
    /// Contact points that have taken the place of others since the constraints were taken.
    replaced: Vec<usize>,
    /// Rebounds have become others since then.
    rescaled: bool,
    /// All bounds and cables of the model.
    limits: Vec<What>,
    /// Those of them that are near in the interval.
    near: Vec<What>,
    /// Contact points that were not foreseen: they are closed at the second knot whatever they were at the first.
    forced: Vec<ContactKey>,
    /// Those of them that penetrated at the first knot already, and too deep to part in one interval: they are mended
    /// little by little, as all that do.
    old: Vec<ContactKey>,
    /// Contact points that are jammed and [give](Self::loosen_jammed) therefore.
    jammed: Vec<ContactKey>,
    /// Contact points that [take no part](Self::leave_absent), since no surfaces are where they push.
    absent: Vec<ContactKey>,
    /// Pairs of shapes that [slide](Self::give_up) without friction.
    slippery: Vec<u64>,
    /// Pairs of shapes that are [given up](Self::give_up).
    given_up: Vec<u64>,
    /// Which bodies share the energy of rebounds.
    islands: Islands,
    /// Part of the rebounds that each body's island gives in the interval.
    restitution_scale: Vec<f64>,
    /// Speed of separation that each unilateral constraint that is hit gets in the next interval (m/s).
    hits: Vec<Option<f64>>,
    /// Room for bodies as they are moved on to see how what was hit turns.
    turned: Vec<BodyState>,
    /// Energy that contacts took from each body, the interval included, and in it by impacts and by friction (J).
    losses: (Vec<Taken>, [f64; 2]),
    /// Velocities of every link before and after the impulses of the interval, along which these work.
    twists: Vec<[Twist; 2]>,
}

/// Contact points found ahead of the interval that uses them, with their gaps there.
#[derive(Default)]
struct Ahead {
    points: Vec<Located>,
    bodies: Vec<BodyState>,
    reach: Vec<f64>,
}

impl Ahead {
    /// Whether they were found at these poses.
    fn is_of(&self, bodies: &[BodyState]) -> bool {
        let same = |(a, b): (&BodyState, &BodyState)| {
            a.position == b.position && a.orientation == b.orientation
        };
        self.bodies.len() == bodies.len() && self.bodies.iter().zip(bodies).all(same)
    }
}

impl Contacts {
    /// Room for a model.
    pub fn new(model: &Model, solver: &MechanismSolver) -> Self {
        Self::with(Detector::new(model), model, solver)
    }

    /// Room for a part of the model, which has its bodies of these numbers, in rising order.
    pub fn part(&self, part: &Model, solver: &MechanismSolver, bodies: &[usize]) -> Self {
        Self::with(self.detector.part(part, bodies), part, solver)
    }

    /// Numbers of the shapes of such a part among all that touch, in order.
    pub fn numbers(&self, bodies: &[usize]) -> impl Iterator<Item = usize> {
        self.detector.numbers(bodies)
    }

    fn with(detector: Detector, model: &Model, solver: &MechanismSolver) -> Self {
        Self {
            nearby: detector.clone(),
            detector,
            radii: model.bodies.iter().map(radius).collect(),
            reach: Vec::new(),
            still: vec![0.0; model.bodies.len()],
            points: Vec::new(),
            passages: Vec::new(),
            again: Vec::new(),
            order: Vec::new(),
            ahead: Ahead::default(),
            what: Vec::new(),
            replaced: Vec::new(),
            rescaled: false,
            limits: limits(model).collect(),
            near: Vec::new(),
            forced: Vec::new(),
            old: Vec::new(),
            jammed: Vec::new(),
            absent: Vec::new(),
            slippery: Vec::new(),
            given_up: Vec::new(),
            islands: Islands::new(solver.topology()),
            restitution_scale: vec![1.0; model.bodies.len()],
            hits: Vec::new(),
            turned: Vec::new(),
            losses: (Vec::with_capacity(model.bodies.len()), [0.0; 2]),
            twists: Vec::with_capacity(model.bodies.len()),
        }
    }

    /// Contact points of the interval, with their gaps at the first knot.
    pub fn points(&self) -> &[Located] {
        &self.points
    }

    /// Whether nothing can touch in the interval.
    pub fn is_empty(&self) -> bool {
        self.what.is_empty()
    }

    /// Key of a contact point of the last interval.
    pub fn key(&self, contact: usize) -> ContactKey {
        self.points
            .get(contact)
            .map_or_else(ContactKey::default, |c| c.key)
    }
}
