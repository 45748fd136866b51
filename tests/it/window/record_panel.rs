//! The record panel, clicked and read without a window or a graphics driver.

use crate::window::fixture::{self, Fixture, fixture};
use driftless::scene::Plot;
use driftless::window::camera::path::CameraMove;
use driftless::window::commands::Command;
use driftless::window::commands::record::RecordCommand;
use driftless::window::record::FilmStatus;
use driftless::window::record::record_ui::record_ui;
use driftless::window::state::recording::{FilmSubject, Lettering, RecordSettings};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

fn show(change: impl FnOnce(&mut Fixture)) -> Harness<'static, Fixture> {
    let mut fixture = fixture("double_pendulum");
    change(&mut fixture);
    fixture::show(fixture, [400.0, 900.0], |ui, fixture| {
        record_ui(
            ui,
            &fixture.session,
            &fixture.highlight,
            &fixture.preferences,
            &fixture.recording,
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
            subject: FilmSubject::Window,
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
        taken: None,
        stops: false,
    };
    let mut harness = show(|fixture| {
        fixture.recording.films = vec![film("a.mp4", Some(120)), film("b.gif", None)];
        fixture.recording.is_on = true;
        let orbit = driftless::window::camera::view::View::of(&fixture.session).orbit;
        let scene = fixture.session.scene().name.clone();
        fixture.preferences.keep_view(&scene, &orbit);
        fixture.preferences.keep_view(&scene, &orbit);
        fixture
            .recording
            .go_through(fixture.preferences.views(&scene));
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
    let mut harness = show(|fixture| fixture.recording.settings.lettering.plots = true);
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
    let mut harness = show(|fixture| {
        fixture.recording.countdown = Some(2.0);
        fixture.recording.saved = vec!["/films/pendulum.mp4".into()];
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

#[test]
fn the_speed_changes_where_it_was_asked_for_and_goes_back_with_a_click() {
    let mut harness = show(|fixture| {
        (0..50).for_each(|_| assert!(fixture.session.step()));
    });
    harness.get_by_label("Change speed here").click();
    harness.run();
    let settings = |harness: &Harness<Fixture>| match harness.state().asked.last() {
        Some(Command::Film(RecordCommand::Settings(settings))) => settings.clone(),
        other => panic!("{other:?}"),
    };
    let asked = settings(&harness);
    let now = harness.state().session.sample().time;
    let [change] = asked.changes[..] else {
        panic!("{:?}", asked.changes);
    };
    assert!(change.from == now && change.speed < 1.0, "{change:?}");
    harness.state_mut().recording.settings = asked;
    harness.run();
    harness.get_by_label("Remove speed change 1").click();
    harness.run();
    assert!(settings(&harness).changes.is_empty());
}
