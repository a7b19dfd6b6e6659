//! CPU time of a thread, independent of other load on the machine.
#![allow(dead_code, reason = "each program of tests uses some of it")]

use std::time::{Duration, Instant};

/// Stopwatch for the CPU time of the current thread, or wall time if the system lacks it.
pub struct Clock {
    computed: Option<Duration>,
    begin: Instant,
}

impl Clock {
    pub fn start() -> Self {
        Self {
            computed: computed(),
            begin: Instant::now(),
        }
    }

    /// CPU time since the start.
    pub fn elapsed(&self) -> Duration {
        let own = computed().zip(self.computed);
        own.map_or_else(|| self.begin.elapsed(), |(now, then)| now - then)
    }
}

/// Linux reports nanoseconds.
fn computed() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

#[test]
fn time_asleep_does_not_count() {
    let clock = Clock::start();
    if clock.computed.is_none() {
        println!("SKIPPED: this system does not tell how long a thread computed");
        return;
    }
    std::thread::sleep(Duration::from_millis(50));
    let asleep = clock.elapsed();
    assert!(asleep < Duration::from_millis(25), "{asleep:?}");
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(200) {
        std::hint::spin_loop();
    }
    assert!(clock.elapsed() > asleep, "work counts");
}
