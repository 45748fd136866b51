//! Putting a state that may have drifted back on the constraints.

use super::AssemblyError;
use super::assembly::{CLOSED, close, project, set_momenta};
use crate::diagnostics::worst_drift;
use crate::model::{BodyState, Model, State};
use crate::solver::{LinearSolver, MechanismSolver};

/// Changes of velocities that are rounding, relative to the largest velocity.
const ROUNDING: f64 = 1e-12;

/// What was open before a state was put on the constraints; zero where the joints were closed to rounding.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Closing {
    /// Largest gap of a joint (m).
    pub gap: f64,
    /// Largest misalignment of a joint (rad).
    pub angle: f64,
}

/// Whether the joints and couplings of a state are as closed as a method without drift leaves them.
pub fn is_closed(model: &Model, state: &State) -> bool {
    let mut solver = MechanismSolver::new(model, LinearSolver::default());
    openness(model, state, &mut solver) <= CLOSED
}

/// Closes the joints where they are open (least mass-weighted displacement) and puts the velocities on the constraints
/// (mass-weighted projection); sets momenta. Where joints are closed poses stay as they are to the
/// last bit, and so do velocities that are on the constraints. On an
/// error the state is not to be used.
pub fn settle(model: &Model, state: &mut State) -> Result<Closing, AssemblyError> {
    let mut solver = MechanismSolver::new(model, LinearSolver::default());
    let mut closing = Closing::default();
    let open = openness(model, state, &mut solver);
    if open > CLOSED || open.is_nan() {
        let drift = worst_drift(model, state);
        let beyond_rounding = |x: f64| if x > CLOSED { x } else { 0.0 };
        closing = Closing {
            gap: beyond_rounding(drift.position.0),
            angle: beyond_rounding(drift.angle.0),
        };
        close(model, state, &mut solver)?;
    }
    let given = state.bodies.clone();
    project(model, state, &mut solver);
    if differ_by_rounding(&given, &state.bodies) {
        state.bodies = given;
        set_momenta(model, &mut state.bodies);
    }
    Ok(closing)
}

/// Whether velocities were on the constraints before a projection, which only rounded them.
fn differ_by_rounding(before: &[BodyState], after: &[BodyState]) -> bool {
    let worst = |size: fn(&BodyState, &BodyState) -> f64| {
        let sizes = before.iter().zip(after).map(|(a, b)| size(a, b));
        sizes.fold(0.0, f64::max)
    };
    let linear = [
        worst(|a, b| (b.velocity.linear - a.velocity.linear).norm()),
        worst(|a, _| a.velocity.linear.norm()),
    ];
    let angular = [
        worst(|a, b| (b.velocity.angular - a.velocity.angular).norm()),
        worst(|a, _| a.velocity.angular.norm()),
    ];
    [linear, angular]
        .iter()
        .all(|[change, speed]| *change <= ROUNDING * speed)
}

/// Largest error of a joint or a coupling (m, rad).
fn openness(model: &Model, state: &State, solver: &mut MechanismSolver) -> f64 {
    solver.close(model, state, &mut Vec::new()).0.constraint
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinematics::assemble;
    use crate::math::{Quat, Vec3};
    use crate::model::specimen::{Numbers, state};
    use crate::model::{BodyId, JointKind};

    /// Three bodies on hinges in any pose, closed, moving with the joints at this speed (m/s, rad/s).
    fn chain(speed: f64) -> (Model, State) {
        let mut numbers = Numbers(11);
        let (mut parts, bodies) = numbers.pair(JointKind::Revolute);
        let hinge = numbers.closing(
            "hinge",
            JointKind::Revolute,
            [None, Some(BodyId(0))],
            &bodies,
        );
        parts.joints.extend(hinge);
        let model = Model::new(parts).expect("the chain is a model");
        let mut state = state(&model, &bodies);
        for body in &mut state.bodies {
            body.velocity = numbers.twist();
            body.velocity.linear *= speed;
            body.velocity.angular *= speed;
        }
        assemble(&model, &mut state).expect("it is closed");
        (model, state)
    }

    /// Poses and velocities, to the last bit.
    fn kept(a: &State, b: &State) -> bool {
        let same = |(a, b): (&BodyState, &BodyState)| {
            (a.position, a.orientation, a.velocity) == (b.position, b.orientation, b.velocity)
        };
        a.bodies.iter().zip(&b.bodies).all(same)
    }

    /// Whatever the speed: rounding is relative to it.
    #[test]
    fn a_state_on_the_constraints_stays_to_the_last_bit_and_gets_its_momenta() {
        for speed in [1e-6, 1.0, 1e4] {
            let (model, given) = chain(speed);
            assert!(is_closed(&model, &given));
            let mut state = given.clone();
            for body in &mut state.bodies {
                (body.momentum, body.angular_momentum) = (Vec3::zeros(), Vec3::zeros());
            }
            let closing = settle(&model, &mut state).expect("it is closed");
            assert_eq!(closing, Closing::default());
            assert!(kept(&state, &given), "{speed} m/s");
            assert_eq!(
                state.bodies, given.bodies,
                "momenta are those of velocities"
            );
        }
    }

    /// A hinge that is open by less than a billionth is as closed as methods without drift leave it.
    #[test]
    fn joints_that_are_open_by_rounding_are_left_alone() {
        let (model, mut state) = chain(1.0);
        state.bodies[0].position += Vec3::x() * 1e-11;
        let given = state.clone();
        assert!(is_closed(&model, &state));
        let closing = settle(&model, &mut state).expect("it is closed");
        assert_eq!(closing, Closing::default());
        for (a, b) in given.bodies.iter().zip(&state.bodies) {
            assert_eq!((a.position, a.orientation), (b.position, b.orientation));
        }
    }

    /// The body at the end is taken away by 1 mm or turned by a thousandth about an axis across the hinge: that is what
    /// its joint opens by, and what is told of it; what is not open is told as 0.
    #[test]
    fn joints_that_are_open_are_closed_and_how_far_they_were_open_is_told() {
        let by = 1e-3;
        for turned in [false, true] {
            let (model, mut state) = chain(1.0);
            let joint = &model.joints[0];
            let body = &mut state.bodies[joint.child.0];
            let wanted = if turned {
                // About its own anchor, so that the joint does not gape.
                let anchor = body.orientation * joint.child_frame.anchor;
                let across = body.orientation * joint.child_frame.orientation * Vec3::x();
                let turn = Quat::from_scaled_axis(across * by);
                body.orientation = turn * body.orientation;
                body.position += anchor - turn * anchor;
                [0.0, by]
            } else {
                body.position += Vec3::new(0.0, 0.6, 0.8) * by;
                [by, 0.0]
            };
            assert!(!is_closed(&model, &state));
            let closing = settle(&model, &mut state).expect("it is nearly closed");
            for (found, wanted) in [closing.gap, closing.angle].into_iter().zip(wanted) {
                // Positions of order 1 round to 1e-16; a sine instead of the angle is 2e-10 less.
                assert!((found - wanted).abs() < 1e-9, "{closing:?}");
                assert!(wanted > 0.0 || found == 0.0, "{closing:?}");
            }
            assert!(is_closed(&model, &state));
        }
    }

    /// Velocities that the joints do not allow are put on them, slow or fast: projecting what is projected changes
    /// nothing but rounding.
    #[test]
    fn velocities_off_the_constraints_are_put_on_them() {
        for speed in [1e-9, 1.0] {
            for turning in [false, true] {
                let (model, mut state) = chain(speed);
                let velocity = &mut state.bodies[1].velocity;
                if turning {
                    velocity.angular *= 1.01;
                } else {
                    velocity.linear *= 1.01;
                }
                let given = state.clone();
                settle(&model, &mut state).expect("it is closed");
                assert!(!kept(&state, &given), "{speed} m/s");
                let mut solver = MechanismSolver::new(&model, LinearSolver::default());
                let mut again = state.clone();
                project(&model, &mut again, &mut solver);
                for (a, b) in state.bodies.iter().zip(&again.bodies) {
                    let linear = (a.velocity.linear - b.velocity.linear).norm();
                    let angular = (a.velocity.angular - b.velocity.angular).norm();
                    assert!(
                        linear.max(angular) < 1e-13 * speed,
                        "{speed} m/s: {linear:e}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_body_whose_orientation_is_no_number_is_not_closed() {
        let (model, mut state) = chain(1.0);
        state.bodies[1].orientation.as_mut_unchecked().coords.x = f64::NAN;
        assert!(!is_closed(&model, &state));
        assert!(settle(&model, &mut state).is_err());
    }
}
