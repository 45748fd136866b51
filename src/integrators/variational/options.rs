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
    /// What the options of a variational method choose.
    pub fn of(options: &Options) -> Self {
        match options.word(&CONTACT_SOLVER) {
            INTERIOR_POINT => Self::InteriorPoint,
            NEWTON => Self::Newton,
            _ => Self::Hybrid,
        }
    }
}
