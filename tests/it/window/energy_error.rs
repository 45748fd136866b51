//! The plot of the energy error: on its axes, by the methods that led there, beside frozen curves.

use crate::window::blind::{give, session, window};
use crate::window::fixture::{Panel, fixture, show};
use bevy::prelude::App;
use driftless::window::commands::Command;
use driftless::window::plots::live_ui::plots_ui;
use driftless::window::state::look::{ErrorAxis, Look};
use egui_kittest::kittest::Queryable;

fn run(app: &mut App, frames: usize) {
    for _ in 0..frames {
        app.update();
    }
}

const PLOTS: Panel = |ui, d| plots_ui(ui, &d.session, &mut d.look, &d.highlight);

#[test]
fn the_error_is_told_in_joules_by_the_kinetic_energy_and_by_powers_of_ten() {
    let mut shown = fixture("double_pendulum");
    for _ in 0..200 {
        assert!(shown.session.step());
    }
    let error = shown.session.sample().energy_error;
    let history = shown.session.history();
    let kinetic = history.series(0.0, 10.0, 4000, |s| s.energy.kinetic);
    let largest = kinetic.iter().map(|p| p[1]).fold(0.0, f64::max);
    let mut harness = show(shown, [500.0, 900.0], PLOTS);
    harness.get_by_label("Energy error [J]");
    harness.state_mut().look.error_axis = ErrorAxis::Relative;
    harness.run();
    harness.get_by_label("Energy error by kinetic energy");
    let part = driftless::window::plots::charts::chart(
        driftless::scene::Plot::EnergyError,
        ErrorAxis::Relative,
    )
    .unwrap();
    let text = part.text(&part.curves[0], error / largest);
    harness.get_by_label(&format!("error {text}"));
    harness.state_mut().look.error_axis = ErrorAxis::Logarithmic;
    harness.run();
    harness.get_by_label("Size of energy error [J]");
}

#[test]
fn every_axis_is_asked_for_in_the_menu() {
    let mut harness = show(fixture("pendulum"), [500.0, 900.0], PLOTS);
    for (name, axis) in [
        ("by the largest kinetic energy", ErrorAxis::Relative),
        ("its size, by powers of ten", ErrorAxis::Logarithmic),
    ] {
        if harness.query_by_label(name).is_none() {
            harness.get_by_label("Show ⏷").click();
            harness.run();
        }
        harness.get_by_label(name).click();
        harness.run();
        let asked = harness.state().asked.last().cloned();
        assert_eq!(asked, Some(Command::ErrorAxis(axis)));
    }
}

#[test]
fn a_switch_of_methods_is_known_and_a_frozen_curve_stays_behind_the_next_run() {
    let mut app = window("double_pendulum", 4);
    run(&mut app, 20);
    let first = session(&app).integrator().name;
    let switched = session(&app).sample().time;
    give(&mut app, Command::Integrator("heun"));
    run(&mut app, 20);
    let known = session(&app).methods().on(&session(&app).way());
    assert_eq!(
        known.iter().map(|k| k.1).collect::<Vec<_>>(),
        [first, "heun"]
    );
    let dt = session(&app).settings().dt;
    // The command is carried out between two frames, each of a few steps.
    let late = known[1].0 - switched;
    assert!((-1e-9..=9.0 * dt).contains(&late), "{late} s after");

    give(&mut app, Command::FreezeError);
    let frozen = |app: &App| app.world().resource::<Look>().frozen.clone();
    let kept = frozen(&app);
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].method, "heun");
    let last = kept[0].points.last().copied().unwrap();
    assert!(last[0] > switched, "up to the end of the run");
    give(&mut app, Command::Reset);
    run(&mut app, 5);
    assert_eq!(frozen(&app), kept, "it is not that of the new run");
    give(&mut app, Command::ClearFrozen);
    assert!(frozen(&app).is_empty());
    // Those of another scene mean nothing in this one.
    give(&mut app, Command::FreezeError);
    give(&mut app, Command::Open("pendulum".into()));
    crate::window::blind::arrive(&mut app);
    run(&mut app, 1);
    assert!(frozen(&app).is_empty());
}
