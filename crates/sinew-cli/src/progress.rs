//! Progress bars on standard error, if it is a terminal and the task takes over a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
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

/// Spinner that is shown now, if any.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn shown() -> MutexGuard<'static, Option<ProgressBar>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints with `print` while no spinner is in the way.
pub fn aside<T>(print: impl FnOnce() -> T) -> T {
    let bar = shown().take();
    let done = match &bar {
        Some(bar) => bar.suspend(print),
        None => print(),
    };
    *shown() = bar;
    done
}

/// Shows the elapsed time of a task of unknown length after the first second, until dropped.
pub struct Waiting {
    bar: ProgressBar,
    /// Sends nothing. Dropping it ends the display. `None` inside another task that is shown.
    done: Option<Sender<()>>,
}

/// Shows that a task runs. Inside another such task, shows nothing more.
pub fn waiting(what: String) -> Waiting {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    let bar = styled(bar, "{spinner} {msg}, {elapsed}").with_message(what);
    let mut now = shown();
    if now.is_some() {
        return Waiting { bar, done: None };
    }
    *now = Some(bar.clone());
    let (done, wait) = channel();
    let late = bar.clone();
    std::thread::spawn(move || {
        if wait.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
            late.set_draw_target(ProgressDrawTarget::stderr());
            late.enable_steady_tick(LONG);
        }
    });
    Waiting {
        bar,
        done: Some(done),
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if self.done.take().is_some() {
            shown().take();
            self.bar.finish_and_clear();
        }
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

    #[test]
    fn a_task_inside_another_one_shows_nothing_more() {
        let outer = waiting("outer".to_owned());
        let inner = waiting("inner".to_owned());
        assert!(outer.done.is_some() && inner.done.is_none());
        drop(inner);
        assert_eq!(
            shown().as_ref().map(ProgressBar::message).as_deref(),
            Some("outer")
        );
        // Messages may nest, and the spinner comes back after them.
        aside(|| aside(|| assert!(shown().is_none())));
        assert!(shown().is_some());
        drop(outer);
        assert!(shown().is_none());
    }
}
