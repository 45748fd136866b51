//! Laws of the interior point against their definitions.

use super::{DT, scene};
use crate::math::Vec3;
use crate::solver::unilateral::ConeSection;
use crate::solver::unilateral::constraint::{Scene, Unilateral, What};
use crate::solver::unilateral::interior::{Barrier, Interior};
use crate::solver::{LinearSolver, MechanismSolver};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A step that follows the linearised law closes all residuals of the slack variables, and changes the sum of
    /// products at the rate that was aimed at.
    #[test]
    fn interior_steps_follow_their_linearisation(
        numbers in proptest::collection::vec(0.05..1.0, 12), choice in 0usize..5, target in 0.01..0.5,
        alone: bool,
    ) {
        let barrier = [
            Barrier::Coulomb(ConeSection::Disc),
            Barrier::Coulomb(ConeSection::Polygon(4)),
            Barrier::Coulomb(ConeSection::Polygon(10)),
            Barrier::Convex { compliance: 0.0 },
            Barrier::Convex { compliance: 0.3 },
        ][choice];
        let (model, state, contacts) = scene(&[0.1, -0.3, 0.2, 0.4, -0.2]);
        let mut solver = MechanismSolver::new(&model, LinearSolver::Articulated);
        solver.place(&state.bodies, &Vec3::zeros());
        let what = Scene {
            model: &model,
            topology: &solver.topology,
            links: &solver.links,
            contacts: &contacts,
            first: &state.bodies,
            angles: &state.angles,
            scale: &solver.scale,
            dt: DT,
        };
        // A contact with friction, or a single row, which yields as softly as three do.
        let one = if alone { What::Cable { cable: 0, entry: 2 } } else { What::Contact(0) };
        let mut unilaterals = vec![Unilateral::new(one, &what)];
        let mut interior = Interior::default();
        interior.start(&mut unilaterals, barrier, 0.7, &[0.2]);
        let mut count = None;
        for round in 0..2 {
            unilaterals[0].velocity = [numbers[0], numbers[1] - 0.5, numbers[2] - 0.5];
            let law = interior.law(0, &unilaterals[0], barrier);
            let rhs = interior.aim(0, &unilaterals[0], barrier, target, false);
            let moved = Vec3::new(numbers[3], numbers[4] - 0.5, numbers[5] - 0.5) * 0.3;
            let change = law.c.try_inverse().unwrap() * (rhs - law.e * moved);
            unilaterals[0].change = change.into();
            for row in unilaterals[0].rows..3 {
                unilaterals[0].change[row] = 0.0;
            }
            interior.follow(0, &mut unilaterals[0], &moved, barrier, (target, false));
            let (before, _) = interior.complementarity(&unilaterals);
            let h = 1e-6;
            let rate = (interior.products(&unilaterals, h).0 - interior.products(&unilaterals, -h).0) / (2.0 * h);
            // The mean of all products goes to the target; rounding of the condensed law.
            prop_assert!((rate - (target - before)).abs() < 1e-7, "{rate} {}", target - before);
            count.get_or_insert(before);
            // A part of the step closes that part of the residuals; the next round starts off centre.
            let part = (0.5 * interior.limit(&unilaterals)).min(1.0);
            let open = interior.infeasibility(&unilaterals, barrier);
            if let Barrier::Convex { compliance } = barrier && alone {
                // Its own law, with the compliance that a single row used to be left without.
                let (r, u) = (unilaterals[0].impulse[0], unilaterals[0].velocity[0]);
                let row = law.c[(0, 0)] * unilaterals[0].change[0] + law.e[(0, 0)] * moved[0];
                let s = u + compliance * r;
                let stiff = (law.c[(0, 0)] - compliance * law.e[(0, 0)]) / law.e[(0, 0)];
                let wanted = law.e[(0, 0)] * (target / r - s);
                prop_assert!(stiff > 0.0 && (row - wanted).abs() < 1e-9, "{row} {wanted}");
            }
            for row in 0..3 {
                unilaterals[0].velocity[row] += part * moved[row];
                unilaterals[0].impulse[row] += part * unilaterals[0].change[row];
            }
            interior.advance(part);
            let left = interior.infeasibility(&unilaterals, barrier);
            prop_assert!((left - (1.0 - part) * open).abs() < 1e-9 * (1.0 + open), "round {round}: {left} {open} {part}");
            for row in 0..3 {
                unilaterals[0].velocity[row] -= part * moved[row];
            }
        }
    }
}
