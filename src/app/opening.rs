//! Opens scenes beside the window: the one that runs goes on until the next is ready.

use super::session::Session;
use crate::scene;
use bevy::prelude::Resource;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long a frame may wait for a scene, so that small ones are there at once [s].
const AT_ONCE: Duration = Duration::from_millis(30);

/// A scene that is ready to take the place of another, or why there is none.
pub type Opened = Result<Box<Session>, String>;

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
    /// How long it has taken [s].
    pub seconds: f64,
}

/// Values of the mark that a thread and the window share.
const READING: u8 = 0;
const PREPARING: u8 = 1;
const UNWANTED: u8 = 2;

/// A scene that is being opened.
struct Opening {
    spec: String,
    begun: Instant,
    mark: Arc<AtomicU8>,
    answer: Mutex<Receiver<Opened>>,
}

/// Opens scenes, one at a time: the last that was asked for.
#[derive(Resource, Default)]
pub struct Opener(Option<Opening>);

impl Opener {
    /// Begins to open a scene; one that is being opened is given up.
    pub fn begin(&mut self, spec: &str) {
        self.cancel();
        let mark = Arc::new(AtomicU8::new(READING));
        let (tell, hear) = channel();
        let (asked, told) = (spec.to_owned(), mark.clone());
        thread::spawn(move || {
            if let Some(opened) = open(&asked, &told) {
                // Whoever does not listen any more has asked for another scene.
                let _ = tell.send(opened);
            }
        });
        self.0 = Some(Opening {
            spec: spec.into(),
            begun: Instant::now(),
            mark,
            answer: Mutex::new(hear),
        });
    }

    /// Gives up the scene that is being opened. What its thread is doing right now it does to its end, for nobody.
    pub fn cancel(&mut self) {
        if let Some(opening) = self.0.take() {
            opening.mark.store(UNWANTED, Ordering::Relaxed);
        }
    }

    /// The scene, once it is ready, and what it was asked for by. Waits no longer than a frame can spare, and only in the
    /// frame in which it was asked for.
    pub fn take(&mut self) -> Option<(String, Opened)> {
        let opening = self.0.as_ref()?;
        let patience = AT_ONCE.saturating_sub(opening.begun.elapsed());
        let answer = {
            let hear = opening.answer.lock();
            let hear = hear.unwrap_or_else(std::sync::PoisonError::into_inner);
            hear.recv_timeout(patience)
        };
        let opened = match answer {
            Ok(opened) => opened,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => Err(format!(
                "{}: opening it failed in a way that is not foreseen; the log says where",
                opening.spec
            )),
        };
        self.0.take().map(|opening| (opening.spec, opened))
    }

    /// What is shown of it.
    pub fn status(&self) -> Option<OpeningStatus> {
        self.0.as_ref().map(|opening| OpeningStatus {
            spec: opening.spec.clone(),
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
    fn wait(opener: &mut Opener) -> (String, Opened) {
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
        opener.begin("four_bar");
        assert_eq!(opener.status().unwrap().spec, "four_bar");
        let (spec, opened) = wait(&mut opener);
        assert_eq!(spec, "four_bar");
        assert_eq!(opened.unwrap().scene.name, "four_bar");
        assert!(opener.status().is_none());
        opener.begin("four_baz");
        let (_, opened) = wait(&mut opener);
        assert!(opened.is_err_and(|e| e.contains("four_bar")));
    }

    #[test]
    fn only_the_last_that_was_asked_for_arrives_and_a_cancelled_one_never() {
        let mut opener = Opener::default();
        opener.begin("net:rows=12,columns=12");
        opener.begin("pendulum");
        assert_eq!(wait(&mut opener).0, "pendulum");
        opener.begin("net:rows=12,columns=12");
        opener.cancel();
        assert!(opener.take().is_none() && opener.status().is_none());
    }
}
