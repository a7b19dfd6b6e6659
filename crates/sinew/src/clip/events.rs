//! Events that fire once per crossing, whatever the steps of time.
//!
//! Going forward from `a` to `b` fires what lies in `[a, b)`, going back from `a` to `b` what lies in
//! `(b, a]`, so consecutive steps neither miss nor repeat anything. A clamped clip that reaches an
//! end fires that end too, once, on arrival. Time is `f64` and unwrapped: a looping clip's event at
//! `e` recurs at `e + k · duration`, and no step accumulates rounding. A step across more than
//! [`MOST_CYCLES`] fires the events of the last ones only, and 2⁵³ cycles away from the start, where a
//! time no longer says which cycle it is in, nothing fires.

use super::Clip;

/// How many cycles of a loop a step can fire the events of: over a minute at a thousand a second.
pub const MOST_CYCLES: u32 = 65_536;

/// A discrete signal in a clip: a footstep, a sound, a puff of dust.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When, from the clip's start.
    pub time_secs: f32,
    /// What the engine knows it by.
    pub name: String,
}

/// What a player does past the ends of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Wrap {
    /// Starts over.
    #[default]
    Loop,
    /// Stays at the end.
    Clamp,
}

/// Where a clip is being played. Holds no reference to the clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Player {
    /// Seconds since the start of the first cycle; loops do not wrap it.
    time_secs: f64,
    /// Past the ends.
    pub wrap: Wrap,
    /// Clip seconds per second; negative plays backwards.
    pub speed: f64,
}

impl Player {
    /// At the start, at normal speed.
    pub fn new(wrap: Wrap) -> Self {
        Self {
            time_secs: 0.0,
            wrap,
            speed: 1.0,
        }
    }

    /// Unwrapped time: over the duration when a loop has come round.
    pub fn time_secs(&self) -> f64 {
        self.time_secs
    }

    /// The time to sample the clip at, in `[0, duration]`.
    pub fn clip_time_secs(&self, clip: &Clip) -> f64 {
        let duration = length_secs(clip);
        match self.wrap {
            Wrap::Clamp => self.time_secs.clamp(0.0, duration),
            Wrap::Loop if duration > 0.0 => {
                let cycles = (self.time_secs / duration).floor();
                (self.time_secs - cycles * duration).clamp(0.0, duration)
            }
            Wrap::Loop => 0.0,
        }
    }

    /// Plays on by `dt_secs` of real time and gives every event crossed, in the order of crossing.
    pub fn advance<'c>(&mut self, clip: &'c Clip, dt_secs: f64, fire: impl FnMut(&'c Event)) {
        self.scrub(clip, self.time_secs + dt_secs * self.speed, fire);
    }

    /// Goes to a time as playing would, and gives every event crossed on the way.
    pub fn scrub<'c>(&mut self, clip: &'c Clip, to_secs: f64, fire: impl FnMut(&'c Event)) {
        let from = self.time_secs;
        self.seek(clip, to_secs);
        crossed(clip, self.wrap, from, self.time_secs, fire);
    }

    /// Jumps to a time; nothing fires. A time that is not finite is ignored.
    pub fn seek(&mut self, clip: &Clip, to_secs: f64) {
        if !to_secs.is_finite() {
            return;
        }
        self.time_secs = match self.wrap {
            Wrap::Clamp => to_secs.clamp(0.0, length_secs(clip)),
            Wrap::Loop => to_secs,
        };
    }
}

/// How long a clip is played; one whose length makes no sense is a moment.
fn length_secs(clip: &Clip) -> f64 {
    let duration = f64::from(clip.duration_secs);
    if duration.is_finite() {
        duration.max(0.0)
    } else {
        0.0
    }
}

/// Gives every event between two times of a player, in the order of crossing.
fn crossed<'c>(clip: &'c Clip, wrap: Wrap, from: f64, to: f64, mut fire: impl FnMut(&'c Event)) {
    let duration = length_secs(clip);
    if clip.events.is_empty() || from == to {
        return;
    }
    let forward = to > from;
    let inside = |e: f64, low: f64, high: f64| {
        let half_open = if forward {
            low <= e && e < high
        } else {
            low < e && e <= high
        };
        let arrived = wrap == Wrap::Clamp && e == to && (e == 0.0 || e == duration);
        half_open || arrived
    };
    let (low, high) = if forward { (from, to) } else { (to, from) };
    let mut fire_cycle = |base: f64| {
        let mut give = |event: &'c Event| {
            if inside(base + f64::from(event.time_secs), low, high) {
                fire(event);
            }
        };
        if forward {
            clip.events.iter().for_each(&mut give);
        } else {
            clip.events.iter().rev().for_each(&mut give);
        }
    };
    if wrap == Wrap::Clamp || duration <= 0.0 {
        fire_cycle(0.0);
        return;
    }
    // An event at the very end of a cycle also stands at `high` of the cycle before.
    let first = (low / duration).floor() - 1.0;
    let last = (high / duration).floor();
    let farthest = 1.0 / f64::EPSILON;
    if !(first.abs() < farthest && last.abs() < farthest) {
        return;
    }
    let cycles = (last - first).min(f64::from(MOST_CYCLES));
    for n in (0..=cycles as u32).rev().map(f64::from) {
        let cycle = if forward { last - n } else { first + n };
        fire_cycle(cycle * duration);
    }
}
