//! Bodies that turn far in the step in which they hit something.

use super::knots::by_momenta;
use super::touching::watch;
use crate::mechanics::mechanisms::Workshop;
use crate::mechanics::random::Numbers;
use driftless::math::{Quat, Vec3};
use driftless::sim::Simulation;

const DT: f64 = 0.01;

/// Cubes that turn by up to a third of a radian a step hit a smooth floor with a corner. What is read there is what the impact leaves when it is
/// complete, a step later: surfaces have turned away by then, so that it may be nothing at all.
#[test]
fn what_is_read_at_a_hit_is_what_the_impact_leaves() {
    let (mut off, mut taken, mut hits) = (0.0, 0.0, 0);
    for seed in 0..100 {
        let mut numbers = Numbers(seed);
        let mut w = Workshop::touching(Vec3::zeros(), 0.0, 0.0);
        w.floor();
        let turn = Quat::from_scaled_axis(numbers.vector() * 3.0);
        let cube = w.block(1.0, Vec3::repeat(0.2), Vec3::z() * 0.3, turn);
        let down = Vec3::z() * (-2.0 + numbers.next());
        w.moving(cube, down, numbers.vector() * 20.0);
        let mut sim = w.simulation(DT);
        let mut read: Option<f64> = None;
        watch(&mut sim, 60, |sim| {
            let now = by_momenta(sim.model(), sim.state());
            let pushing = |s: &Simulation| {
                s.state()
                    .contacts
                    .iter()
                    .filter(|c| c.normal_force() > 0.0)
                    .count()
            };
            // Another corner is another hit.
            if let Some(read) = read.take()
                && !sim.state().contacts.iter().any(|c| c.hit)
            {
                off += (now - read).abs();
                hits += 1;
            }
            let contacts = &sim.state().contacts;
            if pushing(sim) == 1 && contacts.iter().any(|c| c.hit) {
                let energy = sim.energy().kinetic;
                taken += now - energy;
                read = Some(energy);
            }
        });
    }
    println!("{hits} hits, {off:e} of {taken:e} J");
    assert!(hits > 80, "{hits} hits");
    assert!(off < 2e-3 * taken, "{off} of {taken} J");
}
