//! Everything a person can ask of the window, as data: panels return it, keys name it, one system carries it out.

pub mod compare;
pub mod editing;
pub mod keys;
pub mod papers;
pub mod playback;
pub mod record;

use crate::camera::view::Axis;
use crate::commands::compare::CompareCommand;
use crate::commands::editing::EditCommand;
use crate::commands::papers::PapersCommand;
use crate::commands::playback::PlaybackCommand;
use crate::commands::record::RecordCommand;
use crate::jobs::JobId;
use crate::state::layers::{Layer, LayerStyle};
use crate::state::look::ErrorAxis;
use crate::state::panels::PanelId;
use crate::state::selection::Selection;
use crate::state::trails::TrailPoint;
use bevy::prelude::Resource;
use physics::integrators::Settings;
use std::path::PathBuf;

/// What a person can ask for.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
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
    /// Gives contacts a budget with which time goes as fast as asked, or takes it away.
    ToggleContactBudget,
    /// Something about editing.
    Edit(EditCommand),
    /// Selects, or clears the selection.
    Select(Option<Selection>),
    /// Brings the selection (or everything, if nothing is selected) into view.
    FrameSelection,
    /// Brings everything into view.
    FrameAll,
    /// Goes back to the camera of the scene.
    SceneView,
    /// Lets the camera go below the floor, or not any more.
    ToggleBelow,
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
    /// Opens a panel or brings it forward, or closes it if it can be seen.
    TogglePanel(PanelId),
    /// Opens a panel or brings it forward.
    ShowPanel(PanelId),
    /// Puts every panel where it is at first.
    ResetLayout,
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
    /// How long trails are seen (s).
    TrailTime(f64),
    /// The points that leave trails.
    TrailPoints(Vec<TrailPoint>),
    /// Shows or hides the gallery of scenes.
    ToggleGallery,
    /// Whether the program begins with the gallery.
    ToggleGalleryAtStart,
    /// Shows or hides the search for everything.
    ShowPalette,
    /// Whether keys that type a letter, a digit or a sign do anything.
    ToggleSingleKeys,
    /// Lets a drag on a body pull it without Ctrl, or not any more.
    TogglePlainPulls,
    /// Draws the view in all its pixels, however long that takes, or not any more.
    ToggleFullResolution,
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
    Film(RecordCommand),
    /// Something about time: past moments, branches, takes.
    Time(PlaybackCommand),
    /// Something about methods beside each other.
    Compare(CompareCommand),
    /// Something about figures of papers.
    Papers(PapersCommand),
    /// Saves the plots' data; no path means the usual place.
    ExportCsv(Option<PathBuf>),
    /// Lets the plots follow the time again.
    FollowTime,
    /// Draws the energy error on another axis.
    ErrorAxis(ErrorAxis),
    /// Keeps the curve of the energy error behind those of later runs.
    FreezeError,
    /// Forgets the curves that were kept.
    ClearFrozen,
    /// Closes what is open over the view; if nothing is, clears the selection and what the status line says.
    Dismiss,
    /// Clears what the status line says.
    ClearNotices,
    /// Gives up the scene that is being opened.
    CancelOpening,
    /// Cancels work in the background.
    CancelJob(JobId),
    /// Ends the program.
    Quit,
}

/// The commands of this frame, in the order in which they were made.
#[derive(Resource, Default)]
pub struct CommandQueue(pub Vec<Command>);
