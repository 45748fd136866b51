//! Vectors at bodies and joints: velocities, momenta, reactions.

use crate::mesh::convert;
use crate::scene3d::layers::scale::{ArrowScale, Measure};
use crate::scene3d::layers::subject::{LayerSubject, LegendLine};
use crate::state::layers::{Drawing, LayerStyle, Motion};
use crate::theme::categorical;
use bevy::color::{Color, LinearRgba};
use physics::math::{Pose, Vec3};
use physics::model::{Body, Twist};

/// Thickness of an arrow, as a share of the radius of a usual body.
const THICKNESS: f32 = 0.022;

/// A point (m) with a linear and an angular vector.
type At = (Vec3, Vec3, Vec3);

/// A kind of vectors: a linear and an angular one at each of their points.
pub struct VectorKind {
    /// What both are called.
    names: [&'static str; 2],
    /// Units of both.
    units: [&'static str; 2],
    /// Colours of both.
    shades: [usize; 2],
    /// Lengths go with the square root.
    root: bool,
    /// What is usual of both.
    usual: fn(&Measure) -> [f64; 2],
    /// All of them.
    at: fn(&Motion) -> Vec<At>,
}

impl VectorKind {
    /// Colours of the linear and of the angular vectors.
    fn shades(&self, dark: bool) -> [[u8; 3]; 2] {
        self.shades.map(|k| categorical::rgb(k, dark))
    }
}

/// Velocities at the knot, which the energy is computed from as well.
pub const VELOCITIES: VectorKind = VectorKind {
    names: ["velocity", "angular velocity"],
    units: ["m/s", "rad/s"],
    shades: [2, 4],
    root: false,
    usual: |measure| [measure.speed, measure.speed / measure.length],
    at: |motion| {
        let at = bodies(motion);
        at.map(|(_, pose, v)| (pose.translation.vector, v.linear, v.angular))
            .collect()
    },
};

/// Momenta.
pub const MOMENTA: VectorKind = VectorKind {
    names: ["momentum", "angular momentum"],
    units: ["kg·m/s", "kg·m²/s"],
    shades: [3, 5],
    root: false,
    usual: |measure| {
        let momentum = measure.mass * measure.speed;
        [momentum, momentum * measure.length]
    },
    at: |motion| {
        let at = bodies(motion).map(|(body, pose, v)| {
            let spin = body.inertia * pose.rotation.inverse_transform_vector(&v.angular);
            (
                pose.translation.vector,
                v.linear * body.mass,
                pose.rotation * spin,
            )
        });
        at.collect()
    },
};

/// Forces and torques of joints on their children.
pub const REACTIONS: VectorKind = VectorKind {
    names: ["reaction", "torque"],
    units: ["N", "N·m"],
    shades: [1, 6],
    root: true,
    usual: |measure| [measure.force, measure.force * measure.length],
    at: |motion| {
        let joints = motion.model.joints.iter().zip(&motion.state.reactions);
        let at = joints.map(|(joint, row)| {
            let anchor = nalgebra::Point3::from(joint.child_frame.anchor);
            let pose = motion.poses[1][joint.child.0];
            ((pose * anchor).coords, row.force, row.torque)
        });
        at.collect()
    },
};

/// The bodies, where they are drawn, and their velocities.
fn bodies<'a>(motion: &Motion<'a>) -> impl Iterator<Item = (&'a Body, &'a Pose, &'a Twist)> {
    let [_, poses] = motion.poses;
    let placed = motion.model.bodies.iter().zip(poses);
    let moving = placed.zip(motion.velocities);
    moving.map(|((body, pose), v)| (body, pose, v))
}

/// How long the linear and the angular vectors are drawn.
fn arrow_scales(
    kind: &VectorKind,
    at: &[At],
    style: &LayerStyle,
    subject: &LayerSubject,
) -> [ArrowScale; 2] {
    let largest = |pick: fn(&At) -> f64| at.iter().map(pick).fold(0.0, f64::max);
    let largest = [largest(|v| v.1.norm()), largest(|v| v.2.norm())];
    let usual = (kind.usual)(&subject.measure);
    [0, 1].map(|k| ArrowScale::new(style, &subject.measure, usual[k], largest[k], kind.root))
}

/// A colour for drawing.
pub fn linear([r, g, b]: [u8; 3]) -> LinearRgba {
    Color::srgb_u8(r, g, b).to_linear()
}

/// Draws vectors of a kind.
pub fn draw(kind: &VectorKind, out: &mut Drawing, style: &LayerStyle, subject: &LayerSubject) {
    let at = (kind.at)(&subject.motion);
    let arrow_scales = arrow_scales(kind, &at, style, subject);
    let shades = kind.shades(subject.dark).map(linear);
    let radius = THICKNESS * subject.measure.length as f32;
    for (at, straight, angular) in &at {
        for (k, vector) in [straight, angular].into_iter().enumerate() {
            let size = vector.norm();
            if size <= style.threshold.max(1e-9 * arrow_scales[k].reference) || !size.is_finite() {
                continue;
            }
            let length = arrow_scales[k].of(size).min(subject.longest) as f32;
            let along = convert::vec3(&(vector / size));
            let from = convert::vec3(at);
            out.marks.arrow(from, along, length, radius, shades[k]);
            if k == 1 {
                out.marks.disc(from, along, 4.0 * radius, radius, shades[k]);
            }
        }
    }
}

/// How long values of a kind are drawn; nothing where there are none.
pub fn legend(kind: &VectorKind, style: &LayerStyle, subject: &LayerSubject) -> Vec<LegendLine> {
    let at = (kind.at)(&subject.motion);
    if at.is_empty() {
        return Vec::new();
    }
    let arrow_scales = arrow_scales(kind, &at, style, subject);
    let shades = kind.shades(subject.dark);
    let line =
        |k: usize| LegendLine::length(&[shades[k]], kind.names[k], &arrow_scales[k], kind.units[k]);
    vec![line(0), line(1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::state::trails::Trails;
    use physics::scene;

    #[test]
    fn velocities_are_those_at_the_knot_and_reactions_those_of_the_state() {
        let mut session = Session::new(scene::open("double_pendulum", &[]).unwrap()).unwrap();
        for _ in 0..40 {
            assert!(session.step());
        }
        session.read_velocities();
        let twists = session.velocities().to_vec();
        let state = session.state();
        let motion = Motion {
            model: session.model(),
            state,
            velocities: &twists,
            poses: [session.poses(), session.poses()],
            trails: &Trails::default(),
        };
        for ((_, v, w), twist) in (VELOCITIES.at)(&motion).iter().zip(&twists) {
            assert_eq!((v, w), (&twist.linear, &twist.angular));
        }
        for (found, row) in (REACTIONS.at)(&motion).iter().zip(&state.reactions) {
            assert_eq!((found.1, found.2), (row.force, row.torque));
        }
        // The account of the whole is computed without the layer.
        let momenta = (MOMENTA.at)(&motion);
        assert_eq!(momenta.len(), twists.len());
        let momentum: Vec3 = momenta.iter().map(|v| v.1).sum();
        let wanted = session.sample().momentum.linear;
        assert!((momentum - wanted).norm() < 1e-12 * (1.0 + wanted.norm()));
        let spin: Vec3 = momenta.iter().map(|v| v.2 + v.0.cross(&v.1)).sum();
        let wanted = session.sample().momentum.angular;
        assert!((spin - wanted).norm() < 1e-12 * (1.0 + wanted.norm()));
    }
}
