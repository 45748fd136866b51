//! Views of the open scene that are kept, and the camera while nobody moves it.

use crate::camera::motion::NamedView;
use crate::camera::orbit::Orbit;
use crate::camera::path::CameraMove;
use crate::camera::view::View;
use crate::schedule::AppSet;
use crate::state::shell::Shell;
use bevy::prelude::*;

/// Moves the camera.
pub struct ViewsPlugin;

impl Plugin for ViewsPlugin {
    fn build(&self, app: &mut App) {
        let after = AppSet::Apply;
        app.add_systems(Update, move_camera.after(after).before(AppSet::Draw));
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

impl Shell {
    /// Views of the open scene that were kept.
    pub fn views(&self) -> &[NamedView] {
        self.preferences
            .views
            .get(&self.scene)
            .map_or(&[], Vec::as_slice)
    }

    /// Keeps a view of the open scene, through which the camera of a film goes from now on.
    pub fn keep_view(&mut self, orbit: &Orbit) {
        let views = self
            .preferences
            .views
            .entry(self.scene.clone())
            .or_default();
        let free = |k: &usize| !views.iter().any(|v| v.name == format!("View {k}"));
        let number = (1..).find(free).unwrap_or(views.len() + 1);
        views.push(NamedView::new(format!("View {number}"), orbit));
        self.film_through_views();
    }

    /// Gives a view that was kept another name.
    pub fn rename_view(&mut self, place: usize, name: String) {
        let views = self.preferences.views.get_mut(&self.scene);
        if let Some(view) = views.and_then(|v| v.get_mut(place)) {
            view.name = name;
        }
    }

    /// Forgets a view that was kept.
    pub fn forget_view(&mut self, place: usize) {
        if let Some(views) = self.preferences.views.get_mut(&self.scene)
            && place < views.len()
        {
            views.remove(place);
            if views.is_empty() {
                self.preferences.views.remove(&self.scene);
            }
        }
        if matches!(self.recording.camera, CameraMove::Through(_)) {
            self.film_through_views();
        }
    }

    /// Leads the camera of films through all views of the scene that were kept.
    pub fn film_through_views(&mut self) {
        let views: Vec<Orbit> = self.views().iter().map(NamedView::orbit).collect();
        self.recording.camera = if views.is_empty() {
            CameraMove::Scene
        } else {
            CameraMove::Through(views)
        };
    }
}
