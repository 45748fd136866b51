//! What unilateral constraints are compared with, and how fast a violation is mended.

use super::super::{Unilateral, mending};
use super::DT;
use super::rows::Bench;
use crate::math::Vec3;
use crate::solver::What;

#[test]
fn angles_count_at_the_length_of_their_joint_and_gaps_beside_the_smaller_body() {
    let mut bench = Bench::new();
    let all: Vec<What> = super::super::limits(&bench.model).collect();
    let scale = &bench.solver.scale;
    let (joint, smaller) = (scale.joint(0), scale.smaller(bench.contacts[0].bodies));
    let of = |what| {
        let unilateral = Unilateral::new(what, &bench.scene());
        (unilateral.lever, unilateral.size)
    };
    assert!(joint.is_finite() && ![0.0, 1.0].contains(&joint));
    assert!(smaller.is_finite() && ![0.0, 1.0].contains(&smaller));
    // Limits of a displacement, limits of an angle, the cable, a contact.
    for what in &all[..2] {
        assert_eq!(of(*what), (1.0, joint));
    }
    for what in &all[2..4] {
        assert_eq!(of(*what), (joint, joint));
    }
    assert_eq!(of(all[4]), (1.0, smaller));
    assert_eq!(of(What::Contact(0)), (1.0, smaller));
    // Between points of the world there is only the cable itself.
    bench.model.cables[0].length = 2.5;
    for end in &mut bench.model.cables[0].ends {
        end.body = None;
    }
    assert_eq!(Unilateral::new(all[4], &bench.scene()).size, 2.5);
}

#[test]
fn a_cable_whose_ends_meet_pulls_nowhere() {
    let mut bench = Bench::new();
    let [a, b] = [0, 1].map(|k| {
        let body = &bench.state.bodies[k];
        body.position + body.orientation * bench.model.cables[0].ends[k].point
    });
    bench.model.cables[0].ends[0].body = None;
    bench.model.cables[0].ends[0].point = b;
    let what = What::Cable { cable: 0, entry: 2 };
    let met = Unilateral::new(what, &bench.scene());
    assert_eq!((met.force, met.mass), ([[[0.0; 6]; 3]; 2], 1.0));
    bench.model.cables[0].ends[0].point = a;
    let apart = Unilateral::new(what, &bench.scene());
    assert!(apart.force[1][0].iter().all(|x| x.is_finite() && *x != 0.0));
}

#[test]
fn a_violation_is_mended_by_a_fifth_and_no_faster_than_something_falls() {
    let mut bench = Bench::new();
    let what = What::Cable { cable: 0, entry: 2 };
    let mut floor = |depth: f64, gravity: f64, speed: f64| {
        bench.model.gravity = Vec3::new(0.0, -gravity, 0.0);
        bench.solver.scale.speed = speed;
        let gap = Unilateral::gap_of(what, &bench.scene(), &bench.state.bodies);
        bench.model.cables[0].length -= gap + depth;
        let unilateral = Unilateral::new(what, &bench.scene());
        (unilateral.floor + depth, unilateral.size)
    };
    let size = floor(0.1, 9.81, 0.0).1;
    let fall = (9.81 * size).sqrt();
    // How much of the depth goes away; rounding of a length near 1 m.
    for (depth, gravity, speed, mended) in [
        (0.01 * size, 9.81, 0.0, 0.002 * size),
        (0.5 * size, 9.81, 0.0, 0.3 * fall * DT),
        (0.5 * size, 9.81, 2.0 * fall, 0.6 * fall * DT),
        (0.01 * size, 0.0, 0.0, 0.002 * size),
        (0.5 * size, 0.0, 0.0, 0.005 * size),
        // What is rounding for lengths of this size goes at once, as what is not violated.
        (0.5e-9 * size, 9.81, 0.0, 0.5e-9 * size),
        (-0.1 * size, 9.81, 0.0, -0.1 * size),
    ] {
        let found = floor(depth, gravity, speed).0;
        assert!(
            (found - mended).abs() < 1e-14,
            "{depth} {gravity} {speed}: {found} {mended}"
        );
    }
}

#[test]
fn what_nothing_pulls_is_mended_no_faster_in_shorter_steps() {
    let scale = &Bench::new().solver.scale;
    for dt in [DT, 0.1 * DT, 1e-3 * DT] {
        let mended = mending(-1.0, 2.0, 0.0, 0.0, scale, dt);
        // Half its size a second.
        assert!((mended / dt - 1.0).abs() < 1e-12, "{dt}: {mended}");
    }
}
