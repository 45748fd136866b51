//! The method whose joints are implicit springs and dampers: its law against formulas, its order, its stability, what it makes
//! of joints that contradict each other.

use crate::mechanics::bench::{order, run, settings, simulation, with_options};
use crate::mechanics::mechanisms::{self, G, Workshop};
use driftless::diagnostics::configuration_distance;
use driftless::math::{Mat3, Quat, Vec3};
use driftless::model::{Compliance, JointKind, Model, State};
use driftless::sim::Simulation;
use driftless::solver::compliant::CompliantSolver;

const METHOD: &str = "compliant";

pub fn compliant(mechanism: &(Model, State), dt: f64, options: &str) -> Simulation {
    let settings = with_options(settings(dt, 1e-10), METHOD, options);
    simulation(mechanism, METHOD, settings)
}

/// A body held at the origin in all directions, moving along x.
fn held(mass: f64, own: Compliance, gravity: Vec3, speed: f64) -> (Model, State) {
    let mut w = Workshop::new(gravity);
    let body = w.body(mass, Mat3::identity(), Vec3::zeros(), Quat::identity());
    w.moving(body, Vec3::x() * speed, Vec3::zeros());
    let joint = w.joint(JointKind::Fixed, None, body, Vec3::zeros(), Vec3::z());
    joint.compliance = [own, own];
    w.finish()
}

pub fn chain(links: usize) -> (Model, State) {
    let level = std::f64::consts::FRAC_PI_2;
    mechanisms::chain(&vec![level; links], &vec![0.0; links])
}

/// Implicit Euler on a mass, a spring and a damper [Drumwright eq. 13, 14] is what a held body does. Rounding of the
/// recursion: 1e-12 of its first size.
#[test]
fn a_held_body_is_a_mass_a_spring_and_a_damper_by_implicit_euler() {
    for (h, stiffness, damping) in [(0.01, 400.0, 3.0), (0.1, 1e6, 0.0), (1e-3, 1e6, 2e5)] {
        let mass = 2.0;
        let own = Compliance { stiffness, damping };
        let mut sim = compliant(&held(mass, own, Vec3::zeros(), 1.0), h, "");
        let (mut x, mut v) = (0.0, 1.0);
        for _ in 0..50 {
            v = (v - h * stiffness * x / mass) / (1.0 + (h * h * stiffness + h * damping) / mass);
            x += h * v;
            run(&mut sim, 1);
            let body = &sim.state().bodies[0];
            assert!(
                (body.velocity.linear.x - v).abs() < 1e-12,
                "{h} {stiffness}"
            );
            assert!((body.position.x - x).abs() < 1e-12 * h.max(1e-3));
        }
    }
}

/// The whole range that is asked for: steps from a microsecond to a second, any stiffness, any damping. The energy of body and
/// spring never grows, but by the rounding of its parts.
#[test]
fn no_step_stiffness_or_damping_makes_the_energy_grow() {
    for h in [1e-6, 1e-4, 0.01, 0.3, 1.0] {
        for stiffness in [0.0, 1.0, 1e4, 1e8, 1e12, 1e15] {
            for damping in [0.0, 1.0, 1e6, 1e12] {
                let own = Compliance { stiffness, damping };
                let mut sim = compliant(&held(1.0, own, Vec3::zeros(), 1.0), h, "");
                let energy = |sim: &Simulation| {
                    let body = &sim.state().bodies[0];
                    let [x, v] = [body.position.x, body.velocity.linear.x];
                    0.5 * (v * v + stiffness * x * x)
                };
                let mut before = energy(&sim);
                for _ in 0..20 {
                    run(&mut sim, 1);
                    let now = energy(&sim);
                    assert!(
                        now <= before * (1.0 + 1e-12) + 1e-14,
                        "{h} {stiffness} {damping}: {before} to {now}"
                    );
                    before = now;
                }
                if stiffness == 0.0 && damping == 0.0 {
                    assert!((before - 0.5).abs() < 1e-12, "nothing holds it");
                }
            }
        }
    }
}

/// Large turns in large steps: what the mechanism gains is what the first order of the method makes of the exchange with
/// gravity, 10 % of what is exchanged, and no step fails.
#[test]
fn mechanisms_keep_their_energy_at_any_step() {
    let mechanism = chain(2);
    for h in [1e-4, 1e-3, 0.01, 0.1, 0.3, 1.0] {
        let mut sim = compliant(&mechanism, h, "");
        let first = sim.energy().total();
        // The lower rod falls by three lengths of a half.
        let exchanged = 2.0 * G * 2.0;
        for _ in 0..((10.0 / h) as u64).min(2000) {
            run(&mut sim, 1);
            let now = sim.energy().total();
            assert!(now < first + 0.1 * exchanged, "{h}: {first} to {now}");
            assert!(sim.report().constraint < 0.01, "{h}");
        }
    }
}

/// [Drumwright fig. 4]: without following the curve of the joint, the pendulum's pivot opens by h²: order 2 of the largest
/// opening over a second. Following it, the pivot stays closed to what the stiffness gives under its load.
#[test]
fn a_stiff_pendulum_opens_by_the_square_of_the_step() {
    let (model, state) = chain(1);
    let mut parts = model.parts();
    let own = Compliance {
        stiffness: 1e15,
        damping: 1.0,
    };
    parts.joints[0].compliance = [own, own];
    let mechanism = (Model::new(parts).expect("it is valid"), state);
    let worst = |h: f64, options: &str| {
        let mut sim = compliant(&mechanism, h, options);
        let mut worst: f64 = 0.0;
        for _ in 0..(1.0 / h).round() as u64 {
            run(&mut sim, 1);
            worst = worst.max(sim.sample().drift_position);
        }
        worst
    };
    let published: Vec<f64> = [8e-3, 4e-3, 2e-3].map(|h| worst(h, "corrections=0")).into();
    let found = order(&published);
    assert!((found - 2.0).abs() < 0.05, "{published:?}: order {found}");
    for h in [8e-3, 2e-3] {
        let closed = worst(h, "");
        assert!(closed < 1e-9, "{h}: {closed:e}");
    }
}

/// Configurations after half a second against a method of order 4 with a thousandth of the step; halved steps halve the error.
#[test]
fn it_is_of_first_order_with_and_without_corrections() {
    let mechanism = chain(3);
    let mut reference = simulation(&mechanism, "variational-4", settings(5e-4, 1e-12));
    run(&mut reference, 1000);
    let bodies = &reference.state().bodies;
    for options in ["", "corrections=0"] {
        let errors: Vec<f64> = [500, 1000, 2000]
            .map(|steps| {
                let mut sim = compliant(&mechanism, 0.5 / steps as f64, options);
                run(&mut sim, steps);
                configuration_distance(&mechanism.0, &sim.state().bodies, bodies)
            })
            .into();
        let found = order(&errors);
        assert!(
            (found - 1.0).abs() < 0.1,
            "{options}: {errors:?}, order {found}"
        );
    }
}

/// A weight sags by its weight over the stiffness, and the joint carries it.
#[test]
fn a_weight_sags_by_its_weight_over_the_stiffness() {
    let own = Compliance {
        stiffness: 1e5,
        damping: 1e3,
    };
    let mut sim = compliant(&held(3.0, own, Vec3::z() * -G, 0.0), 0.05, "");
    run(&mut sim, 200);
    let sag = -sim.state().bodies[0].position.z;
    assert!((sag - 3.0 * G / 1e5).abs() < 1e-12, "{sag:e}");
    let force = sim.state().reactions[0].force.z;
    assert!((force - 3.0 * G).abs() < 1e-6, "{force}");
    // In short steps all of the energy is in the account: what spring and damper have is what the weight lost.
    let mut sim = compliant(&held(3.0, own, Vec3::z() * -G, 0.0), 1e-4, "");
    run(&mut sim, 5000);
    let lost = 3.0 * G * sag;
    assert!(sim.sample().energy_error.abs() < 0.02 * lost);
    assert!(sim.sample().dissipated > 0.4 * lost);
}

/// Two joints that hold one body at places a centimetre apart meet where their springs balance, and tell how much each
/// carries; as stiff as can be, they meet in the middle.
#[test]
fn joints_that_contradict_each_other_meet_by_their_stiffness() {
    for (stiffness, share) in [([3e5, 1e5], 0.25), ([f64::INFINITY; 2], 0.5)] {
        let mut w = Workshop::new(Vec3::zeros());
        let body = w.body(2.0, Mat3::identity(), Vec3::zeros(), Quat::identity());
        for own in stiffness {
            let joint = w.joint(JointKind::Fixed, None, body, Vec3::zeros(), Vec3::z());
            let own = Compliance {
                stiffness: own,
                damping: if own.is_finite() { 1e4 } else { 0.0 },
            };
            joint.compliance = [own, own];
        }
        w.parts.joints[1].parent_frame.anchor = Vec3::x() * 0.01;
        let mut sim = compliant(&w.finish(), 0.01, "");
        run(&mut sim, 1000);
        let x = sim.state().bodies[0].position.x;
        assert!((x - 0.01 * share).abs() < 1e-8, "{x}");
        let [a, b] = [0, 1].map(|k| sim.state().reactions[k].force.x);
        assert!(
            (a + b).abs() < 1e-6 * a.abs(),
            "they hold each other: {a} {b}"
        );
        if stiffness[0].is_finite() {
            assert!((a + 3e5 * x).abs() < 1e-3, "{a}");
        }
    }
}

/// Joints push and pull at one point, so that free mechanisms keep both momenta to rounding, compliant joints or not.
#[test]
fn free_mechanisms_keep_their_momentum() {
    for stiffness in [f64::INFINITY, 1e4] {
        let (model, mut state) = chain(4);
        let mut parts = model.parts();
        parts.gravity = Vec3::zeros();
        parts.joints.remove(0);
        for joint in &mut parts.joints {
            let own = Compliance {
                stiffness,
                damping: 0.0,
            };
            joint.compliance = [own, own];
        }
        let model = Model::new(parts).expect("it is valid");
        state.bodies[0].velocity.linear = Vec3::new(0.3, 0.5, -0.2);
        state.bodies[3].velocity.angular = Vec3::new(1.0, 2.0, 3.0);
        let state = State {
            bodies: state.bodies,
            ..State::at_rest(&model)
        };
        let mut sim = compliant(&(model, state), 0.005, "");
        let before = sim.sample().momentum;
        run(&mut sim, 1000);
        let after = sim.sample().momentum;
        let moved = [
            (after.linear - before.linear).norm(),
            (after.angular - before.angular).norm(),
        ];
        assert!(
            moved[0] < 1e-11 && moved[1] < 1e-11,
            "{stiffness}: {moved:?}"
        );
    }
}

/// On a chain the multiplications of a step grow with the links by the same number each.
#[test]
fn a_chain_costs_the_same_for_each_of_its_links() {
    let cost = |links| CompliantSolver::new(&chain(links).0).operations();
    let [a, b, c] = [50, 100, 150].map(cost);
    assert_eq!(c - b, b - a);
}

/// In mid-motion it takes a state over from a rigid method, and gives it back.
#[test]
fn a_motion_goes_on_between_rigid_and_compliant() {
    let mut sim = simulation(&chain(3), "variational-2", settings(0.002, 1e-10));
    run(&mut sim, 100);
    for method in [
        METHOD,
        "variational-2",
        METHOD,
        "rk4",
        METHOD,
        "variational-2",
    ] {
        let before = sim.sample().energy_error;
        sim.set_integrator(method).expect("it takes over");
        let after = sim.sample().energy_error;
        assert!((after - before).abs() < 1e-9, "{method}: {before} {after}");
        run(&mut sim, 100);
    }
    // First order in the step on an exchange of some 40 J.
    assert!(sim.sample().energy_error.abs() < 0.5);
}
