//! What the state keeps of contact, and what a step reports.

use super::Contacts;
use super::rebounds::at_knot;
use super::turning::turning;
use crate::math::Vec3;
use crate::model::{ContactState, ContactStatus, LimitState, Model, State};
use crate::solver::unilateral::tangents;
use crate::solver::{
    ConeSection, MechanismSolver, StepContext, Unilateral, What, law, past, worse,
};

/// What a step did about contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactReport {
    /// Contact points considered.
    pub candidates: u32,
    /// Contact points with a force.
    pub closed: u32,
    /// Joint limits and cables with a force.
    pub stopped: u32,
    /// Deepest penetration at the second knot, of contact points found afresh there (m); 0 if there is none.
    pub penetration: f64,
    /// Smallest gap at the second knot (m); infinite without contact points.
    pub min_gap: f64,
    /// Largest product of gap and normal force, which both should not be positive [N·m, Brüdigam2023 eq. 24a].
    pub complementarity: f64,
    /// Largest excess of a friction force over its cone (N).
    pub cone_violation: f64,
    /// How often contact points were added or removed and the interval solved again.
    pub rounds: u32,
    /// Largest violation of the contact laws that was left [m/s]: penetration over the step, or slip of what sticks.
    pub violation: f64,
    /// Work of sweeps and their factorisations, in visits of contact points.
    pub work: f64,
    /// An interval of the step ended with its budget.
    pub capped: bool,
}

impl Default for ContactReport {
    /// No contact point anywhere near.
    fn default() -> Self {
        Self {
            candidates: 0,
            closed: 0,
            stopped: 0,
            penetration: 0.0,
            min_gap: f64::INFINITY,
            complementarity: 0.0,
            cone_violation: 0.0,
            rounds: 0,
            violation: 0.0,
            work: 0.0,
            capped: false,
        }
    }
}

impl ContactReport {
    /// Adds that of other bodies in the same step.
    pub fn add(&mut self, other: &Self) {
        self.candidates += other.candidates;
        self.closed += other.closed;
        self.stopped += other.stopped;
        self.penetration = self.penetration.max(other.penetration);
        self.min_gap = self.min_gap.min(other.min_gap);
        self.complementarity = self.complementarity.max(other.complementarity);
        self.cone_violation = self.cone_violation.max(other.cone_violation);
        self.rounds = self.rounds.max(other.rounds);
        self.violation = worse(self.violation, other.violation);
        self.work += other.work;
        self.capped |= other.capped;
    }
}

/// A normal that turns about within one interval but for this leaves no shortest way; any tangents serve.
const ABOUT: f64 = 1e-8;

/// The axes turned the shortest way, so that the first is `normal`.
pub fn turned(axes: &[Vec3; 3], normal: &Vec3) -> [Vec3; 3] {
    let [from, t1, t2] = axes;
    let over = 1.0 + from.dot(normal);
    if over < ABOUT {
        let [t1, t2] = tangents(normal);
        return [*normal, t1, t2];
    }
    let middle = from + normal;
    let turn = |t: &Vec3| t - middle * (normal.dot(t) / over);
    [*normal, turn(t1), turn(t2)]
}

/// Makes one of two contacts with one key, which came from material points of the same features; whether they are.
fn unite(next: &mut ContactState, kept: &mut ContactState) -> bool {
    if next.key != kept.key {
        return false;
    }
    let force = kept.force + next.force;
    let rebound = kept.rebound.max(next.rebound);
    let hit = kept.hit || next.hit;
    let turning = kept.turning.min(next.turning);
    if next.force.norm_squared() > kept.force.norm_squared() {
        *kept = *next;
    }
    kept.force = force;
    (kept.rebound, kept.hit, kept.turning) = (rebound, hit, turning);
    true
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

impl Contacts {
    /// Leaves contacts and limits in the state, which is at the second knot, and sums them up in the report.
    pub fn write(
        &mut self,
        solver: &MechanismSolver,
        model: &Model,
        state: &mut State,
        dt: f64,
        section: ConeSection,
        report: &mut ContactReport,
    ) {
        let over = 1.0 / dt;
        state.work.impact += self.losses.1[0];
        state.work.friction += self.losses.1[1];
        past::write_taken(state, &self.losses.0);
        state.contacts.clear();
        self.write_limit_gaps(solver, model, state, dt);
        let sum = report;
        (sum.candidates, sum.closed, sum.stopped) = (0, 0, 0);
        for (unilateral, hit) in solver.unilaterals().iter().zip(&self.hits) {
            let rebound = hit.unwrap_or(0.0);
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
            let contact = &self.points[k];
            if self.is_absent(&contact.key) {
                continue;
            }
            let tangential = [unilateral.impulse[1], unilateral.impulse[2]];
            let excess =
                section.excess(tangential, unilateral.friction * unilateral.impulse[0]) * newtons;
            sum.cone_violation = sum.cone_violation.max(excess);
            sum.candidates += 1;
            sum.closed += u32::from(closed);
            let [direction, point] = unilateral.second;
            // Everything that is kept is of one frame: that of the second knot.
            let [n, t1, t2] = turned(&unilateral.axes, &direction);
            let status = law::status(unilateral, section, scales);
            // What rounding leaves of an open contact's force is none; what an interior point leaves has acted.
            let newtons = if !closed && !scales.count(unilateral.impulse[0]) {
                0.0
            } else {
                newtons
            };
            let turning = match hit {
                Some(_) => turning(
                    (solver, model),
                    (state, &mut self.turned),
                    (contact, unilateral),
                    dt,
                ),
                None => 0.0,
            };
            state.contacts.push(ContactState {
                // Other points of the same features serve the next interval.
                key: if contact.is_material() {
                    contact.root()
                } else {
                    contact.key
                },
                bodies: contact.bodies,
                point,
                normal: direction,
                gap: unilateral.gap,
                force: (n * unilateral.impulse[0] + t1 * tangential[0] + t2 * tangential[1])
                    * newtons,
                slip: t1 * unilateral.velocity[1] + t2 * unilateral.velocity[2],
                friction: contact.friction,
                status,
                rebound,
                hit: hit.is_some(),
                turning,
            });
        }
        state.contacts.sort_unstable_by_key(|c| c.key);
        state.contacts.dedup_by(unite);
        // What was found at the second knot without regard to the unilateral constraints judges them.
        let known = self.ahead.is_of(&state.bodies);
        let gaps = self.ahead.points.iter().map(|c| match known {
            true => c.here.distance,
            false => c.gap(&state.bodies).distance,
        });
        sum.min_gap = gaps.fold(f64::INFINITY, f64::min);
        sum.penetration = sum.penetration.max(-sum.min_gap);
        self.ahead.bodies.clear();
        if known {
            self.ahead.bodies.extend_from_slice(&state.bodies);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Quat};

    /// Error of a few products and sums of unit vectors.
    const ROUNDING: f64 = 1e-14;

    /// Against the rotation about the axis at right angles to both normals; where they are opposite nearly or at all, any
    /// right-handed axes with the new normal.
    #[test]
    fn axes_follow_their_normal_the_shortest_way() {
        let from = Vec3::new(0.3, -0.5, 0.8).normalize();
        let [t1, t2] = tangents(&from);
        for angle in [0.0, 1e-9, 0.4, 2.0, 3.1, std::f64::consts::PI] {
            let turn = Quat::from_scaled_axis((t1 + t2 * 0.5).normalize() * angle);
            let normal = turn * from;
            let found = turned(&[from, t1, t2], &normal);
            let axes = Mat3::from_columns(&found);
            assert_eq!(found[0], normal);
            // Cancellation between nearly opposite normals: 1e-16 over 1 + cos 3.1 = 9e-4.
            let allowed = if angle == 3.1 { 1e-12 } else { ROUNDING };
            assert!((axes.transpose() * axes - Mat3::identity()).norm() < allowed);
            assert!((axes.determinant() - 1.0).abs() < allowed);
            if angle < std::f64::consts::PI {
                let wanted = [t1, t2].map(|t| turn * t);
                let away = (found[1] - wanted[0]).norm() + (found[2] - wanted[1]).norm();
                assert!(away < allowed, "{angle}: {away}");
            }
        }
    }
}
