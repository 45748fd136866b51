//! Forward dynamics in joint coordinates by articulated bodies: the baselines that most robot simulators are.
//!
//! Accelerations follow from `M(q) v̇ = Jᵀ(f - b)`, solved in linear time [Featherstone2008 ch. 7], with `f` all forces and
//! `b` what the bodies take at steady velocities. Joints cannot open, but nothing keeps energy or momentum.
//!
//! | method | step |
//! |---|---|
//! | `joint-space-euler` | `v₁ = v₀ + dt v̇`, then `q₁ = q₀ ⊕ dt v₁` |
//! | `joint-space-rk4` | classical Runge-Kutta in the increments `δ` of `q₀ ⊕ δ`, `δ̇ = T(δ)⁻¹ v` [MuntheKaas1998] |

use super::trees;
use super::{Integrator, IntegratorInfo, Settings, StepError, StepReport, Support};
use crate::forces::{self, Wrench};
use crate::kinematics::{ArticulatedBodies, Tree, TreeMotion, set_momenta};
use crate::model::{BodyState, Input, Model, Row, State, Twist};
use crate::solver::{Plan, WORLD};
use crate::stopwatch::{Phase, Stopwatch};

/// What both have in common.
const BASE: IntegratorInfo = IntegratorInfo {
    name: "",
    summary: "",
    order: 1,
    order_with: |info, _| Some(info.order),
    symplectic: false,
    momentum_preserving: false,
    drift_free: true,
    supports: Support {
        loops: false,
        contact: false,
        limits: false,
        cables: false,
        dissipation: true,
    },
    source: "Featherstone, Rigid Body Dynamics Algorithms, ch. 7",
    options: &[],
    refuse: trees::refuse_loops,
    check: |_| Ok(()),
    build: |info, model, _| boxed(info, &EULER, model),
};

/// Velocities first, then coordinates with them.
pub const JOINT_SPACE_EULER: IntegratorInfo = IntegratorInfo {
    name: "joint-space-euler",
    summary: "forward dynamics in joint coordinates, semi-implicit Euler: what robot simulators do",
    ..BASE
};

/// The classical method of Kutta.
pub const JOINT_SPACE_RK4: IntegratorInfo = IntegratorInfo {
    name: "joint-space-rk4",
    summary: "forward dynamics in joint coordinates, classical Runge-Kutta",
    order: 4,
    build: |info, model, _| boxed(info, &RK4, model),
    ..BASE
};

/// One stage: where it is evaluated, as a part of the step and of the slopes before it, and its weight in the end.
#[derive(Debug, Clone, Copy)]
struct Stage {
    at: f64,
    weight: f64,
}

/// Stages of semi-implicit Euler and of the classical method, whose every stage uses the slope before it alone.
static EULER: [Stage; 1] = [Stage {
    at: 0.0,
    weight: 1.0,
}];
static RK4: [Stage; 4] = [
    Stage {
        at: 0.0,
        weight: 1.0 / 6.0,
    },
    Stage {
        at: 0.5,
        weight: 1.0 / 3.0,
    },
    Stage {
        at: 0.5,
        weight: 1.0 / 3.0,
    },
    Stage {
        at: 1.0,
        weight: 1.0 / 6.0,
    },
];

fn boxed(
    info: &'static IntegratorInfo,
    stages: &'static [Stage],
    model: &Model,
) -> Box<dyn Integrator> {
    Box::new(JointSpace::new(info, stages, model))
}

/// One method with its workspace.
pub struct JointSpace {
    info: &'static IntegratorInfo,
    stages: &'static [Stage],
    tree: Tree,
    motion: TreeMotion,
    articulated: ArticulatedBodies,
    /// Coordinates and velocities at the knot, at a stage, and their slopes at the stage and summed up.
    q: [Vec<f64>; 2],
    v: [Vec<f64>; 2],
    delta: Vec<f64>,
    rates: Vec<f64>,
    accelerations: Vec<f64>,
    sums: [Vec<f64>; 2],
    none: Vec<f64>,
    bodies: Vec<BodyState>,
    twists: Vec<Twist>,
    forces: Vec<Wrench>,
    /// Wrenches by link: what is wanted, then what joints pass on.
    wrenches: Vec<Wrench>,
    reactions: Vec<Row>,
    accounts: bool,
    stopwatch: Stopwatch,
}

impl JointSpace {
    fn new(info: &'static IntegratorInfo, stages: &'static [Stage], model: &Model) -> Self {
        let tree = Tree::new(model);
        let (bodies, n) = (model.bodies.len(), tree.freedoms());
        let by_velocity = || vec![0.0; n];
        Self {
            info,
            stages,
            motion: TreeMotion::new(&tree),
            articulated: ArticulatedBodies::new(&tree),
            q: [0, 1].map(|_| vec![0.0; tree.coordinates()]),
            v: [0, 1].map(|_| by_velocity()),
            delta: by_velocity(),
            rates: by_velocity(),
            accelerations: by_velocity(),
            sums: [0, 1].map(|_| by_velocity()),
            none: by_velocity(),
            bodies: Vec::with_capacity(bodies),
            twists: vec![Twist::default(); bodies],
            forces: vec![Wrench::default(); bodies],
            wrenches: vec![Wrench::default(); bodies],
            reactions: vec![Row::default(); model.joints.len()],
            accounts: forces::has_account(model),
            stopwatch: Stopwatch::default(),
            tree,
        }
    }

    /// Accelerations at the coordinates and velocities of the stage, and the reactions there, `weight` of the step.
    fn accelerate(&mut self, model: &Model, state: &State, input: &Input, time: f64, weight: f64) {
        self.stopwatch.enter(Phase::Evaluate);
        self.motion.place(&self.tree, &self.q[1]);
        self.motion.drive(&self.tree, &self.v[1]);
        self.motion.write(&self.tree, &mut self.bodies);
        for (twist, body) in self.twists.iter_mut().zip(&self.bodies) {
            *twist = body.velocity;
        }
        self.forces.fill(Wrench::default());
        forces::all_wrenches(
            model,
            &self.bodies,
            &self.twists,
            &state.angles,
            time,
            input,
            &mut self.forces,
        );
        for (i, link) in self.tree.links().iter().enumerate() {
            let taken = self.inertial(model, i, &Twist::default());
            let force = &self.forces[link.body];
            self.wrenches[i] = Wrench {
                force: force.force - taken.force,
                torque: force.torque - taken.torque,
            };
        }
        self.motion
            .pull(&self.tree, &self.wrenches, &mut self.accelerations);
        self.stopwatch.enter(Phase::Factor);
        let tree = &self.tree;
        self.articulated
            .factor_mass(tree, model, &self.motion, &self.none);
        self.stopwatch.enter(Phase::Solve);
        self.articulated.solve(tree, &mut self.accelerations);
        self.react(model, weight);
    }

    /// What a link takes of force at an acceleration relative to that of steady velocities: Newton, and Euler in world
    /// axes.
    fn inertial(&self, model: &Model, link: usize, acceleration: &Twist) -> Wrench {
        let body = self.tree.links()[link].body;
        let (mass, inertia) = (model.bodies[body].mass, &model.bodies[body].inertia);
        let turn = self.motion.orientation(link);
        let momentum = |w| turn * (inertia * turn.inverse_transform_vector(&w));
        let (bias, spin) = (self.motion.bias(link), self.motion.twist(link).angular);
        Wrench {
            force: (bias.linear + acceleration.linear) * mass,
            torque: momentum(bias.angular + acceleration.angular) + spin.cross(&momentum(spin)),
        }
    }

    /// Adds the reactions at the accelerations found.
    fn react(&mut self, model: &Model, weight: f64) {
        for (i, link) in self.tree.links().iter().enumerate() {
            let taken = self.inertial(model, i, &self.articulated.motions()[i]);
            let force = &self.forces[link.body];
            self.wrenches[i] = Wrench {
                force: taken.force - force.force,
                torque: taken.torque - force.torque,
            };
        }
        for (i, link) in self.tree.links().iter().enumerate().rev() {
            let passed = self.wrenches[i];
            if link.parent != WORLD {
                let above = &mut self.wrenches[link.parent];
                above.push(&passed.force, &self.motion.arms()[i]);
                above.torque += passed.torque;
            }
            if let Some(joint) = link.joint.filter(|_| link.kind.constraints() > 0) {
                let row = self.motion.joint_reaction(&self.tree, i, &passed);
                self.reactions[joint.joint].force += row.force * weight;
                self.reactions[joint.joint].torque += row.torque * weight;
            }
        }
    }

    /// Runs the stages; what the step adds to increments and velocities is left in the sums.
    fn run(&mut self, model: &Model, state: &State, input: &Input, dt: f64) {
        self.sums.iter_mut().for_each(|s| s.fill(0.0));
        self.rates.fill(0.0);
        self.accelerations.fill(0.0);
        for stage in self.stages {
            let by = dt * stage.at;
            for (delta, rate) in self.delta.iter_mut().zip(&self.rates) {
                *delta = by * rate;
            }
            let [from, at] = &mut self.v;
            for ((v, from), a) in at.iter_mut().zip(from.iter()).zip(&self.accelerations) {
                *v = from + by * a;
            }
            let [from, at] = &mut self.q;
            at.copy_from_slice(from);
            self.tree.retract(at, &self.delta);
            self.accelerate(model, state, input, state.time + by, stage.weight);
            self.rates.copy_from_slice(&self.v[1]);
            self.tree.tangent_inverse(&self.delta, &mut self.rates);
            let slopes = [&self.rates, &self.accelerations];
            for (sum, slope) in self.sums.iter_mut().zip(slopes) {
                for (sum, slope) in sum.iter_mut().zip(slope) {
                    *sum += dt * stage.weight * slope;
                }
            }
        }
    }
}

impl Integrator for JointSpace {
    fn info(&self) -> &'static IntegratorInfo {
        self.info
    }

    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        report.clear();
        let dt = settings.dt;
        self.bodies.clone_from(&state.bodies);
        for (twist, body) in self.twists.iter_mut().zip(&state.bodies) {
            *twist = body.velocity;
        }
        let [q, _] = &mut self.q;
        self.tree.read(&state.bodies, &state.angles, q);
        let [v, _] = &mut self.v;
        self.tree.read_velocities(&state.bodies, &self.twists, v);
        self.reactions.fill(Row::default());
        self.run(model, state, input, dt);
        report.factorisations = self.stages.len() as u32;

        self.stopwatch.enter(Phase::Finish);
        let [increment, change] = &mut self.sums;
        for (v, change) in self.v[0].iter_mut().zip(change.iter()) {
            *v += change;
        }
        if self.stages.len() == 1 {
            // With the new velocities.
            for (increment, v) in increment.iter_mut().zip(&self.v[0]) {
                *increment = dt * v;
            }
        }
        self.tree.retract(&mut self.q[0], increment);
        self.motion.place(&self.tree, &self.q[0]);
        self.motion.drive(&self.tree, &self.v[0]);
        self.motion.write(&self.tree, &mut self.bodies);
        set_momenta(model, &mut self.bodies);

        // The workspace keeps the old poses for the account.
        std::mem::swap(&mut state.bodies, &mut self.bodies);
        self.tree.write_angles(&self.q[0], &mut state.angles);
        state.swept = 0.0;
        state.reactions.copy_from_slice(&self.reactions);
        state.time += dt;
        state.step += 1;
        if self.accounts || input.acts() {
            self.stopwatch.enter(Phase::Account);
            forces::book(model, &self.bodies, state, input, dt);
        }
        Ok(())
    }

    fn stopwatch(&mut self) -> Option<&mut Stopwatch> {
        Some(&mut self.stopwatch)
    }

    fn plan(&self, model: &Model) -> Option<Plan> {
        Some(Plan::in_joint_coordinates(model, false, &[]))
    }
}

#[cfg(test)]
mod tests;
