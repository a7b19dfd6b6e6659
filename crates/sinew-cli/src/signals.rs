//! Ctrl-C and the request to end: unfinished outputs are removed first.

/// Starts to wait for the signals. Without the thread, they end the program as before.
#[cfg(unix)]
pub fn watch() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else {
        return;
    };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            sinew_io::abandon_replacements();
            // Ends the program as the signal would have.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
}

#[cfg(not(unix))]
pub fn watch() {}
