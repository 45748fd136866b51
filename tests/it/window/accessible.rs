//! Every control of every panel has a name that can be read aloud.

use crate::window::fixture::{self, Fixture, Panel};
use crate::window::lanes;
use bevy::prelude::World;
use bevy_egui::egui::Ui;
use bevy_egui::egui::accesskit::Role;
use driftless::model::{BodyId, JointId};
use driftless::window::camera::view::View;
use driftless::window::commands::compare::CompareCommand;
use driftless::window::compare::panel::overlay::lane_plots_ui;
use driftless::window::compare::panel::study::study_ui;
use driftless::window::compare::panel::table::lane_table_ui;
use driftless::window::editing::Question;
use driftless::window::editing::question_ui::question_ui;
use driftless::window::layout::status::status_ui;
use driftless::window::layout::toolbar::toolbar_ui;
use driftless::window::layout::views_menu::views_ui;
use driftless::window::palette::help_ui::help_ui;
use driftless::window::palette::palette_ui::palette_ui;
use driftless::window::papers::cards_ui::papers_ui;
use driftless::window::papers::panel_ui::panel_ui;
use driftless::window::playback::transport_ui::transport_ui;
use driftless::window::record::FilmStatus;
use driftless::window::scenes::gallery_ui::gallery_ui;
use driftless::window::scenes::opening::{OpeningStatus, Stage};
use driftless::window::scenes::opening_ui::opening_ui;
use driftless::window::state::panels::{PANELS, PanelId};
use driftless::window::state::selection::Selection;
use driftless::window::theme::fonts::fonts;
use driftless::window::ui::panels;
use egui_kittest::kittest::NodeT;
use egui_kittest::{Harness, Node};
use std::collections::BTreeSet;

/// Everything with controls beside the table of panels, by the name under which a failure is told.
pub const OTHERS: [(&str, Panel); 16] = [
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
    ("transport", |ui, d| {
        transport_ui(ui, &d.session, &d.playback)
    }),
    ("status", |ui, d| {
        status_ui(ui, &d.session, &d.notices, &d.jobs)
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
            &mut d.palette,
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
pub fn fixture(spec: &str, selection: Option<Selection>) -> Fixture {
    dressed(fixture::fixture(spec), selection)
}

/// A fixture with something of everything to show.
fn dressed(mut fixture: Fixture, selection: Option<Selection>) -> Fixture {
    fixture.highlight.selection = selection;
    fixture.workspace.open(PanelId::Inspector);
    fixture.session.set_profiling(true);
    for layer in driftless::window::state::layers::LAYERS {
        fixture.look.layers.style_mut(layer.layer).shown = true;
    }
    fixture.notices.scene = Some("something is wrong".into());
    fixture.editor.question = Some(Question::Save {
        path: "mine.ron".into(),
        lost: vec!["// What the arm is for.".into()],
    });
    fixture.preferences.recent = vec!["/some/where/mine.ron".into()];
    fixture.recording.films = vec![FilmStatus {
        path: "film.mp4".into(),
        done: 0,
        time: 0.0,
        frames: Some(10),
        taken: None,
        stops: false,
    }];
    fixture
}

/// What a walk through all controls looks at: a panel of the table, or something beside it.
#[derive(Clone, Copy)]
pub enum Place {
    Panel(PanelId),
    Other(Panel),
}

/// Everything with controls, by the name under which a failure is told.
pub fn places() -> impl Iterator<Item = (&'static str, Place)> {
    let panels = PANELS
        .iter()
        .map(|row| (row.title, Place::Panel(row.panel)));
    panels.chain(OTHERS.map(|(name, panel)| (name, Place::Other(panel))))
}

/// What is shown of a place.
pub enum Shown {
    Panel(PanelId, Box<World>),
    Other(Panel, Box<Fixture>),
}

impl Shown {
    /// A place with all that it shows.
    pub fn of(place: Place, fixture: Fixture) -> Self {
        match place {
            Place::Panel(panel) => Self::Panel(panel, Box::new(fixture::world(fixture))),
            Place::Other(panel) => Self::Other(panel, Box::new(fixture)),
        }
    }

    /// Draws it.
    pub fn draw(&mut self, ui: &mut Ui) {
        match self {
            Self::Panel(panel, world) => drop(panels::panel_ui(world, *panel, ui)),
            Self::Other(panel, fixture) => drop(panel(ui, fixture)),
        }
    }
}

/// A place with room for all its controls.
pub fn show(place: Place, fixture: Fixture) -> Harness<'static, Shown> {
    let draw = |ui: &mut Ui, shown: &mut Shown| shown.draw(ui);
    let builder = Harness::builder().with_size([1300.0, 3000.0]);
    let mut harness = builder
        .with_max_steps(64)
        .build_ui_state(draw, Shown::of(place, fixture));
    harness.ctx.set_fonts(fonts());
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
pub fn desks() -> [Fixture; 4] {
    let lanes = [("heun", 0.5), ("rk4", 1.0), ("variational-4", 1.0)];
    let mut compared = lanes::compared("box_slope", &lanes);
    lanes::ask(&mut compared, CompareCommand::Study(true));
    [
        dressed(
            fixture::fixture_of(compared),
            Some(Selection::body(BodyId(0))),
        ),
        fixture("double_pendulum", Some(Selection::joint(JointId(0)))),
        fixture("box_stack", Some(Selection::body(BodyId(0)))),
        fixture("flyball_governor", Some(Selection::body(BodyId(1)))),
    ]
}

#[test]
fn every_control_has_a_name_of_words() {
    let mut problems = BTreeSet::new();
    let mut count = 0;
    for (name, place) in places() {
        let before = count;
        for fixture in desks() {
            let scene = fixture.session.scene().name.clone();
            let harness = show(place, fixture);
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
        // The profiler alone has none: it is read.
        assert!(
            count > before || name == PanelId::Profiler.info().title,
            "{name} is not drawn"
        );
    }
    assert!(count > 300, "the panels have controls: {count}");
    assert!(problems.is_empty(), "{problems:#?}");
}
