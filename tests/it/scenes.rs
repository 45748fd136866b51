//! Shipped scenes: they load, their joints are closed, and they are the mechanisms that their comments name.

use driftless::diagnostics;
use driftless::scene::{self, Scene};

fn open(spec: &str) -> Scene {
    scene::open(spec, &[]).unwrap_or_else(|errors| panic!("{spec}:\n{errors}"))
}

#[test]
fn every_shipped_scene_loads_with_its_joints_closed_and_moving_together() {
    for shipped in scene::shipped() {
        let scene = open(shipped.name);
        assert!(!shipped.title.is_empty() && !shipped.description.is_empty());
        let drift = diagnostics::worst_drift(&scene.model, &scene.state);
        assert!(
            drift.position.0 < 1e-9 && drift.angle.0 < 1e-9,
            "{}: {drift:?}",
            shipped.name
        );
        let moved = &scene.assembly;
        // The files give more digits than this, so assembly has nothing left to do.
        assert!(
            moved.moved_position < 1e-9 && moved.moved_angle < 1e-9,
            "{}: {moved:?}",
            shipped.name
        );
        assert!(
            moved.changed_velocity < 1e-9 && moved.changed_angular_velocity < 1e-8,
            "{}: {moved:?}",
            shipped.name
        );
    }
}
