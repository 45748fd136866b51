//! The moment shown, as a line through every plot over time, and how to go to another one from there.

use crate::commands::Command;
use crate::commands::playback::PlaybackCommand;
use crate::session::Session;
use crate::theme::{Palette, colour};
use bevy_egui::egui::{CursorIcon, Rect, Response, Sense, Stroke, Ui, pos2};
use egui_plot::{PlotUi, VLine};

/// Draws the line.
pub fn line(plot: &mut PlotUi<'_>, session: &Session, palette: &Palette) {
    let accent = colour(palette.accent);
    let (width, shade) = if session.is_past() {
        (1.5, accent)
    } else {
        (1.0, accent.gamma_multiply(0.5))
    };
    let line = VLine::new("", session.sample().time)
        .stroke(Stroke::new(width, shade))
        .allow_hover(false);
    plot.vline(line);
}

/// Goes to the time under the pointer, where it is held down with Shift in a plot. True if it was.
pub fn follow(
    ui: &Ui,
    session: &Session,
    plot: &Response,
    time: impl Fn(f32) -> f64,
    out: &mut Vec<Command>,
) -> bool {
    let held = plot.is_pointer_button_down_on() && ui.input(|i| i.modifiers.shift);
    if held {
        go(session, plot, time, out);
    }
    held
}

/// The times below a plot, on which the pointer moves through time without a key.
pub fn axis_ui(
    ui: &Ui,
    session: &Session,
    plot: &Response,
    height: f32,
    time: impl Fn(f32) -> f64,
    out: &mut Vec<Command>,
) {
    let top = plot.rect.bottom();
    let rect = Rect::from_min_max(
        pos2(plot.rect.left(), top),
        pos2(plot.rect.right(), top + height),
    );
    let axis = ui
        .interact(rect, plot.id.with("times"), Sense::click_and_drag())
        .on_hover_cursor(CursorIcon::ResizeHorizontal)
        .on_hover_text("Drag to move through time; in a plot, hold Shift and drag");
    if axis.is_pointer_button_down_on() {
        go(session, &axis, time, out);
    }
}

fn go(session: &Session, at: &Response, time: impl Fn(f32) -> f64, out: &mut Vec<Command>) {
    let Some((timeline, pointer)) = session.timeline().zip(at.interact_pointer_pos()) else {
        return;
    };
    let step = timeline.nearest(time(pointer.x));
    // A hand that rests asks for nothing new.
    if session.goal().unwrap_or(session.sample().step) != step {
        out.push(Command::Time(PlaybackCommand::Seek(step)));
    }
}
