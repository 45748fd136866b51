//! Writing a take while it happens: after a crash the file holds all steps up to it.

use super::edit::Edit;
use super::record::{Header, RULE, Record, VERSION, hex};
use crate::integrators::StepError;
use crate::model::{Input, Model, State};
use crate::scene::Scene;
use crate::sim::{Change, Snapshot};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ron::ser::PrettyConfig;
use std::io::{self, Write};
use std::sync::Arc;

/// Fewest steps between two whole states in a file.
const SPACING: u64 = 100;

/// Most memory of whole states for every step of a take (bytes).
const STATE_BYTES_PER_STEP: usize = 1000;

/// Writes a take step by step.
pub struct TakeWriter<W: Write> {
    out: W,
    model: Arc<Model>,
    input: Input,
    first: u64,
    last: u64,
    /// The step after which the last whole state was written.
    state_at: u64,
}

impl<W: Write> TakeWriter<W> {
    /// Begins a take of a scene at a moment of its simulation.
    pub fn new(mut out: W, scene: &Scene, start: &Snapshot) -> io::Result<Self> {
        let edited = *start.model != scene.model;
        let header = Header {
            take: VERSION,
            program: env!("CARGO_PKG_VERSION").into(),
            name: scene.name.clone(),
            scene: scene.text.clone(),
            meshes: scene
                .meshes
                .iter()
                .map(|(name, bytes)| (name.clone(), STANDARD.encode(bytes)))
                .collect(),
            integrator: start.integrator.into(),
            settings: (&start.settings).into(),
            edit: edited.then(|| Edit::between(&scene.model, &start.model)),
            // The take's own corrections count from its first step.
            initial_energy: start.initial_energy + start.correction,
            state: start.state.clone(),
            digest: hex(start.state.digest()),
        };
        let pretty = PrettyConfig::new()
            .depth_limit(3)
            .indentor("    ")
            .escape_strings(false);
        let header = ron::ser::to_string_pretty(&header, pretty).map_err(io::Error::other)?;
        writeln!(
            out,
            "// A take of Driftless; docs/reference/takes.md says what is in it."
        )?;
        writeln!(out, "{header}\n{RULE}")?;
        let step = start.state.step;
        Ok(Self {
            out,
            model: start.model.clone(),
            input: Input::default(),
            first: step,
            last: step,
            state_at: step,
        })
    }

    /// Notes a change between two steps.
    pub fn change(&mut self, change: &Change) -> io::Result<()> {
        let record = match change {
            Change::Settings(settings) => Record::Settings(settings.into()),
            Change::Integrator(name) => Record::Integrator((*name).into()),
            Change::Model(model) => {
                let edit = Edit::between(&self.model, model);
                self.model = model.clone();
                Record::Model(Box::new(edit))
            }
            Change::Mechanism(mechanism) => {
                let edit = Edit::between(&self.model, &mechanism.model);
                self.model = mechanism.model.clone();
                let state = Box::new(mechanism.state.clone());
                Record::Mechanism(Box::new(edit), state, mechanism.first)
            }
        };
        self.record(&record)
    }

    /// Notes a step that led to a state.
    pub fn step(&mut self, input: &Input, state: &State) -> io::Result<()> {
        self.step_with(input, state.step, state.digest(), Some(state))?;
        // Nothing waits in a buffer for a next step that may never come.
        self.out.flush()
    }

    /// Notes a step by the hash of the state that it led to, and that state if it is at hand.
    pub(super) fn step_with(
        &mut self,
        input: &Input,
        step: u64,
        digest: u64,
        state: Option<&State>,
    ) -> io::Result<()> {
        self.input(input)?;
        self.record(&Record::Step(step, hex(digest)))?;
        self.last = step;
        match state {
            Some(state) if self.last - self.state_at >= spacing(state) => self.whole(state),
            _ => Ok(()),
        }
    }

    /// Notes that the next step failed.
    pub fn failure(&mut self, input: &Input, error: &StepError) -> io::Result<()> {
        self.failed(input, &error.to_string())
    }

    pub(super) fn failed(&mut self, input: &Input, error: &str) -> io::Result<()> {
        self.input(input)?;
        self.record(&Record::Failed(error.into()))
    }

    /// Ends the take; `last` is the state after the last step, if it is at hand.
    pub fn finish(mut self, last: Option<&State>) -> io::Result<W> {
        match last {
            Some(state) if state.step == self.last && self.last > self.state_at => {
                self.whole(state)?;
            }
            _ => {}
        }
        self.record(&Record::End(self.last - self.first))?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn input(&mut self, input: &Input) -> io::Result<()> {
        if *input != self.input {
            self.input.clone_from(input);
            self.record(&Record::Input(input.clone()))?;
        }
        Ok(())
    }

    fn whole(&mut self, state: &State) -> io::Result<()> {
        self.state_at = self.last;
        self.record(&Record::State(Box::new(state.clone())))
    }

    fn record(&mut self, record: &Record) -> io::Result<()> {
        let line = ron::to_string(record).map_err(io::Error::other)?;
        writeln!(self.out, "{line}")
    }
}

/// Steps from one whole state to the next: states of large mechanisms are written more rarely.
fn spacing(state: &State) -> u64 {
    SPACING.max((state.bytes() / STATE_BYTES_PER_STEP) as u64)
}
