//! Editing the running scene: what is asked for is checked as scene files are, and the motion goes on.

use crate::session::{Session, generations, poses};
use physics::model::Model;
use physics::scene::{Edit, Proposal, SceneError, SceneErrors};
use physics::sim::{Change, SimulationError};

/// Why a change that was prepared cannot be made, as an error of the scene.
pub(super) fn refused(scene: &str, error: &SimulationError) -> SceneErrors {
    SceneErrors(vec![SceneError {
        file: scene.into(),
        found: error.to_string(),
        expected: "an edit that the method can run".into(),
        ..SceneError::default()
    }])
}

impl Session {
    /// Carries an edit out. On an error nothing is changed.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), SceneErrors> {
        let proposal = self
            .document
            .propose(&self.scene, &mut self.simulation, edit)?;
        self.take_in(proposal)
    }

    /// Takes the last edit back; false if there is none.
    pub fn undo(&mut self) -> Result<bool, SceneErrors> {
        let proposal = self
            .document
            .propose_undo(&self.scene, &mut self.simulation);
        proposal.map_or(Ok(false), |p| self.take_in(p?).map(|()| true))
    }

    /// Makes the edit again that was taken back last; false if there is none.
    pub fn redo(&mut self) -> Result<bool, SceneErrors> {
        let proposal = self
            .document
            .propose_redo(&self.scene, &mut self.simulation);
        proposal.map_or(Ok(false), |p| self.take_in(p?).map(|()| true))
    }

    /// Name of what undo takes back.
    pub fn undo_name(&self) -> Option<&str> {
        let parameters = self.undo_spec().map(|_| generations::NAME);
        parameters.or(self.document.undo_name())
    }

    /// Name of what redo makes again.
    pub fn redo_name(&self) -> Option<&str> {
        let parameters = self.redo_spec().map(|_| generations::NAME);
        parameters.or(self.document.redo_name())
    }

    /// What opens the scene to which undo goes, where it takes back another choice of parameters.
    pub fn undo_spec(&self) -> Option<&str> {
        let edited = self.document.undo_name().is_some();
        self.generations.undo_spec().filter(|_| !edited)
    }

    /// What opens the scene to which redo goes, where it makes another choice of parameters again.
    pub fn redo_spec(&self) -> Option<&str> {
        self.generations.redo_spec(self.document.version())
    }

    fn take_in(&mut self, proposal: Proposal) -> Result<(), SceneErrors> {
        let replaces = |c: &Change| matches!(c, Change::Mechanism(_));
        let moves = proposal.changes.iter().any(replaces);
        for change in &proposal.changes {
            // Method, settings and model were checked before.
            self.change(change.clone())
                .map_err(|error| refused(&self.scene.name, &error))?;
        }
        self.adopt(proposal, moves);
        Ok(())
    }

    /// Goes on with the scene of an edit whose changes are made; `moves` if they put other bodies in the place of these.
    pub(super) fn adopt(&mut self, proposal: Proposal, moves: bool) {
        self.document
            .commit(proposal, &mut self.scene, &self.simulation);
        self.simulation.set_first(self.scene.state.clone());
        if moves {
            self.stand_still();
            let bodies = self.simulation.model().bodies.len();
            if self.input.drag.is_some_and(|d| d.body.0 >= bodies) {
                self.input.drag = None;
            }
        }
    }

    /// Lets the document be that of the moment shown, where time has gone back beyond an edit or on again.
    ///
    /// True if it did.
    pub fn follow_document(&mut self) -> Result<bool, SceneErrors> {
        let followed = self.document.follow(&mut self.scene, &self.simulation)?;
        if followed {
            self.simulation.set_first(self.scene.state.clone());
        }
        Ok(followed)
    }

    /// Draws the state as it is, without what lies between it and the one before.
    fn stand_still(&mut self) {
        self.current = poses(self.simulation.state());
        self.previous.clone_from(&self.current);
        self.previous_time = self.sample.time;
    }

    /// Changes whenever bodies, joints, springs or cables look different, so that they are drawn anew.
    pub fn appearance(&self) -> u64 {
        self.generation + self.edition
    }

    /// Whether bodies, joints, limits and cables have the same places in two models.
    pub(crate) fn has_the_same_items(a: &Model, b: &Model) -> bool {
        fn names(model: &Model) -> impl Iterator<Item = (&str, usize)> {
            let bodies = model.bodies.iter().map(|b| (b.name.as_str(), 0));
            let joints = model.joints.iter();
            let joints = joints.map(|j| (j.name.as_str(), 1 + j.limits.len()));
            let cables = model.cables.iter().map(|c| (c.name.as_str(), 0));
            bodies.chain(joints).chain(cables)
        }
        a.bodies.len() == b.bodies.len() && names(a).eq(names(b))
    }

    /// Whether two models are drawn alike.
    pub(crate) fn looks_alike(a: &Model, b: &Model) -> bool {
        let bodies = |m: &Model| m.bodies.len();
        let ends = |m: &Model| -> Vec<_> {
            // Another law is drawn alike wherever it acts.
            let spring = |f: &physics::model::Force| match f {
                physics::model::Force::Spring { ends, .. } => Some(*ends),
                _ => None,
            };
            let springs = m.forces.iter().filter_map(spring);
            springs.chain(m.cables.iter().map(|c| c.ends)).collect()
        };
        let joints = |m: &Model| -> Vec<_> {
            let seen = |j: &physics::model::Joint| {
                (j.kind, j.parent, j.child, j.parent_frame, j.child_frame)
            };
            m.joints.iter().map(seen).collect()
        };
        bodies(a) == bodies(b)
            && a.bodies
                .iter()
                .zip(&b.bodies)
                .all(|(a, b)| a.shapes == b.shapes)
            && a.world_shapes == b.world_shapes
            && joints(a) == joints(b)
            && ends(a) == ends(b)
    }
}
