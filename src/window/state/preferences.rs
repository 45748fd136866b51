//! What the window remembers of a person from one time to the next, beside what is shown anyway.

use crate::camera::motion::NamedView;
use crate::camera::orbit::Orbit;
use bevy::prelude::Resource;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Things remembered.
#[derive(Resource, Debug, Clone, PartialEq)]
pub struct Preferences {
    /// Whether keys that type a letter, a digit or a sign do anything.
    pub single_keys: bool,
    /// Whether a drag on a body pulls it without Ctrl.
    pub plain_pulls: bool,
    /// Whether the view is drawn in all its pixels also where the processor draws, however long that takes.
    pub full_resolution: bool,
    /// Whether the program begins with the gallery where no scene is named.
    pub gallery_at_start: bool,
    /// Width and height of the window [pixels].
    pub window: [u32; 2],
    /// What was done by the palette, newest first, by the names of its entries.
    pub done: Vec<String>,
    /// Views that were kept, by the name of their scene.
    pub views: BTreeMap<String, Vec<NamedView>>,
    /// Files opened before, newest first.
    pub recent: Vec<PathBuf>,
}

/// Most entries of the palette that are remembered.
const DONE: usize = 12;

/// Most files remembered.
const REMEMBERED: usize = 12;

/// Width and height of the window at first [pixels].
const WINDOW: [u32; 2] = [1280, 720];

impl Default for Preferences {
    fn default() -> Self {
        Self {
            single_keys: true,
            plain_pulls: false,
            full_resolution: false,
            gallery_at_start: true,
            window: WINDOW,
            done: Vec::new(),
            views: BTreeMap::new(),
            recent: Vec::new(),
        }
    }
}

impl Preferences {
    /// Remembers what was done by the palette.
    pub fn note(&mut self, name: &str) {
        self.done.retain(|n| n != name);
        self.done.insert(0, name.into());
        self.done.truncate(DONE);
    }

    /// Puts a file at the head of those that were opened.
    pub fn remember(&mut self, path: PathBuf) {
        let path = path.canonicalize().unwrap_or(path);
        self.recent.retain(|p| *p != path);
        self.recent.insert(0, path);
        self.recent.truncate(REMEMBERED);
    }

    /// Views of a scene that were kept.
    pub fn views(&self, scene: &str) -> &[NamedView] {
        self.views.get(scene).map_or(&[], Vec::as_slice)
    }

    /// Keeps a view of a scene, and says what it is called.
    pub fn keep_view(&mut self, scene: &str, orbit: &Orbit) -> String {
        let views = self.views.entry(scene.into()).or_default();
        let free = |k: &usize| !views.iter().any(|v| v.name == format!("View {k}"));
        let number = (1..).find(free).unwrap_or(views.len() + 1);
        let name = format!("View {number}");
        views.push(NamedView::new(name.clone(), orbit));
        name
    }

    /// Gives a view that was kept another name.
    pub fn rename_view(&mut self, scene: &str, place: usize, name: String) {
        let views = self.views.get_mut(scene);
        if let Some(view) = views.and_then(|v| v.get_mut(place)) {
            view.name = name;
        }
    }

    /// Forgets a view that was kept.
    pub fn forget_view(&mut self, scene: &str, place: usize) {
        let Some(views) = self.views.get_mut(scene) else {
            return;
        };
        if place < views.len() {
            views.remove(place);
        }
        if views.is_empty() {
            self.views.remove(scene);
        }
    }
}
