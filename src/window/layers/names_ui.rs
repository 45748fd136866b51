//! Names of bodies over the view; those that would cover another are left out.

use crate::camera::view::View;
use crate::state::layers::Layer;
use crate::state::look::Look;
use crate::theme::{Palette, colour, size};
use bevy_egui::egui::{FontId, Painter, Rect, pos2, vec2};
use physics::model::Model;

/// Most names at a time.
const MOST: usize = 150;

/// Writes the names, the nearest bodies first.
pub fn names_ui(painter: &Painter, rect: Rect, model: &Model, view: &View, look: &Look) {
    if !look.layers.shows(Layer::Names) {
        return;
    }
    let palette = Palette::of(look.dark);
    let eye = view.orbit.eye();
    let mut near: Vec<(f64, usize)> = view
        .poses
        .iter()
        .enumerate()
        .map(|(k, pose)| ((pose.translation.vector - eye).norm_squared(), k))
        .collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut taken: Vec<Rect> = Vec::new();
    for (_, k) in near {
        let (Some(body), true) = (model.bodies.get(k), taken.len() < MOST) else {
            continue;
        };
        let Some([x, y]) = view
            .orbit
            .project(&view.viewport, &view.poses[k].translation.vector)
        else {
            continue;
        };
        let at = pos2(x as f32, y as f32);
        if !rect.contains(at) {
            continue;
        }
        let font = FontId::proportional(size::TEXT.0);
        let galley = painter.layout_no_wrap(body.name.clone(), font, colour(palette.text[0]));
        let board = Rect::from_center_size(at, galley.size() + vec2(8.0, 2.0));
        if taken.iter().any(|t| t.intersects(board)) {
            continue;
        }
        taken.push(board);
        painter.rect_filled(board, 3.0, colour(palette.panel).gamma_multiply(0.72));
        painter.galley(board.min + vec2(4.0, 1.0), galley, colour(palette.text[0]));
    }
}
