//! Colours of what has many kinds: phases of a step, curves that users choose, parts of the solver's picture, layers.
//!
//! All are after Okabe and Ito, so that colour-blind eyes tell neighbours apart; what matters is told by form too.

use bevy_egui::egui::Color32;

/// Okabe and Ito's colours, lightened for a dark ground and darkened for a light one: blue, orange, green, pink,
/// sky, vermilion, yellow, grey.
const CYCLE: [[[u8; 3]; 8]; 2] = [
    [
        [0, 100, 184],
        [204, 128, 0],
        [0, 128, 96],
        [176, 76, 138],
        [30, 130, 190],
        [190, 74, 20],
        [128, 118, 0],
        [110, 112, 118],
    ],
    [
        [92, 160, 232],
        [240, 170, 82],
        [64, 190, 150],
        [222, 146, 192],
        [130, 206, 250],
        [236, 128, 84],
        [240, 228, 100],
        [168, 170, 178],
    ],
];

/// A colour of the cycle, as red, green and blue.
pub const fn rgb(k: usize, dark: bool) -> [u8; 3] {
    CYCLE[dark as usize][k % CYCLE[0].len()]
}

/// A colour of the cycle.
pub const fn hue(k: usize, dark: bool) -> Color32 {
    super::theme::colour(rgb(k, dark))
}

/// Bodies in the solver's picture.
pub const BODY: usize = 0;
/// Constraints of the tree.
pub const CONSTRAINT: usize = 1;
/// Constraints that close loops.
pub const CLOSURE: usize = 3;
/// Contacts, limits and cables.
pub const ONE_SIDED: usize = 2;
/// Blocks that elimination adds.
pub const FILL: usize = 5;
