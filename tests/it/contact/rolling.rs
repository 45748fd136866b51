//! Rolling is geometry: no law of its own, only a point that does not slide.

use crate::contact::touching::{DOWN, shape, watch};
use crate::mechanics::mechanisms::{G, Workshop};
use driftless::math::{Mat3, Pose, Quat, Vec3};
use driftless::model::{BodyId, Geometry};
use driftless::scene;
use driftless::sim::Simulation;

const RADIUS: f64 = 0.25;

/// A body of revolution about y with moment `k m r²`, at rest on a slope that falls along x.
fn on_slope(geometry: Geometry, k: f64, angle: f64, friction: f64) -> Simulation {
    let mut w = Workshop::touching(DOWN, friction, 0.0);
    let turn = Quat::from_scaled_axis(Vec3::y() * angle);
    w.ground(Vec3::zeros(), turn);
    let inertia = Mat3::identity() * (2.0 * k * RADIUS * RADIUS);
    // Axes of revolution are the shapes' z axes.
    let across = Quat::from_scaled_axis(Vec3::x() * std::f64::consts::FRAC_PI_2);
    let body = w.body(2.0, inertia, turn * Vec3::z() * RADIUS, turn * across);
    w.clothe(body, geometry);
    w.simulation(1e-3)
}

/// Speed of the point of the body that touches [m/s].
fn slip(sim: &mut Simulation, body: BodyId, normal: Vec3) -> f64 {
    let v = sim.velocities()[body.0];
    (v.linear - v.angular.cross(&(normal * RADIUS))).norm()
}

#[test]
fn round_bodies_roll_down_a_slope_with_their_own_acceleration() {
    let angle = 20f64.to_radians();
    let down = Vec3::new(angle.cos(), 0.0, -angle.sin());
    let normal = Vec3::new(angle.sin(), 0.0, angle.cos());
    let cylinder = || Geometry::Cylinder {
        radius: RADIUS,
        length: 0.4,
    };
    let sphere = || Geometry::Sphere { radius: RADIUS };
    let capsule = || Geometry::Capsule {
        radius: RADIUS,
        length: 0.4,
    };
    for (name, geometry, k) in [
        ("solid ball", sphere(), 0.4),
        ("hollow ball", sphere(), 2.0 / 3.0),
        ("cylinder", cylinder(), 0.5),
        ("hoop", cylinder(), 1.0),
        ("capsule", capsule(), 0.45),
    ] {
        // Rolling needs µ of at least tan θ · k/(1+k), here at most 0.182.
        let mut sim = on_slope(geometry, k, angle, 0.3);
        watch(&mut sim, 1000, |sim| {
            assert!(sim.report().contact.penetration < 1e-9, "{name}");
        });
        let moved = sim.state().bodies[0].position - normal * RADIUS;
        let wanted = 0.5 * G * angle.sin() / (1.0 + k);
        // It spins up to 10 rad/s: the discrete rotation is off by (step × spin)²/8 of it, 1.3e-5.
        let error = (moved - down * wanted).norm() / wanted;
        assert!(error < 5e-5, "{name}: off by {error:e}");
        let slip = slip(&mut sim, BodyId(0), normal);
        assert!(slip < 1e-4, "{name}: slips at {slip:e} m/s");
    }
}

#[test]
fn too_little_friction_lets_a_ball_slide_as_it_turns() {
    let angle = 40f64.to_radians();
    // Less than tan θ · 2/7 = 0.24.
    let friction = 0.1;
    let mut sim = on_slope(Geometry::Sphere { radius: RADIUS }, 0.4, angle, friction);
    watch(&mut sim, 1000, |_| {});
    let v = sim.velocities()[0];
    let speed = G * (angle.sin() - friction * angle.cos());
    let spin = 2.5 * friction * G * angle.cos() / RADIUS;
    // Spin of 7.5 rad/s at a step of 1e-3 s: (step × spin)²/8 = 7e-6 of it.
    assert!(
        (v.linear.norm() / speed - 1.0).abs() < 1e-6,
        "{v:?} {speed}"
    );
    assert!((v.angular.norm() / spin - 1.0).abs() < 3e-5, "{v:?} {spin}");
}

#[test]
fn a_sliding_ball_ends_up_rolling_at_five_sevenths_of_its_speed() {
    let (speed, friction) = (5.0, 0.3);
    let mut w = Workshop::touching(DOWN, friction, 0.0);
    w.floor();
    let ball = w.ball(1.3, RADIUS, Vec3::z() * RADIUS);
    w.moving(ball, Vec3::x() * speed, Vec3::zeros());
    let mut sim = w.simulation(1e-3);
    // It slides for 2/7 v/(µ g) = 0.485 s and v² 12/(49 µ g) = 2.08 m.
    let time = 2.0 / 7.0 * speed / (friction * G);
    let mut began = None;
    watch(&mut sim, 1000, |sim| {
        if began.is_none() && slip(sim, ball, Vec3::z()) < 1e-3 {
            began = Some(sim.state().time);
        }
    });
    let began = began.expect("it rolls in the end");
    assert!(
        (began - time).abs() < 2e-3,
        "rolls after {began} s, not {time} s"
    );
    let v = sim.velocities()[0];
    // Angular momentum about the track is kept; the discrete spin of 14 rad/s is off by 2.5e-5 of it.
    let wanted = 5.0 / 7.0 * speed;
    assert!((v.linear.x / wanted - 1.0).abs() < 5e-5, "{v:?}");
    let before = v.linear.x;
    watch(&mut sim, 1000, |_| {});
    // Rolling loses nothing: friction is zero.
    let after = sim.velocities()[0].linear.x;
    assert!((after / before - 1.0).abs() < 1e-9, "{before} {after}");
}

#[test]
fn a_ball_with_backspin_comes_back() {
    let mut w = Workshop::touching(DOWN, 0.4, 0.0);
    w.floor();
    let ball = w.ball(1.0, RADIUS, Vec3::z() * RADIUS);
    // Final speed 5/7 v − 2/7 r ω < 0.
    let (speed, spin) = (1.0, 20.0);
    w.moving(ball, Vec3::x() * speed, Vec3::y() * -spin);
    let mut sim = w.simulation(1e-3);
    watch(&mut sim, 1500, |_| {});
    let wanted = 5.0 / 7.0 * speed - 2.0 / 7.0 * RADIUS * spin;
    let found = sim.velocities()[0].linear.x;
    // (step × spin)²/8 of the angular part, 5e-5 of 1.4 m/s, twice over.
    assert!((found - wanted).abs() < 2e-4, "{found} {wanted}");
}

/// Within an interval the nearest feature of the block changes: at its beginning the ball is lower than the top of the block
/// would be there, which the edge alone does not tell.
#[test]
fn a_ball_that_comes_over_an_edge_is_held_by_the_face_behind_it() {
    let (dt, speed) = (0.01, 0.5);
    for start in [0.003, 0.004, 0.0045, 0.0048] {
        let mut w = Workshop::touching(DOWN, 0.0, 0.0);
        let block = shape(
            Geometry::Box {
                size: Vec3::repeat(1.0),
            },
            Pose::translation(-0.5, 0.0, -0.5),
        );
        w.parts.world_shapes.push(block);
        // Beyond the edge by `start`, and on it.
        let height = (RADIUS * RADIUS - start * start).sqrt();
        let ball = w.ball(1.0, RADIUS, Vec3::new(start, 0.0, height));
        w.moving(ball, Vec3::x() * -speed, Vec3::zeros());
        let mut sim = w.simulation(dt);
        watch(&mut sim, 3, |sim| {
            assert_eq!(sim.report().substeps, 0, "{start}");
            let centre = sim.state().bodies[ball.0].position;
            let deep = RADIUS - centre.z;
            // Nothing deeper than what a rounding of the unforeseen leaves, 1e-9 of the ball.
            assert!(centre.x > 0.0 || deep < 1e-9, "{start}: {deep} m deep");
        });
    }
}

/// An egg that lies nearly flat and is spun about the vertical.
fn spun_egg(spin: f64, friction: f64, dt: f64) -> Simulation {
    let text = format!(
        "(version: 1, bodies: {{\"egg\": (mass: 0.06, shape: (ellipsoid: (radii: (0.022, 0.022, 0.03))), position: (0, 0, 0.022036),
            orientation: (axis: (0, 1, 0), angle: 1.5), angular_velocity: (0, 0, {spin}))}},
            world: [(half_space: ())], contact: (materials: {{\"m\": (friction: {friction})}}), integrator: (dt: {dt}))"
    );
    let scene = scene::from_text("egg", &text, &[]).expect("the scene is right");
    scene.simulation().expect("it runs")
}

/// Cosine of the angle from the vertical of the egg's axis.
fn upright(sim: &Simulation) -> f64 {
    (sim.state().bodies[0].orientation * Vec3::z()).z
}

/// Its equations of motion on a floor that it never leaves were integrated by a Runge-Kutta method in steps of 2 µs, with friction in
/// full from 1 µm/s. Where friction is too weak to make it roll it stands up; else it rolls, and stays as it lies. The step of 75 mrad is
/// off by 0.3 %. By slip at the start of each step it stood up on both floors.
#[test]
fn a_spun_egg_stands_up_on_a_smooth_floor_and_rolls_on_a_rough_one() {
    for (friction, wanted) in [(0.1, [0.5759, 0.9876]), (0.5, [0.0659, 0.0618])] {
        let mut sim = spun_egg(150.0, friction, 0.0005);
        for (second, wanted) in wanted.into_iter().enumerate() {
            watch(&mut sim, 2000, |_| {});
            let found = upright(&sim);
            assert!(
                (found - wanted).abs() < 5e-3,
                "µ {friction}, {} s: {found}, not {wanted}",
                second + 1
            );
        }
    }
}

/// In steps of 0.3 rad friction takes energy and gives none: by slip at the start of each step the egg had gained 22 % at the end.
#[test]
fn a_spun_egg_gains_nothing_in_long_steps() {
    let mut sim = spun_egg(30.0, 0.5, 0.01);
    let first = sim.energy().total();
    watch(&mut sim, 400, |sim| {
        let now = sim.energy().total();
        assert!(now < first * (1.0 + 1e-5), "{first} J to {now} J");
    });
}
