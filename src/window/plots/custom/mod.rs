//! Plots that a person builds of any quantities, side by side.

pub mod absent;
mod draw;
mod edit;
mod picker;

use crate::commands::Command;
use crate::plots::custom::absent::Lost;
use crate::plots::custom::edit::Slot;
use crate::plots::store::PlotStore;
use crate::session::Session;
use crate::state::highlight::Highlight;
use crate::state::look::Look;
use crate::theme::{Palette, colour};
use bevy::prelude::{InMut, Res, ResMut, Resource};
use bevy_egui::egui::{self, Frame, Margin, RichText, ScrollArea, Ui, vec2};
use physics::diagnostics::{Chart, Quantity, Section};
use physics::scene::{ChartFile, chart_file, write_charts};

/// The plots, and which of them is being changed.
#[derive(Resource, Debug, Clone, PartialEq, Default)]
pub struct CustomPlots {
    /// The plots, in order.
    pub charts: Vec<Chart>,
    /// The plot that is being changed, and what a click on a quantity does.
    pub edited: Option<(usize, Slot)>,
    /// What is typed into the search for quantities.
    pub search: String,
    /// The plots as the scene's edits know them.
    pub known: Vec<Chart>,
    /// The plots that the scene's file holds.
    pub of_file: Vec<ChartFile>,
    /// The plots of all scenes.
    pub kept: PlotStore,
    /// Plots of what is not there now.
    pub absent: Vec<Lost>,
}

/// Least width of a plot, and width of the column in which one is changed.
const WIDTHS: (f32, f32) = (280.0, 300.0);

/// The panel.
pub fn panel(
    InMut(ui): InMut<Ui>,
    session: Res<Session>,
    mut look: ResMut<Look>,
    highlight: Res<Highlight>,
    mut custom_plots: ResMut<CustomPlots>,
) -> Vec<Command> {
    quantities_ui(ui, &session, &mut look, &highlight, &mut custom_plots)
}

/// Draws the plots.
pub fn quantities_ui(
    ui: &mut Ui,
    session: &Session,
    look: &mut Look,
    highlight: &Highlight,
    custom_plots: &mut CustomPlots,
) -> Vec<Command> {
    let mut out = Vec::new();
    ui.horizontal(|ui| {
        for (label, meaning, chart) in templates(session) {
            if ui.button(label).on_hover_text(meaning).clicked() {
                let slot = if chart.curves.is_empty() {
                    Slot::Curve
                } else {
                    Slot::None
                };
                custom_plots.charts.push(chart);
                custom_plots.edited = Some((custom_plots.charts.len() - 1, slot));
            }
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let copy = ui
                .add_enabled(!custom_plots.charts.is_empty(), egui::Button::new("Copy"))
                .on_hover_text("Copy these plots as the field `charts` of the scene file")
                .on_disabled_hover_text("There is nothing to copy yet");
            if copy.clicked() {
                let model = session.model();
                let charts = custom_plots.charts.iter();
                let files: Vec<_> = charts.map(|c| chart_file(c, model)).collect();
                ui.ctx().copy_text(write_charts(&files));
            }
        });
    });
    if custom_plots.charts.is_empty() {
        ui.label("Nothing is plotted yet: begin with one of the buttons above, then click what it should show.");
        return out;
    }
    let room = ui.available_rect_before_wrap();
    let edited = custom_plots
        .edited
        .filter(|(k, _)| *k < custom_plots.charts.len());
    let left = if edited.is_some() { WIDTHS.1 } else { 0.0 };
    if let Some((k, slot)) = edited {
        let column = egui::Rect::from_min_size(room.min, vec2(left - 10.0, room.height()));
        ui.scope_builder(egui::UiBuilder::new().max_rect(column), |ui| {
            custom_plots.edited =
                edit::edit_ui(ui, session, highlight.selection, custom_plots, k, slot);
        });
    }
    let rest = egui::Rect::from_min_max(room.min + vec2(left, 0.0), room.max);
    ui.scope_builder(egui::UiBuilder::new().max_rect(rest), |ui| {
        plots_ui(ui, session, look, custom_plots, rest, &mut out);
    });
    ui.allocate_rect(room, egui::Sense::hover());
    out
}

/// What a new plot can begin with.
fn templates(session: &Session) -> [(&'static str, &'static str, Chart); 3] {
    let model = session.model();
    let coordinate = |column: &str| {
        let joint = model.joints.iter().find(|j| j.kind.freedoms() > 0)?;
        Quantity::named(&format!("{}.{column}", joint.name), model)
    };
    let phase = match (coordinate("q0"), coordinate("rate0")) {
        (Some(x), Some(rate)) => Chart {
            x,
            curves: vec![rate],
            ..Chart::default()
        },
        _ => Chart::default(),
    };
    let section = phase.curves.first().map(|rate| Section {
        of: *rate,
        level: 0.0,
        rising: true,
    });
    let poincare = Chart {
        section,
        ..phase.clone()
    };
    [
        ("+ over time", "Quantities against time", Chart::default()),
        ("+ phase portrait", "One quantity against another", phase),
        (
            "+ Poincaré section",
            "One quantity against another, only where a third one passes a value",
            poincare,
        ),
    ]
}

/// The plots side by side, each as wide as there is room.
fn plots_ui(
    ui: &mut Ui,
    session: &Session,
    look: &mut Look,
    custom_plots: &mut CustomPlots,
    room: egui::Rect,
    out: &mut Vec<Command>,
) {
    let model = session.model();
    let palette = Palette::worn(ui);
    let count = custom_plots.charts.len() as f32;
    let width = ((room.width() - 10.0 * (count - 1.0)) / count).max(WIDTHS.0);
    let mut view = look.plot_view;
    let mut dropped = None;
    ScrollArea::horizontal()
        .id_salt("own plots")
        .show(ui, |ui| {
            ui.horizontal_top(|ui| {
                for (k, chart) in custom_plots.charts.iter().enumerate() {
                    let size = vec2(width, room.height() - 8.0);
                    ui.allocate_ui_with_layout(
                        size,
                        egui::Layout::top_down(egui::Align::LEFT),
                        |ui| {
                            ui.set_min_size(size);
                            let frame = Frame::new()
                                .fill(colour(palette.well))
                                .inner_margin(Margin::same(4));
                            frame.show(ui, |ui| {
                                ui.horizontal(|ui| {
                                    let lit = custom_plots.edited.is_some_and(|(n, _)| n == k);
                                    let pencil = egui::Button::selectable(lit, "✏").small();
                                    if ui.add(pencil).on_hover_text("Change this plot").clicked() {
                                        custom_plots.edited = (!lit).then_some((k, Slot::Curve));
                                    }
                                    if ui
                                        .small_button("✖")
                                        .on_hover_text("Remove this plot")
                                        .clicked()
                                    {
                                        dropped = Some(k);
                                    }
                                    let title =
                                        RichText::new(draw::title(chart, model)).small().strong();
                                    ui.add(egui::Label::new(title).truncate());
                                });
                                if chart.curves.is_empty() {
                                    ui.label("Click a quantity in the list to draw it.");
                                } else {
                                    draw::chart_ui(ui, k, chart, session, &mut view, out);
                                }
                            });
                        },
                    );
                }
            });
        });
    look.plot_view = view;
    if let Some(k) = dropped {
        custom_plots.charts.remove(k);
        custom_plots.edited = None;
    }
}
