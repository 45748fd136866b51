//! The panels of compare mode, clicked and read without a window.

use crate::window::blind::{give, session};
use crate::window::fixture::{self, Fixture, Panel, fixture_of};
use crate::window::lanes::{ask, compared, comparing, lane, settle};
use bevy::prelude::App;
use bevy_egui::egui;
use driftless::window::commands::Command;
use driftless::window::commands::compare::{CompareCommand, LanePlot};
use driftless::window::compare::panel::lanes::compare_ui;
use driftless::window::compare::panel::overlay::lane_plots_ui;
use driftless::window::compare::panel::study::study_ui;
use driftless::window::compare::panel::table::lane_table_ui;
use driftless::window::layout::toolbar::toolbar_ui;
use driftless::window::state::panels::PanelId;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

/// Shows a panel of a window.
fn show(app: App, panel: Panel) -> Harness<'static, Fixture> {
    fixture::show(fixture_of(app), egui::vec2(1260.0, 900.0), panel)
}

const LANES: Panel = |ui, fixture| compare_ui(ui, &fixture.session, &fixture.comparing);
const TABLE: Panel = |ui, fixture| lane_table_ui(ui, &fixture.comparing, false);
const PLOTS: Panel =
    |ui, fixture| lane_plots_ui(ui, &fixture.session, &mut fixture.look, &fixture.comparing);
const STUDY: Panel = |ui, fixture| study_ui(ui, &fixture.session, &fixture.comparing);

/// Four lanes some steps after their start.
fn four() -> App {
    let mut app = compared(
        "double_pendulum",
        &[("variational", 1.0), ("heun", 0.5), ("rk4", 1.0)],
    );
    give(&mut app, Command::TogglePlay);
    (0..30).for_each(|_| app.update());
    settle(&app);
    app
}

#[test]
fn the_panel_offers_what_can_run_the_scene_and_says_why_the_rest_cannot() {
    let app = compared("damped_pendulum", &[]);
    let settings = *session(&app).settings();
    let mut harness = show(app, LANES);
    let refused = harness.get_by_label("variational-4");
    assert!(refused.accesskit_node().is_disabled());
    assert!(harness.query_all_by_label_contains("damp").next().is_some());
    // The list of methods is longer than the panel.
    for label in ["heun", "Run twin", "Convergence study"] {
        harness.get_by_label(label).scroll_to_me();
        harness.run();
        harness.get_by_label(label).click();
        harness.run();
    }
    let [added, twice, study] = &harness.state().asked[..] else {
        panic!("{:?}", harness.state().asked);
    };
    let Command::Compare(CompareCommand::Add(spec)) = added else {
        panic!("{added:?}");
    };
    assert_eq!(
        (spec.integrator.as_str(), spec.settings),
        ("heun", settings)
    );
    assert_eq!(*twice, Command::Compare(CompareCommand::Perturb));
    assert_eq!(*study, Command::Compare(CompareCommand::Study(true)));
}

#[test]
fn lanes_are_changed_drawn_and_taken_out_in_the_panel() {
    let mut harness = show(four(), LANES);
    harness.get_by_label("Side by side").click();
    harness.run();
    harness
        .get_all_by_label_contains("Takes ")
        .next()
        .expect("all but the leader can go")
        .click();
    harness.run();
    harness
        .get_all_by_role(egui::accesskit::Role::CheckBox)
        .nth(1)
        .expect("one for each but the leader")
        .click();
    harness.run();
    let wanted = [
        CompareCommand::Arrange(driftless::window::commands::compare::LaneArrangement::SideBySide),
        CompareCommand::Remove(1),
        CompareCommand::Draw(2, false),
    ];
    assert_eq!(harness.state().asked, wanted.map(Command::Compare));
}

#[test]
fn the_table_tells_of_every_lane_and_any_can_lead() {
    let app = four();
    let figures = {
        let comparing = comparing(&app);
        let sheet = comparing.sheet().expect("lanes run");
        let id = comparing.lanes()[2].id;
        sheet.lane(id).expect("it is there").figures
    };
    let mut harness = show(app, TABLE);
    for name in ["variational-2", "variational", "heun, 5.00 ms", "rk4"] {
        harness.get_by_label(name);
    }
    for (value, unit) in [
        (figures.energy_error[1], "J"),
        (figures.drift_position[1], "m"),
        (figures.distance[0], "m"),
    ] {
        let text = driftless::quantity::quantity(value, unit).replace('-', "−");
        let found = harness.query_all_by_label(&text).count();
        assert!(found > 0, "no {text}");
    }
    let leads = harness.get_all_by_label("Make reference").count();
    assert_eq!(leads, 3, "all but the one that does");
    harness
        .get_all_by_label("Make reference")
        .nth(1)
        .expect("heun")
        .click();
    harness.run();
    harness.get_by_label("Synchronise").click();
    harness.run();
    harness.get_by_label("Stop comparing").click();
    harness.run();
    let wanted = [
        CompareCommand::Lead(2),
        CompareCommand::Synchronise,
        CompareCommand::End,
    ];
    assert_eq!(harness.state().asked, wanted.map(Command::Compare));
}

#[test]
fn a_lane_that_stands_still_is_in_the_table_with_its_reason() {
    let mut app = compared("heavy_top", &[("generalized-alpha", 1000.0)]);
    give(&mut app, Command::TogglePlay);
    (0..600).for_each(|_| app.update());
    settle(&app);
    let harness = show(app, TABLE);
    harness.get_by_label_contains("stopped at 0.000 s");
    harness.get_by_label_contains("does not converge");
}

#[test]
fn plots_name_every_lane_and_are_chosen() {
    let mut harness = show(four(), PLOTS);
    for title in [
        "Energy error",
        "Drift",
        "Iterations",
        "Residual by iteration",
        "Time per step",
        "Distance",
    ] {
        harness.get_by_label(title);
    }
    // heun and rk4 have no iterations, and none are told of them.
    assert_eq!(harness.query_all_by_label("0").count(), 0);
    harness.get_by_label("heun, 5.00 ms");
    harness.get_by_label("Show ⏷").click();
    harness.run();
    harness.get_by_label("Drift in angle").click();
    harness.run();
    harness.get_by_label("CSV").click();
    harness.run();
    let wanted = [
        CompareCommand::Plot(LanePlot::DriftAngle, true),
        CompareCommand::Csv(None),
    ];
    assert_eq!(harness.state().asked, wanted.map(Command::Compare));
}

#[test]
fn the_convergence_view_shows_slopes_and_saves_them() {
    let mut app = compared("pendulum", &[]);
    ask(&mut app, CompareCommand::Study(true));
    let mut harness = show(app, STUDY);
    harness.get_by_label_contains("Choose methods and steps");
    harness.get_by_label("semi-implicit-euler").click();
    harness.run();
    harness.get_by_label("Run").click();
    harness.run();
    let [Command::Compare(CompareCommand::Ladder(ladder)), run] = &harness.state().asked[..] else {
        panic!("{:?}", harness.state().asked);
    };
    assert!(
        ladder
            .integrators
            .contains(&"semi-implicit-euler".to_owned())
    );
    assert_eq!(*run, Command::Compare(CompareCommand::Converge));

    let mut app = compared("pendulum", &[]);
    ask(&mut app, CompareCommand::Study(true));
    ask(&mut app, CompareCommand::Converge);
    while matches!(
        comparing(&app).study.state(),
        driftless::window::compare::study::StudyState::Running(..)
    ) {
        std::thread::sleep(std::time::Duration::from_millis(5));
        app.update();
    }
    let mut harness = show(app, STUDY);
    // One in either part.
    assert_eq!(
        harness.query_all_by_label_contains("heun  slope").count(),
        2
    );
    for label in ["CSV", "SVG"] {
        harness.get_by_label(label).click();
        harness.run();
    }
    let wanted = [
        CompareCommand::StudyCsv(None),
        CompareCommand::StudySvg(None),
    ];
    assert_eq!(harness.state().asked, wanted.map(Command::Compare));
}

#[test]
fn the_toolbar_opens_the_panel() {
    let app = compared("pendulum", &[]);
    let spec = lane(&app, "heun", 1.0);
    assert_eq!(spec.integrator, "heun");
    let mut harness = show(app, |ui, fixture| {
        toolbar_ui(
            ui,
            &fixture.session,
            &fixture.look,
            &fixture.workspace,
            &fixture.recording,
            &fixture.comparing,
        )
    });
    harness.get_by_label("+ compare").click();
    harness.run();
    assert_eq!(
        harness.state().asked,
        [Command::TogglePanel(PanelId::Compare)]
    );
}
