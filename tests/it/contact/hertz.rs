//! Contact by Hertz's law with the compliant method: against statics, against the ordinary differential equation of a bounce,
//! and against Coulomb's law.

use crate::contact::touching::DOWN;
use crate::mechanics::bench::{run, settings, simulation};
use crate::mechanics::mechanisms::{G, Workshop};
use driftless::math::{Quat, Vec3};
use driftless::model::{Hertz, Model, State};
use driftless::sim::Simulation;

const RADIUS: f64 = 0.05;
const MASS: f64 = 0.5;

fn compliant(mechanism: &(Model, State), dt: f64) -> Simulation {
    simulation(mechanism, "compliant", settings(dt, 1e-10))
}

/// A workshop whose surfaces together have the law.
fn elastic(gravity: Vec3, friction: f64, law: Hertz) -> Workshop {
    let mut w = Workshop::touching(gravity, friction, 0.0);
    let rules = w.parts.contact.as_mut().expect("it has rules");
    // Both are of the material: each gives half of the depth.
    let own = Hertz {
        modulus: 2.0 * law.modulus,
        damping: law.damping * 2f64.powf(1.5),
        ..law
    };
    rules.materials[0].compliance = driftless::model::SurfaceCompliance::Hertz(own);
    w
}

fn law(modulus: f64, damping: f64) -> Hertz {
    Hertz {
        modulus,
        damping,
        radius: None,
    }
}

/// `F = 4/3 E* √R d^{3/2}` [Johnson1985 eq. 4.23], solved for the depth.
fn depth(force: f64, modulus: f64, radius: f64) -> f64 {
    (force / (4.0 / 3.0 * modulus * radius.sqrt())).powf(2.0 / 3.0)
}

/// The step does not matter for what rests, nor does the damping: to the accuracy with which laws are kept.
#[test]
fn a_ball_rests_as_deep_as_hertz_says() {
    for (h, modulus) in [(0.01, 1e5), (1e-3, 1e8), (0.02, 1e11)] {
        let mut w = elastic(DOWN, 0.5, law(modulus, 30.0 * modulus.sqrt()));
        w.floor();
        w.ball(MASS, RADIUS, Vec3::z() * RADIUS);
        let mut sim = compliant(&w.finish(), h);
        run(&mut sim, (4.0 / h) as u64);
        let found = RADIUS - sim.state().bodies[0].position.z;
        let wanted = depth(MASS * G, modulus, RADIUS);
        let close = (found - wanted).abs() < 1e-4 * wanted + 1e-14;
        assert!(close, "{modulus:e}: {found:e} {wanted:e}");
    }
}

/// A ball on a ball has the radius of both together, and the lower one carries both.
#[test]
fn balls_on_each_other_rest_by_the_radius_of_both() {
    let (modulus, above) = (1e7, 0.02);
    let mut w = elastic(DOWN, 0.5, law(modulus, 1e4));
    w.floor();
    w.ball(MASS, RADIUS, Vec3::z() * RADIUS);
    w.ball(0.1, above, Vec3::z() * (2.0 * RADIUS + above));
    let mut sim = compliant(&w.finish(), 0.005);
    run(&mut sim, 1000);
    let [low, high] = [0, 1].map(|k| sim.state().bodies[k].position.z);
    let lower = depth((MASS + 0.1) * G, modulus, RADIUS);
    let both = RADIUS * above / (RADIUS + above);
    let upper = depth(0.1 * G, modulus, both);
    assert!((RADIUS - low - lower).abs() < 1e-4 * lower);
    let found = RADIUS + above - (high - low);
    assert!((found - upper).abs() < 1e-4 * upper, "{found:e} {upper:e}");
}

/// Free flight into `m d'' = -κ d^{3/2} - 3/2 B √d d'` until it opens, by a classic Runge-Kutta method of fourth order in steps of a
/// ten-thousandth of the contact: duration and speed of the rebound.
fn bounce(stiffness: f64, damping: f64, speed: f64) -> (f64, f64) {
    let force = |d: f64, v: f64| {
        let root = d.max(0.0).sqrt();
        -(stiffness * d.max(0.0) * root + 1.5 * damping * root * v)
    };
    let scale = (MASS / stiffness).powf(0.4) * speed.powf(-0.2);
    let h = 1e-4 * scale;
    let (mut t, mut d, mut v) = (0.0, 0.0, speed);
    loop {
        let f = |d: f64, v: f64| (v, force(d, v) / MASS);
        let a = f(d, v);
        let b = f(d + 0.5 * h * a.0, v + 0.5 * h * a.1);
        let c = f(d + 0.5 * h * b.0, v + 0.5 * h * b.1);
        let e = f(d + h * c.0, v + h * c.1);
        d += h / 6.0 * (a.0 + 2.0 * b.0 + 2.0 * c.0 + e.0);
        v += h / 6.0 * (a.1 + 2.0 * b.1 + 2.0 * c.1 + e.1);
        t += h;
        // A surface does not pull: the damper ends the contact before the depth does.
        if d <= 0.0 || (v < 0.0 && force(d, v) >= 0.0) {
            return (t, -v);
        }
    }
}

/// Duration of the contact and speed after it of a ball without weight.
fn bounced(modulus: f64, damping: f64, speed: f64, h: f64) -> (f64, f64) {
    let mut w = elastic(Vec3::zeros(), 0.0, law(modulus, damping));
    w.floor();
    // It meets the ground with the end of a step.
    let ball = w.ball(MASS, RADIUS, Vec3::z() * (RADIUS + 10.0 * h * speed));
    w.moving(ball, -Vec3::z() * speed, Vec3::zeros());
    let mut sim = compliant(&w.finish(), h);
    let mut pressed = 0.0;
    for _ in 0..100_000 {
        run(&mut sim, 1);
        let force = sim
            .state()
            .contacts
            .first()
            .map_or(0.0, |c| c.normal_force());
        if force > 0.0 {
            pressed += h;
        } else if pressed > 0.0 {
            return (pressed, sim.state().bodies[0].velocity.linear.z);
        }
    }
    panic!("it does not come back");
}

/// Without damping the contact lasts 2.94 (m²/(κ² v))^{1/5} times (5/4)^{2/5} [Johnson1985 eq. 11.24], and its speed comes back; with
/// it, what the equation says. The method comes to both with the first power of the step.
#[test]
fn a_bounce_is_that_of_its_equation_to_first_order() {
    let (modulus, speed) = (1e7, 1.0);
    let stiffness = 4.0 / 3.0 * modulus * RADIUS.sqrt();
    let elastic = bounce(stiffness, 0.0, speed);
    let published = 2.9432 * (1.25 * MASS / stiffness).powf(0.4) * speed.powf(-0.2);
    assert!(
        (elastic.0 / published - 1.0).abs() < 1e-3,
        "{} {published}",
        elastic.0
    );
    assert!((elastic.1 - speed).abs() < 1e-6);
    for damping in [0.0, 1e3] {
        let wanted = bounce(stiffness, damping, speed);
        let errors = [400.0, 800.0, 1600.0].map(|parts| {
            let found = bounced(modulus, damping, speed, wanted.0 / parts);
            assert!(
                (found.0 / wanted.0 - 1.0).abs() < 30.0 / parts,
                "{found:?} {wanted:?}"
            );
            (found.1 - wanted.1).abs()
        });
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!((order - 1.0).abs() < 0.15, "{damping}: {errors:?}");
        }
        assert!(errors[2] < 0.01 * speed, "{errors:?}");
    }
}

/// [Drumwright sect. 6.4]: four feet of a block on a slope, pressed in by 1e-8 m, slide as far as Coulomb's law says.
#[test]
fn a_block_on_round_feet_slides_as_far_as_coulombs_law_says() {
    let angle = 15f64.to_radians();
    for (friction, distance) in [
        (0.0, 1.26951),
        (0.125, 0.67727),
        (0.25, 0.08504),
        (0.375, 0.0),
    ] {
        let turn = Quat::from_scaled_axis(Vec3::y() * angle);
        let feet = Hertz {
            radius: Some(0.01),
            ..law(1e11, 1.0)
        };
        let mut w = elastic(DOWN, friction, feet);
        w.ground(Vec3::zeros(), turn);
        let size = Vec3::new(0.2, 0.1, 0.05);
        w.block(1.0, size, turn * Vec3::z() * 0.025, turn);
        let mechanism = w.finish();
        let mut sim = compliant(&mechanism, 1e-3);
        run(&mut sim, 1000);
        let moved = sim.state().bodies[0].position - mechanism.1.bodies[0].position;
        let found = moved.dot(&(turn * Vec3::x()));
        assert!(
            (found - distance).abs() <= 0.01 * distance + 1e-7,
            "µ = {friction}: {found} m"
        );
        let deep = -moved.dot(&(turn * Vec3::z()));
        // A quarter of the weight's part across the slope on each foot, more below than above.
        let wanted = depth(0.25 * G * angle.cos(), 1e11, 0.01);
        assert!((deep / wanted - 1.0).abs() < 0.1, "{deep:e} {wanted:e}");
    }
}

/// Whatever step and modulus, a ball that falls comes to no more energy than it had, and no step fails.
#[test]
fn no_step_makes_a_bouncing_ball_gain_energy() {
    for h in [1e-4, 1e-3, 0.01, 0.1] {
        for modulus in [1e3, 1e6, 1e9, 1e12] {
            let mut w = elastic(DOWN, 0.5, law(modulus, 0.0));
            w.floor();
            let ball = w.ball(MASS, RADIUS, Vec3::z() * 0.3);
            w.moving(ball, Vec3::x() * 0.5, Vec3::y() * 3.0);
            let mut sim = compliant(&w.finish(), h);
            let first = sim.energy().total();
            for _ in 0..(1.0 / h) as u64 {
                run(&mut sim, 1);
                // What the surfaces store comes on top.
                let total = sim.energy().total();
                assert!(
                    total <= first + 1e-6 * first.abs(),
                    "{h} {modulus:e}: {total} {first}"
                );
            }
        }
    }
}
