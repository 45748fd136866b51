//! What the methods on accelerations let a user choose.

use super::tableau::{self, Tableau};
use crate::integrators::parametrisation::PARAMETRISATION;
use crate::integrators::{OptionError, OptionKind, OptionSpec, Options, Settings, SettingsError};

/// What keeps the joints shut, whose second derivatives alone the accelerations keep at zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stabilisation {
    /// Nothing: joints open by what the method's errors add up to.
    None,
    /// Open joints are pulled shut at this rate (1/s) [Baumgarte 1972].
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
        usual: 5.0,
        range: [0.0, 1e6],
        unit: "1/s",
    },
};

const TABLEAU: OptionSpec = OptionSpec {
    name: "tableau",
    summary: "which Runge-Kutta method",
    kind: OptionKind::Choice {
        default: tableau::RK44.name,
        words: &tableau::WORDS,
    },
};

const AUTO: &str = "auto";

const CONTROL: OptionSpec = OptionSpec {
    name: "control",
    summary: "whether a step is one of the method, or steps are as long as the error allows",
    kind: OptionKind::Choice {
        default: "fixed",
        words: &[
            ("fixed", "a step of the method for a step of the simulation"),
            (
                AUTO,
                "shorter or longer ones, by the estimate of their `error`",
            ),
        ],
    },
};

const ERROR: OptionSpec = OptionSpec {
    name: "error",
    summary: "with `control=auto`: how far a second may lead astray, as a configuration distance",
    kind: OptionKind::Real {
        default: 1e-6,
        usual: 1e-6,
        range: [1e-14, 1.0],
        unit: "m",
    },
};

/// Those of the method of any tableau.
pub const ALL: &[OptionSpec] = &[
    TABLEAU,
    PARAMETRISATION,
    CONTROL,
    ERROR,
    STABILISATION,
    RATE,
];

/// Those of a method whose tableau is in its name.
pub const PRESET: &[OptionSpec] = &[PARAMETRISATION, CONTROL, ERROR, STABILISATION, RATE];

/// Those of a method that is no Runge-Kutta method.
pub const STABILISATIONS: &[OptionSpec] = &[STABILISATION, RATE];

/// The tableau that the options choose.
pub fn tableau(options: &Options) -> &'static Tableau {
    tableau::named(options.word(&TABLEAU))
}

/// What a second may lead astray by where the length of steps is chosen by that (m).
pub fn error(options: &Options) -> Option<f64> {
    (options.word(&CONTROL) == AUTO).then(|| options.real(&ERROR))
}

/// The order of a tableau of this order; `None` where the length of steps is chosen by the error.
pub fn order(options: &Options, order: u32) -> Option<u32> {
    error(options).is_none().then_some(order)
}

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
