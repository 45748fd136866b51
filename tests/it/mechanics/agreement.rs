//! Methods that share nothing but the model agree: the variational family solves for momenta at knots with joints
//! closed at their ends, the Runge-Kutta family for accelerations with differentiated constraints.

use crate::mechanics::andrews::andrews;
use crate::mechanics::bench::{order, run, settings, simulation};
use crate::mechanics::benchmarks;
use crate::mechanics::mechanisms;
use crate::mechanics::mechanisms::{G, Workshop};
use driftless::integrators::{LinearSolver, Settings};
use driftless::math::{Mat3, Quat, Vec3};
use driftless::model::{
    Actuator, Attachment, Axes, BodyId, Coupling, CouplingTerm, Force, JointId, JointKind,
    JointSpring, Model, PdTarget, Signal, State,
};

/// Repeatable numbers between -1 and 1 (a linear congruential generator, high bits).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.next())
    }

    fn index(&mut self, below: usize) -> usize {
        ((self.next() + 1.0) * 0.5 * below as f64) as usize % below
    }
}

/// A random tree with a joint of every kind, at rest under gravity.
fn tree(seed: u64) -> Workshop {
    let mut numbers = Numbers(seed);
    let mut w = Workshop::new(Vec3::new(0.5, 0.0, -G));
    for (k, kind) in JointKind::ALL.into_iter().enumerate() {
        let moments = Vec3::from_fn(|_, _| 0.08 + 0.02 * numbers.next());
        let turn = Quat::from_scaled_axis(numbers.vector() * 2.0);
        let at = numbers.vector();
        let body = w.body(
            1.0 + 0.4 * numbers.next(),
            Mat3::from_diagonal(&moments),
            at,
            turn,
        );
        let parent = (k > 0 && numbers.next() > -0.5).then(|| BodyId(numbers.index(k)));
        let axes = Quat::from_scaled_axis(numbers.vector() * 2.0);
        let point = at + numbers.vector() * 0.4;
        w.joint_with(kind, parent, body, point, axes);
    }
    w
}

/// Closes a loop or two with a joint that leaves five freedoms.
fn close(w: &mut Workshop) {
    let axes = Quat::from_scaled_axis(Vec3::new(0.3, -0.8, 0.5));
    let point = Vec3::new(0.1, 0.2, -0.3);
    let ends = (Some(BodyId(2)), BodyId(10));
    w.joint_with(JointKind::PointOnPlane, ends.0, ends.1, point, axes);
    w.joint_with(JointKind::PointOnPlane, None, BodyId(11), point, axes);
}

/// Springs, dampers, drives and wrenches everywhere.
fn equip(w: &mut Workshop) {
    for (k, joint) in w.parts.joints.iter_mut().enumerate() {
        joint.damping_translation = 0.8;
        joint.damping_rotation = 0.1;
        for coordinate in 0..joint.kind.freedoms() {
            match (coordinate + k) % 3 {
                0 => joint.springs.push(JointSpring {
                    coordinate,
                    stiffness: 6.0,
                    rest: 0.2,
                }),
                1 => joint.actuators.push(Actuator {
                    coordinate,
                    command: Signal::expression("0.4*sin(5*t)").expect("it parses"),
                    pd: None,
                    limit: 0.3,
                }),
                _ => joint.actuators.push(Actuator {
                    coordinate,
                    command: Signal::Constant(0.1),
                    pd: Some(PdTarget {
                        stiffness: 4.0,
                        damping: 0.3,
                        target: Signal::expression("0.2*t").expect("it parses"),
                        rate: Signal::Constant(0.2),
                    }),
                    limit: f64::INFINITY,
                }),
            }
        }
    }
    w.parts.forces = vec![
        Force::Spring {
            name: "tie".into(),
            ends: [3, 8].map(|b| Attachment {
                body: Some(BodyId(b)),
                point: Vec3::new(0.1, 0.2, -0.1),
            }),
            stiffness: 10.0,
            rest: 0.3,
            damping: 0.7,
        },
        Force::Wrench {
            name: "thrust".into(),
            body: BodyId(5),
            point: Vec3::new(0.0, 0.1, 0.0),
            axes: Axes::Body,
            force: [
                Signal::ZERO,
                Signal::expression("2*cos(4*t)").expect("it parses"),
                Signal::ZERO,
            ],
            torque: [Signal::Constant(0.1), Signal::ZERO, Signal::ZERO],
        },
    ];
}

/// Couples coordinates within a joint and across the tree.
fn couple(w: &mut Workshop) {
    let index = |kind| {
        let place = w.parts.joints.iter().position(|j| j.kind == kind);
        JointId(place.expect("the tree has every kind"))
    };
    let term = |kind, coordinate, factor| CouplingTerm {
        joint: index(kind),
        coordinate,
        factor,
    };
    let screw = vec![
        term(JointKind::Cylindrical, 0, 1.0),
        term(JointKind::Cylindrical, 1, -0.3),
    ];
    let gear = vec![
        term(JointKind::Revolute, 0, 1.0),
        term(JointKind::Universal, 1, 0.5),
        term(JointKind::Prismatic, 0, -0.7),
    ];
    for (name, terms) in [("screw", screw), ("gear", gear)] {
        w.parts.couplings.push(Coupling {
            name: name.into(),
            terms,
            offset: 0.0,
        });
    }
}

/// Largest distance between the poses of two states [m, rad].
fn distance(a: &State, b: &State) -> f64 {
    a.bodies
        .iter()
        .zip(&b.bodies)
        .map(|(a, b)| {
            let moved = (a.position - b.position).norm();
            moved.max(a.orientation.angle_to(&b.orientation))
        })
        .fold(0.0, f64::max)
}

fn end(mechanism: &(Model, State), integrator: &str, t: f64, steps: u64) -> State {
    let mut sim = simulation(mechanism, integrator, settings(t / steps as f64, 1e-11));
    run(&mut sim, steps);
    sim.state().clone()
}

/// Errors of a method against rk4 at 3000 steps of 1e-4 s, whose own error is of order 1e-11.
fn against_rk4(mechanism: &(Model, State), integrator: &str, first: u64) -> Vec<f64> {
    let reference = end(mechanism, "rk4", 0.3, 3000);
    (0..2)
        .map(|k| distance(&end(mechanism, integrator, 0.3, first << k), &reference))
        .collect()
}

#[test]
fn both_families_reach_the_same_end_with_every_joint_and_every_force() {
    for seed in 0..6 {
        let mut w = tree(seed);
        if seed > 2 {
            close(&mut w);
        }
        equip(&mut w);
        if seed % 2 == 1 {
            couple(&mut w);
        }
        let mechanism = w.finish();
        for (integrator, wanted) in [("variational", 1.0), ("variational-2", 2.0)] {
            let errors = against_rk4(&mechanism, integrator, 300);
            let found = order(&errors);
            println!("seed {seed}, {integrator}: {errors:?} order {found:.3}");
            // Bodies move by decimetres.
            assert!(errors[1] < 0.02, "seed {seed}, {integrator}: {errors:?}");
            assert!(
                (found - wanted).abs() < 0.15,
                "seed {seed}, {integrator}: {found}"
            );
        }
    }
}

#[test]
fn both_families_reach_the_same_end_at_high_order_without_dissipation() {
    for seed in 0..4 {
        let mut w = tree(seed);
        close(&mut w);
        couple(&mut w);
        let mechanism = w.finish();
        let errors = against_rk4(&mechanism, "variational-6", 100);
        println!("seed {seed}: {errors:?}");
        assert!(errors[1] < 1e-8, "seed {seed}: {errors:?}");
    }
}

#[test]
fn all_linear_solvers_make_the_same_steps() {
    let mut equipped = tree(2);
    equip(&mut equipped);
    couple(&mut equipped);
    for (name, mechanism) in [
        (
            "chain",
            mechanisms::chain(&[1.0, 0.3, -0.4, 0.2], &[0.0; 4]),
        ),
        ("tree", equipped.finish()),
        ("double four-bar", benchmarks::parallelogram(2)),
        ("bricard", benchmarks::bricard()),
        ("andrews", andrews()),
    ] {
        let dt = if name == "andrews" { 1e-5 } else { 0.01 };
        let with = |linear_solver| {
            let settings = Settings {
                linear_solver,
                ..settings(dt, 1e-10)
            };
            let mut sim = simulation(&mechanism, "variational-2", settings);
            run(&mut sim, 50);
            sim.state().clone()
        };
        let oracle = with(LinearSolver::Dense);
        for solver in [LinearSolver::Articulated, LinearSolver::BlockLdu] {
            let found = distance(&with(solver), &oracle);
            println!("{name}, {solver:?}: {found:.2e}");
            // Both stop within the tolerance of Newton's method; fifty steps add that up.
            assert!(found < 1e-8, "{name}, {solver:?}: {found:e}");
        }
    }
}
