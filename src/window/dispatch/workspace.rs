//! Commands about what is shown: panels, layers, theme, messages, and what is remembered of a person.

use crate::commands::Command;
use crate::editing::EditorState;
use crate::palette::PaletteState;
use crate::scenes::gallery::GalleryState;
use crate::session::Session;
use crate::settings;
use crate::state::highlight::Highlight;
use crate::state::look::Look;
use crate::state::notices::Notices;
use crate::state::panels::PanelId;
use crate::state::preferences::Preferences;
use crate::state::tool::Tool;
use crate::state::workspace::Workspace;
use bevy::prelude::*;

/// All settings as they are at first.
pub fn reset_settings(world: &mut World) {
    settings::reset(world);
    world
        .resource_mut::<Notices>()
        .hint("All settings are as at first. Recent files and kept views stay.");
}

/// Carries a command out.
pub fn run(
    In(command): In<Command>,
    mut session: ResMut<Session>,
    mut workspace: ResMut<Workspace>,
    mut look: ResMut<Look>,
    mut highlight: ResMut<Highlight>,
    mut tool: ResMut<Tool>,
    mut preferences: ResMut<Preferences>,
    mut notices: ResMut<Notices>,
    mut editor: ResMut<EditorState>,
    mut gallery: ResMut<GalleryState>,
    mut palette: ResMut<PaletteState>,
) {
    match command {
        Command::Select(selection) => {
            highlight.selection = selection;
            if selection.is_some() && workspace.in_front_of(PanelId::Inspector).is_none() {
                workspace.open(PanelId::Inspector);
            }
        }
        Command::ShowPanel(panel) => workspace.show(panel),
        Command::TogglePanel(panel) => workspace.toggle(panel),
        Command::ResetLayout => workspace.reset_layout(),
        Command::TogglePanels => {
            let covered = workspace.close_gallery();
            workspace.panels = covered || !workspace.panels;
        }
        Command::ToggleHelp => workspace.help = !workspace.help,
        Command::ToggleInfo => workspace.info = !workspace.info,
        Command::ToggleLayer(layer) => look.toggle(layer),
        Command::LayerStyle(layer, style) => *look.layers.style_mut(layer) = style,
        Command::BothForces(both) => look.layers.both = both,
        Command::TrailTime(seconds) => look.layers.fade = seconds,
        Command::TrailPoints(points) => look.layers.trails = points,
        Command::ToggleTheme => look.dark = !look.dark,
        Command::Scale(steps) => workspace.rescale(steps),
        Command::FollowTime => look.plot_view.follow = !look.plot_view.follow,
        Command::ErrorAxis(axis) => look.error_axis = axis,
        Command::FreezeError => look.freeze(&session),
        Command::ClearFrozen => look.frozen.clear(),
        Command::ToggleGallery => {
            workspace.toggle_gallery();
            *gallery = GalleryState::asked();
        }
        Command::ToggleGalleryAtStart => {
            preferences.gallery_at_start = !preferences.gallery_at_start;
        }
        Command::ShowPalette => {
            // A second press begins a new search: closing it would leave what is typed next to the single keys.
            workspace.palette = true;
            *palette = PaletteState::default();
        }
        Command::ToggleSingleKeys => preferences.single_keys = !preferences.single_keys,
        Command::ToggleFullResolution => {
            preferences.full_resolution = !preferences.full_resolution;
        }
        Command::TogglePlainPulls => preferences.plain_pulls = !preferences.plain_pulls,
        Command::ClearNotices => {
            *notices = Notices::default();
            editor.refused.clear();
            session.failure = None;
        }
        Command::Dismiss if workspace.close_topmost() => {}
        Command::Dismiss => {
            highlight.selection = None;
            *notices = Notices::default();
            editor.refused.clear();
            tool.mode = Default::default();
            session.failure = None;
        }
        // What belongs to another feature is carried out by it.
        _ => {}
    }
}
