//! What the methods on accelerations let a user choose.

use crate::integrators::{OptionError, OptionKind, OptionSpec, Options, Settings, SettingsError};

/// What keeps the joints shut, whose second derivatives alone the accelerations keep at zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stabilisation {
    /// Nothing: joints open by what the method's errors add up to.
    None,
    /// Open joints are pulled shut at this rate [1/s] [Baumgarte 1972].
    Baumgarte(f64),
    /// Poses and velocities are put on the constraints after every step, by the least change weighted by mass.
    Projection,
}

const NONE: &str = "none";
const BAUMGARTE: &str = "baumgarte";
const PROJECTION: &str = "projection";

const STABILISATION: OptionSpec = OptionSpec {
    name: "stabilisation",
    summary: "what keeps the joints shut, which accelerations alone do not",
    kind: OptionKind::Choice {
        default: NONE,
        words: &[
            (NONE, "nothing: joints open by what the errors add up to"),
            (
                BAUMGARTE,
                "open joints are pulled shut at the rate `baumgarte`",
            ),
            (
                PROJECTION,
                "positions and velocities are put on the constraints after every step",
            ),
        ],
    },
};

const RATE: OptionSpec = OptionSpec {
    name: "baumgarte",
    summary: "rate at which `stabilisation=baumgarte` pulls open joints shut; at most 1/dt",
    kind: OptionKind::Real {
        default: 5.0,
        range: [0.0, 1e6],
        unit: "1/s",
    },
};

/// All of them.
pub const OPTIONS: &[OptionSpec] = &[STABILISATION, RATE];

impl Stabilisation {
    /// What the options choose.
    pub fn of(options: &Options) -> Self {
        match options.word(&STABILISATION) {
            BAUMGARTE => Self::Baumgarte(options.real(&RATE)),
            PROJECTION => Self::Projection,
            _ => Self::None,
        }
    }
}

/// An explicit step cannot follow a rate above its own.
pub fn check(settings: &Settings) -> Result<(), SettingsError> {
    match Stabilisation::of(&settings.options) {
        Stabilisation::Baumgarte(rate) if rate * settings.dt > 1.0 => {
            Err(SettingsError::Option(OptionError::Value {
                name: RATE.name,
                found: rate.to_string(),
                expected: format!("a rate from 0 to 1/dt, {}", 1.0 / settings.dt),
                suggestion: None,
            }))
        }
        _ => Ok(()),
    }
}
