//! A budget for contacts with which time goes as fast as it is asked to, by a command and in the settings.

use crate::window::blind::{give, open, session, window};
use crate::window::fixture::{Fixture, Panel, fixture};
use crate::window::panels::show;
use bevy::prelude::*;
use driftless::integrators::CONTACT_BUDGET;
use driftless::window::commands::Command;
use driftless::window::session::playback::Playback;
use driftless::window::settings::settings_ui::settings_ui;
use driftless::window::state::notices::Notices;
use egui_kittest::kittest::Queryable;

const CHOICE: &str = "Contacts keep up with time";

/// The budget that holds (ms).
fn budget(app: &App) -> f64 {
    session(app).settings().options.real(&CONTACT_BUDGET)
}

/// What the status line says of a setting.
fn said(app: &App) -> Option<&str> {
    app.world().resource::<Notices>().setting.as_deref()
}

#[test]
fn it_is_half_of_the_time_that_a_step_has_and_is_taken_away_again() {
    let mut app = window("pit:bodies=8,width=1", 1);
    for _ in 0..20 {
        app.update();
    }
    let now = session(&app).sample().step;
    give(&mut app, Command::ToggleContactBudget);
    assert_eq!(budget(&app), 5.0, "5 of the 10 ms of a step");
    assert!(
        session(&app).sample().step >= now,
        "time goes on from there"
    );
    give(&mut app, Command::ToggleContactBudget);
    assert_eq!(budget(&app), 0.0);
    app.world_mut().resource_mut::<Playback>().seek(0.25);
    give(&mut app, Command::ToggleContactBudget);
    assert_eq!(
        budget(&app),
        20.0,
        "four times as much at a quarter of the speed"
    );
    assert_eq!(said(&app), None);
    give(&mut app, Command::Integrator("compliant"));
    give(&mut app, Command::ToggleContactBudget);
    assert!(said(&app).is_some_and(|s| s.contains("compliant")));
    open(&mut app, "pendulum");
    give(&mut app, Command::ToggleContactBudget);
    assert!(said(&app).is_some_and(|s| s.contains("no contacts")));
    assert_eq!(budget(&app), 0.0);
}

#[test]
fn the_settings_offer_it_where_contacts_have_one() {
    let settings: Panel = |ui, fixture: &mut Fixture| {
        settings_ui(
            ui,
            &fixture.session,
            &fixture.workspace,
            &fixture.preferences,
        )
    };
    let mut harness = show(fixture("pit:bodies=8,width=1"), settings);
    harness.get_by_label(CHOICE).click();
    harness.run();
    assert_eq!(harness.state().asked, [Command::ToggleContactBudget]);
    let harness = show(fixture("pendulum"), settings);
    assert!(harness.query_by_label(CHOICE).is_none());
}
