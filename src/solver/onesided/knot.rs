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
use super::law::{self, Law};
use super::system::{self, System};
use super::{Section, Unit, What};
use crate::math::Vec3;
use crate::model::{Model, State, Twist};

/// A gap at which a contact with a force counts as closed, relative to its size.
const CLOSED: f64 = 1e-8;

/// Iterations at most; then friction is left out, which always has a solution.
const LIMIT: u32 = 20;

/// Tries of rebounds, each slower than the one before, until they return no more energy than contacts took.
const TAMINGS: u32 = 8;

/// Violation of the law that is accepted, relative to the velocities.
const TOLERANCE: f64 = 1e-12;

/// Velocities below this do not count, relative to the speed of the step.
const LEAST: f64 = 1e-2;

impl MechanismSolver {
    /// Velocities at the knot of a state whose bodies touch. Returns the energy that impacts and friction take up to
    /// the knot [J], which the account of whole intervals has not seen yet.
    pub fn project_touching(
        &mut self,
        model: &Model,
        state: &State,
        section: Section,
        out: &mut Vec<Twist>,
    ) -> [f64; 2] {
        let mut knot = std::mem::take(&mut self.knot);
        self.place(&state.bodies, &Vec3::zeros());
        self.weigh(model, state.memory.intervals[0]);
        knot.units.clear();
        self.closed_contacts(model, state, &mut knot.units);
        self.closed_stops(model, state, &mut knot.units);
        if knot.units.is_empty() {
            self.knot = knot;
            self.project(model, state, out);
            return [0.0; 2];
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
        if !knot.system.as_ref().is_some_and(|s| s.fits(&knot.pairs)) {
            knot.system = Some(System::new(&parts, &knot.pairs));
        }
        let at = Configurations {
            first: &state.bodies,
            second: &state.bodies,
        };
        let mut losses = [0.0; 2];
        if let Some(system) = &mut knot.system {
            system.assemble(&parts, &at, Mass::Knot, 1.0);
            system.push(&knot.units);
            free_velocities(system, &mut knot.units);
            let start = &mut knot.start;
            start.clear();
            start.extend(knot.units.iter().map(|u| u.impulse));
            for round in 1..=TAMINGS {
                if !settle(system, &mut knot.units, start, |unit| {
                    law::nonsmooth(unit, section)
                }) {
                    settle(system, &mut knot.units, start, frictionless);
                }
                losses = taken(&knot.units);
                let (gain, had) = (-losses[0] - losses[1], state.memory.loss);
                let rebounds = knot.units.iter().any(|u| u.rebound > 0.0);
                if !rebounds || gain <= had {
                    break;
                }
                // As in the step, rebounds return no more than contacts took; gains go with their squares, roughly.
                let slower = if round + 1 < TAMINGS {
                    (had / gain).sqrt() * (1.0 - 1e-6)
                } else {
                    0.0
                };
                for (unit, start) in knot.units.iter_mut().zip(start.iter()) {
                    unit.rebound *= slower;
                    unit.impulse = *start;
                }
            }
            system.take(&self.topology, &mut self.links, &mut self.fronts);
        }
        self.elimination.driven = driven;
        self.one_sided.active = active;
        self.knot = knot;
        self.write_motions(out);
        losses
    }

    /// Contacts of the state that are closed, with half of their last impulses and their last slip.
    fn closed_contacts(&self, model: &Model, state: &State, units: &mut Vec<Unit>) {
        let half = 0.5 * state.memory.intervals[0].abs();
        let near = |c: &crate::model::ContactState| {
            c.gap <= self.scale.gap(CLOSED, self.scale.smaller(c.bodies))
        };
        let closed = |c: &&crate::model::ContactState| c.normal_force() > 0.0 && near(c);
        for contact in state.contacts.iter().filter(closed) {
            let mut unit = Unit::at_knot(
                contact,
                &self.topology,
                &self.links,
                &state.bodies,
                &self.scale,
            );
            for row in 0..unit.rows {
                unit.impulse[row] = contact.force.dot(&unit.axes[row]) * half / unit.mass;
            }
            for row in 1..unit.rows {
                unit.velocity[row] = contact.slip.dot(&unit.axes[row]);
            }
            if unit.rebound > 0.0 {
                // The rebound is the velocity of the whole interval; gravity brakes on the way to its middle.
                unit.rebound -= unit.rate(0, |_| (model.gravity * half, Vec3::zeros()));
            }
            units.push(unit);
        }
    }

    /// Stops of the state that are closed.
    fn closed_stops(&self, model: &Model, state: &State, units: &mut Vec<Unit>) {
        let dt = state.memory.intervals[0].abs().max(f64::MIN_POSITIVE);
        let interval = Interval {
            dt,
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
            if last.gap * unit.lever <= self.scale.gap(CLOSED, unit.size) {
                unit.gradient = unit.force;
                unit.rebound = last.rebound * unit.lever;
                unit.impulse[0] = 0.5 * sign * last.force / unit.lever * dt / unit.mass;
                units.push(unit);
            }
        }
    }
}

/// Energy that the units take, normal and tangential [J].
fn taken(units: &[Unit]) -> [f64; 2] {
    let mut losses = [0.0; 2];
    for unit in units {
        for row in 0..unit.rows {
            let after = unit.velocity[row] + if row == 0 { unit.rebound } else { 0.0 };
            let mean = 0.5 * (unit.free[row] + after);
            losses[usize::from(row > 0)] -= unit.impulse[row] * mean * unit.mass;
        }
    }
    losses
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
