//! Functions of time as fields: a number, or an expression in t.

use crate::theme::Palette;
use crate::ui::form::text_ui;
use bevy_egui::egui::{RichText, Ui};
use physics::scene::{Number, SignalValue};

/// A function of time as text, behind its name. True if it was changed.
pub fn signal_ui(
    ui: &mut Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    name: &str,
    value: &mut SignalValue,
    meaning: &str,
) -> bool {
    let faint = Palette::worn(ui).faint();
    let label = ui.label(RichText::new(name).small().color(faint));
    let mut text = match &*value {
        SignalValue::Constant(x) => format!("{x}"),
        SignalValue::Expression(text) => text.clone(),
        SignalValue::Table(points) => return listed_ui(ui, "a table", points.len(), meaning),
        SignalValue::Profile(_, points) => return listed_ui(ui, "a motion", points.len(), meaning),
    };
    let changed = text_ui(ui, id, &mut text, meaning, Some(label.id));
    if changed {
        *value = match Number::read(&text) {
            Some(Number(x)) => SignalValue::Constant(x),
            None => SignalValue::Expression(text),
        };
    }
    changed
}

/// What is listed in the file is not a field. It never changes.
fn listed_ui(ui: &mut Ui, kind: &str, points: usize, meaning: &str) -> bool {
    let meaning = format!("{meaning}; {kind} is changed in the file");
    ui.label(RichText::new(format!("{kind} of {points} points")).small())
        .on_hover_text(meaning);
    false
}
