//! Motions through waypoints as targets of drives: what they say, how they are written, what is wrong with them.

use crate::scenes::errors::errors;
use crate::scenes::files::read;
use driftless::integrators::{REGISTRY, Settings, refusal};
use driftless::scene::{self, Scene};
use driftless::sim::{Input, Simulation};

/// A rod on a stiff servo without gravity.
fn servo(target: &str) -> Scene {
    read(&format!(
        r#"(
    version: 1,
    gravity: (0, 0, 0),
    bodies: {{ "rod": (mass: 1, inertia: (0.1, 0.1, 0.1), centre: (0, 0, 0)) }},
    joints: {{
        "hinge": (
            kind: revolute, child: "rod", axis: (1, 0, 0),
            actuators: [(pd: (stiffness: 1000, damping: 20, target: {target}))],
        ),
    }},
)"#
    ))
}

#[test]
fn targets_are_motions_with_their_rates_which_every_method_follows() {
    for target in [
        "(constant_acceleration: [(0, 0), (0.5, \"90 deg\"), (0.8, 1)])",
        "(spline: [(0, 0), (0.3, 1.2), (0.5, \"90 deg\"), (0.8, 1)])",
    ] {
        let scene = servo(target);
        let pd = scene.model.joints[0].actuators[0]
            .pd
            .as_ref()
            .expect("it is given");
        assert_eq!(pd.wanted(-1.0), [0.0, 0.0]);
        assert_eq!(pd.wanted(2.0), [1.0, 0.0]);
        let written = read(&scene::write(&scene.file));
        assert!(written.file == scene.file && written.model == scene.model);
        let able = |i: &&driftless::integrators::IntegratorInfo| {
            refusal(i, &scene.model).is_none() && i.order > 1
        };
        for info in REGISTRY.iter().filter(able) {
            let settings = Settings {
                dt: 0.005,
                ..scene.settings
            }
            .taken_to(info);
            let (model, state) = (scene.model.clone(), scene.state.clone());
            let sim = Simulation::new(model, state, info.name, settings);
            let mut sim = sim.unwrap_or_else(|e| panic!("{}: {e}", info.name));
            for k in 1..=200 {
                sim.step(&Input::default())
                    .unwrap_or_else(|e| panic!("{}: {e}", info.name));
                let off = sim.coordinates(driftless::model::JointId(0))[0]
                    - pd.wanted(0.005 * f64::from(k))[0];
                // The servo's lag: inertia times acceleration over stiffness, 0.1 · 50 / 1000; without the rate of the target
                // it is 20 · 6 / 1000 beside that.
                assert!(off.abs() < 0.02, "{} {target} {k}: {off}", info.name);
            }
        }
    }
}

#[test]
fn wrong_motions_are_errors_at_their_place() {
    let with = |target: &str| {
        let drive = format!("damping: 0.1, actuators: [(pd: (stiffness: 1, target: {target}))]");
        let errors = errors(&[("damping: 0.1", &drive)]);
        assert_eq!(errors.len(), 1, "{errors:?}");
        errors[0].to_string()
    };
    for (target, parts) in [
        (
            "(spline: [(0, 1)])",
            ["pd.target", "at least two waypoints"],
        ),
        (
            "(constant_acceleration: [(0, 1), (0, 2)])",
            ["pd.target", "see point 1"],
        ),
        (
            "(splin: [(0, 1), (1, 2)])",
            ["`splin`", "constant_acceleration"],
        ),
        (
            "(spline: [(0, 1), (1, 2)], constant_acceleration: [])",
            ["beside spline", "one of them"],
        ),
    ] {
        let said = with(target);
        // The line of the joint in the base.
        for part in parts.into_iter().chain(["x.ron:14:"]) {
            assert!(said.contains(part), "{target}: {said}");
        }
    }
}
