//! Handles of the selected body, and the line to what is being connected, drawn over the view.

use crate::camera::view::View;
use crate::pointer::drag::Pointer;
use crate::pointer::gizmo;
use crate::pointer::gizmo::geometry::{self, Handle};
use crate::pointer::snap;
use crate::session::Session;
use crate::state::highlight::Highlight;
use crate::state::look::Look;
use crate::state::tool::{Mode, Tool};
use crate::theme::{Palette, colour};
use bevy_egui::egui::{Color32, Painter, Pos2, Shape, Stroke, pos2};
use physics::math::Vec3;
use physics::scene::Kind;
use physics::scene::editing::{Link, Point};

/// Width of an arrow or ring, and of the one under the pointer (points).
const WIDTH: [f32; 2] = [2.5, 4.5];
/// Length of an arrow's head (points).
const HEAD: f32 = 11.0;

/// Draws the handles; the one under the pointer or `held` is lit.
pub fn handles_ui(
    painter: &Painter,
    session: &Session,
    view: &View,
    look: &Look,
    highlight: &Highlight,
    tool: &Tool,
    held: Option<Handle>,
) {
    let Some((_, pose)) = gizmo::subject(session, highlight, tool, view) else {
        return;
    };
    let centre = pose.translation.vector;
    let Some(reach) = geometry::reach(view, &centre) else {
        return;
    };
    let stroke = |handle: Handle, k: usize| {
        let lit = held == Some(handle);
        let shade = axis_colour(look.dark, k);
        let shade = if lit {
            shade
        } else {
            shade.gamma_multiply(0.75)
        };
        Stroke::new(WIDTH[usize::from(lit)], shade)
    };
    for k in 0..3 {
        let stroke = stroke(Handle::Turn(k), k);
        let corners = geometry::ring(view, &centre, reach, k);
        for side in corners.windows(2) {
            if let [(a, true), (b, true)] = side
                && let (Some(a), Some(b)) = (seen(view, a), seen(view, b))
            {
                painter.line_segment([a, b], stroke);
            }
        }
    }
    for k in 0..3 {
        let corners = geometry::square(view, &centre, reach, k);
        let corners = corners.and_then(|c| c.iter().map(|p| seen(view, p)).collect::<Option<_>>());
        if let Some(corners) = corners {
            let stroke = stroke(Handle::Slide(k), k);
            let fill = stroke.color.gamma_multiply(0.35);
            painter.add(Shape::convex_polygon(
                corners,
                fill,
                Stroke::new(1.0, stroke.color),
            ));
        }
    }
    for k in 0..3 {
        let [from, to] = geometry::arrow(&centre, reach, k);
        if let (Some(a), Some(b)) = (seen(view, &from), seen(view, &to)) {
            arrow(painter, a, b, stroke(Handle::Move(k), k));
        }
    }
}

/// Length of the axis of a joint that is about to be made (points).
const AXIS: f64 = 46.0;

/// Draws what the next click would make: the line from the first point to the pointer while two points are being
/// connected, and place and axis of a joint.
pub fn attach_ui(
    painter: &Painter,
    session: &Session,
    view: &View,
    look: &Look,
    tool: &Tool,
    at: &Pointer,
) {
    let shade = colour(Palette::of(look.dark).warning);
    let (first, kind) = match tool.mode {
        Mode::Ground(kind) => (None, Some(kind)),
        Mode::Attach {
            link: Link::Joint(kind),
            first,
        } => (first, Some(kind)),
        Mode::Attach { first, .. } => (first, None),
        Mode::Select | Mode::Place(_) => return,
    };
    let hit = crate::pointer::under(at, view, session);
    let point = hit.map(|hit| {
        let point = Point {
            body: hit.body,
            at: hit.point,
        };
        snap::snapped(point, at, session.model(), view).at
    });
    if let (Some(kind), Some(point)) = (kind, point) {
        joint_ui(painter, view, look, tool, kind, &point);
    }
    let Some(first) = first else {
        return;
    };
    let pointer = pos2(at.at[0] as f32, at.at[1] as f32);
    let to = point.and_then(|p| seen(view, &p)).unwrap_or(pointer);
    if let Some(from) = seen(view, &first.at(&view.poses)) {
        painter.circle_filled(from, 4.0, shade);
        let line = Shape::dashed_line(&[from, to], Stroke::new(2.0, shade), 7.0, 5.0);
        painter.extend(line);
        painter.circle_stroke(to, 4.0, Stroke::new(1.5, shade));
        // A joint brings the points together: the body that is clicked second comes to the first, or, where that is the
        // ground, the first to it.
        if kind.is_some() {
            let comes = hit.is_some_and(|hit| hit.body.is_some()) || first.body.is_none();
            let [a, b] = if comes { [to, from] } else { [from, to] };
            arrow(painter, a + 0.6 * (b - a), b, Stroke::new(2.0, shade));
        }
    }
}

/// Place and axis of a joint that a click at a point would make.
fn joint_ui(painter: &Painter, view: &View, look: &Look, tool: &Tool, kind: Kind, point: &Vec3) {
    let Some(centre) = seen(view, point) else {
        return;
    };
    let shade = match tool.axis.filter(|_| tool.has_axis()) {
        Some(chosen) => axis_colour(look.dark, chosen),
        None => colour(Palette::of(look.dark).warning),
    };
    painter.circle_stroke(centre, 6.0, Stroke::new(2.0, shade));
    let Some(axis) = tool.axis_of(kind, view) else {
        return;
    };
    let per_point = view.orbit.distance / view.viewport.size[1];
    let half = axis * (0.5 * AXIS * per_point);
    if let (Some(a), Some(b)) = (seen(view, &(point - half)), seen(view, &(point + half))) {
        arrow(painter, a, b, Stroke::new(2.0, shade));
        // Along the line of sight it is a point, as a hinge mostly is.
        painter.circle_filled(centre, 2.5, shade);
    }
}

fn seen(view: &View, point: &Vec3) -> Option<Pos2> {
    let [x, y] = view.orbit.project(&view.viewport, point)?;
    Some(pos2(x as f32, y as f32))
}

/// Colours that tell axes apart, also for those who see red and green alike: they differ in brightness too.
fn axis_colour(dark: bool, k: usize) -> Color32 {
    let colours = if dark {
        [[240, 98, 80], [150, 214, 90], [96, 160, 255]]
    } else {
        [[206, 52, 36], [66, 140, 20], [24, 88, 206]]
    };
    let [r, g, b] = colours[k];
    Color32::from_rgb(r, g, b)
}

fn arrow(painter: &Painter, from: Pos2, to: Pos2, stroke: Stroke) {
    let way = to - from;
    let length = way.length();
    if length < 1.0 {
        return;
    }
    let along = way / length;
    let across = along.rot90();
    let neck = to - along * HEAD.min(length);
    painter.line_segment([from, neck], stroke);
    let half = across * (0.42 * HEAD.min(length));
    let head = vec![to, neck + half, neck - half];
    painter.add(Shape::convex_polygon(head, stroke.color, Stroke::NONE));
}
