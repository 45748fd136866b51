//! Variational integrators in joint coordinates [Lee2016]: trees of joints of any kind.
//!
//! The unknown of a step is the increment of the joint coordinates, an element of the tangent space of their group
//! ([`Tree`](crate::kinematics::Tree)); the equation is [the discrete Euler-Lagrange equation](equation) of the same momenta at
//! the knots that the maximal methods carry, so that a motion can change between both at any step. Joints of the tree cannot
//! open; those that close loops, couplings, limits and cables are [rows with impulses](held).
//!
//! | method | residual | root finder |
//! |---|---|---|
//! | `minimal-riqn` | DRNEA, linear time | RIQN: mass matrix of the knot, linear time |
//! | `minimal-newton` | DRNEA | Newton; linear time, `linear_solver: dense` for the paper's dense Jacobian |
//! | `minimal-broyden`, `minimal-secant` | DRNEA | rank-one updates |
//! | `minimal-svi-newton` | SVI, body by body | Newton, dense |
//! | `minimal-4`, `minimal-6` | DRNEA | RIQN in symmetric compositions |
//! | `minimal-3`, `minimal-galerkin-4` | [at nodes](galerkin) inside the interval | RIQN at each |
//!
//! Springs that swing further than a radian in a step act over the interval, as dampers do; others at the knots, as all
//! forces of position. Where to read on: [`step`] shows a
//! whole step, [`roots`] the iterations, [`lagrangian`] what one body adds.

mod border;
mod dense;
mod displacement;
mod equation;
mod galerkin;
mod held;
mod lagrangian;
mod laws;
mod options;
mod pulls;
mod rank_one;
mod roots;
mod step;
mod svi;

use super::composition;
use super::trees;
use super::{Integrator, IntegratorInfo, Reading, Settings, StepError, StepReport, Support};
use crate::forces::{self, StiffSprings, Wrench};
use crate::kinematics::set_momenta;
use crate::model::{BodyState, Input, Model, Row, State, Twist};
use crate::solver::{LinearSolver, Plan};
use crate::stopwatch::Stopwatch;
use equation::Equation;
pub use galerkin::{MINIMAL_3, MINIMAL_GALERKIN_4};
use lagrangian::MeanVelocity;
use options::Guess;
use roots::{RootFinder, Roots};

/// What the methods have in common.
const BASE: IntegratorInfo = IntegratorInfo {
    name: "",
    summary: "",
    order: 2,
    order_with: |info, _| Some(info.order),
    symplectic: true,
    momentum_preserving: true,
    drift_free: true,
    supports: Support {
        loops: true,
        contact: false,
        limits: true,
        cables: true,
        dissipation: true,
    },
    source: "[Lee2016]",
    options: &[options::GUESS, options::MEAN_VELOCITY],
    refuse: refuse_contact,
    check: |_| Ok(()),
    build: |info, model, settings| boxed(info, RootFinder::Riqn, &[1.0], model, settings),
};

/// What the composed methods have in common.
const COMPOSED: IntegratorInfo = IntegratorInfo {
    supports: Support {
        limits: false,
        cables: false,
        dissipation: false,
        ..BASE.supports
    },
    refuse: |model| refuse_contact(model).or_else(|| composition::refuse_dissipation(model)),
    ..BASE
};

/// What those have in common that learn their matrix in every step.
const LEARNING: IntegratorInfo = IntegratorInfo {
    supports: Support {
        loops: false,
        limits: false,
        cables: false,
        ..BASE.supports
    },
    refuse: |model| refuse_contact(model).or_else(|| refuse_rows(model)),
    ..BASE
};

/// Why a model with contact cannot run.
fn refuse_contact(model: &Model) -> Option<String> {
    model.contact.is_some().then(|| {
        "in joint coordinates limits and cables are solved for by Newton's method on their laws, and contact with friction \
         needs more than that where it does not converge; take variational-2, which has that and makes the same discrete \
         motion"
            .into()
    })
}

/// Why a model with rows that no tree holds cannot run where the matrix is learnt.
fn refuse_rows(model: &Model) -> Option<String> {
    let stopped = || {
        let limited = model.joints.iter().find(|j| !j.limits.is_empty());
        let limit = limited.map(|j| format!("joint `{}` has limits", j.name));
        let cable = model.cables.first();
        limit.or_else(|| cable.map(|c| format!("cable `{}` pulls on one side", c.name)))
    };
    let what = trees::closing(model).or_else(stopped)?;
    Some(format!(
        "its rank-one updates are those of the balance of a tree and know no impulses beside it, and {what}; \
         take minimal-riqn or minimal-newton"
    ))
}

/// The default of the family.
pub const MINIMAL_RIQN: IntegratorInfo = IntegratorInfo {
    name: "minimal-riqn",
    summary: "variational in joint coordinates; iterates with the mass matrix, linear time",
    source: "[Lee2016 alg. 2, 3]",
    ..BASE
};

/// Exact derivatives.
pub const MINIMAL_NEWTON: IntegratorInfo = IntegratorInfo {
    name: "minimal-newton",
    summary: "the same equation by Newton's method with the derivative of the recursion",
    source: "[Lee2016 alg. 1, 2]",
    build: |info, model, settings| boxed(info, RootFinder::Newton, &[1.0], model, settings),
    ..BASE
};

/// Rank-one updates of RIQN's matrix.
pub const MINIMAL_BROYDEN: IntegratorInfo = IntegratorInfo {
    name: "minimal-broyden",
    summary: "the same equation by Broyden's method, from the mass matrix",
    source: "[Lee2016 sect. 4.3]",
    build: |info, model, settings| boxed(info, RootFinder::Broyden, &[1.0], model, settings),
    ..LEARNING
};

/// Rank-one updates of a diagonal.
pub const MINIMAL_SECANT: IntegratorInfo = IntegratorInfo {
    name: "minimal-secant",
    summary: "the same equation by the secant method: knows a diagonal, learns the rest in every step",
    source: "[Lee2016 sect. 4.3]",
    build: |info, model, settings| boxed(info, RootFinder::Secant, &[1.0], model, settings),
    ..LEARNING
};

/// The rival without the recursion.
pub const MINIMAL_SVI_NEWTON: IntegratorInfo = IntegratorInfo {
    name: "minimal-svi-newton",
    summary: "the same equation body by body and by Newton's method: cubic time, the paper's rival",
    source: "Johnson and Murphey 2009; [Lee2016 eq. 8-13]",
    build: |info, model, settings| boxed(info, RootFinder::SviNewton, &[1.0], model, settings),
    ..BASE
};

/// Fourth order.
pub const MINIMAL_4: IntegratorInfo = IntegratorInfo {
    name: "minimal-4",
    summary: "five minimal-riqn steps, one of them backwards",
    order: 4,
    source: "[Lee2016] composed after Suzuki (1990)",
    build: |info, model, settings| {
        boxed(
            info,
            RootFinder::Riqn,
            &composition::SUZUKI_4,
            model,
            settings,
        )
    },
    ..COMPOSED
};

/// Sixth order.
pub const MINIMAL_6: IntegratorInfo = IntegratorInfo {
    name: "minimal-6",
    summary: "nine minimal-riqn steps, two of them backwards",
    order: 6,
    source: "[Lee2016] composed after Kahan and Li (1997)",
    build: |info, model, settings| {
        boxed(
            info,
            RootFinder::Riqn,
            &composition::KAHAN_LI_6,
            model,
            settings,
        )
    },
    ..COMPOSED
};

fn boxed(
    info: &'static IntegratorInfo,
    finder: RootFinder,
    stages: &'static [f64],
    model: &Model,
    settings: &Settings,
) -> Box<dyn Integrator> {
    Box::new(Minimal::new(info, finder, stages, model, settings))
}

/// One method with its workspace.
pub struct Minimal {
    info: &'static IntegratorInfo,
    finder: RootFinder,
    guess: Guess,
    /// Lengths of the intervals of one step, as parts of it.
    stages: &'static [f64],
    /// Length of step that the workspace is made for (s).
    dt: f64,
    equation: Equation,
    roots: Roots,
    wrenches: Vec<Wrench>,
    twists: Vec<Twist>,
    /// Whether anything does work or dissipates without an input.
    accounts: bool,
    /// Poses before the interval, for the account of work.
    poses: Vec<BodyState>,
    /// Mean of the reactions and of the forces of couplings over the intervals of the step.
    reactions: Vec<Row>,
    couplings: Vec<f64>,
    /// States to go back to: before the step, then by depth of the halvings.
    saved: Vec<State>,
}

impl Minimal {
    /// A method with its workspace for a model.
    pub fn new(
        info: &'static IntegratorInfo,
        finder: RootFinder,
        stages: &'static [f64],
        model: &Model,
        settings: &Settings,
    ) -> Self {
        let stiff = StiffSprings::of(model, settings.dt);
        let equation = Equation::new(model, MeanVelocity::of(&settings.options), stiff);
        let dense = finder == RootFinder::Newton && settings.linear_solver == LinearSolver::Dense;
        let bodies = model.bodies.len();
        Self {
            info,
            finder,
            guess: Guess::of(&settings.options),
            stages,
            dt: settings.dt,
            roots: Roots::new(model, &equation, finder, dense),
            equation,
            wrenches: vec![Wrench::default(); bodies],
            twists: vec![Twist::default(); bodies],
            accounts: forces::has_account(model),
            poses: Vec::with_capacity(bodies),
            reactions: vec![Row::default(); model.joints.len()],
            couplings: vec![0.0; model.couplings.len()],
            saved: Vec::new(),
        }
    }

    /// Takes another length of step, in which other springs may be stiff.
    fn refit(&mut self, model: &Model, settings: &Settings) {
        self.dt = settings.dt;
        if StiffSprings::of(model, settings.dt) != self.equation.laws.stiff {
            let stopwatch = std::mem::take(&mut self.roots.stopwatch);
            *self = Self::new(self.info, self.finder, self.stages, model, settings);
            self.roots.stopwatch = stopwatch;
        }
    }

    /// Writes the velocities at the knot of the state's momenta, less what joints and limits do not let through.
    fn project(
        &mut self,
        model: &Model,
        state: &State,
        settings: &Settings,
        out: &mut Vec<Twist>,
    ) -> Reading {
        let e = &mut self.equation;
        if let Some(held) = &mut e.held {
            return held.project(model, state, settings.dt, out);
        }
        e.place(model, state);
        let momenta = |body: usize| Wrench {
            force: state.bodies[body].momentum,
            torque: state.bodies[body].angular_momentum,
        };
        out.clear();
        out.resize(state.bodies.len(), Twist::default());
        let motions = self.roots.knot_motions(e, momenta);
        for (link, motion) in e.tree.links().iter().zip(motions) {
            out[link.body] = *motion;
        }
        Reading::default()
    }
}

impl Integrator for Minimal {
    fn info(&self) -> &'static IntegratorInfo {
        self.info
    }

    fn release(&mut self, model: &Model, state: &mut State, settings: &Settings) -> [f64; 2] {
        let mut twists = Vec::new();
        let reading = self.project(model, state, settings, &mut twists);
        for (body, twist) in state.bodies.iter_mut().zip(&twists) {
            body.velocity = *twist;
        }
        set_momenta(model, &mut state.bodies);
        state.memory.words.clear();
        reading.losses
    }

    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        if settings.dt != self.dt {
            self.refit(model, settings);
        }
        self.advance(model, state, input, settings, report)
    }

    fn stopwatch(&mut self) -> Option<&mut Stopwatch> {
        Some(&mut self.roots.stopwatch)
    }

    fn plan(&self, model: &Model) -> Option<Plan> {
        let held = self.equation.held.as_ref();
        let unilaterals = held.map_or(&[][..], |h| h.solver.unilaterals());
        let dense = self.roots.is_dense();
        Some(Plan::in_joint_coordinates(model, dense, unilaterals))
    }

    fn read_velocities(
        &mut self,
        model: &Model,
        state: &State,
        settings: &Settings,
        out: &mut Vec<Twist>,
    ) -> Reading {
        self.project(model, state, settings, out)
    }
}

#[cfg(test)]
mod tests;
