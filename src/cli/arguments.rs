//! The words of the command line. Other programs depend on them.

use super::lanes::{LaneWords, option};
use super::values::{
    Axis, ChangeWords, assignment, change_of_speed, chosen, contact_solver, positive, size,
};
use crate::integrators::{FrictionCone, LinearSolver};
use crate::scene;
use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// A sandbox for rigid-body mechanisms: joints that do not drift.
///
/// SCENE is the name of a shipped scene (see `driftless scenes`), a parametric scene such as
/// `chain:links=20,joint=spherical`, or the path of a scene file.
#[derive(Debug, Parser)]
#[command(name = "driftless", version, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    /// Scene to open in the window; without it, the gallery beside the default scene.
    scene: Option<OsString>,
    /// Folder of the window's settings; else DRIFTLESS_CONFIG_DIR, else the user's own.
    #[arg(long, value_name = "DIR")]
    config: Option<PathBuf>,
    /// Threads that share the work of a step: as many as there are cores if not given. What is computed does not depend on
    /// it.
    #[arg(long, value_name = "N", global = true)]
    pub(super) threads: Option<NonZeroUsize>,
    #[command(subcommand)]
    command: Option<AnyCommand>,
}

#[derive(Debug, Subcommand)]
enum AnyCommand {
    /// Opens a scene in the window.
    Open(OpenArguments),
    /// Makes a video of a scene without opening a window.
    Record(RecordArguments),
    #[command(flatten)]
    Command(Command),
}

/// What was asked for.
#[derive(Debug)]
pub enum Request {
    /// The window.
    Open(OpenArguments),
    /// A video.
    Record(RecordArguments),
    /// Something that needs no window.
    Command(Command),
}

/// What to open and for how long.
#[derive(Debug, Args)]
pub struct OpenArguments {
    /// Name of a shipped scene, NAME:key=value,… or a file; or a FILE.take, whose run is shown.
    #[arg(value_name = "SCENE|TAKE")]
    pub scene: OsString,
    /// Exits after so many seconds.
    #[arg(long = "for", value_name = "SECONDS", allow_negative_numbers = true, value_parser = positive)]
    pub run_for: Option<f64>,
    /// Saves a picture of the window before it exits.
    #[arg(long, value_name = "FILE.png")]
    pub screenshot: Option<PathBuf>,
    /// Saves the run as a table before it exits.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Chooses an option of the method, such as `stabilisation=projection`; may be repeated (see `driftless
    /// integrators`).
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, String)>,
    /// Runs a method beside the scene's own, as `driftless compare` does; key=value: dt, tolerance, friction, its
    /// options.
    #[arg(long = "lane", value_name = "METHOD[:key=value,…]")]
    pub lanes: Vec<LaneWords>,
    /// Folder of the window's settings; else DRIFTLESS_CONFIG_DIR, else the user's own.
    #[arg(long, value_name = "DIR")]
    pub config: Option<PathBuf>,
    /// Begins with the gallery beside the scene, unless that is turned off in the settings.
    #[arg(long)]
    pub gallery: bool,
}

/// What to make a video of, and how.
///
/// It is drawn off-screen with Vulkan, on a graphics card or on the processor; no display is needed.
#[derive(Debug, Args)]
pub struct RecordArguments {
    /// Name of a shipped scene, NAME:key=value,… or a file; or a FILE.take, which is replayed.
    #[arg(value_name = "SCENE|TAKE")]
    pub scene: OsString,
    /// The video: FILE.mp4, FILE.gif, a folder for a sequence of PNG files, or FILE.png for one picture.
    #[arg(short, long, value_name = "FILE|FOLDER")]
    pub output: PathBuf,
    /// Width and height in pixels.
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    pub size: [u32; 2],
    /// Frames per second.
    #[arg(long, value_name = "N", default_value_t = 30.0, allow_negative_numbers = true, value_parser = positive)]
    pub fps: f64,
    /// Simulated time to show (s); the whole take, or the scene's own, or 10, if not given.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub duration: Option<f64>,
    /// Simulated time of the first frame (s); that of the first state if not given.
    #[arg(long, value_name = "S")]
    pub start: Option<f64>,
    /// Simulated seconds per second of video; the scene's own if not given.
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = positive)]
    pub speed: Option<f64>,
    /// Another speed from a simulated time on (s); may be repeated: `--slow 1.5:0.1 --slow 2:1`.
    #[arg(long, value_name = "S:X", value_parser = change_of_speed)]
    pub slow: Vec<(f64, f64)>,
    /// Camera: scene, framed, corner, front, side, top, orbit, orbit=TURNS or follow=BODY.
    #[arg(long, value_name = "NAME", default_value = "scene")]
    pub camera: String,
    /// Writes everything larger, for the last row of a hall.
    #[arg(long)]
    pub large_type: bool,
    /// Writes a line above the view.
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Writes a line below the view.
    #[arg(long, value_name = "TEXT")]
    pub caption: Option<String>,
    /// Shows the scene's plots beside the view.
    #[arg(long)]
    pub plots: bool,
    /// Light background instead of dark.
    #[arg(long)]
    pub light: bool,
    /// For a small picture: plain ground without grid, thin things thicker.
    #[arg(long)]
    pub portrait: bool,
    /// Draws several times faster on a machine without graphics card: no shadows, hard edges.
    #[arg(long)]
    pub draft: bool,
    /// Method; the scene's own if not given (see `driftless integrators`).
    #[arg(long, value_name = "NAME")]
    pub integrator: Option<String>,
    /// Step size (s).
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub dt: Option<f64>,
    /// Chooses an option of the method, such as `stabilisation=projection`; may be repeated (see `driftless
    /// integrators`).
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, String)>,
    /// Changes a value of the scene by its path, such as `bodies.link_2.mass=3`; may be repeated.
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = assignment)]
    pub sets: Vec<(String, String)>,
    /// Shows a method beside the scene's own, as a ghost; key=value: dt, tolerance, friction, its options. May be
    /// repeated.
    #[arg(long = "lane", value_name = "METHOD[:key=value,…]")]
    pub lanes: Vec<LaneWords>,
    /// Shows every lane in a view of its own.
    #[arg(long, requires = "lanes")]
    pub side_by_side: bool,
}

/// The commands that need no window.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Runs a scene without a window and sums it up.
    Run(RunArguments),
    /// Runs a take again and checks that every step gives the same bits.
    Replay(ReplayArguments),
    /// Runs several methods on a scene side by side.
    Compare(CompareArguments),
    /// Runs a scene over a ladder of step sizes and fits how the error falls.
    Converge(ConvergeArguments),
    /// Runs a scene over all combinations of values, on all threads.
    Sweep(SweepArguments),
    /// Runs the experiments of papers, draws them and judges what the papers claim.
    Reproduce(ReproduceArguments),
    /// Lists the shipped and the parametric scenes.
    Scenes(ListArguments),
    /// Lists the integrators: order, structure, what they support, source.
    Integrators(ListArguments),
    /// Checks a scene and reports all that is wrong with it.
    Check(CheckArguments),
    /// Writes a parametric scene out as a file.
    Generate(GenerateArguments),
}

/// What to run and how.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// Name of a shipped scene, NAME:key=value,… or a file.
    pub scene: OsString,
    /// Method; the scene's own if not given (see `driftless integrators`).
    #[arg(long, value_name = "NAME")]
    pub integrator: Option<String>,
    /// Step size (s).
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub dt: Option<f64>,
    /// Number of steps.
    #[arg(long, value_name = "N", conflicts_with = "duration")]
    pub steps: Option<u64>,
    /// Simulated time to run for (s); the scene's own, or 10, if neither is given.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub duration: Option<f64>,
    /// Newton tolerance, relative to forces and sizes, from 1e-4 to 1e-12.
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = positive)]
    pub tolerance: Option<f64>,
    /// Linear solver: articulated, block-ldu or dense.
    #[arg(long, value_name = "NAME", value_parser = chosen::<LinearSolver>)]
    pub linear_solver: Option<LinearSolver>,
    /// Friction cone: exact, or linearised-N with an even number N of edges.
    #[arg(long, value_name = "CONE")]
    pub friction: Option<FrictionCone>,
    /// Contact solver: hybrid, interior-point or newton; an older word for `--option contact_solver=NAME`.
    #[arg(long, value_name = "NAME", value_parser = contact_solver)]
    pub contact_solver: Option<String>,
    /// Chooses an option of the method, such as `stabilisation=projection`; may be repeated (see `driftless
    /// integrators`).
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, String)>,
    /// Changes a value of the scene by its path, such as `bodies.link_2.mass=3`; may be repeated.
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = assignment)]
    pub sets: Vec<(String, String)>,
    /// Changes a value while the scene runs, at the first step at or after a time (s), such as `16:integrator=rk4`,
    /// `2:dt=0.005` or `3:gravity=[0,0,-1.62]`; any path of --set; may be repeated.
    #[arg(
        long = "change",
        value_name = "TIME:PATH=VALUE",
        allow_hyphen_values = true
    )]
    pub changes: Vec<ChangeWords>,
    /// Writes time, energies, drift, iterations, residual and all bodies to a file.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Writes the contact forces to a file, one row per contact point and step.
    #[arg(long, value_name = "FILE")]
    pub contacts: Option<PathBuf>,
    /// Writes a take: scene, settings and a hash of every state, to be replayed with `driftless replay`.
    #[arg(long, value_name = "FILE")]
    pub take: Option<PathBuf>,
    /// Writes only every K-th step to the files; the summary sees all steps in any case.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub every: u64,
    /// Prints one JSON object instead of the summary.
    #[arg(long)]
    pub json: bool,
}

/// What to replay and what to write on the way.
#[derive(Debug, Args)]
pub struct ReplayArguments {
    /// File written by `driftless run --take`, or saved from the window.
    #[arg(value_name = "TAKE")]
    pub take: PathBuf,
    /// Writes time, energies, drift, iterations, residual and all bodies to a file.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Writes the contact forces to a file, one row per contact point and step.
    #[arg(long, value_name = "FILE")]
    pub contacts: Option<PathBuf>,
    /// Writes only every K-th step to the files.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub every: u64,
    /// Prints one JSON object instead of the summary.
    #[arg(long)]
    pub json: bool,
}

impl ReplayArguments {
    /// Replays a take and tells of it, nothing more.
    pub fn of(take: PathBuf) -> Self {
        Self {
            take,
            csv: None,
            contacts: None,
            every: 1,
            json: false,
        }
    }
}

/// Which methods to run side by side.
#[derive(Debug, Args)]
pub struct CompareArguments {
    /// Name of a shipped scene, NAME:key=value,… or a file.
    pub scene: OsString,
    /// A method beside the others, with values and options of its own, such as
    /// `heun:dt=0.005,tolerance=1e-8,stabilisation=projection`; may be repeated. Distances are from the first; the
    /// scene's own method if none is given.
    #[arg(long = "lane", value_name = "METHOD[:key=value,…]")]
    pub lanes: Vec<LaneWords>,
    /// One more lane: the first, begun at this distance from it, whose growth tells regular motion from chaos (m).
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = positive)]
    pub perturb: Option<f64>,
    /// Simulated time to run for (s); the scene's own, or 10, if not given.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub duration: Option<f64>,
    /// Changes a value of the scene by its path, such as `bodies.link_2.mass=3`; may be repeated.
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = assignment)]
    pub sets: Vec<(String, String)>,
    /// Writes time, energy error, drift and distance of every lane to a file.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Prints one JSON object instead of the table.
    #[arg(long)]
    pub json: bool,
}

/// What to run over which step sizes.
#[derive(Debug, Args)]
pub struct ConvergeArguments {
    /// Name of a shipped scene, NAME:key=value,… or a file.
    pub scene: OsString,
    /// Methods, separated by commas, each with options of its own if need be, such as `rk4,rk4:parametrisation=ep,heun`; the
    /// scene's own if not given.
    #[arg(long, value_name = "METHOD[:NAME=VALUE],…", value_delimiter = ',')]
    pub integrators: Vec<String>,
    /// Step sizes (s), separated by commas; the scene's own and five times half of the one before if not given.
    #[arg(long, value_name = "S,S,…", value_delimiter = ',', value_parser = positive)]
    pub dts: Vec<f64>,
    /// Simulated time at whose end the error is measured (s).
    #[arg(long, value_name = "S", default_value_t = 1.0, allow_negative_numbers = true, value_parser = positive)]
    pub duration: f64,
    /// Newton tolerance of the runs, relative to forces and sizes, from 1e-4 to 1e-12; that of the reference is 1e-12.
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = positive)]
    pub tolerance: Option<f64>,
    /// Chooses an option of those methods that have it, such as `stabilisation=projection`; may be repeated (see
    /// `driftless integrators`).
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, String)>,
    /// Changes a value of the scene by its path, such as `bodies.link_2.mass=3`; may be repeated.
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = assignment)]
    pub sets: Vec<(String, String)>,
    /// Writes a row per method and step size to a file.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draws error against step size and against time, on logarithmic axes.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Prints one JSON object instead of the table.
    #[arg(long)]
    pub json: bool,
}

/// What to run over which values.
#[derive(Debug, Args)]
pub struct SweepArguments {
    /// Name of a shipped scene, NAME:key=value,… or a file.
    pub scene: OsString,
    /// Values that something in the scene takes in turn, such as `joints.elbow.damping=0,0.1,0.2` or
    /// `integrator=rk4,variational-2`; any path of --set of the other commands, and short words as for `run --change`. May be
    /// repeated: all combinations are run.
    #[arg(long = "set", value_name = "PATH=VALUE,VALUE,…")]
    pub sets: Vec<Axis>,
    /// Simulated time to run for (s); the first scene's own, or 10, if not given.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub duration: Option<f64>,
    /// Tells the value at the end of a quantity, such as `elbow.q0`; may be repeated.
    #[arg(long = "quantity", value_name = "NAME")]
    pub quantities: Vec<String>,
    /// Writes a row per run to a file.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Prints one JSON object instead of the table.
    #[arg(long)]
    pub json: bool,
}

/// Which experiments to run and where their files go.
#[derive(Debug, Args)]
pub struct ReproduceArguments {
    /// Papers, such as `lee2016`, or single figures, such as `lee2016/4a`; all if none is given.
    #[arg(value_name = "PAPER[/FIGURE]")]
    pub items: Vec<String>,
    /// Lists the figures and their claims instead.
    #[arg(long)]
    pub list: bool,
    /// Runs less than the papers did: minutes for all together.
    #[arg(long)]
    pub quick: bool,
    /// Items at a time, of those that measure no time; as many as there are processors if not given. Figures do not depend on it.
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Folder for tables, figures and the report; what it holds of an earlier run is kept.
    #[arg(short, long, value_name = "DIR", default_value = "reproduced")]
    pub output: PathBuf,
}

/// How a list is printed.
#[derive(Debug, Args)]
pub struct ListArguments {
    /// Prints one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// What to check.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// Name of a shipped scene, NAME:key=value,… or a file.
    pub scene: OsString,
    /// Prints one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// What to generate and where to.
#[derive(Debug, Args)]
pub struct GenerateArguments {
    /// NAME:key=value,…, such as `net:rows=6,columns=8`.
    #[arg(value_name = "NAME:…")]
    pub scene: String,
    /// File to write; standard output if not given.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl From<Arguments> for Request {
    fn from(arguments: Arguments) -> Self {
        match arguments.command {
            Some(AnyCommand::Open(open)) => Self::Open(open),
            Some(AnyCommand::Record(record)) => Self::Record(record),
            Some(AnyCommand::Command(command)) => Self::Command(command),
            None => Self::Open(OpenArguments {
                gallery: arguments.scene.is_none(),
                scene: arguments.scene.unwrap_or_else(|| scene::DEFAULT.into()),
                config: arguments.config,
                run_for: None,
                screenshot: None,
                csv: None,
                options: Vec::new(),
                lanes: Vec::new(),
            }),
        }
    }
}

#[cfg(test)]
mod tests;
