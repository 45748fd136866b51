//! What is said while a scene is being opened beside the one that runs.

use crate::commands::Command;
use crate::scenes::opening::OpeningStatus;
use crate::theme::{Palette, colour};
use crate::ui::command;
use bevy_egui::egui::{self, Align2, Rect, RichText};

/// Nothing is said of what takes no longer (s).
const UNNOTICED: f64 = 0.15;

/// Draws what is being opened, how far it has got, and the way to give it up.
pub fn opening_ui(
    ctx: &egui::Context,
    opening: &OpeningStatus,
    view: Rect,
    dark: bool,
) -> Vec<Command> {
    let mut out = Vec::new();
    if opening.seconds < UNNOTICED {
        return out;
    }
    let palette = Palette::of(dark);
    let frame = egui::Frame::window(&ctx.global_style()).fill(colour(palette.panel));
    egui::Area::new("opening".into())
        .order(egui::Order::Middle)
        .fixed_pos(view.center_top() + egui::vec2(0.0, 60.0))
        .pivot(Align2::CENTER_TOP)
        .show(ctx, |ui| {
            frame.show(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.add(egui::Spinner::new().size(16.0));
                    ui.label(format!("Opening {}", opening.spec));
                    let said = format!("{}, {:.1} s", opening.stage.words(), opening.seconds);
                    ui.label(RichText::new(said).small().color(palette.faint()));
                    command(ui, false, "Cancel", &Command::CancelOpening, &mut out);
                });
            });
        });
    out
}
