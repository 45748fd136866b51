//! What a session consists of beside its simulation: the scene with its edits, the take, what there is to say. Others read
//! it, and change it in the ways that are here.

use crate::session::generations::Generations;
use crate::session::marks::Marks;
use crate::session::methods::Methods;
use crate::session::pull::PullReading;
use crate::session::{Session, replacement};
use physics::diagnostics::Sample;
use physics::integrators::IntegratorInfo;
use physics::scene::{Document, Scene};
use physics::sim::Correction;
use std::path::{Path, PathBuf};

impl Session {
    /// The scene as it was read, with the edits since.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The edits.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The scenes before other parameters of their generator.
    pub fn generations(&self) -> &Generations {
        &self.generations
    }

    /// The figures of the moment that is shown.
    pub fn sample(&self) -> &Sample {
        &self.sample
    }

    /// Steps that failed or were relaxed.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// By which methods the steps were taken.
    pub fn methods(&self) -> &Methods {
        &self.methods
    }

    /// The mouse spring at the last step, while there is one.
    pub fn pull(&self) -> Option<&PullReading> {
        self.pull.as_ref()
    }

    /// Changes whenever another scene is opened, so that its drawing is built anew.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The take that is shown, if it was read from a file.
    pub fn take(&self) -> Option<&Path> {
        self.take.as_deref()
    }

    /// What was said when the scene could not be run by the method that was asked for.
    pub fn replaced(&self) -> Option<&str> {
        self.replaced.as_deref()
    }

    /// Says that another method runs the scene than the one asked for.
    pub fn say_replaced(&mut self, asked: &IntegratorInfo) {
        self.replaced = Some(replacement(asked, self.integrator()));
    }

    /// What the last changes moved beside what was asked for, until it is taken.
    pub fn corrected(&self) -> Option<&Correction> {
        self.corrected.as_ref()
    }

    /// The same, once.
    pub fn take_corrected(&mut self) -> Option<Correction> {
        self.corrected.take()
    }

    /// The take that it shows was read from a file.
    pub fn set_take(&mut self, path: PathBuf) {
        self.take = Some(path);
    }

    /// The scene and its edits have been saved to a file.
    pub fn mark_saved(&mut self, path: &Path) {
        self.document.mark_saved();
        self.scene.path = Some(path.to_owned());
        if let Some(stem) = path.file_stem() {
            self.scene.name = stem.to_string_lossy().into_owned();
        }
    }

    /// Gives away the edits; there are none from now on.
    pub fn take_document(&mut self) -> Document {
        let next = Document::new(self.shared_model());
        std::mem::replace(&mut self.document, next)
    }

    /// Goes on with edits that were given away, whose scene it shows.
    pub fn restore_document(&mut self, document: Document) {
        self.document = document;
        self.note_model();
        self.document.seal();
    }

    /// Notes that the editing rests: the next edit is one to undo by itself, and no slider is held.
    pub fn seal_edits(&mut self) {
        self.document.seal();
        self.generations.release();
    }

    /// Notes that a slider asks for other parameters of the generator.
    pub fn pull_generation(&mut self) {
        self.generations.pull();
    }

    /// Gives away the scenes before other parameters.
    pub fn take_generations(&mut self) -> Generations {
        std::mem::take(&mut self.generations)
    }

    /// Has them back, with what has changed.
    pub fn restore_generations(&mut self, generations: Generations) {
        self.generations = generations;
    }
}
