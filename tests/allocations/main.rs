//! A step allocates nothing once the workspace has grown to what the motion needs. This is the allocator that counts.

mod contact;
mod mechanisms;
mod threads;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    /// Allocations of this thread: the test harness allocates on others.
    static COUNT: Cell<u64> = const { Cell::new(0) };
    /// Where those of several threads are counted together.
    static TOGETHER: Cell<Option<&'static AtomicU64>> = const { Cell::new(None) };
}

struct Counting;

fn count() {
    // Fails only while a thread ends, when nothing is measured any more.
    let _ = COUNT.try_with(|c| c.set(c.get() + 1));
    let _ = TOGETHER.try_with(|t| t.get().map(|t| t.fetch_add(1, Ordering::Relaxed)));
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn the_counter_counts() {
    let before = COUNT.get();
    std::hint::black_box(Vec::<u8>::with_capacity(8));
    assert_eq!(COUNT.get() - before, 1);
}
