//! Vectors at bodies and joints: velocities, momenta, reactions.

use crate::mesh::convert;
use crate::scene3d::layers::gauge::{Gauge, Measure};
use crate::state::layers::{Drawing, Layer, LayerStyle, Layers};
use crate::theme::categorical;
use bevy::color::{Color, LinearRgba};
use physics::math::{Pose, Vec3};
use physics::model::{Model, State, Twist};

/// Thickness of an arrow, as a share of the radius of a usual body.
const THICKNESS: f32 = 0.022;

/// One layer of vectors as it is at a state.
#[derive(Debug, Clone, PartialEq)]
pub struct Vectors {
    /// Where each is (m), with its linear and its angular vector.
    pub at: Vec<(Vec3, Vec3, Vec3)>,
    /// How long they are drawn: the linear and the angular ones.
    pub gauges: [Gauge; 2],
    /// Units of both.
    pub units: [&'static str; 2],
}

/// The vectors of a layer with the bodies drawn at `poses`; none if it has no vectors. Velocities are those read at the
/// knot, which the energy is computed from as well.
pub fn vectors(
    layer: Layer,
    style: &LayerStyle,
    (model, state, velocities): (&Model, &State, &[Twist]),
    poses: &[Pose],
    measure: &Measure,
) -> Option<Vectors> {
    let Measure {
        length,
        force,
        mass,
        speed,
    } = *measure;
    let bodies = || model.bodies.iter().zip(poses).zip(velocities);
    let (at, usual, root, units): (Vec<_>, _, _, _) = match layer {
        Layer::Reactions => {
            let joints = model.joints.iter().zip(&state.reactions);
            let at = joints.map(|(joint, row)| {
                let anchor = nalgebra::Point3::from(joint.child_frame.anchor);
                (
                    (poses[joint.child.0] * anchor).coords,
                    row.force,
                    row.torque,
                )
            });
            (at.collect(), [force, force * length], true, ["N", "N·m"])
        }
        Layer::Velocities => {
            let at = bodies().map(|((_, pose), v)| (pose.translation.vector, v.linear, v.angular));
            (
                at.collect(),
                [speed, speed / length],
                false,
                ["m/s", "rad/s"],
            )
        }
        Layer::Momenta => {
            let at = bodies().map(|((body, pose), v)| {
                let spin = body.inertia * pose.rotation.inverse_transform_vector(&v.angular);
                (
                    pose.translation.vector,
                    v.linear * body.mass,
                    pose.rotation * spin,
                )
            });
            let usual = [mass * speed, mass * speed * length];
            (at.collect(), usual, false, ["kg·m/s", "kg·m²/s"])
        }
        _ => return None,
    };
    let largest = |pick: fn(&(Vec3, Vec3, Vec3)) -> f64| at.iter().map(pick).fold(0.0, f64::max);
    let largest = [largest(|v| v.1.norm()), largest(|v| v.2.norm())];
    let gauge = |k: usize| Gauge::new(style, measure, usual[k], largest[k], root);
    let gauges = [gauge(0), gauge(1)];
    Some(Vectors { at, gauges, units })
}

/// Colours of the linear and of the angular vectors of a layer.
pub fn shades(layer: Layer, dark: bool) -> [[u8; 3]; 2] {
    let [a, b] = match layer {
        Layer::Reactions => [1, 6],
        Layer::Velocities => [2, 4],
        _ => [3, 5],
    };
    [categorical::rgb(a, dark), categorical::rgb(b, dark)]
}

/// A colour for drawing.
pub fn linear([r, g, b]: [u8; 3]) -> LinearRgba {
    Color::srgb_u8(r, g, b).to_linear()
}

/// Draws the layers of vectors; arrows end at `longest` (m).
pub fn draw(
    out: &mut Drawing,
    layers: &Layers,
    (model, state, velocities): (&Model, &State, &[Twist]),
    poses: &[Pose],
    measure: &Measure,
    longest: f64,
    dark: bool,
) {
    for layer in [Layer::Reactions, Layer::Velocities, Layer::Momenta] {
        let Some(style) = layers.drawn(layer) else {
            continue;
        };
        let Some(found) = vectors(layer, style, (model, state, velocities), poses, measure) else {
            continue;
        };
        let radius = THICKNESS * measure.length as f32;
        for (at, straight, angular) in &found.at {
            for (k, vector) in [straight, angular].into_iter().enumerate() {
                let size = vector.norm();
                if size <= style.threshold.max(1e-9 * found.gauges[k].reference)
                    || !size.is_finite()
                {
                    continue;
                }
                let length = found.gauges[k].of(size).min(longest) as f32;
                let along = convert::vec3(&(vector / size));
                let shade = linear(shades(layer, dark)[k]);
                let from = convert::vec3(at);
                out.marks.arrow(from, along, length, radius, shade);
                if k == 1 {
                    out.marks.disc(from, along, 4.0 * radius, radius, shade);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use physics::scene;

    #[test]
    fn velocities_are_those_at_the_knot_and_reactions_those_of_the_state() {
        let mut session = Session::new(scene::open("double_pendulum", &[]).unwrap()).unwrap();
        for _ in 0..40 {
            assert!(session.step());
        }
        let twists = session.simulation.velocities().to_vec();
        let simulation = &session.simulation;
        let (model, state) = (simulation.model(), simulation.state());
        let measure = Measure::of(model, 2.0);
        let layers = Layers::default();
        let of = |layer: Layer| {
            let style = layers.style(layer).unwrap();
            vectors(
                layer,
                style,
                (model, state, &twists),
                session.poses(),
                &measure,
            )
            .unwrap()
        };
        for ((_, v, w), twist) in of(Layer::Velocities).at.iter().zip(&twists) {
            assert_eq!((v, w), (&twist.linear, &twist.angular));
        }
        for (found, row) in of(Layer::Reactions).at.iter().zip(&state.reactions) {
            assert_eq!((found.1, found.2), (row.force, row.torque));
        }
        // The account of the whole is computed without the layer.
        let momentum: Vec3 = of(Layer::Momenta).at.iter().map(|v| v.1).sum();
        let wanted = session.sample.momentum.linear;
        assert!((momentum - wanted).norm() < 1e-12 * (1.0 + wanted.norm()));
        let spin = of(Layer::Momenta)
            .at
            .iter()
            .map(|v| v.2 + v.0.cross(&v.1))
            .sum::<Vec3>();
        let wanted = session.sample.momentum.angular;
        assert!((spin - wanted).norm() < 1e-12 * (1.0 + wanted.norm()));
        assert_eq!(
            vectors(
                Layer::Names,
                layers.style(Layer::Names).unwrap(),
                (model, state, &twists),
                session.poses(),
                &measure
            ),
            None
        );
    }
}
