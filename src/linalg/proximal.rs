//! Regularisation of systems in which constraints may be redundant.
//!
//! Where a constraint implies another, the matrix that gives their multipliers is singular. `ρ` times a
//! [reference](reference) of each row is added to its diagonal, in the factorisation only: the unknown is the change
//! of the multiplier and the residual is exact, so that repeating the solve leaves nothing softened.

/// Regularisation of a row relative to its [reference](reference).
pub const RHO: f64 = 1e-8;

/// Part of a row's free mobility below which what elimination leaves of it is taken for nothing.
///
/// What is really left is as small as the ratio of the mass of a light body to that of the heavy ones it is tied to.
/// What rounding leaves is smaller: a pivot's own, 1e-16, and the product of how far joints are open at the first knot
/// (their tolerance, 1e-9) and at the guess of the second (1e-3).
const NOTHING: f64 = 1e-10;

/// Size by which a constraint row is measured: its own mobility, the `diagonal` that elimination of all but constraints
/// of its kind has left it, or, where that is nothing, the mobility `free` that it would have were all bodies free.
/// What those constraints leave says nothing: behind one that implies it, a row keeps `ρ` of its size. Rows of metres and of radians are
/// each measured by themselves, and all sizes scale with the mechanism.
pub fn reference(diagonal: f64, free: f64) -> f64 {
    if diagonal.abs() < NOTHING * free.abs() {
        free
    } else {
        // Both have the sign of the time step.
        diagonal.abs().copysign(free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_measured_by_what_is_left_of_it_unless_that_is_rounding() {
        assert_eq!(reference(0.25, 2.0), 0.25);
        assert_eq!(reference(1e-6, 2.0), 1e-6);
        assert_eq!(reference(-1e-17, 2.0), 2.0);
        // Backward in time.
        assert_eq!(reference(-0.25, -2.0), -0.25);
        assert_eq!(reference(0.0, -2.0), -2.0);
        // The same mechanism in other units.
        assert_eq!(reference(1e-17 * 1e12, 2.0 * 1e12), 2.0 * 1e12);
    }
}
