//! What tests of files made to do harm share: memory counted, and mutations that can be repeated.

#![allow(
    dead_code,
    reason = "every test file uses some of these and none uses all"
)]

use sinew::{DeformError, Deformed};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Counts what the current thread holds, so that tests beside each other do not disturb the numbers.
struct Counting;

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // Fails only while a thread ends, when nothing is measured any more.
    let _ = LIVE.try_with(|live| {
        live.set(live.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(live.get())));
    });
}

#[expect(
    unsafe_code,
    reason = "an allocator cannot be written otherwise; this one only counts"
)]
// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promises are the system allocator's conditions.
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

/// What a job gives, and the most memory that it held at once.
pub fn peak_of<T>(job: impl FnOnce() -> T) -> (T, isize) {
    let before = LIVE.get();
    PEAK.set(before);
    let done = job();
    (done, PEAK.get() - before)
}

/// Runs an import of `bytes` and checks its time, and its memory against `per_byte` bytes a byte. The file's own
/// bytes are held by the caller and count for nothing.
pub fn within_limits<T>(name: &str, bytes: &[u8], per_byte: usize, job: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    let (done, peak) = peak_of(job);
    let took = begin.elapsed();
    let limit = (per_byte * bytes.len() + (16 << 20)) as isize;
    println!(
        "{name}: {} bytes, peak {peak} of {limit}, {took:?}",
        bytes.len()
    );
    assert!(peak <= limit, "{name}: peak {peak} bytes of {limit}");
    assert!(took < Duration::from_secs(20), "{name}: {took:?}");
    done
}

/// A small generator of pseudo-random numbers (Marsaglia's xorshift), so that failures can be repeated.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

pub fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    // Half of the files keep their form and only say something else.
    let only_digits = random.below(2) == 0;
    for _ in 0..=random.below(4) {
        let place = random.below(bytes.len());
        match if only_digits { 4 } else { random.below(6) } {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, random.below(256) as u8),
            2 => drop(bytes.splice(place..(place + random.below(8)).min(bytes.len()), [])),
            3 => {
                let end = (place + random.below(64)).min(bytes.len());
                let copy = bytes[place..end].to_vec();
                let at = random.below(bytes.len());
                bytes.splice(at..at, copy);
            }
            4 => {
                if let Some(digit) = bytes.iter().skip(place).position(u8::is_ascii_digit) {
                    bytes[place + digit] = b"0123456789-e."[random.below(13)];
                }
            }
            _ => {
                if let Some(byte) = bytes.get_mut(place) {
                    *byte = random.below(256) as u8;
                }
            }
        }
    }
    bytes
}

/// Whether a character was moved to places that can be computed with, or refused because numbers grew out of
/// range on the way: nothing else may be wrong with what an importer gives.
pub fn is_whole(moved: &Result<Deformed, DeformError>) -> bool {
    match moved {
        Err(error) => matches!(error, DeformError::NotFinite { .. }),
        Ok(moved) => {
            let mut positions = moved.primitives.iter().flat_map(|p| &p.positions);
            let worlds_are_finite = moved.node_worlds.iter().all(|world| world.is_finite());
            worlds_are_finite && positions.all(|position| position.is_finite())
        }
    }
}

/// A twentieth of the rounds, or all of them where `make soak` asks for that.
pub fn rounds(all: usize) -> usize {
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => all,
        None => all / 20,
    }
}
