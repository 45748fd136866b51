//! Joint reactions in newtons against statics and centripetal forces.

use crate::mechanics::bench::{run, settings, simulation};
use crate::mechanics::mechanisms::{G, chain};
use driftless::integrators::REGISTRY;
use driftless::math::Vec3;
use driftless::model::JointId;

#[test]
fn a_hanging_chain_carries_the_weight_below_each_joint() {
    for info in REGISTRY {
        let mut sim = simulation(
            &chain(&[0.0; 5], &[0.0; 5]),
            info.name,
            settings(0.01, 1e-10),
        );
        run(&mut sim, 5);
        for k in 0..5 {
            let reaction = sim.reaction(JointId(k));
            let weight = Vec3::new(0.0, 0.0, (5 - k) as f64 * G);
            assert!(
                (reaction.force - weight).norm() < 1e-7,
                "{}: {reaction:?}",
                info.name
            );
            assert!(reaction.torque.norm() < 1e-7, "{}: {reaction:?}", info.name);
        }
    }
}

#[test]
fn a_swinging_rod_pulls_with_its_centripetal_force() {
    // Through the lowest point at 3 rad/s: tension m (g + ω² l/2). The reaction is the mean over a step near the
    // maximum of the tension. In its first step `variational` gives half the centripetal impulse only.
    for info in REGISTRY {
        let mut sim = simulation(&chain(&[0.0], &[3.0]), info.name, settings(1e-4, 1e-10));
        run(&mut sim, 2);
        let found = sim.reaction(JointId(0)).force.z;
        assert!((found - (G + 4.5)).abs() < 1e-4, "{}: {found}", info.name);
    }
}

/// A damper on the axis showed half its torque (`variational-2`) or all of it (`variational`) in the reaction of a joint
/// of the tree, and none in that of a joint that closes a loop or by the Runge-Kutta methods: 1.5 N·m here.
#[test]
fn what_acts_on_a_coordinate_is_no_part_of_the_reaction() {
    let (mut model, state) = chain(&[0.4], &[3.0]);
    model.joints[0].damping_rotation = 1.0;
    for info in REGISTRY.iter().filter(|i| i.supports.dissipation) {
        let mechanism = (model.clone(), state.clone());
        let mut sim = simulation(&mechanism, info.name, settings(1e-3, 1e-10));
        run(&mut sim, 3);
        let found = sim.reaction(JointId(0)).torque;
        // The joint carries some ten newtons; what is left is the tolerance of the step.
        assert!(found.x.abs() < 1e-8, "{}: {found:?}", info.name);
    }
}
