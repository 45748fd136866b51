//! Space has no directions and no hands, and a list no order: a mechanism that is turned, mirrored or written in another
//! order makes the same motion.

use crate::mechanics::isometries::Isometry;
use crate::mechanics::likeness::{Difference, Likeness};
use crate::mechanics::orders::Order;
use crate::mechanics::similarity::{open, specs, steps};
use driftless::math::{Quat, Vec3};
use driftless::model::{BodyId, Command, Drag, DragGoal, JointId};
use driftless::scene::Scene;
use driftless::sim::Input;

/// A rotation about a skew axis: nothing is left along an axis of the world.
fn turn() -> Isometry {
    Isometry::turn(Vec3::new(0.9, -1.3, 0.6))
}

/// A reflection through a skew plane.
fn mirror() -> Isometry {
    Isometry::mirror(Vec3::new(0.5, -0.8, 0.7))
}

/// Other axes and another order round differently, and each step is solved to 1e-10 of the forces of a body. What is left
/// of that is 1e-9 of a metre (`net`), 1e-9 of the reactions and 2e-8 of the work (drives of `scissor_lift`). Forces of
/// contact and those of redundant joints are not determined and not compared.
fn compare(spec: &str, likeness: impl Fn(&Scene) -> Box<dyn Likeness>, input: &Input) {
    let scene = open(spec);
    let found = Difference::of(&scene, &*likeness(&scene), steps(spec), input);
    println!("{spec}: {found:?}");
    assert!(found.worst() <= 1e-7, "{spec}: {found:?}");
}

#[test]
fn what_is_turned_makes_the_same_motion() {
    specs().for_each(|spec| compare(&spec, |_| Box::new(turn()), &Input::default()));
}

#[test]
fn what_is_mirrored_makes_the_same_motion() {
    specs().for_each(|spec| compare(&spec, |_| Box::new(mirror()), &Input::default()));
}

/// The order decides which joints close loops. Their reactions had the directions of the knot after: 2.6e-4 of the
/// largest in `slider_crank`, 1.6e-3 in `stewart_platform`, 7e-3 in `net`.
#[test]
fn what_is_in_another_order_makes_the_same_motion() {
    for seed in [7, 8] {
        let order = |scene: &Scene| Order::new(&scene.model, seed);
        specs().for_each(|spec| {
            compare(&spec, |scene| Box::new(order(scene)), &Input::default());
        });
    }
}

/// The mouse and forces on joints go along.
#[test]
fn what_is_pulled_makes_the_same_motion() {
    let goals = [
        DragGoal::Pull(Vec3::new(0.7, -0.4, 0.9)),
        DragGoal::Turn(Quat::from_scaled_axis(Vec3::new(0.4, 0.9, -0.3))),
    ];
    for goal in goals {
        let input = Input {
            drag: Some(Drag {
                body: BodyId(1),
                point: Vec3::new(0.1, 0.02, -0.05),
                goal,
            }),
            commands: vec![Command {
                joint: JointId(0),
                coordinate: 0,
                value: 1.5,
            }],
            ..Input::default()
        };
        let (force, torque) = (Vec3::new(2.0, -1.0, 0.5), Vec3::new(0.1, 0.3, -0.2));
        let input = input.with_wrench(BodyId(1), Vec3::new(-0.05, 0.1, 0.1), force, torque);
        for spec in [
            "double_pendulum",
            "slider_crank",
            "chain:links=12,joint=spherical",
        ] {
            compare(spec, |_| Box::new(turn()), &input);
            compare(spec, |_| Box::new(mirror()), &input);
            compare(spec, |s| Box::new(Order::new(&s.model, 5)), &input);
        }
    }
}
