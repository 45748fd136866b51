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

/// Groups, names and texts of files in `scenes/`.
macro_rules! texts {
    ($($group:literal: [$($name:literal),* $(,)?]),* $(,)?) => {
        &[$($(($group, $name, include_str!(concat!("../../../../scenes/", $name, ".ron")))),*),*]
    };
}

/// Names and texts of the scenes that a new one begins from.
const TEMPLATES: &[(&str, &str)] = &[
    (
        "empty",
        include_str!("../../../../scenes/templates/empty.ron"),
    ),
    (
        "box_on_floor",
        include_str!("../../../../scenes/templates/box_on_floor.ron"),
    ),
    (
        "cart",
        include_str!("../../../../scenes/templates/cart.ron"),
    ),
];

/// Names and bytes of mesh files in `scenes/`.
macro_rules! meshes {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../../../scenes/", $name)))),*]
    };
}

const TEXTS: &[(&str, &str, &str)] = texts![
    "Pendulums and chains": [
        "pendulum",
        "damped_pendulum",
        "mass_spring_damper",
        "double_pendulum",
        "triple_pendulum",
        "chain",
        "net",
    ],
    "Loops": [
        "three_link_loop",
        "four_bar",
        "double_four_bar",
        "four_bar_chain",
        "slider_crank",
        "andrews",
        "bricard",
        "scissor_lift",
        "stewart_platform",
    ],
    "Spinning bodies": [
        "heavy_top",
        "heavy_top_free",
        "rotor",
        "t_handle",
        "tippe_top",
        "rattleback",
        "rolling_disk",
    ],
    "Machines and robots": [
        "flyball_governor",
        "arm",
        "puma",
        "minitaur_leg",
        "gear_pair",
        "geneva_drive",
        "passive_walker",
    ],
    "Contact and friction": [
        "box_drop",
        "box_slope",
        "four_frictions",
        "foundation",
        "dice",
        "newtons_cradle",
        "dominoes",
        "rimless_wheel",
        "wheel_rim",
        "sphere_chain",
        "marble_run",
        "ball_pit",
    ],
    "Stacks and walls": [
        "box_stack",
        "sphere_stack",
        "heavy_on_light",
        "brick_wall",
        "arch",
        "card_tower",
    ],
];

/// Mesh files of authored scenes, by the names that the scenes use.
const MESHES: &[(&str, &[u8])] =
    meshes!["gear_tooth_18.obj", "gear_tooth_27.obj", "marble_run.obj"];

/// Bytes of a shipped mesh file.
pub(in crate::scene) fn mesh(name: &str) -> Option<&'static [u8]> {
    MESHES.iter().find(|m| m.0 == name).map(|m| m.1)
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
        let all = TEXTS.iter();
        all.map(|t| authored(t.0, t.1, t.2)).collect()
    });
    &SHIPPED
}

/// Scenes to begin a new one from. They are opened by name, as the shipped ones, and are not listed among those.
pub fn templates() -> &'static [Shipped] {
    static TEMPLATES_READ: LazyLock<Vec<Shipped>> = LazyLock::new(|| {
        let all = TEMPLATES.iter();
        all.map(|t| authored("New scene", t.0, t.1)).collect()
    });
    &TEMPLATES_READ
}
