//! Layers of the view: their list, their legend, and names of bodies.

pub mod legend_ui;
pub mod list_ui;
pub mod names_ui;

use crate::state::panels::PanelId;
use crate::ui::panels::AddPanel;
use bevy::prelude::World;

/// What the panel of this room draws.
pub fn add_panels(world: &mut World) {
    world.add_panel(PanelId::Layers, list_ui::panel);
}
