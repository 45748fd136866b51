//! What is shown, kept and set.

use super::{Binding, control, plain, shift, unbound};
use crate::app::actions::{Action, Bench, Layer, Side};
use crate::app::camcorder::FilmWish;
use crate::app::time::TimeWish;
use bevy::prelude::KeyCode as K;

/// The entries.
pub fn bindings() -> Vec<Binding> {
    vec![
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
        plain("Show", K::F4, "F4", "plots", Action::TogglePlots),
        plain(
            "Show",
            K::F11,
            "F11",
            "full screen",
            Action::ToggleFullscreen,
        ),
        plain(
            "Layers",
            K::KeyG,
            "G",
            "floor and grid",
            Action::ToggleLayer(Layer::Grid),
        ),
        plain(
            "Layers",
            K::KeyH,
            "H",
            "shadows",
            Action::ToggleLayer(Layer::Shadows),
        ),
        plain(
            "Layers",
            K::KeyJ,
            "J",
            "joints",
            Action::ToggleLayer(Layer::Joints),
        ),
        plain(
            "Layers",
            K::KeyC,
            "C",
            "contact points",
            Action::ToggleLayer(Layer::ContactPoints),
        ),
        plain(
            "Layers",
            K::KeyN,
            "N",
            "contact normals",
            Action::ToggleLayer(Layer::ContactNormals),
        ),
        shift(
            "Layers",
            K::KeyF,
            "Shift + F",
            "contact forces",
            Action::ToggleLayer(Layer::ContactForces),
        ),
        shift(
            "Layers",
            K::KeyC,
            "Shift + C",
            "friction cones",
            Action::ToggleLayer(Layer::FrictionCones),
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
        unbound(
            "Show",
            "settings of physics, layers and interface",
            Action::ToggleSide(Side::Settings),
        ),
        unbound(
            "Keep",
            "videos and large pictures",
            Action::ToggleSide(Side::Record),
        ),
        unbound(
            "Settings",
            "single-letter keys on or off",
            Action::ToggleSingleKeys,
        ),
        unbound(
            "Settings",
            "gallery at the start on or off",
            Action::ToggleGalleryAtStart,
        ),
        unbound(
            "Settings",
            "reset all settings of the window",
            Action::ResetSettings,
        ),
        plain(
            "Show",
            K::F3,
            "F3",
            "profiler",
            Action::ToggleBench(Bench::Profiler),
        ),
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
            "Layers",
            K::KeyL,
            "L",
            "list of layers",
            Action::ToggleSide(Side::Layers),
        ),
        shift(
            "Layers",
            K::KeyB,
            "Shift + B",
            "axes of bodies",
            Action::ToggleLayer(Layer::BodyFrames),
        ),
        plain(
            "Layers",
            K::KeyO,
            "O",
            "centres of mass",
            Action::ToggleLayer(Layer::Centres),
        ),
        plain(
            "Layers",
            K::KeyE,
            "E",
            "inertia ellipsoids",
            Action::ToggleLayer(Layer::Inertia),
        ),
        plain(
            "Layers",
            K::KeyV,
            "V",
            "velocities",
            Action::ToggleLayer(Layer::Velocities),
        ),
        shift(
            "Layers",
            K::KeyV,
            "Shift + V",
            "momenta",
            Action::ToggleLayer(Layer::Momenta),
        ),
        shift(
            "Layers",
            K::KeyT,
            "Shift + T",
            "trails",
            Action::ToggleLayer(Layer::Trails),
        ),
        shift(
            "Layers",
            K::KeyN,
            "Shift + N",
            "names",
            Action::ToggleLayer(Layer::Names),
        ),
        shift(
            "Layers",
            K::KeyH,
            "Shift + H",
            "collision shapes",
            Action::ToggleLayer(Layer::CollisionShapes),
        ),
        shift(
            "Layers",
            K::KeyJ,
            "Shift + J",
            "axes of joints",
            Action::ToggleLayer(Layer::JointFrames),
        ),
        shift(
            "Layers",
            K::KeyR,
            "Shift + R",
            "reactions of joints",
            Action::ToggleLayer(Layer::Reactions),
        ),
        shift(
            "Layers",
            K::KeyG,
            "Shift + G",
            "joint errors, enlarged",
            Action::ToggleLayer(Layer::Violations),
        ),
    ]
}
