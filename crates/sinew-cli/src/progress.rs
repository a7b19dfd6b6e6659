//! A bar for a person who waits.

use indicatif::{ProgressBar, ProgressStyle};
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

/// Says every second that something of unknown length goes on.
pub fn waiting(what: String) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    let bar = match ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    };
    let bar = bar.with_message(what);
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

fn bar(length: u64, style: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    match ProgressStyle::with_template(style) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
