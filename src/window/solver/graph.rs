//! The mechanism's graph: bodies as squares, constraints as circles, numbered in the order of elimination
//! [Brüdigam2023 fig. 2, 4, 5].

use crate::solver::sheet::{Framing, PanZoom};
use crate::solver::{LitNodes, PlanPicture, words};
use crate::theme::categorical::hue;
use crate::theme::{Palette, categorical, colour};
use bevy_egui::egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, vec2,
};
use physics::model::Model;

/// Distance of neighbours from which nodes are drawn with their outlines, numbers and names (points).
const OUTLINE: f32 = 4.5;
const NUMBERS: f32 = 20.0;
const NAMES: f32 = 44.0;

/// Draws the graph; the node under the pointer.
pub fn graph_ui(
    ui: &mut Ui,
    rect: Rect,
    drawn: &PlanPicture,
    model: &Model,
    marks: &LitNodes,
    framing: &mut Framing,
) -> Option<usize> {
    let tree = &drawn.tree;
    // The longer side of the tree lies along the longer side of the tile.
    let upright = (tree.size[0] > tree.size[1]) == (rect.height() > rect.width());
    let place = |k: usize| {
        let [along, across] = tree.places[k];
        if upright {
            [across, along]
        } else {
            [along, across]
        }
    };
    let [along, across] = tree.size;
    let size = if upright {
        vec2(across, along)
    } else {
        vec2(along, across)
    };
    let (sheet, response) = PanZoom::show(ui, rect, size, framing, "Graph of the mechanism");
    let painter = ui.painter().with_clip_rect(rect);
    let dark = ui.visuals().dark_mode;
    let palette = Palette::worn(ui);
    let at = |k: usize| {
        let [x, y] = place(k);
        sheet.on_screen(x, y)
    };
    let room = rect.expand(sheet.scale);
    let line = colour(palette.text[1]);
    edges(&painter, drawn, &at, room, sheet.scale, (line, dark));
    let radius = (0.3 * sheet.scale).clamp(0.8, 17.0);
    let mut points = Mesh::default();
    for (k, node) in drawn.plan.nodes.iter().enumerate() {
        let centre = at(k);
        if !room.contains(centre) {
            continue;
        }
        let shade = hue(words::hue(node), dark);
        let square = Rect::from_center_size(centre, Vec2::splat(2.0 * radius));
        if sheet.scale < OUTLINE {
            points.add_colored_rect(square, shade);
            continue;
        }
        let body = words::is_body(node.kind);
        let fill = shade.gamma_multiply(if dark { 0.45 } else { 0.3 });
        let rim = Stroke::new(1.5, shade);
        if body {
            painter.rect(square, 0.15 * radius, fill, rim, StrokeKind::Middle);
        } else {
            painter.circle(centre, radius, fill, rim);
        }
        if node.grounded {
            ground(&painter, centre, radius, upright != node.closes, line);
        }
        let text = colour(palette.text[0]);
        if sheet.scale >= NUMBERS {
            let size = (0.62 * radius).clamp(9.0, 13.0);
            let number = (drawn.places[k] + 1).to_string();
            painter.text(
                centre,
                Align2::CENTER_CENTER,
                number,
                FontId::proportional(size),
                text,
            );
        }
        if sheet.scale >= NAMES {
            let below = centre + vec2(0.0, radius + 2.0);
            let name = shortened(&words::name(node.kind, model), sheet.scale);
            painter.text(
                below,
                Align2::CENTER_TOP,
                name,
                FontId::proportional(10.5),
                line,
            );
        }
    }
    painter.add(Shape::mesh(points));
    for (nodes, shade, width) in [
        (&marks.selected, colour(palette.accent), 2.5),
        (&marks.pointed, colour(palette.text[0]), 2.0),
    ] {
        for &k in nodes.iter().filter(|&&k| k < tree.places.len()) {
            painter.circle_stroke(at(k), radius + 4.0, Stroke::new(width, shade));
        }
    }
    let pointer = response.hover_pos()?;
    let near = |k: &usize| (at(*k) - pointer).length();
    let nearest = (0..tree.places.len()).min_by(|a, b| near(a).total_cmp(&near(b)))?;
    (near(&nearest) < (radius + 4.0).max(6.0)).then_some(nearest)
}

/// Lines between coupled nodes; what does not follow the tree is broken.
fn edges(
    painter: &Painter,
    drawn: &PlanPicture,
    at: &impl Fn(usize) -> Pos2,
    room: Rect,
    scale: f32,
    (line, dark): (Color32, bool),
) {
    let nodes = &drawn.plan.nodes;
    for &(a, b) in &drawn.plan.edges {
        let ends = [at(a), at(b)];
        if !room.intersects(Rect::from_two_pos(ends[0], ends[1])) {
            continue;
        }
        let follows = nodes[a].above == Some(b) || nodes[b].above == Some(a);
        let closing = [a, b].into_iter().find(|&k| nodes[k].closes);
        match closing {
            Some(k) if !follows => {
                let stroke = Stroke::new(1.5, hue(words::hue(&nodes[k]), dark));
                if scale < OUTLINE {
                    painter.line_segment(ends, stroke);
                } else {
                    painter.extend(Shape::dashed_line(&arc(ends), stroke, 5.0, 3.0));
                }
            }
            // A damper or drive couples two bodies beside the joint between them.
            _ if !follows => {
                let stroke = Stroke::new(1.0, line.gamma_multiply(0.6));
                painter.extend(Shape::dotted_line(&arc(ends), stroke.color, 5.0, 1.0));
            }
            _ => {
                let width = if scale < OUTLINE { 1.0 } else { 1.5 };
                painter.line_segment(ends, Stroke::new(width, line));
            }
        }
    }
}

/// A bow between two points, so that it does not run through the nodes in between.
fn arc([from, to]: [Pos2; 2]) -> Vec<Pos2> {
    const PIECES: usize = 14;
    let (along, middle) = (to - from, from + 0.5 * (to - from));
    let control = middle + 0.22 * vec2(along.y, -along.x);
    let at = |k: usize| {
        let t = k as f32 / PIECES as f32;
        let (a, b) = (from + (control - from) * t, control + (to - control) * t);
        a + (b - a) * t
    };
    (0..=PIECES).map(at).collect()
}

/// The mark of what is fixed to the world.
fn ground(painter: &Painter, centre: Pos2, radius: f32, above: bool, shade: Color32) {
    let side = if above {
        vec2(0.0, -1.0)
    } else {
        vec2(-1.0, 0.0)
    };
    let across = vec2(side.y, -side.x);
    let foot = centre + side * (radius + 4.0);
    let stroke = Stroke::new(1.5, shade);
    painter.line_segment([centre + side * radius, foot], stroke);
    painter.line_segment(
        [foot - across * radius * 0.8, foot + across * radius * 0.8],
        stroke,
    );
    for k in -1..=1 {
        let from = foot + across * (0.5 * k as f32 * radius);
        painter.line_segment(
            [from, from + (side + across) * 3.0],
            Stroke::new(1.0, shade),
        );
    }
}

/// As much of a name as there is room for.
pub fn shortened(name: &str, room: f32) -> String {
    let most = (room / 5.6).max(4.0) as usize;
    if name.chars().count() <= most {
        return name.into();
    }
    let head: String = name.chars().take(most - 1).collect();
    format!("{head}…")
}

/// The colours in words, where there is room.
pub fn legend_ui(ui: &mut Ui, drawn: &PlanPicture) {
    let dark = ui.visuals().dark_mode;
    let faint = Palette::worn(ui).faint();
    let some = |k: usize| drawn.plan.nodes.iter().any(|n| words::hue(n) == k);
    for (k, name) in [
        (categorical::BODY, "body"),
        (categorical::CONSTRAINT, "joint"),
        (categorical::CLOSURE, "closes a loop"),
        (categorical::ONE_SIDED, "contact, limit, cable"),
    ] {
        if !some(k) {
            continue;
        }
        let (mark, _) = ui.allocate_exact_size(Vec2::splat(10.0), bevy_egui::egui::Sense::hover());
        if k == categorical::BODY {
            ui.painter().rect_filled(mark, 1.0, hue(k, dark));
        } else {
            ui.painter().circle_filled(mark.center(), 5.0, hue(k, dark));
        }
        ui.label(bevy_egui::egui::RichText::new(name).small().color(faint));
    }
}
