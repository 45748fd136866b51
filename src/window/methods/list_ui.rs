//! The list of integrators with their properties; what cannot run the scene is shown with the reason.

use crate::commands::Command;
use crate::session::Session;
use crate::theme::{Palette, colour, size};
use crate::ui::{Spoken, button};
use bevy_egui::egui::{self, CornerRadius, RichText, Ui};
use physics::integrators::{IntegratorInfo, REGISTRY, Settings};

/// Draws the choice of the integrator: a chip in the colour of the method, and, where there is room, its neighbours in
/// the list, one click away.
pub fn integrators_ui(ui: &mut Ui, session: &Session, neighbours: bool) -> Vec<Command> {
    let mut out = Vec::new();
    let current = session.integrator();
    let [before, after] = match neighbours {
        true => self::neighbours(current, session),
        false => [None; 2],
    };
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        neighbour_ui(ui, "‹", before, &mut out);
        chip_ui(ui, session, current, &mut out);
        neighbour_ui(ui, "›", after, &mut out);
    });
    out
}

/// The method in use, on its colour; opens the list.
fn chip_ui(ui: &mut Ui, session: &Session, current: &IntegratorInfo, out: &mut Vec<Command>) {
    let palette = Palette::worn(ui);
    let own = colour(palette.method(current.name, 0).colour);
    let chip = ui.scope(|ui| {
        let [rest, hovered, pressed] = palette.button.map(colour);
        ui.spacing_mut().button_padding.x = size::CHIP_EDGE + 6.0;
        let widgets = &mut ui.visuals_mut().widgets;
        for (style, fill) in [
            (&mut widgets.inactive, rest),
            (&mut widgets.hovered, hovered),
            (&mut widgets.active, pressed),
            (&mut widgets.open, hovered),
        ] {
            style.weak_bg_fill = fill.lerp_to_gamma(own, size::CHIP_TINT);
        }
        egui::ComboBox::from_id_salt("integrator")
            .selected_text(current.name)
            .width(150.0)
            .height(600.0)
            .show_ui(ui, |ui| {
                ui.set_min_width(400.0);
                let chosen = methods_ui(ui, session, session.settings(), Some(current.name));
                out.extend(chosen.map(Command::Integrator));
            })
            .response
            .spoken("Integrator")
            .on_hover_text(format!("Integrator: {}", current.summary))
    });
    let edge = chip
        .inner
        .rect
        .with_max_x(chip.inner.rect.left() + size::CHIP_EDGE);
    let corner = CornerRadius {
        ne: 0,
        se: 0,
        ..CornerRadius::same(size::CORNER)
    };
    ui.painter().rect_filled(edge, corner, own);
}

/// A method that one click takes.
fn neighbour_ui(
    ui: &mut Ui,
    arrow: &str,
    info: Option<&'static IntegratorInfo>,
    out: &mut Vec<Command>,
) {
    let Some(info) = info else {
        return;
    };
    let own = colour(Palette::worn(ui).method(info.name, 0).colour);
    let meaning = format!("Switch to {}: {}", info.name, info.summary);
    ui.scope(|ui| {
        ui.visuals_mut().override_text_color = Some(own);
        ui.spacing_mut().button_padding.x = 3.0;
        button(ui, arrow, &meaning, Command::Integrator(info.name), out);
    });
}

/// The methods before and after one in the list that can run the scene; none where there is no other.
fn neighbours(current: &IntegratorInfo, session: &Session) -> [Option<&'static IntegratorInfo>; 2] {
    let able =
        |info: &&IntegratorInfo| info.name == current.name || session.refusal(info).is_none();
    let all: Vec<&'static IntegratorInfo> = REGISTRY.iter().filter(able).collect();
    let Some(place) = all.iter().position(|info| info.name == current.name) else {
        return [None; 2];
    };
    let count = all.len();
    let other = |k: usize| (k != place).then_some(all[k]);
    [
        other((place + count - 1) % count),
        other((place + 1) % count),
    ]
}

/// All methods as they would be with these settings, of which one may be chosen already; the one that was clicked.
pub fn methods_ui(
    ui: &mut Ui,
    session: &Session,
    settings: &Settings,
    chosen: Option<&str>,
) -> Option<&'static str> {
    let mut clicked = None;
    for info in REGISTRY {
        let refused = session.refusal(info);
        let offer = refused.map_or(Some(info), |r| r.instead);
        let chosen = chosen == Some(info.name);
        let reason = refused.map(|r| r.reason.as_str());
        if entry_ui(ui, (info, settings), chosen, reason, offer) {
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
        (!info.drift_free, "joints drift"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_every_method_it_is_said_whether_joints_stay_closed() {
        for info in REGISTRY {
            let said = properties(info, &Settings::default());
            let words = ["joints stay closed", "joints drift"].map(|words| said.contains(words));
            assert_eq!(words, [info.drift_free, !info.drift_free], "{said}");
        }
    }

    #[test]
    fn neighbours_can_run_the_scene_and_lead_through_all_that_can() {
        let session = Session::new(physics::scene::open("box_drop", &[]).unwrap()).unwrap();
        let able = REGISTRY.iter().filter(|i| session.refusal(i).is_none());
        let able: Vec<&str> = able.map(|i| i.name).collect();
        assert!(able.len() > 2 && able.len() < REGISTRY.len(), "{able:?}");
        let first = REGISTRY.iter().find(|i| i.name == able[0]).unwrap();
        let (mut at, mut seen) = (first, Vec::new());
        for _ in &able {
            seen.push(at.name);
            let [before, after] = neighbours(at, &session);
            let back = neighbours(after.unwrap(), &session)[0];
            assert_eq!(back.map(|i| i.name), Some(at.name));
            assert!(before.is_some());
            at = after.unwrap();
        }
        assert_eq!((seen, at.name), (able, first.name));
    }
}
