//! The same input gives the same bits; a copy of the state is a complete snapshot.

use crate::mechanics::bench::{settings, simulation};
use crate::mechanics::benchmarks;
use crate::mechanics::mechanisms;
use driftless::integrators::{REGISTRY, refusal};
use driftless::math::Vec3;
use driftless::model::{BodyId, State, Work};
use driftless::sim::{Drag, DragGoal, Input};

/// A wandering mouse, or nothing for methods that refuse it.
fn input(step: u64, drags: bool) -> Input {
    let t = step as f64 * 0.01;
    let goal = DragGoal::Pull(Vec3::new(
        0.3 * (3.0 * t).sin(),
        (2.0 * t).cos(),
        -0.5 + 0.2 * t,
    ));
    let drag = Drag {
        body: BodyId(1),
        point: Vec3::new(0.05, 0.0, 0.2),
        goal,
    };
    Input {
        drag: (drags && step % 40 < 25).then_some(drag),
        ..Input::default()
    }
}

/// The bits of all that evolves.
pub fn bits(state: &State) -> Vec<u64> {
    let body = |b: &driftless::model::BodyState| {
        let mut all = Vec::new();
        all.extend(b.position.iter().map(|x| x.to_bits()));
        all.extend(b.orientation.coords.iter().map(|x| x.to_bits()));
        all.extend(b.velocity.linear.iter().map(|x| x.to_bits()));
        all.extend(b.velocity.angular.iter().map(|x| x.to_bits()));
        all.extend(b.momentum.iter().map(|x| x.to_bits()));
        all.extend(b.angular_momentum.iter().map(|x| x.to_bits()));
        all
    };
    let mut all: Vec<u64> = state.bodies.iter().flat_map(body).collect();
    for c in &state.contacts {
        all.extend([c.key.shapes, c.key.features, c.status as u64]);
        let vectors = [c.point, c.normal, c.force, c.slip];
        all.extend(vectors.iter().flatten().map(|x| x.to_bits()));
        all.extend([c.gap, c.rebound].map(f64::to_bits));
    }
    for s in &state.limits {
        all.extend([s.gap, s.force, s.rebound].map(f64::to_bits));
    }
    let Work {
        external,
        dissipated,
        impact,
        friction,
    } = state.work;
    all.extend([state.time, external, dissipated, impact, friction].map(f64::to_bits));
    all
}

#[test]
fn continuing_from_a_snapshot_gives_the_same_bits() {
    for info in REGISTRY {
        for mechanism in [
            mechanisms::chain(&[1.0, 0.5, -0.2], &[0.0, 1.0, 0.0]),
            benchmarks::bricard(),
        ] {
            if refusal(info, &mechanism.0).is_some() {
                continue;
            }
            let mut first = simulation(&mechanism, info.name, settings(0.01, 1e-10));
            let mut snapshot = first.state().clone();
            for step in 0..120 {
                if step == 50 {
                    snapshot = first.state().clone();
                }
                first
                    .step(&input(step, info.supports.dissipation))
                    .expect("the step succeeds");
            }
            let mut second = simulation(&mechanism, info.name, settings(0.01, 1e-10));
            // A workspace with another past must not matter.
            for step in 0..7 {
                second
                    .step(&input(step, info.supports.dissipation))
                    .expect("the step succeeds");
            }
            second.load(snapshot).expect("it is closed");
            for step in 50..120 {
                second
                    .step(&input(step, info.supports.dissipation))
                    .expect("the step succeeds");
            }
            assert_eq!(bits(first.state()), bits(second.state()), "{}", info.name);
        }
    }
}

#[test]
fn a_reset_simulation_repeats_itself() {
    for info in REGISTRY {
        let loops = benchmarks::bricard();
        let mechanism = match refusal(info, &loops.0) {
            None => loops,
            Some(_) => mechanisms::chain(&[1.0, 0.5, -0.2], &[0.0, 1.0, 0.0]),
        };
        let mut sim = simulation(&mechanism, info.name, settings(0.01, 1e-10));
        let mut ends = [0, 1].map(|_| {
            for step in 0..60 {
                sim.step(&input(step, info.supports.dissipation))
                    .expect("the step succeeds");
            }
            let end = bits(sim.state());
            sim.reset();
            end
        });
        let second = ends[1].split_off(0);
        assert_eq!(ends[0], second, "{}", info.name);
    }
}
