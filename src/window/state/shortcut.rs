//! A key with its modifiers, as the tables of panels and layers have them.

use bevy::prelude::KeyCode;

/// A key that does something, with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortcut {
    /// The key.
    pub key: KeyCode,
    /// With Ctrl (Cmd on macOS).
    pub control: bool,
    /// With Shift.
    pub shift: bool,
    /// How it is written.
    pub label: &'static str,
}

impl Shortcut {
    /// A key by itself.
    pub const fn plain(key: KeyCode, label: &'static str) -> Self {
        Self {
            key,
            control: false,
            shift: false,
            label,
        }
    }

    /// A key with Ctrl.
    pub const fn control(key: KeyCode, label: &'static str) -> Self {
        Self {
            control: true,
            ..Self::plain(key, label)
        }
    }

    /// A key with Shift.
    pub const fn shift(key: KeyCode, label: &'static str) -> Self {
        Self {
            shift: true,
            ..Self::plain(key, label)
        }
    }
}
