//! Mechanisms that nobody thought of: random trees of random joints, from a millimetre to a hundred metres, with masses a
//! million times apart, driven, damped and sprung, their method changed in the middle of the motion.
//!
//! The oracle is the maximal formulation, which shares neither unknowns nor linear solver with the joint coordinates.

use crate::mechanics::bench::{settings, simulation, with_options};
use crate::mechanics::mechanisms::{G, Workshop};
use crate::mechanics::random::{Numbers, set_going};
use crate::mechanics::trees::Mechanism;
use driftless::integrators::{Fallback, Settings};
use driftless::kinematics;
use driftless::math::{Mat3, Quat, Vec3};
use driftless::model::{
    Actuator, Attachment, BodyId, Force, JointKind, JointLimit, JointSpring, PdTarget, Signal,
    State,
};
use driftless::sim::{Input, Simulation};
use proptest::prelude::*;

/// A mechanism with its length [m] and a step that suits it [s].
struct Case {
    mechanism: Mechanism,
    length: f64,
    dt: f64,
}

/// A power of ten between two, at random.
fn magnitude(numbers: &mut Numbers, [from, to]: [f64; 2]) -> f64 {
    10f64.powf(from + 0.5 * (numbers.next() + 1.0) * (to - from))
}

/// Springs, dampers and drives of the size of the forces on a joint: `weight` [N] over `length` [m].
fn equip(w: &mut Workshop, numbers: &mut Numbers, (weight, length, dt): (f64, f64, f64)) {
    let period = 100.0 * dt;
    for joint in &mut w.parts.joints {
        let free = joint.kind.freedoms();
        if free == 0 {
            continue;
        }
        joint.damping_rotation = 0.05 * weight * length * period;
        joint.damping_translation = 0.05 * weight / length * period;
        let coordinate = numbers.index(free);
        let slides = coordinate < joint.kind.free_translations();
        let unit = if slides {
            weight / length
        } else {
            weight * length
        };
        let turn = if slides { length } else { 1.0 };
        if numbers.next() > 0.0 {
            joint.springs.push(JointSpring {
                coordinate,
                stiffness: unit,
                rest: 0.2 * turn,
            });
        } else {
            joint.actuators.push(Actuator {
                coordinate,
                command: Signal::Constant(0.1 * unit * turn),
                pd: Some(PdTarget {
                    stiffness: unit,
                    damping: 0.1 * unit * period,
                    target: Signal::Constant(0.1 * turn),
                    rate: Signal::Constant(0.0),
                }),
                limit: f64::INFINITY,
            });
        }
    }
    let bodies = w.parts.bodies.len();
    w.parts.forces.push(Force::Spring {
        name: "tie".into(),
        ends: [0, bodies - 1].map(|b| Attachment {
            body: Some(BodyId(b)),
            point: numbers.vector() * (0.3 * length),
        }),
        stiffness: weight / length,
        rest: 0.5 * length,
        damping: 0.1 * weight / length * period,
    });
}

/// Up to eight bodies on joints of any kind, as trees or, if `limited`, with limits near to where they start.
fn case(seed: u64, limited: bool) -> Case {
    let mut numbers = Numbers(seed);
    let length = magnitude(&mut numbers, [-3.0, 2.0]);
    let dt = 5e-3 * (length / G).sqrt();
    let mut w = Workshop::new(Vec3::new(0.0, 0.0, -G));
    let count = 2 + numbers.index(7);
    let mut lightest = f64::INFINITY;
    for k in 0..count {
        let mass = magnitude(&mut numbers, [-3.0, 3.0]);
        lightest = lightest.min(mass);
        let radius = 0.3 * length;
        let moments = Vec3::from_fn(|_, _| (0.8 + 0.2 * numbers.next()) * mass * radius * radius);
        let at = numbers.vector() * length;
        let turn = Quat::from_scaled_axis(numbers.vector() * 2.0);
        let body = w.body(mass, Mat3::from_diagonal(&moments), at, turn);
        let parent = (k > 0 && numbers.next() > -0.6).then(|| BodyId(numbers.index(k)));
        let kind = JointKind::ALL[numbers.index(JointKind::ALL.len())];
        let axes = Quat::from_scaled_axis(numbers.vector() * 2.0);
        let joint = w.joint_with(kind, parent, body, at + numbers.vector() * radius, axes);
        if limited && kind.freedoms() > 0 {
            let unit = if kind.free_translations() > 0 {
                length
            } else {
                1.0
            };
            joint.limits.push(JointLimit {
                coordinate: 0,
                lower: -2e-3 * unit,
                upper: 3e-3 * unit,
                restitution: 0.4,
                compliance: Default::default(),
            });
        }
    }
    if numbers.next() > 0.0 {
        equip(&mut w, &mut numbers, (lightest * G, length, dt));
    }
    set_going(&mut w, seed);
    let (model, mut state) = w.finish();
    for body in &mut state.bodies {
        body.velocity.linear *= (length * G).sqrt();
        body.velocity.angular *= (G / length).sqrt();
    }
    kinematics::assemble(&model, &mut state).expect("it is closed as built");
    Case {
        mechanism: (model, state),
        length,
        dt,
    }
}

/// Largest distance of bodies relative to the mechanism [1, rad].
fn apart(case: &Case, a: &State, b: &State) -> f64 {
    let each = a.bodies.iter().zip(&b.bodies).map(|(a, b)| {
        let moved = (a.position - b.position).norm() / case.length;
        moved.max(a.orientation.angle_to(&b.orientation))
    });
    each.fold(0.0, f64::max)
}

fn same(case: &Case, method: &str) -> Settings {
    with_options(settings(case.dt, 1e-12), method, "mean_velocity=quaternion")
}

/// Steps both; a step that one refuses the other must refuse as well. False where they are not to be compared any more.
fn both(a: &mut Simulation, b: &mut Simulation) -> Result<bool, TestCaseError> {
    let input = Input::default();
    let done = [a, b].map(|sim| {
        let step = sim.step(&input);
        step.map(|r| r.fallback).map_err(|e| e.to_string())
    });
    match &done {
        // What is cut into shorter steps is another discrete motion.
        [Ok(a), Ok(b)] if *a.max(b) >= Fallback::Substeps => Ok(false),
        [Ok(_), Ok(_)] => Ok(true),
        [Err(_), Err(_)] => Ok(false),
        [a, b] => Err(TestCaseError::fail(format!(
            "only one goes on: {a:?} {b:?}"
        ))),
    }
}

/// 1e-12 of the forces, which a mass a million times lighter moves by as much more, in each of forty steps, in which
/// neighbouring motions part by a few times as much again: seed 774501 by twice.
const ROUNDING: f64 = 4.0 * 40.0 * 1e-6;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn random_trees_move_as_in_maximal_coordinates(seed in 0u64..1_000_000, newton: bool) {
        let method = if newton { "minimal-newton" } else { "minimal-riqn" };
        let case = case(seed, false);
        let mut wanted = simulation(&case.mechanism, "variational-2", settings(case.dt, 1e-12));
        let mut found = simulation(&case.mechanism, method, same(&case, method));
        for step in 0..40 {
            if !both(&mut wanted, &mut found)? {
                break;
            }
            let apart = apart(&case, wanted.state(), found.state());
            prop_assert!(apart < ROUNDING, "{method}, step {step}, {} m: {apart:e}", case.length);
        }
    }

    /// Changes of method in the middle of a motion leave no trace.
    #[test]
    fn a_motion_does_not_see_that_its_method_changes(seed in 0u64..1_000_000) {
        let case = case(seed, false);
        let mut alone = simulation(&case.mechanism, "variational-2", settings(case.dt, 1e-12));
        let mut changing = simulation(&case.mechanism, "variational-2", settings(case.dt, 1e-12));
        for step in 0..40 {
            match step % 10 {
                0 => changing.set_integrator("variational-2").expect("it takes all"),
                5 => {
                    changing.set_integrator("minimal-newton").expect("it is a tree");
                    changing.set_settings(same(&case, "minimal-newton")).expect("it has the option");
                }
                _ => {}
            }
            if !both(&mut alone, &mut changing)? {
                break;
            }
            let apart = apart(&case, alone.state(), changing.state());
            prop_assert!(apart < ROUNDING, "step {step}, {} m: {apart:e}", case.length);
        }
    }
}

/// A light link that a heavy one on it undoes the motion of: its increment rounds by more than 1e-12 of what the heavy one
/// handles, which is an end of the iterations and no failure.
#[test]
fn a_heavy_body_at_rest_on_light_ones_that_move_is_solved_to_the_rounding_of_their_increments() {
    for seed in [311, 969_568] {
        let case = case(seed, false);
        for method in ["minimal-newton", "minimal-riqn"] {
            let mut sim = simulation(&case.mechanism, method, same(&case, method));
            for step in 0..40 {
                let report = sim.step(&Input::default());
                let report = report.unwrap_or_else(|e| panic!("{seed}, {method}, {step}: {e}"));
                assert!(
                    report.fallback < Fallback::Substeps,
                    "{seed}, {method}, {step}"
                );
                // 64 units in the last place of an increment, times masses in proportion of a million, with some to spare.
                assert!(
                    report.residual < 1e-7,
                    "{seed}, {method}, {step}: {report:?}"
                );
            }
        }
    }
}

/// Joints run into their stops and bounce; steps that either cuts are another discrete motion, and are few. Bodies among them
/// that nothing but a stop turns bounce by the energy of their momenta, as at seeds 208 and 316.
#[test]
fn random_trees_with_limits_move_as_in_maximal_coordinates() {
    const CASES: u64 = 350;
    const STEPS: u64 = 30;
    let (mut compared, mut bounced) = (0, 0);
    for seed in 0..CASES {
        let case = case(seed, true);
        let mut wanted = simulation(&case.mechanism, "variational-2", settings(case.dt, 1e-12));
        let mut found = simulation(&case.mechanism, "minimal-riqn", same(&case, "minimal-riqn"));
        for step in 0..STEPS {
            let goes_on = both(&mut wanted, &mut found);
            if !goes_on.unwrap_or_else(|e| panic!("seed {seed}, step {step}: {e}")) {
                break;
            }
            let apart = apart(&case, wanted.state(), found.state());
            assert!(apart < 1e-5, "seed {seed}, step {step}: {apart:e}");
            compared += 1;
            bounced += u64::from(found.state().limits.iter().any(|l| l.rebound > 0.0));
        }
    }
    println!("{compared} steps compared, {bounced} with a rebound");
    assert!(compared * 10 > CASES * STEPS * 8, "{compared}");
    assert!(bounced > CASES, "{bounced}");
}
