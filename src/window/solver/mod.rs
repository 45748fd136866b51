//! The solver's own picture: graph, block matrix before and after ordering, count of operations, for the open scene
//! as the solver in use treats it.

mod graph;
mod matrix;
pub mod profiler_ui;
mod sheet;
mod tree;
mod words;

use crate::commands::Command;
use crate::session::Session;
use crate::solver::matrix::{BlockOrder, fill_shade, matrix_ui};
use crate::solver::sheet::Framing;
use crate::solver::tree::Tree;
use crate::state::highlight::Highlight;
use crate::state::panels::PanelId;
use crate::state::selection::Selection;
use crate::text::format;
use crate::theme::{Palette, colour};
use crate::ui::panels::AddPanel;
use bevy::prelude::{InMut, Res, ResMut, Resource, World};
use bevy_egui::egui::{self, Rect, RichText, Sense, Ui, pos2, vec2};
use physics::integrators::LinearSolver;
use physics::solver::Plan;
use std::sync::Arc;

/// How the picture is seen, and what it was last drawn from.
#[derive(Resource, Debug, Clone, Default)]
pub struct SolverView {
    /// Graph, matrix before and after ordering.
    framings: [Framing; 3],
    /// Which of them are hidden.
    hidden: [bool; 3],
    drawn: Option<Arc<PlanPicture>>,
    key: Option<Key>,
    /// Nodes under the pointer.
    pointed: Vec<usize>,
    serial: u64,
}

/// What the picture depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Key {
    generation: u64,
    /// Where the model is in memory: an edit replaces it.
    model: usize,
    integrator: &'static str,
    solver: LinearSolver,
    /// Steps taken, where contacts come and go.
    step: u64,
}

/// A plan with all that is drawn of it.
#[derive(Debug, Clone)]
struct PlanPicture {
    plan: Plan,
    tree: Tree,
    /// Place in the order of every node.
    places: Vec<usize>,
    natural: Vec<usize>,
    /// Blocks filled in, in the order of elimination and in that of the model.
    fill: [usize; 2],
    /// Changes with the plan.
    serial: u64,
}

/// Nodes that are marked.
#[derive(Debug, Default)]
struct LitNodes {
    selected: Vec<usize>,
    pointed: Vec<usize>,
}

const TILES: [(&str, &str); 3] = [
    (
        "Graph",
        "Bodies are squares, constraints circles, numbered in the order of elimination",
    ),
    (
        "Before",
        "Blocks of the matrix in the order of the model, with what elimination would add",
    ),
    (
        "After",
        "Blocks of the matrix in the order of elimination, with what it adds",
    ),
];

impl SolverView {
    /// The picture of the session as it is now; none if its method does not say what it solves.
    fn update(&mut self, session: &Session) -> Option<Arc<PlanPicture>> {
        let model = session.model();
        let key = Key {
            generation: session.generation(),
            model: std::ptr::from_ref(model) as usize,
            integrator: session.integrator().name,
            solver: session.settings().linear_solver,
            step: if model.has_unilateral() {
                session.state().step
            } else {
                0
            },
        };
        if let Some(drawn) = &self.drawn
            && self.key == Some(key)
        {
            return Some(drawn.clone());
        }
        let plan = session.plan()?;
        let same_scene = self.key.is_some_and(|k| k.generation == key.generation);
        self.key = Some(key);
        if let Some(drawn) = &self.drawn
            && drawn.plan == plan
        {
            return Some(drawn.clone());
        }
        if !same_scene {
            self.framings = Default::default();
        }
        self.pointed.clear();
        self.serial += 1;
        let drawn = Arc::new(PlanPicture {
            tree: Tree::of(&plan),
            places: plan.places(),
            natural: (0..plan.nodes.len()).collect(),
            fill: [plan.fill(), plan.unordered_fill()],
            serial: self.serial,
            plan,
        });
        self.drawn = Some(drawn.clone());
        Some(drawn)
    }
}

/// The panel.
pub fn panel(
    InMut(ui): InMut<Ui>,
    session: Res<Session>,
    mut highlight: ResMut<Highlight>,
    mut solver_view: ResMut<SolverView>,
) -> Vec<Command> {
    solver_ui(ui, &session, &mut highlight, &mut solver_view)
}

/// Draws the picture.
pub fn solver_ui(
    ui: &mut Ui,
    session: &Session,
    highlight: &mut Highlight,
    solver_view: &mut SolverView,
) -> Vec<Command> {
    let mut out = Vec::new();
    let Some(drawn) = solver_view.update(session) else {
        let name = session.integrator().name;
        ui.label(format!(
            "{name} does not say what linear systems it solves."
        ));
        return out;
    };
    let model = session.model();
    ui.horizontal(|ui| heading_ui(ui, &drawn, &mut solver_view.hidden));
    let kind = |k: &usize| drawn.plan.nodes[*k].kind;
    let is_selected = |k: &usize| {
        highlight.selection.is_some() && words::selection(kind(k), model) == highlight.selection
    };
    let marks = LitNodes {
        selected: (0..drawn.plan.nodes.len()).filter(is_selected).collect(),
        pointed: std::mem::take(&mut solver_view.pointed),
    };
    let shown: Vec<usize> = (0..3).filter(|&k| !solver_view.hidden[k]).collect();
    let room = ui.available_rect_before_wrap();
    let mut pointed = Vec::new();
    let mut words = None;
    for (tile, rect) in shown.iter().zip(columns(room, shown.len())) {
        let palette = Palette::worn(ui);
        ui.painter().rect_filled(rect, 4.0, colour(palette.well));
        let framing = &mut solver_view.framings[*tile];
        let found = match tile {
            0 => graph::graph_ui(ui, rect, &drawn, model, &marks, framing).map(|k| {
                let node = &drawn.plan.nodes[k];
                let name = words::name(node.kind, model);
                (
                    vec![k],
                    format!(
                        "{name}: {} unknowns, number {}",
                        node.size,
                        drawn.places[k] + 1
                    ),
                )
            }),
            1 => matrix_ui(ui, rect, &drawn, BlockOrder::Before, model, &marks, framing),
            _ => matrix_ui(ui, rect, &drawn, BlockOrder::After, model, &marks, framing),
        };
        let font = egui::FontId::proportional(crate::theme::size::TEXT.0);
        let corner = rect.min + vec2(8.0, 4.0);
        let title = TILES[*tile].0;
        ui.painter()
            .text(corner, egui::Align2::LEFT_TOP, title, font, palette.faint());
        if let Some((nodes, text)) = found {
            pointed = nodes;
            words = Some(text);
        }
    }
    ui.allocate_rect(room, Sense::hover());
    if let Some(text) = words {
        egui::Tooltip::always_open(
            ui.ctx().clone(),
            ui.layer_id(),
            ui.id().with("block"),
            egui::PopupAnchor::Pointer,
        )
        .gap(14.0)
        .show(|ui| ui.label(text));
        let clicked = ui.input(|i| i.pointer.primary_clicked());
        let first = pointed
            .iter()
            .find_map(|k| words::selection(kind(k), model));
        if let Some(selection) = first.filter(|_| clicked) {
            out.push(Command::Select(Some(selection)));
        }
    }
    highlight.pointed = pointed
        .iter()
        .filter_map(|k| words::selection(kind(k), model))
        .collect::<Vec<Selection>>();
    solver_view.pointed = pointed;
    out
}

/// What is solved and how, what it costs, and which pictures are shown.
fn heading_ui(ui: &mut Ui, drawn: &PlanPicture, hidden: &mut [bool; 3]) {
    let plan = &drawn.plan;
    let (name, meaning) = words::scheme(plan.scheme);
    ui.label(RichText::new(name).strong())
        .on_hover_text(meaning);
    for (text, meaning) in [
        (
            format!("{} nodes, {} unknowns", plan.nodes.len(), plan.unknowns()),
            "Bodies and constraints, and the numbers that are solved for",
        ),
        (
            format!("{} blocks", format::grouped(plan.block_count())),
            "Blocks that are not zero after elimination, the diagonal and both sides of it",
        ),
        (
            format!(
                "{} filled in ({} in the order of the model)",
                format::grouped(drawn.fill[0]),
                format::grouped(drawn.fill[1])
            ),
            "Blocks below the diagonal that elimination adds",
        ),
        (
            format!("{} multiplications", format::grouped(plan.operations)),
            "Of one factorisation and solve",
        ),
    ] {
        ui.separator();
        ui.label(RichText::new(text).small()).on_hover_text(meaning);
    }
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        for (k, (name, meaning)) in TILES.iter().enumerate().rev() {
            let shown = !hidden[k];
            let button = egui::Button::selectable(shown, *name).small();
            if ui.add(button).on_hover_text(*meaning).clicked() {
                hidden[k] = shown;
            }
        }
        let (mark, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
        let dark = ui.visuals().dark_mode;
        ui.painter()
            .circle_filled(mark.center(), 4.0, fill_shade(dark));
        ui.label(
            RichText::new("filled in")
                .small()
                .color(Palette::worn(ui).faint()),
        );
        if ui.available_width() > 260.0 {
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                graph::legend_ui(ui, drawn);
            });
        }
    });
}

/// So many columns of equal width.
fn columns(room: Rect, count: usize) -> impl Iterator<Item = Rect> {
    let gap = 8.0;
    let width = (room.width() - gap * count.saturating_sub(1) as f32) / count.max(1) as f32;
    (0..count).map(move |k| {
        let left = room.left() + k as f32 * (width + gap);
        Rect::from_min_max(pos2(left, room.top()), pos2(left + width, room.bottom()))
    })
}

/// What the panels of this room draw.
pub fn add_panels(world: &mut World) {
    world
        .add_panel(PanelId::Solver, panel)
        .add_panel(PanelId::Profiler, profiler_ui::panel);
}
