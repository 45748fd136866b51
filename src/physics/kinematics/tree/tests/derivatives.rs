//! Velocities, Jacobians and their rates against differences, and the work of generalised forces.

use super::{
    DIFFERENCES, H, ROUNDING, along, apart, between, bodies, coordinates, forest, moving,
    velocities,
};
use crate::forces::Wrench;
use crate::model::Twist;

#[test]
fn twists_and_jacobians_are_derivatives_of_the_poses() {
    for seed in 0..6 {
        let (_, tree, mut numbers) = forest(seed);
        let q = coordinates(&tree, &mut numbers);
        let v = velocities(&tree, &mut numbers);
        let motion = moving(&tree, &q, &v);
        let at = |direction: &[f64], s: f64| {
            bodies(
                &tree,
                &moving(&tree, &along(&tree, &q, direction, s), direction),
            )
        };
        let (behind, ahead) = (at(&v, -H), at(&v, H));
        let mut jacobian = vec![Twist::default(); tree.freedoms()];
        for (i, link) in tree.links().iter().enumerate() {
            let found = between(&behind[link.body], &ahead[link.body], 2.0 * H);
            assert!(apart(&found, motion.twist(i)) < DIFFERENCES, "seed {seed}");
            motion.jacobian(&tree, i, &mut jacobian);
            let sum = jacobian
                .iter()
                .zip(&v)
                .fold(Twist::default(), |s, (c, v)| Twist {
                    linear: s.linear + c.linear * *v,
                    angular: s.angular + c.angular * *v,
                });
            assert!(apart(&sum, motion.twist(i)) < ROUNDING, "seed {seed}");
        }
        for k in 0..tree.freedoms() {
            let mut unit = vec![0.0; tree.freedoms()];
            unit[k] = 1.0;
            let (behind, ahead) = (at(&unit, -H), at(&unit, H));
            let mut pushed = vec![Twist::default(); tree.links().len()];
            motion.push(&tree, &unit, &mut pushed);
            for (i, link) in tree.links().iter().enumerate() {
                let found = between(&behind[link.body], &ahead[link.body], 2.0 * H);
                motion.jacobian(&tree, i, &mut jacobian);
                assert!(apart(&found, &jacobian[k]) < DIFFERENCES, "seed {seed}");
                assert!(apart(&pushed[i], &jacobian[k]) < ROUNDING, "seed {seed}");
            }
        }
    }
}

#[test]
fn subspace_and_jacobian_rates_and_biases_are_derivatives_in_time() {
    for seed in 0..6 {
        let (_, tree, mut numbers) = forest(seed);
        let q = coordinates(&tree, &mut numbers);
        let v = velocities(&tree, &mut numbers);
        let motion = moving(&tree, &q, &v);
        let at = |s: f64| moving(&tree, &along(&tree, &q, &v, s), &v);
        let (behind, ahead) = (at(-H), at(H));
        let rate = |a: &Twist, b: &Twist| Twist {
            linear: (b.linear - a.linear) / (2.0 * H),
            angular: (b.angular - a.angular) / (2.0 * H),
        };
        assert_eq!(motion.column_rates().len(), tree.freedoms());
        for (k, claimed) in motion.column_rates().iter().enumerate() {
            let found = rate(&behind.columns()[k], &ahead.columns()[k]);
            assert!(
                apart(&found, claimed) < DIFFERENCES,
                "seed {seed} column {k}"
            );
        }
        let n = tree.freedoms();
        let (mut a, mut b, mut claimed) = (
            vec![Twist::default(); n],
            vec![Twist::default(); n],
            vec![Twist::default(); n],
        );
        let v_rate = velocities(&tree, &mut numbers);
        let mut accelerations = vec![Twist::default(); tree.links().len()];
        motion.accelerations(&tree, &v_rate, &mut accelerations);
        for i in 0..tree.links().len() {
            behind.jacobian(&tree, i, &mut a);
            ahead.jacobian(&tree, i, &mut b);
            motion.jacobian_rate(&tree, i, &mut claimed);
            let mut steady = Twist::default();
            for k in 0..n {
                let found = rate(&a[k], &b[k]);
                assert!(
                    apart(&found, &claimed[k]) < DIFFERENCES,
                    "seed {seed} link {i}"
                );
                steady.linear += claimed[k].linear * v[k];
                steady.angular += claimed[k].angular * v[k];
            }
            assert!(
                apart(&steady, motion.bias(i)) < ROUNDING,
                "seed {seed} link {i}"
            );
            let found = rate(behind.twist(i), ahead.twist(i));
            assert!(
                apart(&found, motion.bias(i)) < DIFFERENCES,
                "seed {seed} link {i}"
            );
            motion.jacobian(&tree, i, &mut a);
            for k in 0..n {
                steady.linear += a[k].linear * v_rate[k];
                steady.angular += a[k].angular * v_rate[k];
            }
            assert!(
                apart(&steady, &accelerations[i]) < ROUNDING,
                "seed {seed} link {i}"
            );
        }
    }
}

#[test]
fn generalised_forces_do_the_work_of_the_wrenches() {
    for seed in 0..20 {
        let (_, tree, mut numbers) = forest(seed);
        let q = coordinates(&tree, &mut numbers);
        let v = velocities(&tree, &mut numbers);
        let mut motion = moving(&tree, &q, &v);
        let wrenches: Vec<Wrench> = (0..tree.links().len())
            .map(|_| Wrench {
                force: numbers.vector(),
                torque: numbers.vector(),
            })
            .collect();
        let mut forces = vec![0.0; tree.freedoms()];
        motion.pull(&tree, &wrenches, &mut forces);
        let inside: f64 = forces.iter().zip(&v).map(|(f, v)| f * v).sum();
        let outside: f64 = wrenches
            .iter()
            .enumerate()
            .map(|(i, w)| {
                let twist = motion.twist(i);
                w.force.dot(&twist.linear) + w.torque.dot(&twist.angular)
            })
            .sum();
        // Sums of some hundred products of order 10.
        assert!(
            (inside - outside).abs() < 10.0 * ROUNDING,
            "{inside} {outside}"
        );
    }
}

#[test]
fn differences_undo_increments_and_tangents_are_their_derivatives() {
    for seed in 0..20 {
        let (_, tree, mut numbers) = forest(seed);
        let q = coordinates(&tree, &mut numbers);
        // Rotations below half a turn: |δ| < 1.7 √3 < π.
        let delta: Vec<f64> = (0..tree.freedoms()).map(|_| 1.7 * numbers.unit()).collect();
        let to = along(&tree, &q, &delta, 1.0);
        let mut back = vec![0.0; delta.len()];
        tree.difference(&q, &to, &mut back);
        for (a, b) in delta.iter().zip(&back) {
            assert!((a - b).abs() < ROUNDING, "seed {seed}: {a} {b}");
        }
        let direction = velocities(&tree, &mut numbers);
        let at = |s: f64| {
            let d: Vec<f64> = delta
                .iter()
                .zip(&direction)
                .map(|(d, v)| d + s * v)
                .collect();
            along(&tree, &q, &d, 1.0)
        };
        tree.difference(&at(-H), &at(H), &mut back);
        let mut claimed = direction.clone();
        tree.tangent(&delta, &mut claimed);
        for (found, claim) in back.iter().zip(&claimed) {
            assert!(
                (found / (2.0 * H) - claim).abs() < DIFFERENCES,
                "seed {seed}"
            );
        }
        tree.tangent_inverse(&delta, &mut claimed);
        for (a, b) in direction.iter().zip(&claimed) {
            assert!((a - b).abs() < ROUNDING, "seed {seed}: {a} {b}");
        }
    }
}

#[test]
fn generalised_momenta_and_their_rates_are_those_of_jacobians() {
    for seed in 0..10 {
        let (_, tree, mut numbers) = forest(seed);
        let q = coordinates(&tree, &mut numbers);
        let v = velocities(&tree, &mut numbers);
        let mut motion = moving(&tree, &q, &v);
        let [momenta, forces] = [(); 2].map(|()| -> Vec<Wrench> {
            let wrench = |_| Wrench {
                force: numbers.vector(),
                torque: numbers.vector(),
            };
            (0..tree.links().len()).map(wrench).collect()
        });
        let n = tree.freedoms();
        let (mut out, mut rates) = (vec![0.0; n], vec![0.0; n]);
        motion.pull_rates(&tree, [&momenta, &forces], [&mut out, &mut rates]);
        let (mut wanted, mut wanted_rates) = (vec![0.0; n], vec![0.0; n]);
        let mut jacobian = vec![Twist::default(); n];
        let power = |t: &Twist, f: &Wrench| t.linear.dot(&f.force) + t.angular.dot(&f.torque);
        for (i, (momentum, force)) in momenta.iter().zip(&forces).enumerate() {
            motion.jacobian(&tree, i, &mut jacobian);
            for k in 0..n {
                wanted[k] += power(&jacobian[k], momentum);
                wanted_rates[k] += power(&jacobian[k], force);
            }
            motion.jacobian_rate(&tree, i, &mut jacobian);
            for k in 0..n {
                wanted_rates[k] += power(&jacobian[k], momentum);
            }
        }
        let pairs = out
            .iter()
            .zip(&wanted)
            .chain(rates.iter().zip(&wanted_rates));
        for (found, wanted) in pairs {
            // Sums of some hundred products of order 10.
            assert!(
                (found - wanted).abs() < 100.0 * ROUNDING,
                "{found} {wanted}"
            );
        }
    }
}

#[test]
fn cotangents_are_transposed_tangents_and_their_rates_derivatives() {
    for seed in 0..20 {
        let (_, tree, mut numbers) = forest(seed);
        let delta: Vec<f64> = (0..tree.freedoms()).map(|_| 1.7 * numbers.unit()).collect();
        let [rate, other, momentum] = [(); 3].map(|()| velocities(&tree, &mut numbers));
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (mut pushed, mut pulled) = (other.clone(), momentum.clone());
        tree.tangent(&delta, &mut pushed);
        tree.cotangent(&delta, &mut pulled);
        let [one, two] = [dot(&pushed, &momentum), dot(&other, &pulled)];
        assert!((one - two).abs() < 10.0 * ROUNDING, "{one} {two}");
        let at = |s: f64| {
            let moved = delta.iter().zip(&rate).map(|(d, v)| d + s * v);
            let mut pulled = momentum.clone();
            tree.cotangent(&moved.collect::<Vec<f64>>(), &mut pulled);
            pulled
        };
        let (behind, ahead) = (at(-H), at(H));
        let mut claimed = vec![0.0; delta.len()];
        tree.add_cotangent_rate(&delta, &rate, &pulled, &mut claimed);
        for ((b, a), claim) in behind.iter().zip(&ahead).zip(&claimed) {
            let found = (a - b) / (2.0 * H);
            assert!(
                (found - claim).abs() < 10.0 * DIFFERENCES,
                "{found} {claim}"
            );
        }
    }
}
