//! Where one looks from, and what is selected.

use crate::camera::view::Axis;
use crate::commands::Command;
use crate::commands::keys::{Binding, control, plain, shift, unbound};
use bevy::prelude::KeyCode as K;

/// The entries.
pub fn bindings() -> Vec<Binding> {
    vec![
        plain(
            "Look",
            K::KeyF,
            "F",
            "frame the selection",
            Command::FrameSelection,
        ),
        plain(
            "Look",
            K::Home,
            "Home",
            "frame everything",
            Command::FrameAll,
        ),
        shift(
            "Look",
            K::Home,
            "Shift + Home",
            "back to the scene's view",
            Command::SceneView,
        ),
        unbound(
            "Look",
            "let the camera go below the floor",
            Command::ToggleBelow,
        ),
        control(
            "Look",
            K::Digit1,
            "Ctrl + 1",
            "from the front",
            Command::Look(Axis::Front),
        ),
        control(
            "Look",
            K::Digit2,
            "Ctrl + 2",
            "from the side",
            Command::Look(Axis::Side),
        ),
        control(
            "Look",
            K::Digit3,
            "Ctrl + 3",
            "from above",
            Command::Look(Axis::Top),
        ),
        control(
            "Look",
            K::KeyB,
            "Ctrl + B",
            "keep this view",
            Command::KeepView,
        ),
        shift(
            "Look",
            K::KeyO,
            "Shift + O",
            "let the camera circle the scene",
            Command::ToggleTurning,
        ),
        plain(
            "Look",
            K::KeyU,
            "U",
            "let the camera follow the selected body",
            Command::ToggleFollowing,
        ),
        plain(
            "Select",
            K::Escape,
            "Esc",
            "close what is open over the view, clear selection and messages",
            Command::Dismiss,
        ),
        unbound(
            "Select",
            "clear the messages of the status line",
            Command::ClearNotices,
        ),
    ]
}
