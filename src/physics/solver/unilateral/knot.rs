//! Velocities at a knot where bodies touch: the momenta of the state, less what joints and contacts do not let
//! through.
//!
//! The knot's momentum holds half of the force impulse of the interval to come, but nothing of its contact impulses. A
//! body at rest would read as falling. The projection of [`project`](super::super::MechanismSolver::project) is
//! therefore done with the contacts that are closed, by the same law at the level of velocities:
//! ```text
//!   M w = p + Gᵀ µ + Jᵀ r,   G w = 0,   0 ≤ J_n w - rebound ⊥ r_n ≥ 0,   friction as in the step
//! ```

use super::super::blocks::{Configurations, Parts};
use super::super::elimination::Mass;
use super::super::{Interval, MechanismSolver};
use super::closed::{Scales, is_closed};
use super::law;
use super::live::{CLOSE, EXACT, LIVE};
use super::settle::{Settled, frictionless, hold, is_settled, settle};
use super::{ConeSection, Energies, Islands, Unilateral, UnilateralConstraints, What};
use crate::math::Vec3;
use crate::model::{ContactState, ContactStatus, Model, State, Twist};
use crate::solver::past::{self, Past};

/// Tries of rebounds, each slower than the one before, until they return no more energy than contacts took.
pub(super) const TAMINGS: u32 = 8;

/// Violation of the law, relative to the velocities, that is taken where iterating gets no further: energies read from such
/// velocities are right to a millionth.
pub(super) const NEAR: f64 = 1e-6;

/// Times the kinetic energy of the last interval up to which that at the knot is taken as it is found.
const USUAL: f64 = 1.5;

/// Times the kinetic energy at hand above which velocities mean nothing where contacts may return some.
const GIVEN: f64 = 4.0;

/// What reading the velocities at a knot came to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Reading {
    /// Energy that impacts and friction take up to the knot, and that the account of whole intervals has not seen yet
    /// (J).
    pub losses: [f64; 2],
    /// The velocities are not those of the contact law: it was not solved at the knot, with friction at least, and
    /// the energy read from them is off by what friction takes in half a step or more.
    pub rough: bool,
}

impl MechanismSolver {
    /// Velocities at the knot of a state whose bodies touch, reached by steps of `step` (s); of free bodies of which more
    /// than `exact` points are near they are read live, as the interval that led there was solved.
    pub fn project_touching(
        &mut self,
        model: &Model,
        state: &State,
        (section, step, exact): (ConeSection, f64, usize),
        out: &mut Vec<Twist>,
    ) -> Reading {
        let mut knot = std::mem::take(&mut self.knot);
        self.begin_at_knot(model, state);
        knot.unilaterals.clear();
        self.closed_contacts(model, state, step, &mut knot.unilaterals);
        self.closed_limits(model, state, step, &mut knot.unilaterals);
        if knot.unilaterals.is_empty() {
            self.knot = knot;
            self.project_placed(model, state, out);
            return Reading::default();
        }
        let active = std::mem::replace(&mut self.unilateral.active, false);
        self.freeze(model, &state.bodies);
        let closed = knot.unilaterals.iter().map(|u| u.links);
        self.knot_islands.gather(closed, |link| {
            let body = self.links.links[link].body;
            Energies {
                taken: past::taken(state, body),
                ..Energies::default()
            }
        });
        let swept = self.is_loose() && section == ConeSection::Disc;
        let near = state.contacts.len().max(knot.unilaterals.len());
        let aim = if near > exact { LIVE } else { EXACT };
        let read = if swept {
            self.settle_free(&mut knot, aim)
        } else {
            None
        };
        let mut reading =
            read.unwrap_or_else(|| self.settle_exactly(model, state, section, &mut knot));
        if swept && read.is_none() && reading.rough {
            // What is jammed sweeps still come close to.
            for (unilateral, start) in knot.unilaterals.iter_mut().zip(&knot.start) {
                unilateral.impulse = *start;
            }
            reading = self.settle_free(&mut knot, CLOSE).unwrap_or(reading);
        }
        self.unilateral.active = active;
        self.knot = knot;
        self.write_motions(out);
        let kinetic = |twists: &[Twist]| model.kinetic_energy(&state.bodies, twists);
        let last = state.bodies.iter().map(|body| &body.velocity);
        let before = model.kinetic_energy(&state.bodies, last);
        let read = kinetic(out);
        if !reading.rough && read <= USUAL * before {
            return reading;
        }
        // Contacts take energy, and rebounds return no more than was there. Where joints hold as well what touches any impulse
        // passes for a solution, and what rounding makes of it.
        let mut with_contacts = std::mem::take(&mut self.read);
        with_contacts.clone_from(out);
        for (link, free) in self.links.links.iter().zip(&self.knot.free) {
            out[link.body] = *free;
        }
        let without = kinetic(out);
        let rebounds = self.knot.unilaterals.iter().any(|u| u.rebound > 0.0);
        let most = if reading.rough || !rebounds {
            without * (1.0 + NEAR)
        } else {
            GIVEN * (without + before)
        };
        let sound = read <= most;
        if sound {
            out.clone_from(&with_contacts);
        }
        self.read = with_contacts;
        if sound {
            return reading;
        }
        Reading {
            losses: [0.0; 2],
            rough: true,
        }
    }

    /// Velocities at the knot of a state as joints let them through, whatever touches.
    pub fn project_joints(&mut self, model: &Model, state: &State, out: &mut Vec<Twist>) {
        let active = std::mem::replace(&mut self.unilateral.active, false);
        self.project(model, state, out);
        self.unilateral.active = active;
    }

    /// Puts bodies where they are at the knot and weighs what the interval that led there handled.
    fn begin_at_knot(&mut self, model: &Model, state: &State) {
        self.place(&state.bodies, &Vec3::zeros());
        self.weigh(model, Past::of(state).held);
        self.links.invert_inertias();
    }

    /// Solves for the velocities with the closed constraints, by the system of the whole mechanism.
    fn settle_exactly(
        &mut self,
        model: &Model,
        state: &State,
        section: ConeSection,
        knot: &mut UnilateralConstraints,
    ) -> Reading {
        let friction = |unilateral: &Unilateral| law::nonsmooth(unilateral, section);
        self.free_motions(knot);
        self.solve_joints(&knot.unilaterals);
        self.read_rates(&mut knot.unilaterals);
        if is_settled(&knot.unilaterals, friction)
            && let Some(reading) = self.read_lawful(knot)
        {
            return reading;
        }
        // Impulses of loops are not among what bodies set out from.
        let links = self.links.links.iter_mut();
        links.for_each(|link| link.rhs = link.target);
        let driven = std::mem::replace(&mut self.elimination.driven, false);
        let parts = Parts {
            model,
            topology: &self.topology,
            links: &self.links,
            elimination: &self.elimination,
            loop_constraints: &self.loop_constraints,
            drives: &self.drives,
        };
        knot.fitted = false;
        knot.fit(&parts);
        for unilateral in &mut knot.unilaterals {
            // At a knot those of velocities.
            unilateral.gradient = unilateral.force;
        }
        let at = Configurations {
            first: &state.bodies,
            second: &state.bodies,
        };
        let mut reading = Reading::default();
        if let Some(system) = knot.systems.used_mut() {
            system.assemble(&parts, &at, Mass::Knot);
            system.push(&knot.unilaterals);
            let start = &mut knot.start;
            start.clear();
            start.extend(knot.unilaterals.iter().map(|u| u.impulse));
            for round in 1..=TAMINGS {
                let settled = settle(system, &mut knot.unilaterals, start, friction);
                reading.rough = settled != Settled::Lawful;
                if settled == Settled::Lost
                    && settle(system, &mut knot.unilaterals, start, frictionless) == Settled::Lost
                {
                    hold(system, &mut knot.unilaterals, start);
                }
                let last = round + 1 >= TAMINGS;
                let overshoots = overshoots(&mut self.knot_islands, &mut knot.unilaterals, last);
                reading.losses = overshoots.0;
                if !overshoots.1 {
                    break;
                }
                for (unilateral, start) in knot.unilaterals.iter_mut().zip(start.iter()) {
                    unilateral.impulse = *start;
                }
            }
            system.arrive();
            system.take(&self.topology, &mut self.links, &mut self.fronts);
        }
        self.elimination.driven = driven;
        reading
    }

    /// What velocities that follow the laws as they are come to; `None`, with slower rebounds, where these return too much.
    pub(super) fn read_lawful(&mut self, knot: &mut UnilateralConstraints) -> Option<Reading> {
        let (losses, again) = overshoots(&mut self.knot_islands, &mut knot.unilaterals, false);
        let rough = false;
        (!again).then_some(Reading { losses, rough })
    }

    /// Notes the velocities of links and constraints as joints alone would have them.
    fn free_motions(&mut self, knot: &mut UnilateralConstraints) {
        self.solve_joints(&[]);
        let links = &self.links.links;
        knot.free.clear();
        knot.free
            .extend(links.iter().map(|link| link.motion.twist()));
        for unilateral in &mut knot.unilaterals {
            unilateral.free = unilateral.rates(|link| knot.free[link]);
        }
    }

    /// Whether a unilateral constraint with this mean force over the step before (N, N·m) and this gap at the knot [m,
    /// rad] is closed.
    fn closed_at_knot(
        &self,
        model: &Model,
        unilateral: &Unilateral,
        (force, gap, step): (f64, f64, f64),
    ) -> bool {
        let speed = unilateral.pace(&self.links, model.gravity.norm() * step);
        let impulse = force * step / unilateral.mass;
        is_closed(impulse, gap / step, Scales::of_speed(speed + impulse.abs()))
    }

    /// Half the length of the interval over which a unilateral constraint had its last force (s).
    fn half_held(&self, state: &State, unilateral: &Unilateral) -> f64 {
        let held = self.bodies(unilateral).map(|body| past::held(state, body));
        0.5 * held.map(f64::abs).fold(0.0, f64::max)
    }

    /// Contacts of the state that are closed, with half of their last impulses and their last slip.
    fn closed_contacts(
        &self,
        model: &Model,
        state: &State,
        step: f64,
        unilaterals: &mut Vec<Unilateral>,
    ) {
        let not_open = |c: &&ContactState| c.status != ContactStatus::Open;
        let contacts = || state.contacts.iter().filter(not_open);
        let empty = || Unilateral::empty(What::Contact(0));
        // Filled where they stay: they are large.
        unilaterals.extend(contacts().map(|_| empty()));
        let mut closed = 0;
        for contact in contacts() {
            let unilateral = &mut unilaterals[closed];
            unilateral.begin_at_knot(
                contact,
                &self.topology,
                &self.links,
                &state.bodies,
                &self.scale,
            );
            let told = (contact.normal_force(), contact.gap, step);
            if !self.closed_at_knot(model, unilateral, told) {
                *unilateral = empty();
                continue;
            }
            let half = self.half_held(state, unilateral);
            for row in 0..unilateral.rows {
                unilateral.impulse[row] =
                    contact.force.dot(&unilateral.axes[row]) * half / unilateral.mass;
            }
            for row in 1..unilateral.rows {
                unilateral.velocity[row] = contact.slip.dot(&unilateral.axes[row]);
            }
            brake(unilateral, model, half);
            unilateral.rebound -= contact.turning;
            closed += 1;
        }
        unilaterals.truncate(closed);
    }

    /// Stops of the state that are closed.
    fn closed_limits(
        &self,
        model: &Model,
        state: &State,
        step: f64,
        unilaterals: &mut Vec<Unilateral>,
    ) {
        let interval = Interval {
            dt: step,
            time: state.time,
            share: 1.0,
            blend: 1.0,
        };
        let context = super::StepContext {
            model,
            state,
            contacts: &[],
            interval: &interval,
        };
        let scene = self.scene(&context);
        for what in super::limits(model) {
            let (entry, sign) = match what {
                What::Limit { entry, upper, .. } => (entry, if upper { -1.0 } else { 1.0 }),
                What::Cable { entry, .. } => (entry, 1.0),
                What::Contact(_) => continue,
            };
            let last = &state.limits[entry];
            if sign * last.force <= 0.0 {
                continue;
            }
            let mut unilateral = Unilateral::new(what, &scene);
            let told = (
                sign * last.force / unilateral.lever,
                last.gap * unilateral.lever,
                step,
            );
            if self.closed_at_knot(model, &unilateral, told) {
                let half = self.half_held(state, &unilateral);
                unilateral.rebound = last.rebound * unilateral.lever;
                unilateral.impulse[0] = told.0 * half / unilateral.mass;
                brake(&mut unilateral, model, half);
                unilaterals.push(unilateral);
            }
        }
    }
}

/// The rebound is the velocity of the whole interval to come; gravity brakes on the way to its middle.
fn brake(unilateral: &mut Unilateral, model: &Model, half: f64) {
    if unilateral.rebound > 0.0 {
        let fall = Twist {
            linear: model.gravity * half,
            ..Twist::default()
        };
        unilateral.rebound -= unilateral.rates(|_| fall)[0];
    }
}

/// Energy that a unilateral constraint takes, normal and tangential, and the sum of sizes of which it is the difference
/// (J).
fn taken(unilateral: &Unilateral) -> ([f64; 2], f64) {
    let (mut losses, mut size) = ([0.0; 2], 0.0);
    for row in 0..unilateral.rows {
        let after = unilateral.velocity[row] + if row == 0 { unilateral.rebound } else { 0.0 };
        let half = 0.5 * unilateral.impulse[row] * unilateral.mass;
        losses[usize::from(row > 0)] -= half * (unilateral.free[row] + after);
        size += half.abs() * (unilateral.free[row].abs() + after.abs());
    }
    (losses, size)
}

/// Books what the constraints take (J) and slows rebounds of islands down that return more energy than contacts took, in
/// the `last` try to nothing; whether there were any.
pub(super) fn overshoots(
    islands: &mut Islands,
    unilaterals: &mut [Unilateral],
    last: bool,
) -> ([f64; 2], bool) {
    islands.clear();
    let mut losses = [0.0; 2];
    for unilateral in &*unilaterals {
        let (loss, size) = taken(unilateral);
        islands.book(unilateral.links, loss, size, unilateral.rebound > 0.0);
        losses[0] += loss[0];
        losses[1] += loss[1];
    }
    let mut again = false;
    for unilateral in unilaterals {
        if let Some(slower) = islands.slower(unilateral.links) {
            again = true;
            if unilateral.rebound > 0.0 {
                unilateral.rebound *= if last { 0.0 } else { slower };
            }
        }
    }
    (losses, again)
}
