//! The scrub bar: the whole way of the branch, the moment shown, bookmarks, branches, steps that went wrong.

use crate::commands::Command;
use crate::commands::playback::PlaybackCommand;
use crate::session::Session;
use crate::session::marks::Mark;
use crate::text::format;
use crate::theme::{Palette, colour};
use bevy_egui::egui::{
    self, Color32, CornerRadius, Id, Painter, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo,
    WidgetType, pos2, vec2,
};
use physics::sim::Timeline;

/// Height of the bar, of its groove and of a mark on it; radius of its knob (points).
const HEIGHT: f32 = 30.0;
const GROOVE: f32 = 5.0;
const TICK: f32 = 9.0;
const KNOB: f32 = 6.5;
/// How far a flag reaches (points).
const FLAG: f32 = 8.0;
/// How near to a mark the pointer must be to read it (points).
const NEAR: f32 = 5.0;

/// From time to place on the bar.
struct TimeAxis {
    left: f32,
    width: f32,
    from: f64,
    span: f64,
}

impl TimeAxis {
    fn x(&self, time: f64) -> f32 {
        if self.span <= 0.0 {
            // Nothing has happened yet: the one moment there is stands at the end.
            return self.left + self.width;
        }
        let share = ((time - self.from) / self.span).clamp(0.0, 1.0);
        self.left + self.width * share as f32
    }

    fn time(&self, x: f32) -> f64 {
        let share = ((x - self.left) / self.width).clamp(0.0, 1.0);
        self.from + self.span * f64::from(share)
    }
}

/// Draws the bar as wide as there is room.
pub fn scrub_ui(ui: &mut Ui, session: &Session, out: &mut Vec<Command>) {
    let size = vec2(ui.available_width(), HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let Some(timeline) = session.timeline() else {
        return;
    };
    let [from, to] = session.span();
    let axis = TimeAxis {
        left: rect.left() + KNOB,
        width: (rect.width() - 2.0 * KNOB).max(1.0),
        from,
        span: to - from,
    };
    response.widget_info(|| WidgetInfo {
        label: Some("Time".into()),
        value: Some(session.sample().time),
        ..WidgetInfo::new(WidgetType::Slider)
    });
    // A quick click may begin and end within one frame.
    let pressed = response.is_pointer_button_down_on() || response.clicked();
    if let Some(pointer) = response.interact_pointer_pos().filter(|_| pressed) {
        let step = timeline.nearest(axis.time(pointer.x));
        // A hand that rests asks for nothing new.
        if session.goal().unwrap_or(session.sample().step) != step {
            out.push(Command::Time(PlaybackCommand::Seek(step)));
        }
    }
    draw(ui, rect, session, timeline, &axis, &response);
    tell(ui, rect, session, timeline, &axis, response);
}

fn draw(
    ui: &Ui,
    rect: Rect,
    session: &Session,
    timeline: &Timeline,
    axis: &TimeAxis,
    response: &Response,
) {
    let palette = Palette::worn(ui);
    let painter = ui.painter();
    let y = rect.center().y;
    let now = axis.x(session.sample().time);
    let groove = |left: f32, right: f32, shade: Color32| {
        let bar = Rect::from_x_y_ranges(left..=right, y - 0.5 * GROOVE..=y + 0.5 * GROOVE);
        painter.rect_filled(bar, CornerRadius::same(2), shade);
    };
    let end = axis.left + axis.width;
    let accent = colour(palette.accent);
    groove(axis.left, end, colour(palette.button[2]));
    groove(axis.left, now, accent.gamma_multiply(0.75));
    let tick = |left: f32, right: f32, shade: Color32| {
        let right = right.max(left + 2.0);
        let mark = Rect::from_x_y_ranges(left..=right, y - 0.5 * TICK..=y + 0.5 * TICK);
        painter.rect_filled(mark, 1.0, shade);
    };
    // Many marks may lie within one point of the screen; they are in order of time, those that failed last.
    let mut covered = (Mark::Relaxed, f32::NEG_INFINITY);
    for ([first, last], mark) in session.marks().on(&session.way()) {
        let [left, right] = [first, last].map(|step| axis.x(timeline.time(step)));
        if covered.0 == mark && right <= covered.1 {
            continue;
        }
        let shade = match mark {
            Mark::Relaxed => colour(palette.warning),
            Mark::Failed => colour(palette.failure),
        };
        tick(left, right, shade);
        covered = (mark, right.max(left + 2.0));
    }
    for (_, time) in leaving(timeline) {
        fork(painter, axis.x(time), y, palette.faint());
    }
    for (_, time) in named(timeline) {
        let x = axis.x(time);
        // At the end of the bar a flag turns back, so that it stays over the bar.
        let side = if x + FLAG > end { -FLAG } else { FLAG };
        flag(painter, x, side, y, colour(palette.text[0]));
    }
    let held = response.is_pointer_button_down_on();
    let radius = if held || response.hovered() {
        KNOB
    } else {
        KNOB - 1.0
    };
    if let Some(goal) = session.goal() {
        let at = pos2(axis.x(timeline.time(goal)), y);
        painter.circle_stroke(at, radius, (1.5, accent));
    }
    painter.circle(
        pos2(now, y),
        radius,
        colour(palette.panel),
        Stroke::new(2.5, accent),
    );
}

/// Branches that leave the way that time went, or that it left, and the time at which they part (s).
fn leaving(timeline: &Timeline) -> Vec<(u64, f64)> {
    let way = timeline.way();
    let branches = timeline.branches();
    let left = way.iter().filter(|(id, last)| {
        let branch = branches.get(id);
        branch.is_some_and(|b| b.log.last() > *last)
    });
    let left = left.map(|(id, last)| (id.0, timeline.time(*last)));
    let leave = branches.iter().filter_map(|(id, branch)| {
        let step = branch.log.first();
        let on_way = timeline.is_on_way(branch.parent?, step);
        let part = way.iter().any(|(of, _)| of == id);
        (on_way && !part).then(|| (id.0, timeline.time(step)))
    });
    left.chain(leave).collect()
}

/// Bookmarks on the way that time went: place in the list and time (s).
fn named(timeline: &Timeline) -> impl Iterator<Item = (usize, f64)> {
    let all = timeline.bookmarks().iter().enumerate();
    let on_way = all.filter(|(_, b)| timeline.is_on_way(b.branch, b.step));
    on_way.map(|(k, b)| (k, b.time))
}

/// A flag above the groove, which reaches so far to one side.
fn flag(painter: &Painter, x: f32, side: f32, y: f32, shade: Color32) {
    let top = y - 14.0;
    painter.line_segment([pos2(x, top), pos2(x, y - 0.5 * GROOVE)], (1.5, shade));
    let corners = vec![pos2(x, top), pos2(x + side, top + 3.0), pos2(x, top + 6.0)];
    painter.add(Shape::convex_polygon(corners, shade, Stroke::NONE));
}

/// A way that leaves, below the groove.
fn fork(painter: &Painter, x: f32, y: f32, shade: Color32) {
    let foot = y + 13.0;
    let stroke = Stroke::new(1.5, shade);
    let knee = pos2(x, y + 7.0);
    painter.line_segment([pos2(x, y + 0.5 * GROOVE + 1.0), knee], stroke);
    painter.line_segment([knee, pos2(x + 6.0, foot)], stroke);
    painter.circle_filled(pos2(x + 6.0, foot), 2.0, shade);
}

/// What lies under the pointer, in words.
fn tell(
    ui: &Ui,
    rect: Rect,
    session: &Session,
    timeline: &Timeline,
    axis: &TimeAxis,
    response: Response,
) {
    let pointer = response
        .hover_pos()
        .or_else(|| response.interact_pointer_pos());
    let Some(pointer) = pointer else {
        return;
    };
    let near = |time: f64| (axis.x(time) - pointer.x).abs() < NEAR;
    let step = timeline.nearest(axis.time(pointer.x));
    let mut lines = vec![format!(
        "{}, step {step}",
        format::clock(timeline.time(step))
    )];
    let names = named(timeline).filter(|(_, time)| near(*time));
    lines.extend(names.map(|(k, _)| timeline.bookmarks()[k].name.clone()));
    let forks = leaving(timeline)
        .into_iter()
        .filter(|(_, time)| near(*time));
    lines.extend(forks.map(|(id, _)| format!("branch {} goes another way here", id + 1)));
    for ([first, last], mark) in session.marks().on(&session.way()) {
        let [left, right] = [first, last].map(|step| axis.x(timeline.time(step)));
        if (left - NEAR..right + NEAR).contains(&pointer.x) {
            lines.push(match mark {
                Mark::Relaxed => format!("steps {first} to {last} were not solved exactly"),
                Mark::Failed => format!("step {first} failed"),
            });
        }
    }
    // Above the pointer, so that neither it nor the bar is covered.
    let anchor = Rect::from_center_size(pos2(pointer.x, rect.center().y), vec2(2.0, HEIGHT));
    egui::Tooltip::always_open(
        ui.ctx().clone(),
        ui.layer_id(),
        Id::new("scrub tip"),
        anchor,
    )
    .show(|ui| {
        for line in lines {
            ui.label(line);
        }
    });
}
