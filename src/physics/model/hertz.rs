//! How far surfaces give where they touch: by a spring of one stiffness, or as elastic bodies that are round do [Johnson1985].

use super::compliance::Compliance;
use serde::{Deserialize, Serialize};

/// Elastic surfaces that are round where they touch [Drumwright eq. 121 to 123]: pressed in by `d` they push with
/// `4/3 E* √R d^{3/2} + B d/dt d^{3/2}`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Hertz {
    /// Effective modulus `E*` (Pa): Young's modulus over one less the square of Poisson's ratio, of both surfaces together where
    /// both give.
    pub modulus: f64,
    /// Damping `B` [N·s/m^{3/2}].
    pub damping: f64,
    /// Radius of curvature `R` of what has none of its own: corners, edges, faces on each other (m).
    pub radius: Option<f64>,
}

impl Hertz {
    /// A surface of a material by Young's modulus (Pa) and Poisson's ratio.
    pub fn of(young: f64, poisson: f64, damping: f64, radius: Option<f64>) -> Self {
        Self {
            modulus: young / (1.0 - poisson * poisson),
            damping,
            radius,
        }
    }

    /// Two of them on each other: both carry the same force, each gives its part of the depth, and its damper acts on that
    /// part. Of two radii the smaller counts.
    #[must_use]
    pub fn behind(self, other: Self) -> Self {
        let sum = self.modulus + other.modulus;
        let modulus = if sum > 0.0 {
            self.modulus * (other.modulus / sum)
        } else {
            0.0
        };
        // Part of the depth that each gives: the stiffer, the less.
        let part = |own: Self, against: Self| {
            if sum > 0.0 {
                against.modulus / sum
            } else {
                0.5
            }
            .powf(2.5)
                * own.damping
        };
        let radius = match (self.radius, other.radius) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self {
            modulus,
            damping: part(self, other) + part(other, self),
            radius,
        }
    }
}

/// How far a surface gives along its normal at a contact point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum SurfaceCompliance {
    /// A spring and damper.
    Linear(Compliance),
    /// The more, the deeper it is pressed in.
    Hertz(Hertz),
}

impl Default for SurfaceCompliance {
    fn default() -> Self {
        Self::RIGID
    }
}

impl From<Compliance> for SurfaceCompliance {
    fn from(compliance: Compliance) -> Self {
        Self::Linear(compliance)
    }
}

impl SurfaceCompliance {
    /// As stiff as double precision allows.
    pub const RIGID: Self = Self::Linear(Compliance::RIGID);

    /// Whether it gives by no more than rounding.
    pub fn is_rigid(&self) -> bool {
        matches!(self, Self::Linear(c) if c.is_rigid())
    }

    /// Two surfaces on each other. `None` where they have no law together: a spring of one stiffness and a round surface.
    pub fn behind(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Linear(a), Self::Linear(b)) => Some(Self::Linear(a.behind(b))),
            (Self::Hertz(a), Self::Hertz(b)) => Some(Self::Hertz(a.behind(b))),
            (rigid, own) | (own, rigid) if rigid.is_rigid() => Some(own),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_surfaces_share_depth_and_dissipation() {
        let (a, b) = (
            Hertz::of(2e11, 0.3, 5.0, None),
            Hertz::of(7e10, 0.35, 2.0, Some(0.02)),
        );
        let both = a.behind(b);
        let wanted = 1.0 / ((1.0 - 0.09) / 2e11 + (1.0 - 0.1225) / 7e10);
        assert!((both.modulus / wanted - 1.0).abs() < 1e-14);
        assert_eq!(both.radius, Some(0.02));
        // Power of both dampers at a depth and a rate of one: each of the depth that the same force gives it.
        let of = |own: Hertz| {
            let part = both.modulus / own.modulus;
            1.5 * own.damping * part.sqrt() * part * part
        };
        assert!((1.5 * both.damping - of(a) - of(b)).abs() < 1e-14 * both.damping);
        let stiff = SurfaceCompliance::Hertz(a);
        assert_eq!(stiff.behind(SurfaceCompliance::RIGID), Some(stiff));
        let spring = Compliance {
            stiffness: 3.0,
            damping: 0.0,
        };
        assert_eq!(stiff.behind(spring.into()), None);
    }
}
