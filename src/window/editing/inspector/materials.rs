//! Rules of contact: what surfaces are made of, what pairs of materials do to each other, which bodies never touch.

use crate::commands::Command;
use crate::commands::editing::EditCommand;
use crate::editing::inspector::compliance::surface_compliance_ui;
use crate::session::Session;
use crate::theme::Palette;
use crate::ui::Spoken;
use crate::ui::form::{Form, pick_ui, renaming, text_ui};
use crate::ui::number::number_ui;
use bevy_egui::egui::{self, RichText, Ui};
use physics::scene::editing::{Amendment, Section, delete, free_name, without_contact};
use physics::scene::{ContactFile, FRICTION, MaterialFile, Number, PairFile};

/// Draws what belongs to contact, where bodies touch.
pub fn materials_ui(ui: &mut Ui, session: &Session, form: &mut Form) {
    let mut touches = session.scene().file.contact.is_some();
    let meaning = "Otherwise shapes pass through each other: they are only drawn and weighed";
    if ui
        .checkbox(&mut touches, "Bodies touch each other")
        .on_hover_text(meaning)
        .changed()
    {
        let amendments = if touches {
            vec![Amendment::Contact(Some(Box::default()))]
        } else {
            without_contact(session.scene())
        };
        form.edit("contact", amendments);
        return;
    }
    if let Some(file) = &session.scene().file.contact {
        egui::CollapsingHeader::new("Materials and pairs")
            .show(ui, |ui| rules_ui(ui, session, form, file))
            .header_response
            .on_hover_text("Friction, restitution, and which bodies never touch");
    }
}

/// The rules of contact.
fn rules_ui(ui: &mut Ui, session: &Session, form: &mut Form, file: &ContactFile) {
    let mut changed = file.clone();
    let meaning = "Otherwise bodies that a joint connects pass through each other";
    let mut edited = ui
        .checkbox(&mut changed.joined, "also where a joint connects them")
        .on_hover_text(meaning)
        .changed();
    edited |= list_ui(ui, session, form, &mut changed);
    let names: Vec<String> = changed.materials.names().map(str::to_owned).collect();
    edited |= pairs_ui(ui, form, &names, &mut changed);
    let bodies: Vec<String> = session
        .scene()
        .file
        .bodies
        .names()
        .map(str::to_owned)
        .collect();
    edited |= apart_ui(ui, form, &bodies, &mut changed);
    if edited {
        form.edit("contact", vec![Amendment::Contact(Some(Box::new(changed)))]);
    }
}

/// Two numbers in a row: friction and restitution.
fn numbers_ui(ui: &mut Ui, friction: &mut f64, restitution: &mut f64) -> bool {
    let faint = Palette::worn(ui).faint();
    let mut changed = false;
    for (name, value, meaning) in [
        (
            "µ",
            friction,
            "Coefficient of Coulomb friction, static and sliding",
        ),
        ("e", restitution, "Coefficient of restitution, 0 to 1"),
    ] {
        let label = RichText::new(name).small().color(faint);
        ui.label(label).on_hover_text(meaning);
        changed |= number_ui(ui, value, "", meaning, None);
    }
    changed
}

/// The materials.
fn list_ui(ui: &mut Ui, session: &Session, form: &mut Form, contact: &mut ContactFile) -> bool {
    let mut edited = false;
    if contact.materials.is_empty() {
        // One material is everywhere; it gets a name once it is changed.
        ui.horizontal_wrapped(|ui| {
            ui.label("everywhere");
            let (mut friction, mut restitution) = (FRICTION, 0.0);
            if numbers_ui(ui, &mut friction, &mut restitution) {
                contact
                    .materials
                    .set("default", material(friction, restitution));
                edited = true;
            }
        });
    }
    let names: Vec<String> = contact.materials.names().map(str::to_owned).collect();
    for (k, name) in names.iter().enumerate() {
        let Some(old) = contact.materials.get(name).cloned() else {
            continue;
        };
        ui.horizontal_wrapped(|ui| {
            let meaning = if k == 0 {
                "Name of the material; this one is that of shapes that name none"
            } else {
                "Name of the material"
            };
            let mut called = name.clone();
            if text_ui(ui, ("material", name), &mut called, meaning, None) {
                let edit = renaming(Section::Materials, name, called);
                form.out
                    .push(Command::Edit(EditCommand::Amend(Box::new(edit))));
            }
            let mut friction = old.friction.map_or(FRICTION, |f| f.0);
            let mut restitution = old.restitution.0;
            let (mut compliance, mut hertz) = (old.compliance, old.hertz);
            let mut own = numbers_ui(ui, &mut friction, &mut restitution);
            own |= surface_compliance_ui(ui, ("material", name), &mut compliance, &mut hertz);
            if own {
                let changed = MaterialFile {
                    compliance,
                    hertz,
                    ..material(friction, restitution)
                };
                contact.materials.set(name.clone(), changed);
                edited = true;
            }
            let meaning = "Take this material away; what is made of it is made of the first one";
            let button = ui.small_button("✖").spoken(meaning);
            if button.on_hover_text(meaning).clicked() {
                let edit = delete(session.scene(), Section::Materials, name);
                form.out
                    .push(Command::Edit(EditCommand::Amend(Box::new(edit))));
            }
        });
        let key = format!("contact.materials.{name}");
        form.say(ui, &key);
    }
    let meaning = "Add a material; shapes and bodies choose theirs";
    if ui
        .small_button("+ material")
        .on_hover_text(meaning)
        .clicked()
    {
        if contact.materials.is_empty() {
            contact.materials.set("default", material(FRICTION, 0.0));
        }
        let name = free_name(contact.materials.names(), "material");
        contact.materials.set(name, material(FRICTION, 0.0));
        edited = true;
    }
    edited
}

fn material(friction: f64, restitution: f64) -> MaterialFile {
    MaterialFile {
        friction: Some(Number(friction)),
        restitution: Number(restitution),
        ..MaterialFile::default()
    }
}

/// A number that a pair may leave to its materials.
fn own_ui(ui: &mut Ui, name: &str, value: &mut Option<Number>, first: f64, meaning: &str) -> bool {
    let mut given = value.is_some();
    let mut changed = ui
        .checkbox(&mut given, name)
        .on_hover_text(meaning)
        .changed();
    if changed {
        *value = given.then_some(Number(first));
    }
    if let Some(Number(value)) = value {
        changed |= number_ui(ui, value, "", meaning, None);
    }
    changed
}

/// What pairs of materials do to each other.
fn pairs_ui(ui: &mut Ui, form: &mut Form, names: &[String], contact: &mut ContactFile) -> bool {
    let mut edited = false;
    let mut gone = None;
    for (k, pair) in contact.pairs.iter_mut().enumerate() {
        ui.horizontal_wrapped(|ui| {
            let (a, b) = &mut pair.materials;
            edited |= pick_ui(ui, ("pair", k, 0), a, names, "One material of the pair");
            ui.label("on");
            edited |= pick_ui(ui, ("pair", k, 1), b, names, "Other material of the pair");
            let meaning = "Coefficient of friction; else the geometric mean of both";
            edited |= own_ui(ui, "µ", &mut pair.friction, FRICTION, meaning);
            let meaning = "Coefficient of restitution; else the larger of both";
            edited |= own_ui(ui, "e", &mut pair.restitution, 0.0, meaning);
            let (compliance, hertz) = (&mut pair.compliance, &mut pair.hertz);
            edited |= surface_compliance_ui(ui, ("pair", k), compliance, hertz);
            let meaning = "Take this pair away";
            let button = ui.small_button("✖").spoken(meaning);
            if button.on_hover_text(meaning).clicked() {
                gone = Some(k);
            }
        });
    }
    if let Some(k) = gone {
        contact.pairs.remove(k);
        edited = true;
    }
    let given = |a: &String, b: &String| {
        let same = |p: &&PairFile| {
            let (x, y) = &p.materials;
            (x, y) == (a, b) || (y, x) == (a, b)
        };
        contact.pairs.iter().any(|p| same(&p))
    };
    let mut open = names.iter().enumerate();
    let open = open.find_map(|(k, a)| {
        let b = names[k + 1..].iter().find(|b| !given(a, b))?;
        Some((a.clone(), b.clone()))
    });
    let meaning = "Give two materials their own friction and restitution";
    if let Some(materials) = open
        && ui.small_button("+ pair").on_hover_text(meaning).clicked()
    {
        contact.pairs.push(PairFile {
            materials,
            friction: Some(Number(FRICTION)),
            ..PairFile::default()
        });
        edited = true;
    }
    form.say(ui, "contact.pairs");
    edited
}

/// Bodies that never touch.
fn apart_ui(ui: &mut Ui, form: &mut Form, bodies: &[String], contact: &mut ContactFile) -> bool {
    let mut edited = false;
    let mut gone = None;
    for (k, (a, b)) in contact.apart.iter_mut().enumerate() {
        ui.horizontal_wrapped(|ui| {
            edited |= pick_ui(ui, ("apart", k, 0), a, bodies, "A body");
            ui.label("never touches");
            edited |= pick_ui(ui, ("apart", k, 1), b, bodies, "Another body");
            let meaning = "Let them touch";
            let button = ui.small_button("✖").spoken(meaning);
            if button.on_hover_text(meaning).clicked() {
                gone = Some(k);
            }
        });
    }
    if let Some(k) = gone {
        contact.apart.remove(k);
        edited = true;
    }
    let meaning = "Name two bodies that never touch each other";
    if let [a, b, ..] = bodies
        && ui
            .small_button("+ never touch")
            .on_hover_text(meaning)
            .clicked()
    {
        contact.apart.push((a.clone(), b.clone()));
        edited = true;
    }
    form.say(ui, "contact.apart");
    edited
}
