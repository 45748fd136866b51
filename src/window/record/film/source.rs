//! Where the states of a film come from.

use crate::camera::orbit::Orbit;
use crate::session::{Knot, Session};
use physics::sim::Replay;

/// Why there is no further state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// All has been shown.
    Over,
    /// Something went wrong, or somebody stopped it.
    Cut(String),
}

/// A simulation being watched: one that runs, one that is replayed, one in the window.
pub trait Source {
    /// Takes a session one step further, or leaves it where it is if there is nothing to show yet.
    fn advance(&mut self, session: &mut Session) -> Result<(), Ending>;

    /// Time of the last state [s], once it is known that no other comes after it.
    fn end(&self) -> Option<f64> {
        None
    }

    /// Where the state that was just given was seen from, if somebody looked at it.
    fn orbit(&self) -> Option<Orbit> {
        None
    }
}

/// A simulation that runs by itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct RunSource;

impl Source for RunSource {
    fn advance(&mut self, session: &mut Session) -> Result<(), Ending> {
        if session.step() {
            Ok(())
        } else {
            Err(Ending::Cut(session.failure.clone().unwrap_or_default()))
        }
    }
}

impl Source for Replay {
    fn advance(&mut self, session: &mut Session) -> Result<(), Ending> {
        match Replay::advance(self) {
            Ok(true) => {
                let input = self.log().input(self.step()).clone();
                let simulation = self.simulation();
                let sample = simulation.sample();
                let moment = simulation.snapshot();
                session.show(Knot {
                    moment,
                    sample,
                    input,
                });
                Ok(())
            }
            Ok(false) => Err(Ending::Over),
            Err(error) => Err(Ending::Cut(error.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::model::{BodyId, Drag, DragGoal};
    use physics::scene::Take;

    #[test]
    fn a_take_shows_the_run_that_it_was_recorded_from() {
        let scene = physics::scene::open("double_pendulum", &[]).unwrap();
        let mut run = Session::new(scene.clone()).unwrap();
        (0..10).for_each(|_| assert!(run.step()));
        let mut take = Take::new(&scene, run.snapshot());
        let mut shown = Session::at(scene, &run.snapshot()).unwrap();
        assert_eq!((shown.sample(), shown.poses()), (run.sample(), run.poses()));
        let mut wanted = Vec::new();
        for k in 0..30 {
            run.input.drag = (k > 8).then_some(Drag {
                body: BodyId(1),
                point: Default::default(),
                goal: DragGoal::Pull([0.5, 0.5, 1.0].into()),
            });
            assert!(run.step());
            take.log.push(&run.input, run.state().digest());
            wanted.push((run.sample().time, run.poses().to_vec()));
        }
        let mut replay = take.replay().unwrap();
        for (time, poses) in &wanted {
            assert_eq!(Source::advance(&mut replay, &mut shown), Ok(()));
            assert_eq!(
                (shown.sample().time, shown.poses()),
                (*time, poses.as_slice())
            );
        }
        assert_eq!(Source::advance(&mut replay, &mut shown), Err(Ending::Over));
    }
}
