//! Loops, couplings, limits and cables in joint coordinates: the motion of maximal coordinates, orders, refusals.

use crate::mechanics::bench::{order, run, settings, simulation, with_options};
use crate::mechanics::benchmarks::{bricard, parallelogram, slider_crank, three_link_loop};
use crate::mechanics::minimal::goes_on_through_changes;
use crate::mechanics::random::{close, couple, displace, equip, limit, set_going, tree};
use crate::mechanics::trees::{Mechanism, distance};
use driftless::integrators;
use driftless::kinematics;
use driftless::model::JointId;
use driftless::scene;

/// The mean velocity of maximal coordinates.
const SAME: &str = "mean_velocity=quaternion";

/// Methods that keep impulses of rows.
const METHODS: [&str; 3] = ["minimal-riqn", "minimal-newton", "minimal-svi-newton"];

fn shipped(name: &str) -> (Mechanism, f64) {
    let scene = scene::open(name, &[]).expect("the scene opens");
    ((scene.model, scene.state), scene.settings.dt)
}

/// A random mechanism with two loops, couplings, all forces, and limits and a cable if it is `limited`.
fn random(seed: u64, limited: bool) -> Mechanism {
    let mut w = tree(seed);
    close(&mut w);
    couple(&mut w);
    equip(&mut w);
    if limited {
        limit(&mut w);
    }
    displace(&mut w, seed);
    set_going(&mut w, seed);
    let (model, mut state) = w.finish();
    kinematics::assemble(&model, &mut state).expect("it is closed as built");
    (model, state)
}

/// Steps by `variational-2` and by every method of joint coordinates stay this near together [m, rad].
fn agree(name: &str, mechanism: &Mechanism, (dt, steps): (f64, u64), near: f64) {
    for method in METHODS {
        let mut wanted = simulation(mechanism, "variational-2", settings(dt, 1e-12));
        let set = with_options(settings(dt, 1e-12), method, SAME);
        let mut found = simulation(mechanism, method, set);
        for step in 0..steps {
            run(&mut wanted, 1);
            run(&mut found, 1);
            let apart = distance(wanted.state(), found.state());
            assert!(apart < near, "{name}, {method}, step {step}: {apart:e}");
        }
        let [wanted, found] = [&mut wanted, &mut found].map(|sim| sim.sample());
        let drift = [found.drift_position, found.drift_angle];
        println!("{name}, {method}: {drift:?}");
        // Joints are never left more open than 1e-9 of their length, here of 10 m at most.
        assert!(drift[0] < 1e-8 && drift[1] < 1e-9, "{name}: {drift:?}");
        let (a, b) = (wanted.energy_error, found.energy_error);
        assert!((a - b).abs() < 1e3 * near, "{name}, {method}: {a} {b}");
    }
}

/// The multipliers of redundant rows differ, the motions do not. Tolerances are those of trees, and a thousand times as wide
/// where whips multiply what rounding leaves: 4e-11, 6e-10 and 2e-9 m were found.
#[test]
fn loops_move_as_in_maximal_coordinates_and_do_not_open() {
    for (name, steps, near) in [
        ("four_bar", 100, 1e-9),
        ("double_four_bar", 200, 1e-9),
        ("stewart_platform", 100, 1e-9),
        ("scissor_lift", 100, 1e-9),
        ("bricard", 200, 1e-9),
        ("slider_crank", 500, 1e-9),
        ("flyball_governor", 300, 1e-9),
        ("minitaur_leg", 200, 1e-9),
        ("andrews", 300, 1e-9),
        ("four_bar_chain", 60, 1e-7),
        ("net", 40, 1e-8),
    ] {
        let (mechanism, dt) = shipped(name);
        agree(name, &mechanism, (dt, steps), near);
    }
}

/// Loops, couplings, springs, dampers, drives of every kind of joint at once.
#[test]
fn random_loops_with_all_forces_move_as_in_maximal_coordinates() {
    for seed in 0..6 {
        // Drives on free rotations are linear to first order, which leaves iterations more and nothing of the motion.
        agree("loops", &random(seed, false), (2e-3, 60), 1e-8);
    }
}

/// Limits with restitution and a cable that becomes taut, hit at different times.
#[test]
fn random_limits_and_cables_move_as_in_maximal_coordinates() {
    for seed in 0..6 {
        agree("limits", &random(seed, true), (2e-3, 60), 1e-7);
    }
}

#[test]
fn reactions_of_loops_that_are_not_redundant_are_those_of_maximal_coordinates() {
    let mechanism = random(1, false);
    let mut wanted = simulation(&mechanism, "variational-2", settings(2e-3, 1e-12));
    let set = with_options(settings(2e-3, 1e-12), "minimal-riqn", SAME);
    let mut found = simulation(&mechanism, "minimal-riqn", set);
    run(&mut wanted, 30);
    run(&mut found, 30);
    for joint in 0..mechanism.0.joints.len() {
        let [a, b] = [&mut wanted, &mut found].map(|sim| sim.reaction(JointId(joint)));
        let apart = (a.force - b.force).norm().max((a.torque - b.torque).norm());
        // Positions differ by 1e-12 m in the square of a step of 2 ms.
        assert!(apart < 1e-5, "joint {joint}: {a:?} {b:?}");
    }
    let apart = wanted
        .state()
        .coupling_forces
        .iter()
        .zip(&found.state().coupling_forces);
    for (a, b) in apart {
        assert!((a - b).abs() < 1e-5 && *a != 0.0, "{a} {b}");
    }
}

/// Against a solution of order 8 in maximal coordinates.
#[test]
fn loops_converge_at_the_orders_of_the_methods() {
    for (name, mechanism) in [
        ("parallelogram", parallelogram(2)),
        ("slider crank", slider_crank()),
        ("three links", three_link_loop()),
        ("bricard", bricard()),
    ] {
        let end = |method: &str, steps: u64| {
            let mut sim = simulation(&mechanism, method, settings(0.4 / steps as f64, 1e-12));
            run(&mut sim, steps);
            sim.state().clone()
        };
        let reference = end("variational-8", 200);
        for (method, wanted, first) in [
            ("minimal-riqn", 2.0, 100),
            ("minimal-newton", 2.0, 100),
            ("minimal-4", 4.0, 60),
        ] {
            let errors = [first, 2 * first].map(|n| distance(&end(method, n), &reference));
            let found = order(&errors);
            println!("{name}, {method}: {errors:?} order {found:.3}");
            assert!((found - wanted).abs() < 0.2, "{name}, {method}: {errors:?}");
        }
    }
}

#[test]
fn a_motion_with_loops_and_limits_goes_on_when_it_changes_between_the_formulations() {
    goes_on_through_changes("loops", &random(2, false), 2e-3, 1e-8);
    // A change at a limit lets its impulse of the knot act, as every change of method does.
    goes_on_through_changes("loops and limits", &random(2, true), 2e-3, 1e-4);
}

#[test]
fn a_loop_passes_its_singular_positions() {
    let (mechanism, _) = shipped("four_bar");
    let mut sim = simulation(&mechanism, "minimal-riqn", settings(0.01, 1e-10));
    run(&mut sim, 1000);
    assert_eq!(sim.outcomes().failed, 0);
    assert!(sim.sample().drift_position < 1e-9);
}

#[test]
fn learnt_matrices_refuse_rows_with_what_asks_for_them() {
    let (loops, limits) = (parallelogram(1).0, {
        let mut w = tree(1);
        limit(&mut w);
        w.finish().0
    });
    for method in ["minimal-broyden", "minimal-secant"] {
        let info = integrators::find(method).expect("the method is listed");
        let said = integrators::refusal(info, &loops).expect("it has a loop");
        assert!(
            said.contains("closes a loop") && said.contains("minimal-riqn"),
            "{said}"
        );
        let said = integrators::refusal(info, &limits).expect("it has limits");
        assert!(
            said.contains("has limits") && said.contains("minimal-riqn"),
            "{said}"
        );
    }
}
