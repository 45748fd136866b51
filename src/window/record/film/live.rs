//! A film of the simulation in the window: each of its steps is handed over, and drawn when there is time.
//!
//! The window never waits for the drawing. What is not drawn yet is kept in memory up to a budget; beyond that,
//! simulated time in the window waits ([`Tap::is_full`]), so that nothing is left out.

use crate::camera::orbit::Orbit;
use crate::record::film::source::{Ending, Source};
use crate::session::observer::{Observer, Tap};
use crate::session::{Knot, Session};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Most memory for steps that are not drawn yet (bytes).
const BUDGET: usize = 256 << 20;
/// Longest wait for a step without looking whether the film is still wanted.
const PAUSE: Duration = Duration::from_millis(20);

/// A step and where it was seen from.
struct Seen {
    knot: Knot,
    orbit: Orbit,
}

/// Where the window looks from now, as its films know it.
pub type SeenFrom = Arc<Mutex<Orbit>>;

/// The end in the window.
struct Steps {
    steps: Sender<Seen>,
    waiting: Arc<AtomicUsize>,
    seen_from: SeenFrom,
}

/// The end at the film.
pub struct Live {
    steps: Receiver<Seen>,
    waiting: Arc<AtomicUsize>,
    orbit: Orbit,
}

/// Both ends.
pub fn tap(seen_from: &SeenFrom) -> (Tap, Live) {
    let (sender, receiver) = channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    let tap = Tap::new(Steps {
        steps: sender,
        waiting: waiting.clone(),
        seen_from: seen_from.clone(),
    });
    let live = Live {
        steps: receiver,
        waiting,
        orbit: orbit_of(seen_from),
    };
    (tap, live)
}

fn orbit_of(seen_from: &SeenFrom) -> Orbit {
    *seen_from.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Observer for Steps {
    fn step(&mut self, session: &Session) -> bool {
        let knot = session.knot();
        self.waiting.fetch_add(weight(&knot), Ordering::Relaxed);
        let orbit = orbit_of(&self.seen_from);
        self.steps.send(Seen { knot, orbit }).is_ok()
    }

    fn is_full(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > BUDGET
    }
}

impl Source for Live {
    fn advance(&mut self, session: &mut Session) -> Result<(), Ending> {
        let Seen { knot, orbit } = match self.steps.recv_timeout(PAUSE) {
            Ok(seen) => seen,
            // Time stands still in the window; whoever asks can look whether to go on.
            Err(RecvTimeoutError::Timeout) => return Ok(()),
            Err(RecvTimeoutError::Disconnected) => return Err(Ending::Over),
        };
        self.waiting.fetch_sub(weight(&knot), Ordering::Relaxed);
        self.orbit = orbit;
        session.show(knot);
        Ok(())
    }

    fn orbit(&self) -> Option<Orbit> {
        Some(self.orbit)
    }
}

/// Memory that a step takes (bytes).
fn weight(knot: &Knot) -> usize {
    size_of::<Seen>() + knot.moment.bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::view::View;

    fn session(spec: &str) -> Session {
        Session::new(physics::scene::open(spec, &[]).unwrap()).unwrap()
    }

    fn seen_from(window: &Session) -> SeenFrom {
        Arc::new(Mutex::new(View::of(window).orbit))
    }

    #[test]
    fn the_film_sees_every_step_of_the_window_as_it_was() {
        let mut window = session("double_pendulum");
        let mut film = window.fork().unwrap();
        let (tap, mut live) = tap(&seen_from(&window));
        window.tap = Some(tap);
        let mut wanted = Vec::new();
        for k in 0..40 {
            if k == 20 {
                let mut model = window.model().clone();
                model.gravity *= 0.5;
                window.set_model(model).unwrap();
            }
            assert!(window.step());
            wanted.push((
                window.sample,
                window.poses().to_vec(),
                window.model().gravity,
            ));
        }
        assert_ne!(live.waiting.load(Ordering::Relaxed), 0);
        for (sample, poses, gravity) in &wanted {
            assert_eq!(live.advance(&mut film), Ok(()));
            assert_eq!(film.sample, *sample);
            assert_eq!(film.poses(), poses);
            assert_eq!(film.model().gravity, *gravity);
        }
        assert_eq!(live.waiting.load(Ordering::Relaxed), 0, "nothing is kept");
        window.reset();
        assert!(window.tap.is_none(), "a reset ends the film");
        assert_eq!(live.advance(&mut film), Err(Ending::Over));
    }

    #[test]
    fn time_waits_before_memory_runs_out() {
        let mut window = session("ball_pit");
        let (mut tap, live) = tap(&seen_from(&window));
        let each = weight(&window.knot());
        let mut count = 0;
        while !tap.is_full() {
            assert!(tap.step(&window));
            count += 1;
        }
        assert!(count * each > BUDGET && count * each <= BUDGET + each);
        drop(live);
        assert!(!tap.step(&window), "nobody draws any more");
        window.tap = Some(tap);
        assert!(window.step());
        assert!(window.tap.is_none());
    }
}
