//! Random mechanisms: trees and loops of all kinds of joints, also on shared axes.

use crate::kinematics;
use crate::math::Vec3;
use crate::model::specimen::{Numbers, at_rest, place};
use crate::model::*;
use proptest::prelude::*;

/// What a random mechanism is made from.
#[derive(Debug, Clone)]
pub struct Recipe {
    pub seed: u64,
    pub bodies: usize,
    pub loops: usize,
    pub grounded: bool,
    pub damped: bool,
    pub coupled: bool,
    /// Springs between points; where it is damped, also in joints.
    pub sprung: bool,
}

/// Recipes of small mechanisms, free or grounded, with and without loops.
pub fn recipe() -> impl Strategy<Value = Recipe> {
    (any::<u64>(), 1usize..7, 0usize..3, any::<[bool; 4]>()).prop_map(
        |(seed, bodies, loops, options)| {
            let [grounded, damped, coupled, sprung] = options;
            Recipe {
                seed,
                bodies,
                loops,
                grounded,
                damped,
                coupled,
                sprung,
            }
        },
    )
}

/// Makes a joint do again what one of these does: between the same bodies, of the same kind, elsewhere on its axis.
fn share_axis(joint: &mut Joint, others: &[Joint], numbers: &mut Numbers) {
    let lines = [
        JointKind::Revolute,
        JointKind::Prismatic,
        JointKind::Cylindrical,
        JointKind::Fixed,
        JointKind::Spherical,
    ];
    let along = |j: &&Joint| j.parent.is_some() && lines.contains(&j.kind);
    if let Some(other) = others.iter().rfind(along) {
        let name = std::mem::take(&mut joint.name);
        *joint = Joint {
            name,
            ..other.clone()
        };
        let axis = joint.parent_frame.orientation * Vec3::z();
        joint.parent_frame.anchor += axis * numbers.unit();
    }
}

fn spring(coordinate: usize) -> JointSpring {
    JointSpring {
        coordinate,
        stiffness: 1e3,
        rest: 0.1,
    }
}

/// A mechanism that is closed and moves as its joints allow.
pub fn mechanism(recipe: &Recipe) -> (Model, State) {
    let mut numbers = Numbers(recipe.seed);
    let pick =
        |numbers: &mut Numbers, n: usize| ((numbers.unit() + 1.0) * 0.5 * n as f64) as usize % n;
    let bodies: Vec<Body> = (0..recipe.bodies)
        .map(|k| numbers.body(&format!("body {k}")))
        .collect();
    let mut states = vec![at_rest(); recipe.bodies];
    let mut joints = Vec::new();
    for child in 0..recipe.bodies {
        let parent = if child == 0 {
            None
        } else {
            Some(BodyId(pick(&mut numbers, child)))
        };
        if child == 0 && !recipe.grounded {
            states[0].orientation = numbers.rotation();
            continue;
        }
        let kind = JointKind::ALL[pick(&mut numbers, JointKind::ALL.len())];
        let mut joint = numbers.joint(&format!("joint {child}"), kind, parent, BodyId(child));
        if recipe.damped {
            joint.damping_rotation = 0.3;
            joint.damping_translation = 0.2;
        }
        if recipe.damped && recipe.sprung && kind.freedoms() > 0 {
            let coordinate = pick(&mut numbers, kind.freedoms());
            joint.springs.push(spring(coordinate));
        }
        place(&joint, &numbers.coordinates(), &mut states);
        joints.push(joint);
    }
    for k in 0..recipe.loops.min(recipe.bodies - 1) {
        // A joint whose frames are taken from the poses reached: closed, perhaps redundant, either way round.
        let kinds = [
            JointKind::Spherical,
            JointKind::Revolute,
            JointKind::PointOnLine,
            JointKind::Cylindrical,
        ];
        let kind = kinds[pick(&mut numbers, kinds.len())];
        let last = BodyId(recipe.bodies - 1 - k);
        let (parent, child) = if k == 0 {
            (BodyId(0), last)
        } else {
            (last, BodyId(0))
        };
        if parent == child {
            continue;
        }
        let mut joint = numbers.joint(&format!("loop {k}"), kind, Some(parent), child);
        if numbers.unit() > 0.0 {
            share_axis(&mut joint, &joints, &mut numbers);
        }
        let (p, c) = (
            states[joint.parent.map_or(0, |p| p.0)],
            states[joint.child.0],
        );
        let world = p.position + p.orientation * joint.parent_frame.anchor;
        joint.child_frame.anchor = c.orientation.inverse() * (world - c.position);
        joint.child_frame.orientation =
            c.orientation.inverse() * p.orientation * joint.parent_frame.orientation;
        if recipe.damped {
            joint.damping_rotation = 0.1;
        }
        if recipe.damped && recipe.sprung {
            joint.springs = (0..joint.kind.freedoms().min(1)).map(spring).collect();
        }
        joints.push(joint);
    }
    let mut forces = Vec::new();
    if recipe.sprung {
        let world = recipe.grounded.then_some(None);
        let first = (recipe.bodies > 1).then_some(Some(BodyId(0)));
        for (k, end) in world.into_iter().chain(first).enumerate() {
            let attachment = |body, point| Attachment { body, point };
            forces.push(Force::Spring {
                name: format!("line {k}"),
                ends: [
                    attachment(Some(BodyId(recipe.bodies - 1)), numbers.vector() * 0.3),
                    attachment(end, numbers.vector()),
                ],
                stiffness: 400.0,
                rest: 0.4 * k as f64,
                damping: 0.5 * k as f64,
            });
        }
    }
    let mut couplings = Vec::new();
    let turning: Vec<usize> = (0..joints.len())
        .filter(|&j| joints[j].kind == JointKind::Revolute)
        .collect();
    if let (true, [a, b, ..]) = (recipe.coupled, turning.as_slice()) {
        let term = |joint: usize, factor| CouplingTerm {
            joint: JointId(joint),
            coordinate: 0,
            factor,
        };
        couplings.push(Coupling {
            name: "gear".into(),
            terms: vec![term(*a, 1.0), term(*b, -0.4)],
            offset: 0.0,
            compliance: Default::default(),
        });
    }
    let parts = ModelParts {
        bodies,
        joints,
        couplings,
        forces,
        gravity: Vec3::new(0.3, -0.2, -9.0),
        ..ModelParts::default()
    };
    let mut model = Model::new(parts).expect("the recipe makes a valid model");
    let mut state = State {
        bodies: states,
        ..State::at_rest(&model)
    };
    for k in 0..model.couplings.len() {
        model.couplings[k].offset +=
            crate::solver::coupling_value(&model, k, &state.bodies, &state.angles);
    }
    for body in &mut state.bodies {
        body.velocity = numbers.twist();
    }
    kinematics::assemble(&model, &mut state).expect("the mechanism is closed as built");
    (model, state)
}
