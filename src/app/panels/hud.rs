//! Small figures over the view: time, pace, iterations, drift; the scene's description; the force of the mouse.

use crate::app::format;
use crate::app::pacing::Pacing;
use crate::app::session::Session;
use crate::app::shell::Shell;
use crate::app::theme::{Palette, colour, size};
use crate::integrators::Rung;
use bevy_egui::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, vec2};

/// Draws the figures into the rectangle of the view; `pull` is where the mouse spring's ends are on the screen.
pub fn hud_ui(
    painter: &Painter,
    view: Rect,
    session: &Session,
    pacing: &Pacing,
    shell: &Shell,
    pull: Option<[Pos2; 2]>,
) {
    let palette = Palette::of(shell.dark);
    let (text, faint) = (colour(palette.text[0]), palette.faint());
    let font = FontId::monospace(size::TEXT.0);
    let mut corner = view.min + vec2(12.0, 10.0);
    let mut line = |name: &str, value: String, shade: Color32| {
        painter.text(
            corner,
            Align2::LEFT_TOP,
            name,
            FontId::proportional(size::TEXT.0),
            faint,
        );
        painter.text(
            corner + vec2(78.0, 0.0),
            Align2::LEFT_TOP,
            value,
            font.clone(),
            shade,
        );
        corner.y += 17.0;
    };
    let sample = &session.sample;
    line("time", format::clock(sample.time), text);
    let pace = pacing.measured().map_or("paused".into(), |m| {
        format!("×{m:.2} of {}", format::factor(pacing.target()))
    });
    line(
        "real time",
        pace,
        if pacing.late {
            colour(palette.warning)
        } else {
            text
        },
    );
    line("iterations", iterations(session), text);
    line("residual", format::quantity(sample.residual, "N"), text);
    line(
        "drift",
        format!(
            "{}, {}",
            format::quantity(sample.drift_position, "m"),
            format::quantity(sample.drift_angle, "rad")
        ),
        text,
    );
    if shell.info {
        line("step takes", format::duration(sample.step_seconds), text);
        line("drawing", format!("{:.0} frames/s", shell.frame_rate), text);
        line("on", shell.adapter.clone(), text);
    }
    let foot = view.left_bottom() + vec2(12.0, -10.0);
    let description = &session.scene.view.description;
    painter.text(
        foot,
        Align2::LEFT_BOTTOM,
        description,
        FontId::proportional(size::TEXT.1),
        faint,
    );
    if let Some(ends) = pull {
        pull_ui(painter, view, session, pacing, palette, ends);
    }
}

/// Iterations of the last step, and what it took beside them.
fn iterations(session: &Session) -> String {
    let report = session.simulation.report();
    let aid = match report.rung {
        Rung::Predicted => String::new(),
        Rung::Constant => "  second attempt".into(),
        Rung::Substeps => format!("  {} substeps", report.substeps),
    };
    format!("{}{aid}", session.sample.iterations)
}

/// The mouse spring: its line, its force and its work.
fn pull_ui(
    painter: &Painter,
    view: Rect,
    session: &Session,
    pacing: &Pacing,
    palette: &Palette,
    [held, goal]: [Pos2; 2],
) {
    let accent = colour(palette.accent);
    painter.line_segment([held, goal], (2.0, accent));
    painter.circle_filled(held, 4.5, accent);
    painter.circle_stroke(goal, 7.0, (2.0, accent));
    let label = match session.pull {
        Some(p) if pacing.playing && p.turns => {
            format!(
                "{}   {}",
                format::quantity(p.force, "N·m"),
                format::quantity(p.work, "J")
            )
        }
        Some(p) if pacing.playing => {
            format!(
                "{}   {}",
                format::quantity(p.force, "N"),
                format::quantity(p.work, "J")
            )
        }
        _ => "paused: acts when time runs".into(),
    };
    let galley = painter.layout_no_wrap(
        label,
        FontId::monospace(size::TEXT.1),
        colour(palette.text[0]),
    );
    // Beside the goal, and within the view.
    let box_size = galley.size() + vec2(16.0, 10.0);
    let wanted = goal + vec2(16.0, -box_size.y - 10.0);
    let corner = wanted.clamp(view.min, (view.max - box_size).max(view.min));
    let label_box = Rect::from_min_size(corner, box_size);
    painter.rect_filled(
        label_box,
        f32::from(size::CORNER),
        colour(palette.panel).gamma_multiply(0.92),
    );
    painter.galley(corner + vec2(8.0, 5.0), galley, colour(palette.text[0]));
}
