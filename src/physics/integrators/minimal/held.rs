//! What no tree of joints holds: joints that close loops, couplings, limits of joints, cables.
//!
//! Each is a row with an impulse `λ` at the first knot and a value at the second, as the maximal methods have them
//! ([`solver`](crate::solver)): loops and couplings ask for `g(q₁) = 0`, limits and cables for `0 ≤ λ ⊥ u(q₁) ≥ 0`. With
//! the bodies' wrenches `W` and gradients `G` of the rows the equation of motion is
//! ```text
//!   S₀ᵀ (F(δ) - W λ) = 0,   g(q₀ ⊕ δ) = 0
//! ```
//! so that both formulations make one motion: what is a joint of the tree here is a row there.

use super::equation::Context;
use super::lagrangian::Momenta;
use crate::forces::Wrench;
use crate::kinematics::{Fronts, LoopClosure};
use crate::math::{Quat, Vec3};
use crate::model::{Model, State, Twist};
use crate::solver::contact::{ContactReport, Contacts, Judgement, Look, Verdict};
use crate::solver::past::Past;
use crate::solver::{
    ConeSection, LinearSolver, MechanismSolver, Reading, RigidRow, StepContext, Unilateral, law,
    worse,
};

/// Joints are never left more open than this, relative to their length or in radians, as in maximal coordinates.
pub const OPENING: f64 = 1e-9;

/// Violation of the law of a limit that is used where it no longer shrinks, relative to the speed of the step.
pub const USABLE: f64 = 1e-7;

/// How far the rows are from what they ask for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Opening {
    /// Largest error of loops, relative to the length of the joint or in radians.
    pub relative: f64,
    /// Its joint.
    pub joint: Option<usize>,
    /// Largest violation of the law of a limit or cable, relative to the speed of the step.
    pub violation: f64,
}

/// Rows of an interval with their impulses.
pub struct Held {
    /// Has the rows; its links follow the tree's.
    pub solver: MechanismSolver,
    /// Which limits and cables take part; `None` in models that have none.
    pub contacts: Option<Contacts>,
    /// Rows that hold loops.
    pub rigid: Vec<RigidRow>,
    /// Impulses of the rows by link.
    pub loads: Vec<Wrench>,
    pub opening: Opening,
    /// Forces at the knot without gravity, by body.
    forces: Vec<Wrench>,
    /// Impulses before the last change: of all loop rows, then of unilateral constraints.
    before: Vec<f64>,
}

impl Held {
    /// That of a model, if there is anything.
    pub fn of(model: &Model) -> Option<Box<Self>> {
        if !model.has_loops() && !model.has_unilateral() {
            return None;
        }
        let solver = MechanismSolver::new(model, LinearSolver::Articulated);
        let bodies = model.bodies.len();
        let rigid: Vec<RigidRow> = solver.rigid_rows().collect();
        let rows = solver.topology().loop_rows + 2 * model.limit_count();
        Some(Box::new(Self {
            contacts: model
                .has_unilateral()
                .then(|| Contacts::new(model, &solver)),
            loads: vec![Wrench::default(); bodies],
            opening: Opening::default(),
            forces: vec![Wrench::default(); bodies],
            before: Vec::with_capacity(rows),
            rigid,
            solver,
        }))
    }

    /// The rows that hold loops and couplings, by constraint, as the tree eliminates them.
    pub fn closings(&self) -> Vec<LoopClosure> {
        let constraints = &self.solver.topology().loop_constraints;
        let rigid = constraints.iter().filter(|c| !c.is_explicit());
        let closing = rigid.map(|c| LoopClosure {
            rows: c.rows,
            supports: c.supports.clone(),
            top: c.top,
        });
        closing.collect()
    }

    /// Leaves the rows that hold loops where they are eliminated.
    pub fn close(&self, rho: f64, fronts: &mut Fronts) {
        fronts.clear();
        for (row, at) in self.rigid.iter().enumerate() {
            fronts.set(row, rho * self.solver.asked(*at).1);
            for (link, push, gradient) in self.solver.supports(*at) {
                fronts.add(row, link, &push, &gradient);
            }
        }
    }

    /// Rows at most.
    pub fn most_rows(&self, model: &Model) -> usize {
        self.rigid.len() + 2 * model.limit_count()
    }

    /// Takes the first knot, with `forces` on the bodies there (N, N·m), gravity among them.
    pub fn begin(&mut self, context: &Context, forces: &[Wrench]) {
        let (model, state) = (context.model, context.state);
        self.forces.copy_from_slice(forces);
        for (body, wrench) in model.bodies.iter().zip(&mut self.forces) {
            wrench.force -= model.gravity * body.mass;
        }
        if let Some(contacts) = &mut self.contacts {
            contacts.find_limits(&mut self.solver, model, state, &context.interval);
        }
        self.solver
            .begin(model, state, context.interval.dt, Some(&self.forces));
    }

    /// Looks for limits and cables that may act in the interval.
    pub fn look(&mut self, context: &Context) {
        if let Some(contacts) = &mut self.contacts {
            let Context { model, state, .. } = *context;
            contacts.look(&self.solver, model, state, &context.interval);
        }
    }

    /// Makes what was found rows, with the impulses of the state.
    pub fn take(&mut self, context: &Context) {
        let pulled = context.input.drag.as_ref().map(|d| d.body.0);
        let step = step_context(context);
        match &self.contacts {
            Some(contacts) => contacts.take(&mut self.solver, &step, pulled),
            None => self.solver.restart(&step),
        }
    }

    /// Moves the rows to the second knot, of which `motion` says by link how far it is.
    pub fn follow(&mut self, context: &Context, motion: impl Fn(usize) -> (Vec3, Quat)) {
        let (relative, joint) = self.solver.guide(&step_context(context), motion);
        for (i, load) in self.loads.iter_mut().enumerate() {
            *load = self.solver.pushed(i);
        }
        let violation = self.solver.violation(ConeSection::Disc) / self.solver.scale().speed;
        self.opening = Opening {
            relative,
            joint,
            violation,
        };
    }

    /// Whether the motion found, with these momenta by link, stands: nothing unforeseen is passed, and no limit gives energy
    /// out of nothing. Where it does not, what is wrong is changed for another try; in the `last` one rebounds are left out.
    pub fn judge(&mut self, context: &Context, momenta: &[Momenta], last: bool) -> Verdict {
        let Some(contacts) = &mut self.contacts else {
            return Verdict::Sound;
        };
        for (link, momenta) in momenta.iter().enumerate() {
            self.solver.spin(link, &momenta.first);
        }
        let Context {
            model,
            state,
            interval,
            ..
        } = *context;
        let look = Look::default();
        let (missed, news) = contacts.look_again(&mut self.solver, model, state, &interval, look);
        match missed {
            Some(_) if news => Verdict::Overshoots,
            Some(missed) if missed.depth > 1.0 => Verdict::Impossible,
            _ => {
                let judgement = Judgement {
                    dt: interval.dt,
                    drops: last,
                    live: false,
                    unsolved: false,
                };
                contacts.judge(&mut self.solver, model, state, judgement)
            }
        }
    }

    /// Tolerances of loops and of limits for that of the balance.
    pub fn tolerances(&self, tolerance: f64, dt: f64) -> [f64; 2] {
        let scale = self.solver.scale();
        let grain = scale.grain / (dt.abs() * scale.speed);
        [
            tolerance.min(OPENING).max(scale.opening_grain()),
            tolerance.max(grain),
        ]
    }

    /// Keeps the impulses, to be changed from there.
    pub fn mark(&mut self) {
        let Self { solver, before, .. } = self;
        before.clear();
        before.extend_from_slice(solver.loop_impulses());
        before.extend(solver.unilaterals().iter().map(|u| u.impulse[0]));
    }

    /// Sets the impulses to those marked with a `part` of a change: of the rigid rows, then of the unilateral constraints.
    pub fn change(&mut self, changes: &[f64], part: f64) {
        let Self {
            solver,
            before,
            rigid,
            ..
        } = self;
        let (loops, stops) = changes.split_at(rigid.len());
        let impulses = solver.loop_impulses();
        let rows = impulses.len();
        for (row, change) in rigid.iter().zip(loops) {
            impulses[row.index] = before[row.index] + part * change;
        }
        let stopped = solver.unilaterals_mut().iter_mut().zip(&before[rows..]);
        for ((unilateral, before), change) in stopped.zip(stops) {
            unilateral.impulse[0] = before + part * change;
        }
    }

    /// Sums up what limits and cables did, and leaves the forces of loops in the state, which stands at the first knot.
    pub fn settle(&mut self, model: &Model, state: &mut State, dt: f64) {
        if let Some(contacts) = &mut self.contacts {
            contacts.settle(&self.solver, model, state, dt);
        }
        self.solver.leave_loop_forces(model, state, dt);
    }

    /// Velocities at the knot of a state reached by steps of `dt` (s).
    pub fn project(
        &mut self,
        model: &Model,
        state: &State,
        dt: f64,
        out: &mut Vec<Twist>,
    ) -> Reading {
        let how = (ConeSection::Disc, dt, usize::MAX);
        self.solver.project_touching(model, state, how, out)
    }

    /// Leaves limits and cables in the state, which is at the second knot.
    pub fn write(&mut self, model: &Model, state: &mut State, dt: f64, report: &mut ContactReport) {
        if let Some(contacts) = &mut self.contacts {
            let section = ConeSection::Disc;
            contacts.write(&self.solver, model, state, dt, section, report);
            let past = Past {
                held: dt,
                ..Past::default()
            };
            past.write(state);
        }
    }
}

/// What the rows are evaluated in.
pub fn step_context<'a>(context: &'a Context) -> StepContext<'a> {
    StepContext {
        model: context.model,
        state: context.state,
        contacts: &[],
        interval: &context.interval,
    }
}

/// The law of a limit or cable in the change of its impulse and its velocity: whether it is closed, and what the velocity,
/// or the impulse of one that is open, is to change by.
pub fn piece(unilateral: &Unilateral) -> (bool, f64) {
    let law = law::nonsmooth(unilateral, ConeSection::Disc);
    (law.e[(0, 0)] > 0.0, law.rhs[0])
}

impl Opening {
    /// The worst of both, each over its tolerance.
    pub fn over(&self, tolerances: [f64; 2]) -> f64 {
        worse(
            self.relative / tolerances[0],
            self.violation / tolerances[1],
        )
    }

    /// Whether it is small enough to be used where it no longer shrinks.
    pub fn is_usable(&self, tolerances: [f64; 2]) -> bool {
        self.over([tolerances[0].max(OPENING), tolerances[1].max(USABLE)]) <= 1.0
    }
}
