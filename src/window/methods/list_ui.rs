//! The list of integrators with their properties; what cannot run the scene is shown with the reason.

use crate::commands::Command;
use crate::session::Session;
use crate::theme::{Palette, colour};
use crate::ui::Spoken;
use bevy_egui::egui::{self, RichText, Ui};
use physics::integrators::{IntegratorInfo, REGISTRY, Settings, nearest, refusal};
use physics::model::Model;

/// Draws the choice of the integrator.
pub fn integrators_ui(ui: &mut Ui, session: &Session) -> Vec<Command> {
    let mut out = Vec::new();
    let current = session.simulation.integrator();
    egui::ComboBox::from_id_salt("integrator")
        .selected_text(current.name)
        .width(158.0)
        .height(600.0)
        .show_ui(ui, |ui| {
            ui.set_min_width(400.0);
            let simulation = &session.simulation;
            let chosen = methods_ui(
                ui,
                simulation.model(),
                simulation.settings(),
                Some(current.name),
            );
            out.extend(chosen.map(Command::Integrator));
        })
        .response
        .spoken("Integrator")
        .on_hover_text(format!("Integrator: {}", current.summary));
    out
}

/// All methods as they would be with these settings, of which one may be chosen already; the one that was clicked.
pub fn methods_ui(
    ui: &mut Ui,
    model: &Model,
    settings: &Settings,
    chosen: Option<&str>,
) -> Option<&'static str> {
    let mut clicked = None;
    for info in REGISTRY {
        let refused = refusal(info, model);
        let offer = match &refused {
            Some(_) => nearest(info, model),
            None => Some(info),
        };
        let chosen = chosen == Some(info.name);
        if entry_ui(ui, (info, settings), chosen, refused.as_deref(), offer) {
            clicked = offer.map(|o| o.name).or(clicked);
        }
    }
    clicked
}

/// One method: its name to click, what it is, or why it cannot run this scene and what can.
///
/// True if it, or what is offered in its place, was clicked.
fn entry_ui(
    ui: &mut Ui,
    (info, settings): (&'static IntegratorInfo, &Settings),
    chosen: bool,
    refused: Option<&str>,
    offer: Option<&IntegratorInfo>,
) -> bool {
    let palette = Palette::worn(ui);
    let label = egui::Button::selectable(chosen, info.name);
    let about = format!("{}\nSource: {}", info.summary, info.source);
    let why = refused.map_or_else(String::new, |r| format!("{r}\n\n{about}"));
    let mut clicked = ui
        .add_enabled(refused.is_none(), label)
        .on_hover_text(about)
        .on_disabled_hover_text(why)
        .clicked();
    ui.indent(info.name, |ui| match refused {
        None => {
            ui.label(
                RichText::new(properties(info, settings))
                    .small()
                    .color(palette.faint()),
            );
        }
        Some(reason) => {
            ui.horizontal(|ui| {
                // The advice that follows the reason is the offer beside it.
                let short = reason.split(';').next().unwrap_or(reason);
                let text = RichText::new(short).small().color(colour(palette.warning));
                ui.label(text).on_hover_text(reason);
                if let Some(offer) = offer {
                    let take = RichText::new(format!("Take {} instead", offer.name)).small();
                    clicked |= ui.link(take).on_hover_text(offer.summary).clicked();
                }
            });
        }
    });
    clicked
}

/// The properties of a method with those of the settings' options that are its own, in a few words.
fn properties(info: &'static IntegratorInfo, settings: &Settings) -> String {
    let said = [
        (info.symplectic, "symplectic"),
        (info.momentum_preserving, "keeps momentum"),
        (info.drift_free, "joints stay closed"),
        (info.supports.loops, "loops"),
        (info.supports.contact, "contact"),
    ];
    let words = said
        .iter()
        .filter(|(holds, _)| *holds)
        .map(|(_, word)| *word);
    let order = match info.order_in(settings) {
        Some(order) => format!("order {order}"),
        None => "steps by their error".into(),
    };
    std::iter::once(order.as_str())
        .chain(words)
        .collect::<Vec<_>>()
        .join(" · ")
}
