//! The discrete equation of motion on random forests of all kinds of joints: displacements, residuals, derivatives, roots.

mod derivatives;
mod lagrangian;
mod roots;
mod rows;

use super::equation::{Context, Equation};
use super::lagrangian::MeanVelocity;
use super::svi::Svi;
use crate::forces::{self, StiffSprings, Wrench};
use crate::kinematics::{Jacobian, TreeMotion, set_momenta};
use crate::math::rotation;
use crate::model::specimen::{Numbers, at_rest};
use crate::model::{
    Actuator, Attachment, BodyId, Drag, DragGoal, Force, Input, JointKind, JointSpring, Model,
    ModelParts, PdTarget, Signal, State,
};
use crate::solver::Interval;

const DT: f64 = 0.02;

const MEANS: [MeanVelocity; 2] = [MeanVelocity::Screw, MeanVelocity::Quaternion];

/// A moving forest in which every kind of joint stands twice, forwards and backwards.
struct Specimen {
    model: Model,
    state: State,
    input: Input,
    numbers: Numbers,
}

/// Springs, dampers and drives on every coordinate, and damped springs between points.
fn equip(parts: &mut ModelParts, numbers: &mut Numbers) {
    for joint in &mut parts.joints {
        (joint.damping_translation, joint.damping_rotation) = (0.3, 0.2);
        for coordinate in 0..joint.kind.freedoms() {
            joint.springs.push(JointSpring {
                coordinate,
                stiffness: 3.0,
                rest: 0.2,
            });
            joint.actuators.push(Actuator {
                coordinate,
                command: Signal::Constant(0.5),
                pd: Some(PdTarget {
                    stiffness: 4.0,
                    damping: 0.6,
                    target: Signal::Constant(0.3),
                    rate: Signal::Constant(0.1),
                }),
                limit: 100.0,
            });
        }
    }
    parts.forces.push(Force::Spring {
        name: "line".into(),
        ends: [9, 5].map(|body| Attachment {
            body: Some(BodyId(body)),
            point: numbers.vector(),
        }),
        stiffness: 20.0,
        rest: 0.3,
        damping: 2.0,
    });
}

fn specimen(seed: u64, equipped: bool) -> Specimen {
    let mut numbers = Numbers(seed);
    let mut kinds: Vec<JointKind> = JointKind::ALL.into_iter().chain(JointKind::ALL).collect();
    for k in (1..kinds.len()).rev() {
        kinds.swap(k, numbers.below(k + 1));
    }
    let mut parts = numbers.forest(&kinds);
    let mut input = Input::default();
    if equipped {
        equip(&mut parts, &mut numbers);
        input.drag = Some(Drag {
            body: BodyId(3),
            point: numbers.vector(),
            goal: DragGoal::Pull(numbers.vector() * 2.0),
        });
    }
    let model = Model::new(parts).expect("the specimen is a valid model");
    let state = State::at_rest(&model);
    let mut specimen = Specimen {
        model,
        state,
        input,
        numbers,
    };
    specimen.place();
    specimen
}

impl Specimen {
    /// Puts the bodies anywhere that the tree's joints let them be, in motion.
    fn place(&mut self) {
        let Self {
            model,
            state,
            numbers,
            ..
        } = self;
        state.bodies.fill(at_rest());
        let tree = crate::kinematics::Tree::new(model);
        let mut q = vec![0.0; tree.coordinates()];
        tree.neutral(&mut q);
        let mut random = |size: f64| -> Vec<f64> {
            (0..tree.freedoms())
                .map(|_| size * numbers.unit())
                .collect()
        };
        tree.retract(&mut q, &random(1.5));
        let mut motion = TreeMotion::new(&tree);
        motion.place(&tree, &q);
        motion.drive(&tree, &random(1.0));
        motion.write(&tree, &mut state.bodies);
        tree.write_angles(&q, &mut state.angles);
        set_momenta(model, &mut state.bodies);
    }

    fn context(&self) -> Context<'_> {
        Context {
            model: &self.model,
            state: &self.state,
            input: &self.input,
            interval: Interval {
                dt: DT,
                time: 0.3,
                share: 0.5,
                blend: 0.5,
            },
        }
    }

    /// The equation at its first knot.
    fn equation(&self, mean: MeanVelocity) -> Equation {
        // In steps as long as this every spring is stiff.
        let stiff = StiffSprings::of(&self.model, 100.0);
        let mut e = Equation::new(&self.model, mean, stiff);
        let mut wrenches = vec![Wrench::default(); self.model.bodies.len()];
        let State { bodies, angles, .. } = &self.state;
        let (model, input) = (&self.model, &self.input);
        let stiff = &e.laws.stiff;
        forces::knot_wrenches(model, bodies, angles, 0.3, input, stiff, &mut wrenches);
        e.begin(&self.context(), &wrenches);
        e
    }

    /// An increment of the coordinates of up to `size`.
    fn increment(&mut self, e: &Equation, size: f64) -> Vec<f64> {
        let unit = |_| size * self.numbers.unit();
        (0..e.tree.freedoms()).map(unit).collect()
    }
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |a, b| {
        if b.abs() > a || b.is_nan() {
            b.abs()
        } else {
            a
        }
    })
}

#[test]
fn displacements_and_subspaces_are_those_of_forward_kinematics_at_the_end() {
    for seed in 0..10 {
        let mut s = specimen(seed, false);
        let mut e = s.equation(MeanVelocity::Screw);
        let delta = s.increment(&e, 0.5);
        e.advance(&s.context(), &delta);
        e.motion.bend(&e.tree, &e.knot, &delta);
        let (mut q, mut end) = (e.q.clone(), TreeMotion::new(&e.tree));
        e.tree.retract(&mut q, &delta);
        end.place(&e.tree, &q);
        let mut bodies = s.state.bodies.clone();
        end.write(&e.tree, &mut bodies);
        for (i, link) in e.tree.links().iter().enumerate() {
            let (from, to) = (&s.state.bodies[link.body], &bodies[link.body]);
            let turn = to.orientation * from.orientation.inverse();
            // Poses are products of some ten rotations and arms of order 10.
            let error = (e.motion.shifts[i] - (to.position - from.position)).amax();
            assert!(error < 1e-12, "seed {seed} link {i}: {error}");
            let error = rotation::log(&(turn * e.motion.turns[i].inverse())).amax();
            assert!(error < 1e-12, "seed {seed} link {i}: {error}");
        }
        let (found, wanted) = (e.motion.jacobian(), Jacobian::from(&end));
        for (a, b) in found.columns.iter().zip(wanted.columns) {
            let error = (a.linear - b.linear)
                .amax()
                .max((a.angular - b.angular).amax());
            assert!(error < 1e-12, "seed {seed}: {error}");
        }
        for (a, b) in found.arms.iter().zip(wanted.arms) {
            assert!((a - b).amax() < 1e-12, "seed {seed}");
        }
    }
}

#[test]
fn the_residual_of_the_recursion_is_that_of_every_body_by_itself() {
    for seed in 0..10 {
        for (mean, equipped) in MEANS.into_iter().zip([false, true]) {
            let mut s = specimen(seed, equipped);
            let mut e = s.equation(mean);
            let delta = s.increment(&e, 0.05);
            let drnea = e.evaluate(&s.context(), &delta);
            let residual = e.residual.clone();
            let mut svi = Svi::new(&e);
            let found = svi.evaluate(&mut e, &s.context(), &delta);
            let apart = largest(residual.iter().zip(&e.residual).map(|(a, b)| a - b));
            // Momenta from differences of poses of order 10 over 0.02 s: 1e-15 · 10 / 0.02 and some tens of bodies.
            let size = largest(residual.iter().copied());
            assert!(
                apart < 1e-11 * size,
                "seed {seed}, {mean:?}: {apart} of {size}"
            );
            assert!((drnea.relative - found.relative).abs() < 1e-9 * drnea.relative);
            assert!(size > 0.1, "something is unbalanced");
        }
    }
}
