//! Projection of a scene's first state onto the constraints, in position and in velocity.

use crate::joints;
use crate::math::Quat;
use crate::model::{BodyState, Model, State, Twist};
use crate::solver::{LinearSolver, MechanismSolver};

/// Joint errors, relative to the length of the joint or in radians, above which a first state is refused.
pub(super) const CLOSED: f64 = 1e-9;

/// Gauss-Newton steps at most.
const STEPS: usize = 100;

/// Largest rotation of a body in one Gauss-Newton step [rad].
const TURN: f64 = 0.3;

/// How far a scene's first state was moved to satisfy the constraints.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assembly {
    /// Largest displacement of a centre of mass [m].
    pub moved_position: f64,
    /// Largest rotation of a body [rad].
    pub moved_angle: f64,
    /// Largest change of a velocity [m/s].
    pub changed_velocity: f64,
    /// Largest change of an angular velocity [rad/s].
    pub changed_angular_velocity: f64,
    /// Constraint equations that others already imply at this configuration.
    pub redundant: usize,
}

/// Why a first state cannot be put on the constraints.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AssemblyError {
    /// The joints cannot all be closed.
    #[error(
        "joint `{joint}` cannot be closed: {gap:.3e} of its size or rad remain; check its anchors and axes"
    )]
    CannotClose {
        /// Name of the worst joint.
        joint: String,
        /// What remains, relative to the length of the joint or in radians.
        gap: f64,
    },
}

/// Moves the bodies onto the constraints (least mass-weighted displacement) and the velocities onto the
/// tangent space (mass-weighted projection); sets momenta and unwrapped angles.
pub fn assemble(model: &Model, state: &mut State) -> Result<Assembly, AssemblyError> {
    let given = state.bodies.clone();
    let mut solver = MechanismSolver::new(model, LinearSolver::default());
    let redundant = close(model, state, &mut solver)?;
    project(model, state, &mut solver);
    let mut assembly = Assembly {
        redundant,
        ..Assembly::default()
    };
    for (before, after) in given.iter().zip(&state.bodies) {
        let raise = |worst: &mut f64, x: f64| *worst = worst.max(x);
        raise(
            &mut assembly.moved_position,
            (after.position - before.position).norm(),
        );
        raise(
            &mut assembly.moved_angle,
            after.orientation.angle_to(&before.orientation),
        );
        raise(
            &mut assembly.changed_velocity,
            (after.velocity.linear - before.velocity.linear).norm(),
        );
        let spin = after.velocity.angular - before.velocity.angular;
        raise(&mut assembly.changed_angular_velocity, spin.norm());
    }
    Ok(assembly)
}

/// Closes all joints by Gauss-Newton with halving; returns the number of redundant equations.
pub(super) fn close(
    model: &Model,
    state: &mut State,
    solver: &mut MechanismSolver,
) -> Result<usize, AssemblyError> {
    let mut motion = Vec::new();
    joints::refresh_angles(model, &state.bodies, &mut state.angles);
    let (mut errors, _) = solver.close(model, state, &mut motion);
    let mut best = state.bodies.clone();
    for _ in 0..STEPS {
        if errors.constraint == 0.0 {
            break;
        }
        best.clone_from(&state.bodies);
        let turn = motion.iter().map(|m| m.angular.norm()).fold(0.0, f64::max);
        let mut fraction = if turn > TURN { TURN / turn } else { 1.0 };
        let before = errors.constraint;
        let step = std::mem::take(&mut motion);
        loop {
            displace(&mut state.bodies, &best, &step, fraction);
            joints::refresh_angles(model, &state.bodies, &mut state.angles);
            (errors, _) = solver.close(model, state, &mut motion);
            // A step cut short to stay near may raise the largest error for a while.
            if errors.constraint < before * 1.5 || fraction < 1e-3 {
                break;
            }
            fraction *= 0.5;
        }
        if before < CLOSED && errors.constraint >= before {
            // At rounding level: the state before was as good.
            state.bodies.clone_from(&best);
            joints::refresh_angles(model, &state.bodies, &mut state.angles);
            break;
        }
    }
    let (errors, redundant) = solver.close(model, state, &mut motion);
    if errors.constraint > CLOSED || errors.constraint.is_nan() {
        let joint = errors
            .joint
            .map_or_else(String::new, |j| model.joints[j].name.clone());
        return Err(AssemblyError::CannotClose {
            joint,
            gap: errors.constraint,
        });
    }
    Ok(redundant)
}

fn displace(bodies: &mut [BodyState], from: &[BodyState], motion: &[Twist], fraction: f64) {
    for ((body, from), motion) in bodies.iter_mut().zip(from).zip(motion) {
        body.position = from.position + motion.linear * fraction;
        body.orientation = Quat::from_scaled_axis(motion.angular * fraction) * from.orientation;
    }
}

/// Projects the velocities and sets the momenta.
pub(super) fn project(model: &Model, state: &mut State, solver: &mut MechanismSolver) {
    let mut twists = Vec::new();
    set_momenta(model, &mut state.bodies);
    solver.project(model, state, &mut twists);
    for (body, twist) in state.bodies.iter_mut().zip(&twists) {
        body.velocity = *twist;
    }
    set_momenta(model, &mut state.bodies);
}

/// Momenta of the velocities at a knot.
pub fn set_momenta(model: &Model, bodies: &mut [BodyState]) {
    for (body, state) in model.bodies.iter().zip(bodies) {
        state.momentum = state.velocity.linear * body.mass;
        let spin = state
            .orientation
            .inverse_transform_vector(&state.velocity.angular);
        state.angular_momentum = state.orientation * (body.inertia * spin);
    }
}
