//! What the window offers where a step failed: it used to say what to do, and Play tried the same step again.

use crate::window::fixture::{Fixture, show, showing};
use driftless::scene;
use driftless::window::commands::Command;
use driftless::window::commands::playback::PlaybackCommand;
use driftless::window::editing::recovery_ui::recovery_ui;
use driftless::window::session::Session;
use egui_kittest::kittest::Queryable;

/// A fixture whose next step fails after a second and a half: its motor then has no finite torque.
fn stuck(integrator: &str) -> Fixture {
    let text = format!(
        r#"(version: 1, bodies: {{"a": (mass: 1, inertia: (1, 1, 1))}},
        joints: {{"j": (kind: revolute, child: "a", child_anchor: (0, 0, 1), axis: (1, 0, 0),
            actuators: [(command: "ln(1.5 - t)")])}},
        integrator: (method: "{integrator}"))"#
    );
    let scene = scene::from_text("motor", &text, &[]).expect("the scene is right");
    let mut session = Session::new(scene).expect("the scene runs");
    while session.step() {
        assert!(!session.is_stuck());
        assert!(session.sample().time < 2.0, "its motor gives out");
    }
    assert!(session.is_stuck());
    showing(session)
}

fn asked(integrator: &str, label: &str) -> Fixture {
    let mut harness = show(stuck(integrator), [900.0, 80.0], |ui, fixture| {
        recovery_ui(ui, &fixture.session)
    });
    harness.get_by_label(label).click();
    harness.run();
    harness.into_state()
}

#[test]
fn a_failed_step_offers_the_way_back_and_time_goes_on_from_there() {
    let mut fixture = asked("variational-2", "Back 1 s");
    let failed = fixture.session.sample().step;
    let step = failed - 100;
    assert_eq!(fixture.asked, [Command::Time(PlaybackCommand::Seek(step))]);
    fixture.session.seek(step);
    while fixture.session.goal().is_some() {
        fixture.session.travel(std::time::Duration::from_secs(1));
    }
    assert!(!fixture.session.is_stuck(), "the moment before can go on");
    assert_eq!(fixture.session.sample().step, step);
    assert!(fixture.session.step());
}

#[test]
fn a_failed_step_offers_a_shorter_one_and_a_method_that_keeps_joints_closed() {
    let fixture = asked("heun", "Halve the step");
    let [Command::Settings(settings)] = fixture.asked.as_slice() else {
        panic!("{:?}", fixture.asked);
    };
    assert_eq!(settings.dt, 0.005);
    let fixture = asked("heun", "Switch to variational-2");
    assert_eq!(fixture.asked, [Command::Integrator("variational-2")]);
    let harness = show(stuck("variational-2"), [900.0, 80.0], |ui, fixture| {
        recovery_ui(ui, &fixture.session)
    });
    let switch = harness.query_by_label("Switch to variational-2");
    assert!(switch.is_none(), "it keeps them closed already");
}
