//! Newton's method for where curved solids part best, beside the search that it begins from.

use super::random::placed;
use super::*;
use crate::contact::curved::moved;
use crate::contact::nearest::{Lie, Nearest, Scope, Start};
use crate::contact::polyhedron::Polyhedron;
use crate::contact::top::top;

/// Nearest points of two solids to this part of their distance, the first moved by `shift`.
fn nearest([x, y]: [&Polyhedron; 2], shift: &Vec3, good: f64) -> Option<Nearest> {
    let scope = Scope {
        rounding: 0.0,
        size: 0.4,
        touching: 0.0,
        limit: f64::INFINITY,
        good,
    };
    match moved(x, y, &Start::Along(x.middle() - y.middle()), shift, &scope) {
        Lie::Near(found) => Some(found),
        _ => None,
    }
}

/// Solids that part best along a direction do so wherever they are moved along it, into each other as well while they are round enough
/// there. A rough search from a little apart is enough to find that direction, and the distance, to rounding: for nine of ten of all poses,
/// the others are those of rims that lie level. The search itself ends where its own rounding lets it.
#[test]
fn a_rough_search_leads_to_where_solids_part_best() {
    let shapes = [
        Geometry::Cylinder {
            radius: 0.3,
            length: 0.5,
        },
        Geometry::Cone {
            radius: 0.3,
            length: 0.6,
        },
        Geometry::Ellipsoid {
            radii: Vec3::new(0.2, 0.3, 0.4),
        },
        Geometry::Box {
            size: Vec3::new(0.4, 0.5, 0.6),
        },
    ];
    let mut random = Lcg(7);
    let (mut tried, mut found) = (0, 0);
    for k in 0..1500 {
        let pair = [k % 3, k / 3 % 4].map(|k| shapes[k].clone());
        let model = scene(&pair, &[]);
        let [a, b] = [0, 1].map(|_| {
            at(
                (random.vector() * 0.8).into(),
                (random.vector() * 3.0).into(),
            )
        });
        let solids = placed(&model, &[a, b]);
        let solids = [&solids[0], &solids[1]];
        let Some(apart) = nearest(solids, &Vec3::zeros(), 1e-13) else {
            continue;
        };
        let distance = (apart.points[0] - apart.points[1]).norm();
        if distance < 1e-2 {
            continue;
        }
        tried += 1;
        let seek = |pair: [&Polyhedron; 2], shift: Vec3| {
            let rough = nearest(pair, &shift, 1e-5).expect("they are clear of each other");
            top(pair, &rough.normal, &rough.seed, 0.4)
        };
        let Some(exact) = seek(solids, Vec3::zeros()) else {
            continue;
        };
        found += 1;
        assert!((exact.distance - distance).abs() < 1e-7, "{k} {exact:?}");
        for asked in [1e-3, -1e-5] {
            let mut near = solids[0].clone();
            let shift = exact.normal * (asked - exact.distance);
            solids[0].place(&Pose::from_parts(shift.into(), Quat::identity()), &mut near);
            let clear = exact.normal * (1e-2 - asked);
            let Some(top) = seek([&near, solids[1]], clear) else {
                continue;
            };
            found += 1;
            assert!((top.distance - asked).abs() < 1e-11, "{k} {top:?}");
            assert!((top.normal - exact.normal).norm() < 1e-6, "{k} {top:?}");
            // Two points of the solids that are as far apart as the solids along a direction: none are nearer.
            assert!(top.mismatch() < 1e-11, "{k} {top:?}");
        }
    }
    assert!(tried > 300, "{tried}");
    assert!(10 * found >= 9 * 3 * tried, "{found} of 3 times {tried}");
}
