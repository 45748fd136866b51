//! Takes: a scene, the state it was in, and every input, setting and edit from there on, as a file that stands alone.
//!
//! Replaying a take gives the same bits, which a hash per step checks. `docs/reference/takes.md` describes the file.

mod check;
mod edit;
mod reader;
mod record;
mod settings;
mod writer;

pub use writer::TakeWriter;

use super::storage::replace_with;
use super::{Scene, SceneErrors};
use crate::model::State;
use crate::sim::{Log, Replay, Simulation, SimulationError, Snapshot, Timeline};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// A run that can be done again.
#[derive(Debug, Clone)]
pub struct Take {
    /// The scene. Its first state is that of the scene; that of the take is in `start`.
    pub scene: Scene,
    /// The moment it begins with.
    pub start: Snapshot,
    /// What happened from there on.
    pub log: Log,
    /// Some of the states reached, by their step, so that a divergence can say what differs.
    pub states: BTreeMap<u64, State>,
    /// Version of the program that recorded it.
    pub program: String,
    /// False if the file breaks off: the program that recorded it did not come to an end.
    pub complete: bool,
}

impl Take {
    /// An empty take of a scene that begins at a moment of its simulation.
    pub fn new(scene: &Scene, start: Snapshot) -> Self {
        Self {
            scene: scene.clone(),
            log: Log::new(start.state.step),
            states: BTreeMap::new(),
            program: env!("CARGO_PKG_VERSION").into(),
            complete: true,
            start,
        }
    }

    /// The current branch of a timeline, whose first moment is one of the scene, edited or not.
    pub fn of(scene: &Scene, timeline: &Timeline) -> Self {
        let (start, log, states) = timeline.record();
        Self {
            log,
            states,
            ..Self::new(scene, start)
        }
    }

    /// Whether a file is a take, by its name.
    pub fn is_named(path: impl AsRef<Path>) -> bool {
        let ending = path.as_ref().extension();
        ending.is_some_and(|e| e.eq_ignore_ascii_case("take"))
    }

    /// Reads a take. Errors name line, field, what was found and what is expected.
    pub fn open(path: &Path) -> Result<Self, SceneErrors> {
        reader::open(path)
    }

    /// Reads a take from text; `name` stands for the file in errors.
    pub fn from_text(name: &str, text: &str) -> Result<Self, SceneErrors> {
        reader::read(name, text)
    }

    /// Writes the take to a file. A file that was there before is replaced only when all is written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        replace_with(path, |out| self.write(out))
    }

    /// Writes the take as text.
    pub fn write<W: Write>(&self, out: W) -> io::Result<W> {
        let mut writer = TakeWriter::new(out, &self.scene, &self.start)?;
        let log = &self.log;
        for step in log.first() + 1..=log.last() {
            log.changes(step).try_for_each(|c| writer.change(c))?;
            if let Some(digest) = log.digest(step) {
                writer.step_with(log.input(step), step, digest, self.states.get(&step))?;
            }
        }
        log.changes(log.last() + 1)
            .try_for_each(|c| writer.change(c))?;
        if let Some(failure) = log.failure() {
            writer.failed(&failure.input, &failure.error)?;
        }
        writer.finish(self.states.get(&log.last()))
    }

    /// A simulation at the moment the take begins with.
    pub fn simulation(&self) -> Result<Simulation, SimulationError> {
        let Scene {
            model,
            state,
            integrator,
            settings,
            ..
        } = &self.scene;
        let model = if *self.start.model == *model {
            self.start.model.clone()
        } else {
            Arc::new(model.clone())
        };
        let mut simulation = Simulation::new(model, state.clone(), integrator, *settings)?;
        simulation.restore(&self.start)?;
        Ok(simulation)
    }

    /// A replay from the beginning.
    pub fn replay(&self) -> Result<Replay, SimulationError> {
        let simulation = self.simulation()?;
        Ok(Replay::new(
            simulation,
            self.log.clone(),
            self.states.clone(),
        ))
    }
}
