//! Whoever is handed every step of a session, as a film is.

use crate::session::Knot;

/// Takes steps.
pub trait StepSink: Send + Sync {
    /// Takes a step; false if nobody wants any more.
    fn take(&mut self, knot: Knot) -> bool;

    /// Whether time in the window has to wait until steps that were taken are done with.
    fn is_full(&self) -> bool;
}

/// The end in the session.
pub struct Tap {
    sink: Box<dyn StepSink>,
    /// Whether lanes beside the session go there as well.
    pub with_lanes: bool,
}

impl Tap {
    /// Hands every step to a sink.
    pub fn new(sink: impl StepSink + 'static) -> Self {
        Self {
            sink: Box::new(sink),
            with_lanes: false,
        }
    }

    /// Hands a step over; false if nobody wants any more.
    pub fn hand_over(&mut self, knot: Knot) -> bool {
        self.sink.take(knot)
    }

    /// Whether time has to wait.
    pub fn is_full(&self) -> bool {
        self.sink.is_full()
    }
}
