//! Every control of every panel has a name that can be read aloud, and says under the pointer what it does.

use crate::window::compare_window;
use crate::window::desk::{self, Desk, Panel};
use bevy_egui::egui::{self, accesskit::Role};
use driftless::app::compare::CompareWish;
use driftless::app::editing::Question;
use driftless::app::{CameraMode, FilmStatus, OpeningStatus, Selection, Side, Stage, panels};
use driftless::model::{BodyId, JointId};
use egui_kittest::kittest::NodeT;
use egui_kittest::{Harness, Node};
use std::collections::BTreeSet;

/// Everything with controls, by the name under which a failure is told.
const PANELS: [(&str, Panel); 24] = [
    ("toolbar", |ui, d| {
        panels::toolbar_ui(ui, &d.session, &d.shell, &d.comparing)
    }),
    ("transport", |ui, d| {
        panels::transport_ui(ui, &d.session, &d.pacing)
    }),
    ("status", |ui, d| {
        panels::status_ui(ui, &d.session, &d.shell)
    }),
    ("list of scenes", |ui, d| {
        panels::browser_ui(ui, &d.session, &mut d.shell)
    }),
    ("inspector", |ui, d| {
        panels::inspector_ui(ui, &mut d.session, &d.shell)
    }),
    ("settings", |ui, d| {
        panels::settings_ui(ui, &d.session, &d.shell)
    }),
    ("layers", |ui, d| {
        panels::layers_ui(ui, &d.session, &d.shell)
    }),
    ("record", |ui, d| {
        panels::record_ui(ui, &d.session, &d.shell)
    }),
    ("plots", |ui, d| {
        panels::plots_ui(ui, &d.session, &mut d.shell)
    }),
    ("gallery", |ui, d| {
        panels::gallery_ui(ui, &d.session, &d.shell, &mut d.gallery)
    }),
    ("palette", |ui, d| {
        let ctx = ui.ctx().clone();
        let found = panels::finder_ui(&ctx, &d.session, &d.shell, &mut d.finder);
        found.map(|f| f.1).into_iter().collect()
    }),
    ("help", |ui, _| {
        panels::help_ui(ui.ctx(), true);
        Vec::new()
    }),
    ("views", |ui, d| {
        let mode = CameraMode::default();
        panels::views_ui(&ui.ctx().clone(), &d.shell, mode, ui.max_rect())
    }),
    ("question of saving", |ui, d| {
        panels::question_ui(ui, &mut d.shell)
    }),
    ("question of a changed file", |ui, d| {
        d.shell.desk.question = Some(Question::Changed("mine.ron".into()));
        panels::question_ui(ui, &mut d.shell)
    }),
    ("question of reading again", |ui, d| {
        d.shell.desk.question = Some(Question::Reload);
        panels::question_ui(ui, &mut d.shell)
    }),
    ("solver", |ui, d| {
        panels::solver_ui(ui, &d.session, &mut d.shell)
    }),
    ("profiler", |ui, d| {
        d.session.simulation.set_profiling(true);
        panels::profiler_ui(ui, &d.session);
        Vec::new()
    }),
    ("your plots", |ui, d| {
        panels::quantities_ui(ui, &d.session, &mut d.shell)
    }),
    ("compare", |ui, d| {
        panels::compare_ui(ui, &d.session, &d.comparing)
    }),
    ("table of lanes", |ui, d| {
        panels::lane_table_ui(ui, &d.comparing, false)
    }),
    ("plots of lanes", |ui, d| {
        panels::lane_plots_ui(ui, &d.session, &mut d.shell, &d.comparing)
    }),
    ("convergence", |ui, d| {
        panels::study_ui(ui, &d.session, &d.comparing)
    }),
    ("opening", |ui, d| {
        let opening = OpeningStatus {
            spec: "net:".into(),
            stage: Stage::Reading,
            seconds: 3.0,
        };
        panels::opening_ui(&ui.ctx().clone(), &opening, ui.max_rect(), d.shell.dark)
    }),
];

fn desk(spec: &str, selection: Option<Selection>) -> Desk {
    dressed(desk::desk(spec), selection)
}

/// A desk with something of everything to show.
fn dressed(mut desk: Desk, selection: Option<Selection>) -> Desk {
    let shell = &mut desk.shell;
    shell.selection = selection;
    shell.side = Some(Side::Inspector);
    for mark in driftless::app::layers::MARKS {
        shell.toggle(mark.layer);
    }
    shell.notices.scene = Some("something is wrong".into());
    shell.desk.question = Some(Question::Save {
        path: "mine.ron".into(),
        lost: vec!["// What the arm is for.".into()],
    });
    shell.recent = vec!["/some/where/mine.ron".into()];
    shell.films = vec![FilmStatus {
        path: "film.mp4".into(),
        progress: Default::default(),
        frames: Some(10),
        stops: false,
    }];
    desk
}

fn show(panel: Panel, desk: Desk) -> Harness<'static, Desk> {
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
fn controls<'a>(root: Node<'a>) -> Vec<Node<'a>> {
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
fn desks() -> [Desk; 4] {
    let lanes = [("heun", 0.5), ("rk4", 1.0), ("variational-4", 1.0)];
    let mut compared = compare_window::compared("box_slope", &lanes);
    compare_window::ask(&mut compared, CompareWish::Study(true));
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

/// Texts that are shown now, tooltips included.
fn texts(harness: &Harness<'static, Desk>) -> usize {
    let mut count = 0;
    let mut pending = vec![harness.root()];
    while let Some(node) = pending.pop() {
        pending.extend(node.children());
        count += usize::from(node.accesskit_node().role() == Role::Label);
    }
    count
}

#[test]
fn every_control_says_under_the_pointer_what_it_does() {
    let mut problems = BTreeSet::new();
    for (name, panel) in PANELS {
        // The palette shows what an entry does; its keys stand at its right. The help has nothing but the cross of its
        // frame.
        if name == "palette" || name == "help" {
            continue;
        }
        for desk in desks() {
            let mut harness = show(panel, desk);
            harness.ctx.all_styles_mut(|style| {
                style.interaction.tooltip_delay = 0.0;
                style.interaction.show_tooltips_only_when_still = false;
            });
            harness.run_steps(2);
            let before = texts(&harness);
            let places: Vec<(String, egui::Pos2)> = controls(harness.root())
                .iter()
                .map(|c| {
                    (
                        c.accesskit_node().label().unwrap_or_default(),
                        c.rect().center(),
                    )
                })
                .filter(|(_, at)| at.y < 3000.0)
                .collect();
            for (label, at) in places {
                harness.hover_at(at);
                harness.run_steps(3);
                if texts(&harness) <= before {
                    problems.insert(format!("{name}: `{label}`"));
                }
                harness.hover_at(egui::pos2(1299.0, 2999.0));
                harness.run_steps(2);
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

/// What is said under the pointer about controls with these names.
fn hints(desk: Desk, panel: Panel, names: &[&str]) -> String {
    use egui_kittest::kittest::Queryable;
    let mut harness = desk::show(desk, [1280.0, 900.0], panel);
    harness.ctx.all_styles_mut(|style| {
        style.interaction.tooltip_delay = 0.0;
        style.interaction.show_tooltips_only_when_still = false;
    });
    let mut said = String::new();
    harness.run_steps(2);
    for wanted in names {
        let control = harness.get_all_by_label(wanted).next();
        control.expect("it is there").hover();
        harness.run_steps(3);
        let mut pending = vec![harness.root()];
        while let Some(node) = pending.pop() {
            pending.extend(node.children());
            let node = node.accesskit_node();
            if node.role() == Role::Label {
                said += &node.value().or_else(|| node.label()).unwrap_or_default();
            }
        }
    }
    said
}

#[test]
fn tooltips_name_only_keys_that_work() {
    let toolbar = |single: bool| {
        let panel: Panel = match single {
            true => |ui, d| {
                panels::set_single_keys(ui.ctx(), true);
                panels::toolbar_ui(ui, &d.session, &d.shell, &d.comparing)
            },
            false => |ui, d| {
                panels::set_single_keys(ui.ctx(), false);
                panels::toolbar_ui(ui, &d.session, &d.shell, &d.comparing)
            },
        };
        hints(desk("pendulum", None), panel, &["Inspector", "Plots"])
    };
    let with = toolbar(true);
    assert!(with.contains("(I)") && with.contains("(F4)"), "{with}");
    let without = toolbar(false);
    assert!(
        !without.contains("(I)") && without.contains("(F4)"),
        "{without}"
    );
}

#[test]
fn the_buttons_of_lanes_name_their_keys() {
    let lanes = || {
        let app = compare_window::compared("pendulum", &[("heun", 1.0), ("rk4", 1.0)]);
        desk::desk_of(app)
    };
    let table: Panel = |ui, d| panels::lane_table_ui(ui, &d.comparing, false);
    let panel: Panel = |ui, d| panels::compare_ui(ui, &d.session, &d.comparing);
    let said = hints(lanes(), table, &["Synchronise", "Lead"]);
    assert!(
        said.contains("(Shift + K)") && said.contains("(K)"),
        "{said}"
    );
    let tall = hints(lanes(), panel, &["Synchronise"]);
    assert!(tall.contains("(Shift + K)"), "{tall}");
}
