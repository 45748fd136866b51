//! A scene with all that a window holds of it, edited without a window.

use driftless::model::State;
use driftless::scene::{self, Amendment, Document, Edit, Number, Scene, SceneErrors};
use driftless::sim::timeline::BUDGET;
use driftless::sim::{Change, Input, Simulation, Timeline};

/// A scene on the bench, as a window holds it.
pub struct Fixture {
    pub scene: Scene,
    pub simulation: Simulation,
    pub timeline: Timeline,
    pub document: Document,
    /// What the simulation was asked to do, in order.
    pub done: Vec<Change>,
}

impl Fixture {
    pub fn of(scene: Scene) -> Self {
        let mut simulation = scene.simulation().expect("its method runs it");
        Self {
            timeline: Timeline::new(&mut simulation, BUDGET),
            document: Document::new(simulation.shared_model()),
            simulation,
            scene,
            done: Vec::new(),
        }
    }

    pub fn open(spec: &str) -> Self {
        Self::of(scene::open(spec, &[]).unwrap_or_else(|e| panic!("{e}")))
    }

    pub fn edit(&mut self, edit: &Edit) -> Result<(), SceneErrors> {
        let proposal = self
            .document
            .propose(&self.scene, &mut self.simulation, edit)?;
        self.take_in(proposal);
        Ok(())
    }

    pub fn take_in(&mut self, proposal: scene::Proposal) {
        for change in &proposal.changes {
            self.done.push(change.clone());
            self.timeline
                .change(&mut self.simulation, change.clone())
                .expect("what was proposed can be done");
        }
        self.document
            .commit(proposal, &mut self.scene, &self.simulation);
    }

    pub fn undo(&mut self) {
        let proposal = self
            .document
            .propose_undo(&self.scene, &mut self.simulation)
            .expect("there is something to undo")
            .expect("what was before is sound");
        self.take_in(proposal);
    }

    pub fn redo(&mut self) {
        let proposal = self
            .document
            .propose_redo(&self.scene, &mut self.simulation)
            .expect("there is something to redo")
            .expect("what was before is sound");
        self.take_in(proposal);
    }

    pub fn run(&mut self, steps: u64) {
        for _ in 0..steps {
            self.timeline
                .step(&mut self.simulation, &Input::default())
                .expect("it runs");
        }
    }

    pub fn state(&self) -> &State {
        self.simulation.state()
    }

    /// The text, opened as a file would be: the same model and the same first state.
    pub fn reopened(&self) -> Scene {
        let again = self.text_opened();
        assert_eq!(again.file, self.scene.file);
        assert_eq!(again.model, self.scene.model);
        assert_eq!(again.state, self.scene.state);
        assert_eq!(*self.simulation.model(), again.model, "what runs is saved");
        again
    }

    pub fn text_opened(&self) -> Scene {
        scene::from_text(&self.scene.name, &self.scene.text, &[])
            .unwrap_or_else(|e| panic!("{e}\n{}", self.scene.text))
    }
}

/// Another mass for a body.
pub fn mass(scene: &Scene, body: &str, mass: f64) -> Edit {
    let mut data = scene.file.bodies.get(body).cloned().expect("it is there");
    (data.mass, data.density) = (Some(Number(mass)), None);
    for shape in data.shape.iter_mut().chain(&mut data.shapes) {
        (shape.mass, shape.density) = (None, None);
    }
    Edit::merging(
        format!("mass of {body}"),
        vec![Amendment::Body(body.into(), Some(Box::new(data)))],
    )
}
