//! What the state keeps of what pushed, its account, and what a step reports of it.

use super::Compliant;
use crate::integrators::StepReport;
use crate::model::{BodyState, ContactState, ContactStatus, LimitState, Model, State};
use crate::solver::compliant::{NOTHING, Stop};
use crate::solver::contact::turned;
use crate::solver::{ConeSection, What, stop_rows};

impl Compliant {
    /// Leaves contacts and limits in the state, which is at the end of the step, with what they took.
    pub(super) fn record(
        &mut self,
        model: &Model,
        state: &mut State,
        h: f64,
        report: &mut StepReport,
    ) {
        let found = self.solver.found();
        let sum = &mut report.contact;
        // Of several parts of a step the last one counts, and the worst of all.
        (sum.candidates, sum.closed, sum.stopped) = (0, 0, 0);
        sum.min_gap = f64::INFINITY;
        sum.violation = sum.violation.max(found.violation);
        sum.work += found.work;
        sum.capped |= found.capped;
        state.contacts.clear();
        state.limits.fill(LimitState {
            gap: f64::INFINITY,
            ..LimitState::default()
        });
        let nothing = NOTHING * self.solver.scale().speed;
        for stop in self.solver.stops() {
            let forces = stop.impulses().map(|p| p / h);
            let pushes = stop.impulse[0] > nothing;
            let mean = |row: usize| 0.5 * (stop.velocity[0][row] + stop.velocity[1][row]);
            state.work.impact -= forces[0] * h * mean(0);
            state.work.friction -= h * (forces[1] * mean(1) + forces[2] * mean(2));
            match stop.what {
                What::Contact(k) => {
                    let contact = &self.solver.contacts()[k];
                    let gap = contact.gap(&state.bodies);
                    if !pushes && !self.solver.still_parts(contact, &gap, &state.bodies) {
                        continue;
                    }
                    let [n, t1, t2] = turned(&stop.axes, &gap.normal);
                    sum.candidates += 1;
                    sum.closed += u32::from(pushes);
                    sum.min_gap = sum.min_gap.min(gap.distance);
                    let tangential = [stop.impulse[1], stop.impulse[2]];
                    let bound = stop.friction * stop.impulse[0];
                    let excess = ConeSection::Disc.excess(tangential, bound) * stop.mass / h;
                    sum.cone_violation = sum.cone_violation.max(excess);
                    let [_, x, y] = stop.velocity[1];
                    state.contacts.push(ContactState {
                        key: contact.key,
                        bodies: contact.bodies,
                        point: gap.middle(),
                        normal: gap.normal,
                        gap: gap.distance,
                        force: n * forces[0] + t1 * forces[1] + t2 * forces[2],
                        slip: t1 * x + t2 * y,
                        friction: contact.friction,
                        status: status(stop, pushes),
                        rebound: 0.0,
                        hit: false,
                        turning: 0.0,
                    });
                }
                What::Limit { entry, upper, .. } => {
                    sum.stopped += u32::from(pushes);
                    let sign = if upper { -1.0 } else { 1.0 };
                    if pushes {
                        state.limits[entry].force = sign * forces[0] * stop.lever;
                    }
                }
                What::Cable { entry, .. } => {
                    sum.stopped += u32::from(pushes);
                    if pushes {
                        state.limits[entry].force = forces[0];
                    }
                }
            }
        }
        sum.penetration = sum.penetration.max(-sum.min_gap);
        state.contacts.sort_unstable_by_key(|c| c.key);
        self.measure_limits(model, state);
    }

    /// Gaps of all limits and cables at the end of the step.
    fn measure_limits(&self, model: &Model, state: &mut State) {
        let State {
            bodies,
            angles,
            limits,
            ..
        } = state;
        for &what in self.solver.limits() {
            let (What::Limit { entry, .. } | What::Cable { entry, .. }) = what else {
                continue;
            };
            let bodies: &[BodyState] = bodies;
            let (gap, _) = stop_rows(what, model, bodies, angles, 1.0);
            limits[entry].gap = limits[entry].gap.min(gap);
        }
    }
}

/// What a contact point does.
fn status(stop: &Stop, pushes: bool) -> ContactStatus {
    let (r, [_, x, y]) = (&stop.impulse, stop.velocity[1]);
    if !pushes {
        return ContactStatus::Open;
    }
    let gives = stop.compliance[1] * stop.mass;
    let z = [r[1] - x - gives * r[1], r[2] - y - gives * r[2]];
    if stop.rows == 3 && ConeSection::Disc.nearest(z, stop.friction * r[0]).inside {
        ContactStatus::Sticking
    } else {
        ContactStatus::Sliding
    }
}
