//! Accelerations against differences of the constraints alone: no row, bias or factorisation is trusted.

use super::acceleration::{Dynamics, Goal, Moment};
use crate::forces::{self, Wrench};
use crate::joints::{self, Placement};
use crate::math::Vec3;
use crate::model::specimen::{Numbers, moved, place, slope};
use crate::model::{
    BodyId, BodyState, Coupling, CouplingTerm, Input, JointId, JointKind, Model, Twist,
};
use nalgebra::{DMatrix, DVector};

/// A pair whose first body hangs on the world, with a coupling where the joint has two coordinates, and poses
/// at which everything holds.
fn specimen(kind: JointKind, seed: u64) -> (Model, Vec<BodyState>) {
    let mut numbers = Numbers(seed);
    let (mut parts, mut bodies) = numbers.pair(kind);
    parts.gravity = Vec3::new(0.3, -0.2, -9.0);
    parts
        .joints
        .push(numbers.joint("root", JointKind::Spherical, None, BodyId(0)));
    place(&parts.joints[1], &numbers.coordinates(), &mut bodies);
    let q = numbers.coordinates();
    place(&parts.joints[0], &q, &mut bodies);
    if kind.freedoms() >= 2 {
        let last = kind.freedoms() - 1;
        let term = |coordinate, factor| CouplingTerm {
            joint: JointId(0),
            coordinate,
            factor,
        };
        parts.couplings.push(Coupling {
            name: "screw".into(),
            terms: vec![term(0, 1.0), term(last, -0.7)],
            offset: q[0] - 0.7 * q[last],
            compliance: Default::default(),
        });
    }
    let model = Model::new(parts).expect("the specimen is a valid model");
    (model, bodies)
}

/// Values of all constraints.
fn constraints(model: &Model, bodies: &[BodyState]) -> Vec<f64> {
    let mut all = Vec::new();
    for joint in &model.joints {
        let mut g = [0.0; 6];
        joints::constraint(joint.kind, &Placement::of(joint, bodies), &mut g);
        all.extend_from_slice(&g[..joint.kind.constraints()]);
    }
    for coupling in &model.couplings {
        let value = |t: &CouplingTerm| {
            let joint = &model.joints[t.joint.0];
            let at = Placement::of(joint, bodies);
            t.factor * joints::coordinates(joint.kind, &at, [0.0; 2])[t.coordinate]
        };
        all.push(coupling.terms.iter().map(value).sum::<f64>() - coupling.offset);
    }
    all
}

/// Motions that keep the constraints to first order, as columns, by differences.
fn free_motions(model: &Model, bodies: &[BodyState]) -> DMatrix<f64> {
    let rows = model.equations();
    let gradient = DMatrix::from_fn(rows, 12, |i, k| {
        slope(bodies, k / 6, k % 6, 1e-5, |b| constraints(model, b)[i])
    });
    let eigen = (gradient.transpose() * gradient).symmetric_eigen();
    let kept: Vec<_> = (0..12)
        .filter(|&k| eigen.eigenvalues[k] < 1e-12)
        .map(|k| eigen.eigenvectors.column(k).into_owned())
        .collect();
    DMatrix::from_columns(&kept)
}

fn twists(v: &DVector<f64>) -> Vec<Twist> {
    let part = |k: usize| Vec3::new(v[k], v[k + 1], v[k + 2]);
    (0..2)
        .map(|b| Twist {
            linear: part(6 * b),
            angular: part(6 * b + 3),
        })
        .collect()
}

#[test]
fn accelerations_keep_the_constraints_and_forces_of_constraint_do_no_work() {
    for kind in JointKind::ALL {
        for seed in 0..10 {
            let (model, bodies) = specimen(kind, seed);
            let free = free_motions(&model, &bodies);
            // Rows of a joint that happen to repeat each other leave more freedom, never less.
            assert!(free.ncols() >= 12 - model.equations(), "{kind:?}");
            let mut numbers = Numbers(seed + 100);
            let v = &free * DVector::from_fn(free.ncols(), |_, _| numbers.unit());
            let twists = twists(&v);
            let mut dynamics = Dynamics::new(&model);
            let moment = Moment {
                bodies: &bodies,
                twists: &twists,
                angles: &[[0.0; 2]; 2],
                time: 0.0,
            };
            let left = dynamics.solve(&model, &moment, &Input::default(), 0.0);
            assert!(left < 1e-9, "{kind:?} seed {seed}: {left}");

            // The second difference of every constraint along the motion vanishes: h² times fourth derivatives
            // of order 1e3, rounding 1e-15/h².
            let h = 3e-4;
            let a = &dynamics.accelerations;
            let at = |t: f64| {
                let b: Vec<BodyState> = (0..2)
                    .map(|k| {
                        let path = |v: Vec3, a: Vec3| v * t + a * (0.5 * t * t);
                        moved(
                            &bodies[k],
                            path(twists[k].linear, a[k].linear),
                            path(twists[k].angular, a[k].angular),
                        )
                    })
                    .collect();
                constraints(&model, &b)
            };
            for (back, ahead) in at(-h).iter().zip(at(h)) {
                let second = (back + ahead) / (h * h);
                assert!(second.abs() < 1e-3, "{kind:?} seed {seed}: {second}");
            }

            // What is left of Newton's and Euler's laws is orthogonal to every free motion.
            let mut wrenches = vec![Wrench::default(); 2];
            let angles = [[0.0; 2]; 2];
            forces::knot_wrenches(
                &model,
                &bodies,
                &angles,
                0.0,
                &Input::default(),
                &forces::StiffSprings::default(),
                &mut wrenches,
            );
            let reaction = DVector::from_iterator(
                12,
                (0..2).flat_map(|k| {
                    let body = &model.bodies[k];
                    let turn = bodies[k].orientation.to_rotation_matrix();
                    let inertia = turn * body.inertia * turn.inverse();
                    let omega = twists[k].angular;
                    let force = a[k].linear * body.mass - wrenches[k].force;
                    let torque = inertia * a[k].angular + omega.cross(&(inertia * omega))
                        - wrenches[k].torque;
                    [force.x, force.y, force.z, torque.x, torque.y, torque.z]
                }),
            );
            // The free motions are known to the accuracy of their differences.
            let work = (free.transpose() * reaction).amax();
            assert!(work < 1e-6, "{kind:?} seed {seed}: {work}");
        }
    }
}

#[test]
fn stabilisation_pulls_an_open_joint_shut_at_its_rate() {
    // g'' = -2 a g' - a² g at rest is -a² g.
    let (model, mut bodies) = specimen(JointKind::Revolute, 3);
    bodies[1] = moved(
        &bodies[1],
        Vec3::new(1e-3, -2e-3, 5e-4),
        Vec3::new(2e-3, 1e-3, -1e-3),
    );
    let twists = [Twist::default(); 2];
    let moment = Moment {
        bodies: &bodies,
        twists: &twists,
        angles: &[[0.0; 2]; 2],
        time: 0.0,
    };
    let mut dynamics = Dynamics::new(&model);
    dynamics.solve(&model, &moment, &Input::default(), 30.0);
    let h = 1e-3;
    let at = |t: f64| {
        let b: Vec<BodyState> = (0..2)
            .map(|k| {
                let a = &dynamics.accelerations[k];
                let s = 0.5 * t * t;
                moved(&bodies[k], a.linear * s, a.angular * s)
            })
            .collect();
        constraints(&model, &b)
    };
    for (start, end) in at(0.0).iter().zip(at(h)) {
        let second = 2.0 * (end - start) / (h * h);
        // Truncation: h² times the square of accelerations of 20 /s².
        assert!((second + 900.0 * start).abs() < 1e-3, "{second} {start}");
    }
}

/// Masses times motions, world axes.
fn momenta(model: &Model, bodies: &[BodyState], motions: &[Twist]) -> DVector<f64> {
    let of = |k: usize| {
        let turn = bodies[k].orientation.to_rotation_matrix();
        let body = &model.bodies[k];
        let p = motions[k].linear * body.mass;
        let l = turn * (body.inertia * (turn.inverse() * motions[k].angular));
        [p.x, p.y, p.z, l.x, l.y, l.z]
    };
    DVector::from_iterator(12, (0..2).flat_map(of))
}

#[test]
fn projection_meets_the_constraints_by_the_least_change_weighted_by_mass() {
    for kind in JointKind::ALL {
        for seed in 0..10 {
            let (model, held) = specimen(kind, seed);
            let mut numbers = Numbers(seed + 200);
            let mut vector = |size: f64| Vec3::from_fn(|_, _| size * numbers.unit());
            let thrown: Vec<Twist> = (0..2)
                .map(|_| Twist {
                    linear: vector(1.0),
                    angular: vector(1.0),
                })
                .collect();
            let open: Vec<BodyState> = held
                .iter()
                .map(|b| moved(b, vector(1e-4), vector(1e-4)))
                .collect();
            let mut dynamics = Dynamics::new(&model);
            let mut corrected = |bodies: &[BodyState], goal| {
                let moment = Moment {
                    bodies,
                    twists: &thrown,
                    angles: &[[0.0; 2]; 2],
                    time: 0.0,
                };
                let missing = dynamics.missing(&model, &moment, goal);
                dynamics.correct();
                (missing, dynamics.accelerations.clone())
            };
            let known = format!("{kind:?} seed {seed}");

            // Velocities: no constraint changes along what is left, to the accuracy of differences of 1e-5; and the
            // change is no part of any free motion, whose energy it therefore leaves alone.
            let (missing, change) = corrected(&held, Goal::Velocities);
            let along = |h: f64| {
                let go = |k: usize| {
                    let v = thrown[k].linear + change[k].linear;
                    let w = thrown[k].angular + change[k].angular;
                    moved(&held[k], v * h, w * h)
                };
                constraints(&model, &[go(0), go(1)])
            };
            for (back, ahead) in along(-1e-5).iter().zip(along(1e-5)) {
                let rate = (ahead - back) / 2e-5;
                assert!(rate.abs() < 1e-7, "{known}: {rate} of {missing}");
            }
            let free = free_motions(&model, &held);
            let part = (free.transpose() * momenta(&model, &held, &change)).amax();
            assert!(part < 1e-6, "{known}: {part}");

            // Poses: what is open is left to second order, 1e-8 times curvatures of order 10, and the change is the
            // least to first order in it.
            let (missing, change) = corrected(&open, Goal::Positions);
            let go = |k: usize| moved(&open[k], change[k].linear, change[k].angular);
            let left = constraints(&model, &[go(0), go(1)]);
            let left = left.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
            assert!(left <= 1e-6, "{known}: {left} of {missing}");
            let part = (free.transpose() * momenta(&model, &open, &change)).amax();
            assert!(part < 1e-6, "{known}: {part}");
        }
    }
}
