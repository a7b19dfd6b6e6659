//! A bar for a person who waits.

use indicatif::{ProgressBar, ProgressStyle};

/// Counts frames on standard error; nothing when nobody watches or there is only one.
pub fn progress(frames: u64) -> ProgressBar {
    if frames < 2 {
        return ProgressBar::hidden();
    }
    let style = "{bar:32} {pos}/{len} frames, {per_sec}, {eta} to go";
    let bar = ProgressBar::new(frames);
    match ProgressStyle::with_template(style) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
