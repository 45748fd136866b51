//! Ways to advance a [`State`]: one trait, one registry.
//!
//! A method is a value chosen by name ([`by_name`]); a scene, the window, the command line and a test choose
//! it the same way, and several can run side by side on one [`Model`].

use crate::model::{Input, Model, State, Twist};
use crate::solver::Plan;
use crate::stopwatch::Stopwatch;
use serde::{Deserialize, Serialize};

/// What a method is and what it can do; the source of every list of integrators.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntegratorInfo {
    /// The word by which it is chosen.
    pub name: &'static str,
    /// One line on what it does.
    pub summary: &'static str,
    /// Order of the position error in the step size.
    pub order: u32,
    /// Preserves the symplectic form.
    pub symplectic: bool,
    /// Preserves linear and angular momentum where the forces do.
    pub momentum_preserving: bool,
    /// Joints stay closed without stabilisation.
    pub drift_free: bool,
    /// Works on mechanisms with kinematic loops.
    pub loops: bool,
    /// Works with contact.
    pub contact: bool,
    /// Works with dampers, actuators and the mouse spring.
    pub dissipation: bool,
    /// Where it comes from.
    pub source: &'static str,
}

/// Settings common to all methods.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Step size [s].
    pub dt: f64,
    /// Newton tolerance: largest unbalanced force, relative to the forces that its body handles, and largest joint error,
    /// relative to the length of the joint or in radians, that are accepted ([`Scale`](crate::solver::Scale)).
    pub tolerance: f64,
    /// Most Newton iterations of one attempt at a step.
    pub max_iterations: u32,
    /// Which solver takes the linear systems.
    pub linear_solver: LinearSolver,
    /// Which cone bounds the friction of contacts.
    pub friction: FrictionCone,
    /// How contact is solved.
    pub contact_solver: ContactSolver,
    /// Rate of Baumgarte stabilisation [1/s] of acceleration-level methods; 0 switches it off.
    pub baumgarte: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dt: 0.01,
            tolerance: 1e-10,
            max_iterations: 30,
            linear_solver: LinearSolver::default(),
            friction: FrictionCone::default(),
            contact_solver: ContactSolver::default(),
            baumgarte: 0.0,
        }
    }
}

impl Settings {
    /// Says what is wrong with the settings, if anything.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let bad = |field, found: f64, expected| {
            Err(SettingsError {
                field,
                found,
                expected,
            })
        };
        if !(self.dt > 0.0 && self.dt <= 1.0) {
            return bad("dt", self.dt, "a step in seconds, above 0 and at most 1");
        }
        if !(1e-12..=1e-4).contains(&self.tolerance) {
            return bad("tolerance", self.tolerance, "a number from 1e-12 to 1e-4");
        }
        if !(1..=1000).contains(&self.max_iterations) {
            return bad(
                "max_iterations",
                f64::from(self.max_iterations),
                "a whole number from 1 to 1000",
            );
        }
        if !(0.0..=1.0 / self.dt).contains(&self.baumgarte) {
            return bad("baumgarte", self.baumgarte, "a rate from 0 to 1/dt");
        }
        Ok(())
    }
}

/// A setting out of its range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{field} is {found}, expected {expected}")]
pub struct SettingsError {
    /// Name of the setting.
    pub field: &'static str,
    /// What was found.
    pub found: f64,
    /// What is allowed.
    pub expected: &'static str,
}

/// One Newton iteration as the plots show it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Iteration {
    /// Largest unbalanced force, relative to the forces that its body handles; of methods at the level of
    /// accelerations the largest acceleration of a constraint that is not met, relative to the accelerations handled.
    pub residual: f64,
    /// Largest joint error, relative to the length of the joint or in radians.
    pub constraint: f64,
    /// Fraction of the Newton step that the line search took (0 for the check before the first).
    pub step_length: f64,
}

/// How a step ended. Each leaves a usable state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Outcome {
    /// Residual and joint error within the tolerance.
    #[default]
    Converged,
    /// The residual stopped at rounding level above the tolerance asked for.
    Stalled,
    /// The iteration limit was reached close to the solution.
    IterationLimit,
}

/// What made a step succeed: the rungs of the ladder, in the order in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum Rung {
    /// First attempt, extrapolated guess.
    #[default]
    Predicted,
    /// Second attempt, from the last velocities.
    Constant,
    /// Contact: the interior point, then Newton's method from its solution.
    InteriorPoint,
    /// Contact: the convex relaxation with the shift of De Saxcé, then Newton's method from its solution.
    Shifted,
    /// Two or more shorter steps.
    Substeps,
    /// Contact: the convex relaxation. Nothing penetrates and no energy is gained, but sliding contacts lift off by
    /// `dt µ` times their slip.
    Relaxed,
}

/// What a step did. Kept and reused, so that a step allocates nothing.
#[derive(Debug, Clone, PartialEq, Default)]
#[must_use]
pub struct StepReport {
    /// How it ended.
    pub outcome: Outcome,
    /// Newton iterations of all attempts.
    pub iterations: u32,
    /// Last residual, as in [`Iteration::residual`].
    pub residual: f64,
    /// Last joint error, relative to the length of the joint or in radians.
    pub constraint: f64,
    /// Every iteration of the last attempt.
    pub history: Vec<Iteration>,
    /// What made it succeed.
    pub rung: Rung,
    /// Shorter steps taken instead of one; 0 if none.
    pub substeps: u32,
    /// Factorisations of the linear system.
    pub factorisations: u32,
    /// Contacts, joint limits and cables.
    pub contact: ContactReport,
}

/// What a step did about contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactReport {
    /// Contact points considered.
    pub candidates: u32,
    /// Contact points with a force.
    pub closed: u32,
    /// Joint limits and cables with a force.
    pub stopped: u32,
    /// Deepest penetration at the second knot, of contact points found afresh there [m]; 0 if there is none.
    pub penetration: f64,
    /// Smallest gap at the second knot [m]; infinite without contact points.
    pub min_gap: f64,
    /// Largest product of gap and normal force, which both should not be positive [N·m, Brüdigam2023 eq. 24a].
    pub complementarity: f64,
    /// Largest excess of a friction force over its cone [N].
    pub cone_violation: f64,
    /// How often contact points were added or removed and the interval solved again.
    pub rounds: u32,
}

impl Default for ContactReport {
    /// No contact point anywhere near.
    fn default() -> Self {
        Self {
            candidates: 0,
            closed: 0,
            stopped: 0,
            penetration: 0.0,
            min_gap: f64::INFINITY,
            complementarity: 0.0,
            cone_violation: 0.0,
            rounds: 0,
        }
    }
}

impl StepReport {
    /// Empties the report, keeping its memory.
    pub fn clear(&mut self) {
        let history = std::mem::take(&mut self.history);
        *self = Self {
            history,
            ..Self::default()
        };
        self.history.clear();
    }
}

/// Why no usable state could be reached; the state is as it was before the step.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StepError {
    /// The body spins faster than the discrete rotation can hold.
    #[error(
        "body `{body}` spins at {rate:.4} rad/s, but a step of {dt} s can hold less than {limit:.4} rad/s; \
         take dt below {advice:.3e} s"
    )]
    TooFast {
        /// Name of the body.
        body: String,
        /// Its angular speed [rad/s].
        rate: f64,
        /// The step [s].
        dt: f64,
        /// `2/dt` [rad/s].
        limit: f64,
        /// A step that holds it [s].
        advice: f64,
    },
    /// Newton's method did not converge, even with substeps.
    #[error(
        "the step at t = {time:.6} s does not converge: {iterations} iterations left {residual:.3e} of the forces \
         and joints open by {constraint:.3e} of their size; \
         the worst {place}; try a smaller dt"
    )]
    NotConverged {
        /// Time at the start of the step [s].
        time: f64,
        /// Iterations spent.
        iterations: u32,
        /// Residual left, relative to the forces handled.
        residual: f64,
        /// Joint error left, relative to the length of the joint or in radians.
        constraint: f64,
        /// `joint NAME` or `body NAME`.
        place: String,
    },
    /// The constraints contradict each other.
    #[error(
        "the constraints contradict each other: {place} cannot be closed better than to {constraint:.3e} of its size; check its anchors and axes"
    )]
    Inconsistent {
        /// `joint NAME`.
        place: String,
        /// Best joint error reached, relative to the length of the joint or in radians.
        constraint: f64,
    },
    /// A number left the finite range.
    #[error("{place} left the finite range at t = {time:.6} s; try a smaller dt")]
    NonFinite {
        /// `body NAME`.
        place: String,
        /// Time at the start of the step [s].
        time: f64,
    },
}

/// A method that advances a state.
pub trait Integrator: Send + Sync {
    /// What it is.
    fn info(&self) -> &'static IntegratorInfo;

    /// Takes over a state whose velocities a scene gave.
    fn start(&mut self, model: &Model, state: &mut State, settings: &Settings);

    /// Takes over a state that another method released: velocities and momenta at the knot.
    fn adopt(&mut self, model: &Model, state: &mut State, settings: &Settings);

    /// Leaves a state for another method: velocities and momenta at the knot, on the constraints.
    fn release(&mut self, model: &Model, state: &mut State, settings: &Settings);

    /// Advances `state` by `settings.dt`. On `Err` the state is as it was.
    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError>;

    /// Measures the phases of a step, once it is started.
    fn stopwatch(&mut self) -> &mut Stopwatch;

    /// What the linear solver did in the last step: nodes, order, blocks, operations.
    fn plan(&self, model: &Model) -> Plan;

    /// Writes the velocities at the knot that energy and momentum are computed from. Returns the energy that impacts
    /// and friction take up to the knot and that the account of whole intervals has not seen yet [J].
    fn read_velocities(
        &mut self,
        model: &Model,
        state: &State,
        settings: &Settings,
        out: &mut Vec<Twist>,
    ) -> [f64; 2];
}

mod registry;
mod variational;

pub use crate::solver::{ContactSolver, FrictionCone, LinearSolver};
mod runge_kutta;

pub use registry::{BuildError, REGISTRY, build, nearest, refusal};
