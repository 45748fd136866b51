//! Contact in the settings: the friction cone, and what the last step did about it.

use crate::session::Session;
use crate::text::format;
use crate::theme::{Palette, colour};
use crate::ui::table;
use bevy_egui::egui::{self, Color32, RichText, Ui};
use physics::integrators::{Fallback, FrictionCone, Outcome, Settings};

/// Friction cone.
pub fn choice_ui(ui: &mut Ui, settings: &mut Settings) {
    egui::ComboBox::from_label("friction cone")
        .selected_text(cone(settings.friction))
        .show_ui(ui, |ui| cones_ui(ui, &mut settings.friction))
        .response
        .on_hover_text("What bounds the friction force of a contact");
}

/// The friction cones to choose from.
pub fn cones_ui(ui: &mut Ui, chosen: &mut FrictionCone) {
    let edges = [4, 8, 16].map(FrictionCone::Linearised);
    for choice in [FrictionCone::Exact].into_iter().chain(edges) {
        ui.selectable_value(chosen, choice, cone(choice))
            .on_hover_text(match choice {
                FrictionCone::Exact => "Friction is the same in all directions",
                FrictionCone::Linearised(_) => {
                    "A pyramid in place of the cone: friction turns towards its edges"
                }
            });
    }
}

/// What the last step did about contact, and how the steps so far were solved.
pub fn figures_ui(ui: &mut Ui, session: &Session) {
    let (model, report) = (session.model(), session.report());
    let (contact, steps) = (&report.contact, session.outcomes());
    let palette = Palette::worn(ui);
    let (text, amber) = (colour(palette.text[0]), colour(palette.warning));
    let shade = |bad: bool| if bad { amber } else { text };
    table(ui, "contact", |ui| {
        if model.contact.is_some() {
            told(
                ui,
                "contacts",
                format!("{} of {} closed", contact.closed, contact.candidates),
                "Contact points with a force, of all that are near",
                text,
            );
            told(
                ui,
                "penetration",
                format::quantity(contact.penetration, "m"),
                "Deepest overlap of two surfaces at the end of the step",
                text,
            );
            told(
                ui,
                "smallest gap",
                gap(contact.min_gap),
                "Distance of the nearest surfaces at the end of the step",
                text,
            );
            told(
                ui,
                "complementarity",
                format::quantity(contact.complementarity, "N·m"),
                "Largest product of gap and normal force: zero where a force acts only at closed gaps",
                text,
            );
            told(
                ui,
                "cone violation",
                format::quantity(contact.cone_violation, "N"),
                "Largest excess of a friction force over µ times its normal force",
                text,
            );
            told(
                ui,
                "law violation",
                format::quantity(contact.violation, "m/s"),
                "Largest violation of the contact laws: penetration over the step, or slip of what sticks",
                shade(report.outcome == Outcome::Capped),
            );
        }
        if model.limit_count() > 0 {
            told(
                ui,
                "limits",
                format!("{} of {} active", contact.stopped, model.limit_count()),
                "Joint limits and cables with a force",
                text,
            );
        }
        told(
            ui,
            "solved by",
            solved_by(report.fallback, report.substeps),
            "What made the last step succeed",
            shade(report.fallback == Fallback::Convexified),
        );
        let rough = session.reads_roughly();
        told(
            ui,
            "velocities",
            if rough { "rough" } else { "by the laws" }.into(),
            "Whether the velocities shown, and the energy, could be read by the laws of contact",
            shade(rough),
        );
        told(
            ui,
            "rounds",
            contact.rounds.to_string(),
            "How often contact points were added or removed and the step solved again",
            text,
        );
        for (name, count, meaning, bad) in [
            (
                "interior point",
                steps.interior_point,
                "Steps that the interior point led to the solution",
                false,
            ),
            (
                "shifted",
                steps.shifted,
                "Steps that the shifted convex relaxation led to the solution",
                false,
            ),
            (
                "substeps",
                steps.substeps,
                "Steps made of shorter ones",
                false,
            ),
            (
                "relaxed",
                steps.relaxed,
                "Steps in which sliding contacts lift off a little, because the exact law was not reached",
                true,
            ),
        ] {
            let text = match count {
                1 => "1 step".into(),
                n => format!("{} steps", format::grouped(n as usize)),
            };
            told(ui, name, text, meaning, shade(bad && count > 0));
        }
    });
}

/// A row of a table with its meaning on hover.
fn told(ui: &mut Ui, name: &str, value: String, meaning: &str, shade: Color32) {
    let faint = Palette::worn(ui).faint();
    ui.label(RichText::new(name).small().color(faint))
        .on_hover_text(meaning);
    ui.label(RichText::new(value).small().color(shade))
        .on_hover_text(meaning);
    ui.end_row();
}

/// A gap, which is infinite where nothing is near.
pub fn gap(metres: f64) -> String {
    if metres.is_finite() {
        format::quantity(metres, "m")
    } else {
        "nothing is near".into()
    }
}

/// What made a step succeed, in words.
pub fn solved_by(fallback: Fallback, substeps: u32) -> String {
    match fallback {
        Fallback::Predicted => "the first attempt".into(),
        Fallback::Constant => "the second attempt".into(),
        Fallback::Sweeps => "sweeps".into(),
        Fallback::InteriorPoint => "the interior point".into(),
        Fallback::Shifted => "shifted cones".into(),
        Fallback::Islands => "islands by themselves".into(),
        Fallback::Substeps => format!("{substeps} substeps"),
        Fallback::Convexified => "relaxed contacts".into(),
    }
}

/// The friction cone in words.
pub fn cone(choice: FrictionCone) -> String {
    match choice {
        FrictionCone::Exact => "exact".into(),
        FrictionCone::Linearised(edges) => format!("linearised, {edges} edges"),
    }
}
