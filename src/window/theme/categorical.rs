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
    crate::theme::colour(rgb(k, dark))
}

/// Stops of a scale whose lightness rises evenly, told apart by colour-blind eyes and in grey too (after Viridis by
/// Smith and van der Walt).
const SCALE: [[u8; 3]; 5] = [
    [68, 1, 84],
    [59, 82, 139],
    [33, 145, 140],
    [94, 201, 98],
    [253, 231, 37],
];

/// Colour of a share between nothing, 0, and the largest, 1.
pub fn scale(share: f64) -> [u8; 3] {
    let at = share.clamp(0.0, 1.0) * (SCALE.len() - 1) as f64;
    let low = (at as usize).min(SCALE.len() - 2);
    let part = at - low as f64;
    std::array::from_fn(|k| {
        let [a, b] = [SCALE[low][k], SCALE[low + 1][k]].map(f64::from);
        (a + part * (b - a)).round() as u8
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_goes_through_its_stops_and_grows_lighter() {
        for (k, stop) in SCALE.iter().enumerate() {
            assert_eq!(scale(0.25 * k as f64), *stop);
        }
        let light =
            |[r, g, b]: [u8; 3]| 0.3 * f64::from(r) + 0.59 * f64::from(g) + 0.11 * f64::from(b);
        for k in 0..100 {
            let shares = [k, k + 1].map(|k| light(scale(0.01 * f64::from(k))));
            assert!(shares[1] >= shares[0] - 0.5, "{k}");
        }
        assert_eq!(scale(f64::NAN.max(0.0)), SCALE[0]);
    }
}
