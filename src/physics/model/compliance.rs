//! How far a constraint gives.

use serde::{Deserialize, Serialize};

/// Spring and damper of one direction in which a constraint holds, `-stiffness · φ - damping · φ̇` of how far it is open.
/// Methods that hold constraints rigidly take it as [`RIGID`](Self::RIGID), whatever it says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Compliance {
    /// (N/m) or (N·m/rad); infinite: as stiff as double precision allows.
    pub stiffness: f64,
    /// (N·s/m) or (N·m·s/rad); without a meaning where the stiffness is infinite.
    pub damping: f64,
}

impl Default for Compliance {
    fn default() -> Self {
        Self::RIGID
    }
}

impl Compliance {
    /// As stiff as double precision allows.
    pub const RIGID: Self = Self {
        stiffness: f64::INFINITY,
        damping: 0.0,
    };

    /// Whether it gives by no more than rounding.
    pub fn is_rigid(&self) -> bool {
        self.stiffness == f64::INFINITY
    }

    /// Two of them one behind the other, as in the contact of two bodies. Each takes its part of the deflection, and its
    /// damper acts on that part.
    #[must_use]
    pub fn behind(self, other: Self) -> Self {
        let stiffness = match [self.stiffness, other.stiffness] {
            [a, b] if a == f64::INFINITY => b,
            [a, b] if b == f64::INFINITY => a,
            [a, b] if a + b > 0.0 => a * (b / (a + b)),
            _ => 0.0,
        };
        let part = |k: f64| match (k == f64::INFINITY, stiffness == f64::INFINITY) {
            (true, true) => 1.0,
            (true, false) => 0.0,
            // Without stiffness both give alike.
            _ if k == 0.0 && stiffness == 0.0 => {
                if self.stiffness == other.stiffness {
                    0.5
                } else {
                    1.0
                }
            }
            _ => stiffness / k,
        };
        let [a, b] = [self, other].map(|c| c.damping * part(c.stiffness).powi(2));
        Self {
            stiffness,
            damping: a + b,
        }
    }

    /// The same of a direction in which a unit is `lever` times as long.
    #[must_use]
    pub fn times_lever(self, lever: f64) -> Self {
        let over = 1.0 / (lever * lever);
        Self {
            stiffness: self.stiffness * over,
            damping: self.damping * over,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_springs_one_behind_the_other_share_the_deflection() {
        let of = |stiffness, damping| Compliance { stiffness, damping };
        let both = of(300.0, 3.0).behind(of(600.0, 6.0));
        // Two thirds of the deflection in the softer one: 3 · 4/9 + 6 · 1/9.
        assert!((both.stiffness - 200.0).abs() < 1e-12 && (both.damping - 2.0).abs() < 1e-14);
        assert_eq!(Compliance::RIGID.behind(of(5.0, 7.0)), of(5.0, 7.0));
        assert_eq!(of(5.0, 7.0).behind(Compliance::RIGID), of(5.0, 7.0));
        assert!(Compliance::RIGID.behind(Compliance::RIGID).is_rigid());
        // What has no stiffness takes all of the deflection, or its half.
        assert_eq!(of(0.0, 7.0).behind(of(5.0, 9.0)), of(0.0, 7.0));
        assert_eq!(of(0.0, 8.0).behind(of(0.0, 8.0)), of(0.0, 4.0));
    }
}
