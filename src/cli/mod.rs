//! The command line: runs, checks and lists scenes without a window, on the simulation that the window uses.
//!
//! Exit status: 0 if all went well, 1 if a step left no usable state, a replay diverged or a file could not be
//! written, 2 if the request or the scene was wrong.

mod arguments;
mod changes;
mod compare;
mod converge;
mod files;
mod lanes;
mod length;
mod lists;
mod opening;
mod outcome;
mod output;
mod progress;
mod record;
mod replay;
mod report;
mod reproduce;
mod run;
mod summary;
mod sweep;
mod tables;
mod values;

pub use arguments::{
    Arguments, CheckArguments, Command, CompareArguments, ConvergeArguments, GenerateArguments,
    ListArguments, OpenArguments, RecordArguments, ReplayArguments, ReproduceArguments, Request,
    RunArguments, SweepArguments,
};
pub use lanes::LaneWords;
pub use opening::{open_for_window, open_scene};
pub use output::{Failure, exit_code};
pub use progress::Progress;
pub use record::{Recording, recorded, recording};
pub use run::run_instead;
pub use values::{Axis, ChangeWords};

use crate::threads;
use clap::Parser;
use std::process::ExitCode;

/// Reads the command line; on a wrong one, or for `--help`, prints and ends the program.
pub fn parse() -> Request {
    let arguments = Arguments::parse();
    if let Some(count) = arguments.threads {
        threads::want(count);
    }
    arguments.into()
}

/// Carries out a command.
pub fn execute(command: &Command) -> ExitCode {
    let carry_out = || match command {
        Command::Run(arguments) => run::run(arguments),
        Command::Replay(arguments) => replay::replay(arguments),
        Command::Compare(arguments) => compare::compare(arguments),
        Command::Converge(arguments) => converge::converge(arguments),
        Command::Sweep(arguments) => sweep::sweep(arguments),
        Command::Reproduce(arguments) => reproduce::reproduce(arguments),
        Command::Scenes(arguments) => lists::scenes(arguments),
        Command::Integrators(arguments) => lists::integrators(arguments),
        Command::Check(arguments) => lists::check(arguments),
        Command::Generate(arguments) => lists::generate(arguments),
    };
    // Commands that run several simulations run each on a thread of its own, and measure what one thread takes.
    let threads = match command {
        Command::Run(_) | Command::Replay(_) => threads::wanted(),
        _ => 1,
    };
    exit_code(threads::with(threads, carry_out))
}
