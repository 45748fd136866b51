//! How fast springs can swing the bodies that they join.

use super::knot::end;
use crate::joints::{self, Placement, row_on};
use crate::math::Vec3;
use crate::model::{BodyId, BodyState, Force, Model};

/// A spring and the highest frequency that it gives its bodies by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Swing {
    /// `joint NAME` or `spring NAME`.
    pub place: String,
    /// [rad/s]: `√(k n M⁻¹ nᵀ)` with the gradient `n` of its coordinate. Joints make bodies heavier, so that no spring
    /// swings faster.
    pub frequency: f64,
}

/// The spring that can swing its bodies fastest at these poses; `None` where there is none.
pub fn fastest_spring(model: &Model, bodies: &[BodyState]) -> Option<Swing> {
    let mobility = |body: Option<BodyId>, wrench: [f64; 6]| {
        body.map_or(0.0, |body| {
            let [fx, fy, fz, tx, ty, tz] = wrench;
            let (data, state) = (&model.bodies[body.0], &bodies[body.0]);
            let torque = state.orientation.inverse() * Vec3::new(tx, ty, tz);
            // A body's inertia is positive definite: the model is checked.
            let inverse = data.inertia.try_inverse().unwrap_or_default();
            Vec3::new(fx, fy, fz).norm_squared() / data.mass + torque.dot(&(inverse * torque))
        })
    };
    let in_joints = model.joints.iter().flat_map(|joint| {
        let at = Placement::of(joint, bodies);
        let place = format!("joint `{}`", joint.name);
        joint.springs.iter().map(move |spring| {
            let row = joints::coordinate_row(joint.kind, &at, spring.coordinate);
            let sum = mobility(Some(joint.child), row_on(&row, &at, true))
                + mobility(joint.parent, row_on(&row, &at, false));
            (place.clone(), spring.stiffness * sum)
        })
    });
    let between_points = model.forces.iter().filter_map(|force| {
        let Force::Spring {
            name,
            ends,
            stiffness,
            ..
        } = force
        else {
            return None;
        };
        let [(a, arm_a), (b, arm_b)] = [0, 1].map(|k| end(&ends[k], bodies));
        let n = (b - a).try_normalize(0.0)?;
        let pushed = |body, arm: Vec3| {
            let t = arm.cross(&n);
            mobility(body, [n.x, n.y, n.z, t.x, t.y, t.z])
        };
        let sum = pushed(ends[0].body, arm_a) + pushed(ends[1].body, arm_b);
        Some((format!("spring `{name}`"), stiffness * sum))
    });
    in_joints
        .chain(between_points)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(place, squared)| Swing {
            place,
            frequency: squared.sqrt(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene;

    #[test]
    fn springs_swing_free_bodies_at_the_frequencies_of_the_textbook() {
        // Two masses on a spring: the reduced mass of 2 and 3 kg is 1.2 kg. A rod turned about its end by a torsion
        // spring is bounded by the free rod: its inertia about its centre, and a lever that is none for a torque.
        let text = r#"(version: 1,
            bodies: {
                "a": (mass: 2, inertia: (1, 1, 1)),
                "b": (mass: 3, inertia: (1, 1, 1), position: (1, 0, 0)),
                "rod": (mass: 1, inertia: (0.5, 0.5, 0.5), position: (0, 0, -3)),
            },
            joints: {"hinge": (kind: revolute, child: "rod", anchor: (0, 0, -2), child_anchor: (0, 0, 1), axis: (0, 1, 0),
                springs: [(coordinate: 0, stiffness: 50)])},
            springs: {"pull": (from: (body: "a"), to: (body: "b"), stiffness: STIFFNESS)})"#;
        for (stiffness, place, frequency) in [
            (1.2e6, "spring `pull`", 1000.0),
            (12.0, "joint `hinge`", 10.0),
        ] {
            let text = text.replace("STIFFNESS", &format!("{stiffness:?}"));
            let scene = scene::from_text("springs", &text, &[]).expect("the scene is right");
            let found = fastest_spring(&scene.model, &scene.state.bodies).expect("it has springs");
            assert_eq!(found.place, place);
            assert!(
                (found.frequency / frequency - 1.0).abs() < 1e-12,
                "{found:?}"
            );
        }
    }
}
