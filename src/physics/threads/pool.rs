//! Fork and join among the threads of a pool, for tasks of a microsecond.
//!
//! Who forks offers one of two tasks to the others and does the other one. A worker that is idle looks through what all others
//! offer and steals the first it finds, the largest of its owner's; what nobody stole its owner does itself. Who waits for
//! what was stolen steals only parts of that, from the thief [Wagner1993]: nothing else can come between. Giving a task away and
//! having it back takes some tenths of a microsecond, the time of messages between cores, as long as others look out for it.

use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering, fence};
use std::sync::{Condvar, Mutex, PoisonError};

/// Tasks that a worker offers at the same time: its forks within forks. They fill a line of the cache, so that a look at all of them is
/// one at a line.
const OFFERS: usize = 8;

/// Looks in vain after which a thread lets others of the machine go first: there may be fewer cores than threads.
const POLITE: u32 = 32;

/// Looks in vain after which an idle worker falls asleep: some ten microseconds.
const TIRED: u32 = 256;

/// No slot.
const NONE: usize = usize::MAX;

/// Threads that take tasks off each other.
pub(super) struct Pool {
    workers: Box<[Worker]>,
    /// How many of them have a thread.
    present: AtomicUsize,
    /// Calls of [`awake`] that have not returned.
    awake: AtomicUsize,
    /// Workers that sleep or are about to.
    asleep: AtomicUsize,
    over: AtomicBool,
    gate: Mutex<()>,
    bell: Condvar,
}

/// What a worker offers, a line of the cache of its own and that beside it, which is fetched with it.
#[derive(Default)]
#[repr(align(128))]
struct Worker {
    offers: [AtomicPtr<Task>; OFFERS],
}

/// A task on the stack of the worker that offers it.
struct Task {
    /// Does it and notes what came of it.
    act: unsafe fn(*const Task),
    /// The [slot](Place::slot) in which the thief offers the first of its parts.
    thief: AtomicUsize,
    done: AtomicBool,
}

/// A task with what it does, found by the address of the task, which is its first field.
#[repr(C)]
struct Offer<F, R> {
    task: Task,
    act: UnsafeCell<Option<F>>,
    result: UnsafeCell<Option<Result<R, Box<dyn Any + Send>>>>,
}

/// The worker that the thread at hand is.
#[derive(Clone, Copy)]
struct Place {
    pool: *const Pool,
    own: usize,
    /// Forks in which it is.
    depth: usize,
}

thread_local! {
    static PLACE: Cell<Option<Place>> = const { Cell::new(None) };
}

impl Place {
    /// The number of the slot in which the next task is offered, of all slots of the pool, if one is left.
    fn slot(&self) -> Option<usize> {
        (self.depth < OFFERS).then_some(self.own * OFFERS + self.depth)
    }

    fn pool(&self) -> &Pool {
        // SAFETY: `Pool::as_worker` sets the place, and takes it back before the pool can go.
        unsafe { &*self.pool }
    }
}

impl<F: FnOnce() -> R, R> Offer<F, R> {
    fn new(act: F) -> Self {
        Self {
            task: Task {
                act: Self::act,
                thief: AtomicUsize::new(NONE),
                done: AtomicBool::new(false),
            },
            act: UnsafeCell::new(Some(act)),
            result: UnsafeCell::new(None),
        }
    }

    /// # Safety
    /// The task is that of an `Offer<F, R>` which is there for as long as this takes, and which nobody else uses meanwhile.
    unsafe fn act(task: *const Task) {
        let this = task.cast::<Self>();
        // SAFETY: as the caller says.
        unsafe {
            if let Some(act) = (*(*this).act.get()).take() {
                *(*this).result.get() = Some(catch_unwind(AssertUnwindSafe(act)));
            }
        }
    }
}

impl Pool {
    /// Of so many workers, of which the first has a thread.
    pub fn new(count: usize) -> Self {
        Self {
            workers: (0..count).map(|_| Worker::default()).collect(),
            present: AtomicUsize::new(1),
            awake: AtomicUsize::new(0),
            asleep: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            gate: Mutex::new(()),
            bell: Condvar::new(),
        }
    }

    /// One more worker has a thread.
    pub fn add(&self) {
        self.present.fetch_add(1, Ordering::Relaxed);
    }

    /// Does something as one of the workers.
    pub fn as_worker<R>(&self, own: usize, act: impl FnOnce() -> R) -> R {
        /// Puts it back however this ends.
        struct Before(Option<Place>);
        impl Drop for Before {
            fn drop(&mut self) {
                PLACE.set(self.0);
            }
        }
        let place = Place {
            pool: self,
            own,
            depth: 0,
        };
        let _before = Before(PLACE.replace(Some(place)));
        act()
    }

    /// Does tasks of others until the pool is [over](Self::end).
    pub fn work(&self, own: usize) {
        self.as_worker(own, || {
            let mut vain = 0;
            while !self.over.load(Ordering::Acquire) {
                if self.steal_any() {
                    vain = 0;
                    continue;
                }
                vain += 1;
                let tired = vain >= TIRED && self.awake.load(Ordering::Relaxed) == 0;
                if tired {
                    self.sleep();
                    vain = 0;
                } else {
                    wait_a_moment(vain);
                }
            }
        });
    }

    /// Lets all workers go.
    pub fn end(&self) {
        self.over.store(true, Ordering::Release);
        self.wake();
    }

    /// Wakes those that sleep, after something was written that they look at before they do.
    fn wake(&self) {
        // Either this sees who is about to sleep, or they see what was written.
        fence(Ordering::SeqCst);
        if self.asleep.load(Ordering::Relaxed) > 0 {
            let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
            self.bell.notify_all();
        }
    }

    /// Sleeps, unless there is something to do.
    fn sleep(&self) {
        let gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        self.asleep.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let mut offers = self.workers.iter().flat_map(|worker| &worker.offers);
        let wanted = self.over.load(Ordering::Relaxed)
            || self.awake.load(Ordering::Relaxed) > 0
            || offers.any(|offer| !offer.load(Ordering::Relaxed).is_null());
        if !wanted {
            drop(self.bell.wait(gate));
        }
        self.asleep.fetch_sub(1, Ordering::Relaxed);
    }

    /// Does a task that somebody offers; whether there was one.
    fn steal_any(&self) -> bool {
        (0..self.workers.len()).any(|worker| self.steal(worker * OFFERS))
    }

    /// Does the largest task that a worker offers in a slot or behind it; whether there was one.
    fn steal(&self, slot: usize) -> bool {
        for offer in &self.workers[slot / OFFERS].offers[slot % OFFERS..] {
            // A look leaves the line where it is.
            if offer.load(Ordering::Relaxed).is_null() {
                continue;
            }
            let task = offer.swap(null_mut(), Ordering::AcqRel);
            if task.is_null() {
                continue;
            }
            // SAFETY: what was offered is there until it is done, if it was stolen, and nobody can find it any more. When
            // it is done it may be gone: nothing is read of it then.
            unsafe {
                let slot = PLACE.get().and_then(|place| place.slot());
                (*task).thief.store(slot.unwrap_or(NONE), Ordering::Relaxed);
                ((*task).act)(task);
                (*task).done.store(true, Ordering::Release);
            }
            return true;
        }
        false
    }

    /// Waits until a task of one's own that was stolen is done.
    fn wait(&self, task: &Task) {
        let mut vain = 0_u32;
        while !task.done.load(Ordering::Acquire) {
            let thief = task.thief.load(Ordering::Relaxed);
            if thief != NONE && self.steal(thief) {
                continue;
            }
            vain = vain.wrapping_add(1);
            wait_a_moment(vain);
        }
    }
}

/// Waits between two looks in vain.
fn wait_a_moment(vain: u32) {
    if vain.is_multiple_of(POLITE) {
        std::thread::yield_now();
    } else {
        std::hint::spin_loop();
    }
}

/// How many threads take tasks off this one, itself included.
pub(super) fn count() -> usize {
    PLACE
        .get()
        .map_or(1, |place| place.pool().present.load(Ordering::Relaxed))
}

/// Does something during which no worker falls asleep.
pub(super) fn awake<R>(act: impl FnOnce() -> R) -> R {
    /// Says that it is over however it ends.
    struct Over<'a>(&'a Pool);
    impl Drop for Over<'_> {
        fn drop(&mut self) {
            self.0.awake.fetch_sub(1, Ordering::Relaxed);
        }
    }
    let Some(place) = PLACE.get() else {
        return act();
    };
    let pool = place.pool();
    pool.awake.fetch_add(1, Ordering::Relaxed);
    let _over = Over(pool);
    pool.wake();
    act()
}

/// Does two things, at the same time if another worker is idle.
pub(super) fn join<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    let place = PLACE.get().filter(|place| place.slot().is_some());
    let Some(place) = place else {
        return (one(), other());
    };
    let pool = place.pool();
    let offer = Offer::new(other);
    let task = (&raw const offer).cast::<Task>();
    let slot = &pool.workers[place.own].offers[place.depth];
    PLACE.set(Some(Place {
        depth: place.depth + 1,
        ..place
    }));
    slot.store(task.cast_mut(), Ordering::Release);
    pool.wake();
    // The offer must not go before the task is back: nothing that panics comes between.
    let first = catch_unwind(AssertUnwindSafe(one));
    if slot.swap(null_mut(), Ordering::AcqRel).is_null() {
        pool.wait(&offer.task);
    } else if first.is_ok() {
        // SAFETY: it is here, and nobody can find it any more.
        unsafe { (offer.task.act)(task) };
    }
    PLACE.set(Some(place));
    let first = first.unwrap_or_else(|panic| resume_unwind(panic));
    match offer.result.into_inner() {
        Some(second) => (first, second.unwrap_or_else(|panic| resume_unwind(panic))),
        None => unreachable!("a task that nobody did"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{awake, count, each, join, with};
    use super::OFFERS;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;
    use std::time::Duration;

    /// A sum by halves of halves, one of which panics if it is told to.
    fn sum(numbers: &[u64], wrong: Option<u64>) -> u64 {
        if let [number] = numbers {
            assert_ne!(Some(*number), wrong, "on purpose");
            return *number;
        }
        let (one, other) = numbers.split_at(numbers.len() / 2);
        let (one, other) = join(|| sum(one, wrong), || sum(other, wrong));
        one + other
    }

    /// As steps do: tasks of tasks, many times, in the same pool again, with more threads than cores and with one; deeper than a worker
    /// offers tasks, and with all of it inside of what must not fall asleep.
    #[test]
    fn tasks_of_tasks_are_done_once_each() {
        let numbers: Vec<u64> = (0..3000).collect();
        assert!(numbers.len() > 1 << OFFERS);
        for threads in [1, 2, 3, 8] {
            with(threads, || {
                for _ in 0..50 {
                    let twice = awake(|| [sum(&numbers, None), awake(|| sum(&numbers, None))]);
                    assert_eq!(twice, [4_498_500; 2]);
                    assert_eq!(sum(&numbers, None), 4_498_500);
                }
            });
        }
        assert_eq!(awake(|| 1), 1, "nobody else is there");
    }

    /// Whichever task panics, and whoever does it: the panic comes back to who forked, after all others are done, and the pool goes on.
    #[test]
    fn a_panic_comes_back_and_the_pool_goes_on() {
        let numbers: Vec<u64> = (0..300).collect();
        for threads in [2, 5] {
            with(threads, || {
                for wrong in 0..300 {
                    let act = AssertUnwindSafe(|| awake(|| sum(&numbers, Some(wrong))));
                    assert!(catch_unwind(act).is_err());
                    assert_eq!(sum(&numbers, None), 44_850);
                }
            });
        }
    }

    /// What panics in a pool ends it.
    #[test]
    fn a_panic_lets_the_threads_go() {
        let act = || with(3, || -> u32 { panic!("on purpose") });
        assert!(catch_unwind(act).is_err());
        assert_eq!(count(), 1);
    }

    /// Each item waits for all others, so that no thread can do two: those that fell asleep since the last time are woken.
    #[test]
    fn sleepers_are_woken() {
        for threads in [2, 4] {
            let all = Barrier::new(threads);
            with(threads, || {
                for pause in [0, 1, 20] {
                    std::thread::sleep(Duration::from_millis(pause));
                    let mut items = vec![0; threads];
                    each(&mut items, |k, item| {
                        all.wait();
                        *item = k;
                    });
                    assert!(items.iter().copied().eq(0..threads));
                }
            });
        }
    }

    /// A pool in a task of a pool, as a sweep of whole runs has.
    #[test]
    fn pools_within_pools_are_each_by_itself() {
        with(2, || {
            let mut sums = [0; 4];
            each(&mut sums, |k, sum| {
                with(3, || {
                    assert_eq!(count(), 3);
                    let mut items = [k; 5];
                    each(&mut items, |_, item| *item += 1);
                    *sum = items.iter().sum();
                });
                assert_eq!(count(), 2);
            });
            assert_eq!(sums, [5, 10, 15, 20]);
        });
    }
}
