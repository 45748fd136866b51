//! Random mechanisms with all kinds of joints, loops, couplings, springs, dampers, drives, limits and a cable make the same
//! motion as their likes, by every method that runs them.

use crate::mechanics::isometries::Isometry;
use crate::mechanics::likeness::{Difference, Likeness};
use crate::mechanics::mechanisms::Workshop;
use crate::mechanics::orders::Order;
use crate::mechanics::random::{close, couple, displace, equip, limit, set_going, tree};
use crate::mechanics::similar::Factors;
use crate::mechanics::similarity::open;
use crate::mechanics::switching::runs;
use driftless::kinematics;
use driftless::math::Vec3;
use driftless::scene::Scene;
use driftless::sim::Input;

const STEPS: usize = 30;

/// A scene with a random mechanism that moves as its joints allow; nothing is left of the one that it came from.
fn scene(seed: u64) -> Scene {
    let mut w: Workshop = tree(seed);
    if seed % 2 == 1 {
        close(&mut w);
    }
    if !seed.is_multiple_of(3) {
        equip(&mut w);
    }
    if seed % 4 > 1 {
        couple(&mut w);
    }
    if seed % 5 > 2 {
        limit(&mut w);
    }
    displace(&mut w, seed);
    set_going(&mut w, seed);
    let (model, mut state) = w.finish();
    let assembly = kinematics::assemble(&model, &mut state).expect("it is closed as built");
    Scene {
        model,
        state,
        assembly,
        name: format!("seed {seed}"),
        ..open("double_pendulum")
    }
}

/// Twenty mechanisms and their likes, by all methods. Steps are solved to 1e-10 of the forces; of motion, reactions and
/// work 3e-11 was the worst that was found in thirty of them, of unstable methods too, since that is short for growth.
fn compare(like: impl Fn(&Scene) -> Box<dyn Likeness>) {
    for seed in 0..20 {
        let mut scene = scene(seed);
        let likeness = like(&scene);
        for method in runs(&scene.model) {
            scene.integrator = method.name.into();
            let found = Difference::of(&scene, &*likeness, STEPS, &Input::default());
            println!("seed {seed}, {}: {found:?}", method.name);
            assert!(
                found.worst() <= 1e-8,
                "seed {seed}, {}: {found:?}",
                method.name
            );
        }
    }
}

#[test]
fn random_mechanisms_move_alike_at_any_size() {
    compare(|_| Box::new(Factors::new(1e-3, 1.0)));
    compare(|_| Box::new(Factors::new(1e3, 1.0)));
}

#[test]
fn random_mechanisms_move_alike_turned() {
    compare(|_| Box::new(Isometry::turn(Vec3::new(-1.1, 0.4, 1.7))));
}

#[test]
fn random_mechanisms_move_alike_mirrored() {
    compare(|_| Box::new(Isometry::mirror(Vec3::new(-0.2, 0.9, 0.6))));
}

#[test]
fn random_mechanisms_move_alike_in_another_order() {
    compare(|scene| Box::new(Order::new(&scene.model, 3)));
}
