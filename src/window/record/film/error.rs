//! What can go wrong with a film.

use crate::camera::path::UnknownCamera;
use crate::error::tells_of_no_adapter;
use physics::sim::SimulationError;
use physics::sim::comparison::ComparisonError;
use video::VideoError;

/// Why a film is not made.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// The file cannot be written.
    #[error(transparent)]
    Video(#[from] VideoError),
    /// The scene cannot run.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// Lanes that cannot run side by side.
    #[error(transparent)]
    Lanes(#[from] ComparisonError),
    /// There is nothing to draw with.
    #[error(
        "no graphics driver was found. Films are drawn with Vulkan, which needs no display and no graphics card: on \
         Debian and Ubuntu, the package mesa-vulkan-drivers draws on the processor"
    )]
    NoDriver,
    /// The driver fails.
    #[error("the graphics driver: {0}")]
    Driver(String),
    /// There is no such camera.
    #[error(transparent)]
    Camera(#[from] UnknownCamera),
    /// The simulation ended before the first frame.
    #[error("there is no film, since the simulation ended before its first frame: {0}")]
    Ended(String),
}

impl FilmError {
    /// What a panic of the graphics engine means, by what it said.
    pub(crate) fn of_panic(said: Option<&str>) -> Self {
        match said {
            Some(text) if tells_of_no_adapter(text) => Self::NoDriver,
            Some(text) => Self::Driver(text.into()),
            None => Self::Driver("it ended unexpectedly".into()),
        }
    }
}
