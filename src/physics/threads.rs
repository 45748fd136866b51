//! The threads that share the work of a step, in one place.
//!
//! Nothing is handed over but inside [`with`]: elsewhere, and with one thread, [`each`] is a loop. What comes of the
//! work must not depend on who did it: every item is worked on by itself, and whoever handed them out joins what they came to
//! in an order of its own.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Stack of a thread [bytes]: as large as that of the first thread of a program.
const STACK: usize = 8 << 20;

/// Items in a run at most whose work is some tenths of a microsecond each: that of a run is many times what handing it over takes.
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
    if count <= 1 {
        return act();
    }
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(count)
        .stack_size(STACK)
        .thread_name(|k| format!("step-{k}"));
    match threads.build() {
        Ok(threads) => threads.install(act),
        Err(_) => act(),
    }
}

thread_local! {
    /// Whether this thread works by itself.
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Does something in which [`each`] is a loop: for whole runs, which several threads take each by itself. One that waited
/// for a piece of its step would take up another's run meanwhile.
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
    rayon::current_thread_index().map_or(1, |_| rayon::current_num_threads())
}

/// Does something to every item, which is told by its place, on all threads that there are. Allocates nothing.
pub fn each<T: Send>(items: &mut [T], act: impl Fn(usize, &mut T) + Sync) {
    runs(items, 1, |first, run| {
        for (k, item) in run.iter_mut().enumerate() {
            act(first + k, item);
        }
    });
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

/// Does something to runs of items that follow each other, each told by the place of its first, on all threads that there are. Where
/// there are several, a run has `most` items at most. Allocates nothing.
pub fn runs<I: Items>(items: I, most: usize, act: impl Fn(usize, I) + Sync) {
    let most = if count() > 1 { most } else { usize::MAX };
    halves(0, items, most, &act);
}

/// Does two things, at the same time where there are several threads. Allocates nothing.
pub fn join<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if count() <= 1 {
        return (one(), other());
    }
    let _inside = Inside::enter();
    rayon::join(one, other)
}

thread_local! {
    /// How often this thread waits for others.
    static INSIDE: Cell<u32> = const { Cell::new(0) };
}

/// A thread that waits for others as long as this is there.
struct Inside;

impl Inside {
    fn enter() -> Self {
        INSIDE.set(INSIDE.get() + 1);
        Self
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.set(INSIDE.get() - 1);
    }
}

/// Does something during which the other threads look out for work without falling asleep: what [`join`] hands over many times a
/// millisecond would take as long to wake them.
pub fn awake<R: Send>(act: impl FnOnce() -> R + Send) -> R {
    /// Says that it is over however it ends.
    struct Over<'a>(&'a AtomicBool);
    impl Drop for Over<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Release);
        }
    }
    let over = AtomicBool::new(false);
    let acted = || {
        let _over = Over(&over);
        act()
    };
    join(acted, || look_out(count() - 1, &over)).0
}

/// Looks out for work until it is over, on so many threads.
fn look_out(threads: usize, over: &AtomicBool) {
    // One that waits for others must come back to what it does when they have done their part.
    if threads == 0 || INSIDE.get() > 0 {
        return;
    }
    let watch = || {
        let _inside = Inside::enter();
        while !over.load(Ordering::Acquire) {
            if rayon::yield_now() != Some(rayon::Yield::Executed) {
                std::thread::yield_now();
            }
        }
    };
    rayon::join(watch, || look_out(threads - 1, over));
}

/// Does something to items of which the first has the place `first`, each half by whoever is free.
fn halves<I: Items>(first: usize, items: I, most: usize, act: &(impl Fn(usize, I) + Sync)) {
    if items.count() <= most {
        return act(first, items);
    }
    let middle = items.count() / 2;
    let (before, behind) = items.split(middle);
    join(
        || halves(first, before, most, act),
        || halves(first + middle, behind, most, act),
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
    fn runs_cover_all_items_and_none_is_longer_than_asked() {
        for threads in [1, 3] {
            let (mut items, mut lengths) = (vec![0; 100], vec![0; 100]);
            with(threads, || {
                runs((&mut items[..], &mut lengths[..]), 7, |first, run| {
                    let length = run.count();
                    for (k, (item, of)) in run.0.iter_mut().zip(run.1).enumerate() {
                        (*item, *of) = (first + k + 1, length);
                    }
                });
            });
            assert!(items.iter().copied().eq(1..101));
            let most = if threads > 1 { 7 } else { 100 };
            assert!(lengths.iter().all(|l| (1..=most).contains(l)));
        }
    }

    /// As steps do: pieces of pieces, many times, in the same pool again, with more threads than cores and with one.
    #[test]
    fn threads_that_are_awake_take_pieces_and_come_back() {
        fn sum(numbers: &[u64]) -> u64 {
            if numbers.len() < 4 {
                return numbers.iter().sum();
            }
            let (one, other) = numbers.split_at(numbers.len() / 2);
            let (one, other) = join(|| sum(one), || sum(other));
            one + other
        }
        let numbers: Vec<u64> = (0..1000).collect();
        for threads in [1, 2, 3, 8] {
            with(threads, || {
                for _ in 0..50 {
                    let twice = awake(|| [sum(&numbers), awake(|| sum(&numbers))]);
                    assert_eq!(twice, [499_500; 2]);
                }
            });
        }
        assert_eq!(awake(|| 1), 1, "nobody else is there");
    }

    /// The others are let go, and the pool goes on.
    #[test]
    fn what_panics_ends_the_wait() {
        with(3, || {
            let act = || awake(|| panic!("on purpose"));
            let panicked: Result<(), _> = std::panic::catch_unwind(act);
            assert!(panicked.is_err());
            assert_eq!(awake(|| join(|| 1, || 2)), (1, 2));
        });
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
