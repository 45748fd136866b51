//! Small figures over the view: time, pace, iterations, drift; the scene's description; the force of the mouse.

use crate::commands::{Command, keys};
use crate::methods::{budget, cone_ui};
use crate::session::Session;
use crate::session::playback::Playback;
use crate::state::look::Look;
use crate::state::machine::Machine;
use crate::text::format;
use crate::theme::{Palette, colour, size};
use crate::ui::label::label_ui;
use bevy_egui::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, vec2};
use physics::integrators::{CutPart, Fallback};

/// In a view that is narrower there is no description (points).
const NARROWEST: f32 = 260.0;
/// Room for the names of the figures.
const NAMES: f32 = 110.0;

/// Draws the figures into the rectangle of the view, within what other names leave of it; `pull` is where the mouse
/// spring's ends are on the screen.
pub fn hud_ui(
    painter: &Painter,
    [view, free]: [Rect; 2],
    session: &Session,
    playback: &Playback,
    look: &Look,
    machine: Option<&Machine>,
    pull: Option<[Pos2; 2]>,
) {
    let palette = Palette::of(look.dark);
    let (text, faint) = (colour(palette.text[0]), palette.faint());
    let sample = session.sample();
    let pace = playback.measured().map_or("paused".into(), |m| {
        format!("×{m:.2} of {}", format::factor(playback.target()))
    });
    let pace_shade = if playback.late {
        colour(palette.warning)
    } else {
        text
    };
    let slow_pace = playback
        .measured()
        .filter(|m| playback.late && *m < 0.9 * playback.target());
    let iterations_shade = match session.report().fallback {
        Fallback::Convexified => colour(palette.warning),
        _ => text,
    };
    let drift = [
        format::quantity(sample.drift_position, "m"),
        format::quantity(sample.drift_angle, "rad"),
    ];
    let mut lines = vec![
        ("time", format::clock(sample.time), text),
        ("real time", pace, pace_shade),
    ];
    if let Some(pace) = slow_pace {
        let (mean, dt) = (recent_step(session), session.settings().dt);
        lines.push(("because", reason(mean, dt, pace), pace_shade));
        if !is_drawing(mean, dt, pace)
            && budget::is_offered(session)
            && let Some(palette) = keys::binding(&Command::ShowPalette)
        {
            lines.push(("to go on", format!("{}, keep up", palette.label), text));
        }
    }
    lines.extend([
        ("iterations", iterations(session), iterations_shade),
        ("residual", format::number(sample.residual), text),
    ]);
    let model = session.model();
    if model.joints.len() + model.couplings.len() > 0 {
        lines.push(("drift", drift.join(", "), text));
    }
    if model.has_unilateral() {
        lines.extend(contact_lines(session).map(|(name, value)| (name, value, text)));
    }
    if sample.asleep > 0 {
        let count = format!("{} of {} bodies", sample.asleep, model.bodies.len());
        lines.push(("asleep", count, text));
    }
    let relaxed = session.outcomes().relaxed;
    if relaxed > 0 {
        let count = format!("{} of {} steps", relaxed, sample.step);
        lines.push(("relaxed", count, colour(palette.warning)));
    }
    if let Some(machine) = machine {
        lines.push(("step takes", format::duration(sample.step_seconds), text));
        lines.push((
            "drawing",
            format!("{:.1} frames per second", machine.frame_rate),
            text,
        ));
        lines.push(("on", machine.adapter.clone(), text));
    }
    let line = 17.0;
    // As wide at all times, so that nothing moves while numbers change.
    let width = if machine.is_some() { 368.0 } else { 288.0 };
    let corner = view.min + vec2(10.0, 10.0);
    // In a small view as many as there is room for, from the first on.
    let room = match free.width() < width + 20.0 {
        true => 0.0,
        false => (view.height() - 30.0) / line,
    };
    lines.truncate(room.max(0.0) as usize);
    let height = match lines.len() {
        0 => 0.0,
        some => line * some as f32 + 10.0,
    };
    let board = Rect::from_min_size(corner, vec2(width, height));
    let fill = colour(palette.panel);
    painter.rect_filled(board, f32::from(size::CORNER), fill);
    let small = FontId::proportional(size::TEXT.0);
    for (k, (name, value, shade)) in lines.into_iter().enumerate() {
        let at = corner + vec2(8.0, 5.0 + line * k as f32);
        painter.text(at, Align2::LEFT_TOP, name, small.clone(), faint);
        let font = FontId::monospace(size::TEXT.0);
        painter.text(at + vec2(NAMES, 0.0), Align2::LEFT_TOP, value, font, shade);
    }
    let description = session.scene().view.description.clone();
    if !description.is_empty() {
        description_ui(painter, view, board.bottom(), description, (fill, text));
    }
    if let Some(ends) = pull {
        pull_ui(painter, view, session, playback, palette, ends);
    }
}

/// Simulated time over which the time of a step is averaged (s).
const RECENT: f64 = 0.5;

/// How much faster than time goes steps alone would be where they are not what it waits for.
const ALONE: f64 = 2.0;

/// Mean time that the last steps took (s).
fn recent_step(session: &Session) -> f64 {
    let now = session.sample().time;
    let recent = session
        .history()
        .series(now - RECENT, now, usize::MAX, |s| s.step_seconds);
    recent.iter().map(|p| p[1]).sum::<f64>() / recent.len().max(1) as f64
}

/// Whether time that goes at a pace is held up by the drawing between steps of a length that take so long (s).
fn is_drawing(mean: f64, dt: f64, pace: f64) -> bool {
    ALONE * pace * mean < dt
}

/// What holds time up that goes at a pace, when steps of a length take so long (s).
fn reason(mean: f64, dt: f64, pace: f64) -> String {
    match is_drawing(mean, dt, pace) {
        true => "drawing takes longer".into(),
        false => format!("a step takes {}", format::duration(mean)),
    }
}

/// What there is to see, at the foot of the view, if there is room below what is above.
fn description_ui(
    painter: &Painter,
    view: Rect,
    above: f32,
    description: String,
    (fill, text): (Color32, Color32),
) {
    // The menu of views is at the other end of the line.
    let most = (view.width() - 140.0).max(50.0);
    let galley = painter.layout(description, FontId::proportional(size::TEXT.1), text, most);
    let foot = view.left_bottom() + vec2(10.0, -10.0 - galley.size().y - 8.0);
    let board = Rect::from_min_size(foot, galley.size() + vec2(16.0, 8.0));
    if board.top() < above + 6.0 || view.width() < NARROWEST {
        return;
    }
    painter.rect_filled(board, f32::from(size::CORNER), fill);
    painter.galley(foot + vec2(8.0, 4.0), galley, text);
}

/// Contacts, limits and how well the last step solved them.
fn contact_lines(session: &Session) -> impl Iterator<Item = (&'static str, String)> {
    let (model, report) = (session.model(), &session.report().contact);
    let contact = model.contact.is_some().then(|| {
        [
            (
                "contacts",
                format!("{} of {} closed", report.closed, report.candidates),
            ),
            ("penetration", format::quantity(report.penetration, "m")),
            (
                "complementarity",
                format::quantity(report.complementarity, "N·m"),
            ),
        ]
    });
    let limits = (model.limit_count() > 0).then(|| {
        let count = format!("{} of {} active", report.stopped, model.limit_count());
        ("limits", count)
    });
    contact.into_iter().flatten().chain(limits)
}

/// Iterations of the last step, and what it took beside them.
fn iterations(session: &Session) -> String {
    let report = session.report();
    let count = session.sample().iterations;
    let took = match report.fallback {
        Fallback::Predicted => count.to_string(),
        fallback => format!("{count}  {}", cone_ui::solved_by(fallback, report.substeps)),
    };
    let Some(cut) = report.cut else { return took };
    // Which body asked for it.
    let name = &session.model().bodies[cut.body.0].name;
    match cut.part {
        CutPart::All => format!("{took} for {name}"),
        CutPart::Turn(turns) => format!("{took}  {turns} turns of {name}"),
    }
}

/// The mouse spring: its line, its force and its work.
fn pull_ui(
    painter: &Painter,
    view: Rect,
    session: &Session,
    playback: &Playback,
    palette: &Palette,
    [held, goal]: [Pos2; 2],
) {
    let accent = colour(palette.accent);
    painter.line_segment([held, goal], (2.0, accent));
    painter.circle_filled(held, 4.5, accent);
    painter.circle_stroke(goal, 7.0, (2.0, accent));
    let label = match session.pull() {
        Some(p) if playback.playing && p.turns => {
            format!(
                "{}   {}",
                format::quantity(p.force, "N·m"),
                format::quantity(p.work, "J")
            )
        }
        Some(p) if playback.playing => {
            format!(
                "{}   {}",
                format::quantity(p.force, "N"),
                format::quantity(p.work, "J")
            )
        }
        _ if session.input.drag.is_none() => "recorded".into(),
        _ => "paused: poses it on its joints".into(),
    };
    label_ui(painter, view, goal, &label, palette);
}

/// A ring around the selected joint.
pub fn mark_ui(painter: &Painter, at: Pos2, dark: bool) {
    painter.circle_stroke(at, 13.0, (2.0, colour(Palette::of(dark).accent)));
}

/// How to pull, beside the pointer, for whoever has not done it yet.
pub fn invitation_ui(painter: &Painter, view: Rect, pointer: Pos2, dark: bool) {
    let key = if cfg!(target_os = "macos") {
        "Cmd"
    } else {
        "Ctrl"
    };
    label_ui(
        painter,
        view,
        pointer,
        &format!("{key} + drag to pull"),
        Palette::of(dark),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_waits_for_steps_only_where_these_alone_would_hold_it_up() {
        assert_eq!(reason(0.014, 0.01, 0.6), "a step takes 14.0 ms");
        assert_eq!(reason(0.014, 0.01, 0.01), "drawing takes longer");
        assert_eq!(reason(0.001, 0.01, 0.75), "drawing takes longer");
    }
}
