//! What a session shows, taken along to another thread and built up again there.

use crate::session::Session;
use crate::session::contact_history::ContactHistory;
use crate::session::past::Past;
use physics::diagnostics::Sample;
use physics::scene::Scene;
use physics::sim::{History, SimulationError, Snapshot, Traces};

/// A copy of what a session shows.
pub struct SessionSnapshot {
    scene: Scene,
    moment: Snapshot,
    sample: Sample,
    history: History,
    contact_history: ContactHistory,
    traces: Traces,
}

impl Session {
    /// What this session shows, for a session that goes on with [`Self::show`].
    pub fn session_snapshot(&self) -> SessionSnapshot {
        SessionSnapshot {
            scene: self.scene.clone(),
            moment: self.simulation.snapshot(),
            sample: self.sample,
            history: self.history().until(self.sample.step),
            contact_history: self.contact_history.until(&self.way(), self.sample.step),
            traces: self.traces.clone(),
        }
    }
}

impl SessionSnapshot {
    /// The session that shows it.
    pub fn session(self) -> Result<Session, SimulationError> {
        Ok(Session {
            sample: self.sample,
            past: Past::Plots(self.history),
            contact_history: self.contact_history,
            traces: self.traces,
            ..Session::at(self.scene, &self.moment)?
        })
    }
}
