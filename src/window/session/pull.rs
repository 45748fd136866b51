//! The mouse spring: where it pulls, how hard, and the work that it does.

use crate::session::Session;
use physics::forces::{DragLaw, drag_law};
use physics::math::{Pose, Vec3};
use physics::model::BodyId;
use physics::sim::{Drag, DragGoal};

/// What the mouse spring does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PullReading {
    /// The body.
    pub body: BodyId,
    /// Whether it turns the body; otherwise it pulls a point.
    pub turns: bool,
    /// Force (N), or torque (N·m).
    pub force: f64,
    /// Work since the body was taken hold of (J).
    pub work: f64,
    /// Force and torque about the centre of mass at the last step.
    wrench: [Vec3; 2],
}

impl Session {
    /// Reads the mouse spring's force and adds the work of the last step.
    pub(super) fn read_pull(&mut self, drag: Option<Drag>) {
        let Some(drag) = drag else {
            self.pull = None;
            return;
        };
        let k = drag.body.0;
        let velocity = self.simulation.velocities()[k];
        let model = self.simulation.model();
        let state = &self.simulation.state().bodies[k];
        let law = drag_law(&model.bodies[k], &model.gravity, &drag, state, &velocity);
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

    /// Where the mouse spring holds the body and where it pulls it, with the bodies at the given poses (m). In the past
    /// that is the recorded one, while no hand is on the mouse.
    pub fn pull_line(&self, poses: &[Pose]) -> Option<[Vec3; 2]> {
        let recorded = || self.timeline().filter(|t| !t.at_end())?.input().drag;
        let Drag { body, point, goal } = self.input.drag.or_else(recorded)?;
        let pose = poses.get(body.0)?;
        match goal {
            DragGoal::Pull(goal) => Some([(pose * nalgebra::Point3::from(point)).coords, goal]),
            DragGoal::Turn(_) => None,
        }
    }
}

/// Work of a wrench over one step by the trapezoidal rule (J).
fn work(wrenches: [&[Vec3; 2]; 2], from: &Pose, to: &Pose) -> f64 {
    let shift = to.translation.vector - from.translation.vector;
    let swing = (to.rotation * from.rotation.inverse()).scaled_axis();
    let one = |w: &[Vec3; 2]| w[0].dot(&shift) + w[1].dot(&swing);
    0.5 * (one(wrenches[0]) + one(wrenches[1]))
}
