//! Every force against the gradient of its potential or the derivative of its law, and action against reaction.
//!
//! Central differences with h = 1e-5: truncation h² times third derivatives of order 100 gives 1e-8, rounding
//! 1e-16/h = 1e-11; tolerance 1e-7.

use super::*;
use crate::diagnostics;
use crate::model::specimen::{Numbers, moved, slope, state};
use crate::model::{
    Actuator, Attachment, BodyId, BodyState, Command, Force, Input, JointId, JointKind,
    JointSpring, Model, ModelParts, PdTarget, Signal, Twist,
};

mod account;
mod laws;

const H: f64 = 1e-5;

const TOLERANCE: f64 = 1e-7;

fn model(parts: ModelParts) -> Model {
    Model::new(parts).expect("the specimen is a valid model")
}

fn at_knot(model: &Model, bodies: &[BodyState], input: &Input) -> Vec<Wrench> {
    let mut out = vec![Wrench::default(); bodies.len()];
    let angles = vec![[0.0; 2]; model.joints.len()];
    let none = StiffSprings::default();
    knot_wrenches(model, bodies, &angles, 0.3, input, &none, &mut out);
    out
}

/// Everything at the velocities given.
fn at_twists(model: &Model, bodies: &[BodyState], twists: &[Twist], input: &Input) -> Vec<Wrench> {
    let mut out = vec![Wrench::default(); bodies.len()];
    let angles = vec![[0.0; 2]; model.joints.len()];
    all_wrenches(model, bodies, twists, &angles, 0.3, input, &mut out);
    out
}

/// Total force and total moment about the world's origin, largest component.
fn unbalanced(bodies: &[BodyState], out: &[Wrench]) -> f64 {
    let force: Vec3 = out.iter().map(|w| w.force).sum();
    let moment: Vec3 = bodies
        .iter()
        .zip(out)
        .map(|(b, w)| w.torque + b.position.cross(&w.force))
        .sum();
    force.amax().max(moment.amax())
}

fn line(damping: f64, numbers: &mut Numbers) -> Force {
    Force::Spring {
        name: "line".into(),
        ends: [0, 1].map(|b| Attachment {
            body: Some(BodyId(b)),
            point: numbers.vector(),
        }),
        stiffness: 30.0,
        rest: 0.4,
        damping,
    }
}

fn is_gradient(parts: ModelParts, bodies: &[BodyState]) {
    let model = model(parts);
    let out = at_knot(&model, bodies, &Input::default());
    let potential = |b: &[BodyState]| diagnostics::potential_energy(&model, &state(&model, b));
    for (body, wrench) in out.iter().enumerate() {
        for k in 0..6 {
            let claim = if k < 3 {
                wrench.force[k]
            } else {
                wrench.torque[k - 3]
            };
            let found = -slope(bodies, body, k, H, potential);
            assert!(
                (found - claim).abs() < TOLERANCE,
                "body {body} direction {k}: {found} {claim}"
            );
        }
    }
}

#[test]
fn gravity_and_point_springs_are_gradients() {
    for seed in 0..10 {
        let mut numbers = Numbers(seed);
        let (mut parts, bodies) = numbers.pair(JointKind::Floating);
        parts.gravity = numbers.vector() * 9.81;
        parts.forces = vec![line(0.0, &mut numbers)];
        let Force::Spring { ends, .. } = &mut parts.forces[0] else {
            unreachable!("a spring was pushed")
        };
        if seed % 2 == 1 {
            ends[1].body = None;
        }
        is_gradient(parts, &bodies);
    }
}

#[test]
fn joint_springs_are_gradients_where_coordinates_are_smooth_off_the_joint() {
    // Angles of half-held rotations are defined up to motions that break the joint, so those are tested along
    // motions that keep it, in `joints`; here the kinds whose coordinates have one gradient everywhere.
    for kind in JointKind::ALL {
        for seed in 0..10 {
            let mut numbers = Numbers(seed);
            let (mut parts, bodies) = numbers.pair(kind);
            let smooth = if kind.constrained_rotations() == 0 {
                kind.freedoms()
            } else {
                kind.free_translations()
            };
            parts.joints[0].springs = (0..smooth)
                .map(|coordinate| JointSpring {
                    coordinate,
                    stiffness: 10.0 + coordinate as f64,
                    rest: 0.3,
                })
                .collect();
            is_gradient(parts, &bodies);
        }
    }
}

#[test]
fn joint_springs_do_the_work_their_potential_loses() {
    // Along a motion that keeps the joint: the power of the wrench is minus the rate of the potential.
    for (kind, coordinate) in [
        (JointKind::Revolute, 0),
        (JointKind::Cylindrical, 1),
        (JointKind::PlanarAxis, 2),
        (JointKind::Universal, 0),
        (JointKind::Universal, 1),
    ] {
        for seed in 0..10 {
            let mut numbers = Numbers(seed);
            let (mut parts, mut bodies) = numbers.pair(kind);
            parts.joints[0].springs = vec![JointSpring {
                coordinate,
                stiffness: 20.0,
                rest: -0.4,
            }];
            let joint = parts.joints[0].clone();
            let model = model(parts);
            let q = numbers.coordinates();
            let mut energy = |step: f64| {
                let mut moved = q;
                moved[coordinate] += step;
                crate::model::specimen::place(&joint, &moved, &mut bodies);
                diagnostics::potential_energy(&model, &state(&model, &bodies))
            };
            let found = -(energy(H) - energy(-H)) / (2.0 * H);
            energy(0.0);
            let out = at_knot(&model, &bodies, &Input::default());
            // Generalised force: the wrench of the child along the joint's own freedom.
            let at = Placement::of(&joint, &bodies);
            let row = crate::joints::rate_row(kind, &at, coordinate);
            let moment = out[1].torque - at.child_arm.cross(&out[1].force);
            let force = row.torque.dot(&moment);
            assert!(
                (found - force).abs() < TOLERANCE,
                "{kind:?}: {found} {force}"
            );
        }
    }
}

/// A pair with everything that acts between two bodies, and nothing from outside.
fn internal(kind: JointKind, numbers: &mut Numbers) -> (Model, Vec<BodyState>, Input) {
    let (mut parts, bodies) = numbers.pair(kind);
    parts.forces = vec![line(3.0, numbers)];
    let joint = &mut parts.joints[0];
    joint.damping_translation = 2.0;
    joint.damping_rotation = 0.7;
    let mut input = Input::default();
    for coordinate in 0..kind.freedoms() {
        joint.springs.push(JointSpring {
            coordinate,
            stiffness: 5.0,
            rest: 0.2,
        });
        joint.actuators.push(Actuator {
            coordinate,
            command: Signal::Constant(1.5),
            pd: None,
            limit: f64::INFINITY,
        });
        joint.actuators.push(Actuator {
            coordinate,
            command: Signal::ZERO,
            pd: Some(PdTarget {
                stiffness: 8.0,
                damping: 0.5,
                target: Signal::Constant(1.0),
                rate: Signal::ZERO,
            }),
            limit: 4.0,
        });
        input.commands.push(Command {
            joint: JointId(0),
            coordinate,
            value: -0.4,
        });
    }
    (model(parts), bodies, input)
}

#[test]
fn internal_forces_cancel_in_force_and_moment() {
    for kind in JointKind::ALL {
        for seed in 0..10 {
            let mut numbers = Numbers(seed);
            let (model, mut bodies, input) = internal(kind, &mut numbers);
            if seed % 2 == 1 {
                // Also where the joint is open.
                bodies[1] = moved(&bodies[1], numbers.vector(), numbers.vector());
            }
            let twists = [numbers.twist(), numbers.twist()];
            let out = at_twists(&model, &bodies, &twists, &input);
            // Forces of some tens of newtons at arms of a few metres: rounding 1e-16 · 1e3.
            assert!(unbalanced(&bodies, &out) < 1e-12, "{kind:?} seed {seed}");
            assert!(out[0].force.norm() > 0.1, "something acts");
        }
    }
}
