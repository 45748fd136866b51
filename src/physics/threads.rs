//! The threads that share the work of a step, in one place.
//!
//! Nothing is handed over but inside [`with`]: elsewhere, and with one thread, [`each`] is a loop. What comes of the
//! work must not depend on who did it: every item is worked on by itself, and whoever handed them out joins what they came to
//! in an order of its own.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Stack of a thread [bytes]: as large as that of the first thread of a program.
const STACK: usize = 8 << 20;

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
    if count() > 1 {
        halves(0, items, &act);
    } else {
        for (k, item) in items.iter_mut().enumerate() {
            act(k, item);
        }
    }
}

/// Does something to items of which the first has the place `first`, each half by whoever is free.
fn halves<T: Send>(first: usize, items: &mut [T], act: &(impl Fn(usize, &mut T) + Sync)) {
    match items {
        [] => {}
        [one] => act(first, one),
        more => {
            let middle = more.len() / 2;
            let (before, behind) = more.split_at_mut(middle);
            rayon::join(
                || halves(first, before, act),
                || halves(first + middle, behind, act),
            );
        }
    }
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
