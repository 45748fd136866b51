//! Islands take their own intervals: what one needs to hold a step, no other takes with it.

use crate::contact::touching::DOWN;
use crate::mechanics::bench::{settings, simulation};
use crate::mechanics::determinism::bits;
use crate::mechanics::mechanisms::Workshop;
use crate::mechanics::random::{close, equip, limit, tree};
use driftless::integrators::{CutPart, Fallback, StepError, StepReport};
use driftless::math::{Mat3, Quat, Vec3};
use driftless::model::{
    Attachment, Axes, BodyId, BodyState, Force, JointKind, Model, Signal, State,
};
use driftless::sim::{Input, Simulation};

const DT: f64 = 0.01;

/// A wheel on a hinge with the world, far from everything: at `spin` [rad/s] it asks for `2 DT spin` intervals, rounded
/// up to a power of two.
pub fn rotor(w: &mut Workshop, x: f64, spin: f64) -> BodyId {
    let at = Vec3::new(x, 50.0, 5.0);
    let rotor = w.body(1.0, Mat3::identity() * 0.004, at, Quat::identity());
    w.joint(JointKind::Revolute, None, rotor, at, Vec3::x());
    w.moving(rotor, Vec3::zeros(), Vec3::x() * spin);
    rotor
}

/// A simulation in steps of [`DT`].
pub fn started((model, state): (Model, State)) -> Simulation {
    simulation(&(model, state), "variational-2", settings(DT, 1e-10))
}

/// One step without input.
pub fn step(sim: &mut Simulation) -> Result<StepReport, StepError> {
    sim.step(&Input::default()).cloned()
}

/// The bits of some bodies.
pub fn body_bits(bodies: &[BodyState]) -> Vec<u64> {
    let mut state = State::at_rest(&Workshop::default().finish().0);
    state.bodies = bodies.to_vec();
    bits(&state)
}

/// A torque about the world's z axis [N·m].
pub fn throw_round(w: &mut Workshop, body: BodyId, torque: f64) {
    w.parts.forces.push(Force::Wrench {
        name: "push".into(),
        body,
        point: Vec3::zeros(),
        axes: Axes::World,
        force: [0.0; 3].map(Signal::Constant),
        torque: [0.0, 0.0, torque].map(Signal::Constant),
    });
}

/// Every step is cut for the rotor, and never for what stands beside it: random trees and loops with springs, dampers,
/// drives, limits and a cable, which go on as in a scene of their own to the last bit, and fail as there.
#[test]
fn an_island_moves_as_in_a_scene_of_its_own() {
    for seed in 0..6 {
        let mechanism = || {
            let mut w = tree(seed);
            if seed % 2 == 1 {
                close(&mut w);
            }
            equip(&mut w);
            // Trees that only the world holds together are islands each.
            for k in 1..w.parts.bodies.len() {
                let end = |body: usize| Attachment {
                    body: Some(BodyId(body)),
                    point: Vec3::zeros(),
                };
                w.parts.forces.push(Force::Spring {
                    name: format!("tie {k}"),
                    ends: [end(0), end(k)],
                    stiffness: 1.0,
                    rest: 0.0,
                    damping: 0.0,
                });
            }
            if seed > 2 {
                limit(&mut w);
            }
            w
        };
        let mut beside = mechanism();
        let wheel = rotor(&mut beside, 100.0, 250.0);
        let mut alone = started(mechanism().finish());
        let mut sim = started(beside.finish());
        let count = alone.state().bodies.len();
        let mut own = 0;
        for k in 0..200 {
            let [together, by_itself] = [&mut sim, &mut alone].map(step);
            let Ok(report) = by_itself else {
                assert_eq!(together.err(), by_itself.err(), "seed {seed}, step {k}");
                break;
            };
            let together = together.expect("it steps as alone");
            own += u32::from(report.substeps == 0);
            assert_eq!(
                together.substeps,
                report.substeps.max(32),
                "seed {seed}, step {k}"
            );
            if report.substeps < 32 {
                assert_eq!(
                    together.cut.map(|c| (c.body, c.part)),
                    Some((wheel, CutPart::All))
                );
            }
            let [a, b] = [&sim, &alone].map(|sim| sim.state());
            assert_eq!(
                body_bits(&a.bodies[..count]),
                body_bits(&b.bodies),
                "seed {seed}, step {k}"
            );
            assert_eq!(a.reactions[..b.reactions.len()], b.reactions[..]);
            assert_eq!(a.limits, b.limits);
        }
        assert!(own > 50, "seed {seed}: {own} steps were not cut");
    }
}

/// What a step costs is its factorisations: those of many islands are those of each, not of all in the intervals of the
/// fastest.
#[test]
fn many_that_spin_cost_what_each_costs_by_itself() {
    let spins = [60.0, 130.0, 250.0, 700.0, 3000.0];
    let cost = |spins: &[f64]| {
        let mut w = Workshop::new(DOWN);
        for (k, spin) in spins.iter().enumerate() {
            rotor(&mut w, 10.0 * k as f64, *spin);
        }
        let mut sim = started(w.finish());
        let reports = (0..20).map(|_| step(&mut sim).expect("it steps"));
        let costs = reports.map(|r| (r.factorisations, r.substeps));
        costs.fold((0, 0), |a, b| (a.0 + b.0, a.1.max(b.1)))
    };
    let alone = spins.map(|spin| cost(&[spin]));
    let together = cost(&spins);
    assert_eq!(alone.map(|c| c.1), [0, 16, 32, 64, 256]);
    assert_eq!(together.0, alone.iter().map(|c| c.0).sum::<u32>());
    assert_eq!(together.1, 256);
}

/// A spin that takes as many intervals as a step may have, and blocks at rest beside it that take one.
#[test]
fn blocks_at_rest_take_one_interval_beside_a_spin_that_takes_all() {
    let scene = |spin: f64| {
        let mut w = Workshop::touching(DOWN, 0.5, 0.0);
        w.floor();
        for k in 0..3 {
            let at = Vec3::new(f64::from(k), 0.0, 0.05);
            w.block(1.0, Vec3::repeat(0.1), at, Quat::identity());
        }
        rotor(&mut w, 100.0, spin);
        started(w.finish())
    };
    let mut sim = scene(200_000.0);
    let first = sim.sample().energy.total();
    for _ in 0..3 {
        let report = step(&mut sim).expect("it steps");
        assert_eq!(report.substeps, 4096);
        // A wheel takes few iterations in each interval; the blocks would take as many again in all of them.
        assert!(
            report.factorisations < 5 * 4096,
            "{}",
            report.factorisations
        );
    }
    let error = sim.sample().energy.total() - first;
    // The hinge is solved to 1e-10 of what it handles in each of 12,000 intervals.
    assert!(error.abs() < 1e-6 * first, "{error} J of {first} J");
    let error = step(&mut scene(210_000.0)).expect_err("it is too fast");
    assert!(
        matches!(error, StepError::TooFast { parts: 4096, .. }),
        "{error}"
    );
}

/// A rod at rest that a torque throws round so fast that no interval holds its first step, and a pendulum beside it that
/// takes every step in one: cut in two, its place would be another by a thousandth of its way.
#[test]
fn what_is_thrown_round_cuts_no_step_of_a_pendulum() {
    let pendulum = |w: &mut Workshop| {
        let at = Vec3::new(50.0, 0.0, 5.0);
        let rod = w.rod(1.0, at, at + Vec3::x());
        w.joint(JointKind::Revolute, None, rod, at, Vec3::y());
    };
    let mut alone = Workshop::new(DOWN);
    pendulum(&mut alone);
    let mut alone = started(alone.finish());
    let mut w = Workshop::new(DOWN);
    let rod = w.rod(1.0, Vec3::zeros(), Vec3::x());
    w.joint(JointKind::Revolute, None, rod, Vec3::zeros(), Vec3::z());
    throw_round(&mut w, rod, 2e4);
    pendulum(&mut w);
    let mut sim = started(w.finish());
    for k in 0..5 {
        let report = step(&mut sim).expect("it steps");
        assert_eq!(report.fallback, Fallback::Substeps, "step {k}");
        assert_eq!(report.cut.map(|c| c.body), Some(rod), "step {k}");
        let report = step(&mut alone).expect("it steps");
        assert_eq!(report.substeps, 0);
        let [a, b] = [&sim, &alone].map(|sim| sim.state().bodies.last().copied());
        let away = a
            .zip(b)
            .map_or(f64::NAN, |(a, b)| (a.position - b.position).norm());
        // Each is solved to 1e-10 of what it handles.
        assert!(away < 1e-9, "step {k}: {away} m");
    }
}
