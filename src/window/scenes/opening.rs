//! Opens scenes in the background: the one that runs goes on until the next is ready.

use crate::session::Session;
use crate::state::draft::Draft;
use bevy::prelude::Resource;
use physics::scene;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long a frame may wait for a scene, so that small ones are there at once (s).
const AT_ONCE: Duration = Duration::from_millis(30);

/// A scene that is ready to take the place of another, or why there is none.
pub type Opened = Result<Box<Session>, String>;

/// Why a scene is opened, which decides what is kept of the one that it takes the place of.
#[derive(Debug, Clone, PartialEq)]
pub enum Intent {
    /// Somebody chose it: it is played as it asks to be.
    Show,
    /// Its files have changed: camera, selection and whether time goes on stay as they are.
    Again {
        /// The scene that is open, by its generation, and its edits, by their revision, when it was asked for.
        of: (u64, u64),
    },
    /// The same generator with other parameters: the direction of view and whether time goes on stay as they are.
    Rebuild,
    /// The parameters before, by undo, with the edits that were made under them.
    Back,
    /// The parameters that undo has left, with the edits that were made under them.
    Forth,
    /// Edits that an earlier session left are put back.
    Restore(Draft),
}

/// A scene that has arrived, or why there is none.
pub struct Arrival {
    /// What was asked for.
    pub spec: String,
    /// Why.
    pub intent: Intent,
    /// The scene.
    pub opened: Opened,
}

/// How far a scene has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Its text becomes bodies and joints, which are put in their places.
    Reading,
    /// Its simulation is prepared.
    Preparing,
}

impl Stage {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Reading => "reading and assembling",
            Self::Preparing => "preparing the simulation",
        }
    }
}

/// What the window shows of a scene that is being opened.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningStatus {
    /// What was asked for.
    pub spec: String,
    /// How far it has got.
    pub stage: Stage,
    /// How long it has taken (s).
    pub seconds: f64,
}

/// Values of the mark that a thread and the window share.
const READING: u8 = 0;
const PREPARING: u8 = 1;
const UNWANTED: u8 = 2;

/// A scene that is being opened.
struct Opening {
    spec: String,
    intent: Intent,
    begun: Instant,
    mark: Arc<AtomicU8>,
    answer: Mutex<Receiver<Opened>>,
}

impl Opening {
    fn begin(spec: String, intent: Intent) -> Self {
        let mark = Arc::new(AtomicU8::new(READING));
        let (tell, hear) = channel();
        let (asked, told) = (spec.clone(), mark.clone());
        thread::spawn(move || {
            if let Some(opened) = open(&asked, &told) {
                // Whoever does not listen any more has asked for another scene.
                let _ = tell.send(opened);
            }
        });
        Self {
            spec,
            intent,
            begun: Instant::now(),
            mark,
            answer: Mutex::new(hear),
        }
    }

    /// The scene, once it is ready.
    fn answer(&self) -> Option<Opened> {
        let patience = AT_ONCE.saturating_sub(self.begun.elapsed());
        let hear = self.answer.lock();
        let hear = hear.unwrap_or_else(std::sync::PoisonError::into_inner);
        match hear.recv_timeout(patience) {
            Ok(opened) => Some(opened),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Err(format!(
                "{}: opening it failed in a way that is not foreseen; the log says where",
                self.spec
            ))),
        }
    }
}

/// Opens scenes, one at a time: the last that was asked for.
#[derive(Resource, Default)]
pub struct Opener {
    now: Option<Opening>,
    /// The parameters to which a slider has moved on while a scene is built with others.
    next: Option<String>,
}

impl Opener {
    /// Begins to open a scene; one that is being opened is given up.
    ///
    /// Only a scene that is built anew while its parameters move on is awaited, so that a slider neither starves it nor
    /// begins a scene for every point that it passes.
    pub fn begin(&mut self, spec: &str, intent: Intent) {
        let rebuilds = self.is_opening(|i| *i == Intent::Rebuild);
        if rebuilds && intent == Intent::Rebuild {
            let same = self.now.as_ref().is_some_and(|now| now.spec == spec);
            self.next = (!same).then(|| spec.to_owned());
            return;
        }
        self.cancel();
        self.now = Some(Opening::begin(spec.to_owned(), intent));
    }

    /// Gives up the scene that is being opened. What its thread is doing right now it does to its end, for nobody.
    pub fn cancel(&mut self) {
        self.next = None;
        if let Some(opening) = self.now.take() {
            opening.mark.store(UNWANTED, Ordering::Relaxed);
        }
    }

    /// Whether a scene is being opened for a reason such as this.
    pub fn is_opening(&self, reason: impl Fn(&Intent) -> bool) -> bool {
        self.now.as_ref().is_some_and(|now| reason(&now.intent))
    }

    /// The scene, once it is ready, and what it was asked for by. Waits no longer than a frame can spare, and only in
    /// the frame in which it was asked for.
    pub fn take(&mut self) -> Option<Arrival> {
        let opened = self.now.as_ref()?.answer()?;
        let Opening { spec, intent, .. } = self.now.take()?;
        if let Some(next) = self.next.take() {
            self.now = Some(Opening::begin(next, Intent::Rebuild));
        }
        Some(Arrival {
            spec,
            intent,
            opened,
        })
    }

    /// What is shown of it.
    pub fn status(&self) -> Option<OpeningStatus> {
        self.now.as_ref().map(|opening| OpeningStatus {
            spec: self.next.as_ref().unwrap_or(&opening.spec).clone(),
            stage: match opening.mark.load(Ordering::Relaxed) {
                READING => Stage::Reading,
                _ => Stage::Preparing,
            },
            seconds: opening.begun.elapsed().as_secs_f64(),
        })
    }
}

/// Opens a scene; nothing if nobody wants it any more.
fn open(spec: &str, mark: &AtomicU8) -> Option<Opened> {
    let scene = match scene::open(spec, &[]) {
        Ok(scene) => scene,
        Err(error) => return Some(Err(error.to_string())),
    };
    let next = mark.compare_exchange(READING, PREPARING, Ordering::Relaxed, Ordering::Relaxed);
    if next.is_err() {
        return None;
    }
    let session = Session::new(scene).map_err(|e| e.to_string());
    Some(session.map(Box::new))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits for the scene that is being opened.
    fn wait(opener: &mut Opener) -> Arrival {
        let start = Instant::now();
        loop {
            if let Some(ready) = opener.take() {
                return ready;
            }
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "it does not come"
            );
            thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn a_scene_arrives_or_says_why_not() {
        let mut opener = Opener::default();
        assert!(opener.take().is_none() && opener.status().is_none());
        let intent = Intent::Again { of: (3, 4) };
        opener.begin("four_bar", intent.clone());
        assert_eq!(opener.status().unwrap().spec, "four_bar");
        let arrival = wait(&mut opener);
        assert_eq!((&*arrival.spec, &arrival.intent), ("four_bar", &intent));
        assert_eq!(arrival.opened.unwrap().scene.name, "four_bar");
        assert!(opener.status().is_none());
        opener.begin("four_baz", Intent::Show);
        let opened = wait(&mut opener).opened;
        assert!(opened.is_err_and(|e| e.contains("four_bar")));
    }

    #[test]
    fn only_the_last_that_was_asked_for_arrives_and_a_cancelled_one_never() {
        let mut opener = Opener::default();
        opener.begin("net:rows=12,columns=12", Intent::Show);
        opener.begin("pendulum", Intent::Show);
        assert_eq!(wait(&mut opener).spec, "pendulum");
        opener.begin("net:rows=12,columns=12", Intent::Show);
        opener.cancel();
        assert!(opener.take().is_none() && opener.status().is_none());
    }

    #[test]
    fn a_slider_that_moves_on_awaits_what_is_built_and_then_gets_the_last_it_asked_for() {
        let chain = |links: u32| format!("chain:links={links}");
        let mut opener = Opener::default();
        for links in 3..9 {
            opener.begin(&chain(links), Intent::Rebuild);
        }
        assert_eq!(opener.status().unwrap().spec, chain(8));
        assert_eq!(wait(&mut opener).spec, chain(3));
        assert_eq!(wait(&mut opener).spec, chain(8));
        assert!(opener.status().is_none());
        // Back where it began there is nothing to come after it, and another scene gives both up.
        for links in [3, 4, 3] {
            opener.begin(&chain(links), Intent::Rebuild);
        }
        assert_eq!(wait(&mut opener).spec, chain(3));
        assert!(opener.status().is_none());
        opener.begin(&chain(3), Intent::Rebuild);
        opener.begin(&chain(4), Intent::Rebuild);
        opener.begin("pendulum", Intent::Show);
        assert_eq!(wait(&mut opener).spec, "pendulum");
        assert!(opener.status().is_none());
    }
}
