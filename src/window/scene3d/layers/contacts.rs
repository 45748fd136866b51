//! Contact as it is drawn: points, normals, forces and friction cones, as layers with a scale and a threshold.

use crate::mesh::convert;
use crate::scene3d::layers::scale::{ArrowScale, Measure};
use crate::scene3d::layers::subject::{LayerSubject, LegendLine};
use crate::state::layers::{Drawing, Layer, LayerStyle, Motion};
use crate::theme::{Palette, contact};
use bevy::color::{Alpha, Color, LinearRgba};
use bevy::math::Vec3;
use physics::model::{ContactState, ContactStatus};

/// How many contacts have which status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// Sticking.
    pub sticking: usize,
    /// Sliding.
    pub sliding: usize,
    /// Without force.
    pub open: usize,
}

impl Count {
    /// Counts contacts by what is seen of them.
    pub fn of(contacts: &[ContactState], measure: &Measure) -> Self {
        let mut count = Self::default();
        for contact in contacts {
            *match measure.status(contact) {
                ContactStatus::Sticking => &mut count.sticking,
                ContactStatus::Sliding => &mut count.sliding,
                ContactStatus::Open => &mut count.open,
            } += 1;
        }
        count
    }
}

/// A contact as it is drawn.
struct ShownContact<'a> {
    contact: &'a ContactState,
    status: ContactStatus,
    point: Vec3,
    normal: Vec3,
    shade: LinearRgba,
}

/// The contacts, as the bodies are drawn: between two steps a contact goes along with its first body, which is never
/// the world.
fn seen<'a>(subject: &LayerSubject<'a>) -> impl Iterator<Item = ShownContact<'a>> {
    let Motion {
        state,
        poses: [knot, drawn],
        ..
    } = subject.motion;
    let (measure, palette) = (subject.measure, Palette::of(subject.dark));
    state.contacts.iter().map(move |contact| {
        let status = measure.status(contact);
        let at = nalgebra::Point3::from(contact.point);
        let carried = match contact.bodies[0] {
            Some(body) if body.0 < drawn.len().min(knot.len()) => {
                drawn[body.0] * knot[body.0].inverse_transform_point(&at)
            }
            _ => at,
        };
        ShownContact {
            contact,
            status,
            point: convert::vec3(&carried.coords),
            normal: convert::vec3(&contact.normal),
            shade: shade(status, palette),
        }
    })
}

/// Size of points and normals (m).
fn unit(style: &LayerStyle, subject: &LayerSubject) -> f32 {
    (style.scale * subject.measure.length) as f32
}

/// Draws where bodies touch; the form of a point says the same as its colour.
pub fn points(out: &mut Drawing, style: &LayerStyle, subject: &LayerSubject) {
    let radius = contact::POINT * unit(style, subject);
    let marks = &mut out.marks;
    for c in seen(subject) {
        match c.status {
            ContactStatus::Sticking => marks.ball(c.point, radius, c.shade),
            ContactStatus::Sliding => {
                marks.disc(c.point, c.normal, 1.5 * radius, 0.5 * radius, c.shade);
            }
            ContactStatus::Open => marks.ball(c.point, 0.6 * radius, c.shade),
        }
    }
}

/// Draws the directions in which bodies are kept apart.
pub fn normals(out: &mut Drawing, style: &LayerStyle, subject: &LayerSubject) {
    let (length, radius) = contact::NORMAL;
    let unit = unit(style, subject);
    for c in seen(subject) {
        out.marks
            .arrow(c.point, c.normal, length * unit, radius * unit, c.shade);
    }
}

/// Draws the forces.
pub fn forces(out: &mut Drawing, style: &LayerStyle, subject: &LayerSubject) {
    let arrow_scale = arrow_scale(style, subject);
    let radius = contact::FORCE * subject.measure.length as f32;
    for c in seen(subject).filter(|c| c.status != ContactStatus::Open) {
        let force = c.contact.force.norm();
        if force <= style.threshold {
            continue;
        }
        let along = convert::vec3(&(c.contact.force / force));
        let length = arrow_scale.of(force).min(subject.longest) as f32;
        out.marks.arrow(c.point, along, length, radius, c.shade);
        if subject.layers.both {
            out.marks.arrow(c.point, -along, length, radius, c.shade);
        }
    }
}

/// Draws the friction cones.
pub fn cones(out: &mut Drawing, style: &LayerStyle, subject: &LayerSubject) {
    let arrow_scale = arrow_scale(style, subject);
    for c in seen(subject).filter(|c| c.contact.force.norm() > style.threshold) {
        cone(out, &c, &arrow_scale, subject);
    }
}

/// Draws the cone of the contact under the pointer, unless its layer has drawn it.
pub fn hovered_cone(out: &mut Drawing, subject: &LayerSubject) {
    let Some(key) = subject.layers.hovered else {
        return;
    };
    let style = subject.layers.style(Layer::FrictionCones);
    let arrow_scale = arrow_scale(style, subject);
    let drawn = |force: f64| style.shown && force > style.threshold;
    let hovered = seen(subject).filter(|c| c.contact.key == key);
    for c in hovered.filter(|c| !drawn(c.contact.force.norm())) {
        cone(out, &c, &arrow_scale, subject);
    }
}

fn cone(out: &mut Drawing, seen: &ShownContact, arrow_scale: &ArrowScale, subject: &LayerSubject) {
    let friction = seen.contact.friction;
    if seen.status == ContactStatus::Open || friction <= 0.0 {
        return;
    }
    // The force is on its surface when the contact slides: the cone's side is as long as the arrow.
    let force = seen.contact.force.norm();
    let length = arrow_scale.of(force).min(subject.longest) as f32;
    let (s, c) = (friction.atan() as f32).sin_cos();
    let veil = seen.shade.with_alpha(contact::VEIL);
    out.veils
        .funnel(seen.point, seen.normal, length * c, length * s, veil);
}

/// What the statuses are called, in the order of their colours.
pub const STATUSES: [(ContactStatus, &str); 3] = [
    (ContactStatus::Sticking, "sticking"),
    (ContactStatus::Sliding, "sliding"),
    (ContactStatus::Open, "open"),
];

/// How many contacts have which status, while layers show it and there can be contact.
pub fn statuses(subject: &LayerSubject) -> Vec<LegendLine> {
    let Motion { model, state, .. } = subject.motion;
    if !subject.layers.any_contact() || model.contact.is_none() {
        return Vec::new();
    }
    let count = Count::of(&state.contacts, &subject.measure);
    let counts = [count.sticking, count.sliding, count.open];
    let lines = STATUSES.into_iter().zip(counts);
    let palette = Palette::of(subject.dark);
    let lines = lines.map(|((status, name), count)| LegendLine {
        status: Some(status),
        end: count.to_string(),
        ..LegendLine::plain(&[palette.contact[status as usize]], name)
    });
    lines.collect()
}

/// How long forces of a layer are drawn.
pub fn legend(layer: Layer, name: &str, subject: &LayerSubject) -> Vec<LegendLine> {
    if subject.motion.model.contact.is_none() {
        return Vec::new();
    }
    let arrow_scale = arrow_scale(subject.layers.style(layer), subject);
    vec![LegendLine::length(&[], name, &arrow_scale, "N")]
}

/// Lengths of contact forces: the weight of a body is as long as the body is wide.
fn arrow_scale(style: &LayerStyle, subject: &LayerSubject) -> ArrowScale {
    let contacts = subject.motion.state.contacts.iter();
    let largest = contacts.map(|c| c.force.norm()).fold(0.0, f64::max);
    let measure = &subject.measure;
    ArrowScale::new(style, measure, measure.force, largest, true)
}

/// The colour of a status.
pub fn shade(status: ContactStatus, palette: &Palette) -> LinearRgba {
    let [r, g, b] = palette.contact[status as usize];
    Color::srgb_u8(r, g, b).to_linear()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::builder::MeshBuilder;
    use crate::mesh::primitives::tests::triangles;
    use crate::scene3d::layers::paint;
    use crate::session::Session;
    use crate::state::layers::Layers;
    use crate::state::trails::Trails;
    use physics::math::{Pose, Vec3 as Vector};
    use physics::model::{BodyId, ContactKey};

    fn contact(force: Vector, status: ContactStatus) -> ContactState {
        ContactState {
            key: ContactKey::default(),
            bodies: [Some(BodyId(0)), None],
            point: Vector::new(0.5, 0.0, 0.0),
            normal: Vector::z(),
            gap: 0.0,
            force,
            slip: Vector::zeros(),
            friction: 0.75,
            status,
            rebound: 0.0,
            hit: false,
            turning: 0.0,
        }
    }

    const MEASURE: Measure = Measure {
        length: 0.2,
        force: 4.0,
        mass: 0.4,
        speed: 2.0,
    };

    /// Layers of which one is shown.
    fn only(layer: Layer) -> Layers {
        let mut layers = Layers::default();
        layers.style_mut(layer).shown = true;
        layers
    }

    fn drawing(contacts: &[ContactState], layers: &Layers) -> Drawing {
        carried(contacts, layers, Pose::identity())
    }

    /// What is drawn of contacts found at rest when their body is drawn at a pose.
    fn carried(contacts: &[ContactState], layers: &Layers, pose: Pose) -> Drawing {
        let session = Session::new(physics::scene::open("box_drop", &[]).unwrap()).unwrap();
        let mut state = session.state().clone();
        state.contacts = contacts.to_vec();
        let motion = Motion {
            model: session.model(),
            state: &state,
            velocities: &[],
            poses: [&[Pose::identity()], &[pose]],
            trails: &Trails::default(),
        };
        let subject = LayerSubject {
            motion,
            layers,
            measure: MEASURE,
            longest: 9.0,
            dark: true,
        };
        let mut out = Drawing::default();
        paint(&mut out, &subject);
        out
    }

    /// Least and greatest height and greatest distance from the vertical through the point.
    fn span(builder: MeshBuilder) -> (f32, f32, f32) {
        let points = triangles(&builder.mesh()).into_iter().flatten();
        points.fold((f32::MAX, f32::MIN, 0.0), |(low, high, wide), p| {
            let out = (p - Vec3::new(0.5, 0.0, 0.0)).truncate().length();
            (low.min(p.z), high.max(p.z), out.max(wide))
        })
    }

    #[test]
    fn an_arrow_is_as_long_as_the_square_root_of_its_force_and_small_forces_can_be_hidden() {
        let pushed = [contact(Vector::z() * 16.0, ContactStatus::Sticking)];
        let mut layers = only(Layer::ContactForces);
        // Four times the weight of a body: twice its radius.
        let (low, high, _) = span(drawing(&pushed, &layers).marks);
        assert!(low.abs() < 1e-6 && (high - 0.4).abs() < 1e-6, "{high}");
        layers.style_mut(Layer::ContactForces).scale = 3.0;
        assert!((span(drawing(&pushed, &layers).marks).1 - 1.2).abs() < 1e-5);
        layers.both = true;
        assert!((span(drawing(&pushed, &layers).marks).0 + 1.2).abs() < 1e-5);
        layers.style_mut(Layer::ContactForces).threshold = 15.9;
        assert!(!drawing(&pushed, &layers).marks.is_empty());
        layers.style_mut(Layer::ContactForces).threshold = 16.0;
        assert!(drawing(&pushed, &layers).marks.is_empty());
    }

    #[test]
    fn a_cone_opens_by_the_angle_of_friction_and_is_as_long_as_the_force() {
        let slides = Vector::new(-3.0, 0.0, 4.0) * 3.2;
        let layers = &only(Layer::FrictionCones);
        let out = drawing(&[contact(slides, ContactStatus::Sliding)], layers);
        assert!(out.marks.is_empty());
        // 16 N: 0.4 m long; µ = 3/4 splits it into 0.32 m along and 0.24 m across the normal.
        let (low, high, wide) = span(out.veils);
        assert!(low.abs() < 1e-6 && (high - 0.32).abs() < 1e-6 && (wide - 0.24).abs() < 1e-6);
        let mut smooth = contact(slides, ContactStatus::Sliding);
        smooth.friction = 0.0;
        assert!(drawing(&[smooth], layers).veils.is_empty());
        let open = contact(Vector::zeros(), ContactStatus::Open);
        assert!(drawing(&[open], layers).veils.is_empty());
    }

    #[test]
    fn points_and_normals_are_layers_of_their_own_and_move_with_the_body() {
        let open = [contact(Vector::zeros(), ContactStatus::Open)];
        assert!(drawing(&open, &Layers::default()).marks.is_empty());
        let (points, normals) = (&only(Layer::ContactPoints), &only(Layer::ContactNormals));
        let (low, high, _) = span(drawing(&open, points).marks);
        assert!(
            low < 0.0 && high > 0.0,
            "a point is drawn around where it is"
        );
        let (low, high, _) = span(drawing(&open, normals).marks);
        assert!(low.abs() < 1e-6 && (high - contact::NORMAL.0 * 0.2).abs() < 1e-6);
        let carried = carried(&open, normals, Pose::translation(0.0, 0.0, 2.0));
        assert!((span(carried.marks).0 - 2.0).abs() < 1e-6);
    }

    #[test]
    fn a_hovered_contact_shows_its_cone() {
        let pushed = [contact(Vector::z(), ContactStatus::Sticking)];
        let layers = Layers {
            hovered: Some(ContactKey::default()),
            ..only(Layer::ContactPoints)
        };
        assert!(!drawing(&pushed, &layers).veils.is_empty());
    }

    #[test]
    fn contacts_are_counted_by_status() {
        let all = [
            ContactStatus::Open,
            ContactStatus::Sliding,
            ContactStatus::Open,
        ];
        let mut contacts = all.map(|s| contact(Vector::z(), s));
        let count = Count::of(&contacts, &MEASURE);
        assert_eq!((count.open, count.sliding, count.sticking), (2, 1, 0));
        contacts[1].force = Vector::z() * 1e-15;
        assert_eq!(
            Count::of(&contacts, &MEASURE).open,
            3,
            "rounding is no force"
        );
    }
}
