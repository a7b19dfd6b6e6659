//! How the moment moves: loops, turning round, stopping, in and out points, and events that fire on the way.
//!
//! An event fires when its moment is reached, and not again when it is left: going from `a` to `b` fires what lies in
//! `(a, b]` forwards and in `[b, a)` backwards. So it fires once each time it is passed, whatever the steps.

use super::playback::{Ending, FiredEvent, Playback};
use sinew::Event;

/// How long an event that fired is remembered.
const REMEMBERED_SECS: f64 = 1.0;

/// The most times that one step goes through the range with all of its events.
const MAX_CYCLES: u32 = 64;

/// The most events that are remembered.
const MAX_FIRED: usize = 256;

impl Playback {
    /// The first and the last moment that are played of a clip of some length.
    pub fn played_secs(&self, duration_secs: f64) -> [f64; 2] {
        match self.range_secs {
            Some([from, to]) => {
                let to = to.clamp(0.0, duration_secs);
                [from.clamp(0.0, to), to]
            }
            None => [0.0, duration_secs],
        }
    }

    /// Lets some real time pass. Whether anything is different.
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
            // What goes round more often than can be seen goes round a few times.
            let most = (to - from) * f64::from(MAX_CYCLES);
            if left > most && self.ending != Ending::Stop {
                left %= most;
            }
            self.travel(left, [from, to], events);
        }
        flashed || before != (self.time_secs, self.is_playing)
    }

    fn travel(&mut self, mut left: f64, [from, to]: [f64; 2], events: &[Event]) {
        // Every turn ends at an end of the range: twice as many as cycles, and one to begin with.
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
                // Arrived, and the next step goes on from here.
                _ if left <= 0.0 => return,
                Ending::PingPong => self.is_backwards = !self.is_backwards,
                Ending::Loop => self.jump(from, events),
            }
        }
    }

    /// Goes to a moment through all that lie between.
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

    /// Goes to a moment past all that lie between.
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

    /// The moment some frames away, on the grid of frames.
    pub(crate) fn frames_away(&self, frames: i32) -> f64 {
        /// A moment so near to a frame, in frames, is on it.
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
