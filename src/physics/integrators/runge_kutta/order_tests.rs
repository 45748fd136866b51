//! Every tableau in every chart converges at its order.

use super::tableau::{self, Tableau};
use crate::integrators::trials::{chosen, errors, order, reference, scene, simulation};
use crate::model::{BodyState, Input};
use crate::scene::Scene;

const CHARTS: [&str; 4] = ["rxyz", "ep", "rv", "se3"];

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

#[test]
fn the_nominal_order_is_that_of_the_tableau_where_the_step_is_fixed() {
    let of = |name, options: &[&str]| {
        let (info, settings) = chosen(name, options, 0.01);
        (info.order_with)(info, &settings.options)
    };
    for t in &tableau::ALL {
        let option = format!("tableau={}", t.name);
        assert_eq!(of("runge-kutta", &[&option]), Some(t.order), "{option}");
        assert_eq!(of("runge-kutta", &[&option, "control=auto"]), None);
    }
    assert_eq!([of("dopri5", &[]), of("heun", &[])], [Some(5), Some(2)]);
}
