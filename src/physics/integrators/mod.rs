//! Ways to advance a [`State`]: one trait, one registry.
//!
//! A method is chosen by name ([`build`]), everywhere the same way; several can run side by side on one [`Model`].

use crate::kinematics::set_momenta;
use crate::model::{BodyId, Input, Model, State, Twist};
use crate::solver::Plan;
use crate::stopwatch::Stopwatch;

/// The entry of a method in the registry: what it is, what it can do, its options, and how it is built.
///
/// The source of every list of integrators.
#[derive(Debug, Clone, Copy)]
pub struct IntegratorInfo {
    /// The word by which it is chosen.
    pub name: &'static str,
    /// One line on what it does.
    pub summary: &'static str,
    /// Order of the position error in the step size, with the options that are the default.
    pub order: u32,
    /// That order with other options, where it depends on them; `None` where the error does not go by the step size.
    pub order_with: fn(&'static Self, &Options) -> Option<u32>,
    /// Preserves the symplectic form.
    pub symplectic: bool,
    /// Preserves linear and angular momentum where the forces do.
    pub momentum_preserving: bool,
    /// Joints stay closed without stabilisation.
    pub drift_free: bool,
    /// Which mechanisms it can treat.
    pub supports: Support,
    /// Where it comes from.
    pub source: &'static str,
    /// Its options.
    pub options: &'static [OptionSpec],
    /// Why it cannot run a model, if it cannot: beyond what `supports` says, or better than that does.
    pub refuse: fn(&Model) -> Option<String>,
    /// What is wrong with settings that are each within their ranges, if anything.
    pub check: fn(&Settings) -> Result<(), SettingsError>,
    /// Makes it, under this entry, for a model that it does not refuse; the settings hold its options.
    pub build: fn(&'static IntegratorInfo, &Model, &Settings) -> Box<dyn Integrator>,
}

impl IntegratorInfo {
    /// [`order`](Self::order) with the options of these settings; `None` where the error does not go by the step size.
    pub fn order_in(&'static self, settings: &Settings) -> Option<u32> {
        (self.order_with)(self, &settings.taken_to(self).options)
    }
}

/// Which mechanisms a method can treat. All take bodies that hang on joints as a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Support {
    /// Kinematic loops and couplings.
    pub loops: bool,
    /// Contact between shapes.
    pub contact: bool,
    /// Limits of joints.
    pub limits: bool,
    /// Cables.
    pub cables: bool,
    /// Dampers, actuators and the mouse spring.
    pub dissipation: bool,
}

/// Settings of all methods, and the options of the one in use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Step size (s).
    pub dt: f64,
    /// Newton tolerance: largest unbalanced force, relative to the forces that its body handles, and largest joint
    /// error, relative to the length of the joint or in radians, that are accepted ([`Scale`](crate::solver::Scale)).
    pub tolerance: f64,
    /// Most Newton iterations of one attempt at a step.
    pub max_iterations: u32,
    /// Which solver takes the linear systems.
    pub linear_solver: LinearSolver,
    /// Which cone bounds the friction of contacts.
    pub friction: FrictionCone,
    /// Options of the method, where they differ from its defaults.
    pub options: Options,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dt: 0.01,
            tolerance: 1e-10,
            max_iterations: 30,
            linear_solver: LinearSolver::default(),
            friction: FrictionCone::default(),
            options: Options::default(),
        }
    }
}

impl Settings {
    /// Says what is wrong with the settings of a method, if anything.
    pub fn validate(&self, method: &IntegratorInfo) -> Result<(), SettingsError> {
        self.validate_shared()?;
        self.options.check(method.options)?;
        (method.check)(self)
    }

    /// Says what is wrong with the settings that all methods share, if anything.
    pub fn validate_shared(&self) -> Result<(), SettingsError> {
        let bad = |field, found: f64, expected| {
            Err(SettingsError::Range {
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
        Ok(())
    }

    /// The same settings for another method: options that it does not know are left behind.
    pub fn taken_to(self, method: &IntegratorInfo) -> Self {
        Self {
            options: self.options.kept_by(method.options),
            ..self
        }
    }

    /// Whether a workspace made with other settings is one for these too.
    pub fn shares_workspace(&self, other: &Self) -> bool {
        self.linear_solver == other.linear_solver && self.options == other.options
    }
}

/// A setting that a method cannot take.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// A number out of its range.
    #[error("{field} is {found}, expected {expected}")]
    Range {
        /// Name of the setting.
        field: &'static str,
        /// What was found.
        found: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// An option of the method.
    #[error(transparent)]
    Option(#[from] OptionError),
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

/// How a step ended. Each leaves a usable state; of several islands that came to different ends the last of these is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum Outcome {
    /// Residual and joint error within the tolerance.
    #[default]
    Converged,
    /// The residual no longer shrank, above the tolerance asked for and small enough to be used.
    Stalled,
    /// Contact by its convex relaxation, which is solved, but whose sliding contacts are not those of Coulomb's law.
    Convexified,
    /// The iteration limit was reached close to the solution.
    IterationLimit,
    /// Contact: the budget of the step was spent before its law was kept to the accuracy asked for; by how much it is
    /// not is [`ContactReport::violation`].
    Capped,
}

/// What made a step succeed: the fallbacks, in the order in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum Fallback {
    /// First attempt, extrapolated guess.
    #[default]
    Predicted,
    /// Second attempt, from the last velocities.
    Constant,
    /// Contact: sweeps and Newton's method in turns, then Newton's method from their solution.
    Sweeps,
    /// Contact: the interior point, then Newton's method from its solution.
    InteriorPoint,
    /// Contact: the convex relaxation with the shift of \[DeSaxce1998], then Newton's method from its solution.
    Shifted,
    /// Every island by itself, in one interval each.
    Islands,
    /// Two or more shorter steps.
    Substeps,
    /// Contact: the convex relaxation. Its cone of forces and velocities is that of friction without its shift: sliding
    /// contacts lift off by `dt µ` times their slip. Where forces contradict each other, or joints, contacts yield to
    /// them: what penetrates then is in [`ContactReport::penetration`]. Where many contacts are solved live, their laws with
    /// gaps that are linear in the motion of an interval.
    Convexified,
}

/// What a step did. Kept and reused, so that its history is not allocated again.
#[derive(Debug, Clone, PartialEq, Default)]
#[must_use]
pub struct StepReport {
    /// How it ended.
    pub outcome: Outcome,
    /// Newton iterations of all attempts; of islands by themselves those of the one that took most.
    pub iterations: u32,
    /// Last residual, as in [`Iteration::residual`].
    pub residual: f64,
    /// Last joint error, relative to the length of the joint or in radians.
    pub constraint: f64,
    /// Every iteration of the last attempt.
    pub history: Vec<Iteration>,
    /// What made it succeed.
    pub fallback: Fallback,
    /// Shorter steps taken instead of one, by the island that took most; 0 if none.
    pub substeps: u32,
    /// The body that asked for shorter steps, or whose own turn was made in several.
    pub cut: Option<Cut>,
    /// Factorisations of the linear system.
    pub factorisations: u32,
    /// Contacts, joint limits and cables, of bodies that are awake.
    pub contact: ContactReport,
    /// Bodies that sleep after the step.
    pub asleep: u32,
}

/// Why a step was cut, and how much of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// The body that asked for it: it spins too fast for the whole step, comes too far in it for the budget of a heap that lands, or is
    /// worst balanced where the step did not converge.
    pub body: BodyId,
    /// What was cut.
    pub part: CutPart,
}

/// How much of the mechanism a cut concerns. Methods that know no islands cut everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutPart {
    /// All of its island: their step was made of [`StepReport::substeps`] shorter ones.
    All,
    /// The rotation of that free body alone, made in so many equal turns.
    Turn(u32),
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

    /// Whether the last iteration gained nothing.
    pub(crate) fn stands_still(&self) -> bool {
        let [.., before, last] = self.history.as_slice() else {
            return false;
        };
        last.residual >= 0.5 * before.residual && last.constraint >= 0.5 * before.constraint
    }
}

/// A method that advances a state.
pub trait Integrator: Send + Sync {
    /// What it is.
    fn info(&self) -> &'static IntegratorInfo;

    /// Takes over a state whose velocities a scene gave: with their momenta, and nothing remembered.
    fn start(&mut self, model: &Model, state: &mut State, _settings: &Settings) {
        set_momenta(model, &mut state.bodies);
        state.memory.words.clear();
    }

    /// Takes over a state that another method released: velocities and momenta at the knot.
    fn adopt(&mut self, model: &Model, state: &mut State, settings: &Settings) {
        self.start(model, state, settings);
    }

    /// Leaves a state for another method: velocities and momenta at the knot, on the constraints if the method keeps to
    /// them (`drift_free`). Returns the energy that impacts and friction take with that (J); the caller books it. Nothing
    /// is to be done by a method whose velocities are at the knot and as near to the constraints as it keeps them.
    fn release(&mut self, _: &Model, _: &mut State, _: &Settings) -> [f64; 2] {
        [0.0; 2]
    }

    /// Advances `state` by `settings.dt`. On `Err` the state is as it was.
    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError>;

    /// Holds what the last [`step`](Self::step), which reported this, came to, for states that are
    /// [displaced](Self::step_displaced) from the one that it set out from.
    fn hold_solution(&mut self, _report: &StepReport) {}

    /// Advances a state by `settings.dt` that is displaced by very little from that of the solution
    /// [held](Self::hold_solution): what the step decided there (which contacts take part, which stick and which slide) is
    /// taken over, and its equations are solved to rounding from there, so that differences are derivatives. A method that
    /// has nothing better takes a step. On `Err` the state is as it was.
    fn step_displaced(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        self.step(model, state, input, settings, report)
    }

    /// Measures the phases of a step, once it is started; `None` for a method that does not tell them apart.
    fn stopwatch(&mut self) -> Option<&mut Stopwatch> {
        None
    }

    /// What the linear solver did in the last step: nodes, order, blocks, operations; `None` where the method is silent.
    fn plan(&self, _model: &Model) -> Option<Plan> {
        None
    }

    /// Writes the velocities at the knot that energy and momentum are computed from: those of the state, unless the
    /// method holds others. Returns what the account of whole intervals has not seen of impacts and friction, and
    /// whether the velocities can be trusted.
    fn read_velocities(
        &mut self,
        _model: &Model,
        state: &State,
        _settings: &Settings,
        out: &mut Vec<Twist>,
    ) -> Reading {
        out.clear();
        out.extend(state.bodies.iter().map(|b| b.velocity));
        Reading::default()
    }
}

mod compliant;
mod composition;
mod failure;
mod generalized_alpha;
mod ggl;
mod joint_space;
mod minimal;
mod options;
mod parametrisation;
mod registry;
mod runge_kutta;
mod scales;
mod trees;
#[cfg(test)]
mod trials;
mod variational;

pub use crate::solver::contact::ContactReport;
pub use crate::solver::{FrictionCone, LinearSolver, Reading};
pub use failure::StepError;
pub use options::{
    MOST_OPTIONS, OptionError, OptionKind, OptionSpec, OptionValue, Options, Written,
};
pub use registry::{
    BuildError, DEFAULT, REGISTRY, build, build_from, check, find, nearest, refusal,
};
pub use variational::CONTACT_BUDGET;
