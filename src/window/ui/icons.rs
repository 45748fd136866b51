//! Buttons with a drawn sign.

use crate::commands::{Command, keys};
use crate::theme::icons::{BUTTON, EDGE, GRID, Icon, Piece};
use crate::theme::{Palette, colour, size};
use bevy_egui::egui::{self, Color32, Painter, Pos2, Rect, Sense, Shape, Stroke, TextStyle, Ui};
use bevy_egui::egui::{WidgetInfo, WidgetType, pos2, vec2};

/// What a button with a sign looks like and is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Face<'a> {
    /// The sign.
    pub icon: Icon,
    /// What it is called, read aloud and found.
    pub name: &'a str,
    /// Whether the name stands beside the sign.
    pub worded: bool,
}

impl<'a> Face<'a> {
    /// A sign by itself.
    pub const fn sign(icon: Icon, name: &'a str) -> Self {
        Self {
            icon,
            name,
            worded: false,
        }
    }
}

/// A button with a sign, which says on hover what it does, beyond its name, and by which key.
pub fn icon_ui(
    ui: &mut Ui,
    face: Face,
    lit: bool,
    meaning: &str,
    action: Command,
    out: &mut Vec<Command>,
) {
    let [width, height] = BUTTON;
    let words = face.worded.then(|| {
        let font = TextStyle::Button.resolve(ui.style());
        ui.painter()
            .layout_no_wrap(face.name.into(), font, Color32::PLACEHOLDER)
    });
    let beside = words.as_ref().map_or(0.0, |w| w.size().x + size::GAP);
    let (rect, response) = ui.allocate_exact_size(vec2(width + beside, height), Sense::click());
    response
        .widget_info(|| WidgetInfo::selected(WidgetType::Button, ui.is_enabled(), lit, face.name));
    let visuals = ui.style().interact_selectable(&response, lit);
    let palette = Palette::worn(ui);
    let painter = ui.painter();
    // What cannot be pressed is a sign without a button.
    if ui.is_enabled() {
        painter.rect(
            rect.expand(visuals.expansion),
            visuals.corner_radius,
            visuals.weak_bg_fill,
            visuals.bg_stroke,
            egui::StrokeKind::Inside,
        );
    }
    let shade = match (ui.is_enabled(), lit) {
        (false, _) => palette.faint().gamma_multiply(0.6),
        (true, true) => visuals.text_color(),
        (true, false) => colour(palette.text[0]),
    };
    let at = pos2(rect.left() + 0.5 * width, rect.center().y);
    draw(painter, at, face.icon, shade);
    if let Some(words) = words {
        let corner = pos2(rect.left() + width, rect.center().y - 0.5 * words.size().y);
        painter.galley(corner, words, shade);
    }
    let hover = match keys::binding(&action).and_then(|b| b.shown(crate::ui::single_keys(ui))) {
        Some(key) => format!("{meaning}  ({key})"),
        None => meaning.to_owned(),
    };
    let response = response
        .on_hover_text(&hover)
        .on_disabled_hover_text(&hover);
    if response.clicked() {
        out.push(action);
    }
}

/// Draws a sign around a point.
fn draw(painter: &Painter, centre: Pos2, icon: Icon, shade: Color32) {
    let unit = EDGE / GRID.0;
    let square = Rect::from_center_size(centre, egui::Vec2::splat(EDGE));
    let place = |[x, y]: [f32; 2]| square.min + unit * vec2(x, y);
    let path = |points: &[[f32; 2]]| points.iter().map(|p| place(*p)).collect();
    let stroke = Stroke::new(unit * GRID.1, shade);
    painter.extend(icon.iter().map(|piece| match *piece {
        Piece::Line(points) => Shape::line(path(points), stroke),
        Piece::Area(points) => Shape::convex_polygon(path(points), shade, Stroke::NONE),
        Piece::Ring(at, radius) => Shape::circle_stroke(place(at), unit * radius, stroke),
        Piece::Disc(at, radius) => Shape::circle_filled(place(at), unit * radius, shade),
    }));
}
