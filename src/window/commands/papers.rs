//! What can be asked of the figures of papers.

pub use reproduce::Effort;

/// A command about figures. Those that are run are meant by their places in the list of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PapersCommand {
    /// Shows the gallery with its papers.
    Show,
    /// Shows the gallery with its papers (true) or its scenes.
    Tab(bool),
    /// Opens the scene of a figure and runs it; one that runs is ended.
    Run(usize),
    /// Shows a figure as it was run last.
    Look(usize),
    /// How much the next run is.
    Effort(Effort),
    /// Ends the run; what there is of its plot stays.
    Cancel,
    /// Leaves the scene of the figure that is shown to the user, with the run ended (true) or going on.
    OpenScene(bool),
    /// Closes the figure that is shown; a run goes on.
    Close,
}
