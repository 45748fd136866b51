//! Mechanisms that touch nothing: every method in a step, coordinates of joints, the equations of motion.

use crate::COUNT;
use driftless::forces::Wrench;
use driftless::integrators::{REGISTRY, Settings};
use driftless::kinematics::{Tree, TreeMotion};
use driftless::math::{Mat3, Quat, Vec3};
use driftless::model::{
    Actuator, Attachment, Axes, Body, BodyId, Force, Joint, JointFrame, JointId, JointKind,
    JointLimit, JointSpring, Model, ModelParts, PdTarget, Signal, State, Twist,
};
use driftless::sim::{AppliedWrench, Command, Drag, DragGoal, Input, Simulation};
use driftless::solver::assembly::{
    EquationsOfMotion, Increments, Level, LinearSystem, Moment, Pattern, Trial, Weights,
};

fn frame(z: f64) -> JointFrame {
    JointFrame {
        anchor: Vec3::new(0.0, 0.0, z),
        // The joint axis is the world's x axis.
        orientation: Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2),
    }
}

/// A chain of rods that hangs straight down; `closed` ties its last end to the world so that it is a loop.
fn parts(links: usize, closed: bool) -> (ModelParts, Vec<Vec3>) {
    let mut parts = ModelParts {
        gravity: Vec3::new(0.0, 0.0, -9.81),
        ..ModelParts::default()
    };
    let mut centres = Vec::new();
    for k in 0..links {
        parts
            .bodies
            .push(Body::new(format!("b{k}"), 1.0, Mat3::identity() * 0.1));
        centres.push(Vec3::new(0.0, 0.0, -0.5 - k as f64));
        parts.joints.push(Joint {
            name: format!("j{k}"),
            kind: JointKind::Revolute,
            parent: k.checked_sub(1).map(BodyId),
            child: BodyId(k),
            parent_frame: frame(if k == 0 { 0.0 } else { -0.5 }),
            child_frame: frame(0.5),
            damping_translation: 0.0,
            damping_rotation: 0.0,
            springs: vec![JointSpring {
                coordinate: 0,
                stiffness: 1.0,
                rest: 0.1,
            }],
            actuators: Vec::new(),
            limits: Vec::new(),
            compliance: Default::default(),
        });
    }
    let point_on_line = Joint {
        name: "closure".into(),
        kind: JointKind::PointOnLine,
        parent: None,
        parent_frame: JointFrame {
            anchor: Vec3::zeros(),
            orientation: Quat::identity(),
        },
        ..parts.joints[links - 1].clone()
    };
    if closed {
        parts.joints.push(Joint {
            springs: Vec::new(),
            child_frame: frame(-0.5),
            ..point_on_line
        });
    }
    (parts, centres)
}

/// Adds everything that dissipates or drives.
fn equip(parts: &mut ModelParts) {
    let expression = |text| Signal::expression(text).expect("it parses");
    parts.joints[0].damping_rotation = 0.1;
    parts.joints[1].actuators.push(Actuator {
        coordinate: 0,
        command: expression("0.3*sin(2*t)+0.1*cos(t)"),
        pd: Some(PdTarget {
            stiffness: 3.0,
            damping: 0.2,
            target: Signal::table(vec![(0.0, 0.0), (0.1, 0.2)]).expect("it is a table"),
            rate: Signal::ZERO,
        }),
        limit: 2.0,
    });
    parts.joints[2].actuators.push(Actuator {
        coordinate: 0,
        command: expression("0.1*t"),
        pd: None,
        limit: 1.0,
    });
    parts.forces = vec![
        Force::Spring {
            name: "spring".into(),
            ends: [None, Some(BodyId(1))].map(|body| Attachment {
                body,
                point: Vec3::new(0.0, 0.3, 0.1),
            }),
            stiffness: 5.0,
            rest: 0.4,
            damping: 0.3,
        },
        Force::Wrench {
            name: "wind".into(),
            body: BodyId(0),
            point: Vec3::zeros(),
            axes: Axes::World,
            force: [Signal::ZERO, expression("sin(t)"), Signal::ZERO],
            torque: [Signal::ZERO, Signal::ZERO, Signal::ZERO],
        },
    ];
}

/// Allocations of 20 steps after 40 to warm up.
fn allocations(integrator: &str, (parts, centres): (ModelParts, Vec<Vec3>), input: &Input) -> u64 {
    let model = Model::new(parts).expect("the chain is valid");
    let mut state = State::at_rest(&model);
    for (body, centre) in state.bodies.iter_mut().zip(centres) {
        body.position = centre;
    }
    let settings = Settings {
        dt: 1e-3,
        ..Settings::default()
    };
    let mut sim = Simulation::new(model, state, integrator, settings).expect("it runs");
    for _ in 0..40 {
        sim.step(input).expect("the step succeeds");
    }
    let before = COUNT.get();
    for _ in 0..20 {
        sim.step(input).expect("the step succeeds");
    }
    COUNT.get() - before
}

#[test]
fn joint_coordinates_and_equations_of_motion_allocate_nothing() {
    let (mut parts, centres) = parts(4, true);
    equip(&mut parts);
    let model = Model::new(parts).expect("the chain is valid");
    let mut state = State::at_rest(&model);
    for (body, centre) in state.bodies.iter_mut().zip(centres) {
        body.position = centre;
    }
    let tree = Tree::new(&model);
    let mut motion = TreeMotion::new(&tree);
    let mut q = vec![0.0; tree.coordinates()];
    let mut v = vec![0.1; tree.freedoms()];
    let mut columns = vec![Twist::default(); tree.freedoms()];
    let mut by_link = vec![Twist::default(); tree.links().len()];
    let still = vec![Twist::default(); model.bodies.len()];
    let forces = vec![Wrench::default(); model.bodies.len()];
    let none = vec![0.0; model.equations()];
    let mut equations = EquationsOfMotion::new(&model);
    let mut system = LinearSystem::new(&model, Pattern::Full);
    let weights = Weights {
        position: 1e-4,
        velocity: 1e-2,
        ..Weights::ACCELERATION
    };
    let input = Input::default();
    let mut all = || {
        tree.read(&state.bodies, &state.angles, &mut q);
        tree.read_velocities(&state.bodies, &still, &mut v);
        tree.retract(&mut q, &v);
        motion.place(&tree, &q);
        motion.drive(&tree, &v);
        motion.accelerations(&tree, &v, &mut by_link);
        motion.pull(&tree, &forces, &mut v);
        motion.jacobian(&tree, 3, &mut columns);
        motion.jacobian_rate(&tree, 3, &mut columns);
        motion.write(&tree, &mut state.bodies);
        let trial = Trial {
            moment: Moment {
                bodies: &state.bodies,
                twists: &still,
                angles: &state.angles,
                time: 0.0,
                input: &input,
            },
            accelerations: &still,
            multipliers: &none,
        };
        equations.accelerations(&model, &trial.moment, 0.0, &mut system);
        let mut balanced = equations.balance(&model, &trial);
        balanced.linearise(&Increments::Body, &weights, Level::Velocity, &mut system);
        system.solve(&forces, &none);
    };
    // The parser of expressions sizes its own memory at its first reading.
    all();
    let before = COUNT.get();
    all();
    assert_eq!(COUNT.get() - before, 0);
}

#[test]
fn no_method_allocates_in_a_step() {
    let drag = |goal| Input {
        drag: Some(Drag {
            body: BodyId(2),
            point: Vec3::new(0.1, 0.0, 0.2),
            goal,
        }),
        commands: vec![Command {
            joint: JointId(1),
            coordinate: 0,
            value: 0.1,
        }],
        wrenches: vec![AppliedWrench {
            body: BodyId(0),
            point: Vec3::x(),
            force: Vec3::z(),
            torque: Vec3::y(),
        }],
    };
    let pull = drag(DragGoal::Pull(Vec3::new(0.3, 1.0, -1.0)));
    let turn = drag(DragGoal::Turn(Quat::from_euler_angles(0.2, 0.1, 0.0)));
    for info in REGISTRY {
        let mut runs = vec![("plain", parts(4, info.supports.loops), Input::default())];
        if info.supports.dissipation {
            for (name, input) in [
                ("equipped", Input::default()),
                ("pulled", pull.clone()),
                ("turned", turn.clone()),
            ] {
                let (mut with, centres) = parts(4, info.supports.loops);
                equip(&mut with);
                runs.push((name, (with, centres), input));
            }
        }
        if info.supports.limits {
            // Springs press it against its bound.
            let (mut with, centres) = parts(4, info.supports.loops);
            with.joints[1].limits.push(JointLimit {
                coordinate: 0,
                lower: -1.0,
                upper: 1e-5,
                restitution: 0.0,
                compliance: Default::default(),
            });
            runs.push(("stopped", (with, centres), Input::default()));
        }
        for (name, mechanism, input) in runs {
            let found = allocations(info.name, mechanism, &input);
            assert_eq!(found, 0, "{} allocates on the {name} chain", info.name);
        }
    }
}
