//! What the methods in joint coordinates let a user choose.

use super::lagrangian::MeanVelocity;
use crate::integrators::{OptionKind, OptionSpec, Options};

/// Where the iteration of a step starts [Lee2016 sect. 3.3].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guess {
    /// Nothing moves (IG1).
    Zero,
    /// The velocities at the knot go on (IG2).
    Velocity,
    /// They go on with the accelerations at the knot (IG3).
    ForwardDynamics,
}

const ZERO: &str = "zero";
const VELOCITY: &str = "velocity";

/// The option for it.
pub const GUESS: OptionSpec = OptionSpec {
    name: "guess",
    summary: "where the iteration of a step starts",
    kind: OptionKind::Choice {
        default: "forward-dynamics",
        words: &[
            (ZERO, "where the mechanism is: nothing moves"),
            (VELOCITY, "the velocities go on as they are"),
            (
                "forward-dynamics",
                "the velocities go on with the accelerations of the moment",
            ),
        ],
    },
};

impl Guess {
    /// What the options choose.
    pub fn of(options: &Options) -> Self {
        match options.word(&GUESS) {
            ZERO => Self::Zero,
            VELOCITY => Self::Velocity,
            _ => Self::ForwardDynamics,
        }
    }
}

const QUATERNION: &str = "quaternion";

/// The option for the mean velocity of an interval.
pub const MEAN_VELOCITY: OptionSpec = OptionSpec {
    name: "mean_velocity",
    summary: "which mean velocity of an interval the kinetic energy is that of",
    kind: OptionKind::Choice {
        default: "screw",
        words: &[
            (
                "screw",
                "that of the screw from pose to pose, the logarithm on SE(3): the paper's",
            ),
            (
                QUATERNION,
                "differences of positions and quaternions: the same motion as variational-2",
            ),
        ],
    },
};

impl MeanVelocity {
    /// What the options choose.
    pub fn of(options: &Options) -> Self {
        match options.word(&MEAN_VELOCITY) {
            QUATERNION => Self::Quaternion,
            _ => Self::Screw,
        }
    }
}
