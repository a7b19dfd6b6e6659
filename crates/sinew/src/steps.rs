//! Long work in steps, for programs without threads, such as pages: an `async` function that calls [`pause`] at its seams.
//!
//! ```
//! use sinew::steps::{finish, pause, step};
//! async fn sum(numbers: &[u32]) -> u32 {
//!     let mut sum = 0;
//!     for number in numbers {
//!         sum += number;
//!         pause().await;
//!     }
//!     sum
//! }
//! let mut work = std::pin::pin!(sum(&[1, 2]));
//! assert_eq!(step(work.as_mut()), None);
//! assert_eq!(step(work.as_mut()), None);
//! assert_eq!(step(work), Some(3));
//! assert_eq!(finish(sum(&[1, 2])), 3);
//! ```

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// Ends a step of the work that awaits this.
pub async fn pause() {
    let mut has_paused = false;
    poll_fn(|_| match std::mem::replace(&mut has_paused, true) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await;
}

/// Runs the next step of work. Returns the result after the last step. Work must wait for nothing but [`pause`].
///
/// # Panics
/// If the work has already returned its result.
pub fn step<F: Future>(work: Pin<&mut F>) -> Option<F::Output> {
    match work.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => Some(result),
        Poll::Pending => None,
    }
}

/// Runs all steps of work at once.
pub fn finish<F: Future>(work: F) -> F::Output {
    let mut work = pin!(work);
    loop {
        if let Some(result) = step(work.as_mut()) {
            return result;
        }
    }
}
