//! The panels, clicked and read without a window.

use driftless::app::panels;
use driftless::app::{Action, Entry, Pacing, Selection, Session, Shell, Side};
use driftless::model::{BodyId, JointId};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

/// What a panel shows, and what was asked of it.
struct Desk {
    session: Session,
    shell: Shell,
    pacing: Pacing,
    asked: Vec<Action>,
}

fn desk(spec: &str) -> Desk {
    let scene = driftless::scene::open(spec, &[]).expect("the scene is shipped");
    let session = Session::new(scene).expect("the scene runs");
    let mut shell = Shell::default();
    shell.scene_opened(&session);
    Desk {
        session,
        shell,
        pacing: Pacing::default(),
        asked: Vec::new(),
    }
}

type Panel = fn(&mut bevy_egui::egui::Ui, &mut Desk) -> Vec<Action>;

fn show(desk: Desk, panel: Panel) -> Harness<'static, Desk> {
    let draw = move |ui: &mut bevy_egui::egui::Ui, desk: &mut Desk| {
        let asked = panel(ui, desk);
        desk.asked.extend(asked);
    };
    let mut harness = Harness::builder()
        .with_size(bevy_egui::egui::vec2(1000.0, 700.0))
        .build_ui_state(draw, desk);
    harness.run();
    harness
}

fn toolbar(ui: &mut bevy_egui::egui::Ui, desk: &mut Desk) -> Vec<Action> {
    panels::toolbar_ui(ui, &desk.session, &desk.shell)
}

#[test]
fn the_toolbar_names_the_scene_and_opens_what_is_asked_for() {
    let mut harness = show(desk("double_pendulum"), toolbar);
    harness.get_by_label("Double pendulum");
    harness.get_by_label("Plots").click();
    harness.run();
    harness.get_by_label("Inspector").click();
    harness.run();
    let wanted = [Action::TogglePlots, Action::ToggleSide(Side::Inspector)];
    assert_eq!(harness.state().asked, wanted);
}

#[test]
fn an_integrator_is_chosen_and_one_that_cannot_run_the_scene_says_why() {
    let mut harness = show(desk("damped_pendulum"), toolbar);
    harness.get_by_value("variational-2").click();
    harness.run();
    let refused = harness.get_by_label("variational-4");
    assert!(refused.accesskit_node().is_disabled());
    assert!(
        harness.query_all_by_label_contains("damp").next().is_some(),
        "the reason is shown"
    );
    harness.get_by_label("heun").click();
    harness.run();
    assert_eq!(harness.state().asked, [Action::Integrator("heun")]);
}

#[test]
fn the_transport_bar_plays_steps_and_shows_the_pace() {
    let mut desk = desk("pendulum");
    for _ in 0..100 {
        desk.pacing.end_frame(0.01, 0.02);
    }
    let mut harness = show(desk, |ui, desk| {
        panels::transport_ui(ui, &desk.session, &desk.pacing)
    });
    harness.get_by_label_contains("0.50");
    harness.get_by_label_contains("0.000 s");
    for label in ["⏸ Pause", "⏭", "⏮", "+"] {
        harness.get_by_label(label).click();
        harness.run();
    }
    let wanted = [
        Action::TogglePlay,
        Action::Step(1),
        Action::Reset,
        Action::ChangeSpeed(1),
    ];
    assert_eq!(harness.state().asked, wanted);
}

#[test]
fn the_list_of_scenes_is_searched_and_opens_what_is_clicked() {
    let mut desk = desk("pendulum");
    let entry = |spec: &str, description: &str| Entry {
        spec: spec.into(),
        description: description.into(),
        generated: false,
    };
    desk.shell.catalogue = vec![
        entry("four_bar", "a crank and a rocker"),
        entry("net", "knots"),
    ];
    desk.shell.recent = vec!["/some/where/mine.ron".into()];
    desk.shell.search = "rocker".into();
    let mut harness = show(desk, |ui, desk| {
        panels::browser_ui(ui, &desk.session, &mut desk.shell)
    });
    assert!(harness.query_by_label("net").is_none());
    harness.get_by_label("four_bar").click();
    harness.run();
    harness.get_by_label("mine.ron").click();
    harness.run();
    let wanted = [
        Action::Open("four_bar".into()),
        Action::Open("/some/where/mine.ron".into()),
    ];
    assert_eq!(harness.state().asked, wanted);
}

#[test]
fn the_inspector_shows_a_body_and_its_joint() {
    let mut moving = desk("double_pendulum");
    for _ in 0..50 {
        assert!(moving.session.step());
    }
    moving.shell.selection = Some(Selection::Body(BodyId(0)));
    let inspector: Panel =
        |ui, desk| panels::inspector_ui(ui, &mut desk.session, desk.shell.selection);
    let mut harness = show(moving, inspector);
    harness.get_by_label("1.00 kg");
    harness
        .get_all_by_label("elbow")
        .next()
        .expect("its joints are listed")
        .click();
    harness.run();
    assert_eq!(
        harness.state().asked,
        [Action::Select(Some(Selection::Joint(JointId(1))))]
    );
    harness.state_mut().shell.selection = Some(Selection::Joint(JointId(0)));
    harness.run();
    harness.get_by_label("revolute");
    harness.get_by_label("upper on world");
    harness.get_by_label("redundant");
}

#[test]
fn gravity_is_changed_in_one_click() {
    let mut harness = show(desk("pendulum"), |ui, desk| {
        panels::settings_ui(ui, &desk.session, &desk.shell)
    });
    harness.get_by_label("Moon").click();
    harness.run();
    let [Action::Model(model)] = &harness.state().asked[..] else {
        panic!("{:?}", harness.state().asked);
    };
    assert_eq!(model.gravity.z, -1.62);
}

#[test]
fn the_status_line_shows_an_error_and_lets_it_go() {
    let mut desk = desk("four_bar");
    desk.shell.notices.scene = Some("line 3, column 5: mass is -1".into());
    let status: Panel = |ui, desk| panels::status_ui(ui, &desk.session, &desk.shell);
    let mut harness = show(desk, status);
    harness.get_by_label("line 3, column 5: mass is -1");
    harness.get_by_label("✖").click();
    harness.run();
    assert_eq!(harness.state().asked, [Action::Dismiss]);
    harness.state_mut().shell.notices.scene = None;
    harness.run();
    // A plane loop in space: three of its equations say nothing new.
    harness.get_by_label_contains("3 redundant");
}

#[test]
fn the_plots_show_every_figure_with_its_unit_and_save_their_data() {
    let mut desk = desk("double_pendulum");
    for _ in 0..400 {
        assert!(desk.session.step());
    }
    let plots: Panel = |ui, desk| panels::plots_ui(ui, &desk.session, &mut desk.shell);
    let mut harness = show(desk, plots);
    for title in [
        "Energy",
        "Energy error",
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
        [Action::ExportCsv(None), Action::FollowTime]
    );
}

#[test]
fn every_task_of_the_help_is_listed() {
    let help: Panel = |ui, _| {
        assert!(panels::help_ui(ui.ctx()));
        Vec::new()
    };
    let harness = show(desk("pendulum"), help);
    for task in ["Grab", "Look", "Run", "Scenes", "Show", "Keep"] {
        harness.get_by_label(task);
    }
    harness.get_by_label("Ctrl + left drag");
}
