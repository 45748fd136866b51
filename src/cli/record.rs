//! What `driftless record` does beside drawing: what is to be recorded, and what is said at the end.

use super::arguments::RecordArguments;
use super::files;
use super::lanes::{choose, choose_method};
use super::length::DEFAULT_DURATION;
use super::opening::open_scene;
use super::output::{Failure, complain, print};
use crate::scene::{Scene, Take};
use std::path::Path;

/// What is to be recorded.
#[derive(Debug)]
pub enum Recording {
    /// A scene that runs by itself.
    Scene(Box<Scene>),
    /// A take that is replayed.
    Take(Box<Take>),
}

/// Opens what is to be recorded, with everything that was asked for.
pub fn recording(arguments: &RecordArguments) -> Result<Recording, Failure> {
    let path = Path::new(&arguments.scene);
    let outputs = [("--output", Some(arguments.output.as_path()))];
    if Take::is_named(path) {
        let changed = arguments.integrator.is_some() || arguments.dt.is_some();
        if changed || !arguments.sets.is_empty() || !arguments.options.is_empty() {
            let why = "a take is replayed as it was recorded: --integrator, --dt, --option and --set are for scenes";
            return Err(Failure::Request(format!("{}: {why}", path.display())));
        }
        files::distinct(&[path.into()], &outputs)?;
        return Ok(Recording::Take(Box::new(Take::open(path)?)));
    }
    let mut scene = open_scene(&arguments.scene, &arguments.sets)?;
    files::distinct(&files::of_scene(&scene), &outputs)?;
    choose_method(&mut scene, arguments.integrator.as_deref())?;
    let settings = &mut scene.settings;
    settings.dt = arguments.dt.unwrap_or(settings.dt);
    choose(&mut settings.options, &scene.integrator, &arguments.options)?;
    // A method that cannot run the scene is an error here; only the window chooses another.
    scene.simulation()?;
    Ok(Recording::Scene(Box::new(scene)))
}

impl Recording {
    /// The scene.
    pub fn scene(&self) -> &Scene {
        match self {
            Self::Scene(scene) => scene,
            Self::Take(take) => &take.scene,
        }
    }

    /// Simulated time to show (s); none for the whole take.
    pub fn duration(&self, arguments: &RecordArguments) -> Option<f64> {
        match self {
            Self::Scene(scene) => {
                let own = arguments.duration.or(scene.view.duration);
                Some(own.unwrap_or(DEFAULT_DURATION))
            }
            Self::Take(_) => arguments.duration,
        }
    }
}

/// Says what was recorded: how many frames, how long they took (s), and why there are not more, if there should be.
pub fn recorded(
    path: &Path,
    frames: u64,
    seconds: f64,
    cut_short: Option<&str>,
) -> Result<(), Failure> {
    let rate = frames as f64 / seconds.max(f64::MIN_POSITIVE);
    let counted = match frames {
        1 => "1 frame".into(),
        many => format!("{many} frames"),
    };
    print(format_args!(
        "{}: {counted} in {seconds:.1} s, {rate:.1} a second",
        path.display()
    ))?;
    match cut_short {
        None => Ok(()),
        Some(why) => {
            complain(format_args!("{} ends after {counted}:", path.display()));
            Err(Failure::Window(why.into()))
        }
    }
}
