//! Nothing knows a metre, a kilogram or a newton, or where the origin is: mechanisms like each other make the same
//! motion.

use crate::mechanics::bench::with_options;
use crate::mechanics::likeness::{Likeness, apart, run};
use crate::mechanics::similar::{Factors, moved};
use driftless::math::Vec3;
use driftless::scene::{self, Scene};
use driftless::sim::{Input, Outcomes};

/// Steps of each scene: long enough that all that touch have touched, short enough that rounding, which differs where a
/// factor is no power of two, has not grown in those that are chaotic.
const STEPS: usize = 40;

/// Steps of a scene. At the 34th of `pit:bodies=8` boxes and balls touch each other in 19 points, the step before it is
/// stalled, and rounding decides which solution is found: 5e-4 m apart when turned or enlarged, and 3e-5 m where the pit
/// is wider by the rounding of its width. Up to then it is 4e-12 m.
pub fn steps(spec: &str) -> usize {
    if spec == "pit:bodies=8" { 30 } else { STEPS }
}

/// Scenes and mechanisms by parameters. `ball_pit` is left out: its first contacts are redundant, which of the equal
/// solutions is found hangs on rounding, and within ten collisions the balls are elsewhere. So is what gives: the stiffness of
/// a surface is none of what the factors change.
pub fn specs() -> impl Iterator<Item = String> {
    let shipped = scene::shipped().iter().map(|s| s.name.to_owned());
    let parametric = [
        "drop:height=0.4",
        "slope:degrees=15,mu=0.25",
        "box-stack:boxes=5",
        "sphere-stack:spheres=5",
        "sphere-chain:spheres=6",
        "pit:bodies=8",
        "chain:links=12",
        "chain:links=12,joint=spherical",
        "closed-chain:links=9",
        "four-bar-chain:segments=3",
        "net:rows=4,columns=5",
        "tree:depth=4,branching=2",
        "tree:depth=3,branching=3,joint=spherical",
        "box-stack:boxes=4,offset=0.1",
    ];
    let shipped = shipped.filter(|name| !["ball_pit", "foundation"].contains(&name.as_str()));
    shipped.chain(parametric.map(str::to_owned))
}

/// The scene of that name, with contacts solved to the tolerance, however many there are.
pub fn open(spec: &str) -> Scene {
    let mut scene = scene::open(spec, &[]).unwrap_or_else(|e| panic!("{spec}: {e}"));
    if scene.model.has_unilateral() {
        let option = "contact_accuracy=exact";
        scene.settings = with_options(scene.settings, &scene.integrator, option);
    }
    scene
}

/// The motion of a scene against that of one so many times as long and dense. Without contact the iterations are the
/// same in number and none stalls. Contacts are solved with pivots chosen by size, which differ: their motion is the
/// same, and how often Newton's method goes round may differ by what is just above or below its tolerance.
fn compare(spec: &str, length: f64, density: f64) {
    let scene = open(spec);
    let factors = Factors::new(length, density);
    let like = factors.scene(&scene);
    if like.settings.dt > 1.0 {
        return;
    }
    let ((plain, counted), (sim, again)) = (
        run(&scene, steps(spec), &Input::default()),
        run(&like, steps(spec), &Input::default()),
    );
    // The scenes are about a metre long.
    let found = apart(&factors.state(plain.state()), sim.state(), factors.size());
    assert!(found <= 1e-6, "{spec} at {length} and {density}: {found}");
    if !scene.model.has_unilateral() {
        assert_eq!(counted, again, "{spec} at {length} and {density}");
        let outcomes: Outcomes = sim.outcomes();
        assert_eq!(outcomes.converged, STEPS as u64, "{spec} at {length}");
    }
}

/// A tenth of a millimetre, a thousandth of the density. A box pendulum of that size never moved ("converged, 0
/// iterations"), a double pendulum was off by 2.5 lengths after 200 steps, and a falling cube of 1 mm hung in the air.
#[test]
fn what_is_tiny_and_light_makes_the_same_motion() {
    specs().for_each(|spec| compare(&spec, 1e-4, 1e-3));
}

#[test]
fn what_is_tiny_and_heavy_makes_the_same_motion() {
    specs().for_each(|spec| compare(&spec, 1e-4, 20.0));
}

/// Ten kilometres. From 100 m up 96 % of the steps of a pendulum were stalled, at 3.5 iterations instead of 1.
#[test]
fn what_is_huge_makes_the_same_motion() {
    specs().for_each(|spec| compare(&spec, 1e4, 20.0));
    specs().for_each(|spec| compare(&spec, 1e4, 1e-3));
}

/// Where factors are powers of two, and that of time too, every product is the same up to its exponent: the motion is
/// the same to the last bit where nothing is compared with a number that has a unit, and sizes of different units are
/// compared nowhere, not even for a pivot. So it is for trees and for loops without actuators.
#[test]
fn powers_of_two_change_no_bit() {
    for spec in [
        "double_pendulum",
        "chain",
        "four_bar",
        "four_bar_chain",
        "andrews",
        "scissor_lift",
        "chain:links=12,joint=spherical",
        "box_stack",
        "drop:height=0.4",
    ] {
        for (length, density) in [
            (4f64.powi(-7), 2f64.powi(-10)),
            (4f64.powi(6), 2f64.powi(14)),
        ] {
            let scene = open(spec);
            let factors = Factors::new(length, density);
            let ((plain, _), (sim, _)) = (
                run(&scene, STEPS, &Input::default()),
                run(&factors.scene(&scene), STEPS, &Input::default()),
            );
            for (a, b) in plain.state().bodies.iter().zip(&sim.state().bodies) {
                assert_eq!(a.position * length, b.position, "{spec} at {length}");
                assert_eq!(a.orientation, b.orientation, "{spec} at {length}");
            }
        }
    }
}

/// A thousand kilometres from the origin positions are known to 1.2e-10 m. A step cannot tell a velocity better than
/// that over its length, 1e-8 m/s at 0.01 s, and what it takes for motion it goes on with: in 40 steps that is less
/// than 40 · 40 · 1.2e-10 m = 2e-7 m, and 9e-8 m was found (`net`). Only what is stored is rounded so: loop constraints and
/// drives are evaluated about a point near the mechanism. Through positions in the world the step jumped by their rounding
/// times the gains: `stewart_platform` failed in its first step, and of `flyball_governor` 39 of 40 steps were cut.
#[test]
fn what_is_far_from_the_origin_makes_the_same_motion() {
    for spec in specs() {
        let scene = open(&spec);
        if scene.model.has_unilateral() {
            continue;
        }
        let by = Vec3::new(1e6, -7e5, 9e5);
        let ((plain, _), (sim, _)) = (
            run(&scene, STEPS, &Input::default()),
            run(&moved(&scene, &by), STEPS, &Input::default()),
        );
        let mut back = sim.state().clone();
        back.bodies.iter_mut().for_each(|b| b.position -= by);
        let found = apart(&back, plain.state(), 1.0);
        let outcomes = sim.outcomes();
        assert!(found <= 5e-7, "{spec}: {found}");
        let converged = outcomes.converged;
        assert_eq!(converged, STEPS as u64, "{spec}: {outcomes:?}");
    }
}
