//! What the variational methods let a user choose.

use crate::integrators::{OptionKind, OptionSpec, Options};

/// How the contact problem of a step is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactSolver {
    /// Non-smooth Newton; where it does not converge, interior point and Newton from there.
    Hybrid,
    /// The papers' interior point alone [Brüdigam2023 sect. 3.5].
    InteriorPoint,
    /// Non-smooth Newton alone.
    Newton,
}

const INTERIOR_POINT: &str = "interior-point";
const NEWTON: &str = "newton";

/// The option for it.
pub const CONTACT_SOLVER: OptionSpec = OptionSpec {
    name: "contact_solver",
    summary: "how the contacts, joint limits and cables of a step are solved",
    kind: OptionKind::Choice {
        default: "hybrid",
        words: &[
            (
                "hybrid",
                "Newton's method; where it does not converge, the interior point first",
            ),
            (
                INTERIOR_POINT,
                "the interior point of the papers alone: slower, gaps stay a little open",
            ),
            (
                NEWTON,
                "Newton's method alone: fast, fails where contacts jam",
            ),
        ],
    },
};

impl ContactSolver {
    fn of(options: &Options) -> Self {
        match options.word(&CONTACT_SOLVER) {
            INTERIOR_POINT => Self::InteriorPoint,
            NEWTON => Self::Newton,
            _ => Self::Hybrid,
        }
    }
}

/// How accurately the laws of contact are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accuracy {
    /// Exact where few points take part in a step, live where many do.
    Auto,
    /// To the tolerance of the method.
    Exact,
    /// To a thousandth of the speed that gravity gives in a step, within a budget.
    Live,
}

const EXACT: &str = "exact";
const LIVE: &str = "live";

/// The option for it.
pub const ACCURACY: OptionSpec = OptionSpec {
    name: "contact_accuracy",
    summary: "how accurately the laws of contact are kept where bodies without joints touch",
    kind: OptionKind::Choice {
        default: "auto",
        words: &[
            (
                "auto",
                "exact where up to 64 contact points take part in a step, live where more do",
            ),
            (
                EXACT,
                "to the tolerance, however long it takes: to rounding where steps are not relaxed",
            ),
            (
                LIVE,
                "to 1/1000 of what gravity gives in a step, a micrometre at 0.01 s, within a budget of work",
            ),
        ],
    },
};

/// Time that contacts may take in a step where they are solved live.
pub const CONTACT_BUDGET: OptionSpec = OptionSpec {
    name: "contact_budget",
    summary: "time for the contacts of a step where they are solved live, counted in work; 0: as the laws need",
    kind: OptionKind::Real {
        default: 0.0,
        usual: 10.0,
        range: [0.0, 1e6],
        unit: "ms",
    },
};

/// Visits of a contact point that are counted as a millisecond, the searches for contacts among them: as many as a processor of
/// 2023 makes where a heap lands. They are counted and not timed, so that what a step gives does not depend on the machine's pace.
const VISITS: f64 = 6_000.0;

/// Speed below which bodies may fall asleep.
pub const SLEEPING_SPEED: OptionSpec = OptionSpec {
    name: "sleeping_speed",
    summary: "bodies that touch or hang together sleep while no point of theirs is faster; 0: none sleeps",
    kind: OptionKind::Real {
        default: 0.0,
        usual: 0.1,
        range: [0.0, 1e3],
        unit: "m/s",
    },
};

/// How long they must be as slow.
pub const SLEEPING_TIME: OptionSpec = OptionSpec {
    name: "sleeping_time",
    summary: "how long all of them must have been as slow",
    kind: OptionKind::Real {
        default: 0.5,
        usual: 0.5,
        range: [0.0, 1e6],
        unit: "s",
    },
};

/// Unilateral constraints up to which `auto` is exact.
const FEW: usize = 64;

/// What a user chose for contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactOptions {
    /// How they are solved.
    pub solver: ContactSolver,
    /// How accurately.
    pub accuracy: Accuracy,
    /// Work in a step after which what was found is taken where they are solved live, in visits of a contact point.
    pub budget: f64,
}

impl ContactOptions {
    /// What the options of a variational method choose.
    pub fn of(options: &Options) -> Self {
        let budget = options.real(&CONTACT_BUDGET);
        Self {
            solver: ContactSolver::of(options),
            accuracy: Accuracy::of(options),
            budget: if budget > 0.0 {
                VISITS * budget
            } else {
                f64::INFINITY
            },
        }
    }
}

impl Accuracy {
    fn of(options: &Options) -> Self {
        match options.word(&ACCURACY) {
            EXACT => Self::Exact,
            LIVE => Self::Live,
            _ => Self::Auto,
        }
    }

    /// Unilateral constraints of an interval up to which it is solved exactly.
    pub fn exact_up_to(self) -> usize {
        match self {
            Self::Auto => FEW,
            Self::Exact => usize::MAX,
            Self::Live => 0,
        }
    }
}
