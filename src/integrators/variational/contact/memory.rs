//! What one interval leaves to the next: impulses to start from, rebounds to come, losses of energy.

use super::Work;
use crate::contact::Contact;
use crate::integrators::{Settings, StepReport};
use crate::joints::{self, Placement};
use crate::math::{Quat, Vec3};
use crate::model::{ContactState, ContactStatus, Model, State, StopState, Twist};
use crate::solver::{Frame, MechanismSolver, Section, Unit, What, law};

/// Approach slower than this many times what gravity gives in a step does not rebound: a resting body stays at rest.
const RESTING: f64 = 4.0;

/// How near a stop must be to take part [m]: twice as far as it comes at the present rate, and what gravity adds. `lever`
/// makes its coordinate a length.
pub(super) fn margin(model: &Model, state: &State, what: What, lever: f64, dt: f64) -> f64 {
    let speed = match what {
        What::Contact(_) => 0.0,
        What::Limit { joint, limit, .. } => {
            let data = &model.joints[joint];
            let at = Placement::of(data, &state.bodies);
            let twist = |b: Option<crate::model::BodyId>| {
                b.map_or_else(Twist::default, |b| state.bodies[b.0].velocity)
            };
            let rates = joints::rates(
                data.kind,
                &at,
                &twist(data.parent),
                &twist(Some(data.child)),
            );
            rates[data.limits[limit].coordinate].abs() * lever
        }
        What::Cable { cable, .. } => {
            let ends = &model.cables[cable].ends;
            let speed = |end: &crate::model::Attachment| {
                end.body.map_or(0.0, |b| {
                    let v = &state.bodies[b.0].velocity;
                    v.linear.norm() + v.angular.norm() * end.point.norm()
                })
            };
            speed(&ends[0]) + speed(&ends[1])
        }
    };
    2.0 * speed * dt + 4.0 * model.gravity.norm() * dt * dt
}

/// Gives the units the impulses and rebounds that the state remembers, rebounds times `tame`.
pub(super) fn recall(solver: &mut MechanismSolver, frame: &Frame, tame: f64) {
    let dt = frame.interval.dt;
    let state = frame.state;
    for unit in solver.units_mut() {
        let over = dt / unit.mass;
        match unit.what {
            What::Contact(k) => {
                let Some(last) = find(&state.contacts, &frame.contacts[k]) else {
                    continue;
                };
                for row in 0..unit.rows {
                    unit.impulse[row] = last.force.dot(&unit.axes[row]) * over;
                }
                unit.impulse[0] = unit.impulse[0].max(0.0);
                unit.rebound = tame * last.rebound;
            }
            What::Limit { stop, upper, .. } => {
                let last = &state.stops[stop];
                let sign = if upper { -1.0 } else { 1.0 };
                unit.impulse[0] = (sign * last.force).max(0.0) / unit.lever * over;
                // The rebound belongs to the bound that was hit, which its force tells.
                if sign * last.force > 0.0 {
                    unit.rebound = tame * last.rebound * unit.lever;
                }
            }
            What::Cable { stop, .. } => {
                unit.impulse[0] = state.stops[stop].force.max(0.0) * over;
                unit.rebound = tame * state.stops[stop].rebound;
            }
        }
    }
}

/// The axes turned the shortest way, so that the first is `normal`.
fn turned(axes: &[Vec3; 3], normal: &Vec3) -> [Vec3; 3] {
    // A normal that turns about within one interval leaves no shortest way; any tangents serve.
    match Quat::rotation_between(&axes[0], normal) {
        Some(turn) => [*normal, turn * axes[1], turn * axes[2]],
        None => [*normal, axes[1], -axes[2]],
    }
}

fn find<'a>(contacts: &'a [ContactState], contact: &Contact) -> Option<&'a ContactState> {
    contacts
        .binary_search_by_key(&contact.key, |c| c.key)
        .ok()
        .map(|k| &contacts[k])
}

impl Work {
    /// Energy that impacts and friction take over the interval, and the sum of sizes of which they are differences
    /// [J]: velocities before and after are read with the rows at the first knot.
    pub fn losses(solver: &MechanismSolver, gravity: &Vec3, state: &State, dt: f64) -> [f64; 3] {
        let mut losses = [0.0; 3];
        // Before the first interval the state has the velocity at the knot, half an interval later than the others.
        let fresh = state.memory.intervals[0] == 0.0;
        let half = if fresh { 0.5 * dt } else { 0.0 };
        let kick = (gravity * half, Vec3::zeros());
        for unit in solver.units() {
            for row in 0..unit.rows {
                let before =
                    solver.unit_rate(unit, row, Some(state), dt) - unit.rate(row, |_| kick);
                let after = solver.unit_rate(unit, row, None, dt);
                let loss = -0.5 * unit.impulse[row] * unit.mass * (before + after);
                losses[usize::from(row > 0)] += loss;
                losses[2] += (unit.impulse[row] * unit.mass).abs() * (before.abs() + after.abs());
            }
        }
        losses
    }

    /// Adds the losses to the account, and notes which units rebound. Call before the state is moved.
    pub fn account(&mut self, solver: &MechanismSolver, model: &Model, state: &mut State, dt: f64) {
        let [impact, friction, _] = Self::losses(solver, &model.gravity, state, dt);
        state.work.impact += impact;
        state.work.friction += friction;
        state.memory.loss = (impact + friction).max(0.0);
        self.rebounds.clear();
        let threshold = RESTING * model.gravity.norm() * dt.abs();
        let fresh = state.memory.intervals[0] == 0.0;
        for unit in solver.units() {
            let pull = unit.rate(0, |_| (model.gravity * dt, Vec3::zeros()));
            let lead = if fresh { 0.5 * pull } else { 0.0 };
            let before = solver.unit_rate(unit, 0, Some(state), dt) - lead;
            let (speed, half) = self.impact(unit, state, before, pull, dt);
            let hits = unit.impulse[0] > 0.0 && speed > threshold;
            let rebound = if hits && !self.was_closed(unit, state) {
                (self.restitution(unit, model) * speed - half).max(0.0)
            } else {
                0.0
            };
            self.rebounds.push(rebound);
        }
    }

    /// Speed at which a unit is hit [m/s], and by how much that of an interval that begins or ends at the surface is
    /// lower: from the rate over the interval before, by the energy that gravity adds on the way.
    fn impact(&self, unit: &Unit, state: &State, before: f64, pull: f64, dt: f64) -> (f64, f64) {
        let What::Contact(k) = unit.what else {
            return (-before, 0.0);
        };
        let gap = self.contacts[k].gap(&state.bodies).distance.max(0.0);
        let half = -0.5 * pull;
        let squared = (half - before).powi(2) + 4.0 * half * gap / dt;
        if half > before && squared > 0.0 {
            (squared.sqrt(), half)
        } else {
            (-before, 0.0)
        }
    }

    fn restitution(&self, unit: &Unit, model: &Model) -> f64 {
        match unit.what {
            What::Contact(k) => self.contacts[k].restitution,
            What::Limit { joint, limit, .. } => model.joints[joint].limits[limit].restitution,
            What::Cable { cable, .. } => model.cables[cable].restitution,
        }
    }

    fn was_closed(&self, unit: &Unit, state: &State) -> bool {
        match unit.what {
            What::Contact(k) => {
                find(&state.contacts, &self.contacts[k]).is_some_and(|c| c.normal_force() > 0.0)
            }
            What::Limit { stop, upper, .. } => {
                let force = state.stops[stop].force;
                if upper { force < 0.0 } else { force > 0.0 }
            }
            What::Cable { stop, .. } => state.stops[stop].force > 0.0,
        }
    }

    /// Leaves contacts and stops in the state, which is at the second knot, and sums them up in the report.
    pub fn write(
        &mut self,
        solver: &mut MechanismSolver,
        model: &Model,
        state: &mut State,
        dt: f64,
        settings: &Settings,
        report: &mut StepReport,
    ) {
        let section = Section::from(settings.friction);
        let over = 1.0 / dt;
        state.contacts.clear();
        self.write_stop_gaps(solver, model, state, dt);
        let sum = &mut report.contact;
        (sum.candidates, sum.closed, sum.stopped) = (0, 0, 0);
        for (unit, &rebound) in solver.units().iter().zip(&self.rebounds) {
            let newtons = unit.mass * over;
            let normal = unit.impulse[0] * newtons;
            let product = normal * unit.velocity[0] * dt;
            sum.complementarity = sum.complementarity.max(product.abs());
            let What::Contact(k) = unit.what else {
                sum.stopped += u32::from(normal > 0.0);
                self.write_stop(unit, normal, rebound, state);
                continue;
            };
            let contact = &self.contacts[k];
            let tangential = [unit.impulse[1], unit.impulse[2]];
            let excess = section.excess(tangential, unit.friction * unit.impulse[0]) * newtons;
            sum.cone_violation = sum.cone_violation.max(excess);
            sum.candidates += 1;
            sum.closed += u32::from(normal > 0.0);
            let gap = contact.gap(&state.bodies);
            // Everything that is kept is of one frame: that of the second knot.
            let [n, t1, t2] = turned(&unit.axes, &gap.normal);
            let status = law::status(unit, section);
            let newtons = if status == ContactStatus::Open {
                0.0
            } else {
                newtons
            };
            state.contacts.push(ContactState {
                key: contact.key,
                bodies: contact.bodies,
                point: (gap.points[0] + gap.points[1]) * 0.5,
                normal: gap.normal,
                gap: gap.distance,
                force: (n * unit.impulse[0] + t1 * tangential[0] + t2 * tangential[1]) * newtons,
                slip: t1 * unit.velocity[1] + t2 * unit.velocity[2],
                friction: contact.friction,
                status,
                rebound,
            });
        }
        state.contacts.sort_unstable_by_key(|c| c.key);
        // What was found at the second knot without regard to the units judges them.
        let gaps = self
            .ahead
            .contacts
            .iter()
            .map(|c| c.gap(&state.bodies).distance);
        sum.min_gap = gaps.fold(f64::INFINITY, f64::min);
        sum.penetration = sum.penetration.max(-sum.min_gap);
        self.ahead.bodies.clone_from(&state.bodies);
        self.ahead.reach.clone_from(&self.reach);
        if self.what.is_empty() {
            debug_assert!(
                state
                    .contacts
                    .iter()
                    .all(|c| c.status == ContactStatus::Open)
            );
        }
    }

    fn write_stop(&self, unit: &Unit, force: f64, rebound: f64, state: &mut State) {
        let (stop, sign) = match unit.what {
            What::Limit { stop, upper, .. } => (stop, if upper { -1.0 } else { 1.0 }),
            What::Cable { stop, .. } => (stop, 1.0),
            What::Contact(_) => return,
        };
        if force > 0.0 {
            state.stops[stop].force = sign * force * unit.lever;
            state.stops[stop].rebound = rebound / unit.lever;
        }
    }

    /// Clears the stops of the state and measures their gaps at the second knot.
    fn write_stop_gaps(&self, solver: &MechanismSolver, model: &Model, state: &mut State, dt: f64) {
        let mut stops = std::mem::take(&mut state.stops);
        stops.fill(StopState {
            gap: f64::INFINITY,
            ..StopState::default()
        });
        for &what in &self.stops {
            let stop = match what {
                What::Limit { stop, .. } | What::Cable { stop, .. } => stop,
                What::Contact(_) => continue,
            };
            let interval = crate::solver::Interval {
                dt,
                time: state.time,
                share: 0.5,
                blend: 0.5,
            };
            let frame = Frame {
                model,
                state,
                contacts: &[],
                interval: &interval,
            };
            let (lever, _) = solver.measures(&frame, what);
            let gap = solver.gap(&frame, what, false) / lever;
            stops[stop].gap = stops[stop].gap.min(gap);
        }
        state.stops = stops;
    }
}
