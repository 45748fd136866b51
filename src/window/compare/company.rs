//! The lanes of a film: run beside the film's own session, or standing still in a picture.

use crate::commands::compare::LaneArrangement;
use crate::compare::worker::Order;
use crate::compare::{Comparing, PATIENCE, SessionMoment};
use crate::session::Session;
use crate::state::look::Look;
use physics::math::Pose;
use physics::sim::comparison::{ComparisonError, LaneSpec};
use std::sync::mpsc::channel;

impl Comparing {
    /// A session's method with other lanes beside it.
    ///
    /// # Errors
    /// If their steps do not meet.
    pub fn beside_session(
        session: &Session,
        lanes: Vec<LaneSpec>,
        arrangement: LaneArrangement,
    ) -> Result<Self, ComparisonError> {
        let mut comparing = Self {
            arrangement,
            ..Self::default()
        };
        for lane in lanes {
            comparing.add(lane, session)?;
        }
        Ok(comparing)
    }

    /// The same choice of lanes, none of which runs yet: for a film that begins elsewhere.
    pub fn chosen(&self) -> Self {
        Self {
            lanes: self.lanes.clone(),
            leader: self.leader,
            next_id: self.next_id,
            arrangement: self.arrangement,
            spacing: self.spacing,
            stale: self.is_on(),
            ..Self::default()
        }
    }

    /// The lanes as they are, once more: for a film that goes on from here.
    pub fn forked(&mut self) -> Self {
        let mut fork = self.chosen();
        if self.is_on() && !self.stale {
            let (whom, lanes) = channel();
            self.send(Order::Fork(whom));
            let ids = fork.lanes.iter().map(|l| l.id).collect();
            fork.send(Order::Adopt(lanes, ids));
            fork.stale = false;
        }
        fork
    }

    /// The lanes as they are drawn, for a picture.
    pub fn still(&self) -> Self {
        Self {
            stands: self.stands.clone(),
            stale: false,
            ..self.chosen()
        }
    }

    /// Brings the lanes together with the session of a film, before its first step.
    pub fn join(&mut self, session: &mut Session) -> Result<(), ComparisonError> {
        if self.stale {
            return self.begin(session);
        }
        if self.link.is_some() {
            session.followed = Some(Vec::new());
            self.mark = Some(SessionMoment::of(session));
        }
        Ok(())
    }

    /// How far the session of a film must be ahead of what is shown, so that every lane has got there (s).
    pub fn ahead(&self) -> f64 {
        match self.link {
            Some(_) => self.lag(),
            None => 0.0,
        }
    }

    /// Takes the lanes to where the session of a film is, and sets them out as they are at a time. Where the session
    /// was changed otherwise than by steps, they begin anew. `stops` ends the wait for them.
    pub fn accompany(
        &mut self,
        session: &mut Session,
        look: &Look,
        at: f64,
        stops: impl Fn() -> bool,
    ) {
        if self.link.is_none() {
            return;
        }
        self.read_velocities(look.layers.any_velocity());
        self.feed(session);
        if (self.stale || !self.agrees(session)) && self.begin(session).is_err() {
            // Other settings, with which steps do not meet any more.
            session.followed = None;
            return self.end();
        }
        while !self.wait(PATIENCE) && !stops() {}
        self.stand_at(at, session, &look.layers);
    }

    /// The leader's poses, if lanes are set out for the bodies of the session.
    pub fn leading(&self, bodies: usize) -> Option<&[Pose]> {
        let leader = self.lanes.get(self.leader)?.id;
        self.poses(leader).filter(|poses| poses.len() == bodies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::layers::Layer;
    use physics::integrators::Settings;
    use physics::model::{BodyId, Drag, DragGoal};
    use std::time::Duration;

    fn session() -> Session {
        Session::new(physics::scene::open("double_pendulum", &[]).unwrap()).unwrap()
    }

    fn lanes(session: &Session) -> Vec<LaneSpec> {
        let settings = *session.settings();
        let dt = 2.0 * settings.dt;
        let lane = |name: &str, settings| LaneSpec {
            integrator: name.into(),
            settings,
            perturbation: 0.0,
        };
        vec![
            lane("heun", settings),
            lane("rk4", Settings { dt, ..settings }),
        ]
    }

    /// Takes steps under a hand and gives them to the lanes, and to a film if there is one.
    fn pull(session: &mut Session, comparing: &mut Comparing, film: Option<&mut Session>) {
        let mut knots = Vec::new();
        for k in 0..25 {
            session.input.drag = Some(Drag {
                body: BodyId(1),
                point: Default::default(),
                goal: DragGoal::Pull([0.02 * f64::from(k), 0.5, 1.0].into()),
            });
            assert!(session.step());
            knots.push(session.knot());
        }
        comparing.feed(session);
        if let Some(film) = film {
            knots.into_iter().for_each(|knot| film.show(knot));
        }
    }

    #[test]
    fn lanes_of_a_film_are_those_of_the_window_to_the_last_bit() {
        let mut window = session();
        let specs = lanes(&window);
        let mut comparing =
            Comparing::beside_session(&window, specs, LaneArrangement::Ghosts).unwrap();
        comparing.begin(&mut window).unwrap();
        pull(&mut window, &mut comparing, None);
        let mut film = window.session_snapshot().session().unwrap();
        let mut fork = comparing.forked();
        fork.join(&mut film).unwrap();
        pull(&mut window, &mut comparing, Some(&mut film));
        let mut look = Look::default();
        look.toggle(Layer::Velocities);
        // Between two knots, and two steps back where the longer steps have got to.
        let at = window.sample().time - 1.3 * window.settings().dt;
        assert!((fork.ahead() - window.settings().dt).abs() < 1e-15);
        fork.accompany(&mut film, &look, at, || false);
        while !comparing.wait(Duration::from_secs(1)) {}
        comparing.stand_at(at, &window, &look.layers);
        assert_eq!(fork.stands.len(), 3);
        for (mine, theirs) in fork.stands.iter().zip(&comparing.stands) {
            assert_eq!((mine.lane, &mine.poses), (theirs.lane, &theirs.poses));
            let knot = mine.knot.as_ref().expect("a layer is on");
            assert_eq!(knot.velocities.len(), 2, "which is of velocities");
        }
        let apart = |k: usize| {
            let poses = [0, k].map(|k| fork.stands[k].poses[1].translation.vector);
            (poses[0] - poses[1]).norm()
        };
        assert!(apart(1) > 1e-9 && apart(2) > 1e-9);

        // A picture keeps them where they are.
        let mut still = comparing.still();
        still.join(&mut film).unwrap();
        still.accompany(&mut film, &look, 0.0, || false);
        assert_eq!(still.leading(2), Some(comparing.stands[0].poses.as_slice()));
        // A film from the start has them begin there.
        let mut first = session();
        let mut chosen = comparing.chosen();
        chosen.join(&mut first).unwrap();
        chosen.accompany(&mut first, &look, 0.0, || false);
        let start = first.poses();
        assert!(chosen.stands.iter().all(|s| s.poses == start));
    }
}
