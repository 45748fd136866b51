//! The serial robot of Exudyn's test models: the Puma of the shipped scene with the link lengths, the gravity and the first way of that
//! test, whose recorded value is the sum of its six controllers' torques after 0.2 s.

use driftless::integrators::Settings;
use driftless::model::JointId;
use driftless::scene::{self, Scene};
use driftless::sim::{Input, Simulation};

/// Proportional and derivative gains by joint [N·m/rad, N·m·s/rad].
const GAINS: [[f64; 2]; 6] = [
    [4e4, 400.0],
    [4e4, 400.0],
    [4e4, 100.0],
    [100.0, 1.0],
    [100.0, 1.0],
    [10.0, 0.1],
];
/// Where the way of a quarter of a second leads, from zero [degrees].
const GOAL: [f64; 6] = [0.0, 22.5, 45.0, 0.0, 22.5, 0.0];
const WAY: f64 = 0.25;

/// The test turns gravity upwards, and has 0.15 m for 0.15005 m between the second and the third axis.
fn robot() -> Scene {
    let mut sets = vec![
        ("gravity".to_owned(), "[0, 0, 9.81]".to_owned()),
        ("joints.joint_3.child_anchor.1".into(), "0.15".into()),
    ];
    for (k, goal) in GOAL.iter().enumerate() {
        let joint = format!("joints.joint_{}", k + 1);
        let target = format!("(constant_acceleration: [(0, \"0 deg\"), ({WAY}, \"{goal} deg\")])");
        sets.push((format!("{joint}.at"), "\"0 deg\"".into()));
        sets.push((format!("{joint}.actuators.0.pd.target"), target));
    }
    scene::open("puma", &sets).unwrap_or_else(|e| panic!("{e}"))
}

/// What the controllers ask for, from the angles and rates reached [N·m].
fn torques(sim: &mut Simulation) -> [f64; 6] {
    // In the second half the way is decelerated as it was accelerated.
    let left = 1.0 - sim.state().time / WAY;
    std::array::from_fn(|k| {
        let goal = GOAL[k].to_radians();
        let (angle, rate) = ((1.0 - 2.0 * left * left) * goal, 4.0 * left * goal / WAY);
        let joint = JointId(k);
        let [stiffness, damping] = GAINS[k];
        stiffness * (angle - sim.coordinates(joint)[0]) + damping * (rate - sim.rates(joint)[0])
    })
}

fn sum(method: &str, dt: f64, options: &[(&str, f64)]) -> f64 {
    let scene = robot();
    let info = driftless::integrators::find(method).expect("it is listed");
    let mut settings = Settings {
        dt,
        ..Settings::default()
    };
    for (name, value) in options {
        let value = driftless::integrators::Written::Number(*value);
        let set = settings.options.set(info.options, name, &value);
        set.unwrap_or_else(|e| panic!("{e}"));
    }
    let mut sim = Simulation::new(scene.model, scene.state, method, settings).expect("it runs");
    for _ in 0..(0.2 / dt).round() as u32 {
        sim.step(&Input::default()).map(drop).expect("it steps");
    }
    torques(&mut sim).iter().sum()
}

#[test]
fn the_sum_of_torques_is_that_of_exudyns_test() {
    let ours = sum("generalized-alpha", 1e-3, &[("spectral_radius", 0.5)]);
    let fine = sum("rk4", 1e-4, &[]);
    println!("{ours} {fine}");
    // As one of the two methods at a tenth of the step, to the error of the coarse one.
    assert!((ours - fine).abs() < 2e-3, "{ours} {fine}");
    // Recorded with the method and the step of the first, torques with the other sign. They are 0.01 N·m apart, what 0.04 ms of
    // the way change; of it 3e-4 N·m are the forearm's least moment, 0.0125 kg·m², which no body has beside its others.
    let recorded = 77.131_931_767_525_71;
    assert!((ours + recorded).abs() < 0.015, "{ours}");
}
