//! The panels, clicked and read without a window.

use crate::window::fixture::{self, Fixture, Panel, fixture};
use driftless::math::Vec3;
use driftless::model::{BodyId, JointId};
use driftless::scene::Amendment;
use driftless::window::commands::Command;
use driftless::window::commands::editing::EditCommand;
use driftless::window::compare::Comparing;
use driftless::window::editing::inspector::inspector_ui;
use driftless::window::layout::status::{STANDING, status_ui};
use driftless::window::layout::toolbar::toolbar_ui;
use driftless::window::palette::help_ui::help_ui;
use driftless::window::plots::live_ui::plots_ui;
use driftless::window::scenes::Entry;
use driftless::window::scenes::list_ui::scene_list_ui;
use driftless::window::settings::settings_ui::settings_ui;
use driftless::window::state::panels::PanelId;
use driftless::window::state::selection::Selection;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

/// A panel in a space of ordinary size.
pub fn show(fixture: Fixture, panel: Panel) -> Harness<'static, Fixture> {
    fixture::show(fixture, [1280.0, 700.0], panel)
}

/// The toolbar, with no lanes beside the running scene.
pub fn toolbar(ui: &mut bevy_egui::egui::Ui, fixture: &mut Fixture) -> Vec<Command> {
    toolbar_ui(
        ui,
        &fixture.session,
        &fixture.look,
        &fixture.workspace,
        &fixture.recording,
        &Comparing::default(),
    )
}

#[test]
fn the_toolbar_names_the_scene_and_opens_what_is_asked_for() {
    let mut harness = show(fixture("double_pendulum"), toolbar);
    harness.get_by_label("Double pendulum");
    harness.get_by_label("Plots").click();
    harness.run();
    harness.get_by_label("Inspector").click();
    harness.run();
    let wanted = [
        Command::TogglePanel(PanelId::Plots),
        Command::TogglePanel(PanelId::Inspector),
    ];
    assert_eq!(harness.state().asked, wanted);
}

#[test]
fn an_integrator_is_chosen_and_one_that_cannot_run_the_scene_says_why() {
    let mut harness = show(fixture("damped_pendulum"), toolbar);
    harness.get_by_value("variational-2").click();
    harness.run();
    let refused = harness.get_by_label("variational-4");
    assert!(refused.accesskit_node().is_disabled());
    assert!(
        harness.query_all_by_label_contains("damp").next().is_some(),
        "the reason is shown"
    );
    // The list is longer than the window.
    harness.get_by_label("heun").scroll_to_me();
    harness.run();
    harness.get_by_label("heun").click();
    harness.run();
    assert_eq!(harness.state().asked, [Command::Integrator("heun")]);
}

#[test]
fn the_list_of_scenes_is_searched_and_opens_what_is_clicked() {
    let mut fixture = fixture("pendulum");
    let entry = |spec: &str, description: &str| Entry {
        spec: spec.into(),
        description: description.into(),
        ..Entry::default()
    };
    fixture.scene_list.catalogue = vec![
        entry("four_bar", "a crank and a rocker"),
        entry("net", "knots"),
    ];
    fixture.preferences.recent = vec!["/some/where/mine.ron".into()];
    fixture.scene_list.search = "rocker".into();
    let mut harness = show(fixture, |ui, fixture| {
        scene_list_ui(
            ui,
            &fixture.session,
            &fixture.preferences,
            &mut fixture.scene_list,
        )
    });
    assert!(harness.query_by_label("net").is_none());
    harness.get_by_label("four_bar").click();
    harness.run();
    harness.get_by_label("mine.ron").click();
    harness.run();
    let wanted = [
        Command::Open("four_bar".into()),
        Command::Open("/some/where/mine.ron".into()),
    ];
    assert_eq!(harness.state().asked, wanted);
}

#[test]
fn the_inspector_shows_a_body_and_its_joint() {
    let mut moving = fixture("double_pendulum");
    for _ in 0..50 {
        assert!(moving.session.step());
    }
    moving.highlight.selection = Some(Selection::body(BodyId(0)));
    let inspector: Panel = |ui, fixture| {
        inspector_ui(
            ui,
            &mut fixture.session,
            &fixture.highlight,
            &fixture.editor,
            &fixture.opener,
            &fixture.tool,
        )
    };
    let mut harness = show(moving, inspector);
    harness.get_by_value("1 kg");
    harness
        .get_all_by_label("elbow")
        .next()
        .expect("its joints are listed")
        .click();
    harness.run();
    assert_eq!(
        harness.state().asked,
        [Command::Select(Some(Selection::joint(JointId(1))))]
    );
    harness.state_mut().highlight.selection = Some(Selection::joint(JointId(0)));
    harness.run();
    harness.get_by_value("revolute");
    harness.get_by_value("world");
    harness.get_by_value("upper");
    harness.get_by_label("redundant");
}

#[test]
fn gravity_is_changed_in_one_click() {
    let mut harness = show(fixture("pendulum"), |ui, fixture| {
        settings_ui(
            ui,
            &fixture.session,
            &fixture.workspace,
            &fixture.preferences,
        )
    });
    harness.get_by_label("Moon").click();
    harness.run();
    let [Command::Edit(EditCommand::Amend(edit))] = &harness.state().asked[..] else {
        panic!("{:?}", harness.state().asked);
    };
    let moon = Vec3::new(0.0, 0.0, -1.62);
    assert_eq!(edit.amendments, [Amendment::Gravity(moon)]);
}

#[test]
fn the_status_line_shows_an_error_and_lets_it_go() {
    let mut fixture = fixture("four_bar");
    fixture.notices.scene = Some("line 3, column 5: mass is -1".into());
    let status: Panel =
        |ui, fixture| status_ui(ui, &fixture.session, &fixture.notices, &fixture.jobs);
    let mut harness = show(fixture, status);
    harness.get_by_label("line 3, column 5: mass is -1");
    harness.get_by_label("Clear this message").click();
    harness.run();
    assert_eq!(harness.state().asked, [Command::ClearNotices]);
    harness.state_mut().notices.scene = None;
    harness.run();
    harness.get_by_label(STANDING);
}

#[test]
fn the_plots_show_every_figure_with_its_unit_and_save_their_data() {
    let mut fixture = fixture("double_pendulum");
    for _ in 0..400 {
        assert!(fixture.session.step());
    }
    let plots: Panel =
        |ui, fixture| plots_ui(ui, &fixture.session, &mut fixture.look, &fixture.highlight);
    let mut harness = show(fixture, plots);
    for title in [
        "Energy [J]",
        "Energy error [J]",
        "Joint drift",
        "Newton iterations",
        "Final residual",
        "Residual by iteration",
    ] {
        harness.get_by_label(title);
    }
    for unit in ["kinetic", "potential", "total"] {
        let shown = harness.get_by_label_contains(unit);
        let text = shown
            .accesskit_node()
            .value()
            .or(shown.accesskit_node().label())
            .unwrap_or_default();
        assert!(text.ends_with(" J"), "{text}");
    }
    harness.get_by_label("CSV").click();
    harness.run();
    harness.get_by_label("Follow").click();
    harness.run();
    assert_eq!(
        harness.state().asked,
        [Command::ExportCsv(None), Command::FollowTime]
    );
}

#[test]
fn every_task_of_the_help_is_listed() {
    let help: Panel = |ui, _| {
        assert!(help_ui(ui.ctx(), true));
        Vec::new()
    };
    let harness = show(fixture("pendulum"), help);
    for task in ["Grab", "Look", "Run", "Scenes", "Show", "Keep"] {
        harness.get_by_label(task);
    }
    harness.get_by_label("Ctrl + left drag");
}

#[test]
fn a_warning_is_shown_until_an_error_takes_its_place() {
    let mut fixture = fixture("box_drop");
    fixture.notices.warn("a step was relaxed");
    let status: Panel =
        |ui, fixture| status_ui(ui, &fixture.session, &fixture.notices, &fixture.jobs);
    let mut harness = show(fixture, status);
    harness.get_by_label("a step was relaxed");
    harness.state_mut().session.failure = Some("the step does not converge".into());
    harness.run();
    harness.get_by_label("the step does not converge");
    assert!(harness.query_by_label("a step was relaxed").is_none());
}
