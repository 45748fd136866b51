//! What makes time run, and which scene it runs in.

use super::{Binding, control, plain, shift, unbound};
use crate::app::actions::{Action, Side};
use crate::app::time::TimeWish;
use bevy::prelude::KeyCode as K;

/// The entries.
pub fn bindings() -> Vec<Binding> {
    vec![
        plain(
            "Run",
            K::Space,
            "Space",
            "play or pause",
            Action::TogglePlay,
        ),
        plain("Run", K::ArrowRight, "→", "one step", Action::Step(1)),
        shift(
            "Run",
            K::ArrowRight,
            "Shift + →",
            "ten steps",
            Action::Step(10),
        ),
        plain(
            "Time",
            K::ArrowLeft,
            "←",
            "one step back",
            Action::Time(TimeWish::By(-1)),
        ),
        shift(
            "Time",
            K::ArrowLeft,
            "Shift + ←",
            "ten steps back",
            Action::Time(TimeWish::By(-10)),
        ),
        shift(
            "Time",
            K::Space,
            "Shift + Space",
            "play backwards or pause",
            Action::Time(TimeWish::Backwards),
        ),
        control(
            "Time",
            K::ArrowLeft,
            "Ctrl + ←",
            "to the first moment",
            Action::Time(TimeWish::Start),
        ),
        control(
            "Time",
            K::ArrowRight,
            "Ctrl + →",
            "to the last moment",
            Action::Time(TimeWish::End),
        ),
        plain(
            "Time",
            K::KeyB,
            "B",
            "bookmark this moment",
            Action::Time(TimeWish::Bookmark),
        ),
        plain(
            "Time",
            K::PageUp,
            "Page up",
            "previous bookmark",
            Action::Time(TimeWish::Named(-1)),
        ),
        plain(
            "Time",
            K::PageDown,
            "Page down",
            "next bookmark",
            Action::Time(TimeWish::Named(1)),
        ),
        plain(
            "Run",
            K::Backspace,
            "Backspace",
            "start again from the first state",
            Action::Reset,
        ),
        plain("Run", K::Equal, "=", "faster", Action::ChangeSpeed(1)),
        plain("Run", K::Minus, "-", "slower", Action::ChangeSpeed(-1)),
        control(
            "Scenes",
            K::KeyO,
            "Ctrl + O",
            "open a file",
            Action::OpenDialog,
        ),
        control(
            "Scenes",
            K::KeyR,
            "Ctrl + R",
            "read the scene again",
            Action::Reload,
        ),
        plain(
            "Scenes",
            K::BracketRight,
            "]",
            "next scene",
            Action::Neighbour(1),
        ),
        plain(
            "Scenes",
            K::BracketLeft,
            "[",
            "previous scene",
            Action::Neighbour(-1),
        ),
        control(
            "Scenes",
            K::KeyK,
            "Ctrl + K",
            "find any action, scene or setting",
            Action::ToggleFinder,
        ),
        control(
            "Scenes",
            K::KeyG,
            "Ctrl + G",
            "gallery of scenes",
            Action::ToggleGallery,
        ),
        control(
            "Scenes",
            K::KeyL,
            "Ctrl + L",
            "list of scenes",
            Action::ToggleSide(Side::Scenes),
        ),
        unbound(
            "Scenes",
            "give up the scene that is being opened",
            Action::CancelOpening,
        ),
    ]
}
