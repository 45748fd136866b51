//! Which panels are open, and how large everything is drawn.

use crate::state::panels::{Dock, PANELS, PanelId};
use crate::theme::size;
use bevy::prelude::Resource;

/// Arrangement of the window.
#[derive(Resource, Debug, Clone, PartialEq)]
pub struct Workspace {
    /// Scale of the interface; 1 is the display's own.
    pub scale: f32,
    /// Whether anything but the view is shown.
    pub panels: bool,
    /// The panels that are open, at most one of each dock.
    pub open: Vec<PanelId>,
    /// Whether the help is shown.
    pub help: bool,
    /// Whether machine and frame rate are shown.
    pub info: bool,
    /// Whether the gallery is shown in the place of the view.
    pub gallery: bool,
    /// Whether the search for everything is open.
    pub palette: bool,
}

/// The panels that are open at first.
fn first_open() -> Vec<PanelId> {
    let open = PANELS.iter().filter(|row| row.open);
    open.map(|row| row.panel).collect()
}

impl Default for Workspace {
    fn default() -> Self {
        Self {
            scale: 1.0,
            panels: true,
            open: first_open(),
            help: false,
            info: false,
            gallery: false,
            palette: false,
        }
    }
}

impl Workspace {
    /// Whether a panel is open.
    pub fn is_open(&self, panel: PanelId) -> bool {
        self.open.contains(&panel)
    }

    /// The panel that a dock shows.
    pub fn docked(&self, dock: Dock) -> Option<PanelId> {
        let mut open = self.open.iter().copied();
        open.find(|p| p.info().dock == dock)
    }

    /// Opens a panel in the place of what its dock shows.
    pub fn open(&mut self, panel: PanelId) {
        self.open.retain(|p| p.info().dock != panel.info().dock);
        self.open.push(panel);
    }

    /// Closes a panel.
    pub fn close(&mut self, panel: PanelId) {
        self.open.retain(|p| *p != panel);
    }

    /// Opens a panel where it can be seen.
    pub fn show(&mut self, panel: PanelId) {
        self.gallery = false;
        self.panels = true;
        self.open(panel);
    }

    /// Opens a panel, or closes it if it can be seen. Behind the gallery it cannot.
    pub fn toggle(&mut self, panel: PanelId) {
        let covered = self.close_gallery();
        match self.is_open(panel) && !covered {
            true => self.close(panel),
            false => self.open(panel),
        }
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
