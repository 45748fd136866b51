//! Whoever watches a session: trails, and films that are made of it.

use crate::session::Session;
use std::sync::{Arc, Mutex, PoisonError};

/// Watches a session.
pub trait Observer: Send + Sync {
    /// Sees the moment to which a step has led; false if it wants to see no more.
    fn step(&mut self, session: &Session) -> bool;

    /// Sees another moment, to which time was moved.
    fn jump(&mut self, _session: &Session) {}

    /// Hears that bodies and joints are other ones from now on.
    fn renew(&mut self) {}

    /// Whether time has to wait until steps that were seen are done with.
    fn is_full(&self) -> bool {
        false
    }
}

/// Those that watch as long as the window is there, whatever scene is open.
#[derive(Default)]
pub(super) struct Observers(Vec<Arc<Mutex<dyn Observer>>>);

impl Observers {
    pub fn add(&mut self, observer: Arc<Mutex<dyn Observer>>) {
        self.0.push(observer);
    }

    /// Tells each of them something.
    pub fn each(&self, mut tell: impl FnMut(&mut dyn Observer)) {
        for observer in &self.0 {
            tell(&mut *observer.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

/// A film that is made of a session, until time goes elsewhere than on.
pub struct Tap {
    film: Box<dyn Observer>,
    /// Whether lanes beside the session go there as well.
    pub with_lanes: bool,
}

impl Tap {
    /// Shows every step to a film.
    pub fn new(film: impl Observer + 'static) -> Self {
        Self {
            film: Box::new(film),
            with_lanes: false,
        }
    }

    /// Shows the step that the session has taken; false if nobody wants any more.
    pub fn step(&mut self, session: &Session) -> bool {
        self.film.step(session)
    }

    /// Whether time has to wait.
    pub fn is_full(&self) -> bool {
        self.film.is_full()
    }
}
