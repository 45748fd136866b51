//! Convergence studies: slopes are the orders of the methods, the reference is as good as it says, nothing is lost.

use crate::mechanics::bench::{self, settings};
use crate::mechanics::mechanisms;
use crate::mechanics::reference;
use driftless::scene;
use driftless::sim::convergence::{Convergence, ConvergenceError, Ladder, Motion, slope, study};
use std::ops::ControlFlow;
use std::sync::Arc;

fn pendulum() -> Motion {
    let (model, state) = mechanisms::chain(&[1.2, 0.5], &[0.3, -0.4]);
    Motion {
        model: Arc::new(model),
        state,
        settings: settings(0.01, 1e-12),
    }
}

fn motion(spec: &str, tolerance: f64) -> Motion {
    let scene = scene::open(spec, &[]).expect("it opens");
    Motion {
        model: Arc::new(scene.model),
        state: scene.state,
        settings: settings(scene.settings.dt, tolerance),
    }
}

fn ladder(integrators: &[&str], dts: &[f64], duration: f64) -> Ladder {
    Ladder {
        integrators: integrators.iter().map(|i| (*i).to_owned()).collect(),
        dts: dts.to_vec(),
        duration,
    }
}

fn found(motion: &Motion, ladder: &Ladder) -> Convergence {
    study(motion, ladder, &mut |_| ControlFlow::Continue(())).expect("the study can be made")
}

#[test]
fn slopes_are_the_orders_of_the_methods() {
    let halved: Vec<f64> = (0..5).map(|k| 0.004 * 0.5_f64.powi(k)).collect();
    let study = found(
        &pendulum(),
        &ladder(
            &["variational", "variational-2", "heun", "explicit-euler"],
            &halved,
            1.0,
        ),
    );
    assert_eq!(study.reference.integrator, "variational-8");
    for (curve, order) in study.curves.iter().zip([1.0, 2.0, 2.0, 1.0]) {
        let by_dt = curve.by_dt.expect("enough points");
        println!("{}: {by_dt:?}", curve.integrator);
        // As near as steps of 0.2 to 2 ms are to the limit of small steps.
        assert!((by_dt.slope - order).abs() < 0.06, "{curve:?}");
        assert_eq!((curve.order, by_dt.points), (Some(order as u32), 4));
        // How long steps take is the machine's affair; the slope is that of the seconds that were measured.
        let runs = study
            .runs
            .iter()
            .filter(|r| r.integrator == curve.integrator);
        let points: Vec<[f64; 2]> = runs.map(|r| [r.seconds, r.error]).collect();
        assert_eq!(curve.by_seconds, slope(&points));
    }
    for run in &study.runs {
        assert!(
            run.counts && run.failure.is_none() && run.seconds > 0.0,
            "{run:?}"
        );
        assert_eq!(run.steps, (1.0 / run.dt).round() as u64);
    }
}

#[test]
fn the_reference_is_as_near_to_the_truth_as_it_says() {
    // Against a solution in minimal coordinates by another method with steps of 2e-5 s: rounding 1e-13.
    let [t1, t2, ..] = reference::integrate(
        [1.2, 0.5, 0.3, -0.4],
        1.0,
        50_000,
        reference::double_pendulum,
    );
    let study = found(&pendulum(), &ladder(&["variational-4"], &[0.02, 0.01], 1.0));
    let run = &study.runs[1];
    // The same run by hand, and its distance from the truth: rods' centres and angles.
    let mechanism = mechanisms::chain(&[1.2, 0.5], &[0.3, -0.4]);
    let mut sim = bench::simulation(&mechanism, "variational-4", settings(0.01, 1e-12));
    bench::run(&mut sim, 100);
    let centres = [
        [0.5 * t1.sin(), -0.5 * t1.cos()],
        [t1.sin() + 0.5 * t2.sin(), -t1.cos() - 0.5 * t2.cos()],
    ];
    let mut sum = 0.0;
    for (body, (centre, angle)) in sim.state().bodies.iter().zip(centres.iter().zip([t1, t2])) {
        sum += (body.position.y - centre[0]).powi(2) + (body.position.z - centre[1]).powi(2);
        let axis = body.orientation * driftless::math::Vec3::z();
        // The rod hangs along its own -z or z axis: its direction as an angle from the downward vertical.
        let own = (-axis.y).atan2(axis.z);
        let other = axis.y.atan2(-axis.z);
        let turn = |own: f64| (2.0 * (0.5 * (own - angle)).sin()).powi(2) / 12.0;
        sum += turn(own).min(turn(other));
    }
    let truth = (sum / 2.0).sqrt();
    let estimate = study.reference.error;
    println!(
        "error {:e}, against the truth {truth:e}, estimate {estimate:e}",
        run.error
    );
    assert!(estimate < 1e-3 * truth);
    // The estimate, twice for what it is an estimate of, and rounding of the truth.
    assert!(
        (run.error - truth).abs() < 2.0 * estimate + 1e-12,
        "{run:?} {truth:e}"
    );
}

#[test]
fn what_is_no_better_than_the_reference_is_not_fitted() {
    // Where there is contact the reference is of second order itself, a quarter of the finest step.
    let start = motion("box_slope", 1e-10);
    let dts = [0.02, 0.01, 0.005];
    let study = found(
        &start,
        &ladder(&["variational-2", "variational", "rk4"], &dts, 0.5),
    );
    assert_eq!(study.reference.integrator, "variational-2");
    assert_eq!(study.reference.dt, 0.00125);
    for run in &study.runs {
        if run.integrator == "rk4" {
            let why = run.failure.as_deref().expect("it knows no contact");
            assert!(why.contains("contact"), "{why}");
            assert!(!run.counts);
        } else {
            assert!(run.failure.is_none() && run.error.is_finite(), "{run:?}");
            assert_eq!(run.counts, run.error >= 10.0 * study.reference.error);
        }
    }
    // Sorted from coarse to fine whatever the order of the ladder.
    let steps: Vec<u64> = study.runs[..3].iter().map(|r| r.steps).collect();
    assert_eq!(steps, [25, 50, 100]);
    assert_eq!(study.curves[2].by_dt, None);
}

#[test]
fn a_study_can_be_watched_and_stopped() {
    let dts = [0.01, 0.005, 0.0025];
    let ladder = ladder(&["variational", "rk4"], &dts, 2.0);
    let mut seen = Vec::new();
    let all = study(&pendulum(), &ladder, &mut |progress| {
        seen.push(progress.steps);
        ControlFlow::Continue(())
    })
    .expect("the study can be made");
    assert!(!all.cancelled);
    assert!(
        seen.is_sorted_by(|a, b| a[0] <= b[0] && a[1] == b[1]),
        "{seen:?}"
    );
    assert!(
        seen[seen.len() - 1][0] <= seen[0][1],
        "the end is not beyond the end"
    );

    let cancelled = study(&pendulum(), &ladder, &mut |progress| {
        if progress.integrator == "rk4" && progress.dt < 0.006 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })
    .expect("what is done is kept");
    assert!(cancelled.cancelled);
    assert_eq!(cancelled.runs.len(), 4, "three and the coarsest of rk4");
    for (kept, run) in cancelled.runs.iter().zip(&all.runs) {
        assert_eq!((kept.error, kept.iterations), (run.error, run.iterations));
    }
    let early = study(&pendulum(), &ladder, &mut |_| ControlFlow::Break(()));
    assert_eq!(early, Err(ConvergenceError::Cancelled));
}

#[test]
fn a_run_that_fails_stops_no_other() {
    let start = motion("heavy_top", 1e-11);
    let study = found(
        &start,
        &ladder(&["generalized-alpha"], &[1.0, 1e-3, 5e-4, 2.5e-4], 1.0),
    );
    // In one step the top turns by some twenty turns.
    assert!(
        study.runs[0]
            .failure
            .as_ref()
            .is_some_and(|f| f.contains("not converge"))
    );
    let slope = study.curves[0].by_dt.expect("the others are fitted");
    assert_eq!(slope.points, 3);
    assert!((slope.slope - 2.0).abs() < 0.1, "{slope:?}");
}

#[test]
fn a_ladder_without_sense_is_refused() {
    for (ladder, part) in [
        (ladder(&[], &[0.1, 0.2], 1.0), "needs a method"),
        (ladder(&["rk4"], &[0.1], 1.0), "at least two step sizes"),
        (
            ladder(&["rk5"], &[0.1, 0.2], 1.0),
            "no integrator is named `rk5`",
        ),
        (
            ladder(&["rk4"], &[0.1, -0.2], 1.0),
            "-0.2 s, expected a number above 0",
        ),
        (ladder(&["rk4"], &[0.1, 2.0], 1.0), "at most the duration"),
        (
            ladder(&["rk4"], &[0.1, 0.2], f64::NAN),
            "the duration is NaN",
        ),
        (
            ladder(&["rk4"], &[0.1, 0.1001], 1.0),
            "the same number of steps",
        ),
    ] {
        let error = study(&pendulum(), &ladder, &mut |_| ControlFlow::Continue(()))
            .expect_err(part)
            .to_string();
        assert!(error.contains(part), "{error}");
    }
}
