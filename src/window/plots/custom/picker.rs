//! Choosing a quantity: a search over all names, or the tree of bodies, joints and contacts.

use crate::session::Session;
use crate::state::selection::Selection;
use crate::theme::Palette;
use bevy_egui::egui::{self, CollapsingHeader, RichText, ScrollArea, TextEdit, Ui};
use physics::diagnostics::{Owner, Quantity};
use physics::model::{BodyId, JointId, Model};
use std::collections::BTreeSet;

/// Most names that a search lists, and most owners of one kind that the tree lists.
const MOST: (usize, usize) = (60, 120);

/// Draws the search and the tree; the quantity that was clicked.
pub fn picker_ui(
    ui: &mut Ui,
    session: &Session,
    selection: Option<Selection>,
    search: &mut String,
) -> Option<Quantity> {
    let model = session.model();
    let field = TextEdit::singleline(search)
        .hint_text("search: speed, hinge rate, energy …")
        .desired_width(f32::INFINITY);
    ui.add(field)
        .on_hover_text("Words that the name, its owner's or its meaning contain");
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    ScrollArea::vertical()
        .id_salt("quantities")
        .auto_shrink([false, false])
        .show(ui, |ui| {
            if words.is_empty() {
                tree_ui(ui, session, selection)
            } else {
                found_ui(ui, model, &owners(session), &words)
            }
        })
        .inner
}

/// Everything that has quantities.
fn owners(session: &Session) -> Vec<Owner> {
    let model = session.model();
    let bodies = (0..model.bodies.len()).map(|k| Owner::Body(BodyId(k)));
    let joints = (0..model.joints.len()).map(|k| Owner::Joint(JointId(k)));
    let limits = (0..model.limit_count()).map(Owner::Limit);
    std::iter::once(Owner::Run)
        .chain(bodies)
        .chain(joints)
        .chain(limits)
        .chain(pairs(session))
        .collect()
}

/// Pairs of bodies that are near each other now.
fn pairs(session: &Session) -> BTreeSet<Owner> {
    let contacts = &session.state().contacts;
    let pair = |c: &physics::model::ContactState| Some(Owner::Pair(c.bodies[0]?, c.bodies[1]));
    contacts.iter().filter_map(pair).collect()
}

/// The quantities that a search finds.
fn found_ui(ui: &mut Ui, model: &Model, owners: &[Owner], words: &[String]) -> Option<Quantity> {
    let mut picked = None;
    let mut listed = 0;
    for owner in owners {
        let name = owner.name(model).to_lowercase();
        let open: Vec<&String> = words
            .iter()
            .filter(|w| !name.contains(w.as_str()))
            .collect();
        for quantity in Quantity::all(*owner, model) {
            let holds = |w: &&String| {
                quantity.column().contains(w.as_str()) || quantity.meaning().contains(w.as_str())
            };
            if !open.iter().all(holds) {
                continue;
            }
            if listed == MOST.0 {
                ui.label(RichText::new("… more: another word narrows it down").small());
                return picked;
            }
            listed += 1;
            if quantity_ui(ui, quantity, &quantity.name(model), model) {
                picked = Some(quantity);
            }
        }
    }
    if listed == 0 {
        ui.label("Nothing is called so.");
    }
    picked
}

/// Quantities by what they belong to; what is selected comes first and is open.
fn tree_ui(ui: &mut Ui, session: &Session, selection: Option<Selection>) -> Option<Quantity> {
    let model = session.model();
    let body = selection.and_then(Selection::as_body).map(Owner::Body);
    let joint = selection.and_then(Selection::as_joint).map(Owner::Joint);
    let selected = body.or(joint);
    let mut picked = None;
    if let Some(owner) = selected {
        owner_ui(ui, owner, model, true, &mut picked);
    }
    owner_ui(ui, Owner::Run, model, selected.is_none(), &mut picked);
    let all = owners(session);
    let of = |kind: fn(&Owner) -> bool| all.iter().copied().filter(kind).collect::<Vec<_>>();
    for (title, owners) in [
        ("Bodies", of(|o| matches!(o, Owner::Body(_)))),
        ("Joints", of(|o| matches!(o, Owner::Joint(_)))),
        ("Limits and cables", of(|o| matches!(o, Owner::Limit(_)))),
        ("Contacts", of(|o| matches!(o, Owner::Pair(..)))),
    ] {
        if owners.is_empty() {
            continue;
        }
        CollapsingHeader::new(title).show(ui, |ui| {
            for owner in owners.iter().take(MOST.1) {
                owner_ui(ui, *owner, model, false, &mut picked);
            }
            if owners.len() > MOST.1 {
                ui.label(RichText::new("… more: search for their names").small());
            }
        });
    }
    picked
}

/// The quantities of one owner.
fn owner_ui(ui: &mut Ui, owner: Owner, model: &Model, open: bool, picked: &mut Option<Quantity>) {
    let name = match owner {
        Owner::Run => "whole run".into(),
        _ => owner.name(model),
    };
    CollapsingHeader::new(name)
        .id_salt((owner_key(owner), open))
        .default_open(open)
        .show(ui, |ui| {
            for quantity in Quantity::all(owner, model) {
                if quantity_ui(ui, quantity, quantity.column(), model) {
                    *picked = Some(quantity);
                }
            }
        });
}

/// What tells owners apart.
fn owner_key(owner: Owner) -> [usize; 3] {
    match owner {
        Owner::Run => [0, 0, 0],
        Owner::Body(body) => [1, body.0, 0],
        Owner::Joint(joint) => [2, joint.0, 0],
        Owner::Limit(limit) => [3, limit, 0],
        Owner::Pair(a, b) => [4, a.0, b.map_or(usize::MAX, |b| b.0)],
    }
}

/// One quantity to be clicked.
fn quantity_ui(ui: &mut Ui, quantity: Quantity, name: &str, model: &Model) -> bool {
    let faint = Palette::worn(ui).faint();
    ui.horizontal(|ui| {
        let clicked = ui
            .add(egui::Button::selectable(false, RichText::new(name).small()))
            .on_hover_text(quantity.meaning())
            .clicked();
        let unit = quantity.unit(model);
        ui.label(RichText::new(unit).small().color(faint));
        clicked
    })
    .inner
}
