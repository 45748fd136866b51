//! What a table says about a claim.

use std::fmt;

/// How a claim stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// What was measured is as the paper says.
    Holds,
    /// It is not.
    Differs,
    /// The table does not tell.
    Unjudged,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Holds => "holds",
            Self::Differs => "differs",
            Self::Unjudged => "cannot be judged",
        })
    }
}

/// A standing with what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// How the claim stands.
    pub standing: Standing,
    /// What was measured, and why it stands so.
    pub why: String,
}

impl Verdict {
    /// The claim holds if `good`, else it differs.
    pub fn of(good: bool, why: String) -> Self {
        let standing = if good {
            Standing::Holds
        } else {
            Standing::Differs
        };
        Self { standing, why }
    }

    /// The table does not tell.
    pub fn unjudged(why: impl Into<String>) -> Self {
        Self {
            standing: Standing::Unjudged,
            why: why.into(),
        }
    }
}
