//! What the window is asked to do by itself: leave after a time, save a picture and a table before.

use crate::error::AppError;
use crate::scenes::files;
use crate::scenes::files::Shots;
use crate::schedule::AppSet;
use crate::session::Session;
use crate::state::machine::Machine;
use crate::state::notices::Notices;
use bevy::prelude::*;
use physics::sim::comparison::LaneSpec;
use std::path::PathBuf;
use std::sync::Arc;

/// What `driftless open` may be asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OpenOptions {
    /// Leave after so many seconds of wall time.
    pub run_for: Option<f64>,
    /// Save a picture of the window: before leaving, or after two seconds if it stays open.
    pub screenshot: Option<PathBuf>,
    /// Open this take, whose scene is shown already.
    pub take: Option<PathBuf>,
    /// Write every step to a table.
    pub csv: Option<PathBuf>,
    /// Run these beside the scene's own method.
    pub lanes: Vec<LaneSpec>,
    /// Folder of the settings, if not the usual one.
    pub config: Option<PathBuf>,
    /// Begin with the gallery, unless the person has turned that off.
    pub gallery: bool,
}

/// When a picture is taken of a window that stays open (s).
const SETTLED: f64 = 2.0;
/// Longest wait for a picture (s).
const PATIENCE: f64 = 20.0;

/// The autorun and how far it has got.
#[derive(Resource)]
struct Autorun {
    options: OpenOptions,
    /// When the picture was asked for (s).
    asked: Option<f64>,
    done: bool,
}

/// Where the end of the window leaves what its caller must know.
#[derive(Resource, Default, Clone)]
struct SharedError(std::sync::Arc<std::sync::Mutex<Option<AppError>>>);

impl SharedError {
    fn set(&self, error: AppError) {
        let mut slot = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        slot.get_or_insert(error);
    }
}

/// Runs the window and gives back what went wrong.
pub fn run(mut app: App, options: OpenOptions) -> Result<(), AppError> {
    let outcome = SharedError::default();
    app.insert_resource(Autorun {
        options,
        asked: None,
        done: false,
    })
    .insert_resource(outcome.clone())
    .add_systems(Update, (pass_on, advance).chain().in_set(AppSet::Leave))
    .add_systems(Last, close.in_set(AppSet::Leave));
    let exit = spared(|| app.run())?;
    let failure = outcome
        .0
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .take();
    match (failure, exit) {
        (Some(error), _) => Err(error),
        (None, AppExit::Error(code)) => Err(AppError::Window(code.get())),
        (None, AppExit::Success) => Ok(()),
    }
}

/// Does what a panic of the graphics engine may end; one whose meaning is known becomes an error and is not told twice.
pub(crate) fn spared<T>(engine: impl FnOnce() -> T) -> Result<T, AppError> {
    let hook = Arc::new(std::panic::take_hook());
    let other = hook.clone();
    std::panic::set_hook(Box::new(move |info| {
        if AppError::of_panic(info.payload()).is_none() {
            other(info);
        }
    }));
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(engine));
    done.or_else(|panic| match AppError::of_panic(&*panic) {
        Some(error) => Err(error),
        None => std::panic::resume_unwind(panic),
    })
}

/// Lets whoever follows the table see every frame's steps.
fn pass_on(autorun: Res<Autorun>, mut session: ResMut<Session>, mut notices: ResMut<Notices>) {
    if autorun.options.csv.is_some()
        && let Err(error) = session.pass_on_record()
    {
        notices.file = Some(error);
    }
}

fn advance(
    mut commands: Commands,
    time: Res<Time<Real>>,
    shots: Res<Shots>,
    outcome: Res<SharedError>,
    mut machine: ResMut<Machine>,
    mut notices: ResMut<Notices>,
    mut autorun: ResMut<Autorun>,
    mut exit: MessageWriter<AppExit>,
) {
    let now = time.elapsed_secs_f64();
    notices.age(time.delta_secs());
    let frame = time.delta_secs_f64();
    if frame > 0.0 {
        machine.frame_rate += (1.0 / frame - machine.frame_rate) * 0.1;
    }
    let autorun = &mut *autorun;
    let due = now >= autorun.options.run_for.unwrap_or(SETTLED);
    let leaving = autorun.options.run_for.is_some();
    if autorun.done || !due {
        return;
    }
    match (&autorun.options.screenshot, autorun.asked) {
        (Some(path), None) => {
            autorun.asked = Some(now);
            files::photograph(&mut commands, path.clone());
            return;
        }
        (Some(path), Some(asked)) if shots.done == 0 => {
            if now - asked < PATIENCE {
                return;
            }
            outcome.set(AppError::Picture(format!(
                "{}: the graphics driver gave no picture",
                path.display()
            )));
        }
        (Some(_), Some(_)) => {
            if let Some(error) = notices.file.take() {
                outcome.set(AppError::Picture(error));
            }
        }
        (None, _) => {}
    }
    autorun.done = true;
    if leaving {
        exit.write(AppExit::Success);
    }
}

/// Ends the table when the window closes, however it closes.
fn close(
    mut exits: MessageReader<AppExit>,
    autorun: Res<Autorun>,
    outcome: Res<SharedError>,
    mut session: ResMut<Session>,
) {
    if exits.read().next().is_none() {
        return;
    }
    if let (Err(error), Some(path)) = (session.finish_record(), &autorun.options.csv) {
        outcome.set(AppError::Record {
            path: path.clone(),
            error,
        });
    }
}
