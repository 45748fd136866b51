//! What a session shows, taken along to another thread and built up again there.

use crate::session::Session;
use crate::session::contact_history::ContactHistory;
use crate::session::past::Past;
use crate::session::trails::Trails;
use physics::diagnostics::Sample;
use physics::scene::Scene;
use physics::sim::{History, SimulationError, Snapshot, Traces};

/// A copy of what a session shows.
pub struct Mirror {
    scene: Scene,
    moment: Snapshot,
    sample: Sample,
    history: History,
    touches: ContactHistory,
    traces: Traces,
    trails: Trails,
}

impl Session {
    /// What this session shows, for a session that goes on with [`Self::show`].
    pub fn mirror(&self) -> Mirror {
        Mirror {
            scene: self.scene.clone(),
            moment: self.simulation.snapshot(),
            sample: self.sample,
            history: self.history().until(self.sample.step),
            touches: self.touches.until(&self.way(), self.sample.step),
            traces: self.traces.clone(),
            trails: self.trails.clone(),
        }
    }
}

impl Mirror {
    /// The session that shows it.
    pub fn session(self) -> Result<Session, SimulationError> {
        Ok(Session {
            sample: self.sample,
            past: Past::Plots(self.history),
            touches: self.touches,
            traces: self.traces,
            trails: self.trails,
            ..Session::at(self.scene, &self.moment)?
        })
    }
}
