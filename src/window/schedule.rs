//! Order of what happens in a frame.

use bevy::prelude::SystemSet;

/// Order of what happens in a frame, beside Bevy's own.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AppSet {
    /// Pointer and keys are read.
    Input,
    /// The poses of the frame are found.
    Pose,
    /// Commands are carried out.
    Apply,
    /// Time is moved.
    Travel,
    /// What is drawn follows what was simulated.
    Draw,
}
