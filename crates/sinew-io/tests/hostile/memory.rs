//! Peak memory of a job, for tests and fuzzers.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Bytes of memory that every import may use, whatever its size.
pub const FLOOR: usize = 16 << 20;

/// Counts the memory of the current thread, so that parallel tests do not interfere.
struct Counting;

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // Fails only at the end of a thread, after the measurement.
    let _ = LIVE.try_with(|live| {
        live.set(live.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(live.get())));
    });
}

#[expect(
    unsafe_code,
    reason = "an allocator cannot be written otherwise; this one only counts"
)]
// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller fulfils the conditions of the system allocator.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Result of a job and its peak memory in bytes.
pub fn peak_of<T>(job: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.get();
    PEAK.set(before);
    let done = job();
    (done, (PEAK.get() - before).max(0) as usize)
}
