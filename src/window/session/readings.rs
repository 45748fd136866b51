//! What a session says of its simulation, which nobody else has: model, state, method, settings, figures.

use crate::session::Session;
use physics::diagnostics::Quantity;
use physics::integrators::{IntegratorInfo, Settings, StepReport};
use physics::model::{BodyId, JointId, Model, Row, State, Twist};
use physics::sim::{Outcomes, Profile, Snapshot};
use physics::solver::Plan;
use std::sync::Arc;

impl Session {
    /// The mechanism in force.
    pub fn model(&self) -> &Model {
        self.simulation.model()
    }

    /// The mechanism in force, which nothing else than another one takes the place of.
    pub fn shared_model(&self) -> &Arc<Model> {
        self.simulation.shared_model()
    }

    /// The state that is shown.
    pub fn state(&self) -> &State {
        self.simulation.state()
    }

    /// The method in use.
    pub fn integrator(&self) -> &'static IntegratorInfo {
        self.simulation.integrator()
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        self.simulation.settings()
    }

    /// The moment that is shown, complete.
    pub fn snapshot(&self) -> Snapshot {
        self.simulation.snapshot()
    }

    /// What the last step did.
    pub fn report(&self) -> &StepReport {
        self.simulation.report()
    }

    /// How the steps up to here ended.
    pub fn outcomes(&self) -> Outcomes {
        self.simulation.outcomes()
    }

    /// Wall time of the last step (s).
    pub fn step_seconds(&self) -> f64 {
        self.simulation.step_seconds()
    }

    /// What the method solves at each step; none if it does not say.
    pub fn plan(&self) -> Option<Plan> {
        self.simulation.plan()
    }

    /// Where the time of the last steps went, if that is measured.
    pub fn profile(&self) -> Option<&Profile> {
        self.simulation.profile()
    }

    /// Measures where the time of steps goes, or no longer.
    pub fn set_profiling(&mut self, on: bool) {
        self.simulation.set_profiling(on);
    }

    /// Coordinates of a joint (m, rad).
    pub fn coordinates(&self, joint: JointId) -> Vec<f64> {
        self.simulation.coordinates(joint)
    }

    /// Rates of a joint's coordinates (m/s, rad/s).
    pub fn rates(&mut self, joint: JointId) -> Vec<f64> {
        self.simulation.rates(joint)
    }

    /// What a joint holds its bodies with (N, N·m).
    pub fn reaction(&self, joint: JointId) -> Row {
        self.simulation.reaction(joint)
    }

    /// Values of quantities at the moment shown, in their units.
    pub fn values(&self, quantities: &[Quantity], into: &mut Vec<f64>) {
        self.simulation.values(quantities, &self.sample, into);
    }

    /// Velocities at the knot as last read, one per body.
    pub fn velocities(&self) -> &[Twist] {
        self.simulation.moment(&self.sample).velocities
    }

    /// Whether the velocities read last do not follow the laws of contact, so that the energy read from them is rough.
    pub fn reads_roughly(&self) -> bool {
        self.simulation.reads_roughly()
    }

    /// Reads the velocities at the knot.
    pub fn read_velocities(&mut self) {
        self.simulation.velocities();
    }

    /// Velocity of a body at the knot.
    pub fn velocity(&mut self, body: BodyId) -> Twist {
        self.simulation.velocities()[body.0]
    }

    /// Notes that the model in force is that of the document's version.
    pub(crate) fn note_model(&mut self) {
        self.document.note(&self.simulation);
    }
}
