//! Which panels there are beside and below the view.

use serde::{Deserialize, Serialize};

/// Contents of the side panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// List of scenes.
    Scenes,
    /// The selected body or joint, and all bodies and joints.
    Inspector,
    /// Physics and display settings.
    Settings,
    /// Videos.
    Record,
    /// What is drawn on top of the bodies.
    Layers,
    /// Methods beside each other.
    Compare,
}

/// Contents of the bench, the panel below the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bench {
    /// Graph and matrix of the linear system.
    Solver,
    /// Time per phase of the step.
    Profiler,
    /// Plots of quantities of one's choice.
    Quantities,
}
