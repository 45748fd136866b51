//! The step by itself: against closed forms and against differences.

use crate::integrators::{Outcome, Settings};
use crate::math::{Mat3, Quat, Vec3};
use crate::model::*;
use crate::sim::Simulation;

fn frame(anchor: Vec3, z: Vec3) -> JointFrame {
    let (x, y) = crate::math::rotation::complete(&z);
    let m = nalgebra::Rotation3::from_matrix_unchecked(Mat3::from_columns(&[x, y, z]));
    JointFrame {
        anchor,
        orientation: Quat::from_rotation_matrix(&m),
    }
}

fn joint(
    name: &str,
    kind: JointKind,
    parent: Option<usize>,
    child: usize,
    a: Vec3,
    b: Vec3,
) -> Joint {
    Joint {
        name: name.into(),
        kind,
        parent: parent.map(BodyId),
        child: BodyId(child),
        parent_frame: frame(a, Vec3::y()),
        child_frame: frame(b, Vec3::y()),
        damping_translation: 0.0,
        damping_rotation: 0.0,
        springs: vec![],
        actuators: vec![],
        limits: vec![],
        compliance: Default::default(),
    }
}

/// A chain of thin rods along x from the origin, hanging on the world.
fn chain(n: usize, kind: JointKind) -> Simulation {
    let rod = |k: usize| {
        Body::new(
            format!("rod {k}"),
            1.0,
            Mat3::from_diagonal(&Vec3::new(1e-3, 1.0 / 12.0, 1.0 / 12.0)),
        )
    };
    let half = Vec3::new(0.5, 0.0, 0.0);
    let joints = (0..n)
        .map(|k| {
            let parent = k.checked_sub(1);
            joint(
                &format!("joint {k}"),
                kind,
                parent,
                k,
                if k == 0 { Vec3::zeros() } else { half },
                -half,
            )
        })
        .collect();
    let model = Model::new(ModelParts {
        bodies: (0..n).map(rod).collect(),
        joints,
        gravity: Vec3::new(0.0, 0.0, -9.81),
        ..ModelParts::default()
    })
    .unwrap();
    let mut state = State::at_rest(&model);
    for (k, body) in state.bodies.iter_mut().enumerate() {
        body.position.x = k as f64 + 0.5;
    }
    Simulation::new(model, state, "variational-2", Settings::default()).unwrap()
}

#[test]
fn chains_keep_energy_and_joints() {
    for (kind, n) in [
        (JointKind::Revolute, 1),
        (JointKind::Revolute, 5),
        (JointKind::Spherical, 5),
        (JointKind::Universal, 2),
    ] {
        let mut sim = chain(n, kind);
        let mut worst: f64 = 0.0;
        for _ in 0..200 {
            assert_eq!(
                sim.step(&Input::default()).unwrap().outcome,
                Outcome::Converged
            );
            let s = sim.sample();
            worst = worst.max(s.energy_error.abs());
            assert!(s.drift_position < 1e-9 && s.drift_angle < 1e-9);
        }
        // The energy error oscillates with dt² times the fourth power of the fastest rate; over these two seconds it
        // was measured at 0.003 J for one link, 0.16 J for five.
        assert!(worst < 0.04 * n as f64, "{kind:?} {n}: {worst}");
    }
}
