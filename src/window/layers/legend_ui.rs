//! What the layers mean: a legend over the view, and the figures of the contact under the pointer.

use crate::camera::view::View;
use crate::scene3d::layers::contacts::STATUSES;
use crate::scene3d::layers::legend;
use crate::scene3d::layers::scale::Measure;
use crate::scene3d::layers::subject::{LayerSubject, LegendLine};
use crate::session::Session;
use crate::state::layers::{Layer, Motion};
use crate::state::look::Look;
use crate::state::trails::Trails;
use crate::text::format;
use crate::theme::{Palette, colour, contact, size};
use bevy_egui::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, pos2, vec2};
use physics::model::{ContactState, ContactStatus, Model};

/// Draws the legend into the upper right corner of the view: what contacts do, and how long values are drawn.
pub fn legend_ui(painter: &Painter, rect: Rect, session: &Session, view: &View, look: &Look) {
    let lines = lines(session, view, look);
    if lines.is_empty() {
        return;
    }
    let palette = Palette::of(look.dark);
    let text = colour(palette.text[0]);
    let small = FontId::proportional(size::TEXT.0);
    let figures = FontId::monospace(size::TEXT.0);
    let galleys: Vec<_> = lines
        .iter()
        .map(|l| painter.layout_no_wrap(l.text.clone(), small.clone(), text))
        .collect();
    let widest = galleys.iter().map(|g| g.size().x).fold(0.0, f32::max);
    let (width, line) = ((widest + 48.0).max(170.0), 18.0);
    let extent = vec2(width, line * lines.len() as f32 + 12.0);
    let corner = rect.right_top() + vec2(-extent.x - 10.0, 10.0);
    let board = Rect::from_min_size(corner, extent);
    painter.rect_filled(board, f32::from(size::CORNER), colour(palette.panel));
    for (k, (line_of, galley)) in lines.into_iter().zip(galleys).enumerate() {
        let y = corner.y + 6.0 + line * (k as f32 + 0.5);
        let at = pos2(corner.x + 16.0, y);
        let shades: Vec<Color32> = line_of.shades.into_iter().map(colour).collect();
        match (line_of.status, shades.as_slice()) {
            // As the points are drawn: a ball sticks, a disc slides, a small ball is open.
            (Some(ContactStatus::Sliding), [shade, ..]) => {
                painter.rect_filled(Rect::from_center_size(at, vec2(14.0, 5.0)), 2.0, *shade);
            }
            (Some(ContactStatus::Open), [shade, ..]) => {
                painter.circle_filled(at, 3.0, *shade);
            }
            (Some(ContactStatus::Sticking), [shade, ..]) => {
                painter.circle_filled(at, 5.0, *shade);
            }
            // A scale, from its least to its largest value.
            (_, shades) if shades.len() > 2 => {
                let width = 16.0 / shades.len() as f32;
                for (k, shade) in shades.iter().enumerate() {
                    let left = at.x - 8.0 + width * k as f32;
                    painter.hline(left..=left + width, at.y, (8.0, *shade));
                }
            }
            (_, shades) => {
                for (k, shade) in shades.iter().enumerate() {
                    let y = at.y + 4.0 * (k as f32 - 0.5 * (shades.len() - 1) as f32);
                    painter.hline(at.x - 7.0..=at.x + 7.0, y, (3.0, *shade));
                }
            }
        }
        let words = pos2(corner.x + 32.0, y - 0.5 * galley.size().y);
        painter.galley(words, galley, text);
        let end = pos2(board.max.x - 10.0, y);
        painter.text(
            end,
            Align2::RIGHT_CENTER,
            line_of.end,
            figures.clone(),
            text,
        );
    }
}

/// What the layers that are drawn mean.
fn lines(session: &Session, view: &View, look: &Look) -> Vec<LegendLine> {
    // Before the view has caught up with an edit it may hold other bodies.
    let poses = session.poses();
    let motion = Motion {
        model: session.model(),
        state: session.state(),
        velocities: session.velocities(),
        poses: [poses, poses],
        // Of trails there is nothing to say.
        trails: &Trails::default(),
    };
    legend(&LayerSubject::of(
        motion,
        &look.layers,
        view.ball.radius,
        look.dark,
    ))
}

/// The contact nearest to a point of the screen, if one that is drawn is near.
pub fn contact_at<'a>(
    session: &'a Session,
    view: &View,
    look: &Look,
    at: [f64; 2],
) -> Option<&'a ContactState> {
    let layers = &look.layers;
    if !layers.any_contact() || !view.owns(at) {
        return None;
    }
    let plain = [Layer::ContactPoints, Layer::ContactNormals];
    let plain = plain.iter().any(|l| layers.shows(*l));
    let strong = |c: &ContactState| {
        let forces = [Layer::ContactForces, Layer::FrictionCones];
        let mut drawn = forces.iter().filter_map(|l| layers.drawn(*l));
        drawn.any(|s| c.force.norm() > s.threshold)
    };
    let drawn = |c: &&ContactState| plain || strong(c);
    let contacts = session.state().contacts.iter().filter(drawn);
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
    crate::ui::label::label_ui(painter, rect, pointer, &text, Palette::of(dark));
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
