//! How surfaces that have hit each other turn while the next interval completes the impact.

use crate::contact::Located;
use crate::math::Vec3;
use crate::math::rotation::exp;
use crate::model::{BodyState, Model, State};
use crate::solver::{MechanismSolver, Unilateral};

/// Looks ahead at most: where the impulse that completes the impact changes how bodies turn, the next look goes by that.
const LOOKS: u32 = 3;

/// A body that has hit another, as nothing but its momentum and the impulse between them moves it.
struct Mover {
    body: usize,
    /// Sign of the normal that pushes it.
    sign: f64,
    mass: f64,
    momentum: Vec3,
    angular_momentum: Vec3,
}

impl Mover {
    /// Its angular velocity at an orientation.
    fn spin(&self, model: &Model, at: &BodyState) -> Vec3 {
        let inertia = model.bodies[self.body].inertia;
        let own = at.orientation.inverse() * self.angular_momentum;
        at.orientation
            * inertia
                .try_inverse()
                .map_or_else(Vec3::zeros, |inverse| inverse * own)
    }

    /// Velocity of a point of it along the normal that pushes it.
    fn rate(&self, model: &Model, at: &BodyState, point: &Vec3, normal: &Vec3) -> f64 {
        let turn = self.spin(model, at).cross(&(point - at.position));
        self.sign * normal.dot(&(self.momentum / self.mass + turn))
    }

    /// How fast a unit impulse makes it along the normal, and what it does to its momenta.
    fn yields(
        &self,
        model: &Model,
        at: &BodyState,
        point: &Vec3,
        normal: &Vec3,
    ) -> (f64, [Vec3; 2]) {
        let push = normal * self.sign;
        let torque = (point - at.position).cross(&push);
        let pushed = Self {
            angular_momentum: torque,
            ..*self
        };
        let turned = pushed.spin(model, at);
        (1.0 / self.mass + torque.dot(&turned), [push, torque])
    }

    /// Moves it on by an interval.
    fn advance(&self, model: &Model, at: &BodyState, dt: f64) -> BodyState {
        let mut middle = *at;
        for _ in 0..2 {
            let half = self.spin(model, &middle) * (0.5 * dt);
            middle.orientation = exp(&half) * at.orientation;
        }
        BodyState {
            position: at.position + self.momentum * (dt / self.mass),
            orientation: exp(&(self.spin(model, &middle) * dt)) * at.orientation,
            ..*at
        }
    }
}

/// What the gap of a contact that was hit grows by over the next interval, beyond what the velocities at the knot make of its row there
/// (m/s): its surfaces turn away from each other, or towards each other where it is negative. Bodies go on freely but for what stops
/// them there; none of those that joints hold, which go elsewhere. `state` is that at the knot, with the momenta of the interval that led there.
pub(super) fn turning(
    (solver, model): (&MechanismSolver, &Model),
    (state, moved): (&State, &mut Vec<BodyState>),
    (contact, unilateral): (&Located, &Unilateral),
    dt: f64,
) -> f64 {
    let sides = contact.bodies.into_iter().zip([1.0, -1.0]);
    let there = sides.filter_map(|(body, sign)| Some((body?.0, sign)));
    if there.clone().any(|(body, _)| !solver.is_alone(body)) {
        return 0.0;
    }
    let [normal, point] = unilateral.second;
    let mover = |(body, sign): (usize, f64)| {
        let at = &state.bodies[body];
        Mover {
            body,
            sign,
            mass: model.bodies[body].mass,
            momentum: at.momentum,
            angular_momentum: at.angular_momentum,
        }
    };
    let mut movers = [None, None];
    for (mover_of, found) in movers.iter_mut().zip(there.map(mover)) {
        *mover_of = Some(found);
    }
    moved.clone_from(&state.bodies);
    let mut turns = 0.0;
    for _ in 0..LOOKS {
        let (mut rate, mut yields) = (0.0, 0.0);
        for mover in movers.iter().flatten() {
            let at = &state.bodies[mover.body];
            rate += mover.rate(model, at, &point, &normal);
            yields += mover.yields(model, at, &point, &normal).0;
            moved[mover.body] = mover.advance(model, at, dt);
        }
        turns = (contact.gap(moved).distance - unilateral.gap) / dt - rate;
        if rate + turns >= 0.0 {
            break;
        }
        let impulse = -(rate + turns) / yields;
        for mover in movers.iter_mut().flatten() {
            let at = &state.bodies[mover.body];
            let [push, torque] = mover.yields(model, at, &point, &normal).1;
            mover.momentum += push * impulse;
            mover.angular_momentum += torque * impulse;
        }
    }
    turns
}
