//! Orders, references, iterations and what is remembered.

use crate::integrators::trials::{errors, goes_on, order, run, scene, simulation};
use crate::model::Input;

const CHARTS: [&str; 4] = ["rxyz", "ep", "rv", "se3"];

#[test]
fn it_has_order_2_in_every_parametrisation_and_for_every_spectral_radius() {
    let scene = scene("two");
    let known = run(&scene, "runge-kutta", &["tableau=rk8"], (0.5, 2000));
    for chart in CHARTS {
        for radius in ["0", "0.5", "0.9", "1"] {
            let options = [
                format!("parametrisation={chart}"),
                format!("spectral_radius={radius}"),
            ];
            let options = options.each_ref().map(String::as_str);
            let known = &known.state().bodies;
            let found = errors(&scene, "generalized-alpha", &options, (0.5, 200), known);
            let seen = order(&found);
            println!("{chart} {radius}: {seen:.3} {found:?}");
            assert!((seen - 2.0).abs() < 0.1, "{options:?}: {found:?} {seen}");
        }
    }
}

#[test]
fn joints_stay_closed_in_loops_however_short_the_step() {
    for name in ["slider_crank", "bricard", "four_bar"] {
        let scene = scene(name);
        for (chart, dt) in [("rv", 1e-2), ("ep", 1e-3), ("se3", 1e-4), ("rv", 1e-6)] {
            let options = [format!("parametrisation={chart}")];
            let options = options.each_ref().map(String::as_str);
            let mut sim = simulation(&scene, "generalized-alpha", &options, dt);
            let mut most = 0;
            for _ in 0..40 {
                let report = sim.step(&Input::default());
                let report = report.unwrap_or_else(|e| panic!("{name} {chart} {dt}: {e}"));
                assert!(
                    report.constraint <= 1e-11 && report.substeps == 0,
                    "{name} {chart} {dt}: {report:?}"
                );
                most = most.max(report.iterations);
            }
            println!("{name} {chart} {dt}: {most} iterations");
            assert!(most <= 12, "{name} {chart} {dt}: {most}");
        }
    }
}

/// Iterations of Newton's method in a run.
fn iterations(scene: &crate::scene::Scene, options: &[&str], dt: f64) -> u32 {
    let mut sim = simulation(scene, "generalized-alpha", options, dt);
    (0..50)
        .map(|_| sim.step(&Input::default()).map_or(0, |r| r.iterations))
        .sum()
}

#[test]
fn the_tangent_operator_saves_iterations_in_large_steps_and_the_modified_method_saves_matrices() {
    let scene = scene("heavy_top");
    let of = |options: &[&str], dt| iterations(&scene, options, dt);
    for dt in [1e-3, 1e-4, 1e-5] {
        println!("{dt}: {} {}", of(&[], dt), of(&["tangent=neglected"], dt));
    }
    assert!(of(&["tangent=neglected"], 1e-3) > of(&[], 1e-3));
    assert!(of(&["tangent=neglected"], 1e-6) <= of(&[], 1e-6));
    // An exact matrix: two or three iterations, where one that leaves the velocities of SE(3) out takes twelve.
    assert!(of(&["parametrisation=se3"], 1e-3) <= 3 * 50);
    let mut sim = simulation(&scene, "generalized-alpha", &["newton=modified"], 1e-3);
    let (mut matrices, mut iterations) = (0, 0);
    for _ in 0..50 {
        let report = sim.step(&Input::default()).expect("it runs");
        matrices += report.factorisations;
        iterations += report.iterations;
    }
    // A few are made anew where a step is slow.
    assert!(matrices < 60 && iterations > 120, "{matrices} {iterations}");
    assert!(iterations > of(&[], 1e-3));
}

#[test]
fn a_run_goes_on_from_a_moment_with_the_same_bits_in_every_parametrisation() {
    let scene = scene("two");
    for chart in CHARTS {
        let options = [format!("parametrisation={chart}")];
        let options = options.each_ref().map(String::as_str);
        let report = goes_on(&scene, "generalized-alpha", &options, 0.01);
        assert_eq!(report.substeps, 0, "{chart}");
    }
}

#[test]
fn the_picture_of_the_solver_has_every_node_and_no_fill_on_a_tree() {
    for (name, filled) in [("double_pendulum", false), ("bricard", true)] {
        let scene = scene(name);
        let mut sim = simulation(&scene, "generalized-alpha", &[], 1e-3);
        sim.step(&Input::default()).expect("it runs");
        let plan = sim.plan().expect("it tells");
        let model = &scene.model;
        assert_eq!(plan.unknowns(), 6 * model.bodies.len() + model.equations());
        assert_eq!(plan.places().len(), plan.nodes.len());
        assert_eq!(plan.fill() > 0, filled, "{name}: {}", plan.fill());
    }
}
