//! What generalised-α lets a user choose, and the coefficients that follow from it.

use crate::integrators::parametrisation::PARAMETRISATION;
use crate::integrators::{OptionKind, OptionSpec, Options};
use crate::solver::assembly::Weights;

const SPECTRAL_RADIUS: OptionSpec = OptionSpec {
    name: "spectral_radius",
    summary: "what a step leaves of motions that are fast for it: 1 all, 0 nothing",
    kind: OptionKind::Real {
        default: 0.9,
        usual: 0.9,
        range: [0.0, 1.0],
        unit: "",
    },
};

const MODIFIED: &str = "modified";

const NEWTON: OptionSpec = OptionSpec {
    name: "newton",
    summary: "how often the matrix of Newton's method is made",
    kind: OptionKind::Choice {
        default: "full",
        words: &[
            ("full", "in every iteration"),
            (
                MODIFIED,
                "at the start of a step, and where an iteration does not halve the error",
            ),
        ],
    },
};

const NEGLECTED: &str = "neglected";

const TANGENT: OptionSpec = OptionSpec {
    name: "tangent",
    summary: "the tangent operator of rv and se3 in the matrix of Newton's method",
    kind: OptionKind::Choice {
        default: "exact",
        words: &[
            ("exact", "as it is"),
            (
                NEGLECTED,
                "the identity in its place, which costs iterations in large steps",
            ),
        ],
    },
};

/// All of them.
pub const OPTIONS: &[OptionSpec] = &[SPECTRAL_RADIUS, PARAMETRISATION, NEWTON, TANGENT];

/// Whether the matrix is kept from one iteration to the next.
pub fn keeps_matrix(options: &Options) -> bool {
    options.word(&NEWTON) == MODIFIED
}

/// Whether the tangent operator is in the matrix.
pub fn has_tangent(options: &Options) -> bool {
    options.word(&TANGENT) != NEGLECTED
}

/// Coefficients of the method [ChungHulbert1993]:
/// ```text
///   (1 - αm) a₁ + αm a₀ = (1 - αf) ẇ₁ + αf ẇ₀
///   q₁ = q₀ + h w₀ + h² ((½ - β) a₀ + β a₁)      w₁ = w₀ + h ((1 - γ) a₀ + γ a₁)
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficients {
    /// `αm`.
    pub alpha_m: f64,
    /// `αf`.
    pub alpha_f: f64,
    /// `β`.
    pub beta: f64,
    /// `γ`.
    pub gamma: f64,
}

impl Coefficients {
    /// Those that the options choose: of order 2, with the spectral radius at infinite frequency.
    pub fn of(options: &Options) -> Self {
        let rho = options.real(&SPECTRAL_RADIUS);
        let alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
        let alpha_f = rho / (rho + 1.0);
        let gamma = 0.5 + alpha_f - alpha_m;
        Self {
            alpha_m,
            alpha_f,
            beta: 0.25 * (gamma + 0.5).powi(2),
            gamma,
        }
    }

    /// What a unit of `a₁` changes at the end of a step of length `h` (s); constraints are scaled so that the matrix is as
    /// well conditioned in the shortest step [Bottasso2008].
    pub fn weights(&self, h: f64) -> Weights {
        let position = self.beta * h * h;
        Weights {
            position,
            velocity: self.gamma * h,
            acceleration: (1.0 - self.alpha_m) / (1.0 - self.alpha_f),
            rows: 1.0 / position,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrators::Written;

    /// Largest amplitude of a step of an oscillation that is infinitely fast for it, by the characteristic polynomial of the
    /// recursion with `q₁ = 0`: `a₁ = -(½-β)/β a₀ - w₀/(β h) - q₀/(β h²)`.
    fn amplification(c: &Coefficients) -> f64 {
        // With q₁ = q₀ = 0, h = 1, in (w, a): ẇ is -ω² q, which the constraint q = 0 leaves free.
        let step = nalgebra::Matrix2::new(
            1.0 - c.gamma / c.beta,
            (1.0 - c.gamma) - c.gamma * (0.5 - c.beta) / c.beta,
            -1.0 / c.beta,
            -(0.5 - c.beta) / c.beta,
        );
        step.complex_eigenvalues()
            .iter()
            .map(|e| e.norm())
            .fold(0.0, f64::max)
    }

    #[test]
    fn the_spectral_radius_is_what_was_asked_for() {
        for rho in [0.0, 0.3, 0.5, 0.9, 1.0] {
            let mut options = Options::default();
            let set = options.set(OPTIONS, SPECTRAL_RADIUS.name, &Written::Number(rho));
            set.expect("it is in the range");
            let c = Coefficients::of(&options);
            // The forces follow a by a filter of its own, whose factor is αf/(1-αf) = ρ; a double eigenvalue is known to
            // the root of rounding.
            assert!((c.alpha_f / (1.0 - c.alpha_f) - rho).abs() < 1e-15, "{rho}");
            assert!(
                (amplification(&c) - rho).abs() < 1e-7,
                "{rho}: {}",
                amplification(&c)
            );
            // Order 2.
            assert!((c.gamma - 0.5 - c.alpha_f + c.alpha_m).abs() < 1e-15);
        }
    }
}
