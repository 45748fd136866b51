//! The running scene: its simulation and its past, what was drawn last. Knows neither window nor clock.

pub mod background;
pub mod compiling;
pub mod contact_history;
pub mod derived;
mod edits;
pub mod events;
pub mod generations;
pub mod marks;
pub mod methods;
pub mod observer;
mod parts;
mod past;
pub mod playback;
mod plotted;
pub mod pull;
mod readings;
mod restart;
mod snapshot;
mod table;
mod worker;

use crate::jobs::Jobs;
use crate::mesh::convert;
use crate::session::compiling::Compiling;
use crate::session::contact_history::ContactHistory;
use crate::session::derived::{Derived, Refusal};
use crate::session::generations::Generations;
use crate::session::marks::{Mark, Marks};
use crate::session::methods::Methods;
use crate::session::observer::{Observer, Observers, Tap};
use crate::session::past::Past;
use crate::session::pull::PullReading;
use crate::session::table::TableFile;
use bevy::prelude::Resource;
use physics::diagnostics::Sample;
use physics::integrators::{self, IntegratorInfo, REGISTRY};
use physics::math::Pose;
use physics::model::{BodyState, State};
use physics::scene::editing::renamed;
use physics::scene::{Document, Scene, Take};
use physics::sim::timeline::BranchId;
use physics::sim::{Correction, Input, Simulation, SimulationError, Snapshot, Traces};
use physics::solver::Structure;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// A scene in motion.
#[derive(Resource)]
pub struct Session {
    /// The scene as it was read, with the edits since.
    scene: Scene,
    /// The edits.
    document: Document,
    /// The scenes before other parameters of their generator.
    generations: Generations,
    /// The simulation. Only the session steps it, changes it and moves it in time.
    simulation: Simulation,
    /// What the hand on the mouse asks for in the next steps.
    pub input: Input,
    /// The figures of the moment that is shown.
    sample: Sample,
    /// What every body has touched so far, in a scene with contact.
    pub contact_history: ContactHistory,
    /// Steps that failed or were relaxed.
    marks: Marks,
    /// By which methods the steps were taken.
    methods: Methods,
    /// Values of the quantities that plots show.
    pub traces: Traces,
    /// What was said when the scene could not be run by the method that was asked for.
    replaced: Option<String>,
    /// Why the last step failed; cleared by the next that does not.
    pub failure: Option<String>,
    /// What the last changes moved beside what was asked for, until somebody has been told.
    corrected: Option<Correction>,
    /// The mouse spring at the last step, while there is one.
    pull: Option<PullReading>,
    /// Changes whenever another scene is opened, so that its drawing is built anew.
    generation: u64,
    /// Changes whenever an edit, or travel in time beyond one, makes the scene look different.
    edition: u64,
    /// The take that is shown, if it was read from a file.
    take: Option<PathBuf>,
    past: Past,
    /// Steps that are taken in the background.
    stepper: crate::session::background::StepThread,
    /// An edit that is being compiled.
    compiling: Option<Compiling>,
    /// How often another state, or the state of another model, was reached.
    moves: u64,
    /// What is done in the background for this session, and the whole window.
    jobs: Jobs,
    /// The step to which time is being moved.
    goal: Option<u64>,
    /// Whether time goes on at a past moment as it was recorded, inputs and changes included, while nobody interferes.
    follows: bool,
    /// The state with which the past begins, before a method has taken it over.
    first: State,
    /// Name of the method with which it began.
    began_by: &'static str,
    /// The model that was last met, and what follows from it.
    derived: Derived,
    previous: Vec<Pose>,
    current: Vec<Pose>,
    /// Time of the poses before the last (s).
    previous_time: f64,
    record: Option<TableFile>,
    observers: Observers,
    /// Whoever makes a film of this session and is shown every step.
    pub tap: Option<Tap>,
    /// What acted in the steps since this was emptied, for whoever runs other methods beside; nobody does if absent.
    pub followed: Option<Vec<Input>>,
}

/// A state as another session can show it.
#[derive(Debug, Clone)]
pub struct Knot {
    /// The state, with model, method and settings.
    pub moment: Snapshot,
    /// What is plotted of it.
    pub sample: Sample,
    /// What acted in the step that led to it.
    pub input: Input,
}

impl Session {
    /// Starts a scene, by the nearest method if the one it names cannot treat it.
    pub fn new(scene: Scene) -> Result<Self, SimulationError> {
        Self::start(scene, Past::whole)
    }

    /// Starts a scene whose past nobody will visit: of it remains only what the plots show.
    pub fn fleeting(scene: Scene) -> Result<Self, SimulationError> {
        Self::start(scene, Past::plots)
    }

    fn start(
        mut scene: Scene,
        past: impl FnOnce(&mut Simulation) -> Past,
    ) -> Result<Self, SimulationError> {
        let replaced = substitute(&mut scene);
        let simulation = scene.simulation()?;
        Ok(Self {
            replaced,
            ..Self::with(scene, simulation, past)
        })
    }

    /// What is done in the background, here and in the window that shows this.
    pub fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    /// A session at the moment with which a take begins.
    pub fn of_take(take: &Take) -> Result<Self, SimulationError> {
        let simulation = take.simulation()?;
        Ok(Self::with(take.scene.clone(), simulation, Past::whole))
    }

    /// A session that shows a simulation as it is.
    fn with(
        scene: Scene,
        mut simulation: Simulation,
        past: impl FnOnce(&mut Simulation) -> Past,
    ) -> Self {
        let past = past(&mut simulation);
        let current = poses(simulation.state());
        let sample = *past.sample();
        Self {
            previous: current.clone(),
            current,
            previous_time: sample.time,
            sample,
            contact_history: ContactHistory::default(),
            marks: Marks::default(),
            methods: Methods::default(),
            traces: Traces::default(),
            derived: Derived::of(simulation.shared_model()),
            first: simulation.first_state().clone(),
            began_by: simulation.integrator().name,
            document: Document::new(simulation.shared_model()),
            generations: Generations::default(),
            edition: 0,
            input: Input::default(),
            replaced: None,
            failure: None,
            corrected: None,
            pull: None,
            generation: 0,
            take: None,
            past,
            stepper: crate::session::background::StepThread::default(),
            compiling: None,
            moves: 0,
            jobs: Jobs::default(),
            goal: None,
            follows: true,
            record: None,
            observers: Observers::default(),
            tap: None,
            followed: None,
            scene,
            simulation,
        }
    }

    /// Lets somebody watch this session, and every one that takes its place.
    pub fn observe(&mut self, observer: Arc<Mutex<dyn Observer>>) {
        self.observers.add(observer);
    }

    /// Leaves its place to another scene; the memory for the past stays as it was chosen. What records the run goes on
    /// only with the scene it began with.
    pub fn give_way(&mut self, mut next: Self) {
        next.generation = self.generation + 1;
        next.edition = self.edition;
        next.jobs = self.jobs.clone();
        if let Some(memory) = self.memory() {
            next.set_budget(memory.budget);
        }
        next.observers = std::mem::take(&mut self.observers);
        next.observers.each(|observer| observer.renew());
        let mut left = std::mem::replace(self, next);
        // Files end here, not wherever what is left is given back.
        (left.record, left.tap) = (None, None);
        // A long past is so many states that to let go of them takes longer than a frame.
        self.jobs
            .detach("Letting go of the scene before", move || drop(left));
    }

    /// Whether another method was chosen than the one with which it began.
    pub fn has_another_method(&self) -> bool {
        self.simulation.integrator().name != self.began_by
    }

    /// Takes one step. On an error the state is as it was and `failure` says why; true if it went well.
    ///
    /// At a past moment to which one has gone back, time goes on as it did, until the hand on the mouse interferes.
    pub fn step(&mut self) -> bool {
        self.goal = None;
        self.give_up_step();
        let before = self.past.end();
        let follows = self.follows_record();
        let stepped = self.past.step(&mut self.simulation, &self.input, follows);
        let input = self.input.clone();
        self.stepped(before, &input, stepped)
    }

    /// Whether the step from the moment shown was tried and left no usable state.
    pub fn is_stuck(&self) -> bool {
        let (branch, _) = self.past.end();
        let next = self.simulation.state().step + 1;
        self.failure.is_some() && self.marks.has_failed(branch, next)
    }

    /// Whether the next step goes as it was recorded.
    fn follows_record(&self) -> bool {
        self.follows && self.input == Input::default() && self.is_past()
    }

    /// Shows what a step led to, or why it did not; `before` is where the past ended then.
    fn stepped(
        &mut self,
        before: (BranchId, u64),
        input: &Input,
        stepped: Result<(), String>,
    ) -> bool {
        self.stepper.note(self.simulation.step_seconds());
        let here = (before.0, self.simulation.state().step);
        if let Err(error) = stepped {
            self.marks.add(here.0, here.1 + 1, Mark::Failed);
            self.failure = Some(error);
            return false;
        }
        self.failure = None;
        let is_new = self.past.end() != before;
        if let Some(followed) = &mut self.followed {
            followed.push(self.past.input().unwrap_or(input).clone());
        }
        self.keep(*self.past.sample());
        if is_new {
            self.note();
        }
        if is_new || self.traces.lacks(self.sample.time) {
            self.traces.push(&self.simulation.moment(&self.sample));
        }
        self.meet_model();
        self.show_step();
        self.read_pull(input.drag);
        let written = if is_new { self.write_row() } else { Ok(()) };
        if let Err(error) = written {
            self.failure = Some(error);
            return false;
        }
        true
    }

    /// Goes on to a state that another session of the same scene had, as if a step had led to it.
    pub fn show(&mut self, knot: Knot) {
        // Another session has run it, so that this can only fail for another scene.
        let restored = self.simulation.restore(&knot.moment);
        self.failure = restored.err().map(|e| e.to_string());
        if let Some(followed) = &mut self.followed {
            followed.push(knot.input);
        }
        self.past.push(knot.sample);
        self.keep(knot.sample);
        self.note();
        if !self.traces.is_idle() {
            self.simulation.velocities();
            self.traces.push(&self.simulation.moment(&self.sample));
        }
        self.meet_model();
        self.show_step();
    }

    /// Keeps what is drawn of the state reached by a step.
    fn keep(&mut self, sample: Sample) {
        self.moves += 1;
        self.previous_time = self.sample.time;
        self.sample = sample;
        std::mem::swap(&mut self.previous, &mut self.current);
        self.current.clear();
        let pose = |b: &BodyState| Pose::from_parts(b.position.into(), b.orientation);
        let state = self.simulation.state();
        self.current.extend(state.bodies.iter().map(pose));
    }

    /// Keeps what the past itself does not: what was touched, and whether the step was relaxed.
    fn note(&mut self) {
        let (branch, _) = self.past.end();
        let state = self.simulation.state();
        if self.simulation.model().contact.is_some() {
            let place = (branch, state.step);
            self.contact_history
                .push(place, state.time, state.bodies.len(), &state.contacts);
        }
        let method = self.simulation.integrator().name;
        self.methods
            .note(branch, state.step, self.previous_time, method);
        if let Some(mark) = Mark::of(self.simulation.report()) {
            self.marks.add(branch, state.step, mark);
        }
    }

    /// Reads the linear system anew when the model is another one.
    fn meet_model(&mut self) {
        let model = self.simulation.shared_model();
        let known = self.derived.model();
        if !Arc::ptr_eq(model, known) {
            if !Self::looks_alike(known, model) {
                self.edition += 1;
            }
            let same = Self::has_the_same_items(known, model);
            if !same && renamed(known, model).is_none() {
                // They knew bodies and joints by their places.
                self.traces = Traces::default();
                self.observers.each(|observer| observer.renew());
            }
            self.derived = Derived::of(model);
        }
    }

    /// Graph of the linear system and what each solver spends on it; nothing while that is being counted.
    pub fn structure(&self) -> Option<&Structure> {
        self.derived.structure(&self.jobs)
    }

    /// Why a method cannot run the model, as far as it is known: of a large model it is not at first.
    pub fn refusal(&self, info: &IntegratorInfo) -> Option<&Refusal> {
        self.derived.refusal(info, &self.jobs)
    }

    /// The state reached, with all that is drawn and plotted of it.
    pub fn knot(&self) -> Knot {
        Knot {
            moment: self.simulation.snapshot(),
            sample: self.sample,
            input: self.past.input().unwrap_or(&self.input).clone(),
        }
    }

    /// Shows the state that a step has led to whoever watches.
    fn show_step(&mut self) {
        self.observers.each(|observer| {
            observer.step(self);
        });
        if let Some(mut tap) = self.tap.take() {
            // Whoever is not listening any more says elsewhere why.
            self.tap = tap.step(self).then_some(tap);
        }
    }

    /// The scene with the model, the method and the settings in force.
    pub fn forked_scene(&self) -> Scene {
        Scene {
            model: self.simulation.model().clone(),
            integrator: self.simulation.integrator().name.into(),
            settings: *self.simulation.settings(),
            ..self.scene.clone()
        }
    }

    /// A session of the same scene with the same model, method and settings, at the scene's first state.
    pub fn fork(&self) -> Result<Self, SimulationError> {
        Self::fleeting(self.forked_scene())
    }

    /// A session of a scene at a moment of one of its simulations, whose past nobody will visit.
    pub fn at(mut scene: Scene, moment: &Snapshot) -> Result<Self, SimulationError> {
        let replaced = substitute(&mut scene);
        let mut simulation = scene.simulation()?;
        simulation.restore(moment)?;
        Ok(Self {
            replaced,
            ..Self::with(scene, simulation, Past::plots)
        })
    }

    /// Poses at a fraction of the last step; 1 is the state reached.
    pub fn poses_at(&self, fraction: f64) -> impl Iterator<Item = Pose> {
        // Where bodies have come or gone there is nothing in between.
        let same = self.previous.len() == self.current.len();
        let from = if same { &self.previous } else { &self.current };
        let pairs = from.iter().zip(&self.current);
        pairs.map(move |(from, to)| convert::between(from, to, fraction))
    }

    /// Simulated time at a fraction of the last step (s).
    pub fn time_at(&self, fraction: f64) -> f64 {
        self.previous_time + fraction * (self.sample.time - self.previous_time)
    }

    /// Poses of the state reached.
    pub fn poses(&self) -> &[Pose] {
        &self.current
    }
}

/// Puts the nearest method in the place of one that refuses the scene, and says so.
fn substitute(scene: &mut Scene) -> Option<String> {
    let asked = REGISTRY.iter().find(|i| i.name == scene.integrator)?;
    integrators::refusal(asked, &scene.model)?;
    let nearest = integrators::nearest(asked, &scene.model)?;
    scene.integrator = nearest.name.into();
    scene.settings = scene.settings.taken_to(nearest);
    Some(replacement(asked, nearest))
}

/// What is said when another method than the one asked for runs a scene.
fn replacement(asked: &IntegratorInfo, nearest: &IntegratorInfo) -> String {
    format!(
        "{} cannot run this scene; {} does instead.",
        asked.name, nearest.name
    )
}

fn poses(state: &State) -> Vec<Pose> {
    let pose = |b: &BodyState| Pose::from_parts(b.position.into(), b.orientation);
    state.bodies.iter().map(pose).collect()
}
