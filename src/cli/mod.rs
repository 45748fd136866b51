//! The command line: runs, checks and lists scenes without a window, on the simulation that the window uses.
//!
//! Exit status: 0 if all went well, 1 if a step left no usable state, a replay diverged or a file could not be
//! written, 2 if the request or the scene was wrong.

mod arguments;
mod compare;
mod converge;
mod lanes;
mod lists;
mod output;
mod progress;
mod record;
mod replay;
mod report;
mod run;
mod summary;
mod tables;

pub use arguments::{
    Arguments, CheckArguments, Command, CompareArguments, ConvergeArguments, GenerateArguments,
    ListArguments, OpenArguments, RecordArguments, ReplayArguments, Request, RunArguments,
};
pub use lanes::LaneWords;
pub use output::{Failure, exit_code};
pub use progress::Progress;
pub use record::{Recording, recorded, recording};
pub use run::run_instead;

use crate::integrators::OptionValue;
use crate::scene::{self, Scene, Take};
use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;

/// Reads the command line; on a wrong one, or for `--help`, prints and ends the program.
pub fn parse() -> Request {
    Arguments::parse().into()
}

/// Carries out a command.
pub fn execute(command: &Command) -> ExitCode {
    exit_code(match command {
        Command::Run(arguments) => run::run(arguments),
        Command::Replay(arguments) => replay::replay(arguments),
        Command::Compare(arguments) => compare::compare(arguments),
        Command::Converge(arguments) => converge::converge(arguments),
        Command::Scenes(arguments) => lists::scenes(arguments),
        Command::Integrators(arguments) => lists::integrators(arguments),
        Command::Check(arguments) => lists::check(arguments),
        Command::Generate(arguments) => lists::generate(arguments),
    })
}

/// Opens what the window is to show: a scene, or that of a take, whose file comes with it.
pub fn open_for_window(open: &OpenArguments) -> Result<(Scene, Option<PathBuf>), Failure> {
    if !Take::is_named(&open.scene) {
        return Ok((open_with_options(&open.scene, &open.options)?, None));
    }
    if !open.options.is_empty() {
        let why = "a take is shown as it was recorded: --option is for scenes";
        return Err(Failure::Request(format!("{}: {why}", open.scene)));
    }
    if open.csv.is_some() {
        let why =
            "--csv is for scenes; `driftless replay TAKE --csv FILE` writes the table of a take";
        return Err(Failure::Request(format!("{}: {why}", open.scene)));
    }
    let path = PathBuf::from(&open.scene);
    Ok((Take::open(&path)?.scene, Some(path)))
}

/// Opens a scene with options of its method, which become part of its text as if they had been chosen in the window.
fn open_with_options(name: &str, options: &[(String, String)]) -> Result<Scene, Failure> {
    let scene = open_scene(name, &[])?;
    if options.is_empty() {
        return Ok(scene);
    }
    let mut settings = scene.settings;
    lanes::choose(&mut settings.options, &scene.integrator, options)?;
    let sets = settings.options.chosen().map(|(name, value)| {
        let value = match value {
            OptionValue::Word(word) => format!("\"{word}\""),
            value => value.to_string(),
        };
        format!("\"{name}\": {value}")
    });
    let all = format!("{{{}}}", sets.collect::<Vec<_>>().join(", "));
    open_scene(name, &[("integrator.options".into(), all)])
}

/// Opens a scene by name, parameters or path.
pub fn open_scene(name: &str, sets: &[(String, String)]) -> Result<Scene, Failure> {
    Ok(scene::open(name, sets)?)
}
