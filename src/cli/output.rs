//! Where results go and how a command ends.

use crate::figures::FigureError;
use crate::integrators::StepError;
use crate::scene::SceneErrors;
use crate::sim::comparison::ComparisonError;
use crate::sim::convergence::ConvergenceError;
use crate::sim::{ReplayError, SimulationError};
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Why a command did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The scene is wrong.
    #[error("{0}")]
    Scene(#[from] SceneErrors),
    /// The scene cannot be run as asked.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A step left no usable state.
    #[error("{0}")]
    Step(#[from] StepError),
    /// A change could not be made when its time came.
    #[error("{0}")]
    Change(String),
    /// A replay came to something else than the take.
    #[error("{0}")]
    Replay(#[from] ReplayError),
    /// Lanes that cannot be compared.
    #[error(transparent)]
    Comparison(#[from] ComparisonError),
    /// The study could not be made.
    #[error(transparent)]
    Convergence(#[from] ConvergenceError),
    /// A figure could not be written.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// A file could not be written.
    #[error("cannot write {}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// Standard output could not be written.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
    /// Runs of a sweep that ended with a step that left no usable state.
    #[error("{count} of the runs did not reach the end")]
    Sweep {
        /// How many.
        count: usize,
    },
    /// An experiment came to no table.
    #[error("{item}: {reason}")]
    Experiment {
        /// The item.
        item: String,
        /// Why.
        reason: String,
    },
    /// Claims that do not stand as expected.
    #[error("not as expected: {0}")]
    Verdict(String),
    /// The window could not do what was asked.
    #[error("{0}")]
    Window(String),
    /// A video could not be made as asked.
    #[error("{0}")]
    Request(String),
}

impl Failure {
    /// A file that could not be written.
    pub fn file(path: &Path, reason: impl Display) -> Self {
        Self::File {
            path: path.into(),
            reason: reason.to_string(),
        }
    }

    /// Exit status of the program.
    fn status(&self) -> u8 {
        match self {
            Self::Scene(_)
            | Self::Simulation(_)
            | Self::Request(_)
            | Self::Comparison(_)
            | Self::Convergence(ConvergenceError::Ladder(_)) => 2,
            Self::Step(_)
            | Self::Change(_)
            | Self::Replay(_)
            | Self::Convergence(_)
            | Self::Figure(_)
            | Self::File { .. }
            | Self::Output(_)
            | Self::Sweep { .. }
            | Self::Experiment { .. }
            | Self::Verdict(_)
            | Self::Window(_) => 1,
        }
    }
}

/// Reports a failure on standard error and turns a result into the exit status of the program.
pub fn exit_code(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            complain(&failure);
            ExitCode::from(failure.status())
        }
    }
}

/// Prints to standard error.
pub(super) fn complain(message: impl Display) {
    // Where even standard error is closed there is no one left to tell.
    let _ = writeln!(io::stderr().lock(), "{message}");
}

/// Prints to standard output. A reader that has left, such as `head`, is no error.
pub(super) fn print(text: impl Display) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

/// Prints one JSON object to standard output.
pub(super) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(io::Error::other)?;
    print(text)
}
