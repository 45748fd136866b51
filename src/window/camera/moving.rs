//! The camera while nobody moves it.

use crate::camera::view::{View, on_model_edited};
use crate::schedule::AppSet;
use bevy::prelude::*;

/// Moves the camera.
pub struct CameraPlugin;

impl Plugin for CameraPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, move_camera.in_set(AppSet::Camera))
            .add_observer(on_model_edited);
    }
}

fn move_camera(time: Res<Time<Real>>, mut view: ResMut<View>) {
    let View {
        orbit,
        poses,
        motion,
        floor,
        ..
    } = &mut *view;
    motion.advance(orbit, poses, time.delta_secs_f64());
    if let Some(floor) = *floor {
        orbit.keep_above(floor);
    }
}
