//! Where a budget is better spent on two intervals than on one.

use super::{DEEP, are_live};
use crate::integrators::variational::options::ContactOptions;
use crate::math::Vec3;
use crate::model::{BodyId, ContactState, ContactStatus, Model, State};
use crate::solver::{ConeSection, MechanismSolver};

/// Visits for each closed contact with which a heap that lands is solved in one interval.
const ENOUGH: f64 = 2_000.0;

/// The body that asks for two intervals instead of one, if there is one, in a step of a heap that lands with less of a budget than its
/// laws may need in one. In half the time bodies come half as far: fewer features meet that were not foreseen, and fewer jam, which no
/// budget solves.
pub fn halved_for(
    solver: &MechanismSolver,
    (model, state): (&Model, &State),
    (options, section): (ContactOptions, ConeSection),
    dt: f64,
) -> Option<usize> {
    let contacts = &state.contacts;
    let closed = contacts.iter().filter(|c| c.status != ContactStatus::Open);
    if options.budget >= ENOUGH * closed.count() as f64
        || !are_live(contacts.len(), solver, options, section)
    {
        return None;
    }
    let deep = |contact: &ContactState| {
        let [first, second] = contact
            .bodies
            .map(|body| body.map_or_else(Default::default, |b| velocity(model, state, b, contact)));
        let closing = (second - first).dot(&contact.normal).max(0.0);
        (closing * dt - contact.gap.max(0.0)) / solver.scale().smaller(contact.bodies)
    };
    let depths = contacts.iter().map(|contact| (deep(contact), contact));
    let (depth, contact) = depths.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let body = contact.bodies.into_iter().flatten().next()?;
    (depth > DEEP).then_some(body.0)
}

/// Velocity of a body where it may touch (m/s), from its momentum and its last turn.
fn velocity(model: &Model, state: &State, body: BodyId, contact: &ContactState) -> Vec3 {
    let (mass, state) = (model.bodies[body.0].mass, &state.bodies[body.0]);
    let turn = &state.velocity.angular;
    state.momentum / mass + turn.cross(&(contact.point - state.position))
}
