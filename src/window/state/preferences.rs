//! What the window remembers of a person from one time to the next, beside what is shown anyway.

use crate::camera::motion::NamedView;
use crate::theme::size;
use std::collections::BTreeMap;

/// Things remembered.
#[derive(Debug, Clone, PartialEq)]
pub struct Preferences {
    /// Whether keys that type a letter, a digit or a sign do anything.
    pub single_keys: bool,
    /// Whether a drag on a body pulls it without Ctrl.
    pub plain_pulls: bool,
    /// Whether the program begins with the gallery where no scene is named.
    pub gallery_at_start: bool,
    /// Width of the side panel [points].
    pub side_width: f32,
    /// Width of the plots [points].
    pub plots_width: f32,
    /// Width and height of the window [pixels].
    pub window: [u32; 2],
    /// What was done by the palette, newest first, by the names of its entries.
    pub done: Vec<String>,
    /// Views that were kept, by the name of their scene.
    pub views: BTreeMap<String, Vec<NamedView>>,
}

/// Most entries of the palette that are remembered.
const DONE: usize = 12;

/// Width and height of the window at first [pixels].
const WINDOW: [u32; 2] = [1280, 720];

impl Default for Preferences {
    fn default() -> Self {
        Self {
            single_keys: true,
            plain_pulls: false,
            gallery_at_start: true,
            side_width: size::SIDE.0,
            plots_width: size::PLOTS.0,
            window: WINDOW,
            done: Vec::new(),
            views: BTreeMap::new(),
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
}
