//! What changes the scene, and saves it.

use crate::commands::Command;
use crate::commands::editing::EditCommand;
use crate::commands::keys::{Binding, control, plain, unbound};
use bevy::prelude::KeyCode as K;
use physics::scene::Kind;
use physics::scene::editing::{Fresh, Link};

/// What can be connected, as the search finds it.
pub const LINKS: [(Link, &str); 7] = [
    (Link::Joint(Kind::Revolute), "connect two points by a hinge"),
    (
        Link::Joint(Kind::Spherical),
        "connect two points by a ball joint",
    ),
    (
        Link::Joint(Kind::Universal),
        "connect two points by a universal joint",
    ),
    (
        Link::Joint(Kind::Prismatic),
        "connect two points by a slider",
    ),
    (Link::Joint(Kind::Fixed), "connect two points by a weld"),
    (Link::Spring, "connect two points by a spring"),
    (Link::Cable, "connect two points by a cable"),
];

/// The entries.
pub fn bindings() -> Vec<Binding> {
    let asked =
        |key, label, meaning, asked| control("Edit", key, label, meaning, Command::Edit(asked));
    let found = |meaning, asked| unbound("Edit", meaning, Command::Edit(asked));
    let mut all = vec![
        asked(K::KeyZ, "Ctrl + Z", "undo", EditCommand::Undo),
        asked(K::KeyY, "Ctrl + Y", "redo", EditCommand::Redo),
        asked(
            K::KeyD,
            "Ctrl + D",
            "copy the selection",
            EditCommand::Duplicate,
        ),
        plain(
            "Edit",
            K::Delete,
            "Delete",
            "delete the selection",
            Command::Edit(EditCommand::Delete),
        ),
        asked(K::KeyS, "Ctrl + S", "save the scene", EditCommand::Save),
        Binding {
            shift: true,
            ..asked(
                K::KeyS,
                "Ctrl + Shift + S",
                "save the scene elsewhere",
                EditCommand::SaveAs,
            )
        },
        found("let the scene start as it is now", EditCommand::Begin),
        found(
            "handles of the selected body on or off",
            EditCommand::ToggleHandles,
        ),
        found("add a force on the selected body", EditCommand::AddForce),
        found(
            "couple the selected joint with another",
            EditCommand::AddCoupling,
        ),
        found("open the scene with this view", EditCommand::KeepCamera),
        found("stop adding or connecting", EditCommand::Stop),
    ];
    all.extend(Fresh::ALL.map(|fresh| found(addition(fresh), EditCommand::Place(fresh))));
    all.extend(LINKS.map(|(link, meaning)| found(meaning, EditCommand::Attach(link))));
    all.extend(GROUNDED.map(|(kind, meaning)| found(meaning, EditCommand::Ground(kind))));
    all
}

/// Joints by which one click joins a body to the ground.
pub const GROUNDED: [(Kind, &str); 4] = [
    (Kind::Revolute, "join a body to the ground by a hinge"),
    (Kind::Spherical, "join a body to the ground by a ball joint"),
    (Kind::Prismatic, "join a body to the ground by a slider"),
    (Kind::Fixed, "weld a body to the ground"),
];

/// Second keys: what other programs have taught.
pub fn second_keys() -> Vec<Binding> {
    let redo = Command::Edit(EditCommand::Redo);
    vec![Binding {
        shift: true,
        ..control("Edit", K::KeyZ, "Ctrl + Shift + Z", "redo", redo)
    }]
}

fn addition(fresh: Fresh) -> &'static str {
    match fresh {
        Fresh::Box => "add a box",
        Fresh::Sphere => "add a sphere",
        Fresh::Capsule => "add a capsule",
        Fresh::Cylinder => "add a cylinder",
        Fresh::Cone => "add a cone",
        Fresh::Ellipsoid => "add an ellipsoid",
    }
}
