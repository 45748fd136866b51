//! What a shape weighs, what it is made of and what it touches.

use crate::ui::form::{Field, Form};
use bevy_egui::egui::{CollapsingHeader, Ui};
use physics::scene::{SceneFile, ShapeFile};

/// What a shape belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeOwner {
    /// The world: it is not weighed.
    World,
    /// A body.
    Body,
}

impl ShapeOwner {
    /// What is said of a shape that has no colour or material of its own.
    pub fn plain(self) -> &'static str {
        match self {
            Self::World => "as usual",
            Self::Body => "as body",
        }
    }
}

/// Mass, density, material and groups of a shape, which most shapes leave to their body. True if one was changed.
pub fn surface_ui(
    ui: &mut Ui,
    form: &mut Form,
    (owner, key): (ShapeOwner, &str),
    piece: &mut ShapeFile,
    scene: &SceneFile,
) -> bool {
    if owner == ShapeOwner::World && scene.contact.is_none() {
        return false;
    }
    let title = match owner {
        ShapeOwner::World => "Surface",
        ShapeOwner::Body => "Weight and surface",
    };
    let header = CollapsingHeader::new(title).id_salt((&form.path, key, "surface"));
    let shown = header.show(ui, |ui| {
        let mut changed = false;
        form.table(ui, key, |form, ui| {
            changed = fields_ui(ui, form, (owner, key), piece, scene);
        });
        changed
    });
    let meaning = "Mass, density, material and groups of this shape alone";
    shown.header_response.on_hover_text(meaning);
    shown.body_returned.unwrap_or(false)
}

fn fields_ui(
    ui: &mut Ui,
    form: &Form,
    (owner, key): (ShapeOwner, &str),
    piece: &mut ShapeFile,
    scene: &SceneFile,
) -> bool {
    let path = |field: &str| format!("{key}.{field}");
    let mut changed = false;
    let weighs = owner == ShapeOwner::Body;
    for (name, unit, meaning, value, otherwise) in [
        (
            "mass",
            "kg",
            "Mass of this shape; 0 for a massless one",
            &mut piece.mass,
            1.0,
        ),
        (
            "density",
            "kg/m³",
            "Density of this shape",
            &mut piece.density,
            1000.0,
        ),
    ] {
        let field = Field {
            name,
            unit,
            meaning,
        };
        if weighs {
            changed |= form.ticked(ui, field, &path(name), value, otherwise);
        }
    }
    let Some(contact) = &scene.contact else {
        return changed;
    };
    if contact.materials.len() > 1 {
        let mut material = piece.material.clone().unwrap_or_default();
        let mut choices = vec![(String::new(), owner.plain().to_owned())];
        choices.extend(
            contact
                .materials
                .names()
                .map(|m| (m.to_owned(), m.to_owned())),
        );
        let field = Field {
            name: "material",
            unit: "",
            meaning: "What its surface is made of",
        };
        if form.choice(ui, field, &path("material"), &mut material, &choices) {
            piece.material = (!material.is_empty()).then_some(material);
            changed = true;
        }
    }
    let mut collides = piece.collides != Some(false);
    ui.label("");
    let meaning = "Otherwise it is only drawn and weighed";
    if ui
        .checkbox(&mut collides, "touches others")
        .on_hover_text(meaning)
        .changed()
    {
        piece.collides = (!collides).then_some(false);
        if !collides {
            (piece.groups, piece.collides_with) = (None, None);
        }
        changed = true;
    }
    ui.end_row();
    if collides {
        for (name, meaning, groups) in [
            (
                "groups",
                "Groups it belongs to, separated by spaces; `default` where none is named",
                &mut piece.groups,
            ),
            (
                "collides_with",
                "Groups it touches, separated by spaces; all where none is named",
                &mut piece.collides_with,
            ),
        ] {
            let field = Field {
                name,
                unit: "",
                meaning,
            };
            let mut text = groups.as_ref().map_or(String::new(), |g| g.join(" "));
            if form.text(ui, field, &path(name), &mut text) {
                let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
                *groups = (!words.is_empty()).then_some(words);
                changed = true;
            }
        }
    }
    changed
}
