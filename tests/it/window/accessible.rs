//! Every control of every panel has a name that can be read aloud.

use crate::window::desk::{self, Desk, Panel};
use crate::window::lanes;
use bevy_egui::egui::accesskit::Role;
use driftless::model::{BodyId, JointId};
use driftless::window::camera::view::View;
use driftless::window::commands::compare::CompareCommand;
use driftless::window::compare::panel::lanes::compare_ui;
use driftless::window::compare::panel::overlay::lane_plots_ui;
use driftless::window::compare::panel::study::study_ui;
use driftless::window::compare::panel::table::lane_table_ui;
use driftless::window::editing::Question;
use driftless::window::editing::inspector::inspector_ui;
use driftless::window::editing::question_ui::question_ui;
use driftless::window::layers::list_ui::layers_ui;
use driftless::window::layout::status::status_ui;
use driftless::window::layout::toolbar::toolbar_ui;
use driftless::window::layout::views_menu::views_ui;
use driftless::window::palette::help_ui::help_ui;
use driftless::window::palette::palette_ui::palette_ui;
use driftless::window::papers::cards_ui::papers_ui;
use driftless::window::papers::panel_ui::panel_ui;
use driftless::window::playback::transport_ui::transport_ui;
use driftless::window::plots::custom::quantities_ui;
use driftless::window::plots::live_ui::plots_ui;
use driftless::window::record::FilmStatus;
use driftless::window::record::record_ui::record_ui;
use driftless::window::scenes::gallery_ui::gallery_ui;
use driftless::window::scenes::list_ui::scene_list_ui;
use driftless::window::scenes::opening::{OpeningStatus, Stage};
use driftless::window::scenes::opening_ui::opening_ui;
use driftless::window::settings::settings_ui::settings_ui;
use driftless::window::solver::profiler_ui::profiler_ui;
use driftless::window::solver::solver_ui;
use driftless::window::state::panels::Side;
use driftless::window::state::selection::Selection;
use egui_kittest::kittest::NodeT;
use egui_kittest::{Harness, Node};
use std::collections::BTreeSet;

/// Everything with controls, by the name under which a failure is told.
pub const PANELS: [(&str, Panel); 26] = [
    ("toolbar", |ui, d| {
        toolbar_ui(
            ui,
            &d.session,
            &d.look,
            &d.workspace,
            &d.recording,
            &d.comparing,
        )
    }),
    ("transport", |ui, d| transport_ui(ui, &d.session, &d.pacing)),
    ("status", |ui, d| {
        status_ui(ui, &d.session, &d.notices, &d.jobs)
    }),
    ("list of scenes", |ui, d| {
        scene_list_ui(ui, &d.session, &d.preferences, &mut d.scene_list)
    }),
    ("inspector", |ui, d| {
        inspector_ui(
            ui,
            &mut d.session,
            &d.highlight,
            &d.editor,
            &d.opener,
            &d.tool,
        )
    }),
    ("settings", |ui, d| {
        settings_ui(ui, &d.session, &d.workspace, &d.preferences)
    }),
    ("layers", |ui, d| {
        layers_ui(ui, &d.session, &d.look, &d.highlight)
    }),
    ("record", |ui, d| {
        record_ui(ui, &d.session, &d.highlight, &d.preferences, &d.recording)
    }),
    ("plots", |ui, d| {
        plots_ui(ui, &d.session, &mut d.look, &d.highlight)
    }),
    ("gallery", |ui, d| {
        gallery_ui(
            ui,
            &d.session,
            &d.preferences,
            &d.scene_list,
            &mut d.gallery,
        )
    }),
    ("papers", |ui, d| papers_ui(ui, &mut d.papers)),
    ("figure of a paper", |ui, d| {
        d.papers.look(0);
        panel_ui(ui, &d.papers)
    }),
    ("palette", |ui, d| {
        let ctx = ui.ctx().clone();
        let found = palette_ui(
            &ctx,
            &d.session,
            d.look.dark,
            &d.preferences,
            &d.scene_list,
            &mut d.finder,
        );
        found.map(|f| f.1).into_iter().collect()
    }),
    ("help", |ui, _| {
        help_ui(ui.ctx(), true);
        Vec::new()
    }),
    ("views", |ui, d| {
        let view = View::of(&d.session);
        views_ui(
            &ui.ctx().clone(),
            &d.session,
            &d.preferences,
            &view,
            ui.max_rect(),
        )
    }),
    ("question of saving", |ui, d| {
        question_ui(ui, d.editor.question.as_mut().unwrap())
    }),
    ("question of a changed file", |ui, _| {
        question_ui(ui, &mut Question::Changed("mine.ron".into()))
    }),
    ("question of reading again", |ui, _| {
        question_ui(ui, &mut Question::Reload)
    }),
    ("solver", |ui, d| {
        solver_ui(ui, &d.session, &mut d.highlight, &mut d.solver_view)
    }),
    ("profiler", |ui, d| {
        d.session.simulation.set_profiling(true);
        profiler_ui(ui, &d.session);
        Vec::new()
    }),
    ("your plots", |ui, d| {
        quantities_ui(
            ui,
            &d.session,
            &mut d.look,
            &d.highlight,
            &mut d.custom_plots,
        )
    }),
    ("compare", |ui, d| compare_ui(ui, &d.session, &d.comparing)),
    ("table of lanes", |ui, d| {
        lane_table_ui(ui, &d.comparing, false)
    }),
    ("plots of lanes", |ui, d| {
        lane_plots_ui(ui, &d.session, &mut d.look, &d.comparing)
    }),
    ("convergence", |ui, d| {
        study_ui(ui, &d.session, &d.comparing)
    }),
    ("opening", |ui, d| {
        let opening = OpeningStatus {
            spec: "net:".into(),
            stage: Stage::Reading,
            seconds: 3.0,
        };
        opening_ui(&ui.ctx().clone(), &opening, ui.max_rect(), d.look.dark)
    }),
];

/// A scene with something selected and everything that can be shown of it.
pub fn desk(spec: &str, selection: Option<Selection>) -> Desk {
    dressed(desk::desk(spec), selection)
}

/// A desk with something of everything to show.
fn dressed(mut desk: Desk, selection: Option<Selection>) -> Desk {
    desk.highlight.selection = selection;
    desk.workspace.side = Some(Side::Inspector);
    for mark in driftless::window::state::layers::MARKS {
        desk.look.toggle(mark.layer);
    }
    desk.notices.scene = Some("something is wrong".into());
    desk.editor.question = Some(Question::Save {
        path: "mine.ron".into(),
        lost: vec!["// What the arm is for.".into()],
    });
    desk.preferences.recent = vec!["/some/where/mine.ron".into()];
    desk.recording.films = vec![FilmStatus {
        path: "film.mp4".into(),
        progress: Default::default(),
        frames: Some(10),
        stops: false,
    }];
    desk
}

/// A panel with room for all its controls.
pub fn show(panel: Panel, desk: Desk) -> Harness<'static, Desk> {
    let mut harness = desk::begin(desk, [1300.0, 3000.0], panel);
    harness.run_steps(4);
    harness
}

/// Whether a person can do something with it.
fn is_control(node: &Node<'_>) -> bool {
    matches!(
        node.accesskit_node().role(),
        Role::Button
            | Role::CheckBox
            | Role::RadioButton
            | Role::ComboBox
            | Role::TextInput
            | Role::SpinButton
            | Role::Slider
            | Role::Link
    )
}

/// All controls below a node.
pub fn controls<'a>(root: Node<'a>) -> Vec<Node<'a>> {
    let mut found = Vec::new();
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        pending.extend(node.children());
        if is_control(&node) {
            found.push(node);
        }
    }
    found
}

/// The scenes and selections that bring up every control there is.
pub fn desks() -> [Desk; 4] {
    let lanes = [("heun", 0.5), ("rk4", 1.0), ("variational-4", 1.0)];
    let mut compared = lanes::compared("box_slope", &lanes);
    lanes::ask(&mut compared, CompareCommand::Study(true));
    [
        dressed(desk::desk_of(compared), Some(Selection::Body(BodyId(0)))),
        desk("double_pendulum", Some(Selection::Joint(JointId(0)))),
        desk("box_stack", Some(Selection::Body(BodyId(0)))),
        desk("flyball_governor", Some(Selection::Body(BodyId(1)))),
    ]
}

#[test]
fn every_control_has_a_name_of_words() {
    let mut problems = BTreeSet::new();
    let mut count = 0;
    for (name, panel) in PANELS {
        for desk in desks() {
            let scene = desk.session.scene.name.clone();
            let harness = show(panel, desk);
            for control in controls(harness.root()) {
                count += 1;
                let node = control.accesskit_node();
                let label = node.label().unwrap_or_default();
                if !label.chars().any(char::is_alphabetic) {
                    let value = node.value().unwrap_or_default();
                    problems.insert(format!(
                        "{name}, {scene}: {:?} `{label}` with value `{value}` at {:?}",
                        node.role(),
                        control.rect()
                    ));
                }
            }
        }
    }
    assert!(count > 300, "the panels have controls: {count}");
    assert!(problems.is_empty(), "{problems:#?}");
}
