//! The list of integrators with their properties; what cannot run the scene is shown with the reason.

use crate::app::actions::Action;
use crate::app::session::Session;
use crate::app::theme::Palette;
use crate::integrators::{IntegratorInfo, REGISTRY, refusal};
use bevy_egui::egui::{self, RichText, Ui};

/// Draws the choice of the integrator.
pub fn integrators_ui(ui: &mut Ui, session: &Session) -> Vec<Action> {
    let mut out = Vec::new();
    let current = session.simulation.integrator();
    egui::ComboBox::from_id_salt("integrator")
        .selected_text(current.name)
        .width(158.0)
        .height(600.0)
        .show_ui(ui, |ui| {
            ui.set_min_width(400.0);
            for info in REGISTRY {
                let refused = refusal(info, session.simulation.model());
                if entry_ui(ui, info, info.name == current.name, refused.as_deref()) {
                    out.push(Action::Integrator(info.name));
                }
            }
        })
        .response
        .on_hover_text(format!("Integrator: {}", current.summary));
    out
}

/// One method: its name to click, what it is, or why it cannot run this scene.
fn entry_ui(ui: &mut Ui, info: &IntegratorInfo, chosen: bool, refused: Option<&str>) -> bool {
    let palette = Palette::worn(ui);
    let label = egui::Button::selectable(chosen, info.name);
    let clicked = ui
        .add_enabled(refused.is_none(), label)
        .on_hover_text(format!("{}\nSource: {}", info.summary, info.source))
        .clicked();
    let (text, colour) = match refused {
        Some(reason) => (
            reason.to_owned(),
            egui::Color32::from_rgb(palette.warning[0], palette.warning[1], palette.warning[2]),
        ),
        None => (properties(info), palette.faint()),
    };
    ui.indent(info.name, |ui| {
        ui.label(RichText::new(text).small().color(colour))
    });
    clicked
}

/// The properties of a method in a few words.
pub fn properties(info: &IntegratorInfo) -> String {
    let said = [
        (info.symplectic, "symplectic"),
        (info.momentum_preserving, "keeps momentum"),
        (info.drift_free, "joints stay closed"),
        (info.loops, "loops"),
        (info.contact, "contact"),
    ];
    let words = said
        .iter()
        .filter(|(holds, _)| *holds)
        .map(|(_, word)| *word);
    let order = format!("order {}", info.order);
    std::iter::once(order.as_str())
        .chain(words)
        .collect::<Vec<_>>()
        .join(" · ")
}
