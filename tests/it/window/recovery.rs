//! What the window offers where a step failed: it used to say what to do, and Play tried the same step again.

use crate::window::desk::{Desk, show, showing};
use driftless::scene;
use driftless::window::commands::Command;
use driftless::window::commands::playback::PlaybackCommand;
use driftless::window::editing::recovery_ui::recovery_ui;
use driftless::window::session::Session;
use egui_kittest::kittest::Queryable;

/// A desk whose next step fails after a second and a half: its motor then has no finite torque.
fn stuck(integrator: &str) -> Desk {
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
        assert!(session.sample.time < 2.0, "its motor gives out");
    }
    assert!(session.is_stuck());
    showing(session)
}

fn asked(integrator: &str, label: &str) -> Desk {
    let mut harness = show(stuck(integrator), [900.0, 80.0], |ui, desk| {
        recovery_ui(ui, &desk.session)
    });
    harness.get_by_label(label).click();
    harness.run();
    harness.into_state()
}

#[test]
fn a_failed_step_offers_the_way_back_and_time_goes_on_from_there() {
    let mut desk = asked("variational-2", "Back 1 s");
    let failed = desk.session.sample.step;
    let step = failed - 100;
    assert_eq!(desk.asked, [Command::Time(PlaybackCommand::Seek(step))]);
    desk.session.seek(step);
    while desk.session.goal().is_some() {
        desk.session.travel(std::time::Duration::from_secs(1));
    }
    assert!(!desk.session.is_stuck(), "the moment before can go on");
    assert_eq!(desk.session.sample.step, step);
    assert!(desk.session.step());
}

#[test]
fn a_failed_step_offers_a_shorter_one_and_a_method_that_keeps_joints_closed() {
    let desk = asked("heun", "Halve the step");
    let [Command::Settings(settings)] = desk.asked.as_slice() else {
        panic!("{:?}", desk.asked);
    };
    assert_eq!(settings.dt, 0.005);
    let desk = asked("heun", "Switch to variational-2");
    assert_eq!(desk.asked, [Command::Integrator("variational-2")]);
    let harness = show(stuck("variational-2"), [900.0, 80.0], |ui, desk| {
        recovery_ui(ui, &desk.session)
    });
    let switch = harness.query_by_label("Switch to variational-2");
    assert!(switch.is_none(), "it keeps them closed already");
}
