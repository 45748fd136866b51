//! The problem of one point against a search that knows nothing of its algebra.

use super::super::local::{Local, turned, turned_back};
use crate::math::{Mat3, Vec3};
use proptest::prelude::*;

/// How far impulses and velocities are from Coulomb's law, written as inequalities and not as projections.
fn error(r: &Vec3, u: &Vec3, friction: f64) -> f64 {
    let (rt, ut) = (r.yz().norm(), u.yz().norm());
    let normal = (-r.x).max(-u.x).max(r.x.max(0.0) * u.x.max(0.0));
    let cone = rt - friction * r.x.max(0.0);
    // Most work is taken: µ r_n |u_t| + r_t·u_t vanishes.
    let work = (friction * r.x * ut + r.yz().dot(&u.yz())).abs();
    normal.max(cone).max(work)
}

/// A mobility with eigenvalues between `1/spread` and 1.
fn mobility(axes: [f64; 3], spread: f64, middle: f64) -> Mat3 {
    let turn = nalgebra::Rotation3::new(Vec3::from(axes));
    let values = Vec3::new(1.0, 1.0 / spread, spread.powf(-middle));
    turn.matrix() * Mat3::from_diagonal(&values) * turn.matrix().transpose()
}

/// The solution with prepared tangents, in those that were given.
fn solved(w: &Mat3, q: &Vec3, friction: f64, start: Vec3, slip: &mut f64) -> Vec3 {
    let (local, turn) = Local::new(w, 3, friction).expect("it is positive");
    let u = q + w * start;
    let [ux, uy] = turned(turn, [u.y, u.z]);
    let [rx, ry] = turned(turn, [start.y, start.z]);
    let [n, x, y] = local.solve([start.x, rx, ry], [u.x, ux, uy], slip);
    let [x, y] = turned_back(turn, [x, y]);
    Vec3::new(n, x, y)
}

proptest! {
    /// Every mobility, friction and start: the law as inequalities, to rounding of numbers up to the spread.
    #[test]
    fn a_point_keeps_coulombs_law(
        axes in prop::array::uniform3(-3.0..3.0f64),
        decades in 0.0..4.0f64,
        middle in 0.0..1.0f64,
        q in prop::array::uniform3(-2.0..2.0f64),
        start in prop::array::uniform3(-2.0..2.0f64),
        friction in prop_oneof![Just(0.0), 0.0..3.0f64],
        mut slip in prop_oneof![Just(-1.0), 0.0..10.0f64],
    ) {
        let spread = 10f64.powf(decades);
        let (w, q) = (mobility(axes, spread, middle), Vec3::from(q));
        let r = solved(&w, &q, friction, Vec3::from(start), &mut slip);
        let u = q + w * r;
        // Impulses are up to the spread, products of them up to its square.
        let size = 1.0 + r.norm();
        prop_assert!(error(&r, &u, friction) < 1e-11 * size * size, "{r} {u}");
        // From its own solution with the slip remembered nothing moves but by rounding.
        let again = solved(&w, &q, friction, r, &mut slip);
        prop_assert!((again - r).norm() < 1e-9 * spread * size);
    }

    /// Where friction couples weakly the solution is unique: that of a search over all directions of slip, each with
    /// the impulses that it implies. The grid of 1e-4 rad is refined by bisection; what is left is 1e-9.
    #[test]
    fn a_sliding_point_slides_as_a_search_over_directions_says(
        skew in prop::array::uniform2(-0.2..0.2f64),
        tangential in prop::array::uniform3(0.5..2.0f64),
        q in prop::array::uniform2(-2.0..2.0f64),
        friction in 0.05..0.6f64,
    ) {
        let cross = 0.3 * (tangential[2] - 1.0);
        let w = Mat3::new(
            1.0, skew[0], skew[1], skew[0], tangential[0], cross, skew[1], cross, tangential[1],
        );
        let q = Vec3::new(-1.0, q[0], q[1]);
        let r = solved(&w, &q, friction, Vec3::zeros(), &mut -1.0);
        prop_assume!(r.yz().norm() >= friction * r.x * (1.0 - 1e-9));
        // A direction of friction implies all impulses; its slip must oppose it.
        let at = |angle: f64| {
            let (s, c) = angle.sin_cos();
            let along = Vec3::new(1.0, friction * c, friction * s);
            let r = along * (-q.x / (w * along).x);
            let u = q + w * r;
            (r, c * u.z - s * u.y, c * u.y + s * u.z)
        };
        let steps = 20_000;
        let angle = |k: usize| std::f64::consts::TAU * k as f64 / steps as f64;
        let mut nearest = f64::INFINITY;
        for k in 0..steps {
            let (mut low, mut high) = (angle(k), angle(k + 1));
            if at(low).1 * at(high).1 > 0.0 {
                continue;
            }
            for _ in 0..50 {
                let middle = 0.5 * (low + high);
                if at(low).1 * at(middle).1 > 0.0 { low = middle } else { high = middle }
            }
            if at(low).2 <= 1e-9 {
                nearest = nearest.min((at(low).0 - r).norm());
            }
        }
        prop_assert!(nearest < 1e-9, "{nearest}");
    }
}

#[test]
fn without_friction_the_normal_row_is_alone() {
    let w = Mat3::new(2.0, 0.3, 0.1, 0.3, 1.0, 0.0, 0.1, 0.0, 1.0);
    let r = solved(
        &w,
        &Vec3::new(-4.0, 1.0, -1.0),
        0.0,
        Vec3::new(1.0, 0.0, 0.0),
        &mut -1.0,
    );
    assert!((r - Vec3::new(2.0, 0.0, 0.0)).norm() < 1e-15 * 10.0);
    let (single, _) = Local::new(&w, 1, 0.5).expect("it moves");
    assert_eq!(
        single.solve([0.0; 3], [-4.0, 9.0, 9.0], &mut -1.0),
        [2.0, 0.0, 0.0]
    );
    assert_eq!(
        single.solve([1.0, 0.0, 0.0], [3.0, 0.0, 0.0], &mut -1.0),
        [0.0; 3]
    );
    assert!(Local::new(&Mat3::zeros(), 3, 0.5).is_none());
}
