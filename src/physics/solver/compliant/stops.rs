//! Contact points, limits of joints and cables of a step: springs and dampers that only push.
//!
//! A row with the gap `φ` pushes with `λ = max(0, -k φ₁ - b φ̇₁)` [Drumwright eq. 68], taken at the end of the step:
//! ```text
//!   0 ≤ p ⊥ u + C p + d ≥ 0,   C = 1/(h² k + h b),   d = k φ/(h k + b)
//! ```
//! which is the condition of a strictly convex quadratic program. What does not touch yet is not damped. Friction has no
//! memory and all the damping that double precision allows [Drumwright sect. 6.4], on the exact cone.

use super::super::contact::{margin, measure_reach, thin};
use super::super::unilateral::{mending, size, stop_rows, tangents};
use super::hertz::Round;
use super::{Asked, Body, CompliantSolver, FINEST, Impulse, mobility};
use crate::contact::{Contact, Gap, Located};
use crate::math::Vec3;
use crate::model::{BodyId, BodyState, Compliance, Model, State, SurfaceCompliance};
use crate::solver::What;
use std::ops::Range;

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stop {
    /// What it stands for.
    pub what: What,
    /// Its bodies.
    pub bodies: [Option<usize>; 2],
    /// Rows: 1, or 3 with friction.
    pub rows: usize,
    /// Gradient of each row on either body, which is the wrench of a unit force along it.
    pub gradient: [[Impulse; 3]; 2],
    /// Normal and tangents of a contact point.
    pub axes: [Vec3; 3],
    /// What makes a gap a length (m).
    pub lever: f64,
    /// Gap at the start, by which its law goes (m).
    pub gap: f64,
    /// What the surfaces are nearer than that: an element that something came upon from the side begins to push little by little (m).
    pub(super) set: f64,
    /// `C` of each row (1/kg).
    pub compliance: [f64; 3],
    /// `d` (m/s).
    pub ahead: f64,
    /// Its law where that depends on how deep it is pressed in; `C` and `d` are then those of a tangent.
    pub(super) round: Option<Round>,
    /// Effective mass of the normal row (kg).
    pub mass: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Impulses over the effective mass (m/s).
    pub impulse: [f64; 3],
    /// Velocities of the rows before and after (m/s).
    pub velocity: [[f64; 3]; 2],
}

impl Stop {
    /// Impulses (N·s).
    pub fn impulses(&self) -> [f64; 3] {
        self.impulse.map(|r| r * self.mass)
    }

    /// Velocities of its rows, where `of` is the velocity of a body.
    pub fn rates(&self, of: impl Fn(usize) -> Impulse) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for (side, body) in self.bodies.iter().enumerate() {
            let Some(body) = body else { continue };
            let velocity = of(*body);
            for (sum, row) in sums.iter_mut().zip(&self.gradient[side][..self.rows]) {
                *sum += super::dot(row, &velocity);
            }
        }
        sums
    }

    /// How far its surfaces are apart at the end of a step of `h`, by its gradient (m).
    pub fn led_to(&self, h: f64) -> f64 {
        self.gap - self.set + h * self.velocity[1][0]
    }

    /// What the law asks of it, from its gap and how far it gives.
    fn set_law(&mut self, own: Compliance, mended: f64, h: f64) {
        // What is rigid is mended little by little, as bodies that start in each other would part by a leap.
        let (compliance, ahead) = if own.is_rigid() {
            let gap = if self.gap > 0.0 { self.gap } else { -mended };
            (0.0, gap / h)
        } else {
            let damping = if self.gap > 0.0 { 0.0 } else { own.damping };
            let s = h * own.stiffness + damping;
            if s > 0.0 {
                (1.0 / (h * s), self.gap * (own.stiffness / s))
            } else {
                (f64::INFINITY, 0.0)
            }
        };
        self.compliance[0] = compliance.max(FINEST / self.mass);
        self.ahead = ahead;
    }
}

/// Arms of a contact point on its bodies (m).
pub(super) struct Arms {
    pub arms: [Vec3; 2],
    /// How far they are beside the point, across its normal (m).
    pub beside: f64,
}

impl Arms {
    /// Both bodies feel the force at one point, so that a gap makes no torque out of nothing.
    pub fn at(contact: &Contact, gap: &Gap, bodies: &[BodyState]) -> Self {
        let middle = gap.middle();
        let arm = |b: Option<BodyId>| b.map_or_else(Vec3::zeros, |b| middle - bodies[b.0].position);
        Self {
            arms: contact.bodies.map(arm),
            beside: 0.0,
        }
    }

    /// For a point where the step ends: moved back with the bodies, which part with angular momentum where they do not do
    /// so together, so that both feel the force at one point at the start. `None` where no body moves.
    pub fn ahead(
        contact: &Contact,
        gap: &Gap,
        model: &Model,
        (starts, ends): (&[BodyState], &[BodyState]),
    ) -> Option<Self> {
        let (mut way, mut mass) = (Vec3::zeros(), 0.0);
        for b in contact.bodies.iter().flatten() {
            let m = model.bodies[b.0].mass;
            way += (ends[b.0].position - starts[b.0].position) * m;
            mass += m;
        }
        if mass == 0.0 {
            return None;
        }
        way /= mass;
        let mut arms = Self::at(contact, gap, ends);
        for (arm, body) in arms.arms.iter_mut().zip(&contact.bodies) {
            if let Some(b) = body {
                let apart = ends[b.0].position - starts[b.0].position - way;
                *arm += apart;
                let across = apart - gap.normal * gap.normal.dot(&apart);
                arms.beside = arms.beside.max(across.norm());
            }
        }
        Some(arms)
    }
}

impl CompliantSolver {
    /// Finds what may push in the step: all that is nearer than bodies can come.
    pub(super) fn find_stops(&mut self, model: &Model, state: &State, asked: &Asked) {
        let h = asked.h;
        self.stops.clear();
        self.contacts.clear();
        if model.contact.is_some() {
            measure_reach(model, &state.bodies, &self.radii, h, &mut self.reach);
            if !self.ahead.is_of(&state.bodies, &self.reach) {
                let (bodies, reach) = (&state.bodies, &self.reach);
                let found = (&mut self.ahead.points, &mut self.ahead.elements);
                self.touching.find(model, (bodies, reach), found);
                // What was found is of no end of a step.
                self.ahead.bodies.clear();
            }
            let located = |contact: &Contact| Located::at(contact, &state.bodies);
            self.contacts.extend(self.ahead.points.iter().map(located));
            thin(&mut self.contacts, &self.scale);
            // Elements have places of their own.
            self.contacts
                .extend(self.ahead.elements.iter().map(located));
        }
        for k in 0..self.contacts.len() {
            let contact = &self.contacts[k];
            let arms = Arms::at(contact, &contact.here, &state.bodies);
            self.add_contact(k, &arms);
        }
        self.set_elements(model, state, h);
        for k in 0..self.limits.len() {
            self.add_limit(self.limits[k], model, state, h);
        }
        self.set_laws(0, model, &state.bodies, h);
        // What gives without end does not push.
        self.stops.retain(|s| s.compliance[0].is_finite());
        self.start_from(state, h);
    }

    /// Laws of all stops from one on.
    pub(super) fn set_laws(&mut self, from: usize, model: &Model, bodies: &[BodyState], h: f64) {
        self.set_laws_of(from..self.stops.len(), model, bodies, h);
    }

    /// Laws of some stops.
    pub(super) fn set_laws_of(
        &mut self,
        which: Range<usize>,
        model: &Model,
        bodies: &[BodyState],
        h: f64,
    ) {
        let gravity = model.gravity.norm();
        for stop in &mut self.stops[which] {
            let own = match stop.what {
                What::Contact(k) => match self.contacts[k].compliance {
                    SurfaceCompliance::Linear(own) => own,
                    SurfaceCompliance::Hertz(_) => {
                        if let Some(round) = Round::of(&self.contacts[k], bodies) {
                            let [free, ..] = stop.rates(|b| self.bodies[b].end());
                            stop.start_round(round, free, h);
                            continue;
                        }
                        Compliance::RIGID
                    }
                },
                What::Limit { joint, limit, .. } => model.joints[joint].limits[limit].compliance,
                What::Cable { cable, .. } => model.cables[cable].compliance,
            };
            let size = size(stop.what, model, &self.contacts, &self.scale);
            let speed = self.scale.speed;
            let mended = mending(stop.gap, size, speed, gravity, &self.scale, h);
            stop.set_law(own.times_lever(stop.lever), mended, h);
        }
    }

    /// Adds a contact point, by its gap and arms.
    pub(super) fn add_contact(&mut self, k: usize, arms: &Arms) {
        let Located { contact, here: gap } = &self.contacts[k];
        let [t1, t2] = tangents(&gap.normal);
        let mut stop = Stop {
            axes: [gap.normal, t1, t2],
            rows: if contact.friction > 0.0 { 3 } else { 1 },
            friction: contact.friction,
            gap: gap.distance,
            bodies: contact.bodies.map(|b| b.map(|b| b.0)),
            ..empty(What::Contact(k))
        };
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if stop.bodies[side].is_none() {
                continue;
            }
            let arm = arms.arms[side];
            for row in 0..stop.rows {
                let push = stop.axes[row] * sign;
                stop.gradient[side][row] = super::six(&push, &arm.cross(&push));
            }
        }
        self.add(stop);
    }

    fn add_limit(&mut self, what: What, model: &Model, state: &State, h: f64) {
        let lever = match what {
            What::Limit { joint, limit, .. } => {
                let data = &model.joints[joint];
                let coordinate = data.limits[limit].coordinate;
                self.scale.lever(joint, data.kind, coordinate)
            }
            What::Contact(_) | What::Cable { .. } => 1.0,
        };
        let (gap, gradient) = stop_rows(what, model, &state.bodies, &state.angles, lever);
        if gap > margin(model, state, what, lever, h) {
            return;
        }
        let bodies = match what {
            What::Contact(_) => return,
            What::Limit { joint, .. } => {
                let joint = &model.joints[joint];
                [Some(joint.child.0), joint.parent.map(|p| p.0)]
            }
            What::Cable { cable, .. } => model.cables[cable].ends.map(|e| e.body.map(|b| b.0)),
        };
        self.add(Stop {
            bodies,
            gradient,
            lever,
            gap,
            ..empty(what)
        });
    }

    /// Adds one that moves anything, with its effective mass.
    fn add(&mut self, mut stop: Stop) {
        let mut sums = [0.0; 3];
        for (side, body) in stop.bodies.iter().enumerate() {
            let Some(body) = body else { continue };
            let body: &Body = &self.bodies[*body];
            for (sum, row) in sums.iter_mut().zip(&stop.gradient[side]) {
                *sum += mobility(body, row);
            }
        }
        let movable = sums[0] > 0.0 && sums[0].is_finite();
        if !movable {
            return;
        }
        stop.mass = 1.0 / sums[0];
        let slide = FINEST * sums[1].max(sums[2]).max(sums[0]);
        stop.compliance = [0.0, slide, slide];
        self.stops.push(stop);
    }

    /// Impulses that forces of the state gave over a step of `h`.
    fn start_from(&mut self, state: &State, h: f64) {
        for stop in &mut self.stops {
            let over = h / stop.mass;
            match stop.what {
                What::Contact(k) => {
                    let key = self.contacts[k].key;
                    let known = state.contacts.binary_search_by_key(&key, |c| c.key);
                    if let Ok(known) = known {
                        let force = state.contacts[known].force;
                        for row in 0..stop.rows {
                            stop.impulse[row] = stop.axes[row].dot(&force) * over;
                        }
                    }
                }
                What::Limit { entry, upper, .. } => {
                    let sign = if upper { -1.0 } else { 1.0 };
                    stop.impulse[0] =
                        (sign * state.limits[entry].force * over / stop.lever).max(0.0);
                }
                What::Cable { entry, .. } => {
                    stop.impulse[0] = (state.limits[entry].force * over).max(0.0);
                }
            }
        }
    }
}

fn empty(what: What) -> Stop {
    Stop {
        what,
        bodies: [None; 2],
        rows: 1,
        gradient: [[[0.0; 6]; 3]; 2],
        axes: [Vec3::zeros(); 3],
        lever: 1.0,
        gap: 0.0,
        set: 0.0,
        compliance: [0.0; 3],
        ahead: 0.0,
        round: None,
        mass: 1.0,
        friction: 0.0,
        impulse: [0.0; 3],
        velocity: [[0.0; 3]; 2],
    }
}
