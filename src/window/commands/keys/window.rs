//! What is shown, kept and set.

use crate::commands::Command;
use crate::commands::keys::{Binding, control, plain, unbound};
use crate::commands::playback::PlaybackCommand;
use crate::commands::record::RecordCommand;
use crate::state::look::ErrorAxis;
use bevy::prelude::KeyCode as K;

/// The entries.
pub fn bindings() -> Vec<Binding> {
    vec![
        plain(
            "Show",
            K::Tab,
            "Tab",
            "hide or show all panels",
            Command::TogglePanels,
        ),
        unbound(
            "Show",
            "reset the layout of the panels",
            Command::ResetLayout,
        ),
        plain("Show", K::F1, "F1", "this help", Command::ToggleHelp),
        plain(
            "Show",
            K::F2,
            "F2",
            "machine and frame rate",
            Command::ToggleInfo,
        ),
        plain(
            "Show",
            K::F11,
            "F11",
            "full screen",
            Command::ToggleFullscreen,
        ),
        plain("Show", K::KeyT, "T", "light or dark", Command::ToggleTheme),
        control(
            "Show",
            K::Equal,
            "Ctrl + =",
            "larger interface",
            Command::Scale(1),
        ),
        control(
            "Show",
            K::Minus,
            "Ctrl + -",
            "smaller interface",
            Command::Scale(-1),
        ),
        control(
            "Show",
            K::Digit0,
            "Ctrl + 0",
            "usual size",
            Command::Scale(0),
        ),
        control(
            "Keep",
            K::KeyP,
            "Ctrl + P",
            "picture of the window (PNG)",
            Command::Screenshot(None),
        ),
        control(
            "Keep",
            K::KeyE,
            "Ctrl + E",
            "data of the plots (CSV)",
            Command::ExportCsv(None),
        ),
        control(
            "Keep",
            K::KeyT,
            "Ctrl + T",
            "the run as a take",
            Command::Time(PlaybackCommand::SaveTake(None)),
        ),
        Binding {
            shift: true,
            ..control(
                "Keep",
                K::KeyR,
                "Ctrl + Shift + R",
                "record a video, or end it",
                Command::Film(RecordCommand::Live),
            )
        },
        unbound(
            "Keep",
            "record a video of the scene from its start",
            Command::Film(RecordCommand::FromStart),
        ),
        unbound(
            "Keep",
            "record a video of the run so far",
            Command::Film(RecordCommand::Past),
        ),
        unbound(
            "Keep",
            "a picture of the view (PNG)",
            Command::Film(RecordCommand::Still),
        ),
        control("Keep", K::KeyQ, "Ctrl + Q", "quit", Command::Quit),
        unbound(
            "Plots",
            "energy error in joules",
            Command::ErrorAxis(ErrorAxis::Absolute),
        ),
        unbound(
            "Plots",
            "energy error relative to the kinetic energy",
            Command::ErrorAxis(ErrorAxis::Relative),
        ),
        unbound(
            "Plots",
            "energy error by powers of ten",
            Command::ErrorAxis(ErrorAxis::Logarithmic),
        ),
        unbound(
            "Plots",
            "freeze the curve of the energy error",
            Command::FreezeError,
        ),
        unbound("Plots", "clear frozen curves", Command::ClearFrozen),
        unbound(
            "Settings",
            "single-letter keys on or off",
            Command::ToggleSingleKeys,
        ),
        unbound(
            "Settings",
            "dragging a body pulls it without Ctrl, on or off",
            Command::TogglePlainPulls,
        ),
        unbound(
            "Settings",
            "view in full resolution without a graphics card, on or off",
            Command::ToggleFullResolution,
        ),
        unbound(
            "Settings",
            "gallery at the start on or off",
            Command::ToggleGalleryAtStart,
        ),
        unbound(
            "Settings",
            "reset all settings of the window",
            Command::ResetSettings,
        ),
    ]
}
