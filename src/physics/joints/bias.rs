//! What constraints and coordinates accelerate by when no body accelerates: `Ġ v`, the part of `g̈ = G v̇ + Ġ v`
//! that is quadratic in the velocities. Methods on the acceleration level need it.

use super::coordinates::rotation_vector;
use super::placement::{Placement, free_translations, held_pairs, held_translations};
use crate::math::{Vec3, rotation};
use crate::model::{JointKind, Twist};

/// `ω × (ω × a)`: acceleration of a vector that turns at a steady `ω`.
fn centripetal(omega: &Vec3, a: &Vec3) -> Vec3 {
    omega.cross(&omega.cross(a))
}

/// `Ġ v` of the component of the gap along the parent's joint axis `k`.
fn gap_bias(at: &Placement, k: usize, parent: &Twist, child: &Twist) -> f64 {
    let t = at.parent_axis(k);
    let slip = child.linear + child.angular.cross(&at.child_arm)
        - parent.linear
        - parent.angular.cross(&at.parent_arm);
    centripetal(&parent.angular, &t).dot(&at.gap)
        + 2.0 * parent.angular.cross(&t).dot(&slip)
        + t.dot(
            &(centripetal(&child.angular, &at.child_arm)
                - centripetal(&parent.angular, &at.parent_arm)),
        )
}

/// `Ġ v` of the product of parent axis `p` and child axis `c`.
fn pair_bias(at: &Placement, (p, c): (usize, usize), parent: &Twist, child: &Twist) -> f64 {
    let (t, b) = (at.parent_axis(p), at.child_axis(c));
    centripetal(&parent.angular, &t).dot(&b)
        + 2.0 * parent.angular.cross(&t).dot(&child.angular.cross(&b))
        + t.dot(&centripetal(&child.angular, &b))
}

/// `Ġ v` of each constraint (m/s², rad/s²) in the order of [`constraint`](super::constraint), for the
/// velocities of the parent and the child.
pub fn constraint_bias(
    kind: JointKind,
    at: &Placement,
    parent: &Twist,
    child: &Twist,
) -> impl Iterator<Item = f64> {
    let translations = held_translations(kind)
        .iter()
        .map(|&k| gap_bias(at, k, parent, child));
    let rotations = held_pairs(kind)
        .iter()
        .map(|&pair| pair_bias(at, pair, parent, child));
    translations.chain(rotations)
}

/// `Ġ v` of one coordinate [m/s² or rad/s²] along motions that keep the joint closed, where `G` is
/// [`coordinate_row`](super::coordinate_row): couplings need it.
pub fn coordinate_bias(
    kind: JointKind,
    at: &Placement,
    coordinate: usize,
    parent: &Twist,
    child: &Twist,
) -> f64 {
    let free = free_translations(kind);
    if let Some(&k) = free.get(coordinate) {
        return gap_bias(at, k, parent, child);
    }
    let k = coordinate - free.len();
    match kind.constrained_rotations() {
        0 => {
            // φ̇ = J⁻¹ w with w the relative angular velocity in the parent's joint axes.
            let phi = rotation_vector(at);
            let spin = child.angular - parent.angular;
            let w = at.parent_axes.transpose() * spin;
            let w_rate = at.parent_axes.transpose() * spin.cross(&parent.angular);
            let inverse = rotation::left_jacobian_inverse(&phi);
            let phi_rate = inverse * w;
            (rotation::left_jacobian_inverse_rate(&phi, &phi_rate) * w + inverse * w_rate)[k]
        }
        // The rate is the relative angular velocity along an axis that itself turns with its body.
        1 if k == 1 => -child.angular.cross(&at.child_axis(0)).dot(&parent.angular),
        _ => parent.angular.cross(&at.parent_axis(2)).dot(&child.angular),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{constraint_rows, coordinate_row};
    use super::*;
    use crate::joints::Row;
    use crate::math::Quat;
    use crate::model::specimen::{Numbers, place, placement};
    use crate::model::{BodyState, Joint};

    /// Second differences: truncation h² times fourth derivatives of order 100, rounding 1e-15/h².
    const H: f64 = 3e-4;
    const TOLERANCE: f64 = 1e-4;

    /// Velocity and acceleration of a body from three poses `H` apart.
    fn motion([a, b, c]: [&BodyState; 3]) -> (Twist, Twist) {
        let step = |q: &BodyState| rotation::log(&(q.orientation * b.orientation.inverse()));
        let (back, ahead) = (step(a), step(c));
        let velocity = Twist {
            linear: (c.position - a.position) / (2.0 * H),
            angular: (ahead - back) / (2.0 * H),
        };
        let acceleration = Twist {
            linear: (c.position - b.position * 2.0 + a.position) / (H * H),
            angular: (ahead + back) / (H * H),
        };
        (velocity, acceleration)
    }

    /// Row times the accelerations of parent and child.
    fn product(row: &Row, at: &Placement, parent: &Twist, child: &Twist) -> f64 {
        let point = |t: &Twist, arm: &Vec3| t.linear + t.angular.cross(arm);
        row.force
            .dot(&(point(child, &at.child_arm) - point(parent, &at.reach())))
            + row.torque.dot(&(child.angular - parent.angular))
    }

    /// Poses at times -H, 0 and H of a pair whose parent moves freely and whose joint follows `q`.
    fn path(
        joint: &Joint,
        first: &[BodyState],
        speed: &Twist,
        q: impl Fn(f64) -> [f64; 6],
    ) -> [Vec<BodyState>; 3] {
        [-H, 0.0, H].map(|t| {
            let mut bodies = first.to_vec();
            bodies[0].position += speed.linear * t + speed.angular * (t * t);
            bodies[0].orientation =
                Quat::from_scaled_axis(speed.angular * t + speed.linear * t * t)
                    * bodies[0].orientation;
            place(joint, &q(t), &mut bodies);
            bodies
        })
    }

    #[test]
    fn accelerations_of_a_closed_joint_satisfy_its_rows() {
        for kind in JointKind::ALL {
            for seed in 0..20 {
                let mut numbers = Numbers(seed);
                let (parts, bodies) = numbers.pair(kind);
                let speed = numbers.twist();
                let (q0, q1, q2) = (
                    numbers.coordinates(),
                    numbers.coordinates(),
                    numbers.coordinates(),
                );
                let q = |t: f64| std::array::from_fn(|k| q0[k] + q1[k] * t + 0.5 * q2[k] * t * t);
                let poses = path(&parts.joints[0], &bodies, &speed, q);
                let at = placement(&parts, &poses[1]);
                let of = |b: usize| motion([0, 1, 2].map(|k| &poses[k][b]));
                let ((vp, ap), (vc, ac)) = (of(0), of(1));
                for (row, bias) in
                    constraint_rows(kind, &at).zip(constraint_bias(kind, &at, &vp, &vc))
                {
                    let total = product(&row, &at, &ap, &ac) + bias;
                    assert!(total.abs() < TOLERANCE, "{kind:?} seed {seed}: {total}");
                }
                for (k, wanted) in q2.iter().enumerate().take(kind.freedoms()) {
                    let row = coordinate_row(kind, &at, k);
                    let total =
                        product(&row, &at, &ap, &ac) + coordinate_bias(kind, &at, k, &vp, &vc);
                    assert!(
                        (total - wanted).abs() < TOLERANCE,
                        "{kind:?} seed {seed} coordinate {k}: {total} {wanted}"
                    );
                }
            }
        }
    }

    #[test]
    fn bias_of_an_open_joint_is_the_second_derivative_at_steady_velocities() {
        for kind in JointKind::ALL {
            let mut numbers = Numbers(4);
            let (parts, mut bodies) = numbers.pair(kind);
            bodies[1].position += numbers.vector();
            bodies[1].orientation = numbers.rotation() * bodies[1].orientation;
            let twists = [numbers.twist(), numbers.twist()];
            let g = |t: f64| {
                let moved: Vec<BodyState> = (0..2)
                    .map(|k| {
                        crate::model::specimen::moved(
                            &bodies[k],
                            twists[k].linear * t,
                            twists[k].angular * t,
                        )
                    })
                    .collect();
                let mut g = [0.0; 6];
                super::super::constraint(kind, &placement(&parts, &moved), &mut g);
                g
            };
            let (back, here, ahead) = (g(-H), g(0.0), g(H));
            let at = placement(&parts, &bodies);
            for (k, bias) in constraint_bias(kind, &at, &twists[0], &twists[1]).enumerate() {
                let found = (ahead[k] - 2.0 * here[k] + back[k]) / (H * H);
                assert!((found - bias).abs() < TOLERANCE, "{kind:?}: {found} {bias}");
            }
        }
    }
}
