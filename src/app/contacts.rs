//! Contact as it is drawn: points, normals, forces and friction cones, as layers with a scale and a threshold.

use super::convert;
use super::extent;
use super::sketch::Sketch;
use super::theme::{Palette, contact};
use crate::math::Pose;
use crate::model::{ContactKey, ContactState, ContactStatus, Model};
use bevy::color::{Alpha, Color, LinearRgba};
use bevy::math::Vec3;

/// How contact is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactStyle {
    /// Factor of all lengths; at 1 they suit the bodies.
    pub scale: f64,
    /// Forces below this are not drawn [N].
    pub threshold: f64,
    /// Whether forces are drawn on both bodies, not only on the first.
    pub both: bool,
}

impl Default for ContactStyle {
    fn default() -> Self {
        Self {
            scale: 1.0,
            threshold: 0.0,
            both: false,
        }
    }
}

/// What of contact is drawn, and how.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactLayers {
    /// Contact points.
    pub points: bool,
    /// Normals.
    pub normals: bool,
    /// Forces.
    pub forces: bool,
    /// Friction cones.
    pub cones: bool,
    /// How.
    pub style: ContactStyle,
    /// The contact under the pointer, whose cone is always drawn.
    pub hovered: Option<ContactKey>,
}

impl ContactLayers {
    /// Whether anything is drawn.
    pub fn any(&self) -> bool {
        self.points || self.normals || self.forces || self.cones
    }
}

/// What is large and what is strong in a scene: half of the bodies are larger and heavier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// Radius of a body [m].
    pub length: f64,
    /// Weight of a body [N].
    pub force: f64,
}

impl Measure {
    /// The measure of a scene whose radius is given.
    pub fn of(model: &Model, scene_radius: f64) -> Self {
        let drawn = model.bodies.iter().filter(|b| !b.shapes.is_empty());
        let sizes = drawn.map(|b| extent::body(b, &Pose::identity()).radius);
        let gravity = match model.gravity.norm() {
            // Without weight forces are still compared with what a body would weigh.
            0.0 => 9.81,
            g => g,
        };
        let weights = model.bodies.iter().map(|b| b.mass * gravity);
        Self {
            length: median(sizes).unwrap_or(0.1 * scene_radius),
            force: median(weights).unwrap_or(1.0),
        }
    }

    /// What a contact does. One that carries less than a billionth of a body's weight is open: its force is what is
    /// left of the tolerance, and whether that sticks or slides means nothing.
    pub fn status(&self, contact: &ContactState) -> ContactStatus {
        if contact.force.norm() < 1e-9 * self.force {
            ContactStatus::Open
        } else {
            contact.status
        }
    }

    /// Length of a force's arrow [m]: as its square root, so that small and large ones are seen together; the
    /// weight of a body is as long as the body is wide.
    pub fn arrow(&self, force: f64, scale: f64) -> f64 {
        scale * self.length * (force / self.force).sqrt()
    }
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

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

/// What is drawn of contact.
#[derive(Debug, Clone, Default)]
pub struct Drawing {
    /// Points, normals and forces.
    pub marks: Sketch,
    /// Friction cones, to be seen through.
    pub cones: Sketch,
}

/// Draws contacts found with the bodies at `knot`, as the bodies are drawn at `drawn`. Arrows end at `longest` [m].
pub fn draw(
    contacts: &[ContactState],
    [knot, drawn]: [&[Pose]; 2],
    layers: &ContactLayers,
    measure: &Measure,
    longest: f64,
    palette: &Palette,
) -> Drawing {
    let mut out = Drawing::default();
    let style = &layers.style;
    let unit = (style.scale * measure.length) as f32;
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
        if layers.points {
            mark(&mut out.marks, status, point, normal, unit, shade);
        }
        if layers.normals {
            let (length, radius) = (contact::NORMAL.0 * unit, contact::NORMAL.1 * unit);
            out.marks.arrow(point, normal, length, radius, shade);
        }
        let force = contact.force.norm();
        if force <= style.threshold || status == ContactStatus::Open {
            continue;
        }
        let length = measure.arrow(force, style.scale).min(longest) as f32;
        let along = convert::vec3(&(contact.force / force));
        if layers.forces {
            let radius = contact::FORCE * unit;
            out.marks.arrow(point, along, length, radius, shade);
            if style.both {
                out.marks.arrow(point, -along, length, radius, shade);
            }
        }
        let wanted = layers.cones || layers.hovered == Some(contact.key);
        if wanted && contact.friction > 0.0 {
            // The force is on its surface when the contact slides: the cone's side is as long as the arrow.
            let angle = contact.friction.atan() as f32;
            let (s, c) = angle.sin_cos();
            let veil = shade.with_alpha(contact::VEIL);
            out.cones
                .funnel(point, normal, length * c, length * s, veil);
        }
    }
    out
}

/// A contact point; its form says the same as its colour.
fn mark(
    sketch: &mut Sketch,
    status: ContactStatus,
    point: Vec3,
    normal: Vec3,
    unit: f32,
    shade: LinearRgba,
) {
    let radius = contact::POINT * unit;
    match status {
        ContactStatus::Sticking => sketch.ball(point, radius, shade),
        ContactStatus::Sliding => sketch.disc(point, normal, 1.5 * radius, 0.5 * radius, shade),
        ContactStatus::Open => sketch.ball(point, 0.6 * radius, shade),
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
    use crate::app::meshes::tests::triangles;
    use crate::math::{Mat3, Vec3 as Vector};
    use crate::model::{Body, BodyId, Geometry, ModelParts, Shape, Touch};

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
    };

    fn drawing(contacts: &[ContactState], layers: ContactLayers) -> Drawing {
        let still = [Pose::identity()];
        draw(
            contacts,
            [&still, &still],
            &layers,
            &MEASURE,
            9.0,
            Palette::of(true),
        )
    }

    /// Least and greatest height and greatest distance from the vertical through the point.
    fn span(sketch: Sketch) -> (f32, f32, f32) {
        let points = triangles(&sketch.mesh()).into_iter().flatten();
        points.fold((f32::MAX, f32::MIN, 0.0), |(low, high, wide), p| {
            let out = (p - Vec3::new(0.5, 0.0, 0.0)).truncate().length();
            (low.min(p.z), high.max(p.z), out.max(wide))
        })
    }

    #[test]
    fn an_arrow_is_as_long_as_the_square_root_of_its_force_and_small_forces_can_be_hidden() {
        let pushed = [contact(Vector::z() * 16.0, ContactStatus::Sticking)];
        let mut layers = ContactLayers {
            forces: true,
            ..ContactLayers::default()
        };
        // Four times the weight of a body: twice its radius.
        let (low, high, _) = span(drawing(&pushed, layers).marks);
        assert!(low.abs() < 1e-6 && (high - 0.4).abs() < 1e-6, "{high}");
        layers.style.scale = 3.0;
        assert!((span(drawing(&pushed, layers).marks).1 - 1.2).abs() < 1e-5);
        layers.style.both = true;
        assert!((span(drawing(&pushed, layers).marks).0 + 1.2).abs() < 1e-5);
        layers.style.threshold = 15.9;
        assert!(!drawing(&pushed, layers).marks.is_empty());
        layers.style.threshold = 16.0;
        assert!(drawing(&pushed, layers).marks.is_empty());
    }

    #[test]
    fn a_cone_opens_by_the_angle_of_friction_and_is_as_long_as_the_force() {
        let slides = Vector::new(-3.0, 0.0, 4.0) * 3.2;
        let layers = ContactLayers {
            cones: true,
            ..ContactLayers::default()
        };
        let out = drawing(&[contact(slides, ContactStatus::Sliding)], layers);
        assert!(out.marks.is_empty());
        // 16 N: 0.4 m long; µ = 3/4 splits it into 0.32 m along and 0.24 m across the normal.
        let (low, high, wide) = span(out.cones);
        assert!(low.abs() < 1e-6 && (high - 0.32).abs() < 1e-6 && (wide - 0.24).abs() < 1e-6);
        let mut smooth = contact(slides, ContactStatus::Sliding);
        smooth.friction = 0.0;
        assert!(drawing(&[smooth], layers).cones.is_empty());
        let open = contact(Vector::zeros(), ContactStatus::Open);
        assert!(drawing(&[open], layers).cones.is_empty());
    }

    #[test]
    fn points_and_normals_are_layers_of_their_own_and_move_with_the_body() {
        let open = [contact(Vector::zeros(), ContactStatus::Open)];
        let nothing = ContactLayers::default();
        assert!(!nothing.any() && drawing(&open, nothing).marks.is_empty());
        let points = ContactLayers {
            points: true,
            ..nothing
        };
        let normals = ContactLayers {
            normals: true,
            ..nothing
        };
        let (low, high, _) = span(drawing(&open, points).marks);
        assert!(
            low < 0.0 && high > 0.0,
            "a point is drawn around where it is"
        );
        let (low, high, _) = span(drawing(&open, normals).marks);
        assert!(low.abs() < 1e-6 && (high - contact::NORMAL.0 * 0.2).abs() < 1e-6);
        let (still, moved) = ([Pose::identity()], [Pose::translation(0.0, 0.0, 2.0)]);
        let carried = draw(
            &open,
            [&still, &moved],
            &normals,
            &MEASURE,
            9.0,
            Palette::of(false),
        );
        assert!((span(carried.marks).0 - 2.0).abs() < 1e-6);
    }

    #[test]
    fn a_hovered_contact_shows_its_cone() {
        let pushed = [contact(Vector::z(), ContactStatus::Sticking)];
        let layers = ContactLayers {
            points: true,
            hovered: Some(ContactKey::default()),
            ..ContactLayers::default()
        };
        assert!(!drawing(&pushed, layers).cones.is_empty());
    }

    #[test]
    fn the_measure_is_that_of_a_usual_body() {
        let ball = |radius: f64, mass: f64| {
            let mut body = Body::new(format!("{radius}"), mass, Mat3::identity());
            body.shapes = vec![Shape {
                geometry: Geometry::Sphere { radius },
                pose: Pose::translation(0.1, 0.0, 0.0),
                colour: None,
                touch: Touch::default(),
            }];
            body
        };
        let parts = ModelParts {
            bodies: vec![ball(0.1, 1.0), ball(0.2, 2.0), ball(90.0, 1000.0)],
            gravity: Vector::z() * -10.0,
            ..ModelParts::default()
        };
        let found = Measure::of(&Model::new(parts).unwrap(), 5.0);
        // A ball beside the centre of mass: a box of 0.4 m around it has a half diagonal of 0.2 √3 m.
        assert!(
            (found.length - 0.2 * 3f64.sqrt()).abs() < 1e-12,
            "{found:?}"
        );
        assert_eq!(found.force, 20.0);
        let empty = Model::new(ModelParts::default()).unwrap();
        assert!(Measure::of(&empty, 5.0).length > 0.0);
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
