//! Moving a state a little way along what its joints leave free.

use super::{AssemblyError, assemble};
use crate::diagnostics::configuration_distance;
use crate::math::{Quat, Vec3};
use crate::model::{Model, State, Twist};

/// Accuracy to which the distance is met, as a fraction of it.
const ACCURACY: f64 = 1e-6;

/// Corrections of the distance at most.
const ROUNDS: usize = 8;

/// Speed below which a direction is rounding, as a fraction of the speed asked for.
const STUCK: f64 = 1e-9;

/// Why a state cannot be perturbed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PerturbationError {
    /// A distance that is not positive.
    #[error("the perturbation is {0} m, expected a positive distance below 1 m")]
    Size(f64),
    /// The joints hold everything.
    #[error("the joints leave nothing free to move")]
    Stuck,
    /// The moved state cannot be put on the constraints.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
}

/// Moves a state by a configuration distance (m) in a direction without symmetry, always the same one. The joints
/// stay closed, and velocities are put on the constraints anew.
pub fn perturb(model: &Model, state: &mut State, size: f64) -> Result<(), PerturbationError> {
    if !(size > 0.0 && size < 1.0) {
        return Err(PerturbationError::Size(size));
    }
    // Multiples of the golden ratio, without their whole parts, spread evenly and repeat nowhere.
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut k = 0.0;
    let mut next = || {
        k += 1.0;
        2.0 * (k * golden).fract() - 1.0
    };
    let mut trial = state.clone();
    for body in &mut trial.bodies {
        body.velocity.linear = Vec3::from_fn(|_, _| next());
        body.velocity.angular = Vec3::from_fn(|_, _| next());
    }
    let asked = speed(model, &trial);
    assemble(model, &mut trial)?;
    let reached = speed(model, &trial);
    if reached <= STUCK * asked {
        return Err(PerturbationError::Stuck);
    }
    let mut scale = size / reached;
    let mut moved = state.clone();
    for _ in 0..ROUNDS {
        moved.clone_from(state);
        for (body, along) in moved.bodies.iter_mut().zip(&trial.bodies) {
            let Twist { linear, angular } = along.velocity;
            body.position += linear * scale;
            body.orientation = Quat::from_scaled_axis(angular * scale) * body.orientation;
        }
        assemble(model, &mut moved)?;
        let found = configuration_distance(model, &moved.bodies, &state.bodies);
        if found <= 0.0 {
            return Err(PerturbationError::Stuck);
        }
        if (found / size - 1.0).abs() < ACCURACY {
            break;
        }
        scale *= size / found;
    }
    *state = moved;
    Ok(())
}

/// Configuration distance per second (m/s).
fn speed(model: &Model, state: &State) -> f64 {
    let velocities = state.bodies.iter().map(|body| &body.velocity);
    let energy = model.kinetic_energy(&state.bodies, velocities);
    let mass: f64 = model.bodies.iter().map(|body| body.mass).sum();
    (2.0 * energy / mass).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::worst_drift;
    use crate::math::Mat3;
    use crate::model::specimen::{Numbers, state};
    use crate::model::{Body, BodyId, JointKind, ModelParts};

    /// Two bodies in any pose without joints.
    fn free() -> (Model, State) {
        let mut numbers = Numbers(5);
        let bodies = vec![numbers.body("a"), numbers.body("b")];
        let model = Model::new(ModelParts {
            bodies,
            ..ModelParts::default()
        })
        .expect("free bodies are a model");
        let mut state = State::at_rest(&model);
        for body in &mut state.bodies {
            body.position = numbers.vector();
            body.orientation = numbers.rotation();
            body.velocity = numbers.twist();
        }
        (model, state)
    }

    /// Two bodies with a joint of a kind between them, the first on a hinge, from a seed.
    fn pair(kind: JointKind, seed: u64) -> (Model, State) {
        let mut numbers = Numbers(seed);
        let (mut parts, bodies) = numbers.pair(kind);
        let hinge = numbers.closing(
            "hinge",
            JointKind::Revolute,
            [None, Some(BodyId(0))],
            &bodies,
        );
        parts.joints.extend(hinge);
        let model = Model::new(parts).expect("the pair is a model");
        let mut state = state(&model, &bodies);
        assemble(&model, &mut state).expect("it is closed");
        (model, state)
    }

    #[test]
    fn distances_that_are_not_between_0_and_1_m_are_refused() {
        let (model, given) = free();
        for size in [0.0, -0.1, 1.0, 2.0, f64::NAN] {
            let mut state = given.clone();
            let refused = perturb(&model, &mut state, size);
            assert!(
                matches!(refused, Err(PerturbationError::Size(s)) if s.to_bits() == size.to_bits()),
                "{size}: {refused:?}"
            );
            assert_eq!(state, given);
        }
    }

    /// In three dimensions, after which turns: the numbers are 2x - 1 of the parts behind the decimal point of 1.618034
    /// (the golden ratio), 3.236068, 4.854102, 6.472136, 8.090170, 9.708204, and so on, six to a body, to the digits
    /// that are written here. Nothing holds the bodies, so that their ways and turns are in that ratio.
    #[test]
    fn free_bodies_go_where_multiples_of_the_golden_ratio_say() {
        let wanted = [
            [0.236_068, -0.527_864, 0.708_204],
            [-0.055_728, -0.819_660, 0.416_408],
            [-0.347_524, 0.888_544, 0.124_612],
            [-0.639_320, 0.596_748, -0.167_184],
        ];
        let (model, given) = free();
        let mut state = given.clone();
        perturb(&model, &mut state, 1e-2).expect("they are free");
        let ways = given.bodies.iter().zip(&state.bodies).flat_map(|(a, b)| {
            let turn = b.orientation * a.orientation.inverse();
            [b.position - a.position, turn.scaled_axis()]
        });
        let ways: Vec<Vec3> = ways.collect();
        let scale = ways[0].x / wanted[0][0];
        assert!(scale > 0.0);
        for (way, wanted) in ways.iter().zip(wanted) {
            // Half of the last digit, of the number and of the one that gives the scale.
            let error = way / scale - Vec3::from(wanted);
            assert!(error.amax() < 5e-6, "{error}");
        }
        let velocities =
            |state: &State| -> Vec<Twist> { state.bodies.iter().map(|b| b.velocity).collect() };
        for (a, b) in velocities(&given).iter().zip(velocities(&state)) {
            // A projection that holds nothing rounds.
            assert!((a.linear - b.linear).norm() < 1e-14 && (a.angular - b.angular).norm() < 1e-14);
        }
    }

    /// A part of a metre is far for joints of a metre: the way along them is no straight line, and its length is met all
    /// the same, to the millionth that is asked for.
    #[test]
    fn jointed_bodies_go_as_far_as_asked_and_stay_closed() {
        for (seed, kind) in (1..).zip(JointKind::ALL) {
            for size in [1e-6, 0.3] {
                let (model, given) = pair(kind, seed);
                let mut state = given.clone();
                perturb(&model, &mut state, size).expect("the hinge is free");
                let found = configuration_distance(&model, &state.bodies, &given.bodies);
                // Configurations of the order of 1 m are known to 1e-16 of that.
                let error = (found - size).abs() - 1e-14;
                assert!(error < ACCURACY * size, "{kind:?}: {found} m of {size} m");
                let drift = worst_drift(&model, &state);
                assert!(drift.position.0 < 1e-9 && drift.angle.0 < 1e-9, "{drift:?}");
            }
        }
    }

    /// Welded, or held by a hinge and a ball apart from it, of which a projection leaves some rounding; of a metre or of
    /// a thousand kilometres, with which that grows.
    #[test]
    fn what_the_joints_hold_is_stuck_and_stays_as_it_was() {
        let ends = [None, Some(BodyId(0))];
        for (size, kinds) in [1.0, 1e6].into_iter().flat_map(|size| {
            let weld: &[JointKind] = &[JointKind::Fixed];
            [
                (size, weld),
                (size, &[JointKind::Revolute, JointKind::Spherical]),
            ]
        }) {
            let mut numbers = Numbers(3);
            let (mut parts, mut bodies) = numbers.pair(JointKind::Fixed);
            for kind in kinds {
                let name = format!("{kind:?}");
                parts
                    .joints
                    .extend(numbers.closing(&name, *kind, ends, &bodies));
            }
            for body in &mut parts.bodies {
                body.inertia *= size * size;
            }
            for joint in &mut parts.joints {
                joint.parent_frame.anchor *= size;
                joint.child_frame.anchor *= size;
            }
            for body in &mut bodies {
                body.position *= size;
            }
            let model = Model::new(parts).expect("the pair is a model");
            let mut state = state(&model, &bodies);
            assemble(&model, &mut state).expect("it is closed");
            let given = state.clone();
            let found = perturb(&model, &mut state, 0.1);
            assert_eq!(found, Err(PerturbationError::Stuck), "{size} m, {kinds:?}");
            assert_eq!(state, given);
        }
    }

    /// The speed against the distance after a short time, over that time.
    #[test]
    fn the_speed_is_that_at_which_the_configuration_distance_grows() {
        let (mut model, state) = free();
        model.bodies[1] = Body::new("b", 5.0, Mat3::from_diagonal(&Vec3::new(2.0, 3.0, 4.0)));
        let h = 1e-6;
        let mut later = state.clone();
        for body in &mut later.bodies {
            body.position += body.velocity.linear * h;
            body.orientation = Quat::from_scaled_axis(body.velocity.angular * h) * body.orientation;
        }
        let wanted = configuration_distance(&model, &later.bodies, &state.bodies) / h;
        // Chords instead of arcs: 1e-12 relative; positions of order 1 round to 1e-16 over 1e-6.
        let error = speed(&model, &state) / wanted - 1.0;
        assert!(error.abs() < 1e-8, "{error:e}");
    }
}
