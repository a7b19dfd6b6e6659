//! Playback time: loops, ping-pong, stop, played range and events.
//!
//! An event fires on arrival. A step from `a` to `b` fires the events in `(a, b]` forwards, and in
//! `[b, a)` backwards. Each pass therefore fires an event once, for any step size.

use super::playback::{Ending, FiredEvent, Playback};
use sinew::Event;

const REMEMBERED_SECS: f64 = 1.0;

/// Max number of loops in one step.
const MAX_CYCLES: u32 = 64;

const MAX_FIRED: usize = 256;

impl Playback {
    /// First and last played time of a clip of the given duration, in seconds.
    pub fn played_secs(&self, duration_secs: f64) -> [f64; 2] {
        match self.range_secs {
            Some([from, to]) => {
                let to = to.clamp(0.0, duration_secs);
                [from.clamp(0.0, to), to]
            }
            None => [0.0, duration_secs],
        }
    }

    pub(crate) fn advance(
        &mut self,
        elapsed_secs: f64,
        duration_secs: f64,
        events: &[Event],
    ) -> bool {
        let flashed = !self.fired.is_empty();
        for fired in &mut self.fired {
            fired.age_secs += elapsed_secs;
        }
        self.fired.retain(|fired| fired.age_secs < REMEMBERED_SECS);
        let before = (self.time_secs, self.is_playing);
        if self.is_playing {
            let mut left = elapsed_secs * self.speed;
            let [from, to] = self.played_secs(duration_secs);
            if to <= from {
                return flashed;
            }
            let max = (to - from) * f64::from(MAX_CYCLES);
            if left > max && self.ending != Ending::Stop {
                left %= max;
            }
            self.travel(left, [from, to], events);
        }
        flashed || before != (self.time_secs, self.is_playing)
    }

    fn travel(&mut self, mut left: f64, [from, to]: [f64; 2], events: &[Event]) {
        // Every pass ends at an end of the range: two per loop, and one at the start.
        for _ in 0..=2 * MAX_CYCLES + 1 {
            let end = if self.is_backwards { from } else { to };
            let room = (end - self.time_secs).abs();
            if left < room {
                let step = if self.is_backwards { -left } else { left };
                self.go((self.time_secs + step).clamp(from, to), events);
                return;
            }
            self.go(end, events);
            left -= room;
            match self.ending {
                Ending::Stop => {
                    self.is_playing = false;
                    return;
                }
                _ if left <= 0.0 => return,
                Ending::PingPong => self.is_backwards = !self.is_backwards,
                Ending::Loop => self.jump(from, events),
            }
        }
    }

    /// Moves to a time and fires the events that it passes.
    pub(crate) fn go(&mut self, time_secs: f64, events: &[Event]) {
        let before = std::mem::replace(&mut self.time_secs, time_secs);
        let is_passed = |at: f64| {
            if before <= time_secs {
                before < at && at <= time_secs
            } else {
                time_secs <= at && at < before
            }
        };
        self.fire(events, is_passed, before > time_secs);
    }

    /// Jumps to a time. Events in between do not fire.
    pub(crate) fn jump(&mut self, time_secs: f64, events: &[Event]) {
        self.time_secs = time_secs;
        self.fire(events, |at| at == time_secs, false);
    }

    fn fire(&mut self, events: &[Event], is_passed: impl Fn(f64) -> bool, is_backwards: bool) {
        let passed = events.iter().enumerate();
        let passed = passed.filter(|(_, event)| is_passed(f64::from(event.time_secs)));
        let fired = passed.map(|(event, _)| FiredEvent {
            event,
            age_secs: 0.0,
        });
        let known = self.fired.len();
        self.fired.extend(fired);
        if is_backwards {
            self.fired[known..].reverse();
        }
        let excess = self.fired.len().saturating_sub(MAX_FIRED);
        self.fired.drain(..excess);
    }

    pub(crate) fn frames_away(&self, frames: i32) -> f64 {
        /// Max distance of a time from a frame that counts as on it, in frames.
        const ON_FRAME: f64 = 1e-4;
        let here = self.time_secs * self.fps;
        let nearest = here.round();
        let from = if (here - nearest).abs() < ON_FRAME {
            nearest
        } else if frames > 0 {
            here.floor()
        } else {
            here.ceil()
        };
        (from + f64::from(frames)) / self.fps
    }
}
