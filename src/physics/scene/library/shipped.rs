//! The authored scenes, compiled into the program so that their names work in any folder.

use crate::scene::{read, source::Source};
use std::sync::LazyLock;

/// An authored scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Shipped {
    /// The word by which it is opened.
    pub name: &'static str,
    /// What it belongs to.
    pub group: &'static str,
    /// Name shown to people.
    pub title: String,
    /// One line on what there is to see.
    pub description: String,
    /// Its file.
    pub text: &'static str,
}

/// The scene that opens where none is asked for.
pub const DEFAULT: &str = "double_pendulum";

/// Bytes of a shipped mesh file.
pub(in crate::scene) fn mesh(name: &str) -> Option<&'static [u8]> {
    scenes::MESHES.iter().find(|m| m.0 == name).map(|m| m.1)
}

fn authored(group: &'static str, name: &'static str, text: &'static str) -> Shipped {
    let file = read::read(&Source::new(name, text))
        .file
        .expect("every scene of the program can be read, as a test checks");
    Shipped {
        name,
        group,
        title: file.title,
        description: file.description,
        text,
    }
}

/// All authored scenes by group, in each from simple to rich.
pub fn shipped() -> &'static [Shipped] {
    static SHIPPED: LazyLock<Vec<Shipped>> = LazyLock::new(|| {
        let all = scenes::SCENES.iter();
        all.map(|t| authored(t.0, t.1, t.2)).collect()
    });
    &SHIPPED
}

/// Scenes to begin a new one from. They are opened by name, as the shipped ones, and are not listed among those.
pub fn templates() -> &'static [Shipped] {
    static TEMPLATES: LazyLock<Vec<Shipped>> = LazyLock::new(|| {
        let all = scenes::TEMPLATES.iter();
        all.map(|t| authored("New scene", t.0, t.1)).collect()
    });
    &TEMPLATES
}
