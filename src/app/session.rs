//! The running scene: its simulation, what was drawn last, what the plots show. Knows neither window nor clock.

use super::convert;
use super::film::Tap;
use super::touches::Touches;
use crate::diagnostics::Sample;
use crate::forces::{DragLaw, drag_law};
use crate::integrators::{self, IntegratorInfo, REGISTRY};
use crate::math::{Pose, Vec3};
use crate::model::{BodyId, BodyState, Model, State, Twist};
use crate::scene::Scene;
use crate::sim::export::{Origin, Table};
use crate::sim::{Drag, DragGoal, History, Input, Simulation, SimulationError, Snapshot};
use crate::solver::Structure;
use bevy::prelude::Resource;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// A scene in motion.
#[derive(Resource)]
pub struct Session {
    /// The scene as it was read.
    pub scene: Scene,
    /// The simulation.
    pub simulation: Simulation,
    /// What the hand on the mouse asks for in the next steps.
    pub input: Input,
    /// The last sample.
    pub sample: Sample,
    /// The run so far.
    pub history: History,
    /// What every body has touched so far, in a scene with contact.
    pub touches: Touches,
    /// Graph of the linear system and what each solver spends on it.
    pub structure: Structure,
    /// What was said when the scene could not be run by the method that was asked for.
    pub replaced: Option<String>,
    /// Why the last step failed; cleared by the next that does not.
    pub failure: Option<String>,
    /// The mouse spring at the last step, while there is one.
    pub pull: Option<PullReading>,
    /// Changes whenever another scene is opened, so that its drawing is built anew.
    pub generation: u64,
    previous: Vec<Pose>,
    current: Vec<Pose>,
    /// Time of the poses before the last [s].
    previous_time: f64,
    record: Option<Record>,
    /// Whoever makes a film of this session and is handed every step.
    pub tap: Option<Tap>,
}

/// A state as another session can show it.
#[derive(Debug, Clone)]
pub struct Knot {
    /// The state, with model, method and settings.
    pub moment: Snapshot,
    /// What is plotted of it.
    pub sample: Sample,
}

/// What the mouse spring does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PullReading {
    /// The body.
    pub body: BodyId,
    /// Whether it turns the body; otherwise it pulls a point.
    pub turns: bool,
    /// Force [N], or torque [N·m].
    pub force: f64,
    /// Work since the body was taken hold of [J].
    pub work: f64,
    /// Force and torque about the centre of mass at the last step.
    wrench: [Vec3; 2],
}

/// A table that every step is written to.
struct Record {
    path: PathBuf,
    table: Table<BufWriter<File>>,
}

impl Session {
    /// Starts a scene, by the nearest method if the one it names cannot treat it.
    pub fn new(mut scene: Scene) -> Result<Self, SimulationError> {
        let replaced = substitute(&mut scene);
        let mut simulation = scene.simulation()?;
        let sample = simulation.sample();
        let current = poses(simulation.state());
        let mut history = History::default();
        history.restart(sample);
        Ok(Self {
            previous: current.clone(),
            current,
            previous_time: sample.time,
            sample,
            history,
            touches: Touches::default(),
            structure: simulation.structure(),
            input: Input::default(),
            replaced,
            failure: None,
            pull: None,
            generation: 0,
            record: None,
            tap: None,
            scene,
            simulation,
        })
    }

    /// Replaces the scene; what records the run goes on only with the scene it began with.
    pub fn replace(&mut self, scene: Scene) -> Result<(), SimulationError> {
        let next = Self::new(scene)?;
        let generation = self.generation + 1;
        *self = Self { generation, ..next };
        Ok(())
    }

    /// Goes on with a changed model of the same bodies and joints.
    pub fn set_model(&mut self, model: Model) -> Result<(), SimulationError> {
        self.simulation.set_model(model)?;
        self.structure = self.simulation.structure();
        Ok(())
    }

    /// Takes one step. On an error the state is as it was and `failure` says why; true if it went well.
    pub fn step(&mut self) -> bool {
        if let Err(error) = self.simulation.timed_step(&self.input) {
            self.failure = Some(error.to_string());
            return false;
        }
        self.failure = None;
        let sample = self.simulation.sample();
        self.keep(sample);
        self.hand_over();
        self.read_pull();
        if let Some(record) = &mut self.record
            && let Err(error) = record.table.write(&mut self.simulation, &self.sample)
        {
            self.failure = Some(format!(
                "{}: {error}; nothing more is written",
                record.path.display()
            ));
            self.record = None;
            return false;
        }
        true
    }

    /// Goes on to a state that another session of the same scene had, as if a step had led to it.
    pub fn show(&mut self, knot: Knot) {
        // Another session has run it, so that this can only fail for another scene.
        let restored = self.simulation.restore(&knot.moment);
        self.failure = restored.err().map(|e| e.to_string());
        self.keep(knot.sample);
    }

    /// Keeps what is drawn and plotted of the state reached.
    fn keep(&mut self, sample: Sample) {
        self.previous_time = self.sample.time;
        self.sample = sample;
        self.history.push(sample);
        let state = self.simulation.state();
        if self.simulation.model().contact.is_some() {
            self.touches
                .push(state.time, state.bodies.len(), &state.contacts);
        }
        std::mem::swap(&mut self.previous, &mut self.current);
        self.current.clear();
        let pose = |b: &BodyState| Pose::from_parts(b.position.into(), b.orientation);
        self.current.extend(state.bodies.iter().map(pose));
    }

    /// The state reached, with all that is drawn and plotted of it.
    pub fn knot(&self) -> Knot {
        Knot {
            moment: self.simulation.snapshot(),
            sample: self.sample,
        }
    }

    /// Hands the state reached to whoever makes a film.
    fn hand_over(&mut self) {
        if self.tap.is_none() {
            return;
        }
        let knot = self.knot();
        // Whoever is not listening any more says elsewhere why.
        if !self.tap.as_mut().is_some_and(|tap| tap.hand_over(knot)) {
            self.tap = None;
        }
    }

    /// A session of the same scene with the same model, method and settings, at the scene's first state.
    pub fn twin(&self) -> Result<Self, SimulationError> {
        let mut scene = self.scene.clone();
        scene.model = self.simulation.model().clone();
        scene.integrator = self.simulation.integrator().name.into();
        scene.settings = *self.simulation.settings();
        Self::new(scene)
    }

    /// A session that shows what this one shows, for whoever goes on with [`Self::show`].
    pub fn mirror(&self) -> Result<Self, SimulationError> {
        let mirror = Self::at(self.scene.clone(), &self.simulation.snapshot())?;
        Ok(Self {
            sample: self.sample,
            history: self.history.clone(),
            touches: self.touches.clone(),
            ..mirror
        })
    }

    /// A session of a scene at a moment of one of its simulations.
    pub fn at(scene: Scene, moment: &Snapshot) -> Result<Self, SimulationError> {
        let mut session = Self::new(scene)?;
        session.simulation.restore(moment)?;
        session.sample = session.simulation.sample();
        session.history.restart(session.sample);
        session.current = poses(session.simulation.state());
        session.previous.clone_from(&session.current);
        session.previous_time = session.sample.time;
        Ok(session)
    }

    /// Back to the first state.
    pub fn reset(&mut self) {
        self.tap = None;
        self.simulation.reset();
        self.failure = None;
        self.pull = None;
        self.sample = self.simulation.sample();
        self.history.restart(self.sample);
        self.touches.restart();
        self.current = poses(self.simulation.state());
        self.previous_time = self.sample.time;
        self.previous.clone_from(&self.current);
    }

    /// Poses at a fraction of the last step; 1 is the state reached.
    pub fn poses_at(&self, fraction: f64) -> impl Iterator<Item = Pose> {
        let pairs = self.previous.iter().zip(&self.current);
        pairs.map(move |(from, to)| convert::between(from, to, fraction))
    }

    /// Simulated time at a fraction of the last step [s].
    pub fn time_at(&self, fraction: f64) -> f64 {
        self.previous_time + fraction * (self.sample.time - self.previous_time)
    }

    /// Poses of the state reached.
    pub fn poses(&self) -> &[Pose] {
        &self.current
    }

    /// Writes every step from now on to a file, beginning with the state reached.
    pub fn record(&mut self, path: &Path) -> std::io::Result<()> {
        let file = BufWriter::new(File::create(path)?);
        let origin = Origin {
            scene: &self.scene.name,
            changes: &[],
            integrator: self.simulation.integrator().name,
            settings: self.simulation.settings(),
            model: self.simulation.model(),
        };
        let mut table = Table::new(file, &origin)?;
        table.write(&mut self.simulation, &self.sample)?;
        self.record = Some(Record {
            path: path.into(),
            table,
        });
        Ok(())
    }

    /// Ends the table that [`Self::record`] began, if there is one.
    pub fn finish_record(&mut self) -> std::io::Result<()> {
        self.record.take().map_or(Ok(()), |r| Ok(r.table.finish()?))
    }

    /// Saves what the plots show.
    pub fn export(&self, path: &Path) -> std::io::Result<()> {
        let model = self.simulation.model();
        // The plots keep the whole mechanism's figures, not the bodies' states.
        let figures = Model::new(crate::model::ModelParts {
            gravity: model.gravity,
            ..Default::default()
        })
        .expect("a model without bodies has nothing to be wrong");
        let origin = Origin {
            scene: &self.scene.name,
            changes: &[],
            integrator: self.simulation.integrator().name,
            settings: self.simulation.settings(),
            model: &figures,
        };
        let mut table = Table::new(BufWriter::new(File::create(path)?), &origin)?;
        for row in self.history.rows() {
            table.write_row(row, &[], &[])?;
        }
        Ok(table.finish()?)
    }

    /// Reads the mouse spring's force and adds the work of the last step.
    fn read_pull(&mut self) {
        let Some(drag) = self.input.drag else {
            self.pull = None;
            return;
        };
        let k = drag.body.0;
        let velocity = self.simulation.velocities()[k];
        let model = self.simulation.model();
        let state = &self.simulation.state().bodies[k];
        let law = drag_law(&model.bodies[k], &drag, state, &velocity);
        let force = match &law {
            DragLaw::Pull { force, .. } => force.norm(),
            DragLaw::Turn { torque, .. } => torque.norm(),
        };
        let wrench = law.wrench();
        let wrench = [wrench.force, wrench.torque];
        let turns = matches!(drag.goal, DragGoal::Turn(_));
        let last = self
            .pull
            .filter(|p| p.body == drag.body && p.turns == turns);
        let work = last.map_or(0.0, |last| {
            last.work + work([&last.wrench, &wrench], &self.previous[k], &self.current[k])
        });
        self.pull = Some(PullReading {
            body: drag.body,
            turns,
            force,
            work,
            wrench,
        });
    }

    /// Where the mouse spring holds the body and where it pulls it, with the bodies at the given poses [m].
    pub fn pull_line(&self, poses: &[Pose]) -> Option<[Vec3; 2]> {
        let Drag { body, point, goal } = self.input.drag?;
        match goal {
            DragGoal::Pull(goal) => {
                Some([(poses[body.0] * nalgebra::Point3::from(point)).coords, goal])
            }
            DragGoal::Turn(_) => None,
        }
    }

    /// Velocities at the knot, one per body.
    pub fn velocity(&mut self, body: BodyId) -> Twist {
        self.simulation.velocities()[body.0]
    }
}

/// Puts the nearest method in the place of one that refuses the scene, and says so.
fn substitute(scene: &mut Scene) -> Option<String> {
    let asked = REGISTRY.iter().find(|i| i.name == scene.integrator)?;
    integrators::refusal(asked, &scene.model)?;
    let nearest = integrators::nearest(asked, &scene.model)?;
    scene.integrator = nearest.name.into();
    Some(replacement(asked, nearest))
}

/// What is said when another method than the one asked for runs a scene.
pub fn replacement(asked: &IntegratorInfo, nearest: &IntegratorInfo) -> String {
    format!(
        "{} cannot run this scene; {} does instead.",
        asked.name, nearest.name
    )
}

/// Work of a wrench over one step by the trapezoidal rule [J].
fn work(wrenches: [&[Vec3; 2]; 2], from: &Pose, to: &Pose) -> f64 {
    let shift = to.translation.vector - from.translation.vector;
    let swing = (to.rotation * from.rotation.inverse()).scaled_axis();
    let one = |w: &[Vec3; 2]| w[0].dot(&shift) + w[1].dot(&swing);
    0.5 * (one(wrenches[0]) + one(wrenches[1]))
}

fn poses(state: &State) -> Vec<Pose> {
    let pose = |b: &BodyState| Pose::from_parts(b.position.into(), b.orientation);
    state.bodies.iter().map(pose).collect()
}
