//! Forces and torques on bodies as an input.

use crate::mechanics::bench::{settings, simulation};
use crate::mechanics::mechanisms;
use driftless::integrators::{REGISTRY, StepError};
use driftless::math::{Mat3, Quat, Vec3};
use driftless::model::{
    Axes, Body, BodyId, Force, JointId, Model, ModelParts, Signal, State, Twist,
};
use driftless::sim::{Input, Simulation};

const POINT: Vec3 = Vec3::new(0.1, -0.2, 0.3);
const FORCE: Vec3 = Vec3::new(3.0, 4.0, -2.0);
const TORQUE: Vec3 = Vec3::new(-0.5, 0.4, 0.7);

fn pushed() -> Input {
    Input::default().with_wrench(BodyId(1), POINT, FORCE, TORQUE)
}

/// Three rods on hinges that swing.
fn chain() -> (Model, State) {
    mechanisms::chain(&[0.4, -0.3, 0.2], &[0.5, 0.0, -1.0])
}

/// The same with that wrench among its own forces.
fn loaded((model, state): (Model, State)) -> (Model, State) {
    let mut parts = model.parts();
    let constant = |v: Vec3| [v.x, v.y, v.z].map(Signal::Constant);
    parts.forces.push(Force::Wrench {
        name: "push".into(),
        body: BodyId(1),
        point: POINT,
        axes: Axes::World,
        force: constant(FORCE),
        torque: constant(TORQUE),
    });
    (Model::new(parts).expect("it is a model"), state)
}

fn after(mut sim: Simulation, input: &Input) -> Simulation {
    for _ in 0..100 {
        sim.step(input).expect("the step succeeds");
    }
    sim
}

/// What acts through the input acts as what is in the model: motion, work and energy error, by every method. Sums are formed
/// in another order, so that rounding and what Newton's tolerance leaves part the two.
#[test]
fn a_wrench_of_the_input_is_one_of_the_model() {
    for info in REGISTRY {
        let settings = settings(1e-3, 1e-12);
        let mut free = after(simulation(&chain(), info.name, settings), &pushed());
        let own = loaded(chain());
        let mut bound = after(simulation(&own, info.name, settings), &Input::default());
        let mut idle = after(simulation(&chain(), info.name, settings), &Input::default());
        let distance = |a: &Simulation, b: &Simulation| {
            let pairs = a.state().bodies.iter().zip(&b.state().bodies);
            let apart = pairs.map(|(a, b)| (a.position - b.position).norm());
            apart.fold(0.0, f64::max)
        };
        // The first-order method of the papers begins with half an impulse of the forces of the model: half a step of some
        // 10 m/s² over 0.1 s.
        let tolerance = if info.name == "variational" {
            5e-4
        } else {
            1e-9
        };
        let apart = distance(&free, &bound);
        assert!(apart < tolerance, "{}: {apart:e}", info.name);
        let moved = distance(&free, &idle);
        assert!(moved > 1e-2, "{}: {moved:e}", info.name);
        let [free, bound, idle] = [&mut free, &mut bound, &mut idle].map(Simulation::sample);
        let work = free.external_work - bound.external_work;
        assert!(
            free.external_work.abs() > 0.1 && work.abs() < 1e2 * tolerance,
            "{}: {work:e}",
            info.name
        );
        // The work is booked: what is left is the error that the method makes without it, and the rule of the account, the
        // mean of the forces at both ends, which is off by 10 J times the square of the turn in a step, (1e-3)², each.
        let left = free.energy_error.abs();
        let allowed = 4.0 * idle.energy_error.abs() + if info.order == 1 { 0.05 } else { 1e-3 };
        assert!(left < allowed, "{}: {left:e}, {allowed:e}", info.name);
    }
}

/// A free body: its momentum is the force times the time, and its spin momentum the torque times the time.
#[test]
fn a_force_and_a_torque_give_momentum() {
    let body = Body::new("body", 2.0, Mat3::from_diagonal(&Vec3::new(0.2, 0.3, 0.4)));
    let model = Model::new(ModelParts {
        bodies: vec![body],
        ..ModelParts::default()
    })
    .expect("it is a model");
    let mut state = State::at_rest(&model);
    state.bodies[0].orientation = Quat::from_scaled_axis(Vec3::new(0.3, -0.8, 0.5));
    state.bodies[0].velocity = Twist {
        linear: Vec3::zeros(),
        angular: Vec3::new(0.2, 0.1, -0.3),
    };
    for info in REGISTRY {
        let start = simulation(
            &(model.clone(), state.clone()),
            info.name,
            settings(1e-3, 1e-12),
        );
        let mut start = start;
        let first = start.sample().momentum;
        let push = Input::default()
            .with_force(BodyId(0), FORCE)
            .with_torque(BodyId(0), TORQUE);
        let mut sim = after(start, &push);
        let found = sim.sample().momentum;
        let linear = (found.linear - first.linear - FORCE * 0.1).norm();
        // A constant force is summed without error but that of rounding. The first-order method of the papers holds the
        // momentum of the interval before, which lacks half an impulse.
        let half = if info.name == "variational" {
            0.5e-3
        } else {
            0.0
        };
        let allowed = 1e-12 + 1.001 * half * FORCE.norm();
        assert!(linear < allowed, "{}: {linear:e}", info.name);
        // From the origin along its force: the orbital part stays zero. Methods that do not keep angular momentum err by
        // their order.
        let angular = (found.angular - first.angular - TORQUE * 0.1).norm();
        let tolerance = if info.momentum_preserving {
            1e-10
        } else {
            1e-4
        };
        let allowed = tolerance + 1.001 * half * TORQUE.norm();
        assert!(angular < allowed, "{}: {angular:e}", info.name);
    }
}

#[test]
fn an_input_that_does_not_fit_is_refused_and_changes_nothing() {
    let mut sim = simulation(&chain(), "variational-2", settings(1e-3, 1e-10));
    let before = sim.state().clone();
    let push = |body, force| Input::default().with_force(BodyId(body), force);
    for (input, part) in [
        (
            push(7, FORCE),
            "wrenches.0.body: found 7, expected a body from 0 to 2",
        ),
        (push(0, Vec3::x() * f64::NAN), "wrenches.0.force"),
        (
            Input::default().with_command(JointId(9), 0, 1.0),
            "commands.0.joint: found 9",
        ),
        (
            Input::default().with_command(JointId(0), 5, 1.0),
            "commands.0.coordinate: found 5",
        ),
        (
            Input::default().with_command(JointId(0), 0, f64::INFINITY),
            "commands.0.value: found inf, expected a finite number",
        ),
    ] {
        let refused = sim.step(&input).map(drop).expect_err("it does not fit");
        assert!(matches!(refused, StepError::Input { .. }));
        assert!(refused.to_string().contains(part), "{refused}");
        assert_eq!(*sim.state(), before);
    }
}
