//! Which unilateral constraints are closed.
//!
//! Force and gap of a constraint should not both be above zero. A solution is never exact: an interior point leaves
//! `force · gap` at a small number, so that bodies far apart push each other a little. What rebounds, what is shown,
//! what the velocity at a knot is projected on and what makes bodies one island must all mean the same contacts, which
//! are therefore told here.

/// What a force and a gap are compared with, each in the same measure as what it scales.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scales {
    /// Forces or impulses that are handled.
    pub force: f64,
    /// The way that bodies make in the step.
    pub way: f64,
}

impl Scales {
    /// One scale of both, where they are measured as velocities: impulses over the effective mass, gaps over the step.
    pub fn of_speed(speed: f64) -> Self {
        Self {
            force: speed,
            way: speed,
        }
    }

    /// Whether a force is more than rounding.
    pub fn count(&self, force: f64) -> bool {
        force / self.force > FORCE
    }
}

/// Part of the forces handled below which a force is rounding.
const FORCE: f64 = 1e-9;

/// Part of the way of a step below which a gap is none: the root of the product of both at which interior points stop
/// at the latest, so that of a product left over at most one of the two counts.
const GAP: f64 = 1e-3;

/// Whether a force counts and the gap does not: the force is above its tolerance, the gap below its own, and as parts
/// of their scales the force is the larger one.
pub fn is_closed(force: f64, gap: f64, scales: Scales) -> bool {
    scales.count(force) && gap / scales.way < GAP.min(force / scales.force)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_interior_point_leaves_is_not_a_contact() {
        // A body that falls at 4.4 m/s stops 6.7 mm above the floor within a step of 5 ms, where gravity gives
        // 0.049 m/s: the gap over the step is 1.3 m/s. Products stop at 1e-9 to 1e-6 of a resting contact's.
        let scales = Scales::of_speed(0.049);
        for product in [1e-9, 1e-6] {
            let gap = 6.7e-3 / 5e-3;
            let force = product * 0.049 * 0.049 / gap;
            // It used to be closed, and to rebound: any force above zero was.
            assert!(force > 0.0 && !is_closed(force, gap, scales));
            // The same product at rest is a contact that carries its body.
            assert!(is_closed(0.049, product * 0.049, scales));
        }
    }

    #[test]
    fn what_is_closed_does_not_depend_on_the_units() {
        for unit in [1e-9, 1.0, 1e9] {
            let scales = Scales {
                force: 3.0 * unit,
                way: 1e-4 / unit,
            };
            assert!(is_closed(1e-6 * unit, 0.0, scales));
            assert!(is_closed(2.0 * unit, -1.0 / unit, scales), "deep is closed");
            assert!(!is_closed(1e-10 * unit, 0.0, scales));
            assert!(!is_closed(3.0 * unit, 2e-7 / unit, scales));
        }
    }

    #[test]
    fn where_nothing_is_handled_nothing_is_closed() {
        let none = Scales::of_speed(0.0);
        assert!(!is_closed(0.0, 0.0, none));
        assert!(!is_closed(f64::NAN, 0.0, Scales::of_speed(1.0)));
    }
}
