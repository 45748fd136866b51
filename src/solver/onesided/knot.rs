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
use super::super::topology::WORLD;
use super::super::{Interval, MechanismSolver};
use super::closed::{Scales, is_closed};
use super::law::{self, Law};
use super::system::{self, System};
use super::{Section, Unit, What};
use crate::math::Vec3;
use crate::model::{ContactStatus, Model, State, Twist};
use crate::solver::past::{self, Past};

/// Iterations at most; then friction is left out, which always has a solution.
const LIMIT: u32 = 20;

/// Tries of rebounds, each slower than the one before, until they return no more energy than contacts took.
const TAMINGS: u32 = 8;

/// Violation of the law that is accepted, relative to the velocities.
const TOLERANCE: f64 = 1e-12;

/// What reading the velocities at a knot came to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Reading {
    /// Energy that impacts and friction take up to the knot, and that the account of whole intervals has not seen yet
    /// [J].
    pub losses: [f64; 2],
    /// The velocities are not those of the contact law: it was not solved at the knot, with friction at least, and
    /// the energy read from them is off by what friction takes in half a step or more.
    pub rough: bool,
}

/// Velocities below this do not count, relative to the speed of the step.
const LEAST: f64 = 1e-2;

impl MechanismSolver {
    /// Velocities at the knot of a state whose bodies touch, reached by steps of `step` [s].
    pub fn project_touching(
        &mut self,
        model: &Model,
        state: &State,
        (section, step): (Section, f64),
        out: &mut Vec<Twist>,
    ) -> Reading {
        let mut knot = std::mem::take(&mut self.knot);
        self.place(&state.bodies, &Vec3::zeros());
        self.weigh(model, Past::of(state).held);
        knot.units.clear();
        self.closed_contacts(model, state, step, &mut knot.units);
        self.closed_stops(model, state, step, &mut knot.units);
        if knot.units.is_empty() {
            self.knot = knot;
            self.project(model, state, out);
            return Reading::default();
        }
        let active = std::mem::replace(&mut self.one_sided.active, false);
        self.hold(model, &state.bodies);
        let driven = std::mem::replace(&mut self.elimination.driven, false);
        system::pairs(&knot.units, &mut knot.pairs);
        let parts = Parts {
            model,
            topology: &self.topology,
            links: &self.links,
            elimination: &self.elimination,
            closures: &self.closures,
            drives: &self.drives,
        };
        knot.systems.fit(&parts, &knot.pairs);
        let at = Configurations {
            first: &state.bodies,
            second: &state.bodies,
        };
        let mut reading = Reading::default();
        let closed = knot.units.iter().map(|u| u.links);
        self.islands.gather(closed, |link| {
            let body = self.links.links[link].body;
            [past::loss(state, body), 0.0, 0.0]
        });
        if let Some(system) = knot.systems.used_mut() {
            system.assemble(&parts, &at, Mass::Knot, 1.0);
            system.push(&knot.units);
            free_velocities(system, &mut knot.units);
            let start = &mut knot.start;
            start.clear();
            start.extend(knot.units.iter().map(|u| u.impulse));
            for round in 1..=TAMINGS {
                let lawful = settle(system, &mut knot.units, start, |unit| {
                    law::nonsmooth(unit, section)
                });
                reading.rough = !lawful;
                if !lawful {
                    settle(system, &mut knot.units, start, frictionless);
                }
                self.islands.clear();
                reading.losses = [0.0; 2];
                for unit in &knot.units {
                    let (loss, size) = taken(unit);
                    self.islands
                        .book(unit.links, loss, size, unit.rebound > 0.0);
                    reading.losses[0] += loss[0];
                    reading.losses[1] += loss[1];
                }
                // As in the step, rebounds return no more than contacts took.
                let mut again = false;
                for unit in &mut knot.units {
                    if let Some(slower) = self.islands.slower(unit.links) {
                        again = true;
                        unit.rebound *= if round + 1 < TAMINGS { slower } else { 0.0 };
                    }
                }
                if !again {
                    break;
                }
                for (unit, start) in knot.units.iter_mut().zip(start.iter()) {
                    unit.impulse = *start;
                }
            }
            system.take(&self.topology, &mut self.links, &mut self.fronts);
        }
        self.elimination.driven = driven;
        self.one_sided.active = active;
        self.knot = knot;
        self.write_motions(out);
        reading
    }

    /// Whether a unit with this mean force over the step before [N, N·m] and this gap at the knot [m, rad] is closed.
    fn closed_at_knot(
        &self,
        model: &Model,
        unit: &Unit,
        (force, gap, step): (f64, f64, f64),
    ) -> bool {
        let speed = unit.pace(&self.links, model.gravity.norm() * step);
        let impulse = force * step / unit.mass;
        is_closed(impulse, gap / step, Scales::of_speed(speed + impulse.abs()))
    }

    /// Contacts of the state that are closed, with half of their last impulses and their last slip.
    fn closed_contacts(&self, model: &Model, state: &State, step: f64, units: &mut Vec<Unit>) {
        let half = 0.5 * Past::of(state).held.abs();
        let told = |c: &&crate::model::ContactState| c.status != ContactStatus::Open;
        for contact in state.contacts.iter().filter(told) {
            let mut unit = Unit::at_knot(
                contact,
                &self.topology,
                &self.links,
                &state.bodies,
                &self.scale,
            );
            if !self.closed_at_knot(model, &unit, (contact.normal_force(), contact.gap, step)) {
                continue;
            }
            for row in 0..unit.rows {
                unit.impulse[row] = contact.force.dot(&unit.axes[row]) * half / unit.mass;
            }
            for row in 1..unit.rows {
                unit.velocity[row] = contact.slip.dot(&unit.axes[row]);
            }
            brake(&mut unit, model, half);
            units.push(unit);
        }
    }

    /// Stops of the state that are closed.
    fn closed_stops(&self, model: &Model, state: &State, step: f64, units: &mut Vec<Unit>) {
        let half = 0.5 * Past::of(state).held.abs();
        let interval = Interval {
            dt: step,
            time: state.time,
            share: 1.0,
            blend: 1.0,
        };
        let frame = super::Frame {
            model,
            state,
            contacts: &[],
            interval: &interval,
        };
        let scene = self.scene(&frame);
        for what in super::stops(model) {
            let (stop, sign) = match what {
                What::Limit { stop, upper, .. } => (stop, if upper { -1.0 } else { 1.0 }),
                What::Cable { stop, .. } => (stop, 1.0),
                What::Contact(_) => continue,
            };
            let last = &state.stops[stop];
            if sign * last.force <= 0.0 {
                continue;
            }
            let mut unit = Unit::new(what, &scene);
            let told = (sign * last.force / unit.lever, last.gap * unit.lever, step);
            if self.closed_at_knot(model, &unit, told) {
                unit.gradient = unit.force;
                unit.rebound = last.rebound * unit.lever;
                unit.impulse[0] = told.0 * half / unit.mass;
                brake(&mut unit, model, half);
                units.push(unit);
            }
        }
    }
}

/// The rebound is the velocity of the whole interval to come; gravity brakes on the way to its middle.
fn brake(unit: &mut Unit, model: &Model, half: f64) {
    if unit.rebound > 0.0 {
        unit.rebound -= unit.rate(0, |_| (model.gravity * half, Vec3::zeros()));
    }
}

/// Energy that a unit takes, normal and tangential, and the sum of sizes of which it is the difference [J].
fn taken(unit: &Unit) -> ([f64; 2], f64) {
    let (mut losses, mut size) = ([0.0; 2], 0.0);
    for row in 0..unit.rows {
        let after = unit.velocity[row] + if row == 0 { unit.rebound } else { 0.0 };
        let half = 0.5 * unit.impulse[row] * unit.mass;
        losses[usize::from(row > 0)] -= half * (unit.free[row] + after);
        size += half.abs() * (unit.free[row].abs() + after.abs());
    }
    (losses, size)
}

/// Velocities of the units as joints alone would have them.
fn free_velocities(system: &mut System, units: &mut [Unit]) {
    system.laws.clear();
    system.laws.extend(units.iter().map(|unit| Law {
        rhs: -Vec3::from(unit.impulse),
        ..Law::default()
    }));
    system.factor_again(units);
    system.solve(units, 1e-13);
    for unit in units {
        unit.free = system.velocity(unit).into();
    }
}

/// Iterates until the units follow their laws; whether they do. The system's solution is then that of all.
fn settle(
    system: &mut System,
    units: &mut [Unit],
    start: &[[f64; 3]],
    mut law: impl FnMut(&Unit) -> Law,
) -> bool {
    for _ in 0..LIMIT {
        system.laws.clear();
        for (unit, start) in units.iter().zip(start) {
            let mut law = law(unit);
            // The law speaks of changes, the system of velocities and of impulses beyond those at the start.
            let spent = Vec3::from(unit.impulse) - Vec3::from(*start);
            law.rhs += law.e * Vec3::from(unit.velocity) + law.c * spent;
            law.rhs += law.e.column(0) * unit.rebound;
            system.laws.push(law);
        }
        system.factor_again(units);
        system.solve(units, 1e-13);
        let (mut worst, mut scale) = (0.0_f64, 0.0_f64);
        for (k, unit) in units.iter_mut().enumerate() {
            let before = (unit.impulse, unit.velocity);
            let moved = system.velocity(unit);
            for row in 0..unit.rows {
                unit.impulse[row] = start[k][row] + unit.change[row];
                unit.velocity[row] = moved[row];
            }
            unit.velocity[0] -= unit.rebound;
            scale = scale.max(LEAST * unit.speed);
            for row in 0..unit.rows {
                worst = worst.max((unit.impulse[row] - before.0[row]).abs());
                worst = worst.max((unit.velocity[row] - before.1[row]).abs());
                scale = scale.max(unit.impulse[row].abs()).max(moved[row].abs());
            }
        }
        if worst <= TOLERANCE * scale {
            return true;
        }
        if !worst.is_finite() {
            break;
        }
    }
    for (unit, start) in units.iter_mut().zip(start) {
        unit.impulse = *start;
        unit.velocity = [0.0; 3];
    }
    false
}

/// Closed without friction.
fn frictionless(unit: &Unit) -> Law {
    let mut law = Law::default();
    for row in 0..unit.rows {
        law.rhs[row] = -unit.impulse[row];
    }
    if unit.impulse[0] - unit.velocity[0] > 0.0 || unit.links == [WORLD; 2] {
        law.c[(0, 0)] = 0.0;
        law.e[(0, 0)] = 1.0;
        law.rhs[0] = -unit.velocity[0];
    }
    law
}
