//! A bar for a person who waits.

use indicatif::{ProgressBar, ProgressStyle};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Counts frames on standard error; nothing when nobody watches or there is only one.
pub fn progress(frames: u64) -> ProgressBar {
    if frames < 2 {
        return ProgressBar::hidden();
    }
    bar(
        frames,
        "{bar:32} {pos}/{len} frames, {per_sec}, {eta} to go",
    )
}

/// Counts percent of one long step.
pub fn percent() -> ProgressBar {
    bar(100, "{bar:32} {pos} %, {eta} to go")
}

/// After which a person is shown that something goes on.
pub const LONG: Duration = Duration::from_secs(1);

/// Says every second that something of unknown length goes on, from the first second on, until it is dropped.
pub struct Waiting {
    bar: ProgressBar,
    /// Nothing is sent: that it is gone ends the wait.
    done: Option<Sender<()>>,
}

pub fn waiting(what: String) -> Waiting {
    let bar = ProgressBar::new_spinner();
    let bar = match ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    };
    let bar = bar.with_message(what);
    let (done, wait) = channel();
    let shown = bar.clone();
    std::thread::spawn(move || {
        if wait.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
            shown.enable_steady_tick(LONG);
        }
    });
    Waiting {
        bar,
        done: Some(done),
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.done.take();
        self.bar.finish_and_clear();
    }
}

fn bar(length: u64, style: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    match ProgressStyle::with_template(style) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
