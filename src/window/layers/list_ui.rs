//! The list of layers: what is drawn on top of the bodies, how large, and from which value on.

use crate::commands::Command;
use crate::session::Session;
use crate::state::highlight::Highlight;
use crate::state::layers::{LAYERS, Layer, LayerGroup, LayerInfo, LayerStyle, chosen};
use crate::state::look::Look;
use crate::state::selection::Selection;
use crate::state::trails::{FADE, TrailPoint};
use crate::theme::Palette;
use crate::ui::{Spoken, heading, toggle};
use bevy::prelude::{InMut, Res};
use bevy_egui::egui::{DragValue, RichText, ScrollArea, Ui};
use physics::math::Vec3;

/// The panel.
pub fn panel(
    InMut(ui): InMut<Ui>,
    session: Res<Session>,
    look: Res<Look>,
    highlight: Res<Highlight>,
) -> Vec<Command> {
    layers_ui(ui, &session, &look, &highlight)
}

/// Draws the list.
pub fn layers_ui(
    ui: &mut Ui,
    session: &Session,
    look: &Look,
    highlight: &Highlight,
) -> Vec<Command> {
    let mut out = Vec::new();
    let model = session.model();
    ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(ui, |ui| {
            for group in LayerGroup::ALL {
                heading(ui, group.title());
                let rows = LAYERS.iter().filter(|row| row.group == group);
                match group {
                    LayerGroup::Room => {
                        ui.horizontal_wrapped(|ui| {
                            rows.for_each(|row| switch_ui(ui, row, look, &mut out));
                        });
                    }
                    LayerGroup::Contact if model.contact.is_none() => none_ui(ui),
                    _ => {
                        rows.for_each(|row| row_ui(ui, row, session, look, highlight, &mut out));
                    }
                }
            }
            if model.contact.is_some() {
                contact_ui(ui, look, &mut out);
            }
        });
    out
}

/// Shows or hides a layer.
fn switch_ui(ui: &mut Ui, row: &LayerInfo, look: &Look, out: &mut Vec<Command>) {
    let shown = look.layers.shows(row.layer);
    let asked = Command::ToggleLayer(row.layer);
    toggle(ui, shown, row.name, row.meaning, asked, out);
}

/// A layer and, while it is shown, how.
fn row_ui(
    ui: &mut Ui,
    row: &LayerInfo,
    session: &Session,
    look: &Look,
    highlight: &Highlight,
    out: &mut Vec<Command>,
) {
    let style = look.layers.style(row.layer);
    let mut changed = *style;
    switch_ui(ui, row, look, out);
    if style.shown && (row.is_sized() || row.unit.is_some()) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 5.0;
            ui.add_space(8.0);
            style_ui(ui, row, &mut changed);
        });
    }
    if style.shown && row.layer == Layer::Trails {
        trails_ui(ui, session, look, highlight, out);
    }
    if changed != *style {
        out.push(Command::LayerStyle(row.layer, changed));
    }
}

/// Size, automatic size and threshold.
fn style_ui(ui: &mut Ui, row: &LayerInfo, style: &mut LayerStyle) {
    let enlarges = row.enlarges();
    if row.is_sized() && !(enlarges && style.auto) {
        let speed = 0.01 * style.scale;
        let range = if enlarges { 1.0..=1e15 } else { 0.05..=20.0 };
        let meaning = match (enlarges, style.auto) {
            (true, _) => "How many times larger than it is it is drawn",
            (_, true) => "Length of the largest, times what suits the bodies",
            _ => "Size; at × 1 it suits the bodies",
        };
        let field = DragValue::new(&mut style.scale)
            .speed(speed)
            .range(range)
            .max_decimals(2)
            .custom_formatter(|x, _| size(x))
            .prefix("× ");
        ui.add(field)
            .spoken(&format!("Size of {}", row.name))
            .on_hover_text(meaning);
    }
    if row.follows() {
        ui.checkbox(&mut style.auto, "auto")
            .on_hover_text("Let the size follow the largest value there is, in steps of 1, 2, 5");
    }
    if let Some(unit) = row.unit {
        let speed = 0.01 * style.threshold.max(0.1);
        let field = DragValue::new(&mut style.threshold)
            .speed(speed)
            .range(0.0..=1e9)
            .custom_formatter(|x, _| size(x))
            .prefix("from ")
            .suffix(format!(" {unit}"));
        ui.add(field)
            .spoken(&format!("Threshold of {}", row.name))
            .on_hover_text("Smaller values are not drawn");
    }
}

/// A size with few digits, however large.
fn size(x: f64) -> String {
    if x != 0.0 && !(1e-3..1e5).contains(&x) {
        return format!("{x:.0e}");
    }
    let text = format!("{x:.3}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

/// How long trails are, and which points leave them.
fn trails_ui(
    ui: &mut Ui,
    session: &Session,
    look: &Look,
    highlight: &Highlight,
    out: &mut Vec<Command>,
) {
    let model = session.model();
    let layers = &look.layers;
    let faint = Palette::worn(ui).faint();
    let mut fade = layers.fade;
    ui.horizontal(|ui| {
        ui.label("fade over");
        let field = DragValue::new(&mut fade)
            .speed(0.02)
            .range(FADE[0]..=FADE[1])
            .max_decimals(2)
            .suffix(" s");
        ui.add(field)
            .spoken("Time that trails are seen")
            .on_hover_text("Simulated time that a trail shows");
        if let Some(body) = highlight.selection.and_then(Selection::as_body) {
            let name = &model.bodies[body.0].name;
            let add = ui
                .small_button(format!("+ {name}"))
                .on_hover_text("Let a point of the selected body leave a trail");
            if add.clicked() {
                let mut points = layers.trails.clone();
                let point = Vec3::zeros();
                points.push(TrailPoint { body, point });
                out.push(Command::TrailPoints(points));
            }
        }
    });
    if fade != layers.fade {
        out.push(Command::TrailTime(fade));
    }
    if layers.trails.is_empty() {
        let names = chosen(layers, model)
            .iter()
            .map(|t| model.bodies[t.body.0].name.as_str())
            .collect::<Vec<_>>();
        let text = format!(
            "of {}; select a body to choose its points",
            names.join(", ")
        );
        ui.label(RichText::new(text).small().color(faint));
    }
    let mut points = layers.trails.clone();
    let mut dropped = None;
    for (k, trail) in points.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            if ui
                .small_button("✖")
                .spoken("No trail of this point")
                .on_hover_text("No trail of this point")
                .clicked()
            {
                dropped = Some(k);
            }
            let name = model
                .bodies
                .get(trail.body.0)
                .map_or("–", |b| b.name.as_str());
            ui.label(RichText::new(name).small());
            for (axis, label) in ["x ", "y ", "z "].into_iter().enumerate() {
                let field = DragValue::new(&mut trail.point[axis])
                    .speed(0.01)
                    .range(-1e6..=1e6)
                    .max_decimals(3)
                    .prefix(label);
                ui.add(field)
                    .spoken(&format!("{label}of the point"))
                    .on_hover_text("In the frame of the body [m]");
            }
        });
    }
    if let Some(k) = dropped {
        points.remove(k);
    }
    if points != layers.trails {
        out.push(Command::TrailPoints(points));
    }
}

/// What stands where a scene has no contact.
fn none_ui(ui: &mut Ui) {
    let faint = Palette::worn(ui).faint();
    ui.label(
        RichText::new("This scene has no contact.")
            .small()
            .color(faint),
    );
}

/// What all layers of contact share.
fn contact_ui(ui: &mut Ui, look: &Look, out: &mut Vec<Command>) {
    let mut both = look.layers.both;
    ui.checkbox(&mut both, "Forces on both bodies")
        .on_hover_text("Otherwise only the force on the first body of each pair is drawn");
    if both != look.layers.both {
        out.push(Command::BothForces(both));
    }
}
