//! The threads that share the work of a step, in one place.
//!
//! Nothing is handed over but inside [`with`]: elsewhere, and with one thread, [`each`] is a loop. What comes of the
//! work must not depend on who did it: every item is worked on by itself, and whoever handed them out joins what they came to
//! in an order of its own.

mod pool;

use pool::Pool;
use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Stack of a thread [bytes]: as large as that of the first thread of a program.
const STACK: usize = 8 << 20;

/// Items in a run at least whose work is some hundredths of a microsecond each: that of a run is many times what handing it over takes.
pub const RUN: usize = 256;

/// Threads that the program was asked to use; 0 where it was not.
static WANTED: AtomicUsize = AtomicUsize::new(0);

/// Says how many threads the program is to use.
pub fn want(count: NonZeroUsize) {
    WANTED.store(count.get(), Ordering::Relaxed);
}

/// How many threads the program uses: as many as it was [asked for](want), else one for each core.
pub fn wanted() -> usize {
    match WANTED.load(Ordering::Relaxed) {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        count => count,
    }
}

/// Does something in which [`each`] uses `count` threads, of which one does it. With one thread, or where the system
/// gives no more, that is the thread that calls.
pub fn with<R: Send>(count: usize, act: impl FnOnce() -> R + Send) -> R {
    /// Lets the others go however this ends.
    struct Over<'a>(&'a Pool);
    impl Drop for Over<'_> {
        fn drop(&mut self) {
            self.0.end();
        }
    }
    if count <= 1 {
        return act();
    }
    let pool = &Pool::new(count);
    std::thread::scope(|scope| {
        let _over = Over(pool);
        for k in 1..count {
            let thread = std::thread::Builder::new()
                .name(format!("step-{k}"))
                .stack_size(STACK);
            if thread.spawn_scoped(scope, move || pool.work(k)).is_ok() {
                pool.add();
            }
        }
        pool.as_worker(0, act)
    })
}

thread_local! {
    /// Whether this thread works by itself.
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Does something in which [`each`] is a loop: for whole runs, which several threads take each by itself, and in which nothing is gained
/// by sharing more.
pub fn alone<R>(act: impl FnOnce() -> R) -> R {
    /// Puts it back however this ends.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            ALONE.set(self.0);
        }
    }
    let _before = Before(ALONE.replace(true));
    act()
}

/// How many threads [`each`] uses here, this one included.
pub fn count() -> usize {
    if ALONE.get() {
        return 1;
    }
    pool::count()
}

/// Does something to every item, which is told by its place, on all threads that there are, each of which takes the next item when it is
/// done with one. Allocates nothing.
pub fn each<T: Send>(items: &mut [T], act: impl Fn(usize, &mut T) + Sync) {
    let threads = count().min(items.len());
    let left = Mutex::new(items.iter_mut().enumerate());
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    parts(0, Threads(threads), threads, &|_, _| {
        while let Some((k, item)) = next() {
            act(k, item);
        }
    });
}

/// As many as there are threads, with nothing of their own.
struct Threads(usize);

impl Items for Threads {
    fn count(&self) -> usize {
        self.0
    }

    fn split(self, at: usize) -> (Self, Self) {
        (Self(at), Self(self.0 - at))
    }
}

/// Items that are worked on in runs of them: a slice, or two of one length.
pub trait Items: Send + Sized {
    /// How many there are.
    fn count(&self) -> usize;
    /// The first so many, and the others.
    fn split(self, at: usize) -> (Self, Self);
}

impl<T: Send> Items for &mut [T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn split(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

impl<A: Items, B: Items> Items for (A, B) {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn split(self, at: usize) -> (Self, Self) {
        let (first, second) = (self.0.split(at), self.1.split(at));
        ((first.0, second.0), (first.1, second.1))
    }
}

/// Does something to runs of items that follow each other, each told by the place of its first, on all threads that there are: one run
/// for each thread, but none of fewer than `least` items, so that those of a thread are the same as the last time and near it. Allocates
/// nothing.
pub fn runs<I: Items>(items: I, least: usize, act: impl Fn(usize, I) + Sync) {
    let most = items.count() / least.max(1);
    parts(0, items, most.min(count()), &act);
}

/// Does two things, at the same time where there are several threads. Allocates nothing.
pub fn join<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if count() <= 1 {
        return (one(), other());
    }
    pool::join(one, other)
}

/// Does something during which the other threads look out for work without falling asleep: what [`join`] hands over many times a
/// millisecond would take as long to wake them.
pub fn awake<R>(act: impl FnOnce() -> R) -> R {
    if count() <= 1 {
        return act();
    }
    pool::awake(act)
}

/// Does something about so many items: [`awake`] where they are as many as a [run](RUN), of which there is much to hand over.
pub fn awake_for<R>(items: usize, act: impl FnOnce() -> R) -> R {
    if items < RUN { act() } else { awake(act) }
}

/// Does something to items of which the first has the place `first`, in so many runs about as long as each other.
fn parts<I: Items>(first: usize, items: I, count: usize, act: &(impl Fn(usize, I) + Sync)) {
    if count <= 1 {
        return act(first, items);
    }
    let before = count.div_ceil(2);
    let middle = items.count() * before / count;
    let (one, other) = items.split(middle);
    join(
        || parts(first, one, before, act),
        || parts(first + middle, other, count - before, act),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn every_item_is_worked_on_once_whatever_the_threads() {
        for threads in [1, 2, 4] {
            let mut items = vec![0; 37];
            with(threads, || {
                assert_eq!(count(), threads);
                each(&mut items, |k, item| *item += 2 * k + 1);
            });
            let expected: Vec<usize> = (0..37).map(|k| 2 * k + 1).collect();
            assert_eq!(items, expected, "{threads}");
        }
        assert_eq!(count(), 1, "nothing is handed over outside");
        with(4, || {
            assert_eq!(alone(|| alone(count).max(count())), 1);
            assert_eq!(count(), 4);
        });
    }

    #[test]
    fn runs_cover_all_items_one_for_each_thread_and_none_is_shorter_than_asked() {
        for (threads, least, expected) in [
            (1, 7, vec![100]),
            (2, 7, vec![50, 50]),
            (3, 7, vec![33, 33, 34]),
            (8, 30, vec![33, 33, 34]),
            (8, 51, vec![100]),
            (2, 1000, vec![100]),
        ] {
            let (mut items, mut lengths) = (vec![0; 100], vec![0; 100]);
            with(threads, || {
                runs((&mut items[..], &mut lengths[..]), least, |first, run| {
                    let length = run.count();
                    for (k, (item, of)) in run.0.iter_mut().zip(run.1).enumerate() {
                        (*item, *of) = (first + k + 1, length);
                    }
                });
            });
            assert!(items.iter().copied().eq(1..101));
            let mut at = 0;
            let mut found = Vec::new();
            while at < lengths.len() {
                found.push(lengths[at]);
                at += lengths[at];
            }
            found.sort_unstable();
            assert_eq!(found, expected, "{threads} {least}");
        }
    }

    /// Both items wait for the other: one thread alone would never come back.
    #[test]
    fn items_are_worked_on_at_the_same_time() {
        let both = Barrier::new(2);
        with(2, || {
            each(&mut [(), ()], |_, ()| {
                both.wait();
            });
        });
    }
}
