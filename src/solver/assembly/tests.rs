//! The equations of motion of random mechanisms of all kinds of joints, with loops, couplings and every force:
//! accelerations against the baselines' own system, solutions against dense ones, redundant rows, cost.

use super::*;
use crate::integrators::{self, Settings, StepReport};
use crate::joints::{self, Placement};
use crate::kinematics::{Tree, TreeMotion, assemble};
use crate::math::{Quat, Vec3};
use crate::model::specimen::{Numbers, at_rest, state};
use crate::model::{
    Attachment, Axes, BodyId, Coupling, CouplingTerm, Force, JointId, JointKind, JointSpring,
    ModelParts, Signal, State,
};
use nalgebra::DVector;

/// Kinds that close loops which random bodies can still move in.
const CLOSING: [JointKind; 4] = [
    JointKind::Spherical,
    JointKind::PointOnLine,
    JointKind::PointOnPlane,
    JointKind::PlanarAxis,
];

/// Forces of every kind on a mechanism.
fn equip(parts: &mut ModelParts, numbers: &mut Numbers) {
    let count = parts.bodies.len();
    for joint in &mut parts.joints {
        joint.damping_rotation = 0.3;
        joint.damping_translation = 0.2;
        if joint.kind.freedoms() > 0 {
            joint.springs.push(JointSpring {
                coordinate: numbers.below(joint.kind.freedoms()),
                stiffness: 3.0,
                rest: 0.1,
            });
        }
    }
    for k in 0..3 {
        let mut point = |body| Attachment {
            body: Some(BodyId(body)),
            point: numbers.vector() * 3.0,
        };
        parts.forces.push(Force::Spring {
            name: format!("line {k}"),
            ends: [point(k), point(count - 1 - k)],
            stiffness: 4.0,
            rest: 0.5,
            damping: 0.4,
        });
    }
    parts.forces.push(Force::Wrench {
        name: "push".into(),
        body: BodyId(count / 2),
        point: numbers.vector(),
        axes: Axes::Body,
        force: [0; 3].map(|_| Signal::Constant(numbers.unit())),
        torque: [0; 3].map(|_| Signal::Constant(numbers.unit())),
    });
}

/// A coupling of two coordinates that holds at the poses.
fn couple(parts: &mut ModelParts, numbers: &mut Numbers, bodies: &[BodyState]) {
    let free: Vec<usize> = (0..parts.joints.len())
        .filter(|&k| parts.joints[k].kind.freedoms() > 0)
        .collect();
    let terms: Vec<CouplingTerm> = [1.0, -0.7]
        .map(|factor| {
            let joint = free[numbers.below(free.len())];
            CouplingTerm {
                joint: JointId(joint),
                coordinate: numbers.below(parts.joints[joint].kind.freedoms()),
                factor,
            }
        })
        .to_vec();
    if (terms[0].joint, terms[0].coordinate) == (terms[1].joint, terms[1].coordinate) {
        return;
    }
    let value = |t: &CouplingTerm| {
        let joint = &parts.joints[t.joint.0];
        let at = Placement::of(joint, bodies);
        t.factor * joints::coordinates(joint.kind, &at, [0.0; 2])[t.coordinate]
    };
    let offset = terms.iter().map(value).sum();
    parts.couplings.push(Coupling {
        name: "gear".into(),
        terms,
        offset,
    });
}

/// A mechanism of `count` bodies, all kinds of joints in turn, at a state with velocities that its constraints allow.
pub fn mechanism(seed: u64, count: usize, loops: usize) -> (Model, State) {
    let mut numbers = Numbers(seed);
    let kinds: Vec<JointKind> = (0..count)
        .map(|k| JointKind::ALL[(k + seed as usize) % 12])
        .collect();
    let mut parts = numbers.forest(&kinds);
    let tree = Tree::new(&Model::new(parts.clone()).expect("a valid forest"));
    let mut q = vec![0.0; tree.coordinates()];
    tree.neutral(&mut q);
    let delta: Vec<f64> = (0..tree.freedoms()).map(|_| 0.8 * numbers.unit()).collect();
    tree.retract(&mut q, &delta);
    let mut motion = TreeMotion::new(&tree);
    motion.place(&tree, &q);
    let mut bodies = vec![at_rest(); count];
    motion.write(&tree, &mut bodies);
    for k in 0..loops {
        let ends = [numbers.below(count), numbers.below(count)].map(|b| Some(BodyId(b)));
        let kind = CLOSING[numbers.below(4)];
        let name = format!("closing {k}");
        parts
            .joints
            .extend(numbers.closing(&name, kind, ends, &bodies));
    }
    if loops > 0 {
        couple(&mut parts, &mut numbers, &bodies);
    }
    equip(&mut parts, &mut numbers);
    let model = Model::new(parts).expect("the specimen is a valid model");
    for body in &mut bodies {
        body.velocity = numbers.twist();
    }
    let mut state = state(&model, &bodies);
    assemble(&model, &mut state).expect("the specimen is closed");
    (model, state)
}

pub fn twists(state: &State) -> Vec<Twist> {
    state.bodies.iter().map(|b| b.velocity).collect()
}

/// Accelerations of the acceleration-level baseline: what one step of explicit Euler changes velocities by.
fn of_baseline(model: &Model, state: &State) -> Vec<Twist> {
    // A power of two: dividing by it rounds nothing.
    let dt = 1.0 / 1024.0;
    let settings = Settings {
        dt,
        ..Settings::default()
    };
    let mut method = integrators::build("explicit-euler", model, &settings).expect("registered");
    let mut after = state.clone();
    let mut report = StepReport::default();
    method
        .step(model, &mut after, &Input::default(), &settings, &mut report)
        .expect("one step");
    let change = after.bodies.iter().zip(&state.bodies).map(|(a, b)| Twist {
        linear: (a.velocity.linear - b.velocity.linear) / dt,
        angular: (a.velocity.angular - b.velocity.angular) / dt,
    });
    change.collect()
}

#[test]
fn accelerations_are_those_of_the_baselines_own_system() {
    for seed in 0..40 {
        let (model, state) = mechanism(seed, 12, if seed % 4 == 0 { 0 } else { 3 });
        let twists = twists(&state);
        let input = Input::default();
        let at = Moment {
            bodies: &state.bodies,
            twists: &twists,
            angles: &state.angles,
            time: state.time,
            input: &input,
        };
        let mut system = LinearSystem::new(&model, Pattern::Masses);
        let left = EquationsOfMotion::new(&model).accelerations(&model, &at, 0.0, &mut system);
        let wanted = of_baseline(&model, &state);
        let size = wanted.iter().map(|a| a.linear.amax().max(a.angular.amax()));
        let size = size.fold(1.0, f64::max);
        for (a, b) in system.motions().iter().zip(&wanted) {
            let error = (a.linear - b.linear)
                .amax()
                .max((a.angular - b.angular).amax());
            // Two ways of rounding in systems whose condition random loops make as large as 1e5.
            assert!(
                error < 1e-10 * size,
                "seed {seed}: {error} of {size}, left {left}"
            );
        }
        assert!(left < 1e-10 * size, "seed {seed}: {left}");
    }
}

#[test]
fn in_body_axes_the_inertia_is_that_of_the_model() {
    let (model, state) = mechanism(3, 8, 0);
    let still = vec![Twist::default(); 8];
    let input = Input::default();
    let none = vec![0.0; model.equations()];
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
    let mut system = LinearSystem::new(&model, Pattern::Masses);
    EquationsOfMotion::new(&model)
        .balance(&model, &trial)
        .linearise(
            &Increments::Body,
            &Weights::ACCELERATION,
            Level::Acceleration,
            &mut system,
        );
    let matrix = system.matrix();
    for (k, body) in model.bodies.iter().enumerate() {
        let first = system.place_of_body(k);
        let mut wanted = Mat6::from_diagonal_element(body.mass);
        wanted.fixed_view_mut::<3, 3>(3, 3).copy_from(&body.inertia);
        let found = matrix.fixed_view::<6, 6>(first, first);
        // Two products with a rotation.
        assert!((found - wanted).amax() < 1e-15 * 10.0);
    }
}

#[test]
fn solutions_are_those_of_the_dense_matrix() {
    for seed in 0..12 {
        let (model, state) = mechanism(seed, 12, 0);
        let mut numbers = Numbers(seed);
        let twists = twists(&state);
        let input = Input::default();
        let multipliers = vec![0.5; model.equations()];
        let trial = Trial {
            moment: Moment {
                bodies: &state.bodies,
                twists: &twists,
                angles: &state.angles,
                time: 0.0,
                input: &input,
            },
            accelerations: &twists,
            multipliers: &multipliers,
        };
        let h: f64 = 0.01;
        let weights = Weights {
            position: 0.25 * h * h,
            velocity: 0.5 * h,
            acceleration: 1.0,
            rows: 4.0 / (h * h),
        };
        let mut system = LinearSystem::new(&model, Pattern::Full);
        EquationsOfMotion::new(&model)
            .balance(&model, &trial)
            .linearise(&Increments::World, &weights, Level::Position, &mut system);
        let matrix = system.matrix();
        let wrenches: Vec<Wrench> = (0..12)
            .map(|_| Wrench {
                force: numbers.vector(),
                torque: numbers.vector(),
            })
            .collect();
        let rows: Vec<f64> = (0..model.equations())
            .map(|_| numbers.unit() * h * h)
            .collect();
        system.solve(&wrenches, &rows);
        let mut b = DVector::zeros(matrix.nrows());
        let mut x = b.clone();
        for (k, wrench) in wrenches.iter().enumerate() {
            let (first, motion) = (system.place_of_body(k), &system.motions()[k]);
            for i in 0..3 {
                b[first + i] = wrench.force[i];
                b[first + 3 + i] = wrench.torque[i];
                x[first + i] = motion.linear[i];
                x[first + 3 + i] = motion.angular[i];
            }
        }
        for (row, value) in rows.iter().enumerate() {
            b[system.place_of_row(row)] = value * weights.rows;
            x[system.place_of_row(row)] = system.multipliers()[row];
        }
        let dense = matrix.lu().solve(&b).expect("a tree has no redundant rows");
        // The condition of a chain of joints with frames anywhere is below 1e5.
        assert!((&dense - &x).amax() < 1e-11 * dense.amax(), "seed {seed}");
    }
}

#[test]
fn the_cost_of_a_tree_is_linear_and_nothing_is_filled_in() {
    for pattern in [Pattern::Masses, Pattern::Full] {
        let cost = [10, 100].map(|links| {
            let scene = crate::scene::open(format!("chain:links={links},joint=universal"), &[]);
            let model = scene.expect("a shipped generator").model;
            LinearSystem::new(&model, pattern).cost()
        });
        assert_eq!((cost[0].1, cost[1].1), (0, 0), "{pattern:?}");
        // Blocks: a link to its joint, a joint to the link's parent, and in full a link to its parent; the first
        // link has no parent.
        let blocks = if pattern == Pattern::Full { 3 } else { 2 };
        assert_eq!(
            cost.map(|c| c.0),
            [10, 100].map(|n| blocks * n - (blocks - 1)),
            "{pattern:?}"
        );
        // The first joint passes nothing on, which weighs more in the shorter chain.
        let ratio = cost[1].2 as f64 / cost[0].2 as f64;
        assert!((10.0..11.0).contains(&ratio), "{pattern:?}: {ratio}");
    }
}

#[test]
fn hinges_on_one_axis_accelerate_as_one_hinge_at_every_scale() {
    for size in [1e-3, 1.0, 1e3] {
        let mut numbers = Numbers(11);
        let mut parts = numbers.pair(JointKind::Revolute).0;
        parts.gravity = Vec3::new(1.0, 2.0, -9.0);
        let root = numbers.joint("root", JointKind::Spherical, None, BodyId(0));
        parts.joints.push(root);
        for body in &mut parts.bodies {
            body.mass *= size * size * size;
            body.inertia *= size.powi(5);
        }
        for joint in &mut parts.joints {
            joint.parent_frame.anchor *= size;
            joint.child_frame.anchor *= size;
        }
        let accelerations = |parts: ModelParts, hinges: usize| {
            let mut parts = parts;
            for k in 0..hinges {
                let mut hinge = parts.joints[0].clone();
                hinge.name = format!("hinge {k}");
                let along = Vec3::z() * (size * (1.0 + k as f64));
                for frame in [&mut hinge.parent_frame, &mut hinge.child_frame] {
                    frame.anchor += frame.orientation * along;
                }
                parts.joints.push(hinge);
            }
            let model = Model::new(parts).expect("a valid model");
            let tree = Tree::new(&model);
            let mut q = vec![0.0; tree.coordinates()];
            tree.neutral(&mut q);
            let delta: Vec<f64> = (0..tree.freedoms()).map(|k| 0.3 + 0.2 * k as f64).collect();
            tree.retract(&mut q, &delta);
            let mut motion = TreeMotion::new(&tree);
            motion.place(&tree, &q);
            motion.drive(&tree, &delta);
            let mut bodies = vec![at_rest(); 2];
            motion.write(&tree, &mut bodies);
            let twists: Vec<Twist> = bodies.iter().map(|b| b.velocity).collect();
            let input = Input::default();
            let angles = vec![[0.0; 2]; model.joints.len()];
            let at = Moment {
                bodies: &bodies,
                twists: &twists,
                angles: &angles,
                time: 0.0,
                input: &input,
            };
            let mut system = LinearSystem::new(&model, Pattern::Masses);
            EquationsOfMotion::new(&model).accelerations(&model, &at, 0.0, &mut system);
            system.motions().to_vec()
        };
        let one = accelerations(parts.clone(), 0);
        for hinges in 1..=3 {
            let several = accelerations(parts.clone(), hinges);
            let scale = one
                .iter()
                .map(|a| a.linear.amax() + size * a.angular.amax());
            let scale = scale.fold(0.0, f64::max);
            for (a, b) in one.iter().zip(&several) {
                let error = (a.linear - b.linear).amax() + size * (a.angular - b.angular).amax();
                // Rounding of rows that are wholly redundant, over their regularisation of 1e-8, refined.
                assert!(
                    error < 1e-11 * scale,
                    "size {size}, {hinges}: {error} of {scale}"
                );
            }
        }
    }
}

/// The explicit midpoint rule on accelerations of the graph: a method in twenty lines.
fn midpoint(model: &Model, state: &State, dt: f64, steps: usize) -> State {
    let mut state = state.clone();
    let mut equations = EquationsOfMotion::new(model);
    let mut system = LinearSystem::new(model, Pattern::Masses);
    let input = Input::default();
    let moved = |from: &State, velocities: &[Twist], accelerations: &[Twist], h: f64| {
        let mut to = from.clone();
        for (k, body) in to.bodies.iter_mut().enumerate() {
            body.position += velocities[k].linear * h;
            body.orientation = Quat::from_scaled_axis(velocities[k].angular * h) * body.orientation;
            body.velocity.linear += accelerations[k].linear * h;
            body.velocity.angular += accelerations[k].angular * h;
        }
        joints::refresh_angles(model, &to.bodies, &mut to.angles);
        to
    };
    for _ in 0..steps {
        let mut stage = state.clone();
        for h in [0.5 * dt, dt] {
            let twists = twists(&stage);
            let at = Moment {
                bodies: &stage.bodies,
                twists: &twists,
                angles: &stage.angles,
                time: stage.time,
                input: &input,
            };
            equations.accelerations(model, &at, 0.0, &mut system);
            stage = moved(&state, &twists, system.motions(), h);
        }
        state = stage;
    }
    state
}

#[test]
fn the_midpoint_rule_on_the_graph_converges_to_rk4_at_its_order() {
    // A loop, a coupling and all forces, for 0.2 s.
    let (model, start) = mechanism(5, 8, 2);
    let settings = Settings {
        dt: 1.0 / 4096.0,
        ..Settings::default()
    };
    let mut rk4 = integrators::build("rk4", &model, &settings).expect("registered");
    let mut reference = start.clone();
    let mut report = StepReport::default();
    for _ in 0..819 {
        rk4.step(
            &model,
            &mut reference,
            &Input::default(),
            &settings,
            &mut report,
        )
        .expect("a step");
    }
    let time = 819.0 / 4096.0;
    let error = |steps: usize| {
        let found = midpoint(&model, &start, time / steps as f64, steps);
        let apart = found.bodies.iter().zip(&reference.bodies).map(|(a, b)| {
            (a.position - b.position).norm() + a.orientation.angle_to(&b.orientation)
        });
        apart.fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(64), error(128));
    let order = (coarse / fine).log2();
    assert!(
        (1.8..2.3).contains(&order),
        "order {order}: {coarse} {fine}"
    );
}
