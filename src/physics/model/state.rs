//! Everything that evolves. A copy of a [`State`] is a snapshot: continuing from it gives the same bits.

use super::contact::{ContactState, LimitState};
use super::id::BodyId;
use super::memory::Memory;
use crate::math::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// Translational and angular velocity, world axes.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Twist {
    /// Velocity of the centre of mass (m/s).
    pub linear: Vec3,
    /// Angular velocity (rad/s).
    pub angular: Vec3,
}

/// Motion of one body at a knot of time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BodyState {
    /// Centre of mass (m).
    pub position: Vec3,
    /// Orientation `world_from_body`.
    pub orientation: Quat,
    /// Velocity the integrator holds: at the knot for acceleration-level methods, of the last interval for variational
    /// ones. What is shown and summed up is
    /// [`Integrator::read_velocities`](crate::integrators::Integrator::read_velocities).
    pub velocity: Twist,
    /// Linear momentum at the knot (kg·m/s), world axes.
    pub momentum: Vec3,
    /// Angular momentum about the centre of mass at the knot (kg·m²/s), world axes.
    pub angular_momentum: Vec3,
}

/// Energy that has entered and left since the start.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Work {
    /// Work of wrenches, actuators and the mouse (J).
    pub external: f64,
    /// Energy taken by dampers, and from bodies that fell asleep (J).
    pub dissipated: f64,
    /// Energy taken by impacts (J).
    pub impact: f64,
    /// Energy taken by friction (J).
    pub friction: f64,
}

impl Work {
    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        let Self {
            external,
            dissipated,
            impact,
            friction,
        } = *self;
        [external, dissipated, impact, friction]
            .iter()
            .all(|x| x.is_finite())
    }
}

/// A direction at the child's anchor of a joint, world axes: the gradient of a constraint or coordinate, or the
/// wrench on the child, with the opposite wrench on the parent at the same point.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Row {
    /// Translational part: a direction, or a force (N).
    pub force: Vec3,
    /// Rotational part: a direction, or a torque (N·m).
    pub torque: Vec3,
}

/// Whether a body is at rest, where bodies may sleep.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Rest {
    /// How long it has been slow enough to sleep (s); as it was when it fell asleep.
    pub calm: f64,
    /// Whether it sleeps: it is held where it is, and its velocity is zero.
    pub asleep: bool,
}

/// The complete state of a mechanism and of the integrator that moves it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Simulated time (s).
    pub time: f64,
    /// Steps taken.
    pub step: u64,
    /// Bodies, in the order of the model.
    pub bodies: Vec<BodyState>,
    /// Reaction of every joint on its child, at the child's anchor, world axes (N, N·m).
    pub reactions: Vec<Row>,
    /// Multiplier of every coupling: generalised force per unit factor (N, N·m).
    pub coupling_forces: Vec<f64>,
    /// Unwrapped angles of each joint at the last refresh (rad), the branch from which coordinates are read.
    pub angles: Vec<[f64; 2]>,
    /// Bound on how far any joint has turned since `angles` was refreshed (rad); kept below half a turn.
    pub swept: f64,
    /// Contact points near enough to matter, in the order of their keys.
    pub contacts: Vec<ContactState>,
    /// Joint limits, by joint, then cables; takes have called them so from the first.
    #[serde(rename = "stops")]
    pub limits: Vec<LimitState>,
    /// Energy account.
    pub work: Work,
    /// What the integrator remembers beside the knot.
    pub memory: Memory,
    /// Who sleeps, body by body; empty where nobody may.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rest: Vec<Rest>,
}

// Copies into an existing state keep its memory, which the derived `clone_from` would not: a step that may have
// to go back saves its state and must not allocate.
impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            bodies: self.bodies.clone(),
            reactions: self.reactions.clone(),
            coupling_forces: self.coupling_forces.clone(),
            angles: self.angles.clone(),
            contacts: self.contacts.clone(),
            limits: self.limits.clone(),
            memory: self.memory.clone(),
            rest: self.rest.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, from: &Self) {
        let Self {
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
        } = from;
        self.time = *time;
        self.step = *step;
        self.bodies.clone_from(bodies);
        self.reactions.clone_from(reactions);
        self.coupling_forces.clone_from(coupling_forces);
        self.angles.clone_from(angles);
        self.swept = *swept;
        self.contacts.clone_from(contacts);
        self.limits.clone_from(limits);
        self.work = *work;
        self.memory.clone_from(memory);
        self.rest.clone_from(rest);
    }
}

impl BodyState {
    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        // What is not finite makes the sum so.
        let vectors = self.position
            + self.velocity.linear
            + self.velocity.angular
            + self.momentum
            + self.angular_momentum;
        let q = self.orientation.coords;
        let sum = vectors.x + vectors.y + vectors.z + q.x + q.y + q.z + q.w;
        // A sum of finite numbers may overflow, then each is looked at.
        sum.is_finite() || self.numbers().all(f64::is_finite)
    }

    fn numbers(&self) -> impl Iterator<Item = f64> {
        let vectors = [
            self.position,
            self.velocity.linear,
            self.velocity.angular,
            self.momentum,
            self.angular_momentum,
        ];
        let q: [f64; 4] = self.orientation.coords.into();
        vectors.into_iter().flat_map(<[f64; 3]>::from).chain(q)
    }
}

/// A state with a list that has another length than its mechanism asks for.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "a state with {found} entries of `{field}` is not one of this mechanism, which has {expected}"
)]
pub struct Misfit {
    /// The list.
    pub field: &'static str,
    /// Its length.
    pub found: usize,
    /// What the mechanism has of it.
    pub expected: usize,
}

impl State {
    /// Says which list of the state has another length than a mechanism asks for, if one has.
    pub fn check(&self, model: &super::Model) -> Result<(), Misfit> {
        let counts = [
            ("bodies", self.bodies.len(), model.bodies.len()),
            ("reactions", self.reactions.len(), model.joints.len()),
            ("angles", self.angles.len(), model.joints.len()),
            (
                "coupling_forces",
                self.coupling_forces.len(),
                model.couplings.len(),
            ),
            ("limits", self.limits.len(), model.limit_count()),
        ];
        let wrong = counts
            .into_iter()
            .find(|(_, found, expected)| found != expected);
        wrong.map_or(Ok(()), |(field, found, expected)| {
            Err(Misfit {
                field,
                found,
                expected,
            })
        })
    }

    /// The first body that has a number which is not finite, if one has.
    pub fn unbounded(&self) -> Option<usize> {
        self.bodies.iter().position(|b| !b.is_finite())
    }

    /// How many bodies sleep.
    pub fn asleep(&self) -> usize {
        self.rest.iter().filter(|r| r.asleep).count()
    }

    /// Whether a body sleeps.
    pub fn sleeps(&self, body: BodyId) -> bool {
        self.rest.get(body.0).is_some_and(|r| r.asleep)
    }

    /// A state at rest at time zero: bodies at the origin, nothing remembered.
    pub fn at_rest(model: &super::Model) -> Self {
        let body = BodyState {
            position: Vec3::zeros(),
            orientation: Quat::identity(),
            velocity: Twist::default(),
            momentum: Vec3::zeros(),
            angular_momentum: Vec3::zeros(),
        };
        Self {
            time: 0.0,
            step: 0,
            bodies: vec![body; model.bodies.len()],
            reactions: vec![Row::default(); model.joints.len()],
            coupling_forces: vec![0.0; model.couplings.len()],
            angles: vec![[0.0; 2]; model.joints.len()],
            swept: 0.0,
            contacts: Vec::new(),
            limits: vec![LimitState::default(); model.limit_count()],
            work: Work::default(),
            memory: Memory::default(),
            rest: Vec::new(),
        }
    }
}
