//! Rows, coordinates and rates of every kind of joint against central differences.
//!
//! Tolerance of the differences: with a step h = 1e-5 the truncation is of order h² = 1e-10 times third
//! derivatives of order 10, the rounding 1e-16/h = 1e-11; 1e-8 is ten times their sum.

use super::*;
use crate::math::{Quat, Vec3};
use crate::model::specimen::{Numbers, at_rest, moved, place, placement, slope, state};
use crate::model::{BodyState, JointKind, Model, Twist};

const H: f64 = 1e-5;
const TOLERANCE: f64 = 1e-8;

/// Gradient that a row claims with respect to the motion of the parent (0) or the child (1).
fn gradient(row: &Row, at: &Placement, body: usize) -> [f64; 6] {
    let (sign, arm) = [(-1.0, at.reach()), (1.0, at.child_arm)][body];
    let moment = arm.cross(&row.force) + row.torque;
    std::array::from_fn(|k| sign * if k < 3 { row.force[k] } else { moment[k - 3] })
}

/// Both bodies anywhere: the joint does not hold.
fn apart(numbers: &mut Numbers, bodies: &mut [BodyState]) {
    for b in bodies {
        *b = moved(b, numbers.vector(), numbers.vector());
    }
}

#[test]
fn constraint_rows_are_gradients_on_and_off_the_constraint() {
    for kind in JointKind::ALL {
        for seed in 0..20 {
            let mut numbers = Numbers(seed);
            let (parts, mut bodies) = numbers.pair(kind);
            if seed % 2 == 1 {
                apart(&mut numbers, &mut bodies);
            }
            let at = placement(&parts, &bodies);
            let rows: Vec<Row> = constraint_rows(kind, &at).collect();
            assert_eq!(rows.len(), kind.constraints());
            for (i, row) in rows.iter().enumerate() {
                let value = |b: &[BodyState]| {
                    let mut g = [0.0; 6];
                    constraint(kind, &placement(&parts, b), &mut g);
                    g[i]
                };
                for body in 0..2 {
                    let claimed = gradient(row, &at, body);
                    for (k, claim) in claimed.iter().enumerate() {
                        let found = slope(&bodies, body, k, H, value);
                        assert!(
                            (found - claim).abs() < TOLERANCE,
                            "{kind:?} seed {seed} row {i} body {body} direction {k}: {found} {claim}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn constraints_vanish_and_coordinates_are_found_where_a_joint_holds() {
    for kind in JointKind::ALL {
        for seed in 0..20 {
            let mut numbers = Numbers(seed);
            let (parts, mut bodies) = numbers.pair(kind);
            let q = numbers.coordinates();
            crate::model::specimen::place(&parts.joints[0], &q, &mut bodies);
            let at = placement(&parts, &bodies);
            let mut g = [0.0; 6];
            constraint(kind, &at, &mut g);
            assert!(g.iter().all(|x| x.abs() < 1e-14 * 10.0), "{kind:?}: {g:?}");
            let found = coordinates(kind, &at, [0.0; 2]);
            for k in 0..kind.freedoms() {
                assert!(
                    (found[k] - q[k]).abs() < 1e-13,
                    "{kind:?} coordinate {k}: {} {}",
                    found[k],
                    q[k]
                );
            }
            let open = drift(kind, &at);
            assert!(open.position < 1e-13 && open.angle < 1e-13);
        }
    }
}

#[test]
fn coordinate_rows_are_gradients_where_a_joint_holds() {
    for kind in JointKind::ALL {
        for seed in 0..20 {
            let (parts, bodies) = Numbers(seed).pair(kind);
            let at = placement(&parts, &bodies);
            for i in 0..kind.freedoms() {
                let row = coordinate_row(kind, &at, i);
                let value = |b: &[BodyState]| coordinates(kind, &placement(&parts, b), [0.0; 2])[i];
                for body in 0..2 {
                    let claimed = gradient(&row, &at, body);
                    for (k, claim) in claimed.iter().enumerate() {
                        let found = slope(&bodies, body, k, H, value);
                        // An angle off its constraint is a matter of definition: compare only motions
                        // that respect the constraints, below; translations hold for every motion.
                        if i < kind.free_translations() || kind.constrained_rotations() == 0 {
                            assert!(
                                (found - claim).abs() < TOLERANCE,
                                "{kind:?} coordinate {i} body {body} direction {k}: {found} {claim}"
                            );
                        }
                    }
                }
            }
        }
    }
}

/// Poses of a pair moved along constant twists for a time `t`.
fn along(bodies: &[BodyState], twists: &[Twist; 2], t: f64) -> [BodyState; 2] {
    [0, 1].map(|k| moved(&bodies[k], twists[k].linear * t, twists[k].angular * t))
}

/// Twists of a pair that keep its joint closed to first order, with the given rates.
fn closed_twists(numbers: &mut Numbers, kind: JointKind, at: &Placement) -> [Twist; 2] {
    let parent = numbers.twist();
    let mut child = Twist {
        linear: Vec3::zeros(),
        angular: parent.angular,
    };
    let n = kind.free_translations();
    for k in n..kind.freedoms() {
        child.angular += rate_row(kind, at, k).torque * numbers.unit();
    }
    let slide: Vec3 = (0..n)
        .map(|k| rate_row(kind, at, k).force * numbers.unit())
        .sum();
    child.linear = parent.linear + parent.angular.cross(&at.reach()) + slide
        - child.angular.cross(&at.child_arm);
    [parent, child]
}

#[test]
fn rates_are_derivatives_of_coordinates_along_motions_that_keep_the_joint() {
    for kind in JointKind::ALL {
        for seed in 0..20 {
            let mut numbers = Numbers(seed);
            let (parts, bodies) = numbers.pair(kind);
            let at = placement(&parts, &bodies);
            let twists = closed_twists(&mut numbers, kind, &at);
            let claimed = rates(kind, &at, &twists[0], &twists[1]);
            let q = |t: f64| {
                let moved = along(&bodies, &twists, t);
                coordinates(kind, &placement(&parts, &moved), [0.0; 2])
            };
            let (ahead, behind) = (q(H), q(-H));
            let free = kind.constrained_rotations() == 0;
            for k in 0..kind.freedoms() {
                let found = (ahead[k] - behind[k]) / (2.0 * H);
                let row = coordinate_row(kind, &at, k);
                let by_row: f64 = [0, 1]
                    .iter()
                    .map(|&b| {
                        let g = gradient(&row, &at, b);
                        (0..3)
                            .map(|i| g[i] * twists[b].linear[i] + g[i + 3] * twists[b].angular[i])
                            .sum::<f64>()
                    })
                    .sum();
                assert!((found - by_row).abs() < TOLERANCE, "{kind:?} {k}");
                if !free || k < kind.free_translations() {
                    assert!(
                        (found - claimed[k]).abs() < TOLERANCE,
                        "{kind:?} rate {k}: {found} {}",
                        claimed[k]
                    );
                }
            }
        }
    }
}

#[test]
fn rates_are_what_rate_rows_do_work_at() {
    for kind in JointKind::ALL {
        let mut numbers = Numbers(7);
        let (parts, bodies) = numbers.pair(kind);
        let at = placement(&parts, &bodies);
        let twists = [numbers.twist(), numbers.twist()];
        let claimed = rates(kind, &at, &twists[0], &twists[1]);
        for (k, claim) in claimed.iter().enumerate().take(kind.freedoms()) {
            let row = rate_row(kind, &at, k);
            let power: f64 = [0, 1]
                .iter()
                .map(|&b| {
                    let g = gradient(&row, &at, b);
                    (0..3)
                        .map(|i| g[i] * twists[b].linear[i] + g[i + 3] * twists[b].angular[i])
                        .sum::<f64>()
                })
                .sum();
            // Rounding of a dozen products of order 1.
            assert!((power - claim).abs() < 1e-14 * 10.0, "{kind:?} {k}");
        }
    }
}

#[test]
fn angles_unwrap_over_several_turns_both_ways() {
    for (kind, axes) in [
        (JointKind::Revolute, 1),
        (JointKind::Cylindrical, 1),
        (JointKind::PlanarAxis, 1),
        (JointKind::Universal, 2),
    ] {
        let (parts, mut bodies) = Numbers(3).pair(kind);
        let n = kind.free_translations();
        let mut reference = [0.0; 2];
        let mut true_angle = [0.0; 2];
        for step in 0..400 {
            // Four turns forwards, then six back, in steps below half a turn.
            let direction = if step < 160 { 1.0 } else { -1.0 };
            let mut q = [0.0; 6];
            for (k, angle) in true_angle.iter_mut().enumerate().take(axes) {
                *angle += direction * 0.157 * (1.0 + k as f64);
                q[n + k] = *angle;
            }
            crate::model::specimen::place(&parts.joints[0], &q, &mut bodies);
            let at = placement(&parts, &bodies);
            reference = unwrapped_angles(kind, &at, reference);
            let read = coordinates(kind, &at, reference);
            for k in 0..axes {
                // Rounding of an angle of 50 rad.
                assert!((reference[k] - true_angle[k]).abs() < 1e-12, "{kind:?}");
                assert!((read[n + k] - true_angle[k]).abs() < 1e-12, "{kind:?}");
            }
        }
        assert!(true_angle[0] < -6.0 && true_angle[0].abs() > 2.0 * std::f64::consts::PI);
    }
}

#[test]
fn drift_measures_gap_and_misalignment() {
    let (parts, mut bodies) = Numbers(11).pair(JointKind::Revolute);
    let axis = placement(&parts, &bodies).parent_axis(0);
    let anchor = bodies[1].position + placement(&parts, &bodies).child_arm;
    // Tilt the child by 1 mrad about its anchor and pull it 2 mm away along the same axis.
    let turn = Quat::from_scaled_axis(axis * 1e-3);
    bodies[1].orientation = turn * bodies[1].orientation;
    bodies[1].position = anchor + turn * (bodies[1].position - anchor) + axis * 2e-3;
    let open = drift(JointKind::Revolute, &placement(&parts, &bodies));
    assert!((open.position - 2e-3).abs() < 1e-14, "{open:?}");
    assert!((open.angle - 1e-3).abs() < 1e-12, "{open:?}");
}

#[test]
fn a_joint_to_the_world_is_one_to_a_body_at_the_origin() {
    for kind in JointKind::ALL {
        let mut numbers = Numbers(13);
        let (mut parts, mut bodies) = numbers.pair(kind);
        bodies[0] = at_rest();
        apart(&mut numbers, &mut bodies[1..]);
        let body = placement(&parts, &bodies);
        parts.joints[0].parent = None;
        let world = placement(&parts, &bodies);
        // Rounding of sums of a few numbers of order 1.
        assert!((body.gap - world.gap).norm() < 1e-14, "{kind:?}");
        assert!((body.parent_arm - world.parent_arm).norm() < 1e-14);
        assert!((body.parent_axes - world.parent_axes).norm() < 1e-14);
    }
}

#[test]
fn angles_are_read_again_after_a_radian_and_not_before() {
    let (parts, mut bodies) = Numbers(3).pair(JointKind::Revolute);
    let joint = parts.joints[0].clone();
    let model = Model::new(parts).expect("the specimen is a valid model");
    place(&joint, &[0.0; 6], &mut bodies);
    let mut state = state(&model, &bodies);
    for step in 1..=50 {
        let angle = 0.3 * f64::from(step);
        place(&joint, &[angle, 0.0, 0.0, 0.0, 0.0, 0.0], &mut state.bodies);
        sweep(&model, &mut state, 0.3);
        // Every fourth of these steps comes to a radian.
        let read = 0.3 * f64::from(step / 4 * 4);
        assert!((state.angles[0][0] - read).abs() < 1e-12, "step {step}");
    }
}
