//! Rows of unilateral constraints against differences, and the refined solution against the laws it should satisfy.

use super::constraint::What;
use super::{ConeSection, StepContext, law};
use crate::contact::{Contact, Feature, Located};
use crate::math::lanes::V4;
use crate::math::{Mat3, Quat, Vec3};
use crate::model::{
    Attachment, Body, BodyId, BodyState, Cable, ContactKey, Joint, JointFrame, JointKind,
    JointLimit, Model, ModelParts, State,
};
use crate::solver::{Interval, LinearSolver, Mark, MechanismSolver};
use proptest::prelude::*;

mod interior_point;
mod mending;
mod rows;

const DT: f64 = 0.01;

const INTERVAL: Interval = Interval {
    dt: DT,
    time: 0.0,
    share: 0.5,
    blend: 0.5,
};

/// Two bodies in motion, tied by coordinates with limits and by a cable, and contacts of all round kinds.
fn scene(numbers: &[f64]) -> (Model, State, Vec<Located>) {
    let mut numbers = numbers.iter().copied().cycle();
    let mut next = || numbers.next().unwrap();
    let mut vector = || Vec3::new(next(), next(), next());
    let inertia = Mat3::from_diagonal(&Vec3::new(0.2, 0.3, 0.4));
    let limit = |coordinate| JointLimit {
        coordinate,
        lower: -1.0,
        upper: 1.5,
        restitution: 0.0,
        compliance: Default::default(),
    };
    let frame = |anchor: Vec3, turn: Vec3| JointFrame {
        anchor,
        orientation: Quat::from_scaled_axis(turn),
    };
    let parts = ModelParts {
        bodies: vec![
            Body::new("a", 2.0, inertia),
            Body::new("b", 0.5, inertia * 0.3),
        ],
        joints: vec![Joint {
            name: "joint".into(),
            kind: JointKind::Floating,
            parent: Some(BodyId(0)),
            child: BodyId(1),
            parent_frame: frame(vector() * 0.3, vector()),
            child_frame: frame(vector() * 0.3, vector()),
            damping_translation: 0.0,
            damping_rotation: 0.0,
            springs: vec![],
            actuators: vec![],
            limits: vec![limit(0), limit(4)],
            compliance: Default::default(),
        }],
        cables: vec![Cable {
            name: "rope".into(),
            ends: [
                Attachment {
                    body: Some(BodyId(0)),
                    point: vector(),
                },
                Attachment {
                    body: Some(BodyId(1)),
                    point: vector(),
                },
            ],
            length: 1.0,
            restitution: 0.0,
            compliance: Default::default(),
        }],
        ..ModelParts::default()
    };
    let model = Model::new(parts).unwrap();
    let mut state = State::at_rest(&model);
    for (k, body) in state.bodies.iter_mut().enumerate() {
        body.position = vector() + Vec3::new(0.0, 0.0, 3.0 * k as f64);
        body.orientation = Quat::from_scaled_axis(vector());
        body.velocity.linear = vector() * 3.0;
        body.velocity.angular = vector() * 5.0;
    }
    let unit = |v: Vec3| (v + Vec3::new(0.0, 0.1, 1.0)).normalize();
    let features = [
        [
            Feature::Point {
                at: vector(),
                radius: 0.1,
            },
            Feature::Plane {
                at: vector(),
                normal: unit(vector()),
            },
        ],
        [
            Feature::Point {
                at: vector(),
                radius: 0.1,
            },
            Feature::Point {
                at: vector(),
                radius: 0.2,
            },
        ],
        [
            Feature::Line {
                at: vector(),
                along: unit(vector()),
                radius: 0.0,
            },
            Feature::Point {
                at: vector(),
                radius: 0.3,
            },
        ],
    ];
    let contacts = features.into_iter().enumerate().flat_map(|(k, features)| {
        [[Some(BodyId(0)), Some(BodyId(1))], [Some(BodyId(1)), None]].map(|bodies| Contact {
            key: ContactKey {
                shapes: k as u64,
                features: u64::from(bodies[1].is_none()),
            },
            bodies,
            features,
            friction: 0.7,
            restitution: 0.0,
            compliance: Default::default(),
        })
    });
    let contacts = contacts.map(|c| Located::at(&c, &state.bodies)).collect();
    (model, state, contacts)
}

fn all(contacts: &[Located], model: &Model) -> Vec<What> {
    (0..contacts.len())
        .map(What::Contact)
        .chain(super::limits(model))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Velocities of all rows of all kinds of unilateral constraints, with linear gaps too, against central differences over motions of
    /// `z2`.
    #[test]
    fn gradients_are_those_of_differences(
        numbers in proptest::collection::vec(-0.5..0.5, 97),
        linear in any::<bool>(),
    ) {
        let (model, state, contacts) = scene(&numbers);
        let context = StepContext { model: &model, state: &state, contacts: &contacts, interval: &INTERVAL };
        let mut solver = MechanismSolver::new(&model, LinearSolver::Articulated);
        solver.begin(&model, &state, DT, None);
        solver.take_unilaterals(&context, &all(&contacts, &model), None);
        solver.unilaterals_mut().iter_mut().for_each(|u| u.linear = linear);
        let velocities = |solver: &mut MechanismSolver| -> Vec<[f64; 3]> {
            let moved = solver.advance(DT);
            let _ = solver.imbalance(&context, &moved, None);
            solver.unilaterals().iter().map(|u| u.velocity).collect()
        };
        let _ = solver.predict(&state, DT, [1.0, 0.0, 0.0]);
        velocities(&mut solver);
        let unilaterals = solver.unilaterals().to_vec();
        let h = 1e-6;
        for link in 0..2 {
            for axis in 0..6 {
                let saved = solver.links.links[link].clone();
                let mut moved = |sign: f64| {
                    let l = &mut solver.links.links[link];
                    *l = saved.clone();
                    let (v, u) = (l.velocity.to3(), l.half_angle_sine.to3());
                    if axis < 3 {
                        l.velocity = V4::from3(&(v + Vec3::ith(axis, sign * h / DT)));
                    } else {
                        // The half-angle sine that a small rotation of z2 makes.
                        let turn = Vec3::ith(axis - 3, sign * h);
                        let s = (1.0 - u.norm_squared()).sqrt();
                        l.half_angle_sine = V4::from3(&(u + (turn * s - u.cross(&turn)) * 0.5));
                    }
                    velocities(&mut solver)
                };
                let (more, less) = (moved(1.0), moved(-1.0));
                solver.links.links[link] = saved;
                for (k, unilateral) in unilaterals.iter().enumerate() {
                    for side in (0..2).filter(|&s| unilateral.links[s] == link) {
                        for row in 0..unilateral.rows {
                            let slope = (more[k][row] - less[k][row]) / (2.0 * h);
                            let gradient = unilateral.gradient[side][row][axis];
                            // Rounding of positions of order 1 over dt and h, and third derivatives times h².
                            let close = (slope - gradient).abs() < 1e-5 * (1.0 + gradient.abs()) / DT * 1e-1;
                            prop_assert!(close, "{:?} row {row} axis {axis}: {slope} {gradient}", unilateral.what);
                        }
                    }
                }
            }
        }
    }

    /// The refined solution satisfies the system that is not eliminated, also where contacts stick and are many.
    #[test]
    fn the_refined_solution_satisfies_the_laws(numbers in proptest::collection::vec(-0.5..0.5, 97)) {
        let (model, state, contacts) = scene(&numbers);
        let context = StepContext { model: &model, state: &state, contacts: &contacts, interval: &INTERVAL };
        let mut solver = MechanismSolver::new(&model, LinearSolver::Articulated);
        solver.begin(&model, &state, DT, None);
        let what: Vec<What> = (0..2).map(What::Contact).collect();
        solver.take_unilaterals(&context, &what, None);
        let moved = solver.predict(&state, DT, [1.0, 0.0, 0.0]);
        let _ = solver.imbalance(&context, &moved, None);
        for unilateral in solver.unilaterals_mut() {
            // Closed and sticking: the law gives velocities only, C vanishes.
            unilateral.impulse = [1e3, 0.0, 0.0];
        }
        let moved = solver.advance(DT);
        let _ = solver.imbalance(&context, &moved, None);
        solver.linearise(&context, |unilateral| law::nonsmooth(unilateral, ConeSection::Disc));
        let _ = solver.solve_unilaterals(1e-12);
        for unilateral in solver.unilaterals() {
            let change = solver.unilateral_change(unilateral);
            for row in 0..unilateral.rows {
                // Velocities of order 1 times the accuracy asked for, over the smallest pivot.
                let left = unilateral.velocity[row] + change[row];
                prop_assert!(left.abs() < 1e-7, "row {row}: {left}");
            }
        }
    }
}

/// Three of four constraints take their impulses, and one body its motion, from another mark, where their places are others.
#[test]
fn a_mark_takes_impulses_by_their_places_and_none_where_there_is_none() {
    let (model, state, contacts) = scene(&[0.1, -0.3, 0.2, 0.4, -0.2]);
    let context = StepContext {
        model: &model,
        state: &state,
        contacts: &contacts,
        interval: &INTERVAL,
    };
    let mut solver = MechanismSolver::new(&model, LinearSolver::Articulated);
    solver.begin(&model, &state, DT, None);
    let what: Vec<What> = (0..4).map(What::Contact).collect();
    solver.take_unilaterals(&context, &what, None);
    let mut note = |impulses: [f64; 4], velocity: f64| {
        let _ = solver.predict(&state, DT, [1.0, 0.0, 0.0]);
        for (unilateral, impulse) in solver.unilaterals_mut().iter_mut().zip(impulses) {
            unilateral.impulse = [impulse, 0.5, -0.25];
        }
        for link in &mut solver.links.links {
            link.velocity = V4::from3(&(Vec3::x() * velocity));
        }
        let mut mark = Mark::default();
        solver.mark(&mut mark);
        mark
    };
    let other = note([10.0, 20.0, 30.0, 40.0], 5.0);
    let mut mark = note([1.0, 2.0, 3.0, 4.0], 0.5);
    mark.take(
        &other,
        |link| link == 1,
        [(0, 3), (2, 1), (3, 4)].into_iter(),
    );
    let _ = solver.go_back(&mark, DT);
    // Whatever effective mass they are over: in N s, to the rounding of a quotient and a product.
    let unilaterals = solver.unilaterals();
    let normal = |k: usize| unilaterals[k].impulse[0] * unilaterals[k].mass;
    let wanted = [(40.0, 3), (2.0, 1), (20.0, 1), (0.0, 3)];
    for (k, (impulse, of)) in wanted.into_iter().enumerate() {
        let wanted = impulse * unilaterals[of].mass;
        assert!((normal(k) - wanted).abs() <= 1e-14 * wanted, "{k}");
    }
    let velocities: Vec<_> = solver.links.links.iter().map(|l| l.velocity.0[0]).collect();
    assert_eq!(velocities, [0.5, 5.0]);
}

/// Corners of the state that the types above leave open are used here.
#[test]
fn stops_are_counted_by_joint_then_by_cable() {
    let (model, state, _) = scene(&[0.1, 0.2, -0.1]);
    let limits: Vec<What> = super::limits(&model).collect();
    assert_eq!(limits.len(), 5);
    assert_eq!(limits[4], What::Cable { cable: 0, entry: 2 });
    assert_eq!(state.limits.len(), 3);
    let _: &BodyState = &state.bodies[0];
}
