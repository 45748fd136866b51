//! Which panels are open, and how large everything is drawn.

use crate::state::arrangement::Arrangement;
use crate::state::panels::{PANELS, PanelId};
use crate::theme::size;
use bevy::prelude::Resource;

/// Arrangement of the window.
#[derive(Resource, Debug, Clone, PartialEq)]
pub struct Workspace {
    /// Scale of the interface; 1 is the display's own.
    pub scale: f32,
    /// Whether anything but the view is shown.
    pub panels: bool,
    /// The panels that are open, the one that was brought forward last at the end.
    pub open: Vec<PanelId>,
    /// Where every panel is.
    pub arrangement: Arrangement,
    /// Where they are instead in a window that has no room for that; not kept.
    pub narrow: Arrangement,
    /// Whether it is so narrow.
    pub is_narrow: bool,
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

/// The panel that is in front of some: the one of those open that was brought forward last.
pub fn front(open: &[PanelId], tabs: &[PanelId]) -> Option<PanelId> {
    open.iter().rev().copied().find(|p| tabs.contains(p))
}

impl Default for Workspace {
    fn default() -> Self {
        Self {
            scale: 1.0,
            panels: true,
            open: first_open(),
            arrangement: Arrangement::default(),
            narrow: Arrangement::narrow(),
            is_narrow: false,
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

    /// Where every panel is in the window as it is.
    pub fn arranged(&self) -> &Arrangement {
        match self.is_narrow {
            true => &self.narrow,
            false => &self.arrangement,
        }
    }

    /// The same, to change it.
    pub fn arranged_mut(&mut self) -> &mut Arrangement {
        match self.is_narrow {
            true => &mut self.narrow,
            false => &mut self.arrangement,
        }
    }

    /// The panel that is in front of those behind whose tabs a panel is.
    pub fn in_front_of(&self, panel: PanelId) -> Option<PanelId> {
        front(&self.open, self.arranged().tabs_of(panel))
    }

    /// Whether a panel is open and no other is in front of it.
    pub fn is_seen(&self, panel: PanelId) -> bool {
        self.in_front_of(panel) == Some(panel)
    }

    /// Opens a panel where it was last, or brings it forward.
    pub fn open(&mut self, panel: PanelId) {
        self.close(panel);
        self.open.push(panel);
    }

    /// Closes a panel; its place is kept.
    pub fn close(&mut self, panel: PanelId) {
        self.open.retain(|p| *p != panel);
    }

    /// Opens a panel where it can be seen.
    pub fn show(&mut self, panel: PanelId) {
        self.gallery = false;
        self.panels = true;
        self.open(panel);
    }

    /// Opens a panel or brings it forward, or closes it if it can be seen. Behind the gallery it cannot.
    pub fn toggle(&mut self, panel: PanelId) {
        let covered = self.close_gallery();
        match self.is_seen(panel) && !covered {
            true => self.close(panel),
            false => self.open(panel),
        }
    }

    /// Every panel where it is at first, open or closed as at first, where it can be seen.
    pub fn reset_layout(&mut self) {
        self.gallery = false;
        self.panels = true;
        self.open = first_open();
        self.arrangement = Arrangement::default();
        self.narrow = Arrangement::narrow();
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
