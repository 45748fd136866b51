//! What a session shows, taken along to another thread and built up again there.

use crate::app::session::Session;
use crate::app::session::contact_history::ContactHistory;
use crate::app::session::past::Past;
use crate::app::session::trails::Trails;
use crate::diagnostics::Sample;
use crate::scene::Scene;
use crate::sim::{History, SimulationError, Snapshot, Traces};

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
