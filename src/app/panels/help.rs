//! The help: what one can do, by task.

use crate::app::keys::{GESTURES, bindings};
use crate::app::theme::Palette;
use bevy_egui::egui::{self, Context, RichText};

/// Draws the help; false if it was closed.
pub fn help_ui(ctx: &Context) -> bool {
    let mut open = true;
    egui::Window::new("Help")
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
        .show(ctx, |ui| {
            // Rows of text, not of buttons.
            ui.spacing_mut().interact_size.y = 14.0;
            ui.spacing_mut().item_spacing.y = 2.0;
            let keys = bindings();
            let rows = GESTURES
                .iter()
                .map(|(task, how, what)| (*task, *how, *what));
            let rows = rows.chain(keys.iter().map(|b| (b.task, b.label, b.meaning)));
            let rows: Vec<_> = rows.collect();
            let mut tasks: Vec<&str> = Vec::new();
            rows.iter().for_each(|r| {
                if !tasks.contains(&r.0) {
                    tasks.push(r.0)
                }
            });
            let faint = Palette::worn(ui).faint();
            ui.columns(2, |columns| {
                // The first tasks fill the left column, the rest the right one.
                let half = rows.len() / 2;
                let mut listed = 0;
                for task in tasks {
                    let ui = &mut columns[usize::from(listed >= half)];
                    ui.label(RichText::new(task).strong());
                    egui::Grid::new(task)
                        .num_columns(2)
                        .spacing([16.0, 2.0])
                        .show(ui, |ui| {
                            for (_, how, what) in rows.iter().filter(|r| r.0 == task) {
                                ui.label(RichText::new(*how).small());
                                ui.label(RichText::new(*what).small().color(faint));
                                ui.end_row();
                                listed += 1;
                            }
                        });
                    ui.add_space(8.0);
                }
            });
        });
    open
}
