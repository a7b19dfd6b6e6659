//! Playback time of a clip: loops, ping-pong, speed, and events.
//!
//! A forward step from `a` to `b` fires the events in `[a, b)`. A backward step fires the events in
//! `(b, a]`. Consecutive steps of any size therefore neither miss nor repeat an event. A clamped
//! clip also fires events at its end once, on arrival. A ping-pong clip fires an event once in each
//! direction, and once at a reversal. Time is `f64` and unwrapped, so rounding does not accumulate.
//! A step over more than [`MAX_CYCLES`] cycles fires only the events of the last [`MAX_CYCLES`]
//! cycles. Beyond 2⁵³ cycles, times are too coarse and nothing fires.

pub use super::keyed::Event;

use super::playable::Playable;

/// Max number of cycles whose events one step fires.
pub const MAX_CYCLES: u32 = 65_536;

/// Behaviour of a player past the ends of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Wrap {
    /// Starts over.
    #[default]
    Loop,
    /// Stays at the end.
    #[doc(alias = "one-shot")]
    #[doc(alias = "once")]
    Clamp,
    /// Reverses: every second cycle plays backwards.
    PingPong,
}

impl Wrap {
    /// Converts an unwrapped time to the time in the clip, in `[0, duration]`. The second value is
    /// the number of completed loops, or 0 without looping.
    ///
    /// A duration that is negative or not finite counts as 0. A time of NaN, or an infinite time in
    /// a loop, gives the start.
    ///
    /// ```
    /// use sinew::Wrap;
    /// assert_eq!(Wrap::Loop.fold(2.5, 1.0), (0.5, 2.0));
    /// assert_eq!(Wrap::Clamp.fold(2.5, 1.0), (1.0, 0.0));
    /// assert_eq!(Wrap::PingPong.fold(1.75, 1.0), (0.25, 0.0));
    /// ```
    pub fn fold(self, time_secs: f64, duration_secs: f64) -> (f64, f64) {
        // `clamp` would panic or return NaN.
        let within = |time: f64| time.max(0.0).min(duration_secs);
        if !(duration_secs > 0.0 && duration_secs.is_finite()) {
            return (0.0, 0.0);
        }
        if self == Self::Clamp {
            return (within(time_secs), 0.0);
        }
        let cycle = (time_secs / duration_secs).floor();
        if !cycle.is_finite() {
            return (0.0, 0.0);
        }
        let time = within(time_secs - cycle * duration_secs);
        match self {
            Self::PingPong if is_odd(cycle) => (within(duration_secs - time), 0.0),
            Self::PingPong => (time, 0.0),
            _ => (time, cycle),
        }
    }
}

fn is_odd(cycle: f64) -> bool {
    (cycle * 0.5).floor() != cycle * 0.5
}

/// Clock of a clip. It holds no reference to the clip.
///
/// ```
/// use sinew::{Clip, Player, Wrap};
/// let mut walk = Clip::new("walk");
/// walk.add_event(0.25, "left foot");
/// walk.add_event(0.75, "right foot");
/// walk.duration_secs = 1.0;
/// let mut player = Player::new(Wrap::Loop).starting_at(0.5);
/// player.speed = 2.0;
/// let mut heard = Vec::new();
/// player.advance(&walk, 0.5, |event| heard.push(event.name.as_str()));
/// assert_eq!(heard, ["right foot", "left foot"]);
/// assert_eq!(player.clip_time_secs(&walk), 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "animation player")]
#[doc(alias = "playback")]
pub struct Player {
    time_secs: f64,
    /// Behaviour past the ends of the clip.
    pub wrap: Wrap,
    /// Clip seconds per second. Negative values play backwards. Default 1.
    pub speed: f64,
}

impl Player {
    /// Player at the start, with speed 1.
    pub fn new(wrap: Wrap) -> Self {
        Self {
            time_secs: 0.0,
            wrap,
            speed: 1.0,
        }
    }

    /// Sets the unwrapped time, in seconds. A time that is not finite has no effect.
    pub fn starting_at(self, time_secs: f64) -> Self {
        if time_secs.is_finite() {
            Self { time_secs, ..self }
        } else {
            self
        }
    }

    /// Unwrapped time, in seconds. It exceeds the duration of the clip after a loop.
    pub fn time_secs(&self) -> f64 {
        self.time_secs
    }

    /// Time at which to sample the clip, in seconds in `[0, duration]`.
    pub fn clip_time_secs(&self, clip: &(impl Playable + ?Sized)) -> f64 {
        self.wrap.fold(self.time_secs, length_secs(clip)).0
    }

    /// Number of completed loops, for root motion. Negative before the start.
    pub fn cycle(&self, clip: &(impl Playable + ?Sized)) -> f64 {
        self.wrap.fold(self.time_secs, length_secs(clip)).1
    }

    /// Advances by `dt_secs` of real time and reports the events passed, in order.
    pub fn advance<'c, C: Playable + ?Sized>(
        &mut self,
        clip: &'c C,
        dt_secs: f64,
        fire: impl FnMut(&'c Event),
    ) {
        self.scrub(clip, self.time_secs + dt_secs * self.speed, fire);
    }

    /// Moves to an unwrapped time, in seconds, and reports the events passed.
    pub fn scrub<'c, C: Playable + ?Sized>(
        &mut self,
        clip: &'c C,
        to_secs: f64,
        fire: impl FnMut(&'c Event),
    ) {
        let from = self.time_secs;
        self.seek(clip, to_secs);
        let (events, duration) = (clip.events(), length_secs(clip));
        crossed(events, duration, self.wrap, from, self.time_secs, fire);
    }

    /// Jumps to an unwrapped time, in seconds, without events. Ignores a time that is not finite.
    pub fn seek(&mut self, clip: &(impl Playable + ?Sized), to_secs: f64) {
        if !to_secs.is_finite() {
            return;
        }
        self.time_secs = match self.wrap {
            Wrap::Clamp => to_secs.clamp(0.0, length_secs(clip)),
            Wrap::Loop | Wrap::PingPong => to_secs,
        };
    }
}

/// Duration for playback, in seconds. 0 if the duration is negative or not finite.
pub(crate) fn length_secs(clip: &(impl Playable + ?Sized)) -> f64 {
    let duration = f64::from(clip.duration_secs());
    if duration.is_finite() {
        duration.max(0.0)
    } else {
        0.0
    }
}

/// Reports events between two unwrapped times, in order. With `Clamp`, both are within the clip.
pub(crate) fn crossed<'c>(
    events: &'c [Event],
    duration: f64,
    wrap: Wrap,
    from: f64,
    to: f64,
    mut fire: impl FnMut(&'c Event),
) {
    if events.is_empty() || from == to {
        return;
    }
    let forward = to > from;
    let (low, high) = if forward { (from, to) } else { (to, from) };
    let is_crossed = |at: f64| {
        let half_open = if forward {
            low <= at && at < high
        } else {
            low < at && at <= high
        };
        let arrived = wrap == Wrap::Clamp && at == to && (at == 0.0 || at == duration);
        half_open || arrived
    };
    let mut fire_cycle = |cycle: f64| {
        let mirrored = wrap == Wrap::PingPong && is_odd(cycle);
        let mut give = |event: &'c Event| {
            let time = f64::from(event.time_secs);
            let into = if mirrored { duration - time } else { time };
            // An event at the far reversal belongs to the next cycle.
            let is_next = wrap == Wrap::PingPong && into >= duration && duration > 0.0;
            if !is_next && is_crossed(cycle * duration + into) {
                fire(event);
            }
        };
        if forward != mirrored {
            events.iter().for_each(&mut give);
        } else {
            events.iter().rev().for_each(&mut give);
        }
    };
    if wrap == Wrap::Clamp || duration <= 0.0 {
        fire_cycle(0.0);
        return;
    }
    // An event at the end of a cycle may belong to the cycle before.
    let first = (low / duration).floor() - 1.0;
    let last = (high / duration).floor();
    let farthest = 1.0 / f64::EPSILON;
    if !(first.abs() < farthest && last.abs() < farthest) {
        return;
    }
    let cycles = (last - first).min(f64::from(MAX_CYCLES));
    for n in (0..=cycles as u32).rev().map(f64::from) {
        let cycle = if forward { last - n } else { first + n };
        fire_cycle(cycle);
    }
}
