//! Classic problems of contact mechanics against their closed forms: the rocking block, Painlevé's rod, the spinning
//! coin.

use driftless::math::Vec3;
use driftless::scene;
use driftless::sim::{Input, Simulation};

fn simulation(text: &str) -> Simulation {
    let scene = scene::from_text("classic", text, &[]).expect("the scene is right");
    scene.simulation().expect("it runs")
}

/// How far the z axis of the first body is from upright [rad].
fn tilt(sim: &Simulation) -> f64 {
    let up = sim.state().bodies[0].orientation * Vec3::z();
    up.xy().norm().atan2(up.z)
}

/// A block that rocks on its edges loses angular velocity by `1 - 3/2 sin² α` in each impact, `α` the slenderness
/// [Housner1963]. With `cos(α - θ) - cos α` as potential energy, that says how far it tilts on the other side.
#[test]
fn a_rocking_block_tilts_as_housner_says() {
    for (width, tilted) in [(0.2, 0.6), (0.3, 0.4)] {
        let alpha = f64::atan2(width, 1.0);
        let start = tilted * alpha;
        // About the edge at x = width/2.
        let centre = Vec3::new(-0.5 * width, 0.0, 0.5);
        let (sin, cos) = start.sin_cos();
        let at = Vec3::new(
            0.5 * width + centre.x * cos + centre.z * sin,
            0.0,
            centre.z * cos - centre.x * sin,
        );
        let mut sim = simulation(&format!(
            "(version: 1, bodies: {{\"block\": (mass: 1, shape: (box: (size: ({width:?}, 0.5, 1))),
                position: ({:?}, 0, {:?}), orientation: (axis: (0, 1, 0), angle: {start:?}))}},
            world: [(half_space: ())], contact: (materials: {{\"m\": (friction: 1, restitution: 0)}}),
            integrator: (dt: 0.00025))",
            at.x, at.z
        ));
        let lean = |sim: &Simulation| {
            let up = sim.state().bodies[0].orientation * Vec3::z();
            up.x.atan2(up.z)
        };
        let (mut least, mut before) = (0.0f64, start);
        for _ in 0..20_000 {
            sim.step(&Input::default()).expect("it rocks");
            let now = lean(&sim);
            least = least.min(now);
            // It comes back from the other side.
            if now > before && now < -1e-3 {
                break;
            }
            before = now;
        }
        let left = 1.0 - 1.5 * alpha.sin().powi(2);
        let fall = (alpha - start).cos() - alpha.cos();
        let wanted = alpha - (alpha.cos() + left * left * fall).acos();
        // An impact is late by up to a step: 0.5 % here, half of it with half the step.
        let error = (-least - wanted).abs() / wanted;
        assert!(
            error < 0.01,
            "{width} m: {least} rad, not {wanted}: {error}"
        );
    }
}

/// A rod that slides on its tip towards the side to which it leans jams where friction is more than 4/3: no finite force
/// solves its equations of motion [Painlevé1895], an impulse does. It neither fails nor gains energy, and does not sink.
#[test]
fn painleves_rod_jams_without_gaining_energy() {
    for friction in [1.0, 1.5, 2.0, 3.0] {
        for angle in [0.3f64, 0.6, 0.9, 1.2] {
            for speed in [1.0, -1.0, 4.0, -4.0] {
                // Half a metre to either side of the centre, on the tip at the origin.
                let (sin, cos) = angle.sin_cos();
                let mut sim = simulation(&format!(
                    "(version: 1, bodies: {{\"rod\": (mass: 1, inertia: (0.0834, 0.0834, 1e-4),
                        shape: (capsule: (radius: 0.005, length: 0.99)),
                        position: ({:?}, 0, {:?}), orientation: (axis: (0, 1, 0), angle: {angle:?}),
                        velocity: ({speed:?}, 0, 0))}},
                    world: [(half_space: ())], contact: (materials: {{\"m\": (friction: {friction:?}, restitution: 0)}}),
                    integrator: (dt: 0.001))",
                    0.495 * sin,
                    0.495 * cos + 0.005,
                ));
                let first = sim.energy().total();
                for step in 0..1000 {
                    let told = format!("µ {friction}, {angle} rad, {speed} m/s, step {step}");
                    let deep = sim.step(&Input::default()).map(|r| r.contact.penetration);
                    let deep = deep.unwrap_or_else(|e| panic!("{told}: {e}"));
                    assert!(deep < 1e-6, "{told}: {deep} m deep");
                    let now = sim.energy().total();
                    assert!(now < first * (1.0 + 1e-4), "{told}: {now} J of {first} J");
                }
            }
        }
    }
}

/// A thin coin that rolls on its rim about a centre that stands still goes round by `Ω² = 4g/(a sin α)` at an
/// inclination `α`, and turns about the diameter through the point of contact by `Ω sin α` [Moffatt2000]. Nothing takes
/// energy from it, and it keeps both.
#[test]
fn a_spinning_coin_keeps_its_inclination() {
    let (radius, gravity) = (0.1, 9.81);
    for alpha in [0.3f64, 0.8] {
        let (sin, cos) = alpha.sin_cos();
        let round = f64::sqrt(4.0 * gravity / (radius * sin));
        // Tilted about y, the lowest point lies at x = a cos α; the axis of its turn is the line to it.
        let spin = Vec3::new(cos, 0.0, -sin) * (round * sin);
        let mut sim = simulation(&format!(
            "(version: 1, gravity: (0, 0, -{gravity:?}),
            bodies: {{\"coin\": (mass: 1, inertia: (0.0025, 0.0025, 0.005),
                shape: (cylinder: (radius: {radius:?}, length: 1e-5)), position: (0, 0, {:?}),
                orientation: (axis: (0, 1, 0), angle: {alpha:?}), angular_velocity: ({:?}, 0, {:?}))}},
            world: [(half_space: ())], contact: (materials: {{\"m\": (friction: 1, restitution: 0)}}),
            integrator: (dt: 0.00025))",
            radius * sin + 0.5e-5 * cos,
            spin.x,
            spin.z,
        ));
        let first = sim.energy().total();
        let mut worst = 0.0f64;
        let turns = 3.0 * std::f64::consts::TAU / round;
        for _ in 0..(turns / 2.5e-4) as usize {
            sim.step(&Input::default()).expect("it rolls");
            worst = worst.max((tilt(&sim) - alpha).abs());
        }
        // The force acts where the rim touches at the beginning of a step: halving it halves this, 0.02 rad.
        assert!(worst < 0.025 * alpha, "α = {alpha}: off by {worst} rad");
        let lost = 1.0 - sim.energy().total() / first;
        assert!(lost.abs() < 1e-3, "α = {alpha}: loses {lost} of its energy");
    }
}
