//! What the method lets a user choose.

use crate::integrators::{OptionKind, OptionSpec, Options};

const PUSH_ACCURACY: OptionSpec = OptionSpec {
    name: "push_accuracy",
    summary: "largest violation of the laws of contact that is accepted, relative to the speed that forces give in a step",
    kind: OptionKind::Real {
        default: 1e-4,
        usual: 1e-4,
        range: [1e-10, 1e-2],
        unit: "",
    },
};

const CORRECTIONS: OptionSpec = OptionSpec {
    name: "corrections",
    summary: "solutions with the same factors at most that follow joints round their curves; 0 is the method as published",
    kind: OptionKind::Whole {
        default: 6,
        range: [0, 20],
    },
};

/// All of them.
pub const OPTIONS: &[OptionSpec] = &[PUSH_ACCURACY, CORRECTIONS];

/// Work after which an island is left as it is, in visits of points: half a second.
pub const BUDGET: f64 = 5e6;

/// Corrections for the curvature of joints at most.
pub fn corrections(options: &Options) -> u32 {
    options.whole(&CORRECTIONS)
}

/// Largest violation over the speed of the step.
pub fn accuracy(options: &Options) -> f64 {
    options.real(&PUSH_ACCURACY)
}
