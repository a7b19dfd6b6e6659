//! Limits on the memory that an import takes.

#[path = "../../crates/sinew-io/tests/hostile/memory.rs"]
mod counted;

use counted::FLOOR;
pub use counted::peak_of;

/// Asserts that the memory of a job is at most a constant plus `per_byte` times the input length.
pub fn within<T>(bytes: &[u8], per_byte: usize, job: impl FnOnce() -> T) -> T {
    let (done, peak) = peak_of(job);
    let limit = per_byte * bytes.len() + FLOOR;
    let len = bytes.len();
    assert!(
        peak <= limit,
        "{len} bytes took {peak} bytes of memory, of {limit}"
    );
    done
}
