//! Random mechanisms of all kinds of joints, with loops, couplings and every force.

use crate::joints::{self, Placement};
use crate::kinematics::{Tree, TreeMotion, assemble};
use crate::model::specimen::{Numbers, at_rest, state};
use crate::model::{
    Attachment, Axes, BodyId, Coupling, CouplingTerm, Force, JointId, JointKind, JointSpring,
    ModelParts, Signal, State,
};
use crate::solver::assembly::*;

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
        compliance: Default::default(),
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

/// The velocities of all bodies.
pub fn twists(state: &State) -> Vec<Twist> {
    state.bodies.iter().map(|b| b.velocity).collect()
}
