//! First guesses, the exact motion of what is free, and what a move of all links reports.

use super::{FOLD, WIDEST};
use crate::math::{Mat3, Quat, Vec3};
use crate::model::specimen::{Numbers, at_rest, state};
use crate::model::{Body, BodyId, JointKind, Model, ModelParts, State};
use crate::solver::{Interval, LinearSolver, MechanismSolver, StepContext, past};

const DT: f64 = 0.01;

/// Moments of inertia about the axes of every body (kg·m²).
const MOMENTS: [f64; 3] = [0.2, 0.3, 0.4];

/// Bodies of 2 kg with three different moments, in a row; those that `held` names hang on the world by a ball joint at
/// their centre.
fn bodies(held: &[bool]) -> (Model, State) {
    let inertia = Mat3::from_diagonal(&Vec3::from(MOMENTS));
    let mut parts = ModelParts::default();
    let mut states = Vec::new();
    for (k, &held) in held.iter().enumerate() {
        parts.bodies.push(Body::new(format!("{k}"), 2.0, inertia));
        let mut body = at_rest();
        body.position.x = k as f64;
        states.push(body);
        if held {
            let mut joint =
                Numbers(1).joint(&format!("{k}"), JointKind::Spherical, None, BodyId(k));
            joint.parent_frame.anchor = body.position;
            joint.parent_frame.orientation = Quat::identity();
            joint.child_frame.anchor = Vec3::zeros();
            joint.child_frame.orientation = Quat::identity();
            parts.joints.push(joint);
        }
    }
    let model = Model::new(parts).expect("bodies in a row are a model");
    let state = state(&model, &states);
    (model, state)
}

/// A solver at the beginning of an interval in which nothing is touched.
fn begun(model: &Model, state: &State) -> MechanismSolver {
    let mut solver = MechanismSolver::new(model, LinearSolver::Articulated);
    solver.begin(model, state, DT, None);
    let interval = Interval {
        dt: DT,
        time: 0.0,
        share: 0.5,
        blend: 0.5,
    };
    let context = StepContext {
        model,
        state,
        contacts: &[],
        interval: &interval,
    };
    solver.take_unilaterals(&context, &[], None);
    solver
}

fn half_angle_sine(solver: &MechanismSolver, body: usize) -> Vec3 {
    solver.links.links[solver.topology.links[body]]
        .half_angle_sine
        .to3()
}

/// A body that turns about a principal axis has the angular momentum `J sin φ / dt` in an interval in which it turns by
/// φ: the first guess is the velocity that the state holds, unless that is too near to the fold at a quarter turn.
#[test]
fn a_guess_too_near_the_fold_gives_way_to_the_turn_that_the_momentum_makes() {
    let axis = Vec3::z();
    // The turn that the velocity says, that of which the momentum is, the turn to be guessed. The widest guess has the
    // half-angle sine √(0.9/2), 1.4706 rad.
    let widest = 2.0 * WIDEST.sqrt().asin();
    for (velocity, momentum, wanted) in [
        (0.8, 0.3, 0.8),
        (1.46, 0.3, 1.46),
        (1.48, 0.3, 0.3),
        (2.0, 1.2, 1.2),
        (2.0, 1.55, widest),
        (-2.0, -1.55, -widest),
    ] {
        let (model, mut state) = bodies(&[true]);
        let body = &mut state.bodies[0];
        body.velocity.angular = axis * (2.0 * (0.5f64 * velocity).sin() / DT);
        body.angular_momentum = axis * (MOMENTS[2] * f64::sin(momentum) / DT);
        let mut solver = begun(&model, &state);
        let _ = solver.predict(&state, DT, [1.0, 0.0, 0.0]);
        let found = half_angle_sine(&solver, 0);
        // Newton's method leaves rounding.
        let error = found - axis * (0.5f64 * wanted).sin();
        assert!(error.norm() < 1e-12, "{velocity} {momentum}: {found}");
        assert!(found.norm_squared() < FOLD);
    }
    // Momentum that no turn has: half as fast again as one over the interval.
    let (model, mut state) = bodies(&[true]);
    let body = &mut state.bodies[0];
    body.velocity.angular = axis * (1.5 / DT);
    body.angular_momentum = axis * (MOMENTS[2] * 1.5 / DT);
    let mut solver = begun(&model, &state);
    for free in [false, true] {
        let _ = if free {
            solver.predict_free(DT)
        } else {
            solver.predict(&state, DT, [1.0, 0.0, 0.0])
        };
        let found = half_angle_sine(&solver, 0);
        assert!((found - axis * WIDEST.sqrt()).norm() < 1e-12, "{found}");
    }
}

/// Velocities that follow a parabola in time: three weights, of the velocities in the three intervals before, give that
/// in the next one, or that of half an interval further; two weights give what a straight line does.
#[test]
fn a_guess_goes_on_as_the_velocities_before_went() {
    let [linear, angular] = [Vec3::new(0.5, -1.0, 2.0), Vec3::new(-0.25, 0.5, 1.5)];
    for (bent, at, weights) in [
        (0.0, 3.0, [2.0, -1.0, 0.0]),
        (1.0, 3.0, [3.0, -3.0, 1.0]),
        (1.0, 2.5, [1.875, -1.25, 0.375]),
    ] {
        let (model, mut state) = bodies(&[true]);
        let part = |k: f64| 1.0 + 0.75 * k + bent * 0.5 * k * k;
        for k in [0.0, 1.0, 2.0] {
            let velocity = &mut state.bodies[0].velocity;
            (velocity.linear, velocity.angular) = (linear * part(k), angular * part(k));
            if k < 2.0 {
                past::push(&mut state);
            }
        }
        let mut solver = begun(&model, &state);
        let _ = solver.predict(&state, DT, weights);
        let found = solver.velocity(0, DT);
        // Sums of a few numbers of order 10.
        let error =
            (found.linear - linear * part(at)).norm() + (found.angular - angular * part(at)).norm();
        assert!(error < 1e-13, "{weights:?}: {found:?}");
    }
}

/// What nothing but its momentum moves goes as far as its momentum says, about its axis by an angle whose sine that
/// is; guesses do not change it.
#[test]
fn a_free_body_has_its_exact_motion_and_no_guess_changes_it() {
    let (model, mut state) = bodies(&[false, true]);
    for body in &mut state.bodies {
        body.velocity.linear = Vec3::new(1.0, 2.0, 3.0);
        body.velocity.angular = Vec3::z() * 30.0;
        body.momentum = Vec3::new(3.0, -1.0, 5.0);
        body.angular_momentum = Vec3::z() * (MOMENTS[2] * 50.0);
    }
    let mut solver = begun(&model, &state);
    let exact = Vec3::z() * (0.5 * (50.0f64 * DT).asin()).sin();
    for guess in 0..3 {
        let _ = match guess {
            0 => solver.advance(DT),
            1 => solver.predict(&state, DT, [1.0, 0.0, 0.0]),
            _ => solver.predict_free(DT),
        };
        // 3 N s and so on of 2 kg.
        let velocity = solver.velocity(0, DT).linear;
        assert_eq!(velocity, Vec3::new(1.5, -0.5, 2.5), "guess {guess}");
        assert!((half_angle_sine(&solver, 0) - exact).norm() < 1e-14);
    }
    // The other one hangs on a joint, of which a guess knows nothing.
    let velocity = solver.velocity(1, DT).linear;
    assert_eq!(velocity, Vec3::new(1.5, -0.5, 2.5));
    assert!((half_angle_sine(&solver, 1) - exact).norm() < 1e-12);
    let _ = solver.predict(&state, DT, [1.0, 0.0, 0.0]);
    assert_eq!(solver.velocity(1, DT).linear, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(half_angle_sine(&solver, 1), Vec3::z() * (15.0 * DT));
}

/// What moves on its own has its exact motion, which no bound holds.
#[test]
fn the_widest_turn_is_that_of_the_first_of_the_bodies_that_do_not_move_on_their_own() {
    let (model, mut state) = bodies(&[true, false, true, true]);
    let mut turns = |rates: [f64; 4]| {
        for ((body, data), rate) in state.bodies.iter_mut().zip(&model.bodies).zip(rates) {
            body.velocity.angular = Vec3::z() * rate;
            body.momentum = body.velocity.linear * data.mass;
            let spin = body.orientation.inverse() * body.velocity.angular;
            body.angular_momentum = body.orientation * (data.inertia * spin);
        }
        let mut solver = begun(&model, &state);
        let (square, link) = solver.predict(&state, DT, [1.0, 0.0, 0.0]).turn;
        (square, solver.topology.bodies[link])
    };
    let square = |rate: f64| (0.5 * DT * rate).powi(2);
    for (rates, wanted) in [
        ([10.0, 90.0, 30.0, 20.0], 2),
        ([30.0, 90.0, 20.0, 10.0], 0),
        ([20.0, 90.0, 20.0, 20.0], 0),
    ] {
        let (found, body) = turns(rates);
        assert_eq!(body, wanted, "{rates:?}");
        assert!((found - square(rates[wanted])).abs() < 1e-15);
    }
    let (found, body) = turns([10.0, f64::NAN, 30.0, 20.0]);
    assert!(
        found.is_nan() && body == 1,
        "what is no number is the worst"
    );
}

/// A body at a joint of a kind to the world, whose frames are those of both.
fn hung(kind: JointKind) -> (Model, State) {
    let inertia = Mat3::from_diagonal(&Vec3::from(MOMENTS));
    let mut joint = Numbers(1).joint("joint", kind, None, BodyId(0));
    for frame in [&mut joint.parent_frame, &mut joint.child_frame] {
        (frame.anchor, frame.orientation) = (Vec3::zeros(), Quat::identity());
    }
    let model = Model::new(ModelParts {
        bodies: vec![Body::new("hung", 2.0, inertia)],
        joints: vec![joint],
        ..ModelParts::default()
    })
    .expect("a joint of its own for a body is a model");
    let state = State::at_rest(&model);
    (model, state)
}

/// Each kind of joint, moved by a little along an axis of its frame or turned about it, is open by that if it holds the
/// axis and by nothing if it does not. The axis of a joint is z; what is held in a plane is along z; of a universal
/// joint, whose axes are z and x, y is held.
#[test]
fn a_joint_is_open_by_what_it_holds() {
    let by = 1e-4;
    for kind in JointKind::ALL {
        let [slides, turns] = [
            [
                [false; 3],
                [false, false, true],
                [true, true, false],
                [true; 3],
            ][kind.constrained_translations()],
            [
                [false; 3],
                [false, true, false],
                [true, true, false],
                [true; 3],
            ][kind.constrained_rotations()],
        ];
        for (turned, held) in [(false, slides), (true, turns)] {
            for axis in 0..3 {
                let (model, mut state) = hung(kind);
                let way = Vec3::ith(axis, by);
                if turned {
                    state.bodies[0].orientation = Quat::from_scaled_axis(way);
                } else {
                    state.bodies[0].position = way;
                }
                let mut solver = begun(&model, &state);
                let (errors, _) = solver.close(&model, &state, &mut Vec::new());
                let length = if turned { 1.0 } else { solver.scale().joint(0) };
                let found = errors.constraint * length;
                let wanted = if held[axis] { by } else { 0.0 };
                // Sines and products of angles: of the second order.
                assert!(
                    (found - wanted).abs() < by * by,
                    "{kind:?} axis {axis} turned {turned}: {found:e}"
                );
            }
        }
    }
}

/// Of joints that are open by the same the first is named, where none is open the first as well.
#[test]
fn the_worst_joint_is_the_first_of_those_that_are_open_most() {
    let (model, closed) = bodies(&[true, true, true]);
    for (gaps, wanted) in [
        ([0.0, 0.0, 0.0], 0),
        ([1e-3, 2e-3, 1e-3], 1),
        ([1e-3, 2e-3, 2e-3], 1),
        ([2e-3, 2e-3, 2e-3], 0),
    ] {
        let mut state = closed.clone();
        for (body, gap) in state.bodies.iter_mut().zip(gaps) {
            body.position.y += gap;
        }
        let mut solver = begun(&model, &state);
        let (errors, _) = solver.close(&model, &state, &mut Vec::new());
        assert_eq!(errors.joint, Some(wanted), "{gaps:?}");
        let gap = errors.constraint * solver.scale().joint(wanted);
        // Positions of order 1 round.
        assert!((gap - gaps[wanted]).abs() < 1e-15, "{gaps:?}: {gap}");
    }
}
