//! The interface as a part of the program that draws it.

use crate::ui::keyboard;
use bevy::asset::AssetEventSystems;
use bevy::prelude::*;
use bevy_egui::input::write_pointer_moved_and_button_messages_system;
use bevy_egui::{
    EguiGlobalSettings, EguiInputSet, EguiPlugin, EguiPostUpdateSet, EguiPreUpdateSet,
};

/// Draws what the systems of [`bevy_egui::EguiPrimaryContextPass`] show.
pub struct InterfacePlugin;

impl Plugin for InterfacePlugin {
    fn build(&self, app: &mut App) {
        // Textures are told of before assets are looked at: else a new glyph is drawn a frame too late, and the whole
        // interface is missing in a frame whose glyphs need a larger texture.
        app.add_plugins(EguiPlugin::default()).configure_sets(
            PostUpdate,
            EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems),
        );
        // Keys are read in their order, after the pointer: one that is typed in the frame of a click is for what was
        // clicked.
        let mut settings = app.world_mut().resource_mut::<EguiGlobalSettings>();
        settings
            .input_system_settings
            .run_write_keyboard_input_messages_system = false;
        app.add_systems(
            PreUpdate,
            keyboard::read
                .in_set(EguiPreUpdateSet::ProcessInput)
                .in_set(EguiInputSet::ReadBevyMessages)
                .after(write_pointer_moved_and_button_messages_system),
        );
    }
}
