//! Steps in the background: those that might take longer than a frame are taken on a thread, and taken in when they are
//! there. Until then the session is where it was, and whatever else moves it gives the step up.
//!
//! ```text
//! go_on ──┬── a short step: step()
//!         └── a long one: moment, leg ──▶ Worker ──▶ relieve, book, as if step() had taken it
//! ```
//! Where a step is taken depends on the clock; what comes of it does not.

use crate::session::Session;
use crate::session::marks::Mark;
use crate::session::past::Past;
use crate::session::worker::{Answer, Task, Worker};
use physics::sim::timeline::{BranchId, Jump, Landing};
use physics::sim::{Leg, Simulation, Snapshot};
use std::time::{Duration, Instant};

/// A step that takes longer than this is long [s]: handing one to the thread costs a hundredth of it.
const LONG: f64 = 0.004;
/// How much of the length of past steps counts at the next: a long step is remembered for some hundred steps.
const MEMORY: f64 = 0.98;
/// With so many bodies a step may be long that no other has told of: the first one of a method or a model, and any with
/// contact, since piles that are jammed take hundreds of iterations without notice.
const MANY: usize = 24;
/// How long a frame waits for a step that may be there at once.
const AT_ONCE: Duration = Duration::from_millis(30);
/// From when on a step that is under way is spoken of.
const NOTABLE: Duration = Duration::from_millis(300);

/// What became of going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Headway {
    /// A step was taken.
    Taken,
    /// One is under way in the background.
    UnderWay,
    /// It failed, and the state is as it was.
    Failed,
}

/// Where a step begins, by which it is known whether the session is still there.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Departure {
    branch: BranchId,
    step: u64,
    time: f64,
}

/// A step that is under way, or a simulation that is prepared at a moment in memory.
struct UnderWay {
    from: Departure,
    /// The recorded step to which time is led, where it follows a recorded way.
    recorded: Option<u64>,
    /// Where it goes to a moment in memory.
    landing: Option<Landing>,
    begun: Instant,
}

/// The thread and what it does.
#[derive(Default)]
pub(crate) struct StepThread {
    worker: Option<Worker>,
    /// One that still takes a step which nobody wants any more.
    left: Option<Worker>,
    now: Option<UnderWay>,
    /// Memory for the next task.
    spare: (Option<Box<Simulation>>, Option<Snapshot>),
    /// Length of the last steps, the longest of them fading; unknown before the first of a model, a method, settings
    /// (s).
    length: Option<f64>,
}

impl StepThread {
    /// Remembers how long a step took (s).
    pub fn note(&mut self, seconds: f64) {
        self.length = Some(seconds.max(MEMORY * self.length.unwrap_or_default()));
    }

    /// Forgets how long steps take: the next may be of another kind.
    pub fn forget(&mut self) {
        self.length = None;
    }

    /// Gives up the step that is under way. Its thread takes it to its end, for nobody.
    pub fn give_up(&mut self) {
        if self.now.take().is_none() {
            return;
        }
        let is_free = |w: &mut Worker| !w.is_busy() || w.answer(Duration::ZERO).is_some();
        if self.left.as_mut().is_none_or(is_free) {
            self.left = self.worker.take();
        }
    }

    /// A thread that is free. Of those that are not wanted any more only one may still be busy beside it.
    fn free(&mut self) -> Option<&mut Worker> {
        if let Some(worker) = self.worker.as_mut().filter(|w| w.is_busy()) {
            // What came of a step that was given up interests nobody.
            let _ = worker.answer(Duration::ZERO)?;
        }
        Some(self.worker.get_or_insert_with(Worker::start))
    }
}

impl Session {
    /// Goes on by a step: a short one is taken at once, as [`Self::step`] does; one that may be long on a thread, for
    /// which a frame waits only if it can be expected to be there soon. While one is under way, this asks for it.
    pub fn go_on(&mut self) -> Headway {
        if self.waits_for_edit() {
            return Headway::UnderWay;
        }
        if self.stepper.now.is_none() {
            if !self.steps_are_long() {
                return self.step_at_once();
            }
            self.goal = None;
            let follows = self.follows_record();
            let next = self.sample.step + 1;
            let leg = match (&mut self.past, follows) {
                (Past::Whole(timeline), true) => match timeline.next_leg(next) {
                    Some(leg) => leg,
                    // It is in memory.
                    None => return self.step_at_once(),
                },
                _ => Leg::step(self.input.clone()),
            };
            self.send(leg, None, follows.then_some(next));
        }
        // One of which nothing is known may be there as well.
        let soon = self.stepper.length.unwrap_or_default() < AT_ONCE.as_secs_f64();
        self.await_step(if soon { AT_ONCE } else { Duration::ZERO })
    }

    fn step_at_once(&mut self) -> Headway {
        match self.step() {
            true => Headway::Taken,
            false => Headway::Failed,
        }
    }

    /// Whether the next step may be long.
    pub fn steps_are_long(&self) -> bool {
        let model = self.simulation.model();
        match self.stepper.length {
            Some(length) if length > LONG => true,
            Some(_) => model.contact.is_some() && model.bodies.len() >= MANY,
            None => model.bodies.len() >= MANY,
        }
    }

    /// Whether a step is under way in the background.
    pub fn is_stepping(&self) -> bool {
        self.stepper.now.is_some()
    }

    /// For how long the step that is under way in the background has been so (s), if it is worth a word: one that is there waits to be
    /// asked for, however long time stands still.
    pub fn stepping_for(&self) -> Option<f64> {
        if self.stepper.worker.as_ref().is_some_and(Worker::is_done) {
            return None;
        }
        let taken = self.stepper.now.as_ref()?.begun.elapsed();
        (taken > NOTABLE).then_some(taken.as_secs_f64())
    }

    /// Whether the step that is under way is later than it was due, at so many simulated seconds per second.
    pub fn is_overdue(&self, speed: f64) -> bool {
        let due = self.simulation.settings().dt / speed;
        let now = self.stepper.now.as_ref();
        now.is_some_and(|now| now.begun.elapsed().as_secs_f64() >= due)
    }

    /// Gives up the step that is under way, and the way to another moment with it.
    pub fn stay(&mut self) {
        self.goal = None;
        self.give_up_step();
    }

    /// Gives up the step that is under way.
    pub(crate) fn give_up_step(&mut self) {
        self.stepper.give_up();
    }

    fn departure(&self) -> Departure {
        let state = self.simulation.state();
        Departure {
            branch: self.past.end().0,
            step: state.step,
            time: state.time,
        }
    }

    /// Hands the thread, if it is free, a leg from the moment shown or from one in memory; `recorded` where it goes as
    /// it went before, towards that step.
    fn send(&mut self, leg: Leg, kept: Option<(Snapshot, Landing)>, recorded: Option<u64>) {
        let from = self.departure();
        if self.stepper.free().is_none() {
            return;
        }
        let stepper = &mut self.stepper;
        let (moment, landing) = match (kept, stepper.spare.1.take()) {
            (Some((moment, landing)), _) => (moment, Some(landing)),
            (None, Some(mut moment)) => {
                self.simulation.snapshot_into(&mut moment);
                (moment, None)
            }
            (None, None) => (self.simulation.snapshot(), None),
        };
        let task = Task {
            moment,
            leg,
            profiles: self.simulation.profile().is_some(),
            spare: stepper.spare.0.take(),
        };
        if let Some(worker) = stepper.free() {
            worker.begin(task);
            stepper.now = Some(UnderWay {
                from,
                recorded,
                landing,
                begun: Instant::now(),
            });
        }
    }

    /// Takes the step in that is under way, if it is there; counted from its beginning, waits no longer than
    /// `patience`.
    fn await_step(&mut self, patience: Duration) -> Headway {
        let Some(now) = &self.stepper.now else {
            return Headway::UnderWay;
        };
        let patience = patience.saturating_sub(now.begun.elapsed());
        let Some(answer) = self
            .stepper
            .worker
            .as_mut()
            .and_then(|w| w.answer(patience))
        else {
            return Headway::UnderWay;
        };
        let Some(now) = self.stepper.now.take() else {
            return Headway::UnderWay;
        };
        match answer {
            Ok(answer) if now.from == self.departure() => self.take_in_step(answer, &now),
            // Whoever moved the session elsewhere gave the step up.
            Ok(_) => Headway::UnderWay,
            Err(error) => {
                self.stepper.worker = None;
                self.marks
                    .add(now.from.branch, now.from.step + 1, Mark::Failed);
                self.failure = Some(error);
                Headway::Failed
            }
        }
    }

    /// Goes on with the simulation that took the step, and books the step as if this one had taken it.
    fn take_in_step(&mut self, answer: Answer, now: &UnderWay) -> Headway {
        let Answer {
            simulation,
            moment,
            leg,
            taken,
        } = answer;
        let before = self.past.end();
        if let Some(mut other) = simulation {
            self.simulation.relieve(&mut other, &leg);
            self.stepper.spare.0 = Some(other);
        }
        self.stepper.spare.1 = Some(moment);
        let Self {
            past, simulation, ..
        } = self;
        let from = (now.from.step, now.from.time);
        let booked = if let (Some(landing), Some(goal)) = (&now.landing, now.recorded)
            && let Past::Whole(timeline) = &mut *past
        {
            let booked = timeline.book_jump(simulation, goal, landing, taken);
            booked.map_err(|e| e.to_string())
        } else {
            past.book(simulation, from, &leg, taken, now.recorded)
        };
        match booked {
            // On the way to another moment nothing but the moment is shown.
            Ok(there) if self.goal.is_some() => {
                self.stepper.note(self.simulation.step_seconds());
                if there {
                    self.goal = None;
                }
                self.arrive();
                Headway::Taken
            }
            Err(error) if self.goal.is_some() => {
                self.goal = None;
                self.arrive();
                self.failure = Some(error);
                Headway::Failed
            }
            booked => {
                match self.stepped(before, &leg.input.unwrap_or_default(), booked.map(drop)) {
                    true => Headway::Taken,
                    false => Headway::Failed,
                }
            }
        }
    }

    /// Goes towards a step of the branch with steps on the thread, for about so long; true if the session has moved.
    pub(crate) fn travel_by_thread(&mut self, goal: u64, most: Duration) -> bool {
        let start = Instant::now();
        let mut moved = self.go_to_kept(goal);
        while self.goal.is_some() {
            let leads_there = |now: &UnderWay| now.recorded == Some(goal);
            if !self.stepper.now.as_ref().is_some_and(leads_there) {
                self.stepper.give_up();
                let Some(timeline) = self.timeline() else {
                    break;
                };
                if let Some(Jump {
                    moment,
                    after,
                    landing,
                }) = timeline.next_jump(goal)
                {
                    self.send(Leg::changes(after), Some((moment, landing)), Some(goal));
                } else if let Some(leg) = timeline.next_leg(goal) {
                    self.send(leg, None, Some(goal));
                } else {
                    break;
                }
            }
            let waited = self.stepper.now.as_ref().map(|now| now.begun.elapsed());
            let left = most.saturating_sub(start.elapsed());
            if self.await_step(waited.unwrap_or_default() + left) == Headway::UnderWay {
                break;
            }
            moved = true;
        }
        moved
    }

    /// Goes to the nearest moment in memory on the way to a step, if nothing has to be prepared there; true if the
    /// session has moved.
    fn go_to_kept(&mut self, goal: u64) -> bool {
        let Past::Whole(timeline) = &mut self.past else {
            return false;
        };
        if timeline.next_leg(goal).is_some() || timeline.is_far(&self.simulation, goal) {
            return false;
        }
        let there = timeline.approach(&mut self.simulation, goal, 0);
        if !matches!(there, Ok(false)) {
            self.goal = None;
        }
        self.stepper.give_up();
        self.arrive();
        self.failure = there.err().map(|e| e.to_string());
        true
    }
}
