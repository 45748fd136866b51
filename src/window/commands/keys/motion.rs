//! What makes time run, and which scene it runs in.

use crate::commands::Command;
use crate::commands::keys::{Binding, control, plain, shift, unbound};
use crate::commands::papers::PapersCommand;
use crate::commands::playback::PlaybackCommand;
use bevy::prelude::KeyCode as K;

/// The entries.
pub fn bindings() -> Vec<Binding> {
    vec![
        plain(
            "Run",
            K::Space,
            "Space",
            "play or pause",
            Command::TogglePlay,
        ),
        plain("Run", K::ArrowRight, "→", "one step", Command::Step(1)),
        shift(
            "Run",
            K::ArrowRight,
            "Shift + →",
            "ten steps",
            Command::Step(10),
        ),
        plain(
            "Time",
            K::ArrowLeft,
            "←",
            "one step back",
            Command::Time(PlaybackCommand::By(-1)),
        ),
        shift(
            "Time",
            K::ArrowLeft,
            "Shift + ←",
            "ten steps back",
            Command::Time(PlaybackCommand::By(-10)),
        ),
        shift(
            "Time",
            K::Space,
            "Shift + Space",
            "play backwards or pause",
            Command::Time(PlaybackCommand::Backwards),
        ),
        control(
            "Time",
            K::ArrowLeft,
            "Ctrl + ←",
            "to the first moment",
            Command::Time(PlaybackCommand::Start),
        ),
        control(
            "Time",
            K::ArrowRight,
            "Ctrl + →",
            "to the last moment",
            Command::Time(PlaybackCommand::End),
        ),
        plain(
            "Time",
            K::KeyB,
            "B",
            "bookmark this moment",
            Command::Time(PlaybackCommand::Bookmark),
        ),
        plain(
            "Time",
            K::PageUp,
            "Page up",
            "previous bookmark",
            Command::Time(PlaybackCommand::Named(-1)),
        ),
        plain(
            "Time",
            K::PageDown,
            "Page down",
            "next bookmark",
            Command::Time(PlaybackCommand::Named(1)),
        ),
        plain(
            "Run",
            K::Backspace,
            "Backspace",
            "start again from the first state",
            Command::Reset,
        ),
        plain("Run", K::Equal, "=", "faster", Command::ChangeSpeed(1)),
        plain("Run", K::Minus, "-", "slower", Command::ChangeSpeed(-1)),
        unbound(
            "Run",
            "contacts keep up with time, or are as exact as their laws ask",
            Command::ToggleContactBudget,
        ),
        control(
            "Scenes",
            K::KeyO,
            "Ctrl + O",
            "open a file",
            Command::OpenDialog,
        ),
        control(
            "Scenes",
            K::KeyR,
            "Ctrl + R",
            "read the scene again",
            Command::Reload,
        ),
        plain(
            "Scenes",
            K::BracketRight,
            "]",
            "next scene",
            Command::Neighbour(1),
        ),
        plain(
            "Scenes",
            K::BracketLeft,
            "[",
            "previous scene",
            Command::Neighbour(-1),
        ),
        control(
            "Scenes",
            K::KeyK,
            "Ctrl + K",
            "find any action, scene or setting",
            Command::ShowPalette,
        ),
        control(
            "Scenes",
            K::KeyG,
            "Ctrl + G",
            "gallery of scenes",
            Command::ToggleGallery,
        ),
        unbound(
            "Scenes",
            "figures and tables of papers, to be run and judged",
            Command::Papers(PapersCommand::Show),
        ),
        unbound(
            "Scenes",
            "give up the scene that is being opened",
            Command::CancelOpening,
        ),
    ]
}
