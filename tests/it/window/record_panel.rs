//! The record panel, clicked and read without a window or a graphics driver.

use crate::window::desk::{self, Desk, desk};
use driftless::window::camera::path::CameraMove;
use driftless::window::commands::Command;
use driftless::window::commands::record::RecordCommand;
use driftless::window::record::FilmStatus;
use driftless::window::record::record_ui::record_ui;
use driftless::window::state::recording::{Progress, RecordSettings, Subject};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

fn show(change: impl FnOnce(&mut Desk)) -> Harness<'static, Desk> {
    let mut desk = desk("double_pendulum");
    change(&mut desk);
    desk::show(desk, [400.0, 900.0], |ui, desk| {
        record_ui(
            ui,
            &desk.session,
            &desk.highlight,
            &desk.preferences,
            &desk.recording,
        )
    })
}

#[test]
fn every_kind_of_recording_can_be_asked_for() {
    let mut harness = show(|_| {});
    for label in [
        "⏺ Record",
        "Make a film",
        "Film of the run",
        "Save a picture",
        "Add view",
    ] {
        harness.get_by_label(label).click();
        harness.run();
    }
    let wanted = [
        RecordCommand::Live,
        RecordCommand::FromStart,
        RecordCommand::Past,
        RecordCommand::Still,
        RecordCommand::KeepView,
    ];
    assert_eq!(harness.state().asked, wanted.map(Command::Film));
}

#[test]
fn choices_become_settings() {
    let mut harness = show(|_| {});
    harness.get_by_label("Window with panels").click();
    harness.run();
    harness.get_by_label("Plots").click();
    harness.run();
    let wanted = [
        RecordSettings {
            subject: Subject::Window,
            ..RecordSettings::default()
        },
        RecordSettings {
            plots: true,
            ..RecordSettings::default()
        },
    ];
    let wanted = wanted.map(|settings| Command::Film(RecordCommand::Settings(settings)));
    assert_eq!(harness.state().asked, wanted);
}

#[test]
fn films_in_the_making_show_how_far_they_are_and_can_be_stopped() {
    let film = |name: &str, frames: Option<u64>| FilmStatus {
        path: name.into(),
        progress: Progress {
            frames: 30,
            time: 1.25,
        },
        frames,
        stops: false,
    };
    let mut harness = show(|desk| {
        desk.recording.films = vec![film("a.mp4", Some(120)), film("b.gif", None)];
        desk.recording.is_on = true;
        let orbit = driftless::window::camera::view::View::of(&desk.session).orbit;
        let scene = desk.session.scene.name.clone();
        desk.preferences.keep_view(&scene, &orbit);
        desk.preferences.keep_view(&scene, &orbit);
        desk.recording.go_through(desk.preferences.views(&scene));
    });
    assert!(
        matches!(&harness.state().recording.settings.camera, CameraMove::Through(views) if views.len() == 2)
    );
    harness.get_by_label("2 views");
    harness.get_by_label_contains("30 of 120 frames");
    harness.get_by_label_contains("30 frames, to 1.250 s");
    harness.get_by_label("⏹ Stop").click();
    harness.run();
    let second = harness
        .get_all_by_label("Stop")
        .last()
        .expect("one for each film");
    second.click();
    harness.run();
    let wanted = [RecordCommand::Live, RecordCommand::Stop(1)];
    assert_eq!(harness.state().asked, wanted.map(Command::Film));
}
