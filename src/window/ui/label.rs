//! Words on a small board over the view.

use crate::theme::{Palette, colour, size};
use bevy_egui::egui::{FontId, Painter, Pos2, Rect, vec2};

/// Words on a small board beside a point, within the view.
pub fn label_ui(painter: &Painter, view: Rect, point: Pos2, text: &str, palette: &Palette) {
    let shade = colour(palette.text[0]);
    let galley = painter.layout_no_wrap(text.into(), FontId::monospace(size::TEXT.1), shade);
    let extent = galley.size() + vec2(16.0, 10.0);
    let wanted = point + vec2(16.0, -extent.y - 10.0);
    let corner = wanted.clamp(view.min, (view.max - extent).max(view.min));
    let board = Rect::from_min_size(corner, extent);
    let fill = colour(palette.panel);
    painter.rect_filled(board, f32::from(size::CORNER), fill);
    painter.galley(corner + vec2(8.0, 5.0), galley, shade);
}
