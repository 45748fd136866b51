//! Bodies pressed hard, pushed and thrown fast: nothing gives way, nothing shakes, nothing is passed through.

use crate::contact::clearance::clearance;
use crate::contact::touching::{DOWN, fastest, shape, start, step, watch};
use crate::mechanics::mechanisms::{G, Workshop};
use driftless::math::{Pose, Quat, Vec3};
use driftless::model::{
    Axes, BodyId, Drag, DragGoal, Force, Geometry, Input, Model, Signal, State,
};

const DT: f64 = 0.01;

/// A cube of 1 kg on the floor, pressed down with a thousand times its weight and pushed along x.
fn pressed(push: f64) -> (Model, State) {
    let mut w = Workshop::touching(DOWN, 0.5, 0.0);
    w.floor();
    let cube = w.block(1.0, Vec3::repeat(0.4), Vec3::z() * 0.2, Quat::identity());
    let constant = Signal::Constant;
    w.parts.forces.push(Force::Wrench {
        name: "press".into(),
        body: cube,
        point: Vec3::zeros(),
        axes: Axes::World,
        force: [constant(push), Signal::ZERO, constant(-1000.0 * G)],
        torque: [Signal::ZERO, Signal::ZERO, Signal::ZERO],
    });
    w.finish()
}

#[test]
fn a_pressed_cube_neither_sinks_nor_shakes_while_it_is_dragged() {
    // The mouse pulls with far less than friction holds, wherever it goes.
    let mut sim = start(&pressed(0.0), DT);
    for k in 0..1000 {
        let t = f64::from(k) * DT;
        let goal = Vec3::new((3.0 * t).sin(), (5.0 * t).cos(), 0.3 + 0.2 * t.sin());
        let input = Input {
            drag: Some(Drag {
                body: BodyId(0),
                point: Vec3::new(0.2, 0.1, 0.2),
                goal: DragGoal::Pull(goal),
            }),
            ..Input::default()
        };
        step(&mut sim, &input);
        let found = clearance(sim.model(), sim.state());
        assert!(found.abs() < 1e-9, "step {k}: {found:e} m");
        let speed = fastest(&mut sim);
        assert!(speed < 1e-9, "step {k}: it shakes at {speed:e} m/s");
    }
}

#[test]
fn a_pressed_cube_that_is_pushed_over_its_friction_slides_smoothly() {
    // Friction is 0.5 · 1001 m g; 1 % more pushes.
    let push = 0.5 * 1001.0 * G * 1.01;
    let mut sim = start(&pressed(push), DT);
    let wanted = 0.01 * 0.5 * 1001.0 * G;
    let mut before = None;
    watch(&mut sim, 100, |sim| {
        let found = clearance(sim.model(), sim.state());
        assert!(found.abs() < 1e-9, "{found:e} m");
        let v = sim.velocities()[0];
        if let Some(last) = before.replace(v.linear.x) {
            // Constant acceleration of 49 m/s², from a difference of forces a hundred times as large.
            let acceleration = (v.linear.x - last) / DT;
            assert!(
                (acceleration / wanted - 1.0).abs() < 1e-5,
                "{acceleration} {wanted}"
            );
        }
        assert!(v.linear.z.abs() < 1e-9 && v.angular.norm() < 1e-9, "{v:?}");
    });
}

#[test]
fn a_cube_at_a_hundred_metres_a_second_does_not_pass_a_thin_wall() {
    for (k, speed) in [100.0, 37.0, 300.0].into_iter().enumerate() {
        for offset in [0.0, 0.31, 0.77] {
            for spin in [Vec3::zeros(), Vec3::new(3.0, 8.0, -5.0)] {
                let mut w = Workshop::touching(Vec3::zeros(), 0.3, 0.0);
                let wall = Geometry::Box {
                    size: Vec3::new(0.05, 4.0, 4.0),
                };
                w.parts
                    .world_shapes
                    .push(shape(wall, Pose::translation(3.0, 0.0, 0.0)));
                // A step covers a metre: the wall lies anywhere in it.
                let at = Vec3::new(-offset, 0.1, 0.2);
                let cube = w.block(0.5, Vec3::repeat(0.1), at, Quat::identity());
                w.moving(cube, Vec3::x() * speed, spin);
                let mut sim = w.simulation(DT);
                let mut deepest: f64 = 0.0;
                watch(&mut sim, 40, |sim| {
                    deepest = deepest.min(clearance(sim.model(), sim.state()));
                });
                let x = sim.state().bodies[0].position.x;
                assert!(
                    x < 2.975,
                    "case {k}, {offset} m, {spin:?}: it is at {x} m behind the wall"
                );
                assert!(
                    deepest > -1e-9,
                    "case {k}, {offset} m, {spin:?}: {deepest:e} m deep"
                );
            }
        }
    }
}

#[test]
fn fast_bodies_of_every_shape_meet_plates_and_each_other() {
    let shapes = [
        Geometry::Sphere { radius: 0.05 },
        Geometry::Box {
            size: Vec3::repeat(0.1),
        },
        Geometry::Capsule {
            radius: 0.04,
            length: 0.06,
        },
        Geometry::Cylinder {
            radius: 0.05,
            length: 0.08,
        },
        Geometry::Cone {
            radius: 0.05,
            length: 0.1,
        },
    ];
    for geometry in shapes {
        let mut w = Workshop::touching(Vec3::zeros(), 0.3, 0.0);
        let plate = w.block(
            50.0,
            Vec3::new(0.05, 2.0, 2.0),
            Vec3::x() * 1.03,
            Quat::identity(),
        );
        let inertia = driftless::math::Mat3::identity() * 1e-3;
        let bullet = w.body(0.5, inertia, Vec3::new(0.0, 0.03, 0.02), Quat::identity());
        w.clothe(bullet, geometry.clone());
        w.moving(bullet, Vec3::x() * 100.0, Vec3::zeros());
        let mut sim = w.simulation(DT);
        watch(&mut sim, 30, |sim| {
            let report = &sim.report().contact;
            assert!(report.penetration < 1e-6, "{geometry:?}: {report:?}");
        });
        let [plate, bullet] = [plate, bullet].map(|b| sim.state().bodies[b.0].position.x);
        assert!(
            bullet < plate,
            "{geometry:?} is behind the plate: {bullet} {plate}"
        );
        // What it brought along moves both: 50 N s.
        let momentum = sim.sample().momentum.linear;
        assert!(
            (momentum - Vec3::x() * 50.0).norm() < 1e-11,
            "{geometry:?}: {momentum:?}"
        );
    }
}
