//! The interface as a part of the program that draws it.

use bevy::asset::AssetEventSystems;
use bevy::prelude::*;
use bevy_egui::{EguiPlugin, EguiPostUpdateSet};

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
    }
}
