//! The scenes that a new one begins from, the empty one included.

use driftless::integrators::{REGISTRY, refusal};
use driftless::scene::{self, templates};
use driftless::sim::Input;

/// An empty scene has no scale that anything could be relative to.
#[test]
fn every_method_that_takes_a_template_steps_it() {
    for template in templates() {
        let scene = scene::open(template.name, &[]).unwrap_or_else(|e| panic!("{e}"));
        let mut taken = 0;
        for info in REGISTRY {
            if refusal(info, &scene.model).is_some() {
                continue;
            }
            let sets = [("integrator.method".to_owned(), format!("{:?}", info.name))];
            let scene = scene::open(template.name, &sets).unwrap_or_else(|e| panic!("{e}"));
            let mut simulation = scene.simulation().expect("it starts");
            for _ in 0..20 {
                let step = simulation.step(&Input::default());
                step.unwrap_or_else(|e| panic!("{} by {}: {e}", template.name, info.name));
            }
            let sample = simulation.sample();
            assert!(sample.energy_error.is_finite() && sample.drift_position.is_finite());
            taken += 1;
        }
        // With contact those that know it: the variational ones and the compliant one.
        assert!(taken >= 3, "{}", template.name);
    }
}

#[test]
fn templates_are_opened_by_name_and_have_other_names_than_the_shipped_scenes() {
    assert!(templates().iter().any(|t| t.name == "empty"));
    for template in templates() {
        assert!(!template.title.is_empty() && !template.description.is_empty());
        let shipped = scene::shipped().iter().any(|s| s.name == template.name);
        assert!(!shipped, "{}", template.name);
    }
    assert!(scene::open("empty", &[]).is_ok_and(|s| s.model.bodies.is_empty()));
}

#[test]
fn in_a_scene_without_anything_time_alone_passes_under_every_method() {
    for info in REGISTRY {
        let text = format!(
            "(version: 1, bodies: {{}}, integrator: (method: \"{}\"))",
            info.name
        );
        let scene = scene::from_text("nothing", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
        let mut simulation = scene
            .simulation()
            .unwrap_or_else(|e| panic!("{}: {e}", info.name));
        for _ in 0..10 {
            let step = simulation.step(&Input::default());
            step.unwrap_or_else(|e| panic!("{}: {e}", info.name));
        }
        // Ten steps of 0.01 s, added up.
        assert!(
            (simulation.state().time - 0.1).abs() < 1e-12,
            "{}",
            info.name
        );
        assert_eq!(simulation.sample().energy_error, 0.0);
    }
}
