//! Progress bars on standard error, if it is a terminal and the task takes over a second.

use indicatif::{ProgressBar, ProgressStyle};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(1);

/// Progress of a long step.
pub struct Bar {
    bar: ProgressBar,
    begin: Instant,
}

impl Bar {
    /// Creates a bar that counts frames. It stays hidden for a single frame.
    pub fn frames(frames: u64) -> Self {
        match frames {
            0 | 1 => Self::of(ProgressBar::hidden(), ""),
            _ => Self::of(
                ProgressBar::new(frames),
                "{bar:32} {pos}/{len} frames, {per_sec}, {eta} left",
            ),
        }
    }

    /// Creates a bar that counts files.
    pub fn files(files: u64) -> Self {
        Self::of(
            ProgressBar::new(files),
            "{bar:32} {pos}/{len} files, {per_sec}, {eta} left",
        )
    }

    /// Creates a bar that counts percent.
    pub fn percent() -> Self {
        Self::of(ProgressBar::new(100), "{bar:32} {pos} %, {eta} left")
    }

    /// Creates a bar for the next step of the same task, with the same start time.
    pub fn then_frames(&self, frames: u64) -> Self {
        self.clear();
        Self {
            begin: self.begin,
            ..Self::frames(frames)
        }
    }

    fn of(bar: ProgressBar, style: &str) -> Self {
        Self {
            bar: styled(bar, style),
            begin: Instant::now(),
        }
    }

    /// Sets the progress. The bar appears after the first second of the task.
    pub fn set(&self, done: f64) {
        if is_long(self.begin.elapsed()) {
            self.bar.set_position(done as u64);
        }
    }

    /// Prints with `print` while the bar is hidden.
    pub fn hidden<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Removes the bar from the terminal.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn is_long(taken: Duration) -> bool {
    taken >= LONG
}

/// Shows the elapsed time of a task of unknown length after the first second, until dropped.
pub struct Waiting {
    bar: ProgressBar,
    /// Sends nothing. Dropping it ends the display.
    done: Option<Sender<()>>,
}

pub fn waiting(what: String) -> Waiting {
    let bar = styled(ProgressBar::new_spinner(), "{spinner} {msg}, {elapsed}").with_message(what);
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

fn styled(bar: ProgressBar, style: &str) -> ProgressBar {
    match ProgressStyle::with_template(style) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_within_a_second_shows_no_bar() {
        let mut bar = Bar::percent();
        bar.set(30.0);
        assert_eq!(bar.bar.position(), 0);
        bar.begin -= Duration::from_millis(900);
        bar.set(60.0);
        assert_eq!(bar.bar.position(), 0);
        bar.begin -= Duration::from_millis(200);
        bar.set(90.0);
        assert_eq!(bar.bar.position(), 90);
    }
}
