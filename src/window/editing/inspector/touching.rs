//! What a body touches, and what it is made of: its contact points and its coefficients, which can be changed.

use crate::commands::Command;
use crate::commands::editing::EditCommand;
use crate::layers::legend_ui::status_name;
use crate::scene3d::layers::scale::Measure;
use crate::session::Session;
use crate::state::selection::Selection;
use crate::text::format;
use crate::theme::{Palette, colour};
use crate::ui::{Spoken, heading, table};
use bevy_egui::egui::{self, DragValue, RichText, Ui};
use physics::model::{BodyId, ContactRules, ContactState, Model};
use physics::scene::{Amendment, ContactFile, Edit, MaterialFile, Number};
use std::collections::BTreeSet;

/// Most contact points listed; the strongest come first.
const LISTED: usize = 8;
/// Width of the column of names (points).
const NAMES: f32 = 66.0;

/// Contact points and materials of a body, in a scene with contact.
pub fn touching_ui(ui: &mut Ui, session: &Session, body: BodyId, out: &mut Vec<Command>) {
    let model = session.model();
    if model.contact.is_none() {
        return;
    }
    contacts_ui(ui, session, body, out);
    if let Some(changed) = materials_ui(ui, model, body)
        && let Some(contact) = &session.scene().file.contact
    {
        let contact = with_coefficients(contact, &changed);
        let put = Amendment::Contact(Some(Box::new(contact)));
        let edit = Edit::merging("friction and restitution", vec![put]);
        out.push(Command::Edit(EditCommand::Amend(Box::new(edit))));
    }
}

fn contacts_ui(ui: &mut Ui, session: &Session, body: BodyId, out: &mut Vec<Command>) {
    let model = session.model();
    let palette = Palette::worn(ui);
    heading(ui, "Contacts of this body");
    let all = session.state().contacts.iter();
    let mut touching: Vec<&ContactState> = all.filter(|c| c.bodies.contains(&Some(body))).collect();
    let small = |text: String| RichText::new(text).small();
    if touching.is_empty() {
        ui.label(small("It touches nothing.".into()).color(palette.faint()));
        return;
    }
    let measure = Measure::of(model, 1.0);
    touching.sort_by(|a, b| b.normal_force().total_cmp(&a.normal_force()));
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 16.0;
        ui.spacing_mut().button_padding.y = 0.0;
        let grid = egui::Grid::new("touching")
            .num_columns(4)
            .spacing([8.0, 2.0])
            .min_col_width(0.0);
        grid.show(ui, |ui| {
            for (title, meaning) in [
                ("with", "The other body; click to select it"),
                (
                    "gap",
                    "Distance of the surfaces, negative for penetration [m]",
                ),
                ("normal", "Normal force [N]"),
                ("friction", "Friction force [N]"),
            ] {
                ui.label(small(title.into()).color(palette.faint()))
                    .on_hover_text(meaning);
            }
            ui.end_row();
            for contact in touching.iter().take(LISTED) {
                let status = measure.status(contact);
                let shade = colour(palette.contact[status as usize]);
                let other = contact.bodies.into_iter().find(|b| *b != Some(body));
                let hover = crate::layers::legend_ui::reading(contact, model);
                ui.horizontal(|ui| {
                    ui.set_width(NAMES);
                    ui.spacing_mut().item_spacing.x = 4.0;
                    ui.label(small("●".into()).color(shade))
                        .on_hover_text(status_name(status));
                    match other.flatten() {
                        Some(id) => {
                            let name = small(model.bodies[id.0].name.clone());
                            let link = egui::Button::new(name).frame(false).truncate();
                            if ui.add(link).on_hover_text(&hover).clicked() {
                                out.push(Command::Select(Some(Selection::body(id))));
                            }
                        }
                        None => {
                            ui.label(small("world".into())).on_hover_text(&hover);
                        }
                    }
                });
                let friction = contact.friction_force().norm();
                for value in [
                    format::quantity(contact.gap, "m"),
                    format::quantity(contact.normal_force(), "N"),
                    format::quantity(friction, "N"),
                ] {
                    ui.label(small(value)).on_hover_text(&hover);
                }
                ui.end_row();
            }
        });
    });
    if let Some(more @ 1..) = touching.len().checked_sub(LISTED) {
        ui.label(small(format!("and {more} weaker ones")).color(palette.faint()));
    }
}

/// Coefficients of the body's materials; the rules with changed ones if one was changed.
fn materials_ui(ui: &mut Ui, model: &Model, body: BodyId) -> Option<ContactRules> {
    let rules = model.contact.as_ref()?;
    let used: BTreeSet<usize> = model.bodies[body.0]
        .shapes
        .iter()
        .map(|s| s.touch.material)
        .collect();
    let mut next = rules.clone();
    heading(ui, "Material");
    table(ui, "material", |ui| {
        for k in &used {
            let material = &mut next.materials[*k];
            let name = material.name.clone();
            coefficients_ui(
                ui,
                &name,
                &mut material.friction,
                &mut material.restitution,
                "against itself; against others the geometric mean of the frictions and the larger restitution",
            );
        }
        for pair in &mut next.pairs {
            if pair.materials.iter().any(|m| used.contains(m)) {
                let [a, b] = pair.materials.map(|m| &rules.materials[m].name);
                let name = format!("{a} on {b}");
                coefficients_ui(
                    ui,
                    &name,
                    &mut pair.friction,
                    &mut pair.restitution,
                    "as given for this pair",
                );
            }
        }
    });
    (next != *rules).then_some(next)
}

/// The contact of the file with the coefficients of the rules.
fn with_coefficients(file: &ContactFile, rules: &ContactRules) -> ContactFile {
    let mut changed = file.clone();
    for material in &rules.materials {
        let old = changed.materials.get(&material.name);
        let old = old.cloned().unwrap_or_default();
        let coefficients = MaterialFile {
            friction: Some(Number(material.friction)),
            restitution: Number(material.restitution),
            ..old
        };
        changed.materials.set(material.name.clone(), coefficients);
    }
    // Pairs stand in the same order in both.
    for (pair, rule) in changed.pairs.iter_mut().zip(&rules.pairs) {
        pair.friction = Some(Number(rule.friction));
        pair.restitution = Some(Number(rule.restitution));
    }
    changed
}

fn coefficients_ui(
    ui: &mut Ui,
    name: &str,
    friction: &mut f64,
    restitution: &mut f64,
    scope: &str,
) {
    let faint = Palette::worn(ui).faint();
    ui.label(RichText::new(name).small().color(faint));
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 20.0;
        let field = DragValue::new(friction)
            .speed(0.005)
            .range(0.0..=10.0)
            .max_decimals(3)
            .prefix("µ ");
        ui.add(field).spoken("Friction").on_hover_text(format!(
            "Coefficient of friction, {scope}; for all bodies of it"
        ));
        let field = DragValue::new(restitution)
            .speed(0.005)
            .range(0.0..=1.0)
            .max_decimals(3)
            .prefix("e ");
        ui.add(field).spoken("Restitution").on_hover_text(format!(
            "Coefficient of restitution, {scope}; for all bodies of it"
        ));
    });
    ui.end_row();
}
