//! A running simulation: the same object drives the window, the command line, the tests and the benches.

pub mod comparison;
pub mod convergence;
mod ensemble;
pub mod export;
mod failure;
mod handover;
mod history;
mod linearisation;
mod log;
mod outcomes;
mod peaks;
mod profile;
mod relay;
mod replay;
mod snapshot;
mod statistics;
pub mod timeline;
mod traces;

use crate::diagnostics::{self, Energy, Moment, Quantity, Sample};
use crate::integrators::{
    self, Integrator, IntegratorInfo, Reading, Settings, StepError, StepReport,
};
use crate::joints::{self, Placement};
use crate::kinematics;
pub use crate::model::{AppliedWrench, Command, Drag, DragGoal, Input, InputError};
use crate::model::{JointId, Model, Row, State, Twist};
use crate::solver::{self, Plan, Structure};
use crate::stopwatch::{Phase, Stopwatch};
pub use comparison::Comparison;
pub use ensemble::{Advance, Ensemble, Member, steps_for};
pub use failure::SimulationError;
pub use handover::Correction;
pub use history::{History, thin};
pub use linearisation::{Coordinates, Linearisation, LinearisationError};
pub use log::{Change, Failure, Log, Mechanism};
pub use outcomes::Outcomes;
pub use peaks::Peaks;
pub use profile::{Lap, PhaseFigures, Profile};
pub use relay::{Leg, LegError};
pub use replay::{Divergence, Replay, ReplayError};
pub use snapshot::Snapshot;
pub use statistics::{Statistics, StepTimes};
use std::sync::Arc;
use std::time::Instant;
pub use timeline::Timeline;
pub use traces::Traces;

/// A model in motion: state, integrator and account.
pub struct Simulation {
    model: Arc<Model>,
    state: State,
    initial: State,
    initial_energy: f64,
    /// Energy that changes of method, model and state brought, beside what the edits themselves add (J).
    correction: f64,
    /// What the changes did that nobody has asked about yet.
    corrected: Option<Correction>,
    /// The state before the step in hand, kept for its memory.
    before: State,
    settings: Settings,
    integrator: Box<dyn Integrator>,
    /// The method that it was given from outside, if it was.
    given: Option<&'static IntegratorInfo>,
    report: StepReport,
    counts: Outcomes,
    step_seconds: f64,
    velocities: Vec<Twist>,
    /// Whether `velocities` and `unseen` are those of the state: to read them takes as long as a step where bodies
    /// touch.
    is_read: bool,
    /// Where the time of the last steps went, if that is measured.
    profile: Option<Profile>,
    /// What reading the velocities at the knot came to.
    unseen: Reading,
}

impl Simulation {
    /// A simulation by the method of that name that starts at `state`, whose velocities are those of a scene.
    ///
    /// Joints that are open there are closed as at the start of a scene ([`assemble`](kinematics::assemble)); where they
    /// cannot be, the error says which and by how many metres, unless the method lets joints open.
    pub fn new(
        model: impl Into<Arc<Model>>,
        state: State,
        integrator: &str,
        settings: Settings,
    ) -> Result<Self, SimulationError> {
        let model = model.into();
        let integrator = integrators::build(integrator, &model, &settings)?;
        let state = assembled(&model, state, integrator.info())?;
        Self::at(model, state, integrator, settings)
    }

    /// The same by a method of one's own, which need not be in the registry. Where settings or the mechanism change it is
    /// built anew as [its entry](IntegratorInfo::build) says. Going back to a moment, and back to it from another
    /// method by its name, knows it too; a take or [another simulation](Self::resume) does not.
    pub fn with_integrator(
        model: impl Into<Arc<Model>>,
        state: State,
        integrator: Box<dyn Integrator>,
        settings: Settings,
    ) -> Result<Self, SimulationError> {
        let model = model.into();
        let info = integrator.info();
        integrators::check(info, &model, &settings)?;
        let state = assembled(&model, state, info)?;
        let mut sim = Self::at(model, state, integrator, settings)?;
        sim.given = Some(info);
        Ok(sim)
    }

    /// A simulation that starts at a state as it is.
    fn at(
        model: Arc<Model>,
        state: State,
        integrator: Box<dyn Integrator>,
        settings: Settings,
    ) -> Result<Self, SimulationError> {
        let mut sim = Self {
            given: None,
            initial: state.clone(),
            initial_energy: 0.0,
            correction: 0.0,
            corrected: None,
            before: state.clone(),
            velocities: Vec::new(),
            is_read: false,
            unseen: Reading::default(),
            report: StepReport::default(),
            counts: Outcomes::default(),
            step_seconds: 0.0,
            profile: None,
            model,
            state,
            settings,
            integrator,
        };
        sim.restart();
        if !sim.initial_energy.is_finite() {
            return Err(SimulationError::Energy);
        }
        Ok(sim)
    }

    /// Advances by one step. On an error the state is as it was.
    pub fn step(&mut self, input: &Input) -> Result<&StepReport, StepError> {
        if let Err(error) = input.check(&self.model) {
            self.counts.failed += 1;
            let time = self.state.time;
            return Err(StepError::Input { time, error });
        }
        if self.profile.is_some() {
            self.integrator.stopwatch().map(Stopwatch::start);
        }
        self.is_read = false;
        self.before.clone_from(&self.state);
        let result = if self.model.bodies.is_empty() {
            // No method has anything to move, and none has to think of it.
            self.state.time += self.settings.dt;
            self.state.step += 1;
            self.report = StepReport::default();
            Ok(())
        } else {
            self.integrator.step(
                &self.model,
                &mut self.state,
                input,
                &self.settings,
                &mut self.report,
            )
        };
        // A method may overlook what is not a number: comparisons with it are false, and maxima ignore it.
        let result = result.and_then(|()| self.check_finite());
        if let Some(profile) = &mut self.profile
            && let Some(spent) = self.integrator.stopwatch().and_then(Stopwatch::stop)
        {
            profile.push(self.state.step, &spent);
        }
        match result {
            Ok(()) => {
                self.counts.count(&self.report);
                Ok(&self.report)
            }
            Err(error) => {
                std::mem::swap(&mut self.state, &mut self.before);
                self.counts.failed += 1;
                Err(error)
            }
        }
    }

    /// Fails where a number of the state reached is not finite.
    fn check_finite(&self) -> Result<(), StepError> {
        let place = match self.state.unbounded() {
            Some(body) => format!("body `{}`", self.model.bodies[body].name),
            None if self.state.work.is_finite() => return Ok(()),
            None => "the work of forces, actuators and dampers".into(),
        };
        let info = self.integrator.info();
        Err(StepError::non_finite(info, place, self.before.time))
    }

    /// Advances by one step and measures how long it takes. Reading the clock costs as much as a fifth of a
    /// step of a single body, so [`Self::step`] does without.
    pub fn timed_step(&mut self, input: &Input) -> Result<&StepReport, StepError> {
        let start = Instant::now();
        let result = self.step(input).map(drop);
        self.step_seconds = start.elapsed().as_secs_f64();
        result.map(|()| &self.report)
    }

    /// Measures from now on where the time of every step goes, or no longer. No state depends on it.
    pub fn set_profiling(&mut self, on: bool) {
        if on != self.profile.is_some() {
            self.profile = on.then(Profile::default);
        }
    }

    /// Where the time of the last steps went, if that is measured.
    pub fn profile(&self) -> Option<&Profile> {
        self.profile.as_ref()
    }

    /// Goes back to the first state.
    pub fn reset(&mut self) {
        self.state.clone_from(&self.initial);
        self.restart();
    }

    fn restart(&mut self) {
        self.counts = Outcomes::default();
        self.report.clear();
        self.is_read = false;
        self.integrator
            .start(&self.model, &mut self.state, &self.settings);
        self.begin_energy();
    }

    /// Lets the energy error count from the present state, which is a first one.
    fn begin_energy(&mut self) {
        self.correction = 0.0;
        self.corrected = None;
        self.initial_energy = 0.0;
        self.initial_energy = self.measured().energy_error;
    }

    /// Continues with other settings from the state reached.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), SimulationError> {
        let info = self.integrator.info();
        settings.validate(info)?;
        if !settings.shares_workspace(&self.settings) {
            // What a method remembers is in the state, so that another workspace can go on from it.
            self.integrator = integrators::build_from(info, &self.model, &settings)?;
        }
        self.settings = settings;
        self.is_read = false;
        Ok(())
    }

    /// The mechanism.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The mechanism as moments share it: the same pointer means that nothing was edited in between.
    pub fn shared_model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The state reached.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The state to which [`Self::reset`] goes back, before a method has taken it over.
    pub fn first_state(&self) -> &State {
        &self.initial
    }

    /// The method in use.
    pub fn integrator(&self) -> &'static IntegratorInfo {
        self.integrator.info()
    }

    /// What the last step did.
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// How the steps since the last reset ended.
    pub fn outcomes(&self) -> Outcomes {
        self.counts
    }

    /// Wall time of the last [`Self::timed_step`] (s).
    pub fn step_seconds(&self) -> f64 {
        self.step_seconds
    }

    /// Graph, elimination order and fill-in of the Newton system in maximal coordinates, and what each linear
    /// solver spends on it.
    pub fn structure(&self) -> Structure {
        Structure::of(&self.model)
    }

    /// What the linear solver in use did in the last step: nodes, order, blocks, operations; `None` if the method does
    /// not say.
    pub fn plan(&self) -> Option<Plan> {
        self.integrator.plan(&self.model)
    }

    /// The matrix of that system at the state reached, in the order of [`Structure::nodes`].
    pub fn matrix(&self) -> nalgebra::DMatrix<f64> {
        solver::matrix(&self.model, &self.state, self.settings.dt)
    }

    /// Velocities at the knot, one per body.
    pub fn velocities(&mut self) -> &[Twist] {
        if !self.is_read {
            self.unseen = self.integrator.read_velocities(
                &self.model,
                &self.state,
                &self.settings,
                &mut self.velocities,
            );
            self.is_read = true;
        }
        &self.velocities
    }

    /// Whether the velocities read last do not follow the laws of contact, so that the energy read from them is rough.
    pub fn reads_roughly(&self) -> bool {
        self.is_read && self.unseen.rough
    }

    /// Energy of the state (J).
    pub fn energy(&mut self) -> Energy {
        self.velocities();
        Energy {
            kinetic: self
                .model
                .kinetic_energy(&self.state.bodies, &self.velocities),
            potential: diagnostics::potential_energy(&self.model, &self.state),
        }
    }

    /// Everything the plots show of the state reached.
    pub fn sample(&mut self) -> Sample {
        let start = self.profile.is_some().then(Instant::now);
        let sample = self.measured();
        if let (Some(profile), Some(start)) = (&mut self.profile, start) {
            profile.add(Phase::Measure, start.elapsed());
        }
        sample
    }

    fn measured(&mut self) -> Sample {
        let energy = self.energy();
        let drift = diagnostics::worst_drift(&self.model, &self.state);
        let mut work = self.state.work;
        work.impact += self.unseen.losses[0];
        work.friction += self.unseen.losses[1];
        let contact = &self.report.contact;
        Sample {
            time: self.state.time,
            step: self.state.step,
            energy,
            energy_error: energy.total() - self.initial_energy - self.correction - work.external
                + work.dissipated
                + work.impact
                + work.friction,
            external_work: work.external,
            dissipated: work.dissipated,
            correction: self.correction,
            momentum: diagnostics::momentum(&self.model, &self.state, &self.velocities),
            drift_position: drift.position.0,
            drift_angle: drift.angle.0,
            iterations: self.report.iterations,
            residual: self.report.residual,
            step_seconds: self.step_seconds,
            contact_loss: [work.impact, work.friction],
            closed: contact.closed,
            penetration: contact.penetration,
            min_gap: contact.min_gap,
            complementarity: contact.complementarity,
            cone_violation: contact.cone_violation,
            law_violation: contact.violation,
            rough_velocities: self.unseen.rough,
            asleep: self.state.asleep() as u32,
        }
    }

    /// The moment that [`sample`](Self::sample) has just been taken of.
    pub fn moment<'a>(&'a self, sample: &'a Sample) -> Moment<'a> {
        Moment {
            model: &self.model,
            state: &self.state,
            velocities: &self.velocities,
            sample,
        }
    }

    /// Values of quantities at the moment that `sample` has just been taken of, in the place of what `out` holds.
    pub fn values(&self, quantities: &[Quantity], sample: &Sample, out: &mut Vec<f64>) {
        let moment = self.moment(sample);
        out.clear();
        out.extend(quantities.iter().map(|q| q.value(&moment)));
    }

    /// Values of quantities at a past moment of this simulation; false where another model or method was in force.
    pub fn past_values(
        &mut self,
        moment: (&Snapshot, &Sample),
        quantities: &[Quantity],
        out: &mut Vec<f64>,
    ) -> bool {
        let (Snapshot { state, model, .. }, sample) = moment;
        let same = Arc::ptr_eq(model, &self.model)
            && moment.0.integrator == self.integrator.info().name
            && moment.0.settings.shares_workspace(&self.settings);
        if !same {
            return false;
        }
        let settings = &moment.0.settings;
        let mut velocities = std::mem::take(&mut self.velocities);
        self.is_read = false;
        // What impacts take up to that knot is on no account of the present one.
        let _ = self
            .integrator
            .read_velocities(model, state, settings, &mut velocities);
        let at = Moment {
            model,
            state,
            velocities: &velocities,
            sample,
        };
        out.clear();
        out.extend(quantities.iter().map(|q| q.value(&at)));
        self.velocities = velocities;
        true
    }

    /// Coordinates of a joint, unwrapped over full turns (m, rad); one per freedom.
    pub fn coordinates(&self, joint: JointId) -> Vec<f64> {
        let j = &self.model.joints[joint.0];
        let at = Placement::of(j, &self.state.bodies);
        joints::coordinates(j.kind, &at, self.state.angles[joint.0])[..j.kind.freedoms()].to_vec()
    }

    /// Rates of a joint's coordinates (m/s, rad/s).
    pub fn rates(&mut self, joint: JointId) -> Vec<f64> {
        self.velocities();
        let j = &self.model.joints[joint.0];
        let at = Placement::of(j, &self.state.bodies);
        let parent = j
            .parent
            .map_or_else(Twist::default, |p| self.velocities[p.0]);
        joints::rates(j.kind, &at, &parent, &self.velocities[j.child.0])[..j.kind.freedoms()]
            .to_vec()
    }

    /// Reaction of a joint on its child at the child's anchor: force (N) and torque (N·m), world axes.
    pub fn reaction(&self, joint: JointId) -> Row {
        self.state.reactions[joint.0]
    }
}

/// A first state on the constraints: as given where its joints are closed, and where they cannot be under a method that
/// lets them open.
fn assembled(model: &Model, state: State, info: &IntegratorInfo) -> Result<State, SimulationError> {
    state.check(model)?;
    let holds = !(model.joints.is_empty() && model.couplings.is_empty());
    if !holds || kinematics::is_closed(model, &state) {
        return Ok(state);
    }
    let mut closed = state.clone();
    match kinematics::assemble(model, &mut closed) {
        Ok(_) => Ok(closed),
        Err(error) if info.drift_free => Err(error.into()),
        Err(_) => Ok(state),
    }
}
