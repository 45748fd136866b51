//! What one interval leaves to the next: impulses to start from, rebounds to come, losses of energy.

use super::Work;
use crate::contact::Contact;
use crate::integrators::{Settings, StepReport};
use crate::joints::{self, Placement};
use crate::math::{Quat, Vec3};
use crate::model::{ContactState, ContactStatus, LimitState, Model, State, Twist};
use crate::solver::past::{self, Past};
use crate::solver::{ConeSection, Interval, MechanismSolver, StepContext, Unilateral, What, law};

/// Approach slower than this many times what gravity gives in a step does not rebound: a resting body stays at rest.
const RESTING: f64 = 4.0;

/// How near a limit must be to take part [m]: twice as far as it comes at the present rate, and what gravity adds.
/// `lever` makes its coordinate a length.
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

/// Sets out from what the state remembers, and from nothing else: impulses of loops and unilateral constraints, and
/// rebounds times the least factor in `restitution_scale`, by body, of the bodies that a unilateral constraint touches.
pub(super) fn recall(
    solver: &mut MechanismSolver,
    context: &StepContext,
    restitution_scale: &[f64],
) {
    solver.restart(context);
    let dt = context.interval.dt;
    let state = context.state;
    for k in 0..solver.unilaterals().len() {
        let bodies = solver.bodies(&solver.unilaterals()[k]);
        let restitution_scale = bodies.map(|b| restitution_scale[b]).fold(1.0, f64::min);
        let unilateral = &mut solver.unilaterals_mut()[k];
        let over = dt / unilateral.mass;
        unilateral.rebound = 0.0;
        match unilateral.what {
            What::Contact(k) => {
                let Some(last) = find(&state.contacts, &context.contacts[k]) else {
                    continue;
                };
                for row in 0..unilateral.rows {
                    unilateral.impulse[row] = last.force.dot(&unilateral.axes[row]) * over;
                }
                unilateral.impulse[0] = unilateral.impulse[0].max(0.0);
                unilateral.rebound = restitution_scale * last.rebound;
            }
            What::Limit { entry, upper, .. } => {
                let last = &state.limits[entry];
                let sign = if upper { -1.0 } else { 1.0 };
                unilateral.impulse[0] = (sign * last.force).max(0.0) / unilateral.lever * over;
                // The rebound belongs to the bound that was hit, which its force tells.
                if sign * last.force > 0.0 {
                    unilateral.rebound = restitution_scale * last.rebound * unilateral.lever;
                }
            }
            What::Cable { entry, .. } => {
                unilateral.impulse[0] = state.limits[entry].force.max(0.0) * over;
                unilateral.rebound = restitution_scale * state.limits[entry].rebound;
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

/// Speed at which a unilateral constraint is hit [m/s, rad/s], and by how much that of an interval that begins or ends
/// at the surface is lower: from the rate over the interval before and the gap at its end, by the energy that gravity
/// adds on the way.
fn impact(before: f64, pull: f64, gap: f64, dt: f64) -> (f64, f64) {
    let half = -0.5 * pull;
    let squared = (half - before).powi(2) + 4.0 * half * gap / dt;
    if half > before && squared > 0.0 {
        (squared.sqrt(), half)
    } else {
        (-before, 0.0)
    }
}

/// An interval in which only gaps at the knot of a state are asked for.
fn at_knot(state: &State, dt: f64) -> Interval {
    Interval {
        dt,
        time: state.time,
        share: 0.5,
        blend: 0.5,
    }
}

/// Leaves a closed limit in the state.
fn write_limit(unilateral: &Unilateral, force: f64, rebound: f64, state: &mut State) {
    let (entry, sign) = match unilateral.what {
        What::Limit { entry, upper, .. } => (entry, if upper { -1.0 } else { 1.0 }),
        What::Cable { entry, .. } => (entry, 1.0),
        What::Contact(_) => return,
    };
    state.limits[entry].force = sign * force * unilateral.lever;
    state.limits[entry].rebound = rebound / unilateral.lever;
}

impl Work {
    /// What gravity adds to velocities [m/s] from the middle of the interval of which the state holds them to the
    /// middle of one of length `dt` that ends at the same knot. Half the forces of either interval act at the knot, so
    /// that the work of an impulse at the knot is that over two intervals of one length.
    fn lead(gravity: &Vec3, state: &State, dt: f64) -> (Vec3, Vec3) {
        (gravity * (0.5 * (dt - Past::of(state).held)), Vec3::zeros())
    }

    /// Energy that a unilateral constraint takes over the interval, from its normal and its tangential impulses, and
    /// the sum of sizes of which it is the difference [J]: velocities before and after are read with the rows at the
    /// first knot.
    fn loss(
        solver: &MechanismSolver,
        unilateral: &Unilateral,
        gravity: &Vec3,
        state: &State,
        dt: f64,
    ) -> ([f64; 2], f64) {
        let lead = Self::lead(gravity, state, dt);
        let (mut losses, mut size) = ([0.0; 2], 0.0);
        for row in 0..unilateral.rows {
            let before = solver.unilateral_rate(unilateral, row, Some(state), dt)
                - unilateral.rate(row, |_| lead);
            let after = solver.unilateral_rate(unilateral, row, None, dt);
            let impulse = unilateral.impulse[row] * unilateral.mass;
            losses[usize::from(row > 0)] -= 0.5 * impulse * (before + after);
            size += impulse.abs() * (before.abs() + after.abs());
        }
        (losses, size)
    }

    /// Books the losses of the interval by island.
    pub fn book(solver: &mut MechanismSolver, gravity: &Vec3, state: &State, dt: f64) {
        let mut islands = solver.gather_islands(state, gravity.norm() * dt.abs());
        for unilateral in solver.unilaterals() {
            let (loss, size) = Self::loss(solver, unilateral, gravity, state, dt);
            // What pushes out of a violation is asked to give energy.
            let given = if unilateral.floor < 0.0 { 0.0 } else { loss[0] };
            let loss = [loss[0].max(given), loss[1]];
            islands.book(unilateral.links, loss, size, unilateral.rebound > 0.0);
        }
        solver.keep_islands(islands);
    }

    /// Adds the losses to the account, and notes which unilateral constraints rebound. Call before the state is moved.
    pub fn account(&mut self, solver: &MechanismSolver, model: &Model, state: &mut State, dt: f64) {
        self.losses.clear();
        self.losses.resize(state.bodies.len(), 0.0);
        let mut sum = [0.0; 2];
        for unilateral in solver.unilaterals() {
            let (loss, _) = Self::loss(solver, unilateral, &model.gravity, state, dt);
            (sum[0], sum[1]) = (sum[0] + loss[0], sum[1] + loss[1]);
            let share = 1.0 / solver.bodies(unilateral).count().max(1) as f64;
            for body in solver.bodies(unilateral) {
                self.losses[body] += share * (loss[0] + loss[1]);
            }
        }
        self.note_rebounds(solver, model, state, dt);
        state.work.impact += sum[0];
        state.work.friction += sum[1];
        past::write_losses(state, &self.losses);
    }

    /// Notes the speed at which each unilateral constraint that is hit in the interval comes back in the next one.
    fn note_rebounds(&mut self, solver: &MechanismSolver, model: &Model, state: &State, dt: f64) {
        self.rebounds.clear();
        let speed_of_gravity = model.gravity.norm() * dt.abs();
        let lead = Self::lead(&model.gravity, state, dt);
        let interval = at_knot(state, dt);
        let context = StepContext {
            model,
            state,
            contacts: &self.contacts,
            interval: &interval,
        };
        for unilateral in solver.unilaterals() {
            let pull = unilateral.rate(0, |_| (model.gravity * dt, Vec3::zeros()));
            let before = solver.unilateral_rate(unilateral, 0, Some(state), dt)
                - unilateral.rate(0, |_| lead);
            let gap = solver.gap(&context, unilateral.what, false).max(0.0);
            let (speed, half) = impact(before, pull, gap, dt);
            let hits = speed > RESTING * speed_of_gravity
                && solver.is_closed(unilateral, speed_of_gravity);
            let rebound = if hits && !self.was_closed(unilateral, state) {
                (self.restitution(unilateral, model) * speed - half).max(0.0)
            } else {
                0.0
            };
            self.rebounds.push(rebound);
        }
    }

    fn restitution(&self, unilateral: &Unilateral, model: &Model) -> f64 {
        match unilateral.what {
            What::Contact(k) => self.contacts[k].restitution,
            What::Limit { joint, limit, .. } => model.joints[joint].limits[limit].restitution,
            What::Cable { cable, .. } => model.cables[cable].restitution,
        }
    }

    fn was_closed(&self, unilateral: &Unilateral, state: &State) -> bool {
        match unilateral.what {
            What::Contact(k) => find(&state.contacts, &self.contacts[k])
                .is_some_and(|c| c.status != ContactStatus::Open),
            What::Limit { entry, upper, .. } => {
                let force = state.limits[entry].force;
                if upper { force < 0.0 } else { force > 0.0 }
            }
            What::Cable { entry, .. } => state.limits[entry].force > 0.0,
        }
    }

    /// Leaves contacts and limits in the state, which is at the second knot, and sums them up in the report.
    pub fn write(
        &mut self,
        solver: &mut MechanismSolver,
        model: &Model,
        state: &mut State,
        dt: f64,
        settings: &Settings,
        report: &mut StepReport,
    ) {
        let section = ConeSection::from(settings.friction);
        let over = 1.0 / dt;
        state.contacts.clear();
        self.write_limit_gaps(solver, model, state, dt);
        let sum = &mut report.contact;
        (sum.candidates, sum.closed, sum.stopped) = (0, 0, 0);
        for (unilateral, &rebound) in solver.unilaterals().iter().zip(&self.rebounds) {
            let newtons = unilateral.mass * over;
            let normal = unilateral.impulse[0] * newtons;
            let scales = solver.scales(unilateral, model.gravity.norm() * dt);
            let closed = solver.is_closed(unilateral, model.gravity.norm() * dt);
            let product = normal * unilateral.velocity[0] * dt;
            sum.complementarity = sum.complementarity.max(product.abs());
            let What::Contact(k) = unilateral.what else {
                sum.stopped += u32::from(closed);
                if closed {
                    write_limit(unilateral, normal, rebound, state);
                }
                continue;
            };
            let contact = &self.contacts[k];
            let tangential = [unilateral.impulse[1], unilateral.impulse[2]];
            let excess =
                section.excess(tangential, unilateral.friction * unilateral.impulse[0]) * newtons;
            sum.cone_violation = sum.cone_violation.max(excess);
            sum.candidates += 1;
            sum.closed += u32::from(closed);
            let gap = contact.gap(&state.bodies);
            // Everything that is kept is of one frame: that of the second knot.
            let [n, t1, t2] = turned(&unilateral.axes, &gap.normal);
            let status = law::status(unilateral, section, scales);
            // What rounding leaves of an open contact's force is none; what an interior point leaves has acted.
            let newtons = if !closed && !scales.count(unilateral.impulse[0]) {
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
                force: (n * unilateral.impulse[0] + t1 * tangential[0] + t2 * tangential[1])
                    * newtons,
                slip: t1 * unilateral.velocity[1] + t2 * unilateral.velocity[2],
                friction: contact.friction,
                status,
                rebound,
            });
        }
        state.contacts.sort_unstable_by_key(|c| c.key);
        // What was found at the second knot without regard to the unilateral constraints judges them.
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

    /// Clears the limits of the state and measures their gaps at the second knot.
    fn write_limit_gaps(
        &self,
        solver: &MechanismSolver,
        model: &Model,
        state: &mut State,
        dt: f64,
    ) {
        let mut limits = std::mem::take(&mut state.limits);
        limits.fill(LimitState {
            gap: f64::INFINITY,
            ..LimitState::default()
        });
        for &what in &self.limits {
            let entry = match what {
                What::Limit { entry, .. } | What::Cable { entry, .. } => entry,
                What::Contact(_) => continue,
            };
            let interval = at_knot(state, dt);
            let context = StepContext {
                model,
                state,
                contacts: &[],
                interval: &interval,
            };
            let (lever, _) = solver.measures(&context, what);
            let gap = solver.gap(&context, what, false) / lever;
            limits[entry].gap = limits[entry].gap.min(gap);
        }
        state.limits = limits;
    }
}
