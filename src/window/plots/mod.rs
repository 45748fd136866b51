//! Plots over time and of quantities of one's choice.

pub mod by_method;
pub mod charts;
pub mod custom;
pub mod live_ui;
pub mod residuals;
pub mod store;

use crate::state::panels::PanelId;
use crate::ui::panels::AddPanel;
use bevy::prelude::World;

/// What the panel of this room draws.
pub fn add_panels(world: &mut World) {
    world.add_panel(PanelId::Quantities, custom::panel);
}
