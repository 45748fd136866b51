//! What is drawn in three dimensions, in the window and in films.

pub mod backdrop;
pub mod bodies;
pub mod cables;
pub mod ground;
pub mod joints;
pub mod layers;
pub mod lighting;
pub mod mounts;
pub mod resolution;

use bevy::prelude::*;

/// All of it.
pub struct ScenePlugin;

impl Plugin for ScenePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((
            lighting::LightingPlugin,
            backdrop::BackdropPlugin,
            ground::GroundPlugin,
            bodies::BodiesPlugin,
            joints::JointsPlugin,
            cables::CablesPlugin,
            layers::LayersPlugin,
            resolution::ResolutionPlugin,
        ));
    }
}
