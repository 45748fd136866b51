//! The scenes that Driftless ships, as data: their texts and the mesh files that they name. What they mean is said where they
//! are read, in `driftless-physics`.

/// Groups, names and texts of scene files.
macro_rules! texts {
    ($($group:literal: [$($name:literal),* $(,)?]),* $(,)?) => {
        &[$($(($group, $name, include_str!(concat!($name, ".ron")))),*),*]
    };
}

/// Names and bytes of mesh files.
macro_rules! meshes {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!($name))),*]
    };
}

/// Names and texts of the scenes that a new one begins from.
pub const TEMPLATES: &[(&str, &str)] = &[
    ("empty", include_str!("templates/empty.ron")),
    ("box_on_floor", include_str!("templates/box_on_floor.ron")),
    ("cart", include_str!("templates/cart.ron")),
];

/// Groups, names and texts of the authored scenes; in each group from simple to rich.
pub const SCENES: &[(&str, &str, &str)] = texts![
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
pub const MESHES: &[(&str, &[u8])] =
    meshes!["gear_tooth_18.obj", "gear_tooth_27.obj", "marble_run.obj"];
