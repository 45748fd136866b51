//! Scenes: what is shipped loads, what is generated is what was asked for, what is wrong is said.

use driftless::scene;

#[test]
fn every_shipped_scene_loads() {
    for shipped in scene::shipped() {
        if let Err(errors) = scene::open(shipped.name, &[]) {
            panic!("{}:\n{errors}", shipped.name);
        }
    }
}
