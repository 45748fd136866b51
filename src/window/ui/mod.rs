//! What panels are made of. Each panel is a function of an interface and what it shows, which gives back what the person
//! asked for, so that tests can click it without a window.

pub mod axes;
pub mod cursor;
pub mod form;
pub mod icons;
pub mod keyboard;
pub mod label;
pub mod number;
pub mod panels;
pub mod plugin;

use crate::commands::{Command, keys};
use bevy_egui::egui::{self, Id, Response, RichText, Ui};

/// A button that says on hover what it does and by which key.
pub fn button(
    ui: &mut Ui,
    label: &str,
    meaning: &str,
    action: Command,
    out: &mut Vec<Command>,
) -> Response {
    toggle(ui, false, label, meaning, action, out)
}

/// A button that stays lit while what it shows is shown.
pub fn toggle(
    ui: &mut Ui,
    lit: bool,
    label: &str,
    meaning: &str,
    action: Command,
    out: &mut Vec<Command>,
) -> Response {
    let hover = match keys::binding(&action).and_then(|b| b.shown(single_keys(ui))) {
        Some(key) => format!("{meaning}  ({key})"),
        None => meaning.to_owned(),
    };
    let response = ui
        .add(egui::Button::selectable(lit, label).frame_when_inactive(true))
        .on_hover_text(hover);
    // What is read aloud is what it does, where its face is only a sign.
    let is_sign = !label.chars().any(char::is_alphabetic);
    let response = if is_sign {
        response.spoken(meaning)
    } else {
        response
    };
    if response.clicked() {
        out.push(action);
    }
    response
}

/// A button for an action of the table, whose meaning and key are told by the table.
pub fn command(
    ui: &mut Ui,
    lit: bool,
    label: &str,
    action: &Command,
    out: &mut Vec<Command>,
) -> Response {
    let meaning = keys::binding(action).map_or(label.to_owned(), keys::Binding::title);
    toggle(ui, lit, label, &meaning, action.clone(), out)
}

/// Names for controls that show a value or a sign instead of one.
pub trait Spoken {
    /// Gives it the name by which it is read aloud and found.
    fn spoken(self, name: &str) -> Self;
}

impl Spoken for Response {
    fn spoken(self, name: &str) -> Self {
        // Without a reader there is nobody to tell it to.
        let _ = self
            .ctx
            .accesskit_node_builder(self.id, |node| node.set_label(name));
        self
    }
}

/// Tells the panels whether keys that type something do anything else.
pub fn set_single_keys(ctx: &egui::Context, work: bool) {
    ctx.data_mut(|data| data.insert_temp(Id::new("single keys"), work));
}

/// Whether they do.
pub fn single_keys(ui: &Ui) -> bool {
    let told = ui.ctx().data(|data| data.get_temp(Id::new("single keys")));
    told.unwrap_or(true)
}

/// A small heading above a group.
pub fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(4.0);
    ui.label(
        RichText::new(text)
            .small()
            .color(crate::theme::Palette::worn(ui).faint()),
    );
}

/// A row of a table of two columns: name and value.
pub fn row(ui: &mut Ui, name: &str, value: impl Into<String>) {
    let faint = crate::theme::Palette::worn(ui).faint();
    ui.label(RichText::new(name).small().color(faint));
    ui.label(RichText::new(value).small());
    ui.end_row();
}

/// A table of two columns.
pub fn table(ui: &mut Ui, id: &str, rows: impl FnOnce(&mut Ui)) {
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 16.0;
        let grid = egui::Grid::new(id).num_columns(2).spacing([14.0, 3.0]);
        grid.min_col_width(86.0).show(ui, rows);
    });
}
