//! The column in which a plot is changed: what it shows, and the list of quantities to choose from.

use crate::plots::custom::CustomPlots;
use crate::plots::custom::picker::picker_ui;
use crate::session::Session;
use crate::state::selection::Selection;
use crate::theme::Palette;
use crate::theme::categorical::hue;
use bevy_egui::egui::{self, DragValue, RichText, TextEdit, Ui, vec2};
use physics::diagnostics::{Chart, Section, TIME};

/// What a click on a quantity does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// Nothing yet.
    None,
    /// It becomes the horizontal axis.
    Axis,
    /// It is drawn.
    Curve,
    /// It is what the section is about.
    Section,
}

/// Draws the column; what is being changed next.
pub fn edit_ui(
    ui: &mut Ui,
    session: &Session,
    selection: Option<Selection>,
    own: &mut CustomPlots,
    k: usize,
    slot: Slot,
) -> Option<(usize, Slot)> {
    let model = session.model();
    let mut slot = slot;
    let mut open = true;
    let chart = &mut own.charts[k];
    ui.spacing_mut().interact_size.y = 20.0;
    ui.horizontal(|ui| {
        if ui.small_button("✔").on_hover_text("Done").clicked() {
            open = false;
        }
        let field = TextEdit::singleline(&mut chart.title)
            .hint_text("title")
            .desired_width(f32::INFINITY);
        ui.add(field)
            .on_hover_text("Title; made from the quantities if empty");
    });
    ui.horizontal(|ui| {
        faint(ui, "over");
        let name = chart.x.name(model);
        chip(
            ui,
            &name,
            slot == Slot::Axis,
            "Choose the horizontal axis",
            || slot = Slot::Axis,
        );
        if chart.x != TIME
            && ui
                .small_button("time")
                .on_hover_text("Plot over time")
                .clicked()
        {
            chart.x = TIME;
        }
    });
    ui.horizontal_wrapped(|ui| {
        faint(ui, "show");
        let dark = ui.visuals().dark_mode;
        let mut dropped = None;
        for (n, quantity) in chart.curves.iter().enumerate() {
            let (mark, _) = ui.allocate_exact_size(vec2(10.0, 10.0), egui::Sense::hover());
            ui.painter().rect_filled(mark, 2.0, hue(n, dark));
            let text = format!("{} ✖", quantity.name(model));
            if ui
                .small_button(text)
                .on_hover_text("Draw it no longer")
                .clicked()
            {
                dropped = Some(n);
            }
        }
        if let Some(n) = dropped {
            chart.curves.remove(n);
        }
        chip(ui, "+", slot == Slot::Curve, "Add a quantity", || {
            slot = Slot::Curve
        });
    });
    section_ui(ui, session, chart, &mut slot);
    let wanted = match slot {
        Slot::None => "click +, the axis or the section, then a quantity",
        Slot::Axis => "click the quantity for the horizontal axis",
        Slot::Curve => "click what to draw",
        Slot::Section => "click the quantity that passes a value",
    };
    faint(ui, wanted);
    if let Some(quantity) = picker_ui(ui, session, selection, &mut own.search) {
        match slot {
            Slot::Axis => {
                chart.x = quantity;
                slot = Slot::Curve;
            }
            Slot::Section => {
                let before = chart.section.unwrap_or(Section {
                    of: quantity,
                    level: 0.0,
                    rising: true,
                });
                chart.section = Some(Section {
                    of: quantity,
                    ..before
                });
                slot = Slot::Curve;
            }
            Slot::Curve | Slot::None => {
                if !chart.curves.contains(&quantity) {
                    chart.curves.push(quantity);
                }
            }
        }
    }
    open.then_some((k, slot))
}

/// Whether only some moments are drawn, and which.
fn section_ui(ui: &mut Ui, session: &Session, chart: &mut Chart, slot: &mut Slot) {
    let model = session.model();
    ui.horizontal_wrapped(|ui| {
        let mut on = chart.section.is_some();
        ui.checkbox(&mut on, "only where").on_hover_text(
            "A Poincaré section: only the moments at which a quantity passes a value",
        );
        let first = chart.curves.first().copied().unwrap_or(chart.x);
        match (&mut chart.section, on) {
            (Some(_), false) => chart.section = None,
            (None, true) => {
                chart.section = Some(Section {
                    of: first,
                    level: 0.0,
                    rising: true,
                });
                *slot = Slot::Section;
            }
            (Some(section), true) => {
                let name = section.of.name(model);
                let meaning = "Choose the quantity that passes a value";
                chip(ui, &name, *slot == Slot::Section, meaning, || {
                    *slot = Slot::Section
                });
                let sign = if section.rising {
                    "rises through"
                } else {
                    "falls through"
                };
                if ui.small_button(sign).on_hover_text("Direction").clicked() {
                    section.rising = !section.rising;
                }
                let field = DragValue::new(&mut section.level)
                    .speed(0.01)
                    .suffix(format!(" {}", section.of.unit(model)));
                ui.add(field).on_hover_text("The value that it passes");
            }
            (None, false) => {}
        }
    });
}

/// A name that is lit while a click on a quantity replaces it.
fn chip(ui: &mut Ui, name: &str, lit: bool, meaning: &str, mut act: impl FnMut()) {
    let button = egui::Button::selectable(lit, name)
        .frame_when_inactive(true)
        .small();
    if ui.add(button).on_hover_text(meaning).clicked() {
        act();
    }
}

fn faint(ui: &mut Ui, text: &str) {
    let shade = Palette::worn(ui).faint();
    ui.label(RichText::new(text).small().color(shade));
}
