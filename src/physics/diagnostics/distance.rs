//! How far apart two configurations of one mechanism are.

use crate::model::{BodyState, Model};

/// Root mean square, by mass, of the distance between where every piece of matter is in two configurations (m).
///
/// With Δx the distance of a body's centres of mass and v the vector part of the quaternion that turns one orientation
/// into the other, in body axes, the square is `Σ (m |Δx|² + 4 vᵀ J v) / Σ m`: a rotation by θ about n moves a point r
/// by `2 sin(θ/2) |n × r|`, and `∫ |n × r|² dm = nᵀ J n`. No length has to be chosen to weigh angles.
pub fn configuration_distance(model: &Model, a: &[BodyState], b: &[BodyState]) -> f64 {
    let (mut sum, mut mass) = (0.0, 0.0);
    for ((body, a), b) in model.bodies.iter().zip(a).zip(b) {
        let turn = (b.orientation.inverse() * a.orientation).imag();
        sum += body.mass * (a.position - b.position).norm_squared();
        sum += 4.0 * turn.dot(&(body.inertia * turn));
        mass += body.mass;
    }
    if mass > 0.0 { (sum / mass).sqrt() } else { 0.0 }
}

/// Root mean square, by mass, of the difference of the velocities of every piece of matter in two motions, each in its own
/// body axes [m/s]: `Σ (m |Δv|² + Δωᵀ J Δω) / Σ m`. Configurations apart by no more than motions of this rate make in a time are
/// as far apart as that.
pub fn velocity_distance(model: &Model, a: &[BodyState], b: &[BodyState]) -> f64 {
    let (mut sum, mut mass) = (0.0, 0.0);
    for ((body, a), b) in model.bodies.iter().zip(a).zip(b) {
        let spin = |s: &BodyState| s.orientation.inverse_transform_vector(&s.velocity.angular);
        let turn = spin(a) - spin(b);
        sum += body.mass * (a.velocity.linear - b.velocity.linear).norm_squared();
        sum += turn.dot(&(body.inertia * turn));
        mass += body.mass;
    }
    if mass > 0.0 { (sum / mass).sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Quat, Vec3};
    use crate::model::{Body, ModelParts, State};

    #[test]
    fn it_is_the_distance_of_all_points_of_the_bodies() {
        // Eight points of 0.25 kg at the corners of a box, and another body as eight others.
        let corners = |size: Vec3| {
            (0..8).map(move |k: u32| {
                let sign = |bit: u32| if k >> bit & 1 == 0 { 1.0 } else { -1.0 };
                Vec3::new(sign(0), sign(1), sign(2)).component_mul(&size)
            })
        };
        let sizes = [Vec3::new(0.3, 0.1, 0.7), Vec3::new(0.2, 0.9, 0.4)];
        let inertia = |size: Vec3| -> Mat3 {
            corners(size)
                .map(|r| (Mat3::identity() * r.norm_squared() - r * r.transpose()) * 0.25)
                .sum()
        };
        let model = Model::new(ModelParts {
            bodies: vec![
                Body::new("a", 2.0, inertia(sizes[0])),
                Body::new("b", 2.0, inertia(sizes[1])),
            ],
            ..ModelParts::default()
        })
        .unwrap();
        let mut first = State::at_rest(&model);
        first.bodies[0].orientation = Quat::from_scaled_axis(Vec3::new(0.3, -1.0, 0.2));
        let mut second = first.clone();
        second.bodies[0].orientation = Quat::from_scaled_axis(Vec3::new(-0.7, 2.0, 0.4));
        second.bodies[0].position = Vec3::new(0.1, 0.2, -0.3);
        second.bodies[1].orientation = Quat::from_scaled_axis(Vec3::new(0.0, 0.0, 3.0));
        let mut sum = 0.0;
        for (k, size) in sizes.into_iter().enumerate() {
            let at = |s: &State, r: Vec3| s.bodies[k].position + s.bodies[k].orientation * r;
            sum += corners(size)
                .map(|r| 0.25 * (at(&first, r) - at(&second, r)).norm_squared())
                .sum::<f64>();
        }
        let expected = (sum / 4.0_f64).sqrt();
        let found = configuration_distance(&model, &first.bodies, &second.bodies);
        assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        // Rounding of a quaternion.
        assert!(configuration_distance(&model, &first.bodies, &first.bodies) < 1e-15);
    }
}
