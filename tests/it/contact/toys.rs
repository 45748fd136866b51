//! The shipped toys, gears and walkers that move by contact do what their descriptions say.

use crate::contact::scenes::{body, open, run};
use driftless::math::Vec3;
use driftless::model::JointId;
use driftless::sim::Simulation;
use std::f64::consts::{FRAC_PI_2, PI};

#[test]
fn the_cradle_passes_one_swing_through() {
    let mut sim = open("newtons_cradle", &[]);
    let energy = sim.energy().total();
    let mut farthest = [0.0f64; 5];
    // Half a swing of the first, half a swing of the last.
    run(&mut sim, 1.4, |sim| {
        for (k, far) in farthest.iter_mut().enumerate() {
            let angle = sim.coordinates(JointId(k))[0];
            *far = far.max(angle.abs());
        }
        assert!(
            sim.energy().total() < energy + 1e-4 * energy.abs(),
            "energy is gained"
        );
    });
    let degrees = farthest.map(f64::to_degrees);
    // The first was let go at 50°. Each impact lies somewhere in a step, which costs a little height.
    assert!((48.0..50.5).contains(&degrees[4]), "{degrees:?}");
    for middle in &degrees[1..4] {
        // They cross their clearance of 3 mm, 0.2°.
        assert!(*middle < 1.5, "{degrees:?}");
    }
}

/// It turns over when its equations of motion on a floor that it never leaves say so: they were integrated by a Runge-Kutta method in
/// steps of 4 µs, with friction in full from 1 µm/s. Steps of 24 mrad of spin are off by less than 1 % of that.
#[test]
fn the_tippe_top_turns_over_and_lifts_its_weight() {
    let mut sim = open("tippe_top", &[]);
    let energy = sim.energy().total();
    let (mut lowest, mut up) = (1.0f64, 0.0f64);
    let mut leaning = [0.5, 0.0].map(|cosine| (cosine, None));
    run(&mut sim, 6.0, |sim| {
        let top = body(sim, "top");
        let cosine = (top.orientation * Vec3::z()).z;
        for (below, when) in &mut leaning {
            if cosine < *below {
                when.get_or_insert(sim.state().time);
            }
        }
        lowest = lowest.min(cosine);
        up = up.max(top.position.z);
        assert!(sim.energy().total() < energy * (1.0 + 1e-6));
    });
    for ((below, when), wanted) in leaning.into_iter().zip([3.437, 4.444]) {
        let when = when.expect("it turns over");
        assert!((when - wanted).abs() < 0.01 * wanted, "{below} at {when} s");
    }
    assert!(lowest < -0.8, "its axis points to {lowest}");
    // Upright its centre is 14 mm high; on its stem and the side of its ball 25 mm.
    assert!(up > 0.021, "its centre rises to {up} m");
}

/// With more friction it comes to roll before it has turned, and stays up, as those equations say: 0.99923 is the cosine of its lean
/// after two seconds. By slip at the start of each step it turned over all the same, in steps of any length.
#[test]
fn a_tippe_top_that_rolls_stays_up() {
    let set = [
        "contact.materials.wood.friction=0.2",
        "bodies.top.orientation=(axis: (1, 0, 0), angle: 0.1)",
        "bodies.top.spin=(0, 0, 300)",
    ];
    let sets = set.map(|set| set.split_once('=').expect("a path and a value"));
    let mut sim = open("tippe_top", &sets);
    run(&mut sim, 2.0, |_| {});
    let cosine = (body(&sim, "top").orientation * Vec3::z()).z;
    assert!((cosine - 0.99924).abs() < 2e-5, "{cosine}");
}

#[test]
fn the_rattleback_turns_back() {
    let mut sim = open("rattleback", &[]);
    let (mut least, mut most) = (0.0f64, 0.0f64);
    run(&mut sim, 6.0, |sim| {
        let spin = sim.velocities()[0].angular.z;
        least = least.min(spin);
        most = most.max(spin);
    });
    assert!(least < -4.9, "it starts with -5 rad/s: {least}");
    assert!(most > 0.5, "it turns back: {most} rad/s");
}

#[test]
fn the_disc_rolls_round_on_its_circle() {
    let mut sim = open("rolling_disk", &[]);
    run(&mut sim, 4.0899, |sim| {
        let at = body(sim, "disc").position;
        // The motion is unstable to second-order errors of a step of 21 mrad over a round.
        let radius = at.x.hypot(at.y);
        assert!(
            (radius - 0.8).abs() < 0.02,
            "{radius} m at {} s",
            sim.state().time
        );
        let contacts = &sim.state().contacts;
        let mut pressed = contacts.iter().filter(|c| c.normal_force() > 0.0);
        assert!(pressed.all(|c| c.slip.norm() < 1e-3), "{contacts:?}");
    });
    let back = (body(&sim, "disc").position - Vec3::new(0.8, 0.0, 0.2887)).norm();
    assert!(back < 0.05, "{back} m from where it started after a round");
}

#[test]
fn gears_in_contact_turn_in_the_ratio_of_their_teeth() {
    let mut sim = open("gear_pair", &[]);
    run(&mut sim, 2.0, |_| {});
    let turned = |sim: &Simulation| [0, 1].map(|k| sim.coordinates(JointId(k))[0]);
    let before = turned(&sim);
    // Two teeth of the small gear.
    run(&mut sim, 0.7, |_| {});
    let after = turned(&sim);
    let [small, large] = [0, 1].map(|k| after[k] - before[k]);
    // 3 % of the pitch as backlash is 10 mrad of the small gear.
    assert!(
        (large + small * 18.0 / 27.0).abs() < 0.01,
        "{small} {large}"
    );
    assert!(small > 1.2, "{small}");
}

#[test]
fn the_geneva_wheel_steps_by_a_quarter_turn() {
    let mut sim = open("geneva_drive", &[]);
    let angle = |sim: &Simulation| sim.coordinates(JointId(1))[0];
    let first = angle(&sim);
    run(&mut sim, PI, |_| {});
    let step = (angle(&sim) - first).abs();
    // The locking disc is 5 mm clear on a radius of some 0.5 m.
    assert!(
        (step - FRAC_PI_2).abs() < 0.05,
        "{step} rad in a turn of the driver"
    );
}

#[test]
fn the_passive_walker_keeps_the_gait_of_its_limit_cycle() {
    let mut sim = open("passive_walker", &[]);
    let mut passes = Vec::new();
    let mut last = 0.0f64;
    run(&mut sim, 9.0, |sim| {
        // The legs pass each other once a step.
        let between = sim.coordinates(JointId(0))[0];
        if between * last < 0.0 {
            passes.push(sim.state().time);
        }
        last = between;
    });
    let periods: Vec<f64> = passes.windows(2).map(|w| w[1] - w[0]).collect();
    assert!(periods.len() >= 10, "{periods:?}");
    for period in &periods {
        // 0.768 s by the equations of a compass with ideal impacts; a disturbance of the start dies out slowly.
        assert!((period - 0.768).abs() < 0.02, "{periods:?}");
    }
    let at = body(&sim, "outer").position;
    assert!(at.x > 6.0 && at.y.abs() < 1e-6, "{at:?}");
}

#[test]
fn the_rimless_wheel_finds_a_steady_gait() {
    let mut sim = open("rimless_wheel", &[]);
    let down = Vec3::new(4f64.to_radians().cos(), 0.0, -4f64.to_radians().sin());
    let mut milestones = vec![0.0];
    run(&mut sim, 7.0, |sim| {
        let way = sim.state().bodies[0].position.dot(&down);
        // Thirty-six degrees a spoke: a full turn covers ten.
        if way > milestones.len() as f64 {
            milestones.push(sim.state().time);
        }
    });
    let paces: Vec<f64> = milestones.windows(2).map(|w| w[1] - w[0]).skip(2).collect();
    assert!(paces.len() >= 3, "it walks on: {milestones:?}");
    let (least, most) = paces
        .iter()
        .fold((f64::MAX, 0.0f64), |(a, b), s| (a.min(*s), b.max(*s)));
    // A metre is three to four spokes, and where in a spoke's swing it ends shifts its time by a few percent.
    assert!(most / least < 1.1, "seconds a metre: {paces:?}");
}
