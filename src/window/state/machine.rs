//! What the window runs on.

use bevy::prelude::Resource;

/// The graphics adapter, and how fast it draws.
#[derive(Resource, Debug, Clone, PartialEq, Default)]
pub struct Machine {
    /// Name of the graphics adapter.
    pub adapter: String,
    /// Whether the processor draws, for want of a graphics card.
    pub software: bool,
    /// Frames per second, averaged.
    pub frame_rate: f64,
}
