//! A moment of a simulation, complete: going back to it and on again gives the same bits.

use super::{Change, Outcomes, Simulation, SimulationError};
use crate::integrators::{self, Settings, StepReport};
use crate::kinematics;
use crate::model::{Model, State};
use std::sync::Arc;

/// Everything that a simulation is at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The state.
    pub state: State,
    /// The mechanism, shared by all moments at which it is the same.
    pub model: Arc<Model>,
    /// Name of the method.
    pub integrator: &'static str,
    /// Settings in force.
    pub settings: Settings,
    /// Total energy from which the energy error counts (J).
    pub initial_energy: f64,
    /// Energy that changes brought since, beside what the edits themselves add (J).
    pub correction: f64,
    /// What the step that led here did.
    pub report: StepReport,
    /// How the steps up to here ended.
    pub outcomes: Outcomes,
    /// Wall time of the step that led here (s).
    pub step_seconds: f64,
}

impl Snapshot {
    /// Memory that the moment takes (bytes); the model, which moments share, is not counted.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() - size_of::<State>()
            + self.state.bytes()
            + self.report.history.capacity() * size_of::<integrators::Iteration>()
    }
}

impl Simulation {
    /// The present moment.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            state: self.state.clone(),
            model: self.model.clone(),
            integrator: self.integrator.info().name,
            settings: self.settings,
            initial_energy: self.initial_energy,
            correction: self.correction,
            report: self.report.clone(),
            outcomes: self.counts,
            step_seconds: self.step_seconds,
        }
    }

    /// Writes the present moment over another, whose memory is used again.
    pub fn snapshot_into(&self, snapshot: &mut Snapshot) {
        let Snapshot {
            state,
            model,
            integrator,
            settings,
            initial_energy,
            correction,
            report,
            outcomes,
            step_seconds,
        } = snapshot;
        state.clone_from(&self.state);
        model.clone_from(&self.model);
        *integrator = self.integrator.info().name;
        *settings = self.settings;
        *initial_energy = self.initial_energy;
        *correction = self.correction;
        report.clone_from(&self.report);
        *outcomes = self.counts;
        *step_seconds = self.step_seconds;
    }

    /// Whether [`Self::restore`] only copies numbers: another mechanism or method has to be prepared first.
    pub fn shares_workspace(&self, moment: &Snapshot) -> bool {
        Arc::ptr_eq(&self.model, &moment.model)
            && self.integrator.info().name == moment.integrator
            && self.settings.shares_workspace(&moment.settings)
    }

    /// Goes to a moment of this simulation or of another of the same scene: model, method, settings and account too.
    pub fn restore(&mut self, moment: &Snapshot) -> Result<(), SimulationError> {
        if !self.shares_workspace(moment) {
            // What a method remembers is in the state, so that another workspace can go on from it.
            let info = self.method(moment.integrator)?;
            self.integrator = integrators::build_from(info, &moment.model, &moment.settings)?;
            self.model = moment.model.clone();
        }
        self.settings = moment.settings;
        self.state.clone_from(&moment.state);
        self.is_read = false;
        self.initial_energy = moment.initial_energy;
        self.correction = moment.correction;
        self.corrected = None;
        self.report.clone_from(&moment.report);
        self.counts = moment.outcomes;
        self.step_seconds = moment.step_seconds;
        Ok(())
    }

    /// Another simulation that goes on from a moment, with the same bits. It resets to that moment.
    pub fn resume(moment: &Snapshot) -> Result<Self, SimulationError> {
        let Snapshot {
            state,
            model,
            integrator,
            settings,
            ..
        } = moment;
        let built = integrators::build(integrator, model, settings)?;
        let mut sim = Self::at(model.clone(), state.clone(), built, *settings)?;
        sim.initial.clone_from(state);
        sim.restore(moment)?;
        Ok(sim)
    }

    /// Lets the method go of the state and take it again, moved by a configuration distance (m) if it is not 0.
    pub fn perturb(&mut self, distance: f64) -> Result<(), SimulationError> {
        let [impact, friction] =
            self.integrator
                .release(&self.model, &mut self.state, &self.settings);
        self.state.work.impact += impact;
        self.state.work.friction += friction;
        let moved = if distance == 0.0 {
            Ok(())
        } else {
            kinematics::perturb(&self.model, &mut self.state, distance)
        };
        self.integrator
            .adopt(&self.model, &mut self.state, &self.settings);
        Ok(moved?)
    }

    /// Counts the energy error from the present moment on.
    pub fn begin_account(&mut self) {
        let error = self.sample().energy_error;
        self.initial_energy += error;
        self.counts = Outcomes::default();
    }

    /// Carries out a change between two steps.
    pub fn apply(&mut self, change: &Change) -> Result<(), SimulationError> {
        match change {
            Change::Settings(settings) => self.set_settings(*settings),
            Change::Integrator(name) => self.set_integrator(name),
            Change::Model(model) => self.set_model(model.clone()),
            Change::Mechanism(mechanism) => self.set_mechanism(mechanism),
        }
    }

    /// The state reached with velocities and momenta at the knot, as another mechanism takes it over.
    pub fn state_at_knot(&mut self) -> State {
        let mut state = self.state.clone();
        let [impact, friction] = self
            .integrator
            .release(&self.model, &mut state, &self.settings);
        state.work.impact += impact;
        state.work.friction += friction;
        state
    }

    /// The state to which [`Self::reset`] goes back, of the model in force.
    pub fn set_first(&mut self, state: State) {
        self.initial = state;
    }
}
