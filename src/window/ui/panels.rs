//! What panels draw: a system of their own room for each, told to the window by the room.

use crate::commands::Command;
use crate::state::panels::{PANELS, PanelId};
use bevy::ecs::system::SystemId;
use bevy::prelude::*;
use bevy_egui::egui::Ui;

/// Draws a panel into its room of the window and gives back what was asked for in it.
type Draw = SystemId<InMut<'static, Ui>, Vec<Command>>;

/// What every panel draws, by the places of the table.
#[derive(Resource, Default)]
struct PanelSystems([Option<Draw>; PANELS.len()]);

/// Tells what a panel draws.
pub trait AddPanel {
    /// Takes the system that draws a panel, in the place of any before.
    fn add_panel<M>(
        &mut self,
        panel: PanelId,
        system: impl IntoSystem<InMut<'static, Ui>, Vec<Command>, M> + 'static,
    ) -> &mut Self;
}

impl AddPanel for World {
    fn add_panel<M>(
        &mut self,
        panel: PanelId,
        system: impl IntoSystem<InMut<'static, Ui>, Vec<Command>, M> + 'static,
    ) -> &mut Self {
        let id = self.register_system(system);
        let mut systems = self.get_resource_or_init::<PanelSystems>();
        systems.0[panel.place()] = Some(id);
        self
    }
}

/// Draws a panel. One that cannot be drawn says so in its place.
pub fn panel_ui(world: &mut World, panel: PanelId, ui: &mut Ui) -> Vec<Command> {
    let systems = world.get_resource::<PanelSystems>();
    let Some(id) = systems.and_then(|s| s.0[panel.place()]) else {
        ui.label(format!("Nothing draws {}.", panel.info().title));
        return Vec::new();
    };
    // Its parameters are resources that the window always has.
    world.run_system_with(id, ui).unwrap_or_else(|error| {
        bevy::log::error!("{}: {error}", panel.info().title);
        Vec::new()
    })
}
