//! Why the window cannot be opened.

use std::any::Any;
use std::path::PathBuf;

/// Why the window cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// There is nowhere to open it.
    #[error(
        "there is no display: neither WAYLAND_DISPLAY nor DISPLAY names one that answers; `driftless run` simulates without a window"
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
    /// Nothing can draw.
    #[error(
        "there is a display, but no graphics driver that can draw on it: Driftless needs Vulkan (Metal on macOS, \
         DirectX 12 on Windows). {0}. `driftless run` simulates without a window"
    )]
    NoAdapter(&'static str),
    /// The window ended with an error.
    #[error("the window ended with exit status {0}; the log says why")]
    Window(u8),
}

/// What to do where nothing can draw.
pub const ADVICE: &str = if cfg!(all(unix, not(target_os = "macos"))) {
    "Install the Vulkan driver of the graphics card, or one that needs none: mesa-vulkan-drivers on Debian and Ubuntu, \
     mesa-vulkan-drivers on Fedora, vulkan-swrast on Arch; `vulkaninfo --summary` then lists it"
} else {
    "Install the driver of the graphics card"
};

/// What a panic said, if that was a text.
pub fn panic_text(panic: &(dyn Any + Send)) -> Option<&str> {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
}

/// Whether a panic that says this means that no graphics driver was found.
pub fn tells_of_no_adapter(said: &str) -> bool {
    said.contains("Unable to find a GPU")
}

/// Whether a panic that says this means that the display was not there after all.
pub fn tells_of_no_display(said: &str) -> bool {
    said.contains("Failed to build event loop")
}

impl AppError {
    /// What a panic of the graphics engine means, if it is known.
    pub fn of_panic(panic: &(dyn Any + Send)) -> Option<Self> {
        let said = panic_text(panic)?;
        if tells_of_no_adapter(said) {
            Some(Self::NoAdapter(ADVICE))
        } else {
            tells_of_no_display(said).then_some(Self::NoDisplay)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a closure's panic means.
    fn meaning(panics: impl FnOnce() + std::panic::UnwindSafe) -> Option<AppError> {
        let panic = std::panic::catch_unwind(panics).expect_err("it panics");
        AppError::of_panic(&*panic)
    }

    #[test]
    fn panics_of_the_engine_that_people_meet_have_messages_of_their_own() {
        let gone = meaning(|| panic!("Failed to build event loop: Os(XOpenDisplayFailed)"));
        assert!(matches!(gone, Some(AppError::NoDisplay)), "{gone:?}");
        let driver =
            meaning(|| panic!("Unable to find a GPU! Make sure you have installed drivers"));
        assert!(matches!(driver, Some(AppError::NoAdapter(_))), "{driver:?}");
        assert!(meaning(|| panic!("index out of bounds")).is_none());
    }
}
