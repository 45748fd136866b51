//! Contact as it is drawn: points, normals, forces and friction cones, as layers with a scale and a threshold.

use crate::mesh::builder::MeshBuilder;
use crate::mesh::convert;
use crate::scene3d::layers::gauge::{Gauge, Measure};
use crate::state::layers::{Drawing, Layer, Layers};
use crate::theme::{Palette, contact};
use bevy::color::{Alpha, Color, LinearRgba};
use bevy::math::Vec3;
use physics::math::Pose;
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

/// Draws contacts found with the bodies at `knot`, as the bodies are drawn at `drawn`. Arrows end at `longest` (m).
pub fn draw(
    out: &mut Drawing,
    contacts: &[ContactState],
    [knot, drawn]: [&[Pose]; 2],
    layers: &Layers,
    measure: &Measure,
    longest: f64,
    palette: &Palette,
) {
    let unit = |layer: Layer| {
        layers
            .drawn(layer)
            .map(|s| (s.scale * measure.length) as f32)
    };
    let gauges =
        [Layer::ContactForces, Layer::FrictionCones].map(|l| gauge(l, layers, measure, contacts));
    for contact in contacts {
        let status = measure.status(contact);
        let shade = shade(status, palette);
        // Between two steps a contact goes along with its first body, which is never the world.
        let carry = |v: nalgebra::Point3<f64>| match contact.bodies[0] {
            Some(body) if body.0 < drawn.len().min(knot.len()) => {
                drawn[body.0] * knot[body.0].inverse_transform_point(&v)
            }
            _ => v,
        };
        let point = convert::vec3(&carry(contact.point.into()).coords);
        let normal = convert::vec3(&contact.normal);
        if let Some(unit) = unit(Layer::ContactPoints) {
            mark(&mut out.marks, status, point, normal, unit, shade);
        }
        if let Some(unit) = unit(Layer::ContactNormals) {
            let (length, radius) = (contact::NORMAL.0 * unit, contact::NORMAL.1 * unit);
            out.marks.arrow(point, normal, length, radius, shade);
        }
        let force = contact.force.norm();
        if status == ContactStatus::Open {
            continue;
        }
        let along = convert::vec3(&(contact.force / force));
        let above = |layer: Layer| layers.style(layer).is_some_and(|s| force > s.threshold);
        if layers.shows(Layer::ContactForces) && above(Layer::ContactForces) {
            let length = gauges[0].of(force).min(longest) as f32;
            let radius = contact::FORCE * measure.length as f32;
            out.marks.arrow(point, along, length, radius, shade);
            if layers.both {
                out.marks.arrow(point, -along, length, radius, shade);
            }
        }
        let hovered = layers.hovered == Some(contact.key);
        let wanted = hovered || (layers.shows(Layer::FrictionCones) && above(Layer::FrictionCones));
        if wanted && contact.friction > 0.0 {
            // The force is on its surface when the contact slides: the cone's side is as long as the arrow.
            let length = gauges[1].of(force).min(longest) as f32;
            let angle = contact.friction.atan() as f32;
            let (s, c) = angle.sin_cos();
            let veil = shade.with_alpha(contact::VEIL);
            out.veils
                .funnel(point, normal, length * c, length * s, veil);
        }
    }
}

/// Lengths of the contact forces in a layer: the weight of a body is as long as the body is wide.
pub fn gauge(layer: Layer, layers: &Layers, measure: &Measure, contacts: &[ContactState]) -> Gauge {
    let largest = contacts.iter().map(|c| c.force.norm()).fold(0.0, f64::max);
    let style = layers.style(layer).copied().unwrap_or_default();
    Gauge::new(&style, measure, measure.force, largest, true)
}

/// A contact point; its form says the same as its colour.
fn mark(
    builder: &mut MeshBuilder,
    status: ContactStatus,
    point: Vec3,
    normal: Vec3,
    unit: f32,
    shade: LinearRgba,
) {
    let radius = contact::POINT * unit;
    match status {
        ContactStatus::Sticking => builder.ball(point, radius, shade),
        ContactStatus::Sliding => builder.disc(point, normal, 1.5 * radius, 0.5 * radius, shade),
        ContactStatus::Open => builder.ball(point, 0.6 * radius, shade),
    }
}

/// The colour of a status.
pub fn shade(status: ContactStatus, palette: &Palette) -> LinearRgba {
    let [r, g, b] = palette.contact[status as usize];
    Color::srgb_u8(r, g, b).to_linear()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives::tests::triangles;
    use physics::math::Vec3 as Vector;
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
        layers.style_mut(layer).unwrap().shown = true;
        layers
    }

    fn drawing(contacts: &[ContactState], layers: &Layers) -> Drawing {
        let still = [Pose::identity()];
        let mut out = Drawing::default();
        draw(
            &mut out,
            contacts,
            [&still, &still],
            layers,
            &MEASURE,
            9.0,
            Palette::of(true),
        );
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
        layers.style_mut(Layer::ContactForces).unwrap().scale = 3.0;
        assert!((span(drawing(&pushed, &layers).marks).1 - 1.2).abs() < 1e-5);
        layers.both = true;
        assert!((span(drawing(&pushed, &layers).marks).0 + 1.2).abs() < 1e-5);
        layers.style_mut(Layer::ContactForces).unwrap().threshold = 15.9;
        assert!(!drawing(&pushed, &layers).marks.is_empty());
        layers.style_mut(Layer::ContactForces).unwrap().threshold = 16.0;
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
        let (still, moved) = ([Pose::identity()], [Pose::translation(0.0, 0.0, 2.0)]);
        let mut carried = Drawing::default();
        let poses: [&[Pose]; 2] = [&still, &moved];
        draw(
            &mut carried,
            &open,
            poses,
            normals,
            &MEASURE,
            9.0,
            Palette::of(false),
        );
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
