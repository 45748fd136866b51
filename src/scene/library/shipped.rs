//! The authored scenes, compiled into the program so that their names work in any folder.

use crate::scene::{read, source::Source};
use std::sync::LazyLock;

/// An authored scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Shipped {
    /// The word by which it is opened.
    pub name: &'static str,
    /// Name shown to people.
    pub title: String,
    /// One line on what there is to see.
    pub description: String,
    /// Its file.
    pub text: &'static str,
}

/// The scene that opens where none is asked for.
pub const DEFAULT: &str = "double_pendulum";

/// Names and texts of files in `scenes/`.
macro_rules! texts {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../scenes/", $name, ".ron")))),*]
    };
}

/// Names and bytes of mesh files in `scenes/`.
macro_rules! meshes {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../../scenes/", $name)))),*]
    };
}

const TEXTS: &[(&str, &str)] = texts![
    "pendulum",
    "damped_pendulum",
    "double_pendulum",
    "triple_pendulum",
    "chain",
    "net",
    "three_link_loop",
    "four_bar",
    "double_four_bar",
    "four_bar_chain",
    "slider_crank",
    "heavy_top",
    "t_handle",
    "andrews",
    "bricard",
    "flyball_governor",
    "scissor_lift",
    "stewart_platform",
    "minitaur_leg",
    "arm",
    "box_drop",
    "box_slope",
    "four_frictions",
    "dice",
    "box_stack",
    "brick_wall",
    "sphere_stack",
    "sphere_chain",
    "dominoes",
    "ball_pit",
    "newtons_cradle",
    "tippe_top",
    "rattleback",
    "rolling_disk",
    "gear_pair",
    "geneva_drive",
    "passive_walker",
    "rimless_wheel",
    "wheel_rim",
    "heavy_on_light",
    "arch",
    "card_tower",
    "marble_run",
];

/// Mesh files of authored scenes, by the names that the scenes use.
const MESHES: &[(&str, &[u8])] =
    meshes!["gear_tooth_18.obj", "gear_tooth_27.obj", "marble_run.obj"];

/// Bytes of a shipped mesh file.
pub(in crate::scene) fn mesh(name: &str) -> Option<&'static [u8]> {
    MESHES.iter().find(|m| m.0 == name).map(|m| m.1)
}

/// All authored scenes, from simple to rich.
pub fn shipped() -> &'static [Shipped] {
    static SHIPPED: LazyLock<Vec<Shipped>> = LazyLock::new(|| {
        let scene = |&(name, text): &(&'static str, &'static str)| {
            let file = read::read(&Source::new(name, text))
                .file
                .expect("every shipped scene can be read, as a test checks");
            Shipped {
                name,
                title: file.title,
                description: file.description,
                text,
            }
        };
        TEXTS.iter().map(scene).collect()
    });
    &SHIPPED
}
