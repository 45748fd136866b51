//! Every control of every panel has a name that can be read aloud, and says under the pointer what it does.

use bevy_egui::egui::{self, accesskit::Role};
use driftless::app::editing::Question;
use driftless::app::gallery::GalleryState;
use driftless::app::{
    Action, Comparing, FilmStatus, FinderState, OpeningStatus, Pacing, Selection, Session, Shell,
    Side, Stage, panels,
};
use driftless::model::{BodyId, JointId};
use egui_kittest::kittest::NodeT;
use egui_kittest::{Harness, Node};
use std::collections::BTreeSet;

/// What the panels show.
struct Desk {
    session: Session,
    shell: Shell,
    pacing: Pacing,
    comparing: Comparing,
    gallery: GalleryState,
    finder: FinderState,
}

type Panel = fn(&mut egui::Ui, &mut Desk);

/// Everything with controls, by the name under which a failure is told.
const PANELS: [(&str, Panel); 13] = [
    ("toolbar", |ui, d| {
        drop(panels::toolbar_ui(ui, &d.session, &d.shell, &d.comparing))
    }),
    ("transport", |ui, d| {
        drop(panels::transport_ui(ui, &d.session, &d.pacing))
    }),
    ("status", |ui, d| {
        drop(panels::status_ui(ui, &d.session, &d.shell))
    }),
    ("list of scenes", |ui, d| {
        drop(panels::browser_ui(ui, &d.session, &mut d.shell))
    }),
    ("inspector", |ui, d| {
        drop(panels::inspector_ui(ui, &mut d.session, &d.shell))
    }),
    ("settings", |ui, d| {
        drop(panels::settings_ui(ui, &d.session, &d.shell))
    }),
    ("layers", |ui, d| {
        drop(panels::layers_ui(ui, &d.session, &d.shell));
    }),
    ("record", |ui, d| {
        drop(panels::record_ui(ui, &d.session, &d.shell))
    }),
    ("plots", |ui, d| {
        drop(panels::plots_ui(ui, &d.session, &mut d.shell))
    }),
    ("gallery", |ui, d| {
        drop(panels::gallery_ui(ui, &d.session, &d.shell, &mut d.gallery))
    }),
    ("palette", |ui, d| {
        drop(panels::finder_ui(
            &ui.ctx().clone(),
            &d.session,
            &d.shell,
            &mut d.finder,
        ));
    }),
    ("question", |ui, d| {
        drop(panels::question_ui(ui, &mut d.shell));
    }),
    ("opening", |ui, d| {
        let opening = OpeningStatus {
            spec: "net:".into(),
            stage: Stage::Reading,
            seconds: 3.0,
        };
        drop(panels::opening_ui(
            &ui.ctx().clone(),
            &opening,
            ui.max_rect(),
            d.shell.dark,
        ));
    }),
];

fn desk(spec: &str, selection: Option<Selection>) -> Desk {
    let scene = driftless::scene::open(spec, &[]).expect("the scene is shipped");
    let session = Session::new(scene).expect("the scene runs");
    let mut shell = Shell::default();
    shell.scene_opened(&session);
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
    Desk {
        session,
        shell,
        pacing: Pacing::default(),
        comparing: Comparing::default(),
        gallery: GalleryState::default(),
        finder: FinderState::default(),
    }
}

fn show(panel: Panel, desk: Desk) -> Harness<'static, Desk> {
    let draw = move |ui: &mut egui::Ui, desk: &mut Desk| panel(ui, desk);
    let mut harness = Harness::builder()
        .with_size(egui::vec2(900.0, 3000.0))
        .build_ui_state(draw, desk);
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
fn desks() -> [Desk; 3] {
    [
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
        // The palette shows what an entry does; its keys stand at its right.
        if name == "palette" {
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
                harness.hover_at(egui::pos2(899.0, 2999.0));
                harness.run_steps(2);
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn tooltips_name_only_keys_that_work() {
    let hints = |single: bool| {
        let draw = move |ui: &mut egui::Ui, desk: &mut Desk| {
            panels::set_single_keys(ui.ctx(), single);
            drop::<Vec<Action>>(panels::toolbar_ui(
                ui,
                &desk.session,
                &desk.shell,
                &desk.comparing,
            ));
        };
        let mut harness = Harness::builder()
            .with_size(egui::vec2(1280.0, 200.0))
            .build_ui_state(draw, desk("pendulum", None));
        harness.ctx.all_styles_mut(|style| {
            style.interaction.tooltip_delay = 0.0;
            style.interaction.show_tooltips_only_when_still = false;
        });
        let mut said = String::new();
        harness.run_steps(2);
        for wanted in ["Inspector", "Plots"] {
            use egui_kittest::kittest::Queryable;
            harness.get_by_label(wanted).hover();
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
    };
    let with = hints(true);
    assert!(with.contains("(I)") && with.contains("(F4)"), "{with}");
    let without = hints(false);
    assert!(
        !without.contains("(I)") && without.contains("(F4)"),
        "{without}"
    );
}
