//! Shared code of tests with hostile files: memory limits and repeatable mutations.

#![allow(
    dead_code,
    reason = "every test file uses some of these and none uses all"
)]

mod memory;

use crate::clock::Clock;
use memory::FLOOR;
pub use memory::peak_of;
use sinew::{DeformError, Deformed};
use std::time::Duration;

/// Runs an import and checks its time and memory. The limit is `per_byte` bytes per byte of
/// `bytes`, plus a constant. `bytes` itself does not count.
pub fn within_limits<T>(name: &str, bytes: &[u8], per_byte: usize, job: impl FnOnce() -> T) -> T {
    let begin = Clock::start();
    let (done, peak) = peak_of(job);
    let took = begin.elapsed();
    let limit = per_byte * bytes.len() + FLOOR;
    println!(
        "{name}: {} bytes, peak {peak} of {limit}, {took:?}",
        bytes.len()
    );
    assert!(peak <= limit, "{name}: peak {peak} bytes of {limit}");
    assert!(took < Duration::from_secs(20), "{name}: {took:?}");
    done
}

/// A pseudo-random generator (Marsaglia's xorshift), so that failures can be repeated.
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
    // Half of the mutated files keep their syntax.
    let only_digits = random.below(2) == 0;
    for _ in 0..=random.below(4) {
        let start = random.below(bytes.len());
        match if only_digits { 4 } else { random.below(6) } {
            0 => bytes.truncate(start),
            1 => bytes.insert(start, random.below(256) as u8),
            2 => drop(bytes.splice(start..(start + random.below(8)).min(bytes.len()), [])),
            3 => {
                let end = (start + random.below(64)).min(bytes.len());
                let copy = bytes[start..end].to_vec();
                let at = random.below(bytes.len());
                bytes.splice(at..at, copy);
            }
            4 => {
                if let Some(digit) = bytes.iter().skip(start).position(u8::is_ascii_digit) {
                    bytes[start + digit] = b"0123456789-e."[random.below(13)];
                }
            }
            _ => {
                if let Some(byte) = bytes.get_mut(start) {
                    *byte = random.below(256) as u8;
                }
            }
        }
    }
    bytes
}

/// True if a character was deformed to finite positions, or refused because numbers overflowed.
/// After a correct import there are no other errors.
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

/// A twentieth of all rounds, or all rounds in `make soak`.
pub fn rounds(all: usize) -> usize {
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => all,
        None => all / 20,
    }
}
