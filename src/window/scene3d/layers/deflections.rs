//! How far contacts give, and how hard the elements of foundations are pressed.

use crate::mesh::convert;
use crate::scene3d::layers::joints::{ERROR_SHADE, enlargement};
use crate::scene3d::layers::scale::Measure;
use crate::scene3d::layers::subject::{LayerSubject, LegendLine};
use crate::scene3d::layers::vectors::linear;
use crate::state::layers::{Drawing, LayerStyle, Motion};
use crate::text::format;
use crate::theme::categorical;
use bevy::math::Vec3;
use physics::contact::{foundations, pressures};
use physics::math::Pose;
use physics::model::{ContactState, Model, State};

/// Thickness of a deflection, and height of an element over its face, as shares of the radius of a usual body.
const DEFLECTION: f32 = 0.03;
const ABOVE: f32 = 0.004;

/// Part of an element's extent that is filled, so that each is seen.
const FILLED: f64 = 0.94;

/// How far two surfaces are in each other at a contact (m).
pub fn depth(contact: &ContactState) -> f64 {
    (-contact.gap).max(0.0)
}

/// What deflections of contacts are enlarged by.
pub fn factor(style: &LayerStyle, measure: &Measure, contacts: &[ContactState]) -> f64 {
    let largest = contacts.iter().map(depth).fold(0.0, f64::max);
    enlargement(style, measure, largest)
}

/// Pressures of all elements (Pa), foundation by foundation, and the largest.
pub fn pressed(model: &Model, state: &State) -> (Vec<Vec<f64>>, f64) {
    let count = |(_, own, _): (_, physics::model::Foundation, _)| vec![0.0; own.count()];
    let mut all: Vec<Vec<f64>> = foundations(model).map(count).collect();
    let mut largest: f64 = 0.0;
    for found in pressures(model, state) {
        all[found.foundation][found.element] = found.pressure;
        largest = largest.max(found.pressure);
    }
    (all, largest)
}

/// Draws how far surfaces are in each other.
pub fn deflections(out: &mut Drawing, style: &LayerStyle, subject: &LayerSubject) {
    let contacts = &subject.motion.state.contacts;
    let factor = factor(style, &subject.measure, contacts);
    let shade = linear(categorical::rgb(ERROR_SHADE, subject.dark));
    let radius = DEFLECTION * subject.measure.length as f32;
    for contact in contacts {
        let depth = depth(contact);
        if depth <= style.threshold || depth == 0.0 {
            continue;
        }
        let length = (factor * depth).min(subject.longest) as f32;
        let [at, along] = [contact.point, contact.normal].map(|v| convert::vec3(&v));
        out.marks.arrow(at, along, length, radius, shade);
    }
}

/// By how much deflections are enlarged.
pub fn deflections_legend(style: &LayerStyle, subject: &LayerSubject) -> Vec<LegendLine> {
    let factor = factor(style, &subject.measure, &subject.motion.state.contacts);
    let text = format!("deflections × {}", format::number(factor));
    let shade = categorical::rgb(ERROR_SHADE, subject.dark);
    vec![LegendLine::plain(&[shade], text)]
}

/// Draws how hard the elements of foundations are pressed.
pub fn elements(out: &mut Drawing, style: &LayerStyle, subject: &LayerSubject) {
    let Motion {
        model,
        state,
        poses: [_, poses],
        ..
    } = subject.motion;
    let (all, largest) = pressed(model, state);
    let still = Pose::identity();
    for ((body, own, patch), pressures) in foundations(model).zip(all) {
        let pose = body.map_or(&still, |b| &poses[b.0]);
        let turned = |v: &physics::math::Vec3| pose.rotation * v;
        let normal = turned(&patch.normal);
        let axes = patch.along.map(|v| turned(&v));
        let half = own.spacing().map(|x| 0.5 * FILLED * x);
        let sides = [0, 1].map(|k| convert::vec3(&(axes[k] * half[k])));
        let above = convert::vec3(&normal) * (ABOVE * subject.measure.length as f32);
        for (element, pressure) in pressures.into_iter().enumerate() {
            if pressure < style.threshold {
                continue;
            }
            let middle = patch.point(own.middle(element));
            let at: Vec3 = convert::vec3(&(pose * nalgebra::Point3::from(middle)).coords);
            let share = if largest > 0.0 {
                pressure / largest
            } else {
                0.0
            };
            let shade = linear(categorical::scale(share));
            out.marks.plate(at + above, sides, shade);
        }
    }
}

/// Which colour is which pressure; nothing where there is no foundation.
pub fn elements_legend(_: &LayerStyle, subject: &LayerSubject) -> Vec<LegendLine> {
    let (elements, largest) = pressed(subject.motion.model, subject.motion.state);
    if elements.is_empty() {
        return Vec::new();
    }
    let shades = [0.0, 0.25, 0.5, 0.75, 1.0].map(categorical::scale);
    let text = format!("pressure, 0 to {}", format::quantity(largest, "Pa"));
    vec![LegendLine::plain(&shades, text)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives::tests::triangles;
    use crate::scene3d::layers::paint;
    use crate::session::Session;
    use crate::state::layers::{Layer, Layers};
    use crate::state::trails::Trails;
    use physics::scene;

    /// A box that a wrench tilts on four times three elements of the floor.
    const BED: &str = r#"(version: 1,
        world: [(half_space: (), foundations: [(elements: (4, 3), extent: (2, 1), depth: 1, modulus: 1e4, damping: 100)])],
        bodies: {"box": (mass: 10, shape: (box: (size: (2, 1, 1))), position: (0, 0, 0.5))},
        wrenches: {"tilt": (body: "box", torque: (0, 20, 0))},
        contact: (materials: {"smooth": (friction: 0)}),
        integrator: (method: "compliant"))"#;

    fn settled() -> Session {
        let scene = scene::from_text("bed", BED, &[]).unwrap();
        let mut session = Session::new(scene).unwrap();
        for _ in 0..300 {
            assert!(session.step());
        }
        session
    }

    fn drawing(session: &Session, layer: Layer, change: impl Fn(&mut LayerStyle)) -> Drawing {
        let (model, state) = (session.model(), session.state());
        let mut layers = Layers::default();
        let style = layers.style_mut(layer);
        style.shown = true;
        change(style);
        let motion = Motion {
            model,
            state,
            velocities: &[],
            poses: [session.poses(), session.poses()],
            trails: &Trails::default(),
        };
        let subject = LayerSubject {
            longest: 9.0,
            ..LayerSubject::of(motion, &layers, 2.0, true)
        };
        let mut out = Drawing::default();
        paint(&mut out, &subject);
        out
    }

    #[test]
    fn every_element_is_a_plate_and_those_of_less_pressure_can_be_hidden() {
        let session = settled();
        let (model, state) = (session.model(), session.state());
        let (all, largest) = pressed(model, state);
        assert_eq!(all.iter().map(Vec::len).collect::<Vec<_>>(), [12]);
        // 98.1 N rest on them, and 20 N m turn about y: rows along x carry more and more.
        let area = 2.0 / 12.0;
        let sum: f64 = all[0].iter().sum();
        assert!((sum * area - 98.1).abs() < 0.1, "{}", sum * area);
        assert!(
            all[0]
                .windows(2)
                .enumerate()
                .all(|(k, p)| k % 4 == 3 || p[0] < p[1])
        );
        assert_eq!(largest, all[0].iter().copied().fold(0.0, f64::max));
        // Two faces of two triangles each.
        let plates = |least: f64| {
            let out = drawing(&session, Layer::Pressures, |s| s.threshold = least);
            triangles(&out.marks.mesh()).len() / 4
        };
        assert_eq!(plates(0.0), 12);
        let middle = 0.5 * (all[0][1] + all[0][2]);
        assert_eq!(plates(middle), 6);
    }

    #[test]
    fn deflections_are_enlarged_to_the_size_of_a_body_or_by_what_is_asked_for() {
        let session = settled();
        let state = session.state();
        let deepest = state.contacts.iter().map(depth).fold(0.0, f64::max);
        assert!(deepest > 1e-3, "{deepest}");
        let height = |change: fn(&mut LayerStyle)| {
            let out = drawing(&session, Layer::Deflections, change);
            let points = triangles(&out.marks.mesh()).into_iter().flatten();
            points.fold(f32::MIN, |high, p| high.max(p.z))
        };
        let ten = height(|s| (s.auto, s.scale) = (false, 10.0));
        assert!((f64::from(ten) - 9.0 * deepest).abs() < 0.02, "{ten}");
        assert!(height(|_| ()) > 2.0 * ten);
        assert_eq!(height(|s| s.threshold = 1.0), f32::MIN);
    }
}
