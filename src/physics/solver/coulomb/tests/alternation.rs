//! Alternating directions by themselves: they end where every point keeps its law.

use super::super::island::Island;
use super::super::turns::Iterated;
use super::piles::Pile;
use proptest::prelude::*;

/// Iterations at most, and after which it is looked how far the impulses within their cones are from the law.
const ITERATIONS: (u32, u32) = (4000, 50);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Of every island of spheres that fall into a box, whatever they weigh: to a ten-millionth of their speeds. Bodies are in balance,
    /// since their motions are found from those impulses.
    #[test]
    fn they_end_where_every_point_keeps_its_law(
        friction in prop_oneof![Just(0.0), 0.1..0.6f64],
        seed in any::<u64>(),
        decades in 0.0..2.0f64,
    ) {
        let mut pile = Pile::new(12, friction, 10f64.powf(decades), seed);
        let mut island = Island::default();
        for _ in 0..30 {
            pile.fill();
            let problem = &mut pile.problem;
            for k in 0..problem.part() {
                let (bodies, own) = problem.island(k);
                if own.is_empty() {
                    continue;
                }
                island.load(&problem.bodies, &problem.points, bodies, own);
                island.refresh();
                let mut left = island.measure().violation;
                island.begin_alternation(0.05);
                for _ in 0..ITERATIONS.0 / ITERATIONS.1 {
                    if left <= 1e-7 {
                        break;
                    }
                    island.alternate(ITERATIONS.1);
                    left = island.measure().violation;
                }
                prop_assert!(left <= 1e-7, "{} points: {left:e} m/s", own.len());
            }
            problem.solve(&super::compliance::tight());
            pile.follow();
        }
    }
}
