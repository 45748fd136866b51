//! What can be done, and by which keys: one table for keys, help, tooltips and the command palette.

mod compare;
mod edit;
mod motion;
mod view;
mod window;

use crate::commands::Command;
pub use crate::commands::keys::edit::{GROUNDED, LINKS};
use crate::state::layers::{LAYERS, LayerInfo};
use crate::state::panels::{PANELS, PanelInfo};
use crate::state::shortcut::Shortcut;
use bevy::prelude::KeyCode;
use std::sync::LazyLock;

/// Something that can be done, and the key with its modifiers that does it.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// Task under which the help lists it.
    pub task: &'static str,
    /// Key; none if it is done by the palette or a button alone.
    pub key: Option<KeyCode>,
    /// With Ctrl (Cmd on macOS).
    pub control: bool,
    /// With Shift.
    pub shift: bool,
    /// How it is written; empty without a key.
    pub label: &'static str,
    /// What it does, in words.
    pub meaning: &'static str,
    /// What it does.
    pub action: Command,
}

/// Mouse gestures for the help: task, gesture, meaning.
pub const GESTURES: [(&str, &str, &str); 12] = [
    (
        "Grab",
        "Ctrl + left drag",
        "pull the body under the pointer; add Shift for the horizontal plane",
    ),
    (
        "Grab",
        "Ctrl + right drag",
        "turn the body under the pointer (or Ctrl + Alt + left drag)",
    ),
    ("Look", "left drag", "orbit"),
    ("Look", "right or middle drag", "pan"),
    ("Look", "wheel", "zoom towards the pointer"),
    ("Select", "click", "select a body"),
    ("Select", "double click", "select a body and centre it"),
    (
        "Select",
        "point at a contact",
        "read its forces, while contacts are shown",
    ),
    (
        "Plots",
        "drag, wheel over a plot",
        "move and zoom the time axes; double click follows the time again",
    ),
    (
        "Time",
        "drag the bar or the times below a plot",
        "move through the past; in a plot, hold Shift and drag",
    ),
    ("Scenes", "drop a file", "open it"),
    (
        "Edit",
        "drag an arrow or ring",
        "move or turn the selected body; joints pull the rest along",
    ),
];

impl Binding {
    /// Whether it is a single key that types a letter, a digit or a sign.
    pub fn is_single(&self) -> bool {
        !self.control && self.key.is_some_and(types)
    }

    /// How its key is written, if it has one that works.
    pub fn shown(&self, single_keys: bool) -> Option<&'static str> {
        let works = self.key.is_some() && (single_keys || !self.is_single());
        works.then_some(self.label)
    }

    /// What it does, as the beginning of a sentence.
    pub fn title(&self) -> String {
        let mut rest = self.meaning.chars();
        let first = rest.next().map(|c| c.to_uppercase().to_string());
        first.unwrap_or_default() + rest.as_str()
    }
}

/// Whether a key types a letter, a digit or a sign: all but those that move, edit or have a function.
fn types(key: KeyCode) -> bool {
    use KeyCode as K;
    let moves = matches!(
        key,
        K::ArrowLeft
            | K::ArrowRight
            | K::ArrowUp
            | K::ArrowDown
            | K::Home
            | K::End
            | K::PageUp
            | K::PageDown
    );
    let edits = matches!(
        key,
        K::Space | K::Enter | K::Tab | K::Backspace | K::Delete | K::Insert | K::Escape
    );
    let functions = [
        K::F1,
        K::F2,
        K::F3,
        K::F4,
        K::F5,
        K::F6,
        K::F7,
        K::F8,
        K::F9,
        K::F10,
        K::F11,
        K::F12,
    ];
    !moves && !edits && !functions.contains(&key)
}

/// Everything in the table.
pub fn bindings() -> &'static [Binding] {
    static ALL: LazyLock<Vec<Binding>> = LazyLock::new(table);
    &ALL
}

fn table() -> Vec<Binding> {
    [
        motion::bindings(),
        view::bindings(),
        edit::bindings(),
        window::bindings(),
        layers(),
        panels(),
        compare::bindings(),
    ]
    .concat()
}

/// The keys of panels.
fn panels() -> Vec<Binding> {
    let binding = |row: &PanelInfo| {
        let asked = Command::TogglePanel(row.panel);
        match row.key {
            Some(key) => bound(row.task, key, row.words, asked),
            None => unbound(row.task, row.words, asked),
        }
    };
    PANELS.iter().map(binding).collect()
}

/// The keys of layers.
fn layers() -> Vec<Binding> {
    let binding = |row: &LayerInfo| {
        let asked = Command::ToggleLayer(row.layer);
        bound("Layers", row.key, row.words, asked)
    };
    LAYERS.iter().map(binding).collect()
}

/// Second keys of entries of the table.
pub fn second_keys() -> &'static [Binding] {
    static ALL: LazyLock<Vec<Binding>> = LazyLock::new(edit::second_keys);
    &ALL
}

/// A key by itself.
fn plain(
    task: &'static str,
    key: KeyCode,
    label: &'static str,
    meaning: &'static str,
    action: Command,
) -> Binding {
    bound(task, Shortcut::plain(key, label), meaning, action)
}

/// A key with Ctrl.
fn control(
    task: &'static str,
    key: KeyCode,
    label: &'static str,
    meaning: &'static str,
    action: Command,
) -> Binding {
    bound(task, Shortcut::control(key, label), meaning, action)
}

/// A key with Shift.
fn shift(
    task: &'static str,
    key: KeyCode,
    label: &'static str,
    meaning: &'static str,
    action: Command,
) -> Binding {
    bound(task, Shortcut::shift(key, label), meaning, action)
}

/// Something with a key.
fn bound(task: &'static str, by: Shortcut, meaning: &'static str, action: Command) -> Binding {
    Binding {
        key: Some(by.key),
        control: by.control,
        shift: by.shift,
        label: by.label,
        ..unbound(task, meaning, action)
    }
}

/// Something without a key.
fn unbound(task: &'static str, meaning: &'static str, action: Command) -> Binding {
    Binding {
        task,
        key: None,
        control: false,
        shift: false,
        label: "",
        meaning,
        action,
    }
}

/// What a key press asks for.
pub fn action(key: KeyCode, control: bool, shift: bool, single_keys: bool) -> Option<Command> {
    bindings()
        .iter()
        .chain(second_keys())
        .find(|b| b.key == Some(key) && b.control == control && b.shift == shift)
        .filter(|b| b.shown(single_keys).is_some())
        .map(|b| b.action.clone())
}

/// The entry for an action, if it has one.
pub fn binding(action: &Command) -> Option<&'static Binding> {
    bindings().iter().find(|b| b.action == *action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::layers::Layer;

    #[test]
    fn no_key_does_two_things_and_every_action_is_listed_once() {
        let all = bindings();
        for (k, a) in all.iter().enumerate() {
            let same = |b: &Binding| (a.key, a.control, a.shift) == (b.key, b.control, b.shift);
            let rest = &all[k + 1..];
            assert!(
                a.key.is_none() || !rest.iter().any(same),
                "{} is bound twice",
                a.label
            );
            assert!(
                !rest.iter().any(|b| b.action == a.action),
                "{} is listed twice",
                a.meaning
            );
            assert_eq!(a.key.is_none(), a.label.is_empty(), "{}", a.meaning);
        }
        for second in second_keys() {
            let same = |b: &&Binding| {
                (b.key, b.control, b.shift) == (second.key, second.control, second.shift)
            };
            assert_eq!(all.iter().chain(second_keys()).filter(same).count(), 1);
            assert!(binding(&second.action).is_some(), "{}", second.label);
        }
        let pressed = |key, control| action(key, control, false, true);
        assert_eq!(pressed(KeyCode::Space, false), Some(Command::TogglePlay));
        assert_eq!(pressed(KeyCode::Space, true), None);
        assert_eq!(binding(&Command::Reset).unwrap().label, "Backspace");
    }

    #[test]
    fn keys_that_type_can_be_turned_off_and_the_others_stay() {
        let off = |key, control, shift| action(key, control, shift, false);
        assert_eq!(off(KeyCode::KeyG, false, false), None);
        assert_eq!(off(KeyCode::Equal, false, false), None);
        assert_eq!(off(KeyCode::KeyF, false, true), None);
        assert_eq!(off(KeyCode::KeyK, true, false), Some(Command::ShowPalette));
        assert_eq!(
            off(KeyCode::ArrowRight, false, false),
            Some(Command::Step(1))
        );
        assert_eq!(off(KeyCode::F1, false, false), Some(Command::ToggleHelp));
        let grid = binding(&Command::ToggleLayer(Layer::Grid)).unwrap();
        assert_eq!((grid.shown(true), grid.shown(false)), (Some("G"), None));
        assert_eq!(grid.title(), "Floor and grid");
    }
}
