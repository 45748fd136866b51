//! The legend of the lanes over the view: colour, method, step size and what else sets one apart.

use crate::compare::Comparing;
use crate::compare::panel::{chip, name, shade};
use crate::theme::{Palette, colour, size};
use bevy_egui::egui::{FontId, LayerId, Painter, Pos2, Rect, StrokeKind, Ui, Vec2, pos2, vec2};

/// Height of a line, margin around all lines, distance from the edges of the view (points).
const LINE: f32 = 22.0;
const MARGIN: f32 = 5.0;
const EDGE: f32 = 10.0;

/// Divides the view where lanes are side by side, and names them: in its upper right corner, or each in its own part.
/// Returns the leader's part, and what the names leave of it below and at their left.
pub fn lanes_ui(ui: &Ui, whole: Rect, comparing: &mut Comparing) -> [Rect; 3] {
    let [left, top] = [whole.left(), whole.top()].map(f64::from);
    let [width, height] = [whole.width(), whole.height()].map(|x| f64::from(x.max(1.0)));
    let own = comparing.divide([left, top, width, height]);
    let own = own.map_or(whole, rect);
    let [mut below, mut beside] = [own; 2];
    if comparing.is_on() {
        let painter = ui.ctx().layer_painter(LayerId::background());
        let taken = legend_ui(&painter.with_clip_rect(whole), whole, ui, comparing);
        *below.top_mut() += taken.y;
        *beside.right_mut() -= taken.x;
    }
    [own, below, beside]
}

fn rect([left, top, width, height]: [f64; 4]) -> Rect {
    let extent = vec2(width as f32, height as f32);
    Rect::from_min_size(pos2(left as f32, top as f32), extent)
}

/// Names the lanes. Returns how much of the leader's part that takes (points).
fn legend_ui(painter: &Painter, view: Rect, ui: &Ui, comparing: &Comparing) -> Vec2 {
    if comparing.cells().is_empty() {
        let drawn = |k: &usize| *k == comparing.leader() || comparing.lanes()[*k].drawn;
        let rows: Vec<usize> = (0..comparing.lanes().len()).filter(drawn).collect();
        return board(painter, view, ui, comparing, &rows);
    }
    let mut taken = Vec2::ZERO;
    for (id, cell) in comparing.cells() {
        let Some(place) = comparing.lanes().iter().position(|l| l.id == *id) else {
            continue;
        };
        let cell = rect(*cell);
        let edge = shade(ui, comparing, place);
        painter.rect_stroke(cell, 0.0, (2.0, edge), StrokeKind::Inside);
        let extent = board(painter, cell, ui, comparing, &[place]);
        if place == comparing.leader() {
            taken = extent;
        }
    }
    taken
}

/// Draws some lines of the legend into the corner of a part of the view; returns their extent with what keeps them from
/// the edges.
fn board(painter: &Painter, part: Rect, ui: &Ui, comparing: &Comparing, rows: &[usize]) -> Vec2 {
    let palette = Palette::worn(ui);
    let font = FontId::proportional(size::TEXT.1);
    let [text, failure] = [palette.text[0], palette.failure].map(colour);
    let galleys: Vec<_> = rows
        .iter()
        .map(|&k| {
            let stands = standing(comparing, k);
            let shade = if stands { failure } else { text };
            let mut words = name(comparing, k, true);
            if stands {
                words += ", stands still";
            }
            painter.layout_no_wrap(words, font.clone(), shade)
        })
        .collect();
    let widest = galleys.iter().map(|g| g.size().x).fold(0.0, f32::max);
    let extent = vec2(widest + 44.0, LINE * rows.len() as f32 + 2.0 * MARGIN);
    let corner: Pos2 = part.right_top() + vec2(-EDGE - extent.x, EDGE);
    let board = Rect::from_min_size(corner, extent);
    painter.rect_filled(board, f32::from(size::CORNER), colour(palette.panel));
    for (row, (galley, &place)) in galleys.into_iter().zip(rows).enumerate() {
        let middle = corner.y + MARGIN + LINE * (row as f32 + 0.5);
        let square = Rect::from_center_size(pos2(corner.x + 18.0, middle), vec2(14.0, 14.0));
        let leads = place == comparing.leader();
        chip(painter, square, comparing.shade(place, palette), leads);
        let at = pos2(corner.x + 34.0, middle - 0.5 * galley.size().y);
        painter.galley(at, galley, text);
    }
    extent + Vec2::splat(EDGE)
}

/// Whether a lane goes no further.
fn standing(comparing: &Comparing, place: usize) -> bool {
    let id = comparing.lanes()[place].id;
    comparing
        .sheet()
        .is_some_and(|s| s.lane(id).is_some_and(|l| l.failure.is_some()))
}
