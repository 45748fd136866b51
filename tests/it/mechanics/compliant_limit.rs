//! Where joints and contacts become stiff the compliant method goes over into the rigid ones.

use crate::contact::touching::DOWN;
use crate::mechanics::bench::{order, run, settings, simulation};
use crate::mechanics::compliant::{chain, compliant};
use crate::mechanics::mechanisms::Workshop;
use driftless::diagnostics::configuration_distance;
use driftless::math::Vec3;
use driftless::model::{Compliance, Model, State};
use driftless::scene;

fn undamped(stiffness: f64) -> Compliance {
    Compliance {
        stiffness,
        damping: 0.0,
    }
}

fn with_stiffness((model, state): &(Model, State), stiffness: f64) -> (Model, State) {
    let mut parts = model.parts();
    for joint in &mut parts.joints {
        joint.compliance = [undamped(stiffness); 2];
    }
    (Model::new(parts).expect("it is valid"), state.clone())
}

/// Joints open by their load over their stiffness: a hundred times as stiff, a hundredth as far from the rigid motion.
#[test]
fn joints_approach_rigid_ones_as_their_compliance_vanishes() {
    let mechanism = chain(3);
    let end = |mechanism: &(Model, State)| {
        let mut sim = compliant(mechanism, 1e-3, "");
        run(&mut sim, 300);
        sim.state().bodies.clone()
    };
    let rigid = end(&mechanism);
    let apart: Vec<f64> = [1e8, 1e10, 1e12]
        .map(|k| {
            let bodies = end(&with_stiffness(&mechanism, k));
            configuration_distance(&mechanism.0, &bodies, &rigid)
        })
        .into();
    assert!(apart[2] < 1e-9, "{apart:?}");
    for pair in apart.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((ratio - 100.0).abs() < 10.0, "{apart:?}");
    }
}

/// The same of what lands, slides and rolls: rigid surfaces are the limit of stiff ones.
#[test]
fn contacts_approach_rigid_ones_as_their_compliance_vanishes() {
    let end = |own: Compliance| {
        let mut w = Workshop::touching(DOWN, 0.3, 0.0);
        w.parts.contact.as_mut().expect("it has rules").materials[0].compliance = own.into();
        w.floor();
        let ball = w.ball(1.0, 0.1, Vec3::z() * 0.3);
        w.moving(ball, Vec3::x() * 2.0, Vec3::z() * 3.0);
        let mechanism = w.finish();
        let mut sim = compliant(&mechanism, 1e-3, "push_accuracy=1e-10");
        run(&mut sim, 600);
        (mechanism.0, sim.state().bodies.clone())
    };
    let (model, rigid) = end(Compliance::RIGID);
    let [soft, stiff] = [1e8, 1e12].map(|k| {
        let (_, bodies) = end(undamped(k));
        configuration_distance(&model, &bodies, &rigid)
    });
    assert!(stiff < 1e-8 && stiff < 0.1 * soft, "{soft:e} {stiff:e}");
}

/// Trees and loops of joints of 1e12 N/m: half the step is half as far from the rigid variational method at its own error, which
/// is of second order and a tenth of a percent of it.
#[test]
fn stiff_mechanisms_meet_the_rigid_method_as_the_step_decreases() {
    let scene = scene::open("four_bar", &[]).unwrap_or_else(|e| panic!("{e}"));
    for mechanism in [chain(3), (scene.model, scene.state)] {
        let stiff = with_stiffness(&mechanism, 1e12);
        let mut reference = simulation(&mechanism, "variational-2", settings(5e-5, 1e-12));
        run(&mut reference, 6000);
        let bodies = &reference.state().bodies;
        let errors: Vec<f64> = [300, 600, 1200]
            .map(|steps| {
                let mut sim = compliant(&stiff, 0.3 / steps as f64, "");
                run(&mut sim, steps);
                configuration_distance(&mechanism.0, &sim.state().bodies, bodies)
            })
            .into();
        let found = order(&errors);
        assert!((found - 1.0).abs() < 0.1, "{errors:?}, order {found}");
    }
}
