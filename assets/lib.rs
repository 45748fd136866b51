//! What the window of Driftless shows and does not draw itself, as data: fonts and the pictures of its gallery.

/// Names and bytes of pictures.
macro_rules! pictures {
    ($($name:literal),* $(,)?) => {
        &[$(($name, [
            include_bytes!(concat!("gallery/light/", $name, ".png")),
            include_bytes!(concat!("gallery/dark/", $name, ".png")),
        ])),*]
    };
}

/// A name, and the bytes of its pictures for the light and the dark theme.
pub type Picture = (&'static str, [&'static [u8]; 2]);

/// The sans-serif font of the window: Roboto, under the Apache licence 2.0.
pub const ROBOTO: &[u8] = include_bytes!("fonts/Roboto-Regular.ttf");

/// The monospace font of the window: JetBrains Mono, under the SIL Open Font License 1.1.
pub const JETBRAINS_MONO: &[u8] = include_bytes!("fonts/JetBrainsMono-Regular.ttf");

/// Symbols of the window's buttons that the other fonts lack, under the MIT licence: emoji-icon-font by John Slegers,
/// cut down by `pyftsubset emoji-icon-font.ttf --unicodes=U+23F5,U+23F7,U+23F9,U+23FA,U+2630,U+270F,U+2714,U+2716,U+27F2,U+27F3`.
pub const SYMBOLS: &[u8] = include_bytes!("fonts/Symbols.ttf");

/// PNG files of the pictures of scenes and generators, as `gallery/render` draws them.
pub const PICTURES: &[Picture] = pictures![
    "pendulum",
    "damped_pendulum",
    "mass_spring_damper",
    "double_pendulum",
    "triple_pendulum",
    "chain",
    "net",
    "three_link_loop",
    "four_bar",
    "double_four_bar",
    "four_bar_chain",
    "slider_crank",
    "andrews",
    "bricard",
    "scissor_lift",
    "stewart_platform",
    "heavy_top",
    "heavy_top_free",
    "rotor",
    "t_handle",
    "tippe_top",
    "rattleback",
    "rolling_disk",
    "flyball_governor",
    "arm",
    "puma",
    "minitaur_leg",
    "gear_pair",
    "geneva_drive",
    "passive_walker",
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
    "box_stack",
    "sphere_stack",
    "heavy_on_light",
    "brick_wall",
    "arch",
    "card_tower",
    "made_chain",
    "made_four-bar-chain",
    "made_closed-chain",
    "made_net",
    "made_tree",
    "made_drop",
    "made_slope",
    "made_box-stack",
    "made_sphere-stack",
    "made_sphere-chain",
    "made_pit",
];
