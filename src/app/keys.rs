//! Keys and mouse gestures: one table for what they do and for the help that lists them.

use super::actions::{Action, Axis, Bench, Layer, Side};
use super::camcorder::FilmWish;
use super::time::TimeWish;
use bevy::prelude::KeyCode;

/// A key with its modifiers and what it does.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// Task under which the help lists it.
    pub task: &'static str,
    /// Key.
    pub key: KeyCode,
    /// With Ctrl (Cmd on macOS).
    pub control: bool,
    /// With Shift.
    pub shift: bool,
    /// How it is written.
    pub label: &'static str,
    /// What it does, in words.
    pub meaning: &'static str,
    /// What it does.
    pub action: Action,
}

/// Mouse gestures for the help: task, gesture, meaning.
pub const GESTURES: [(&str, &str, &str); 11] = [
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
];

/// Keys of the layers: key, with Shift, how it is written, what is drawn.
#[rustfmt::skip]
const LAYERS: [(KeyCode, bool, &str, &str, Layer); 18] = [
    (KeyCode::KeyG, false, "G", "floor and grid", Layer::Grid),
    (KeyCode::KeyH, false, "H", "shadows", Layer::Shadows),
    (KeyCode::KeyJ, false, "J", "joints", Layer::Joints),
    (KeyCode::KeyC, false, "C", "contact points", Layer::ContactPoints),
    (KeyCode::KeyN, false, "N", "contact normals", Layer::ContactNormals),
    (KeyCode::KeyF, true, "Shift + F", "contact forces", Layer::ContactForces),
    (KeyCode::KeyC, true, "Shift + C", "friction cones", Layer::FrictionCones),
    (KeyCode::KeyB, true, "Shift + B", "axes of bodies", Layer::BodyFrames),
    (KeyCode::KeyO, false, "O", "centres of mass", Layer::Centres),
    (KeyCode::KeyE, false, "E", "inertia ellipsoids", Layer::Inertia),
    (KeyCode::KeyV, false, "V", "velocities", Layer::Velocities),
    (KeyCode::KeyV, true, "Shift + V", "momenta", Layer::Momenta),
    (KeyCode::KeyT, true, "Shift + T", "trails", Layer::Trails),
    (KeyCode::KeyN, true, "Shift + N", "names", Layer::Names),
    (KeyCode::KeyH, true, "Shift + H", "collision shapes", Layer::CollisionShapes),
    (KeyCode::KeyJ, true, "Shift + J", "axes of joints", Layer::JointFrames),
    (KeyCode::KeyR, true, "Shift + R", "reactions of joints", Layer::Reactions),
    (KeyCode::KeyG, true, "Shift + G", "joint errors, enlarged", Layer::Violations),
];

/// All keys.
pub fn bindings() -> Vec<Binding> {
    use KeyCode as K;
    let plain = |task, key, label, meaning, action| Binding {
        task,
        key,
        control: false,
        shift: false,
        label,
        meaning,
        action,
    };
    let control = |task, key, label, meaning, action| Binding {
        control: true,
        ..plain(task, key, label, meaning, action)
    };
    let shift = |task, key, label, meaning, action| Binding {
        shift: true,
        ..plain(task, key, label, meaning, action)
    };
    let mut all = vec![
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
            "list of scenes",
            Action::ToggleSide(Side::Scenes),
        ),
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
            "clear the selection and messages",
            Action::Dismiss,
        ),
        plain(
            "Show",
            K::Tab,
            "Tab",
            "hide or show all panels",
            Action::TogglePanels,
        ),
        plain("Show", K::F1, "F1", "this help", Action::ToggleHelp),
        plain(
            "Show",
            K::F2,
            "F2",
            "machine and frame rate",
            Action::ToggleInfo,
        ),
        plain(
            "Show",
            K::F3,
            "F3",
            "profiler",
            Action::ToggleBench(Bench::Profiler),
        ),
        plain("Show", K::F4, "F4", "plots", Action::TogglePlots),
        plain(
            "Show",
            K::KeyP,
            "P",
            "plots that you build",
            Action::ToggleBench(Bench::Quantities),
        ),
        plain(
            "Show",
            K::KeyM,
            "M",
            "graph and matrix of the solver",
            Action::ToggleBench(Bench::Solver),
        ),
        plain(
            "Show",
            K::F11,
            "F11",
            "full screen",
            Action::ToggleFullscreen,
        ),
        plain(
            "Layers",
            K::KeyL,
            "L",
            "list of layers",
            Action::ToggleSide(Side::Layers),
        ),
        plain("Show", K::KeyT, "T", "light or dark", Action::ToggleTheme),
        control(
            "Show",
            K::Equal,
            "Ctrl + =",
            "larger interface",
            Action::Scale(1),
        ),
        control(
            "Show",
            K::Minus,
            "Ctrl + -",
            "smaller interface",
            Action::Scale(-1),
        ),
        control(
            "Show",
            K::Digit0,
            "Ctrl + 0",
            "usual size",
            Action::Scale(0),
        ),
        control(
            "Keep",
            K::KeyP,
            "Ctrl + P",
            "picture of the window (PNG)",
            Action::Screenshot(None),
        ),
        control(
            "Keep",
            K::KeyS,
            "Ctrl + S",
            "data of the plots (CSV)",
            Action::ExportCsv(None),
        ),
        Binding {
            shift: true,
            ..control(
                "Keep",
                K::KeyS,
                "Ctrl + Shift + S",
                "the run as a take",
                Action::Time(TimeWish::SaveTake(None)),
            )
        },
        Binding {
            shift: true,
            ..control(
                "Keep",
                K::KeyR,
                "Ctrl + Shift + R",
                "begin or end a video",
                Action::Film(FilmWish::Live),
            )
        },
        control("Keep", K::KeyQ, "Ctrl + Q", "quit", Action::Quit),
    ];
    let layers = LAYERS
        .iter()
        .map(|&(key, with_shift, label, meaning, layer)| {
            let action = Action::ToggleLayer(layer);
            Binding {
                shift: with_shift,
                ..plain("Layers", key, label, meaning, action)
            }
        });
    all.extend(layers);
    all
}

/// What a key press asks for.
pub fn action(key: KeyCode, control: bool, shift: bool) -> Option<Action> {
    bindings()
        .into_iter()
        .find(|b| b.key == key && b.control == control && b.shift == shift)
        .map(|b| b.action)
}

/// The key that does something, for the label shown on hover.
pub fn label(action: &Action) -> Option<&'static str> {
    bindings()
        .into_iter()
        .find(|b| b.action == *action)
        .map(|b| b.label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_does_two_things() {
        let all = bindings();
        for (k, a) in all.iter().enumerate() {
            let same = |b: &Binding| (a.key, a.control, a.shift) == (b.key, b.control, b.shift);
            assert!(!all[k + 1..].iter().any(same), "{} is bound twice", a.label);
        }
        assert_eq!(
            action(KeyCode::Space, false, false),
            Some(Action::TogglePlay)
        );
        assert_eq!(action(KeyCode::Space, true, false), None);
        assert_eq!(label(&Action::Reset), Some("Backspace"));
    }
}
