//! The record panel, clicked and read without a window or a graphics driver.

use crate::window::desk::{self, Desk, desk};
use driftless::scene::Plot;
use driftless::window::camera::path::CameraMove;
use driftless::window::commands::Command;
use driftless::window::commands::record::RecordCommand;
use driftless::window::record::FilmStatus;
use driftless::window::record::record_ui::record_ui;
use driftless::window::state::recording::{Lettering, RecordSettings, Subject};
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
            lettering: Lettering {
                plots: true,
                ..Lettering::default()
            },
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
        done: 30,
        time: 1.25,
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

#[test]
fn what_is_written_on_a_film_is_chosen_in_the_panel() {
    let mut harness = show(|desk| desk.recording.settings.lettering.plots = true);
    harness.get_by_label("Large type").click();
    harness.run();
    harness.get_by_label("Which ⏷").click();
    harness.run();
    harness.get_by_label("Energy error").click();
    harness.run();
    let asked = harness.state().asked.clone();
    let lettering = |k: usize| match &asked[k] {
        Command::Film(RecordCommand::Settings(settings)) => settings.lettering.clone(),
        other => panic!("{other:?}"),
    };
    assert!(lettering(0).large && lettering(0).charts.is_none());
    assert_eq!(lettering(1).charts, Some(vec![Plot::EnergyError]));
}

#[test]
fn a_countdown_can_be_ended_and_what_was_saved_be_played() {
    let mut harness = show(|desk| {
        desk.recording.countdown = Some(2.0);
        desk.recording.saved = vec!["/films/pendulum.mp4".into()];
    });
    harness.get_by_label("⏹ Cancel").click();
    harness.run();
    harness.get_by_label("Play").click();
    harness.run();
    harness.get_by_label("Show in folder").click();
    harness.run();
    let file = || "/films/pendulum.mp4".into();
    let wanted = [
        RecordCommand::Live,
        RecordCommand::Play(file()),
        RecordCommand::Reveal(file()),
    ];
    assert_eq!(harness.state().asked, wanted.map(Command::Film));
}
