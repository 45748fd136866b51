//! Single bodies of any shape thrown on a floor: no step fails, and the energy read at the knots never rises.

use crate::contact::text::vector;
use driftless::scene;
use driftless::sim::Input;
use proptest::prelude::*;

/// A throw; lengths are in those of the scene.
#[derive(Debug, Clone)]
struct Throw {
    kind: usize,
    /// Half the length of the body.
    half: f64,
    /// Half its thickness.
    radius: f64,
    axis: [f64; 3],
    angle: f64,
    velocity: [f64; 3],
    spin: [f64; 3],
    friction: f64,
    restitution: f64,
    dt: f64,
    /// A box to fall on, in place of a half-space.
    slab: bool,
    /// Lengths, and with the root of it times: the scene and a small and a large copy of it.
    size: f64,
}

/// Throws with one of these steps [s].
fn throws(steps: &[f64]) -> impl Strategy<Value = Throw> {
    let body = (
        0..6usize,
        0.05..0.25f64,
        (0.05..0.25f64, prop::sample::select(vec![1.0, 0.1, 0.02])),
        (prop::array::uniform3(-1.0..1.0f64), -3.0..3.0f64),
    );
    let motion = (
        prop::array::uniform3(-3.0..3.0f64),
        prop::array::uniform3(-15.0..15.0f64),
    );
    let rules = (
        prop::sample::select(vec![0.0, 0.3, 0.7, 1.0, 2.0]),
        prop::sample::select(vec![0.0, 0.5, 0.9, 1.0]),
        prop::sample::select(steps.to_vec()),
        any::<bool>(),
        prop::sample::select(vec![1.0, 0.01, 100.0]),
    );
    (body, motion, rules).prop_map(|(body, motion, rules)| {
        let (kind, half, (thick, part), (axis, angle)) = body;
        let (friction, restitution, dt, slab, size) = rules;
        let small = axis.iter().map(|x| x * x).sum::<f64>() < 0.01;
        Throw {
            kind,
            half,
            radius: f64::max(0.002, thick * part),
            axis: if small { [1.0, 0.0, 0.0] } else { axis },
            angle,
            velocity: motion.0,
            spin: motion.1,
            friction,
            restitution,
            dt,
            slab,
            size,
        }
    })
}

impl Throw {
    fn text(&self) -> String {
        let (l, t) = (self.size, self.size.sqrt());
        let (a, r) = (self.half * l, self.radius * l);
        let shape = match self.kind {
            0 => format!("sphere: (radius: {a:?})"),
            1 => format!("box: (size: ({:?}, {:?}, {:?}))", 2.0 * a, 2.0 * r, 2.0 * r),
            2 => format!("ellipsoid: (radii: ({a:?}, {r:?}, {r:?}))"),
            3 => format!("cone: (radius: {r:?}, length: {:?})", 2.0 * a),
            4 => format!("cylinder: (radius: {r:?}, length: {:?})", 2.0 * a),
            _ => format!("capsule: (radius: {r:?}, length: {:?})", 2.0 * a),
        };
        let floor = if self.slab {
            format!(
                "(box: (size: {}), at: (0, 0, {:?}))",
                vector([40.0, 40.0, 1.0], l),
                -0.5 * l
            )
        } else {
            "(half_space: ())".to_owned()
        };
        format!(
            "(version: 1, bodies: {{\"b\": (mass: 1, shape: ({shape}), position: (0, 0, {:?}),
                orientation: (axis: {}, angle: {:?}), velocity: {}, spin: {})}},
            world: [{floor}], contact: (materials: {{\"m\": (friction: {:?}, restitution: {:?})}}),
            integrator: (dt: {:?}))",
            0.8 * l,
            vector(self.axis, 1.0),
            self.angle,
            vector(self.velocity, l / t),
            vector(self.spin, 1.0 / t),
            self.friction,
            self.restitution,
            self.dt * t,
        )
    }
}

/// With contacts as implicit springs: no step fails, energy never exceeds that of the start and rises in a step by little
/// more than mending takes, and the body ends no step deeper in the floor than its points went in a step.
fn sinks_by_no_more_than_its_way(throw: &Throw) -> Result<(), TestCaseError> {
    let text = throw.text();
    let scene = scene::from_text("thrown", &text, &[]).expect("the scene is right");
    let reach = 2f64.sqrt() * throw.half.max(throw.radius) * throw.size;
    let dt = scene.settings.dt;
    let mut sim = scene.simulation().expect("it runs");
    sim.set_integrator("compliant").expect("it takes over");
    let first = sim.energy().total();
    // A step may give back a part of what there was. Of 13 000 throws one rose by 9e-5 in steps of 10 ms; in steps in which a
    // body falls as far as it is large and a needle turns by radians, two rose by 2 %; in shorter ones none rose at all.
    let owed = match throw.dt {
        dt if dt > 0.01 => 0.05 * first,
        dt if dt > 0.005 => 1e-3 * first,
        _ => 1e-7 * first,
    };
    let (mut before, mut fastest, mut depth) = (first, 0.0, 0.0);
    for step in 0..250 {
        let done = sim.step(&Input::default()).map(|_| ());
        prop_assert!(done.is_ok(), "step {}: {:?} in {}", step, done, text);
        let now = sim.energy().total();
        prop_assert!(
            now <= first * (1.0 + 1e-7),
            "step {}: {} J of {} J in {}",
            step,
            now,
            first,
            text
        );
        let lift = 2.0 * 9.81 * depth;
        prop_assert!(
            now <= before + lift + owed,
            "step {}: {} J, then {} J of {} J in {}",
            step,
            before,
            now,
            first,
            text
        );
        before = now;
        let twist = &sim.state().bodies[0].velocity;
        fastest = f64::max(fastest, twist.linear.norm() + twist.angular.norm() * reach);
        depth = f64::max(0.0, sim.report().contact.penetration);
        let most = fastest * dt + 1e-3 * reach;
        prop_assert!(
            depth <= most,
            "step {}: {} m deep of {} m in {}",
            step,
            depth,
            most,
            text
        );
    }
    Ok(())
}

/// Throws that went wrong: a needle that a hit spins about its axis so fast that its free turn was not found (18 J became
/// 278 J); an ellipsoid that fell through the floor in steps of 0.1 s, since where the step ended its low end rose; and a
/// cylinder that rolled off the edge of its slab and was reported to be 1.4 m deep in it.
#[test]
fn needles_keep_their_energy_ellipsoids_stay_above_the_floor_and_what_falls_off_it_is_not_in_it() {
    let needle = Throw {
        kind: 1,
        half: 0.21497790952996505,
        radius: 0.0020236790759709627,
        axis: [
            -0.09751615920363431,
            -0.5006494202439368,
            0.5161518514348088,
        ],
        angle: 2.064210365837862,
        velocity: [2.2795870714755746, 2.559091623753139, -2.504933049111367],
        spin: [-2.422082837613402, 14.313098322761412, 0.43764129736876045],
        friction: 0.3,
        restitution: 0.0,
        dt: 0.01,
        slab: false,
        size: 1.0,
    };
    let ellipsoid = Throw {
        kind: 2,
        half: 0.144,
        radius: 0.0146,
        axis: [-0.6937, 0.6636, -0.2802],
        angle: 0.638,
        velocity: [0.0546, 1.544, 1.7818],
        spin: [-8.9294, 11.7975, -4.1461],
        friction: 0.0,
        dt: 0.1,
        ..needle.clone()
    };
    let cylinder = Throw {
        kind: 4,
        half: 0.20168288945917243,
        radius: 0.05,
        axis: [0.0, -0.09051658204589154, 0.28920627519307274],
        angle: 1.2803381827131366,
        velocity: [2.881830403838286, 1.1048812367436185, 2.2470479605601947],
        spin: [-1.158955101270289, 1.7040662802917776, 0.0],
        friction: 0.3,
        slab: true,
        ..ellipsoid.clone()
    };
    for throw in [needle, ellipsoid, cylinder] {
        sinks_by_no_more_than_its_way(&throw).expect("it does not");
    }
}

proptest! {
    /// With contacts as implicit springs what falls loses energy of the second order and what hits does not come back;
    /// mending takes twice the lift of all that had sunk in.
    #[test]
    fn a_thrown_body_with_implicit_contacts_loses_energy_and_stays_above_the_floor(
        throw in throws(&[0.1, 0.03, 0.01, 0.005, 0.002, 0.0005]),
    ) {
        sinks_by_no_more_than_its_way(&throw)?;
    }

    /// Restitution is at most 1 and nothing acts from outside. What contacts take is known from momenta to rounding, and
    /// a free body's energy is kept to rounding where two of its moments of inertia are the same, as here. An impact may give
    /// what gravity gives a body at rest in a step, `m (g dt)²`, of the order of the method: less than that is not told from
    /// what holds a weight.
    #[test]
    fn a_thrown_body_neither_fails_nor_gains_energy(throw in throws(&[0.01, 0.005, 0.002])) {
        let text = throw.text();
        let scene = scene::from_text("thrown", &text, &[]).expect("the scene is right");
        let mut sim = scene.simulation().expect("it runs");
        let first = sim.energy().total();
        let most = first * (1.0 + 1e-7) + (9.81 * scene.settings.dt).powi(2);
        for step in 0..250 {
            let done = sim.step(&Input::default()).map(|_| ());
            prop_assert!(done.is_ok(), "step {}: {:?} in {}", step, done, text);
            let now = sim.energy().total();
            // What rebounds give back was taken before.
            prop_assert!(now <= most, "step {}: {} J of {} J in {}", step, now, first, text);
        }
        // What is lost is on the account.
        let account = sim.sample().energy_error.abs();
        prop_assert!(account < 1e-7 * first, "{} J of {} J are not accounted for in {}", account, first, text);
    }
}
