//! Every tableau in every chart converges at its order, and step control keeps the error that was asked for.

use super::tableau::{self, Tableau};
use crate::diagnostics::configuration_distance;
use crate::integrators::trials::{chosen, errors, order, run, scene, simulation};
use crate::integrators::{StepError, StepReport, build};
use crate::model::{BodyState, Input};
use crate::scene::Scene;

const CHARTS: [&str; 4] = ["rxyz", "ep", "rv", "se3"];

/// Bodies at a time, by two methods that have no coefficient in common and part by rounding only.
fn reference(scene: &Scene, (end, steps): (f64, u32), rounding: f64) -> Vec<BodyState> {
    let by = |options: &[&str]| {
        run(scene, "runge-kutta", options, (end, steps))
            .state()
            .bodies
            .clone()
    };
    let found = by(&["tableau=rk8"]);
    let other = by(&["tableau=rk67", "parametrisation=ep"]);
    let gap = configuration_distance(&scene.model, &found, &other);
    assert!(gap < rounding, "{gap}");
    found
}

#[test]
fn every_tableau_has_its_order_in_every_parametrisation() {
    let two = scene("two");
    let known = reference(&two, (0.5, 2000), 1e-12);
    for t in tableau::ALL.iter().filter(|t| t.order != 5) {
        // Asymptotic, and far above rounding.
        let first = match t.order {
            1 => 4000,
            2 => 200,
            3 => 80,
            4 => 40,
            6 => 20,
            _ => 10,
        };
        // The last error of order 8 is some ten times rounding.
        let above = if t.order == 8 { 0.2 } else { 0.1 };
        let charts = CHARTS.iter().filter(|c| t.order < 8 || **c != "se3");
        for chart in charts {
            check(t, chart, (&two, &known), (0.5, first), above);
        }
    }
    // The error of dopri5 is one of order 6 nearly down to rounding where nothing is fast, and with Euler parameters
    // everywhere; Cardan angles of the top are singular.
    let [top, rotor] = ["heavy_top", "rotor"].map(scene);
    let known = [
        reference(&top, (0.1, 2000), 1e-12),
        reference(&rotor, (0.2, 20_000), 2e-11),
    ];
    let [top, rotor] = [(&top, &known[0][..]), (&rotor, &known[1][..])];
    let rk8 = tableau::named("rk8");
    // Its errors on SE(3) reach rounding before their order shows where nothing is fast.
    check(rk8, "se3", top, (0.1, 20), 0.2);
    for (chart, case, end, first, above) in [
        ("rv", top, 0.1, 200, 0.1),
        ("se3", top, 0.1, 200, 0.1),
        ("ep", top, 0.1, 50, 0.7),
        ("rxyz", rotor, 0.2, 200, 0.1),
    ] {
        check(&tableau::DOPRI5, chart, case, (end, first), above);
    }
}

/// The order of a tableau in a chart, within a tenth below and so much above.
fn check(
    t: &Tableau,
    chart: &str,
    (scene, known): (&Scene, &[BodyState]),
    ladder: (f64, u32),
    above: f64,
) {
    let options = [
        format!("tableau={}", t.name),
        format!("parametrisation={chart}"),
    ];
    let options = options.each_ref().map(String::as_str);
    let found = errors(scene, "runge-kutta", &options, ladder, known);
    let seen = order(&found);
    println!("{} {chart}: {seen:.3} {found:?}", t.name);
    let over = seen - f64::from(t.order);
    assert!(
        over > -0.1 && over < above,
        "{} {chart}: {found:?} {seen}",
        t.name
    );
}

/// Largest and least error at the end of a second over that asked for, over six decades.
fn kept(scene: &Scene, tableau: &str, known: &[BodyState]) -> [f64; 2] {
    let ratios: Vec<f64> = (3..=9)
        .map(|k| {
            let asked = 0.1_f64.powi(k);
            let options = [
                format!("tableau={tableau}"),
                "control=auto".into(),
                format!("error={asked}"),
            ];
            let options = options.each_ref().map(String::as_str);
            let sim = run(scene, "runge-kutta", &options, (1.0, 2));
            configuration_distance(&scene.model, &sim.state().bodies, known) / asked
        })
        .collect();
    println!("{tableau}: {ratios:.2?}");
    [f64::max, f64::min].map(|f| ratios.iter().copied().reduce(f).unwrap_or(f64::NAN))
}

#[test]
fn step_control_keeps_the_error_asked_for_over_six_decades() {
    let scene = scene("two");
    let known = reference(&scene, (1.0, 4000), 1e-12);
    for t in tableau::ALL.iter().filter(|t| t.order > 2) {
        // What the project asks for: within a factor of ten at the end of a second.
        let [most, least] = kept(&scene, t.name, &known);
        assert!(most < 10.0 && least > 0.1, "{}: {least} {most}", t.name);
    }
}

#[test]
fn a_controlled_run_goes_on_from_a_moment_with_the_same_bits() {
    let scene = scene("two");
    for tableau in ["tableau=dopri5", "tableau=rk44"] {
        let options = [tableau, "control=auto", "error=1e-8"];
        let mut whole = simulation(&scene, "runge-kutta", &options, 0.1);
        let (info, settings) = chosen("runge-kutta", &options, 0.1);
        for _ in 0..10 {
            whole.step(&Input::default()).expect("it runs");
        }
        let mut state = whole.state().clone();
        let mut fresh = build(info.name, &scene.model, &settings).expect("registered");
        let mut report = StepReport::default();
        for _ in 0..10 {
            whole.step(&Input::default()).expect("it runs");
            fresh
                .step(
                    &scene.model,
                    &mut state,
                    &Input::default(),
                    &settings,
                    &mut report,
                )
                .expect("it runs");
        }
        assert_eq!(state, *whole.state());
        assert!(report.substeps > 1, "{tableau}: no step was cut");
    }
}

#[test]
fn an_error_below_rounding_is_refused_with_what_was_reached() {
    let scene = scene("two");
    let options = ["tableau=heun", "control=auto", "error=1e-14"];
    let mut sim = simulation(&scene, "runge-kutta", &options, 0.5);
    match sim.step(&Input::default()).map(drop) {
        Err(StepError::Uncontrolled {
            estimate, error, ..
        }) => assert!(estimate > error),
        other => panic!("{other:?} in {} steps", sim.report().substeps),
    }
}

#[test]
fn cardan_angles_at_a_quarter_turn_are_an_error_with_body_and_angle() {
    // The top's own axis is that of the middle angle: every turn takes it to a quarter turn, past it by what the axis leans.
    let scene = scene("heavy_top");
    let mut sim = simulation(&scene, "runge-kutta", &["parametrisation=rxyz"], 2e-3);
    let failed = (0..20).find_map(|_| sim.step(&Input::default()).map(drop).err());
    let said = failed.expect("it passes the singularity").to_string();
    for part in ["`top`", "90 degrees", "parametrisation=rv"] {
        assert!(said.contains(part), "{said}");
    }
}
