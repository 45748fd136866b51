//! Shapes of the world: the ground and what stands on it.

use crate::editing::inspector::foundation::foundations_ui;
use crate::editing::inspector::shape::{looks_ui, place_ui, size_ui, word};
use crate::editing::inspector::surface::{ShapeOwner, surface_ui};
use crate::session::Session;
use crate::ui::Spoken;
use crate::ui::form::Form;
use bevy_egui::egui::{CollapsingHeader, Ui};
use physics::math::Vec3;
use physics::scene::editing::{Amendment, Fresh};
use physics::scene::{HalfSpaceFile, ShapeFile, Vector};

/// Most shapes that are listed.
const MOST: usize = 60;

/// Draws the shapes of the world, each with its fields.
pub fn world_ui(ui: &mut Ui, session: &Session, form: &mut Form) {
    let count = session.scene().file.world.len();
    CollapsingHeader::new(format!("World ({count})"))
        .id_salt("world")
        .show(ui, |ui| shapes_ui(ui, session, form))
        .header_response
        .on_hover_text("The ground and what stands on it");
}

fn shapes_ui(ui: &mut Ui, session: &Session, form: &mut Form) {
    let file = &session.scene().file;
    let mut changed = file.world.clone();
    let mut edited = false;
    let (mut gone, mut copied) = (None, None);
    for (k, piece) in changed.iter_mut().enumerate().take(MOST) {
        let key = format!("world.{k}");
        CollapsingHeader::new(format!("{} {}", word(piece), k + 1))
            .id_salt(&key)
            .show(ui, |ui| {
                form.table(ui, &key, |form, ui| {
                    edited |= size_ui(ui, form, &key, piece);
                    edited |= place_ui(ui, form, &key, piece);
                    edited |= looks_ui(ui, form, (ShapeOwner::World, &key), piece);
                });
                edited |= surface_ui(ui, form, (ShapeOwner::World, &key), piece, file);
                if file.contact.is_some() {
                    edited |= foundations_ui(ui, form, &key, piece);
                }
                ui.horizontal(|ui| {
                    let meaning = "Copy this shape beside itself";
                    if ui.small_button("Copy").on_hover_text(meaning).clicked() {
                        copied = Some(k);
                    }
                    let meaning = "Take this shape of the world away";
                    let button = ui.small_button("✖").spoken(meaning);
                    if button.on_hover_text(meaning).clicked() {
                        gone = Some(k);
                    }
                });
            })
            .header_response
            .on_hover_text("Show or hide its fields");
        form.say(ui, &key);
    }
    if changed.len() > MOST {
        ui.label(format!("… and {} more", changed.len() - MOST));
    }
    if let Some(k) = copied {
        let mut copy = changed[k].clone();
        for point in [&mut copy.from, &mut copy.to].into_iter().flatten() {
            point.0.x += 0.5;
        }
        if copy.from.is_none() {
            let at = copy.at.map_or(Vec3::zeros(), |a| a.0);
            copy.at = Some(Vector(at + Vec3::x() * 0.5));
        }
        changed.push(copy);
        edited = true;
    }
    if let Some(k) = gone {
        changed.remove(k);
        edited = true;
    }
    let meaning = "Add a shape to the world, at its origin";
    ui.menu_button("Add to the world", |ui| {
        let ground = "ground (half-space)";
        if ui
            .button(ground)
            .on_hover_text("Everything below a plane")
            .clicked()
        {
            changed.push(ShapeFile {
                half_space: Some(HalfSpaceFile {}),
                ..ShapeFile::default()
            });
            edited = true;
            ui.close();
        }
        for fresh in Fresh::ALL {
            if ui.button(fresh.word()).clicked() {
                changed.push(fresh.shape(0.5));
                edited = true;
                ui.close();
            }
        }
    })
    .response
    .on_hover_text(meaning);
    if edited {
        form.edit("world", vec![Amendment::World(changed)]);
    }
}
