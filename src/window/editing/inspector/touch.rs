//! A contact point that is selected: what touches what, and with which forces.

use crate::commands::Command;
use crate::layers::legend_ui::status_name;
use crate::scene3d::layers::scale::Measure;
use crate::session::Session;
use crate::state::selection::Selection;
use crate::text::format;
use crate::theme::Palette;
use crate::ui::{row, table};
use bevy_egui::egui::{RichText, Ui};
use physics::model::ContactKey;

/// Draws what is known of it at the moment shown.
pub fn contact_ui(ui: &mut Ui, session: &Session, key: ContactKey, out: &mut Vec<Command>) {
    ui.label(RichText::new("contact").strong());
    let model = session.model();
    let mut contacts = session.state().contacts.iter();
    let Some(contact) = contacts.find(|c| c.key == key) else {
        let faint = Palette::worn(ui).faint();
        let text = "Its surfaces are far from each other at this moment.";
        ui.label(RichText::new(text).small().color(faint));
        return;
    };
    ui.horizontal(|ui| {
        for (k, body) in contact.bodies.into_iter().enumerate() {
            if k == 1 {
                ui.label(RichText::new("on").small());
            }
            let Some(body) = body else {
                ui.label("world");
                continue;
            };
            let name = &model.bodies[body.0].name;
            let entry = ui.selectable_label(false, name);
            if entry.on_hover_text("Select this body").clicked() {
                out.push(Command::Select(Some(Selection::body(body))));
            }
        }
    });
    let (normal, friction) = (contact.normal_force(), contact.friction_force().norm());
    table(ui, "contact now", |ui| {
        let status = Measure::of(model, 1.0).status(contact);
        row(ui, "status", status_name(status));
        row(ui, "gap", format::quantity(contact.gap, "m"));
        row(ui, "normal force", format::quantity(normal, "N"));
        row(ui, "friction force", format::quantity(friction, "N"));
        let most = format::quantity(contact.friction * normal, "N");
        row(ui, "at most", format!("{most} (µ = {})", contact.friction));
        let slip = contact.slip.norm();
        row(ui, "sliding at", format::quantity(slip, "m/s"));
    });
}
