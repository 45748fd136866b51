//! What the layers of contact mean: a legend over the view, and the figures of the contact under the pointer.

use crate::app::contacts::{Count, Measure};
use crate::app::format;
use crate::app::session::Session;
use crate::app::shell::Shell;
use crate::app::theme::{Palette, colour, contact, size};
use crate::app::view::View;
use crate::model::{ContactState, ContactStatus, Model};
use bevy_egui::egui::{Align2, FontId, Painter, Pos2, Rect, pos2, vec2};

/// What the statuses are called, in the order of their colours.
const STATUSES: [(ContactStatus, &str); 3] = [
    (ContactStatus::Sticking, "sticking"),
    (ContactStatus::Sliding, "sliding"),
    (ContactStatus::Open, "open"),
];

/// Draws the legend into the upper right corner of the view.
pub fn legend_ui(painter: &Painter, rect: Rect, session: &Session, view: &View, shell: &Shell) {
    let layers = &shell.contacts;
    let model = session.simulation.model();
    if !layers.any() || model.contact.is_none() {
        return;
    }
    let palette = Palette::of(shell.dark);
    let (text, faint) = (colour(palette.text[0]), palette.faint());
    let measure = Measure::of(model, view.ball.radius);
    let count = Count::of(&session.simulation.state().contacts, &measure);
    let counts = [count.sticking, count.sliding, count.open];
    let lengths = layers.forces || layers.cones;
    let (width, line) = (170.0, 18.0);
    let rows = STATUSES.len() + usize::from(lengths);
    let extent = vec2(width, line * rows as f32 + 12.0);
    let corner = rect.right_top() + vec2(-extent.x - 10.0, 10.0);
    let board = Rect::from_min_size(corner, extent);
    painter.rect_filled(board, f32::from(size::CORNER), colour(palette.panel));
    let small = FontId::proportional(size::TEXT.0);
    let figures = FontId::monospace(size::TEXT.0);
    let row = |k: usize| corner.y + 6.0 + line * (k as f32 + 0.5);
    for (k, ((status, name), count)) in STATUSES.into_iter().zip(counts).enumerate() {
        let shade = colour(palette.contact[status as usize]);
        let at = pos2(corner.x + 16.0, row(k));
        // As the points are drawn: a ball sticks, a disc slides, a small ball is open.
        match status {
            ContactStatus::Sticking => painter.circle_filled(at, 5.0, shade),
            ContactStatus::Sliding => {
                painter.rect_filled(Rect::from_center_size(at, vec2(14.0, 5.0)), 2.0, shade)
            }
            ContactStatus::Open => painter.circle_filled(at, 3.0, shade),
        };
        let words = pos2(corner.x + 32.0, row(k));
        painter.text(words, Align2::LEFT_CENTER, name, small.clone(), text);
        let end = pos2(board.max.x - 10.0, row(k));
        let number = count.to_string();
        painter.text(end, Align2::RIGHT_CENTER, number, figures.clone(), text);
    }
    if lengths {
        let length = measure.arrow(measure.force, layers.style.scale);
        let scale = format!(
            "arrow of {} is {}",
            format::quantity(length, "m"),
            format::quantity(measure.force, "N")
        );
        let at = pos2(corner.x + 10.0, row(STATUSES.len()));
        painter.text(at, Align2::LEFT_CENTER, scale, small, faint);
    }
}

/// The contact nearest to a point of the screen, if one that is drawn is near.
pub fn contact_at<'a>(
    session: &'a Session,
    view: &View,
    shell: &Shell,
    at: [f64; 2],
) -> Option<&'a ContactState> {
    let layers = &shell.contacts;
    if !layers.any() || !view.owns(at) {
        return None;
    }
    let drawn = |c: &&ContactState| {
        layers.points || layers.normals || c.force.norm() > layers.style.threshold
    };
    let contacts = session.simulation.state().contacts.iter().filter(drawn);
    let away = |c: &'a ContactState| {
        let [x, y] = view.orbit.project(&view.viewport, &c.point)?;
        let distance = (x - at[0]).hypot(y - at[1]);
        (distance < contact::NEAR).then_some((distance, c))
    };
    let near = contacts.filter_map(away);
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, c)| c)
}

/// Writes the figures of a contact beside the pointer.
pub fn reading_ui(
    painter: &Painter,
    rect: Rect,
    pointer: Pos2,
    contact: &ContactState,
    model: &Model,
    dark: bool,
) {
    let text = reading(contact, model);
    super::hud::label_ui(painter, rect, pointer, &text, Palette::of(dark));
}

/// The figures of a contact in words.
pub fn reading(contact: &ContactState, model: &Model) -> String {
    let [first, second] = contact
        .bodies
        .map(|b| b.map_or("world", |b| model.bodies[b.0].name.as_str()));
    let (normal, friction) = (contact.normal_force(), contact.friction_force().norm());
    let bound = contact.friction * normal;
    let status = Measure::of(model, 1.0).status(contact);
    let used = if bound > 0.0 {
        format!(
            ", {:.0} % of µ = {}",
            100.0 * friction / bound,
            contact.friction
        )
    } else {
        String::new()
    };
    let mut lines = vec![
        format!("{first} on {second}, {}", status_name(status)),
        format!("gap      {}", format::quantity(contact.gap, "m")),
        format!("normal   {}", format::quantity(normal, "N")),
        format!("friction {}{used}", format::quantity(friction, "N")),
    ];
    if status == ContactStatus::Sliding {
        let slip = format::quantity(contact.slip.norm(), "m/s");
        lines.push(format!("slip     {slip}"));
    }
    lines.join("\n")
}

/// What a status is called.
pub fn status_name(status: ContactStatus) -> &'static str {
    STATUSES
        .iter()
        .find(|(s, _)| *s == status)
        .map_or("", |(_, name)| name)
}
