//! Functions of time as fields: a number, or an expression in t.

use super::fields::text_ui;
use crate::app::theme::Palette;
use crate::scene::{Number, SignalValue};
use bevy_egui::egui::{RichText, Ui};

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
        SignalValue::Table(points) | SignalValue::Profile(_, points) => {
            let kind = match &*value {
                SignalValue::Table(_) => "a table",
                _ => "a motion",
            };
            let said = format!("{kind} of {} points", points.len());
            let meaning = format!("{meaning}; {kind} is changed in the file");
            ui.label(RichText::new(said).small()).on_hover_text(meaning);
            return false;
        }
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
