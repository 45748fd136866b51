//! Which panels are open, and how large everything is drawn.

use crate::state::panels::{Bench, Side};
use crate::theme::size;
use bevy::prelude::Resource;

/// Arrangement of the window.
#[derive(Resource, Debug, Clone, PartialEq)]
pub struct Workspace {
    /// Scale of the interface; 1 is the display's own.
    pub scale: f32,
    /// Whether anything but the view is shown.
    pub panels: bool,
    /// Whether the plots are shown.
    pub plots: bool,
    /// What the side panel shows.
    pub side: Option<Side>,
    /// What the panel below the view shows.
    pub bench: Option<Bench>,
    /// Whether the help is shown.
    pub help: bool,
    /// Whether machine and frame rate are shown.
    pub info: bool,
    /// Whether the gallery is shown in the place of the view.
    pub gallery: bool,
    /// Whether the search for everything is open.
    pub palette: bool,
}

impl Default for Workspace {
    fn default() -> Self {
        Self {
            scale: 1.0,
            panels: true,
            plots: true,
            side: None,
            bench: None,
            help: false,
            info: false,
            gallery: false,
            palette: false,
        }
    }
}

impl Workspace {
    /// Shows one of the panels below the view, or hides it if it is shown.
    pub fn toggle_bench(&mut self, bench: Bench) {
        self.bench = (self.bench != Some(bench)).then_some(bench);
    }

    /// Opens or closes the gallery.
    pub fn toggle_gallery(&mut self) {
        self.gallery = !self.gallery;
        self.panels |= self.gallery;
    }

    /// Closes the gallery; whether it was open.
    pub fn close_gallery(&mut self) -> bool {
        std::mem::take(&mut self.gallery)
    }

    /// Closes what lies over the view or stands beside it for a choice; false if nothing does.
    pub fn close_topmost(&mut self) -> bool {
        std::mem::take(&mut self.palette) || std::mem::take(&mut self.help) || self.close_gallery()
    }

    /// Makes the interface larger or smaller.
    pub fn rescale(&mut self, steps: i32) {
        let (least, most, step) = size::SCALE;
        self.scale = match steps {
            0 => 1.0,
            n => (self.scale + n as f32 * step).clamp(least, most),
        };
    }
}
