//! Every number of the look: sizes, colours, light. Nothing else in the window states one.

pub mod categorical;
pub mod fonts;
pub mod icons;
pub mod papers;
#[cfg(test)]
mod sight;
pub mod tabs;

use bevy_egui::egui::{self, Color32};
use physics::integrators::REGISTRY;
use physics::model::Colour;

/// Heights and widths of the layout (points).
pub mod size {
    /// Toolbar.
    pub const TOOLBAR: f32 = 38.0;
    /// Least width of the toolbar for panels in a row, step and tolerance, the list's title, scene's name.
    pub const TOOLBAR_ROOM: [f32; 4] = [980.0, 860.0, 700.0, 560.0];
    /// Width of all that stands beside the scene's name where panels are in a row.
    pub const TOOLBAR_REST: f32 = 975.0;
    /// Least width of the name.
    pub const TOOLBAR_TITLE: f32 = 60.0;
    /// Least width of the transport bar for its menus in a row, and for the speed.
    pub const TRANSPORT_ROOM: [f32; 2] = [1_020.0, 620.0];
    /// Least width beside the side panel for plots at the right; in a narrower window they are below the view.
    pub const PLOTS_ROOM: f32 = 760.0;
    /// Height of plots below the view.
    pub const PLOTS_BELOW: f32 = 230.0;
    /// Largest share of a narrow window that panels beside or below the view take.
    pub const SIDE_SHARE: f32 = 0.55;
    /// Least width and height of the view for what lies over it.
    pub const VIEW_LEAST: f32 = 100.0;
    /// How much of a method's colour its chip in the toolbar takes, and the width of the pure colour at its edge.
    pub const CHIP_TINT: f32 = 0.22;
    /// See [`CHIP_TINT`].
    pub const CHIP_EDGE: f32 = 5.0;
    /// Transport bar.
    pub const TRANSPORT: f32 = 42.0;
    /// Status line.
    pub const STATUS: f32 = 26.0;
    /// Panels with scenes, inspector and settings: at first, at least, and as wide as they grow by themselves.
    pub const SIDE: (f32, f32, f32) = (270.0, 230.0, 460.0);
    /// Plots: at first, at least, and as wide as former settings have them.
    pub const PLOTS: (f32, f32, f32) = (372.0, 280.0, 900.0);
    /// The panels below the view: their height at first, and at least.
    pub const BOTTOM: (f32, f32) = (270.0, 120.0);
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
    /// Width of the seam between linked views.
    pub const SEAM: f32 = 2.0;
    /// Height of a row of the table of lanes.
    pub const ROW: f32 = 22.0;
    /// Range of the interface scale, and one step of its keys.
    pub const SCALE: (f32, f32, f32) = (0.7, 2.5, 0.1);
}

/// Sizes of the gallery (points).
pub mod gallery {
    /// Least width of a card.
    pub const CARD: f32 = 212.0;
    /// Least width of a parameter with its name.
    pub const PARAMETER: f32 = 150.0;
    /// Width of a picture over its height.
    pub const ASPECT: f32 = 1.6;
    /// Height of title and description below the picture.
    pub const WORDS: f32 = 62.0;
    /// Share of the window's width, and least and greatest width; below twice the least it takes the whole window.
    pub const WIDTH: (f32, f32, f32) = (0.56, 480.0, 1160.0);
}

/// Sizes of the help (points).
pub mod help {
    /// Width of a column of tasks.
    pub const COLUMN: f32 = 380.0;
    /// Width of the keys.
    pub const KEYS: f32 = 128.0;
}

/// Sizes of the command palette (points).
pub mod search {
    /// Width.
    pub const WIDTH: f32 = 560.0;
    /// Height of the list.
    pub const HEIGHT: f32 = 330.0;
    /// Height of an entry.
    pub const ENTRY: f32 = 26.0;
    /// Distance from the upper edge of the window.
    pub const TOP: f32 = 90.0;
}

/// Light and matter of the three-dimensional view.
pub mod lighting {
    /// Vertical field of view (rad).
    pub const FIELD_OF_VIEW: f32 = 0.72;
    /// Key light [lux] and the direction in which it shines.
    pub const KEY: (f32, [f32; 3]) = (7_200.0, [-0.45, 0.7, -1.0]);
    /// Strength of the surrounding light [cd/m²].
    pub const SURROUNDING: f32 = 1_500.0;
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
    /// Least radius of what a small picture shows, as a share of half the height of what is seen.
    pub const THIN: f64 = 0.022;
    /// Thickness of a cable, as a share of the scene's radius.
    pub const CABLE: f32 = 0.006;
    /// Radius of the dome behind everything, as a multiple of the camera's distance: beyond the floor's end.
    pub const DOME: f64 = 1_000.0;
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
    /// How near to a contact point the pointer must be to read it (points).
    pub const NEAR: f64 = 12.0;
}

/// How ghosts of other lanes are drawn.
pub mod ghost {
    /// Opacity where their surface faces the eye.
    pub const OPACITY: f32 = 0.35;
    /// Where the rim begins and is full, as the sine of the angle between normal and line of sight; its opacity.
    pub const RIM: (f32, f32, f32) = (0.70, 0.80, 0.96);
}

/// What depends on light or dark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Palette {
    /// Behind the three-dimensional view: at the zenith, at the horizon, at the nadir.
    pub backdrop: [[u8; 3]; 3],
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
    /// Methods in the order of the registry, the same in ghosts, plots, tables and chips.
    pub methods: [[u8; 3]; REGISTRY.len()],
}

/// How a lane of a comparison is told from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shade {
    /// Its colour.
    pub colour: [u8; 3],
    /// Whether its lines are dashed, as those of a second lane of a method are.
    pub dashed: bool,
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
    backdrop: [[27, 29, 34], [50, 54, 62], [36, 38, 44]],
    floor: [40, 41, 45],
    grid: [68, 70, 76],
    surrounding: [[214, 226, 245], [150, 152, 160], [112, 108, 102]],
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
    methods: [
        [79, 127, 255],
        [63, 218, 252],
        [144, 115, 208],
        [150, 173, 205],
        [102, 147, 124],
        [156, 63, 215],
        [200, 255, 185],
        [245, 175, 120],
        [252, 252, 252],
        [195, 65, 15],
        [140, 205, 175],
        [122, 175, 255],
        [161, 79, 153],
        [162, 189, 69],
        [115, 70, 255],
        [255, 89, 135],
        [150, 255, 115],
        [181, 72, 89],
        [255, 30, 73],
        [210, 238, 28],
        [156, 130, 81],
        [220, 207, 65],
        [231, 125, 20],
        [201, 103, 159],
        [196, 210, 224],
    ],
};

const LIGHT: Palette = Palette {
    backdrop: [[204, 214, 228], [240, 242, 245], [222, 224, 228]],
    floor: [214, 215, 217],
    grid: [128, 130, 136],
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
    methods: [
        [39, 107, 221],
        [1, 115, 106],
        [112, 42, 168],
        [130, 117, 195],
        [59, 42, 84],
        [216, 110, 65],
        [42, 12, 10],
        [195, 109, 99],
        [75, 30, 255],
        [0, 0, 35],
        [160, 30, 140],
        [162, 72, 54],
        [165, 130, 170],
        [84, 24, 12],
        [10, 75, 55],
        [235, 0, 250],
        [70, 0, 100],
        [23, 44, 48],
        [252, 0, 140],
        [98, 0, 196],
        [96, 60, 0],
        [100, 112, 3],
        [178, 135, 0],
        [183, 44, 95],
        [42, 0, 140],
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

    /// The look of a method, or of the lane so many places behind the first of it, nearer to the colour of text each.
    pub fn method(&self, name: &str, before: usize) -> Shade {
        let place = REGISTRY.iter().position(|i| i.name == name);
        let own = place.map_or(self.text[1], |k| self.methods[k]);
        let share = 1.0 - 0.55f32.powi(before as i32);
        let mixed = |k: usize| {
            let [from, to] = [own[k], self.text[0][k]].map(f32::from);
            (from + share * (to - from)).round() as u8
        };
        Shade {
            colour: [0, 1, 2].map(mixed),
            dashed: before > 0,
        }
    }

    /// Colour of text that may be overlooked.
    pub const fn faint(&self) -> Color32 {
        colour(self.text[1])
    }
}

/// Gives an interface its colours, spaces and type.
pub fn apply(ctx: &egui::Context, dark: bool) {
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
    // Opaque on light panels: what can be seen through is mixed by amounts of light there, which leaves grey.
    visuals.selection.bg_fill = if dark {
        colour(p.accent).gamma_multiply(0.35)
    } else {
        colour(p.panel).lerp_to_gamma(colour(p.accent), 0.28)
    };
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
