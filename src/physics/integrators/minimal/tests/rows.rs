//! Rows that the tree does not hold: gradients against differences, and the bordered solution against the system in full.

use super::super::border::Border;
use super::super::dense::Dense;
use super::*;
use crate::kinematics::ArticulatedBodies;
use crate::linalg::{lu, proximal::RHO};
use crate::model::{Coupling, CouplingTerm, JointId, JointLimit};
use crate::solver::WORLD;

const H: f64 = 1e-5;

/// A forest with joints more that close loops, a coupling across it, and a limit that is violated.
fn held(seed: u64) -> (Specimen, Equation) {
    let mut numbers = Numbers(seed);
    let kinds: Vec<JointKind> = JointKind::ALL.into_iter().chain(JointKind::ALL).collect();
    let mut parts = numbers.forest(&kinds);
    // Whatever trees the two are in, the last of these closes a loop.
    for (name, parent, child) in [
        ("tie", Some(1), 12),
        ("ground", None, 12),
        ("loop", None, 1),
    ] {
        let mut closing = parts.joints[3].clone();
        closing.name = name.into();
        closing.kind = JointKind::Universal;
        (closing.parent, closing.child) = (parent.map(BodyId), BodyId(child));
        parts.joints.push(closing);
    }
    let movable = |k: usize| parts.joints[k].kind.freedoms() > 0;
    let two: Vec<usize> = (0..kinds.len()).filter(|&k| movable(k)).take(2).collect();
    parts.couplings.push(Coupling {
        name: "coupling".into(),
        terms: [(two[0], 1.0), (two[1], -0.4)]
            .map(|(joint, factor)| CouplingTerm {
                joint: JointId(joint),
                coordinate: 0,
                factor,
            })
            .to_vec(),
        offset: 0.1,
        compliance: Default::default(),
    });
    parts.joints[two[1]].limits.push(JointLimit {
        coordinate: 0,
        lower: 30.0,
        upper: 40.0,
        restitution: 0.0,
        compliance: Default::default(),
    });
    let model = Model::new(parts).expect("the specimen is a valid model");
    let state = State::at_rest(&model);
    let mut s = Specimen {
        model,
        state,
        input: Input::default(),
        numbers,
    };
    s.place();
    let mut e = s.equation(MeanVelocity::Quaternion);
    if let Some(held) = &mut e.held {
        held.look(&s.context());
        held.take(&s.context());
    }
    (s, e)
}

/// The increment moved by `by` along velocity `k` of the group.
fn moved(e: &Equation, delta: &[f64], k: usize, by: f64) -> Vec<f64> {
    let mut step = vec![0.0; delta.len()];
    step[k] = by;
    e.tree.tangent_inverse(delta, &mut step);
    delta.iter().zip(&step).map(|(d, s)| d + s).collect()
}

/// Values of all rows at an increment: of loops and couplings, then velocities of limits.
fn values(s: &Specimen, e: &mut Equation, delta: &[f64]) -> Vec<f64> {
    e.advance(&s.context(), delta);
    let held = e.held.as_ref().expect("there are rows");
    let loops = held.rigid.iter().map(|row| -held.solver.asked(*row).0);
    loops
        .chain(held.solver.unilaterals().iter().map(|u| u.velocity[0]))
        .collect()
}

/// Gradients of the same by velocity, where `e` has been advanced to.
fn gradients(e: &Equation) -> Vec<Vec<f64>> {
    let (right, held) = (
        e.motion.jacobian(),
        e.held.as_ref().expect("there are rows"),
    );
    let row = |ends: Vec<(usize, Wrench)>| {
        let mut out = vec![0.0; e.tree.freedoms()];
        for (link, gradient) in ends {
            right.pull(&e.tree, link, &gradient, &mut out);
        }
        out
    };
    let rigid = held.rigid.iter().map(|at| {
        let supports = held.solver.supports(*at);
        row(supports
            .map(|(link, _, gradient)| (link, gradient))
            .collect())
    });
    let limits = held.solver.unilaterals().iter().map(|u| {
        let sides = u
            .links
            .iter()
            .zip(&u.gradient)
            .filter(|(l, _)| **l != WORLD);
        row(sides
            .map(|(&link, g)| {
                let [a, b, c, x, y, z] = g[0];
                let (force, torque) = ([a, b, c].into(), [x, y, z].into());
                (link, Wrench { force, torque })
            })
            .collect())
    });
    rigid.chain(limits).collect()
}

/// Central differences with a step of 1e-5: truncation 1e-10 times third derivatives, rounding 1e-15 · 10/1e-5; those of
/// limits are velocities, of lengths over the step of 0.02 s.
#[test]
fn gradients_of_rows_are_the_derivatives_of_their_values() {
    for seed in 0..6 {
        let (mut s, mut e) = held(seed);
        let delta = s.increment(&e, 0.05);
        values(&s, &mut e, &delta);
        e.motion.bend(&e.tree, &e.knot, &delta);
        let claimed = gradients(&e);
        assert!(claimed.len() >= 6, "a loop, a coupling, a limit");
        let size = largest(claimed.iter().flatten().copied());
        for k in 0..delta.len() {
            let [ahead, back] = [H, -H].map(|by| {
                let there = moved(&e, &delta, k, by);
                values(&s, &mut e, &there)
            });
            for (row, claim) in claimed.iter().enumerate() {
                let found = (ahead[row] - back[row]) / (2.0 * H);
                let error = (found - claim[k]).abs();
                assert!(
                    error < 1e-7 * size,
                    "seed {seed}, row {row} by {k}: {found} {}",
                    claim[k]
                );
            }
        }
    }
}

#[test]
fn the_bordered_solution_is_that_of_the_system_in_full() {
    for (seed, carried) in (0..6).flat_map(|seed| [(seed, false), (seed, true)]) {
        let (mut s, mut e) = held(seed);
        let delta = s.increment(&e, 0.02);
        e.evaluate(&s.context(), &delta);
        e.motion.bend(&e.tree, &e.knot, &delta);
        let (n, rows) = (delta.len(), gradients(&e));
        let sides = [Jacobian::from(&e.knot), e.motion.jacobian()];
        let mut factors = ArticulatedBodies::new(&e.tree);
        if carried {
            let closings = e.held.as_ref().expect("there are rows").closings();
            factors = ArticulatedBodies::closed(&e.tree, &closings);
            assert!(e.close(RHO, &mut factors));
        }
        factors.factor(&e.tree, sides, |i| e.slope(i, DT), &e.laws.diagonal);
        let mut x: Vec<f64> = e.residual.iter().map(|r| -r).collect();
        let mut border = Border::new(&s.model, &e, carried);
        let base = |x: &mut [f64]| factors.solve(&e.tree, x);
        border.solve(&e, sides, (RHO, true), base, &mut x);
        let y = border.changes().to_vec();
        assert_eq!(y.len(), rows.len());

        // The whole matrix, with what a unit impulse changes of the residual as its columns.
        let mut dense = Dense::new(&e.tree);
        dense.assemble(&e, DT);
        let m = n + y.len();
        let (mut whole, mut right) = (vec![0.0; m * m], vec![0.0; m]);
        for i in 0..n {
            whole[i * m..i * m + n].copy_from_slice(&dense.matrix[i * n..(i + 1) * n]);
            right[i] = -e.residual[i];
        }
        let residual = e.residual.clone();
        for (k, row) in rows.iter().enumerate() {
            let held = e.held.as_mut().expect("there are rows");
            let mut unit = vec![0.0; y.len()];
            unit[k] = 1.0;
            held.mark();
            held.change(&unit, 1.0);
            let (asked, free) = match held.rigid.get(k) {
                Some(at) => held.solver.asked(*at),
                None => (
                    -held.solver.unilaterals()[k - held.rigid.len()].velocity[0],
                    1.0,
                ),
            };
            e.evaluate(&s.context(), &delta);
            for i in 0..n {
                whole[i * m + n + k] = e.residual[i] - residual[i];
            }
            whole[(n + k) * m..(n + k) * m + n].copy_from_slice(row);
            whole[(n + k) * m + n + k] = RHO * free;
            right[n + k] = asked;
            e.held
                .as_mut()
                .expect("there are rows")
                .change(&vec![0.0; y.len()], 1.0);
        }
        let (mut order, mut oracle) = (vec![0; m], vec![0.0; m]);
        lu::factor(&mut whole, m, &mut order);
        lu::solve(&whole, m, &order, |k| right[k], &mut oracle);
        let size = largest(oracle.iter().copied());
        let found = x.iter().chain(&y);
        let apart = largest(found.zip(&oracle).map(|(a, b)| a - b));
        // The condition of the mass matrix and of the rows, some 1e6 together.
        assert!(apart < 1e-8 * size, "seed {seed}: {apart:e} of {size:e}");
    }
}
