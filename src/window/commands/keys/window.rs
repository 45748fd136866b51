//! What is shown, kept and set.

use crate::commands::Command;
use crate::commands::keys::{Binding, control, plain, shift, unbound};
use crate::commands::playback::PlaybackCommand;
use crate::commands::record::RecordCommand;
use crate::state::layers::Layer;
use crate::state::look::ErrorAxis;
use crate::state::panels::{Bench, Side};
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
        plain("Show", K::F1, "F1", "this help", Command::ToggleHelp),
        plain(
            "Show",
            K::F2,
            "F2",
            "machine and frame rate",
            Command::ToggleInfo,
        ),
        plain("Show", K::F4, "F4", "plots", Command::TogglePlots),
        plain(
            "Show",
            K::F11,
            "F11",
            "full screen",
            Command::ToggleFullscreen,
        ),
        plain(
            "Layers",
            K::KeyG,
            "G",
            "floor and grid",
            Command::ToggleLayer(Layer::Grid),
        ),
        plain(
            "Layers",
            K::KeyH,
            "H",
            "shadows",
            Command::ToggleLayer(Layer::Shadows),
        ),
        plain(
            "Layers",
            K::KeyJ,
            "J",
            "joints",
            Command::ToggleLayer(Layer::Joints),
        ),
        plain(
            "Layers",
            K::KeyC,
            "C",
            "contact points",
            Command::ToggleLayer(Layer::ContactPoints),
        ),
        plain(
            "Layers",
            K::KeyN,
            "N",
            "contact normals",
            Command::ToggleLayer(Layer::ContactNormals),
        ),
        shift(
            "Layers",
            K::KeyF,
            "Shift + F",
            "contact forces",
            Command::ToggleLayer(Layer::ContactForces),
        ),
        shift(
            "Layers",
            K::KeyC,
            "Shift + C",
            "friction cones",
            Command::ToggleLayer(Layer::FrictionCones),
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
                "begin or end a video",
                Command::Film(RecordCommand::Live),
            )
        },
        control("Keep", K::KeyQ, "Ctrl + Q", "quit", Command::Quit),
        unbound(
            "Show",
            "settings of physics, layers and interface",
            Command::ToggleSide(Side::Settings),
        ),
        unbound(
            "Keep",
            "videos and large pictures",
            Command::ToggleSide(Side::Record),
        ),
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
            "gallery at the start on or off",
            Command::ToggleGalleryAtStart,
        ),
        unbound(
            "Settings",
            "reset all settings of the window",
            Command::ResetSettings,
        ),
        plain(
            "Show",
            K::F3,
            "F3",
            "profiler",
            Command::ToggleBench(Bench::Profiler),
        ),
        plain(
            "Show",
            K::KeyP,
            "P",
            "plots that you build",
            Command::ToggleBench(Bench::Quantities),
        ),
        plain(
            "Show",
            K::KeyM,
            "M",
            "graph and matrix of the solver",
            Command::ToggleBench(Bench::Solver),
        ),
        plain(
            "Layers",
            K::KeyL,
            "L",
            "list of layers",
            Command::ToggleSide(Side::Layers),
        ),
        shift(
            "Layers",
            K::KeyB,
            "Shift + B",
            "axes of bodies",
            Command::ToggleLayer(Layer::BodyFrames),
        ),
        plain(
            "Layers",
            K::KeyO,
            "O",
            "centres of mass",
            Command::ToggleLayer(Layer::Centres),
        ),
        plain(
            "Layers",
            K::KeyE,
            "E",
            "inertia ellipsoids",
            Command::ToggleLayer(Layer::Inertia),
        ),
        plain(
            "Layers",
            K::KeyV,
            "V",
            "velocities",
            Command::ToggleLayer(Layer::Velocities),
        ),
        shift(
            "Layers",
            K::KeyV,
            "Shift + V",
            "momenta",
            Command::ToggleLayer(Layer::Momenta),
        ),
        shift(
            "Layers",
            K::KeyT,
            "Shift + T",
            "trails",
            Command::ToggleLayer(Layer::Trails),
        ),
        shift(
            "Layers",
            K::KeyN,
            "Shift + N",
            "names",
            Command::ToggleLayer(Layer::Names),
        ),
        shift(
            "Layers",
            K::KeyH,
            "Shift + H",
            "collision shapes",
            Command::ToggleLayer(Layer::CollisionShapes),
        ),
        shift(
            "Layers",
            K::KeyJ,
            "Shift + J",
            "axes of joints",
            Command::ToggleLayer(Layer::JointFrames),
        ),
        shift(
            "Layers",
            K::KeyR,
            "Shift + R",
            "reactions of joints",
            Command::ToggleLayer(Layer::Reactions),
        ),
        shift(
            "Layers",
            K::KeyG,
            "Shift + G",
            "joint errors, enlarged",
            Command::ToggleLayer(Layer::Violations),
        ),
        shift(
            "Layers",
            K::KeyD,
            "Shift + D",
            "contact deflections, enlarged",
            Command::ToggleLayer(Layer::Deflections),
        ),
        shift(
            "Layers",
            K::KeyP,
            "Shift + P",
            "pressures of foundations",
            Command::ToggleLayer(Layer::Pressures),
        ),
    ]
}
