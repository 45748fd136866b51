//! Every number of the look: sizes, colours, light. Nothing else in the window states one.

use crate::model::Colour;
use bevy_egui::egui::{self, Color32};

/// Heights and widths of the layout [points].
pub mod size {
    /// Toolbar.
    pub const TOOLBAR: f32 = 38.0;
    /// Transport bar.
    pub const TRANSPORT: f32 = 42.0;
    /// Status line.
    pub const STATUS: f32 = 26.0;
    /// Side panel with scenes, inspector and settings: at first, and its range.
    pub const SIDE: (f32, f32, f32) = (270.0, 230.0, 460.0);
    /// Plots: at first, and its range.
    pub const PLOTS: (f32, f32, f32) = (372.0, 280.0, 900.0);
    /// The bench below the view: at first, and its range.
    pub const BENCH: (f32, f32, f32) = (270.0, 120.0, 900.0);
    /// Least height of one plot.
    pub const PLOT: f32 = 84.0;
    /// Room for the marks of a plot's vertical axis, so that all time axes begin at one line.
    pub const PLOT_AXIS: f32 = 46.0;
    /// Text: small, normal, heading.
    pub const TEXT: (f32, f32, f32) = (12.0, 14.0, 18.0);
    /// Space between things.
    pub const GAP: f32 = 8.0;
    /// Rounding of corners.
    pub const CORNER: u8 = 5;
    /// Range of the interface scale, and one step of its keys.
    pub const SCALE: (f32, f32, f32) = (0.7, 2.5, 0.1);
}

/// Light and matter of the three-dimensional view.
pub mod studio {
    /// Vertical field of view [rad].
    pub const FIELD_OF_VIEW: f32 = 0.72;
    /// Key light [lux] and the direction in which it shines.
    pub const KEY: (f32, [f32; 3]) = (7_200.0, [-0.45, 0.7, -1.0]);
    /// Strength of the surrounding light [cd/m²].
    pub const SURROUNDING: f32 = 1_250.0;
    /// Roughness of every body.
    pub const ROUGHNESS: f32 = 0.62;
    /// Mirror reflection at normal incidence.
    pub const REFLECTANCE: f32 = 0.32;
    /// Bevel of a box, as a share of its smallest edge.
    pub const BEVEL: f32 = 0.09;
    /// Width of the outline of the selected body, as a share of the radii of the scene and of the body; the
    /// smaller counts.
    pub const OUTLINE: (f64, f64) = (0.007, 0.06);
    /// Edge of the shadow map [pixels] on a graphics card and on a processor.
    pub const SHADOW_MAP: (usize, usize) = (4096, 1024);
    /// Thickness of a cable, as a share of the scene's radius.
    pub const ROPE: f32 = 0.006;
    /// Radius of the floor, as a multiple of the scene's radius.
    pub const FLOOR: f64 = 22.0;
    /// Radius of a half-space that is not the floor, likewise.
    pub const PLANE: f64 = 12.0;
}

/// Sizes of what is drawn of contact, as shares of the radius of a usual body.
pub mod contact {
    /// Radius of a contact point.
    pub const POINT: f32 = 0.07;
    /// Length and thickness of a normal.
    pub const NORMAL: (f32, f32) = (0.55, 0.014);
    /// Thickness of a force's arrow.
    pub const FORCE: f32 = 0.03;
    /// Opacity of a friction cone.
    pub const VEIL: f32 = 0.26;
    /// Opacity of what is seen through a body.
    pub const THROUGH: f32 = 0.45;
    /// How near to a contact point the pointer must be to read it [points].
    pub const NEAR: f64 = 12.0;
}

/// What depends on light or dark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Palette {
    /// Behind the three-dimensional view.
    pub backdrop: [u8; 3],
    /// The floor.
    pub floor: [u8; 3],
    /// Lines of the grid.
    pub grid: [u8; 3],
    /// Sky, horizon and ground of the surrounding light.
    pub surrounding: [[u8; 3]; 3],
    /// Fill of bars and panels.
    pub panel: [u8; 3],
    /// Fill of plots and fields.
    pub well: [u8; 3],
    /// Lines between panels.
    pub line: [u8; 3],
    /// Buttons at rest, under the pointer, pressed.
    pub button: [[u8; 3]; 3],
    /// Text, and text that may be overlooked.
    pub text: [[u8; 3]; 2],
    /// The one colour that draws the eye: selection, the drag, the active item.
    pub accent: [u8; 3],
    /// Failure.
    pub failure: [u8; 3],
    /// Warning.
    pub warning: [u8; 3],
    /// Bodies, neighbours never alike (Okabe and Ito, muted).
    pub bodies: [[u8; 3]; 7],
    /// Shapes of the world.
    pub world: [u8; 3],
    /// Joints.
    pub joint: [u8; 3],
    /// Springs and dampers.
    pub spring: [u8; 3],
    /// Contacts that are open, sticking, sliding: told apart by colour-blind eyes too.
    pub contact: [[u8; 3]; 3],
    /// Plot series, see [`Series`].
    pub series: [[u8; 3]; 12],
}

/// A quantity with a colour of its own, the same everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Series {
    /// Kinetic energy.
    Kinetic,
    /// Potential energy.
    Potential,
    /// Total energy.
    Total,
    /// Constraint drift in position.
    DriftPosition,
    /// Constraint drift in angle.
    DriftAngle,
    /// Newton iterations.
    Iterations,
    /// Residual.
    Residual,
    /// Gap between surfaces.
    Gap,
    /// Penetration.
    Penetration,
    /// Forces of contact, and what counts them.
    Force,
    /// Energy taken by impacts.
    Impact,
    /// Energy taken by friction.
    Friction,
}

const DARK: Palette = Palette {
    backdrop: [27, 29, 33],
    floor: [40, 41, 45],
    grid: [84, 86, 92],
    surrounding: [[214, 226, 245], [150, 152, 160], [74, 70, 66]],
    panel: [33, 35, 40],
    well: [25, 27, 31],
    line: [52, 55, 62],
    button: [[48, 51, 58], [60, 64, 73], [72, 77, 88]],
    text: [[226, 228, 233], [154, 159, 170]],
    accent: [92, 178, 255],
    failure: [255, 105, 97],
    warning: [245, 182, 66],
    bodies: [
        [222, 158, 72],
        [92, 160, 200],
        [70, 150, 126],
        [200, 132, 172],
        [206, 106, 74],
        [216, 206, 118],
        [96, 120, 178],
    ],
    world: [128, 123, 116],
    joint: [206, 208, 212],
    spring: [190, 194, 202],
    contact: [[150, 152, 158], [84, 194, 252], [246, 226, 80]],
    series: [
        [240, 170, 82],
        [104, 176, 226],
        [226, 228, 233],
        [92, 190, 160],
        [222, 146, 192],
        [104, 176, 226],
        [232, 128, 92],
        [92, 190, 160],
        [232, 128, 92],
        [104, 176, 226],
        [222, 146, 192],
        [240, 170, 82],
    ],
};

const LIGHT: Palette = Palette {
    backdrop: [233, 235, 238],
    floor: [214, 215, 217],
    grid: [150, 152, 156],
    surrounding: [[244, 248, 255], [226, 226, 228], [176, 170, 162]],
    panel: [246, 247, 248],
    well: [255, 255, 255],
    line: [213, 216, 221],
    button: [[230, 232, 236], [219, 223, 229], [205, 211, 220]],
    text: [[31, 34, 40], [96, 102, 113]],
    accent: [0, 104, 196],
    failure: [192, 40, 30],
    warning: [158, 98, 0],
    bodies: [
        [204, 128, 24],
        [38, 124, 178],
        [12, 128, 98],
        [184, 96, 148],
        [188, 78, 32],
        [180, 164, 40],
        [66, 92, 160],
    ],
    world: [168, 162, 154],
    joint: [78, 81, 88],
    spring: [96, 100, 108],
    contact: [[60, 60, 66], [0, 100, 190], [136, 136, 0]],
    series: [
        [200, 118, 0],
        [0, 108, 178],
        [31, 34, 40],
        [0, 128, 96],
        [176, 76, 138],
        [0, 108, 178],
        [196, 76, 24],
        [0, 128, 96],
        [196, 76, 24],
        [0, 108, 178],
        [176, 76, 138],
        [200, 118, 0],
    ],
};

/// A colour of the interface.
pub const fn colour([r, g, b]: [u8; 3]) -> Color32 {
    Color32::from_rgb(r, g, b)
}

/// A colour of the model, from 0 to 1.
pub fn bright([r, g, b]: [u8; 3]) -> Colour {
    [r, g, b].map(|c| f32::from(c) / 255.0)
}

impl Palette {
    /// The dark or the light one.
    pub const fn of(dark: bool) -> &'static Self {
        if dark { &DARK } else { &LIGHT }
    }

    /// The one that an interface wears.
    pub fn worn(ui: &egui::Ui) -> &'static Self {
        Self::of(ui.visuals().dark_mode)
    }

    /// Colour of a series.
    pub const fn series(&self, series: Series) -> Color32 {
        colour(self.series[series as usize])
    }

    /// Colour of text that may be overlooked.
    pub const fn faint(&self) -> Color32 {
        colour(self.text[1])
    }
}

/// Gives an interface its colours, spaces and type.
pub fn dress(ctx: &egui::Context, dark: bool) {
    use egui::{CornerRadius, FontFamily, FontId, Stroke, TextStyle};
    let p = Palette::of(dark);
    let mut visuals = if dark {
        egui::Visuals::dark()
    } else {
        egui::Visuals::light()
    };
    let [rest, hover, pressed] = p.button.map(colour);
    let text = colour(p.text[0]);
    visuals.panel_fill = colour(p.panel);
    visuals.window_fill = colour(p.panel);
    visuals.extreme_bg_color = colour(p.well);
    visuals.faint_bg_color = colour(p.well);
    visuals.window_stroke = Stroke::new(1.0, colour(p.line));
    visuals.hyperlink_color = colour(p.accent);
    visuals.error_fg_color = colour(p.failure);
    visuals.warn_fg_color = colour(p.warning);
    visuals.selection.bg_fill = colour(p.accent).gamma_multiply(if dark { 0.35 } else { 0.22 });
    visuals.selection.stroke = Stroke::new(1.0, text);
    for (style, fill) in [
        (&mut visuals.widgets.inactive, rest),
        (&mut visuals.widgets.hovered, hover),
        (&mut visuals.widgets.active, pressed),
        (&mut visuals.widgets.open, hover),
    ] {
        style.bg_fill = fill;
        style.weak_bg_fill = fill;
        style.bg_stroke = Stroke::NONE;
        style.fg_stroke = Stroke::new(1.0, text);
        style.corner_radius = CornerRadius::same(size::CORNER);
        style.expansion = 0.0;
    }
    visuals.widgets.noninteractive.fg_stroke = Stroke::new(1.0, text);
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, colour(p.line));
    let (small, normal, heading) = size::TEXT;
    ctx.set_theme(if dark {
        egui::Theme::Dark
    } else {
        egui::Theme::Light
    });
    ctx.all_styles_mut(|style| {
        style.visuals = visuals.clone();
        style.spacing.item_spacing = egui::vec2(size::GAP, 5.0);
        style.spacing.button_padding = egui::vec2(8.0, 4.0);
        style.spacing.interact_size.y = 26.0;
        style.interaction.selectable_labels = false;
        style.animation_time = 0.0;
        style.text_styles = [
            (
                TextStyle::Small,
                FontId::new(small, FontFamily::Proportional),
            ),
            (
                TextStyle::Body,
                FontId::new(normal, FontFamily::Proportional),
            ),
            (
                TextStyle::Button,
                FontId::new(normal, FontFamily::Proportional),
            ),
            (
                TextStyle::Heading,
                FontId::new(heading, FontFamily::Proportional),
            ),
            (
                TextStyle::Monospace,
                FontId::new(small, FontFamily::Monospace),
            ),
        ]
        .into();
    });
}

/// Gives an interface its fonts: one sans-serif with figures of equal width, one monospace.
pub fn fonts() -> egui::FontDefinitions {
    let mut fonts = egui::FontDefinitions::default();
    let faces: [(&str, &'static [u8], egui::FontFamily); 2] = [
        (
            "Roboto",
            include_bytes!("../../assets/fonts/Roboto-Regular.ttf"),
            egui::FontFamily::Proportional,
        ),
        (
            "JetBrains Mono",
            include_bytes!("../../assets/fonts/JetBrainsMono-Regular.ttf"),
            egui::FontFamily::Monospace,
        ),
    ];
    for (name, bytes, family) in faces {
        let data = egui::FontData::from_static(bytes);
        fonts.font_data.insert(name.into(), data.into());
        // The fonts that egui brings follow, for the symbols that these lack.
        fonts
            .families
            .entry(family)
            .or_default()
            .insert(0, name.into());
    }
    // Arrows are in none of egui's proportional fonts.
    let proportional = fonts.families.entry(egui::FontFamily::Proportional);
    proportional.or_default().push("Hack".into());
    fonts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast ratio of the Web Content Accessibility Guidelines 2.2.
    fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
        let luminance = |c: [u8; 3]| {
            let [r, g, b] = c.map(|x| {
                let x = f64::from(x) / 255.0;
                if x <= 0.04045 {
                    x / 12.92
                } else {
                    ((x + 0.055) / 1.055).powf(2.4)
                }
            });
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_and_series_can_be_read_in_both_themes() {
        for p in [&DARK, &LIGHT] {
            // The guidelines ask for 4.5 for text and 3 for graphics.
            for text in [p.text[0], p.text[1], p.accent, p.failure, p.warning] {
                assert!(
                    contrast(text, p.panel) >= 4.5,
                    "{text:?} {}",
                    contrast(text, p.panel)
                );
            }
            for series in p.series {
                assert!(contrast(series, p.well) >= 3.0, "{series:?}");
            }
        }
    }

    /// Distance of two colours in CIE L*a*b* as an eye sees them whose cones answer by the given matrix.
    fn difference(colours: [[u8; 3]; 2], eye: &[[f64; 3]; 3]) -> f64 {
        let lab = |c: [u8; 3]| {
            let linear = c.map(|x| {
                let x = f64::from(x) / 255.0;
                if x <= 0.04045 {
                    x / 12.92
                } else {
                    ((x + 0.055) / 1.055).powf(2.4)
                }
            });
            let dot = |row: &[f64; 3], v: &[f64; 3]| row.iter().zip(v).map(|(a, b)| a * b).sum();
            let seen = [0, 1, 2].map(|k| f64::clamp(dot(&eye[k], &linear), 0.0, 1.0));
            // sRGB to XYZ, divided by the white point D65.
            let xyz = [
                [0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505],
                [0.2126, 0.7152, 0.0722],
                [0.0193 / 1.0888, 0.1192 / 1.0888, 0.9505 / 1.0888],
            ];
            let [x, y, z] = xyz.map(|row| {
                let t: f64 = dot(&row, &seen);
                if t > 0.008856 {
                    t.cbrt()
                } else {
                    7.787 * t + 16.0 / 116.0
                }
            });
            [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
        };
        let [a, b] = colours.map(lab);
        (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn what_contacts_do_is_told_apart_by_every_eye() {
        // Full colour vision, then protanopia, deuteranopia and tritanopia after Machado, Oliveira and Fernandes 2009.
        let eyes = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
            [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
            [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
        ];
        for p in [&DARK, &LIGHT] {
            let [open, sticking, sliding] = p.contact;
            for eye in &eyes {
                for pair in [[open, sticking], [open, sliding], [sticking, sliding]] {
                    // Ten times what is just noticeable side by side.
                    assert!(difference(pair, eye) > 23.0, "{pair:?} {eye:?}");
                }
            }
            for shade in p.contact {
                assert!(contrast(shade, p.panel) >= 3.0, "{shade:?}");
                // Neither is mistaken for a warning or a failure.
                for reserved in [p.warning, p.failure] {
                    assert!(difference([shade, reserved], &eyes[0]) > 23.0, "{shade:?}");
                }
            }
        }
    }
}
