//! Everything a person can ask of the window, as data: panels return it, keys name it, one system carries it out.

use super::camcorder::FilmWish;
use super::compare::CompareWish;
use super::editing::EditWish;
use super::layers::{LayerStyle, TrailPoint};
use super::time::TimeWish;
use crate::integrators::Settings;
use crate::model::{BodyId, ContactKey, JointId};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// A body.
    Body(BodyId),
    /// A joint.
    Joint(JointId),
    /// A cable, by its place in the model.
    Cable(usize),
    /// A spring between points, by its place among the forces of the model.
    Spring(usize),
    /// A contact point, as long as its shapes are near each other.
    Contact(ContactKey),
    /// A force on a body, by its place among the forces of the model.
    Wrench(usize),
    /// A relation between joint coordinates, by its place in the model.
    Coupling(usize),
}

/// Contents of the side panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// List of scenes.
    Scenes,
    /// The selected body or joint, and all bodies and joints.
    Inspector,
    /// Physics and display settings.
    Settings,
    /// Videos.
    Record,
    /// What is drawn on top of the bodies.
    Layers,
    /// Methods beside each other.
    Compare,
}

/// Contents of the bench, the panel below the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bench {
    /// Graph and matrix of the linear system.
    Solver,
    /// Time per phase of the step.
    Profiler,
    /// Plots of quantities of one's choice.
    Quantities,
}

/// What can be shown or hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// Floor and its grid.
    Grid,
    /// Shadows.
    Shadows,
    /// Joints, springs and cables.
    Joints,
    /// Axes of bodies.
    BodyFrames,
    /// Centres of mass.
    Centres,
    /// Inertia ellipsoids.
    Inertia,
    /// Velocities.
    Velocities,
    /// Momenta.
    Momenta,
    /// Trails of chosen points.
    Trails,
    /// Names of bodies.
    Names,
    /// Outlines of shapes that touch others.
    CollisionShapes,
    /// Axes of joints.
    JointFrames,
    /// Forces of joints.
    Reactions,
    /// How far joints are open.
    Violations,
    /// Contact points.
    ContactPoints,
    /// Contact normals.
    ContactNormals,
    /// Contact forces.
    ContactForces,
    /// Friction cones.
    FrictionCones,
    /// How far contacts give.
    Deflections,
    /// How hard elements of foundations are pressed.
    Pressures,
}

/// A view along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Looking along y.
    Front,
    /// Looking along -x.
    Side,
    /// Looking down.
    Top,
}

/// A wish.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Runs or pauses.
    TogglePlay,
    /// Takes this many steps and pauses.
    Step(u32),
    /// Back to the first state.
    Reset,
    /// Speed up (positive) or slow down by so many rungs of the ladder.
    ChangeSpeed(i32),
    /// A rung of the ladder.
    SetSpeed(usize),
    /// Opens a scene by its name, generator or path.
    Open(String),
    /// Asks for a file.
    OpenDialog,
    /// Reads the scene again.
    Reload,
    /// Opens the scene that is so many places further in the list.
    Neighbour(i32),
    /// Continues with another integrator.
    Integrator(&'static str),
    /// Continues with other settings.
    Settings(Settings),
    /// Something about editing.
    Edit(EditWish),
    /// Selects, or clears the selection.
    Select(Option<Selection>),
    /// Brings the selection (or everything, if nothing is selected) into view.
    FrameSelection,
    /// Brings everything into view.
    FrameAll,
    /// Looks along an axis.
    Look(Axis),
    /// Keeps the view under a name.
    KeepView,
    /// Goes to a view that was kept, by its place.
    GoToView(usize),
    /// Gives a view that was kept another name.
    RenameView(usize, String),
    /// Forgets a view that was kept.
    ForgetView(usize),
    /// Lets the camera circle the scene, or stops it.
    ToggleTurning,
    /// Lets the camera go along with the selected body, or stops it.
    ToggleFollowing,
    /// Shows a side panel, or hides it if it is shown.
    ToggleSide(Side),
    /// Shows one of the panels below the view, or hides it if it is shown.
    ToggleBench(Bench),
    /// Shows a side panel.
    ShowSide(Side),
    /// Shows or hides the plots.
    TogglePlots,
    /// Shows or hides everything but the view.
    TogglePanels,
    /// Shows or hides the help.
    ToggleHelp,
    /// Shows or hides the figures on drawing and machine.
    ToggleInfo,
    /// Shows or hides a layer.
    ToggleLayer(Layer),
    /// Draws a layer in another way.
    LayerStyle(Layer, LayerStyle),
    /// Draws contact forces on both bodies, or on the first only.
    BothForces(bool),
    /// How long trails are seen [s].
    TrailTime(f64),
    /// The points that leave trails.
    TrailPoints(Vec<TrailPoint>),
    /// Shows or hides the gallery of scenes.
    ToggleGallery,
    /// Whether the program begins with the gallery.
    ToggleGalleryAtStart,
    /// Shows or hides the search for everything.
    ToggleFinder,
    /// Whether keys that type a letter, a digit or a sign do anything.
    ToggleSingleKeys,
    /// All settings of the window as they are at first.
    ResetSettings,
    /// Light to dark or back.
    ToggleTheme,
    /// Interface larger (positive) or smaller by so many steps; 0 is the size at first.
    Scale(i32),
    /// Fills the screen, or leaves it.
    ToggleFullscreen,
    /// Saves a picture of the window; no path means the usual place.
    Screenshot(Option<PathBuf>),
    /// Something about videos.
    Film(FilmWish),
    /// Something about time: past moments, branches, takes.
    Time(TimeWish),
    /// Something about methods beside each other.
    Compare(CompareWish),
    /// Saves the plots' data; no path means the usual place.
    ExportCsv(Option<PathBuf>),
    /// Lets the plots follow the time again.
    FollowTime,
    /// Closes what is open over the view; if nothing is, clears the selection and what the status line says.
    Dismiss,
    /// Clears what the status line says.
    ClearNotices,
    /// Gives up the scene that is being opened.
    CancelOpening,
    /// Ends the program.
    Quit,
}
