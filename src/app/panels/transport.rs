//! The transport bar: play, step, reset, time and speed.

use super::button;
use crate::app::actions::Action;
use crate::app::format;
use crate::app::pacing::{LADDER, Pacing};
use crate::app::session::Session;
use crate::app::theme::{Palette, colour};
use bevy_egui::egui::{self, Align, Layout, RichText, Ui};

/// Draws the transport bar.
pub fn transport_ui(ui: &mut Ui, session: &Session, pacing: &Pacing) -> Vec<Action> {
    let mut out = Vec::new();
    ui.horizontal_centered(|ui| {
        button(ui, "⏮", "Back to the start", Action::Reset, &mut out);
        let (icon, meaning) = if pacing.playing {
            ("⏸ Pause", "Pause")
        } else {
            ("▶ Play", "Play")
        };
        button(ui, icon, meaning, Action::TogglePlay, &mut out);
        button(ui, "⏭", "One step", Action::Step(1), &mut out);
        ui.separator();
        ui.label(RichText::new(format!("t = {}", format::clock(session.sample.time))).monospace());
        let faint = Palette::worn(ui).faint();
        ui.label(
            RichText::new(format!("step {}", session.sample.step))
                .small()
                .color(faint),
        );
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(reached(ui, pacing))
                .on_hover_text("Simulated seconds per second of the clock on the wall");
            ui.separator();
            button(ui, "+", "Faster", Action::ChangeSpeed(1), &mut out);
            egui::ComboBox::from_id_salt("speed")
                .selected_text(format::factor(pacing.target()))
                .width(72.0)
                .show_ui(ui, |ui| {
                    for (rung, speed) in LADDER.iter().enumerate().rev() {
                        if ui
                            .selectable_label(rung == pacing.rung, format::factor(*speed))
                            .clicked()
                        {
                            out.push(Action::SetSpeed(rung));
                        }
                    }
                })
                .response
                .on_hover_text("Speed asked for, as a factor of real time");
            button(ui, "−", "Slower", Action::ChangeSpeed(-1), &mut out);
            ui.label(RichText::new("speed").small().color(faint));
        });
    });
    out
}

/// The factor reached, in the colour of a warning where it falls behind.
fn reached(ui: &Ui, pacing: &Pacing) -> RichText {
    let palette = Palette::worn(ui);
    let (text, shade) = match pacing.measured() {
        None => ("paused".into(), palette.faint()),
        Some(factor) => {
            let behind = pacing.late && factor < 0.9 * pacing.target();
            let shade = if behind {
                colour(palette.warning)
            } else {
                palette.faint()
            };
            (format!("real time ×{factor:5.2}"), shade)
        }
    };
    RichText::new(text).monospace().color(shade)
}
