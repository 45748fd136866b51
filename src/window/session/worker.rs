//! A thread that takes steps, or prepares a simulation at another moment, in the background, one at a time.

use physics::sim::{Leg, LegError, Simulation, Snapshot};
use physics::threads;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// A way to go.
pub(crate) struct Task {
    /// Where it begins; its memory comes back with the answer.
    pub moment: Snapshot,
    /// What leads on from there.
    pub leg: Leg,
    /// Whether to measure where the time goes.
    pub profiles: bool,
    /// A simulation whose memory may be used.
    pub spare: Option<Box<Simulation>>,
}

/// A way that was gone.
pub(crate) struct Answer {
    /// The simulation that went it; none if it could not even begin.
    pub simulation: Option<Box<Simulation>>,
    /// The task's moment, to be used again.
    pub moment: Snapshot,
    /// What it was.
    pub leg: Leg,
    /// The digest of the state reached, if it went well, before the changes that come last.
    pub taken: Result<u64, LegError>,
}

/// The window's end.
pub(crate) struct Worker {
    tasks: Sender<Task>,
    // A receiver may be used by one thread only, a session by any.
    answers: Mutex<Receiver<Answer>>,
    busy: bool,
    /// The step is taken, whether or not it was asked for.
    done: Arc<AtomicBool>,
}

impl Worker {
    pub fn start() -> Self {
        let (tasks, inbox) = channel();
        let (outbox, answers) = channel();
        let done = Arc::new(AtomicBool::new(false));
        let is_done = Arc::clone(&done);
        // It ends after its step when the other end is gone.
        thread::spawn(move || {
            threads::with(threads::wanted(), move || {
                for task in inbox {
                    let answer = take(task);
                    is_done.store(true, Ordering::Release);
                    if outbox.send(answer).is_err() {
                        return;
                    }
                }
            });
        });
        Self {
            tasks,
            answers: Mutex::new(answers),
            busy: false,
            done,
        }
    }

    /// Whether it takes a step, or has one that was not asked for.
    pub fn is_busy(&self) -> bool {
        self.busy
    }

    /// Whether the step is taken.
    pub fn is_done(&self) -> bool {
        self.done.load(Ordering::Acquire)
    }

    /// Begins a step.
    pub fn begin(&mut self, task: Task) {
        self.done.store(false, Ordering::Release);
        // A thread that has ended is found when it is asked for its answer.
        let _ = self.tasks.send(task);
        self.busy = true;
    }

    /// The step, once it is taken; waits for it no longer than `patience`. An error if the thread has ended.
    pub fn answer(&mut self, patience: Duration) -> Option<Result<Answer, String>> {
        let answers = self
            .answers
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        let ended =
            || Err("the step failed in a way that is not foreseen; the log says where".into());
        let answer = if patience.is_zero() {
            match answers.try_recv() {
                Ok(answer) => Ok(answer),
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => ended(),
            }
        } else {
            match answers.recv_timeout(patience) {
                Ok(answer) => Ok(answer),
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => ended(),
            }
        };
        self.busy = false;
        Some(answer)
    }
}

fn take(task: Task) -> Answer {
    let Task {
        moment,
        leg,
        profiles,
        spare,
    } = task;
    let simulation = match spare {
        Some(spare) => Ok(spare),
        None => Simulation::resume(&moment).map(Box::new),
    };
    let (simulation, taken) = match simulation {
        Ok(mut simulation) => {
            let taken = simulation.go_for(&moment, &leg, profiles);
            (Some(simulation), taken)
        }
        Err(error) => (None, Err(error.into())),
    };
    Answer {
        simulation,
        moment,
        leg,
        taken,
    }
}
