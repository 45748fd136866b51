//! Where one looks from, and what is selected.

use super::{Binding, control, plain, shift, unbound};
use crate::app::actions::{Action, Axis, Side};
use bevy::prelude::KeyCode as K;

/// The entries.
pub fn bindings() -> Vec<Binding> {
    vec![
        plain(
            "Look",
            K::KeyF,
            "F",
            "frame the selection",
            Action::FrameSelection,
        ),
        plain(
            "Look",
            K::Home,
            "Home",
            "frame everything",
            Action::FrameAll,
        ),
        control(
            "Look",
            K::Digit1,
            "Ctrl + 1",
            "from the front",
            Action::Look(Axis::Front),
        ),
        control(
            "Look",
            K::Digit2,
            "Ctrl + 2",
            "from the side",
            Action::Look(Axis::Side),
        ),
        control(
            "Look",
            K::Digit3,
            "Ctrl + 3",
            "from above",
            Action::Look(Axis::Top),
        ),
        control(
            "Look",
            K::KeyB,
            "Ctrl + B",
            "keep this view",
            Action::KeepView,
        ),
        shift(
            "Look",
            K::KeyO,
            "Shift + O",
            "let the camera circle the scene",
            Action::ToggleTurning,
        ),
        plain(
            "Look",
            K::KeyU,
            "U",
            "let the camera follow the selected body",
            Action::ToggleFollowing,
        ),
        plain(
            "Select",
            K::KeyI,
            "I",
            "inspector",
            Action::ToggleSide(Side::Inspector),
        ),
        plain(
            "Select",
            K::Escape,
            "Esc",
            "close what is open over the view, clear selection and messages",
            Action::Dismiss,
        ),
        unbound(
            "Select",
            "clear the messages of the status line",
            Action::ClearNotices,
        ),
    ]
}
