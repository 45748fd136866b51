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
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
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

/// What both ends know of the steps between them.
#[derive(Default)]
struct Passage {
    /// Memory that those not drawn yet take (bytes).
    waiting: AtomicUsize,
    /// Time of the last one (s); set when no other follows.
    end: OnceLock<f64>,
}

/// The end in the window.
struct Steps {
    steps: Sender<Seen>,
    passage: Arc<Passage>,
    seen_from: SeenFrom,
    /// Time of the last step (s); none was taken yet if absent.
    latest: Option<f64>,
}

/// The end at the film.
pub struct Live {
    steps: Receiver<Seen>,
    passage: Arc<Passage>,
    orbit: Orbit,
}

/// Both ends.
pub fn tap(seen_from: &SeenFrom) -> (Tap, Live) {
    let (sender, receiver) = channel();
    let passage = Arc::new(Passage::default());
    let tap = Tap::new(Steps {
        steps: sender,
        passage: passage.clone(),
        seen_from: seen_from.clone(),
        latest: None,
    });
    let live = Live {
        steps: receiver,
        passage,
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
        let weight = weight(&knot);
        self.passage.waiting.fetch_add(weight, Ordering::Relaxed);
        self.latest = Some(knot.sample.time);
        let orbit = orbit_of(&self.seen_from);
        self.steps.send(Seen { knot, orbit }).is_ok()
    }

    fn is_full(&self) -> bool {
        self.passage.waiting.load(Ordering::Relaxed) > BUDGET
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        if let Some(latest) = self.latest {
            // It is dropped once.
            let _ = self.passage.end.set(latest);
        }
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
        let weight = weight(&knot);
        self.passage.waiting.fetch_sub(weight, Ordering::Relaxed);
        self.orbit = orbit;
        session.show(knot);
        Ok(())
    }

    fn end(&self) -> Option<f64> {
        self.passage.end.get().copied()
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
                *window.sample(),
                window.poses().to_vec(),
                window.model().gravity,
            ));
        }
        assert_ne!(live.passage.waiting.load(Ordering::Relaxed), 0);
        assert_eq!(live.end(), None, "the window goes on");
        for (sample, poses, gravity) in &wanted {
            assert_eq!(live.advance(&mut film), Ok(()));
            assert_eq!(film.sample(), sample);
            assert_eq!(film.poses(), poses);
            assert_eq!(film.model().gravity, *gravity);
        }
        let kept = live.passage.waiting.load(Ordering::Relaxed);
        assert_eq!(kept, 0, "nothing is kept");
        let end = window.sample().time;
        window.reset();
        assert!(window.tap.is_none(), "a reset ends the film");
        assert_eq!(live.end(), Some(end));
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
