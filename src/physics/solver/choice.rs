//! What a user chooses about the solver.

use std::fmt;
use std::str::FromStr;

/// Which solver takes the linear systems of a step. All give the same solution up to rounding; where contacts, joint
/// limits or cables take part, the block LDU of the whole graph does.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum LinearSolver {
    /// Body and joint multipliers eliminated as a pair, leaf to root; loops carried up as small dense blocks.
    #[default]
    Articulated,
    /// The block LDU of the papers on the mechanism's graph [Brüdigam2023 alg. 1-4].
    BlockLdu,
    /// Dense LU of the whole system: the oracle.
    Dense,
}

/// Which cone bounds the friction force of a contact.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(try_from = "String", into = "String")]
pub enum FrictionCone {
    /// The circular cone: friction is the same in all directions and opposes the slip.
    #[default]
    Exact,
    /// A pyramid with that many edges, 4 or more and even [Brüdigam2023 eq. 25-29].
    Linearised(u32),
}

impl fmt::Display for FrictionCone {
    /// `exact` or `linearised-4`, as scenes and the command line write it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact"),
            Self::Linearised(edges) => write!(f, "linearised-{edges}"),
        }
    }
}

impl From<FrictionCone> for String {
    fn from(cone: FrictionCone) -> Self {
        cone.to_string()
    }
}

impl TryFrom<String> for FrictionCone {
    type Error = ConeError;

    fn try_from(word: String) -> Result<Self, ConeError> {
        word.parse()
    }
}

/// Most edges of a linearised cone.
pub const MOST_EDGES: u32 = 32;

/// A word that is no friction cone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no friction cone; expected `exact`, or `linearised-4` with an even number of edges from 4 to {MOST_EDGES}"
)]
pub struct ConeError(String);

impl FromStr for FrictionCone {
    type Err = ConeError;

    fn from_str(word: &str) -> Result<Self, ConeError> {
        if word == "exact" {
            return Ok(Self::Exact);
        }
        let edges = word
            .strip_prefix("linearised-")
            .and_then(|n| n.parse().ok());
        edges
            .filter(|n: &u32| n.is_multiple_of(2) && (4..=MOST_EDGES).contains(n))
            .map(Self::Linearised)
            .ok_or_else(|| ConeError(word.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn friction_cones_are_read_as_they_are_written() {
        for cone in [
            FrictionCone::Exact,
            FrictionCone::Linearised(4),
            FrictionCone::Linearised(12),
        ] {
            assert_eq!(cone.to_string().parse(), Ok(cone));
        }
        for wrong in [
            "linearised-5",
            "linearised-2",
            "linearised-34",
            "linearised",
            "round",
        ] {
            assert!(wrong.parse::<FrictionCone>().is_err(), "{wrong}");
        }
    }
}
