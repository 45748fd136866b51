//! From steps to frames: which two knots a frame lies between, and where.

use crate::jobs::Reporter;
use crate::record::film::source::{Ending, Source};
use crate::session::Session;
use video::FrameClock;

/// One frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Its number, from zero.
    pub number: u64,
    /// The simulated time that it shows (s).
    pub time: f64,
    /// Where that lies between the last two knots: 0 is the earlier, 1 the later.
    pub fraction: f64,
}

/// The frames of a film, one after the other.
#[derive(Debug)]
pub struct FrameSampler {
    clock: FrameClock,
    frames: Option<u64>,
    number: u64,
    /// Times of the last two knots (s); one and the same before the first step.
    knots: [f64; 2],
    /// How far the session must be ahead of a frame [s]: where others beside it with longer steps have to reach it.
    pub ahead: f64,
}

/// What is said of a film that was told to stop.
pub const STOPPED: &str = "it was stopped";

impl FrameSampler {
    /// Frames from the state of a session on; so many, or as many as there are states for.
    pub fn new(clock: FrameClock, frames: Option<u64>, session: &Session) -> Self {
        Self {
            clock,
            frames,
            number: 0,
            knots: [session.sample().time; 2],
            ahead: 0.0,
        }
    }

    /// Takes the session to the first knot that is not before the next frame. None after the last frame; an error
    /// where there are no further states, or the film was told to stop.
    pub fn next(
        &mut self,
        session: &mut Session,
        source: &mut dyn Source,
        reporter: &Reporter<f64>,
    ) -> Option<Result<Frame, Ending>> {
        while !self.is_over() {
            if reporter.is_cancelled() {
                return Some(Err(Ending::Cut(STOPPED.into())));
            }
            if let Some(frame) = self.frame() {
                return Some(Ok(frame));
            }
            let stepped = source.advance(session);
            if let Err(ending) = stepped.and_then(|()| self.reach(session.sample().time)) {
                return Some(Err(ending));
            }
        }
        None
    }

    /// How many frames there are if no state comes after a time (s).
    pub fn count_to(&self, end: f64) -> u64 {
        let end = end - self.ahead;
        let before = self.clock.frames(end - self.clock.start);
        // One that begins at the end itself shows the last state.
        before + u64::from(self.clock.time(before) <= end)
    }

    /// Whether the last frame has been given.
    pub fn is_over(&self) -> bool {
        self.frames.is_some_and(|all| self.number >= all)
    }

    /// The next frame, if the knots have reached it.
    pub fn frame(&mut self) -> Option<Frame> {
        let (number, [from, to]) = (self.number, self.knots);
        let time = self.clock.time(number);
        if to < time + self.ahead {
            return None;
        }
        self.number += 1;
        // A first frame before the first state shows that state.
        let fraction = if to > from {
            ((time - from) / (to - from)).clamp(0.0, 1.0)
        } else {
            1.0
        };
        Some(Frame {
            number,
            time,
            fraction,
        })
    }

    /// Goes on to the knot that a step has reached (s).
    pub fn reach(&mut self, time: f64) -> Result<(), Ending> {
        if time < self.knots[1] {
            return Err(Ending::Cut("time went back".into()));
        }
        // A source may have nothing new yet.
        if time > self.knots[1] {
            self.knots = [self.knots[1], time];
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::film::source::RunSource;

    fn session(spec: &str) -> Session {
        Session::new(physics::scene::open(spec, &[]).unwrap()).unwrap()
    }

    fn sampler(session: &Session, [start, speed, fps]: [f64; 3], frames: u64) -> FrameSampler {
        let clock = FrameClock {
            start,
            speed,
            changes: Vec::new(),
            fps,
        };
        FrameSampler::new(clock, Some(frames), session)
    }

    #[test]
    fn every_frame_lies_between_the_knots_around_its_time() {
        for (fps, speed) in [(30.0, 1.0), (24.0, 0.1), (60.0, 8.0), (100.0, 1.0)] {
            let mut session = session("double_pendulum");
            let dt = session.settings().dt;
            let mut sampler = sampler(&session, [0.0, speed, fps], 50);
            for k in 0..50 {
                let frame = sampler
                    .next(&mut session, &mut RunSource, &Reporter::default())
                    .unwrap()
                    .unwrap();
                assert_eq!((frame.number, frame.time), (k, k as f64 * speed / fps));
                let knot = session.sample().time;
                // The drawn time is that of the frame, up to the rounding of a time of a few seconds.
                let shown = if k == 0 {
                    knot
                } else {
                    knot - (1.0 - frame.fraction) * dt
                };
                assert!(
                    (shown - frame.time).abs() < 1e-13,
                    "{fps} {speed} {k}: {shown}"
                );
                assert!(knot >= frame.time && knot - frame.time < dt * (1.0 + 1e-9));
            }
            assert!(
                sampler
                    .next(&mut session, &mut RunSource, &Reporter::default())
                    .is_none()
            );
        }
    }

    #[test]
    fn a_film_may_begin_late_and_at_a_knot_shows_the_knot() {
        let mut session = session("double_pendulum");
        let dt = session.settings().dt;
        let start = 37.0 * dt;
        let mut sampler = sampler(&session, [start, 1.0, 1.0 / dt], 3);
        for k in 0..3 {
            let frame = sampler
                .next(&mut session, &mut RunSource, &Reporter::default())
                .unwrap()
                .unwrap();
            let at_knot = frame.fraction.min(1.0 - frame.fraction);
            assert!(at_knot < 1e-9, "{k}: {}", frame.fraction);
        }
        assert!((session.sample().time - start - 2.0 * dt).abs() < dt * 1.5);
    }

    #[test]
    fn frames_are_counted_up_to_the_last_state() {
        let mut session = session("double_pendulum");
        for (steps, wanted) in [(30, 10), (1, 1)] {
            let mut sampler = sampler(&session, [session.sample().time, 1.0, 30.0], u64::MAX);
            (0..steps).for_each(|_| assert!(session.step()));
            let end = session.sample().time;
            sampler.reach(end).unwrap();
            let mut given = 0;
            while sampler.frame().is_some() {
                given += 1;
            }
            assert_eq!((given, sampler.count_to(end)), (wanted, wanted));
        }
    }

    #[test]
    fn what_ends_it_is_said() {
        let mut session = session("pendulum");
        let mut sampler = sampler(&session, [0.0, 1.0, 30.0], 50);
        let reporter = Reporter::default();
        assert!(
            sampler
                .next(&mut session, &mut RunSource, &reporter)
                .unwrap()
                .is_ok()
        );
        reporter.cancel();
        assert_eq!(
            sampler.next(&mut session, &mut RunSource, &reporter),
            Some(Err(Ending::Cut(STOPPED.into())))
        );

        /// A source that has nothing more to give.
        struct Dry;
        impl Source for Dry {
            fn advance(&mut self, _: &mut Session) -> Result<(), Ending> {
                Err(Ending::Over)
            }
        }
        let said = sampler.next(&mut session, &mut Dry, &Reporter::default());
        assert_eq!(said, Some(Err(Ending::Over)));
    }
}
