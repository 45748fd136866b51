//! Frames, centres of mass, inertia ellipsoids and collision shapes of bodies.

use crate::mesh::convert;
use crate::scene3d::layers::subject::LayerSubject;
use crate::scene3d::layers::vectors::linear;
use crate::scene3d::layers::wires;
use crate::state::layers::{Drawing, LayerStyle};
use crate::theme::categorical;
use physics::math::{Mat3, Pose, Vec3};
use physics::model::{Body, Shape};
use std::f64::consts::TAU;

/// Length and thickness of the axes of a frame, radius of a centre, thickness of lines; as shares of the radius of a
/// usual body.
const AXIS: (f32, f32) = (0.8, 0.022);
const CENTRE: f64 = 0.11;
const LINE: f32 = 0.012;

/// Colours of the axes x, y and z.
pub const AXES: [usize; 3] = [5, 2, 0];

/// Half axes of the ellipsoid of even density with a body's mass and inertia (m), and its axes as columns, body frame.
///
/// A solid ellipsoid has `I_x = m (b² + c²) / 5`, so that `a² = 5 (I_y + I_z - I_x) / (2 m)`.
pub fn ellipsoid(body: &Body) -> (Vec3, Mat3) {
    let eigen = body.inertia.symmetric_eigen();
    let i = eigen.eigenvalues;
    let half = |a: usize| {
        let rest = i.sum() - 2.0 * i[a];
        (2.5 * rest.max(0.0) / body.mass).sqrt()
    };
    (Vec3::new(half(0), half(1), half(2)), eigen.eigenvectors)
}

/// Draws the axes of every body.
pub fn frames(out: &mut Drawing, style: &LayerStyle, subject: &LayerSubject) {
    let unit = subject.measure.length as f32;
    let (length, radius) = (AXIS.0 * unit, AXIS.1 * unit);
    let scale = style.scale as f32;
    for (_, pose) in placed(subject) {
        let centre = convert::vec3(&pose.translation.vector);
        for (k, shade) in AXES.into_iter().enumerate() {
            let along = convert::vec3(&(pose.rotation * Vec3::ith(k, 1.0)));
            let shade = linear(categorical::rgb(shade, subject.dark));
            out.marks
                .arrow(centre, along, scale * length, scale * radius, shade);
        }
    }
}

/// Draws a ball at every centre of mass.
pub fn centres(out: &mut Drawing, style: &LayerStyle, subject: &LayerSubject) {
    let measure = &subject.measure;
    let shade = linear(categorical::rgb(6, subject.dark));
    for (body, pose) in placed(subject).filter(|(b, _)| b.mass >= style.threshold) {
        let centre = convert::vec3(&pose.translation.vector);
        let radius = style.scale * CENTRE * measure.length * (body.mass / measure.mass).cbrt();
        out.marks.ball(centre, radius as f32, shade);
    }
}

/// Draws the inertia ellipsoids.
pub fn inertia(out: &mut Drawing, style: &LayerStyle, subject: &LayerSubject) {
    let unit = subject.measure.length as f32;
    let shade = linear(categorical::rgb(4, subject.dark));
    for (body, pose) in placed(subject).filter(|(b, _)| b.mass >= style.threshold) {
        let (half, axes) = ellipsoid(body);
        for ring in rings(&(half * style.scale)) {
            let points =
                ring.map(|p| convert::vec3(&(pose * nalgebra::Point3::from(axes * p)).coords));
            let points: Vec<_> = points.collect();
            out.marks.wire(&points, LINE * unit, shade);
        }
    }
}

/// Draws outlines of all shapes that touch others.
pub fn collision_shapes(out: &mut Drawing, _: &LayerStyle, subject: &LayerSubject) {
    let unit = subject.measure.length as f32;
    let model = subject.motion.model;
    let shade = linear(categorical::rgb(1, subject.dark));
    let still = Pose::identity();
    let world = model.world_shapes.iter().map(|s| (&still, s));
    let bodies = placed(subject).flat_map(|(b, pose)| b.shapes.iter().map(move |s| (pose, s)));
    let touching = |shape: &Shape| model.contact.is_some() && shape.touch.member != 0;
    for (pose, shape) in bodies.chain(world).filter(|(_, s)| touching(s)) {
        let frame = pose * shape.pose;
        for line in wires::outline(&shape.geometry) {
            let points = line
                .iter()
                .map(|p| convert::vec3(&(frame * nalgebra::Point3::from(*p)).coords));
            let points: Vec<_> = points.collect();
            out.marks.wire(&points, LINE * unit, shade);
        }
    }
}

/// The bodies and where they are drawn.
fn placed<'a>(subject: &LayerSubject<'a>) -> impl Iterator<Item = (&'a Body, &'a Pose)> {
    let [_, poses] = subject.motion.poses;
    subject.motion.model.bodies.iter().zip(poses)
}

/// The three ellipses in which an ellipsoid's planes of symmetry cut it.
fn rings(half: &Vec3) -> impl Iterator<Item = impl Iterator<Item = Vec3>> {
    const PIECES: u32 = 32;
    let half = *half;
    (0..3).map(move |normal| {
        let (a, b) = ((normal + 1) % 3, (normal + 2) % 3);
        (0..=PIECES).map(move |k| {
            let (s, c) = (TAU * f64::from(k) / f64::from(PIECES)).sin_cos();
            Vec3::ith(a, half[a] * c) + Vec3::ith(b, half[b] * s)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ellipsoid_of_even_density_is_found_again_from_its_inertia() {
        let half = Vec3::new(0.3, 0.7, 0.2);
        let turn = nalgebra::Rotation3::from_euler_angles(0.3, -0.8, 1.1);
        let m = 2.5;
        let square = |k: usize| half[k] * half[k];
        let main = Vec3::new(
            square(1) + square(2),
            square(0) + square(2),
            square(0) + square(1),
        );
        let inertia =
            turn.matrix() * Mat3::from_diagonal(&(main * (m / 5.0))) * turn.matrix().transpose();
        let (found, axes) = ellipsoid(&Body::new("a", m, inertia));
        // The quadratic form of the surface does not depend on the order of the axes.
        let form = |half: &Vec3, axes: &Mat3| {
            axes * Mat3::from_diagonal(&half.map(|a| a.powi(-2))) * axes.transpose()
        };
        let (found, wanted) = (form(&found, &axes), form(&half, turn.matrix()));
        assert!((found - wanted).norm() < 1e-11 * wanted.norm());
        for ring in rings(&half) {
            for p in ring {
                let on = (0..3).map(|k| (p[k] / half[k]).powi(2)).sum::<f64>();
                assert!((on - 1.0).abs() < 1e-12);
            }
        }
    }
}
