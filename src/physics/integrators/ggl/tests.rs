//! Order, constraints, conservation, memory.

use crate::integrators::StepError;
use crate::integrators::trials::{errors, goes_on, order, reference, run, scene, simulation};
use crate::math::Vec3;
use crate::model::{Input, Model, State};
use crate::solver::assembly::{EquationsOfMotion, Moment};

const NAME: &str = "variational-ggl";

#[test]
fn it_has_order_2_on_trees_in_space_and_in_loops() {
    // Asymptotic, far above rounding, and the reference at steps that leave some 1e-11.
    for (name, end, first) in [("two", 0.5, 200), ("tree", 0.5, 200), ("bricard", 0.5, 200)] {
        let scene = scene(name);
        let known = match name {
            "bricard" => run(&scene, "variational-8", &[], (end, 2000))
                .state()
                .bodies
                .clone(),
            _ => reference(&scene, (end, 2000), 1e-9),
        };
        let found = errors(&scene, NAME, &[], (end, first), &known);
        let seen = order(&found);
        println!("{name}: {seen:.3} {found:?}");
        assert!((seen - 2.0).abs() < 0.1, "{name}: {found:?} {seen}");
    }
}

/// Largest rate of a constraint row at the velocities of a state (m/s, rad/s).
fn slip(model: &Model, state: &State) -> f64 {
    let twists: Vec<_> = state.bodies.iter().map(|b| b.velocity).collect();
    let mut equations = EquationsOfMotion::new(model);
    equations.evaluate(
        model,
        &Moment {
            bodies: &state.bodies,
            twists: &twists,
            angles: &state.angles,
            time: state.time,
            input: &Input::default(),
        },
    );
    equations
        .rates()
        .iter()
        .fold(0.0, |most: f64, x| most.max(x.abs()))
}

#[test]
fn both_constraints_are_met_at_every_knot_however_short_the_step() {
    for name in ["slider_crank", "bricard", "four_bar", "double_four_bar"] {
        let scene = scene(name);
        for dt in [1e-2, 1e-3, 1e-4, 1e-6] {
            let mut sim = simulation(&scene, NAME, &[], dt);
            for _ in 0..40 {
                let report = sim.step(&Input::default());
                let report = report.unwrap_or_else(|e| panic!("{name} {dt}: {e}"));
                assert!(
                    report.constraint <= 1e-11 && report.substeps == 0,
                    "{name} {dt}: {report:?}"
                );
                assert!(report.iterations <= 12, "{name} {dt}: {report:?}");
                // Refined to rounding of velocities of some metres per second.
                let rate = slip(&scene.model, sim.state());
                assert!(rate < 1e-11, "{name} {dt}: {rate}");
            }
        }
    }
}

/// The error of the energy of a symplectic method is bounded: that of ten minutes is that of the first.
#[test]
fn the_energy_error_is_bounded() {
    for name in ["double_pendulum", "bricard"] {
        let mut sim = simulation(&scene(name), NAME, &[], 0.01);
        let mut worst = |steps: u32| {
            let mut most: f64 = 0.0;
            for _ in 0..steps {
                let step = sim.step(&Input::default()).map(drop);
                step.unwrap_or_else(|e| panic!("{name}: {e}"));
                most = most.max(sim.sample().energy_error.abs());
            }
            most
        };
        let first = worst(6000);
        worst(18_000);
        let last = worst(6000);
        println!("{name}: {first:.3e} {last:.3e}");
        assert!(last < 1.3 * first, "{name}: {first} {last}");
    }
}

/// A mechanism that nothing holds keeps its momenta to rounding: joints exchange them.
#[test]
fn a_floating_mechanism_keeps_its_momenta() {
    let mut scene = scene("tree");
    let mut parts = scene.model.parts();
    parts.gravity = Vec3::zeros();
    parts.joints.remove(0);
    scene.model = Model::new(parts).expect("a tree without a root");
    scene.state.angles.remove(0);
    scene.state.reactions.remove(0);
    let mut sim = simulation(&scene, NAME, &[], 0.01);
    let start = sim.sample().momentum;
    for _ in 0..2000 {
        let _ = sim.step(&Input::default()).expect("it runs");
    }
    let end = sim.sample().momentum;
    let [linear, angular] = [
        (end.linear - start.linear).norm(),
        (end.angular - start.angular).norm(),
    ];
    println!("{linear:.1e} {angular:.1e} of {:.1e}", start.angular.norm());
    // What Newton's method leaves of the motion, 1e-12 of it, in each of 2000 steps of either sign.
    assert!(linear < 1e-11 && angular < 1e-10, "{linear:e} {angular:e}");
}

#[test]
fn a_run_goes_on_from_a_moment_with_the_same_bits() {
    for name in ["two", "bricard"] {
        let report = goes_on(&scene(name), NAME, &[], 0.01);
        assert_eq!(report.substeps, 0, "{name}");
    }
}

/// A spin that folds the discrete rotation in one step is made in shorter ones; one that is too fast for those is told.
#[test]
fn fast_spins_are_cut_and_faster_ones_told() {
    let spun = |rate: f64| {
        let mut scene = scene("t_handle");
        scene.state.bodies[0].velocity.angular *= rate;
        let mut sim = simulation(&scene, NAME, &[], 0.05);
        sim.step(&Input::default()).map(|r| r.substeps)
    };
    let own = scene("t_handle").state.bodies[0].velocity.angular.norm();
    assert_eq!(spun(5.0 / own), Ok(0));
    let cut = spun(100.0 / own).expect("it is cut");
    assert!(cut >= 10, "{cut}");
    let told = spun(5000.0 / own);
    assert!(matches!(told, Err(StepError::TooFast { .. })), "{told:?}");
}
