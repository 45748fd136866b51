//! Screw, gear and rack against their closed solutions, with every method that takes them.

use crate::mechanics::bench::{run, settings, simulation};
use crate::mechanics::mechanisms::{G, Workshop};
use driftless::integrators::REGISTRY;
use driftless::math::{Mat3, Quat, Vec3};
use driftless::model::{Coupling, CouplingTerm, JointId, JointKind, Model, State};

/// Time over which the mechanisms run [s] and the step [s].
const T: f64 = 0.5;
const DT: f64 = 1e-3;

fn term(joint: usize, coordinate: usize, factor: f64) -> CouplingTerm {
    CouplingTerm {
        joint: JointId(joint),
        coordinate,
        factor,
    }
}

fn couple(w: &mut Workshop, terms: Vec<CouplingTerm>) {
    w.parts.couplings.push(Coupling {
        name: format!("coupling_{}", w.parts.couplings.len()),
        terms,
        offset: 0.0,
        compliance: Default::default(),
    });
}

/// A nut of 2 kg and 0.3 kg·m² that falls down a screw of 0.4 m per radian.
fn screw() -> (Model, State) {
    let mut w = Workshop::new(Vec3::new(0.0, 0.0, -G));
    let nut = w.body(2.0, Mat3::identity() * 0.3, Vec3::zeros(), Quat::identity());
    w.joint(JointKind::Cylindrical, None, nut, Vec3::zeros(), Vec3::z());
    couple(&mut w, vec![term(0, 0, 1.0), term(0, 1, -0.4)]);
    w.finish()
}

/// A wheel of 0.2 kg·m² that drives a rack of 3 kg at 0.5 m through a second wheel of 0.1 kg·m² geared 1:-2;
/// gravity pulls the rack.
fn gear_and_rack() -> (Model, State) {
    let mut w = Workshop::new(Vec3::new(0.0, 0.0, -G));
    let inertia = Mat3::identity();
    let [a, b, c] = [(0.2, 0.0), (0.1, 1.0), (0.3, 2.0)]
        .map(|(i, x)| w.body(3.0, inertia * i, Vec3::new(x, 0.0, 0.0), Quat::identity()));
    w.joint(JointKind::Revolute, None, a, Vec3::zeros(), Vec3::y());
    w.joint(JointKind::Revolute, None, b, Vec3::x(), Vec3::y());
    w.joint(JointKind::Prismatic, None, c, Vec3::x() * 2.0, Vec3::z());
    couple(&mut w, vec![term(1, 0, 1.0), term(0, 0, 2.0)]);
    couple(&mut w, vec![term(2, 0, 1.0), term(1, 0, -0.5)]);
    w.finish()
}

#[test]
fn falling_loads_turn_what_they_are_geared_to() {
    // One degree of freedom each: load acceleration = g · m / (m + reflected inertia).
    let on_screw = -G * 2.0 / (2.0 + 0.3 / 0.4f64.powi(2));
    let on_rack = -G * 3.0 / (3.0 + (0.1 + 0.2 / 4.0) / 0.25);
    for info in REGISTRY.iter().filter(|i| i.supports.loops) {
        for (name, mechanism, load, acceleration) in [
            ("screw", screw(), 0, on_screw),
            ("gear and rack", gear_and_rack(), 2, on_rack),
        ] {
            let mut sim = simulation(&mechanism, info.name, settings(DT, 1e-10));
            run(&mut sim, (T / DT) as u64);
            let fallen = sim.state().bodies[load].position.z;
            // Uniform acceleration: first-order methods are off by a·T·dt/2 = 2.1e-3 m, Runge-Kutta methods by
            // nothing, second-order variational ones by the angle per step squared, 1e-5, of the way.
            let tolerance = match info.order {
                1 => 2.5e-3,
                2 if info.symplectic => 1e-5,
                _ => 1e-9,
            };
            let wanted = 0.5 * acceleration * T * T;
            println!("{name}, {}: {:.3e}", info.name, fallen - wanted);
            assert!((fallen - wanted).abs() < tolerance, "{name}, {}", info.name);
            // The relation holds over more than a turn.
            for coupling in &sim.model().couplings {
                let sum: f64 = coupling
                    .terms
                    .iter()
                    .map(|t| t.factor * sim.coordinates(t.joint)[t.coordinate])
                    .sum();
                assert!((sum - coupling.offset).abs() < 1e-9, "{name}: {sum}");
            }
        }
    }
}

#[test]
fn a_coupling_force_is_the_load_it_holds() {
    // The thread pushes the nut with m (a + g) along the screw.
    let acceleration = -G * 2.0 / (2.0 + 0.3 / 0.4f64.powi(2));
    for info in REGISTRY.iter().filter(|i| i.supports.loops) {
        let mut sim = simulation(&screw(), info.name, settings(DT, 1e-10));
        run(&mut sim, 10);
        let found = sim.state().coupling_forces[0];
        let wanted = 2.0 * (acceleration + G);
        assert!(
            (found - wanted).abs() < 1e-6 * wanted,
            "{}: {found} {wanted}",
            info.name
        );
    }
}
