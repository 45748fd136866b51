//! Why the window cannot be opened.

use std::path::PathBuf;

/// Why the window cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// There is nowhere to open it.
    #[error(
        "there is no display: DISPLAY names none that answers; `driftless run` simulates without a window"
    )]
    NoDisplay,
    /// The scene cannot run.
    #[error(transparent)]
    Simulation(#[from] physics::sim::SimulationError),
    /// The table cannot be written.
    #[error("{path}: {error}")]
    Record {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: std::io::Error,
    },
    /// The picture was asked for but not saved.
    #[error("{0}")]
    Picture(String),
    /// The window ended with an error.
    #[error("the window ended with exit status {0}; the log says why")]
    Window(u8),
}
