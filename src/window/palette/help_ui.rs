//! The help: what one can do, by task, from the table of keys.

use crate::commands::keys::{GESTURES, bindings, second_keys};
use crate::theme::{Palette, help as look};
use bevy_egui::egui::{self, Context, RichText, ScrollArea, Ui, vec2};

/// How something is done, and what it does.
type HelpRow = (&'static str, &'static str);

/// Draws the help; false if it was closed.
pub fn help_ui(ctx: &Context, single_keys: bool) -> bool {
    let mut open = true;
    let room = ctx.viewport_rect().size() - vec2(60.0, 120.0);
    let columns = (room.x / look::COLUMN).floor().clamp(1.0, 3.0);
    egui::Window::new("Help")
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
        .show(ctx, |ui| {
            ui.set_width((look::COLUMN * columns).min(room.x));
            let scroll = ScrollArea::vertical().max_height(room.y);
            scroll.show(ui, |ui| tasks_ui(ui, &tasks(single_keys), columns as usize));
        });
    open
}

/// Everything that can be done by pointer or key, by task.
fn tasks(single_keys: bool) -> Vec<(&'static str, Vec<HelpRow>)> {
    let gestures = GESTURES.iter().copied();
    let listed = bindings()
        .iter()
        .chain(second_keys())
        .filter(|b| b.key.is_some());
    let keys = listed.map(|b| (b.task, b.shown(single_keys).unwrap_or("(off)"), b.meaning));
    let mut tasks: Vec<(&str, Vec<HelpRow>)> = Vec::new();
    for (task, how, what) in gestures.chain(keys) {
        match tasks.iter_mut().find(|t| t.0 == task) {
            Some((_, rows)) => rows.push((how, what)),
            None => tasks.push((task, vec![(how, what)])),
        }
    }
    tasks
}

/// The tasks in columns of about the same height, in their order.
fn tasks_ui(ui: &mut Ui, tasks: &[(&str, Vec<HelpRow>)], columns: usize) {
    // Rows of text, not of buttons.
    ui.spacing_mut().interact_size.y = 14.0;
    ui.spacing_mut().item_spacing.y = 2.0;
    // A heading with its space takes as much as two rows.
    let all: usize = tasks.iter().map(|(_, rows)| rows.len() + 2).sum();
    let mut listed = 0;
    ui.columns(columns, |columns| {
        let count = columns.len();
        for (task, rows) in tasks {
            let height = rows.len() + 2;
            // Into the column in which its middle falls.
            let column = (count * (2 * listed + height) / (2 * all)).min(count - 1);
            listed += height;
            let ui = &mut columns[column];
            ui.label(RichText::new(*task).strong());
            rows.iter().for_each(|row| row_ui(ui, row));
            ui.add_space(9.0);
        }
    });
}

fn row_ui(ui: &mut Ui, (how, what): &HelpRow) {
    let faint = Palette::worn(ui).faint();
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let room = vec2(look::KEYS, 14.0);
        let left = egui::Layout::left_to_right(egui::Align::TOP);
        ui.allocate_ui_with_layout(room, left, |ui| {
            ui.set_min_width(look::KEYS);
            ui.label(RichText::new(*how).small());
        });
        ui.add(egui::Label::new(RichText::new(*what).small().color(faint)).wrap());
    });
}
