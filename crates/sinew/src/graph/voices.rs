//! Which clips a player hears at a moment, how far through and how loud, and what they come to. The
//! only place in a graph that touches clips, so that another kind of clip is a change here.

use super::{CheckedCondition, CheckedState, Stage};
use crate::blend::{Addition, BlendJob, CrossFade, Layer};
use crate::clip::events::crossed;
use crate::clip::{Event, Playable, Wrap};
use crate::pose::LocalPose;
use crate::root_motion::Placement;
use sinew_math::simd::Level;
use sinew_math::transform::Transform;

pub(super) use crate::clip::events::length_secs as duration_secs;

/// What is played, and with which parameters.
pub(super) struct Cue<'a, C> {
    pub stage: Stage<'a, C>,
    pub parameters: &'a [f32],
}

/// A clip as it is heard: at most two of a state, and two states at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Voice {
    clip: usize,
    /// 0 when it is not heard at all.
    weight: f32,
    /// How many times through, without wrapping.
    phase: f64,
    wrap: Wrap,
}

pub(super) type Voices = [Voice; 4];

impl Voice {
    /// The time in the clip, and its cycle.
    fn time_secs(&self, clip: &impl Playable) -> (f64, f64) {
        let (part, cycle) = self.wrap.fold(self.phase, 1.0);
        (part * duration_secs(clip), cycle)
    }

    /// The time that events are counted by.
    fn unwrapped_secs(&self, duration: f64) -> f64 {
        match self.wrap {
            Wrap::Clamp => self.phase.clamp(0.0, 1.0) * duration,
            Wrap::Loop | Wrap::PingPong => self.phase * duration,
        }
    }
}

/// A state and how far it has been played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Playing {
    pub state: usize,
    /// How many times through, without wrapping.
    pub phase: f64,
    pub elapsed_secs: f64,
}

impl Playing {
    /// A step so long that there is no such time is not made.
    fn advance(&mut self, rate: f64, dt_secs: f64) {
        let phase = self.phase + rate * dt_secs;
        if phase.abs() < FARTHEST {
            self.phase = phase;
        }
        self.elapsed_secs += dt_secs;
    }
}

/// Farther through than this a phase does not say any more which cycle it is in, and the way there is no number.
const FARTHEST: f64 = 1.0 / f64::EPSILON;

/// Where a motion that is played at this rate ends.
fn end_phase(rate: f64) -> f64 {
    if rate < 0.0 { 0.0 } else { 1.0 }
}

/// A state that is on its way out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fading {
    pub from: Playing,
    pub fade: CrossFade,
    pub in_phase: bool,
}

/// All that time moves in a player, but for its inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    pub now: Playing,
    pub fading: Option<Fading>,
}

impl Clock {
    /// Cycles a second of the state and of what fades out.
    fn rates(&self, cue: &Cue<'_, impl Playable>) -> [f64; 2] {
        let rate = |playing: &Playing| {
            let state = &cue.stage.graph.states[playing.state];
            let share = |(clip, weight): (usize, f32)| {
                let duration = duration_secs(&cue.stage.clips[clip]);
                match duration > 0.0 {
                    true => f64::from(weight) / duration,
                    false => 0.0,
                }
            };
            let [a, b] = state.mix(cue.parameters).map(share);
            state.speed * (a + b)
        };
        let now = rate(&self.now);
        let Some(fading) = &self.fading else {
            return [now, 0.0];
        };
        let from = rate(&fading.from);
        if fading.in_phase {
            let both = from + (now - from) * f64::from(fading.fade.weight());
            return [both, both];
        }
        [now, from]
    }

    /// When the state's motion comes to its end, which it has when that is not over 0.
    pub fn secs_to_end(&self, cue: &Cue<'_, impl Playable>) -> f64 {
        let [rate, _] = self.rates(cue);
        match rate == 0.0 {
            true => 0.0,
            false => (end_phase(rate) - self.now.phase) / rate,
        }
    }

    /// How long until a fade is over or a transition that waits for time alone may be taken, and how far
    /// the state is then, to the last bit.
    pub fn turning_point(&self, cue: &Cue<'_, impl Playable>) -> Option<(f64, Playing)> {
        let ([rate, _], now) = (self.rates(cue), self.now);
        let moment = |secs: f64, phase: f64, elapsed_secs: f64| {
            let state = now.state;
            let then = Playing {
                state,
                phase,
                elapsed_secs,
            };
            (secs, then)
        };
        let (phase_in, elapsed_in) = (
            |secs: f64| now.phase + rate * secs,
            |secs: f64| now.elapsed_secs + secs,
        );
        let conditions = cue
            .stage
            .graph
            .leading_away(now.state)
            .flat_map(|t| &t.when);
        let waited_for = conditions.filter_map(|condition| match *condition {
            CheckedCondition::Ended => {
                let secs = self.secs_to_end(cue);
                Some(moment(secs, end_phase(rate), elapsed_in(secs)))
            }
            CheckedCondition::After(elapsed_secs) => {
                let secs = elapsed_secs - now.elapsed_secs;
                Some(moment(secs, phase_in(secs), elapsed_secs))
            }
            _ => None,
        });
        let faded = self.fading.map(|fading| {
            let secs = fading.fade.remaining_secs();
            moment(secs, phase_in(secs), elapsed_in(secs))
        });
        let ahead = waited_for.chain(faded).filter(|(secs, _)| *secs > 0.0);
        ahead.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// What is heard so many seconds from now, or ago, if nothing else changes.
    pub fn voices(&self, cue: &Cue<'_, impl Playable>, ahead_secs: f64) -> Voices {
        let rates = self.rates(cue);
        let pair = |playing: &Playing, rate: f64, share: f32| {
            let state = &cue.stage.graph.states[playing.state];
            state.mix(cue.parameters).map(|(clip, weight)| Voice {
                clip,
                weight: weight * share,
                phase: playing.phase + rate * ahead_secs,
                wrap: state.wrap,
            })
        };
        let ([a, b], [c, d]) = match &self.fading {
            Some(Fading { from, fade, .. }) => {
                let share = fade.weight_at(ahead_secs);
                let now = pair(&self.now, rates[0], share);
                (now, pair(from, rates[1], 1.0 - share))
            }
            None => (pair(&self.now, rates[0], 1.0), pair(&self.now, 0.0, 0.0)),
        };
        [a, b, c, d]
    }

    pub fn advance(&mut self, cue: &Cue<'_, impl Playable>, dt_secs: f64) {
        let [now, from] = self.rates(cue);
        self.now.advance(now, dt_secs);
        if let Some(fading) = &mut self.fading {
            fading.from.advance(from, dt_secs);
            fading.fade.advance(dt_secs);
        }
    }
}

impl CheckedState {
    /// Its two clips and their weights; of a single clip, nothing for the second.
    fn mix(&self, parameters: &[f32]) -> [(usize, f32); 2] {
        if let [only] = self.points[..] {
            return [(only.clip, 1.0), (only.clip, 0.0)];
        }
        let value = f64::from(parameters[self.parameter]);
        let after = self.points.partition_point(|p| f64::from(p.at) <= value);
        let after = after.clamp(1, self.points.len() - 1);
        let (a, b) = (&self.points[after - 1], &self.points[after]);
        let along = (value - f64::from(a.at)) / (f64::from(b.at) - f64::from(a.at));
        let along = along.clamp(0.0, 1.0) as f32;
        [(a.clip, 1.0 - along), (b.clip, along)]
    }
}

/// Writes what the voices and what is left of older ones come to, in place when root motion is taken out.
pub(super) fn mix_pose(
    cue: &Cue<'_, impl Playable>,
    level: Level,
    voices: &Voices,
    inertia: Option<[Addition<'_>; 2]>,
    samples: &mut [LocalPose; 4],
    out: &mut LocalPose,
) {
    let mut weights = [0.0; 4];
    let mut heard = 0;
    for voice in voices.iter().filter(|voice| voice.weight > 0.0) {
        let (clip, pose) = (&cue.stage.clips[voice.clip], &mut samples[heard]);
        let (time_secs, cycle) = voice.time_secs(clip);
        clip.sample_into(cue.stage.skeleton, time_secs, pose);
        if let Some(motion) = cue.stage.graph.root_motions.get(voice.clip) {
            motion.take_out(cycle, pose);
        }
        weights[heard] = voice.weight;
        heard += 1;
    }
    let mut layers: [Layer; 4] = std::array::from_fn(|n| Layer::new(&samples[n], weights[n]));
    // As short-lived as the layers.
    let mut inertia: Option<[Addition; 2]> = inertia;
    let job = BlendJob {
        rest: cue.stage.skeleton.rest(),
        layers: &mut layers[..heard],
        additions: inertia.as_mut().map_or(&mut [], |both| &mut both[..]),
        level,
    };
    job.run(out).expect("weights and sizes are the graph's own");
}

/// Gives the events between two moments of the same voices, with the mean of their weights.
pub(super) fn fire<'c, C: Playable>(
    clips: &'c [C],
    before: &Voices,
    after: &Voices,
    mut fire: impl FnMut(&'c Event, usize, f32),
) {
    for (before, after, weight) in heard_between(before, after) {
        let clip = &clips[after.clip];
        let duration = duration_secs(clip);
        let [from, to] = [before, after].map(|voice| voice.unwrapped_secs(duration));
        let fire = |event| fire(event, after.clip, weight);
        crossed(clip.events(), duration, after.wrap, from, to, fire);
    }
}

/// The voices that are heard at one of two moments, and the mean of their weights.
fn heard_between<'v>(
    before: &'v Voices,
    after: &'v Voices,
) -> impl Iterator<Item = (&'v Voice, &'v Voice, f32)> {
    let voices = before.iter().zip(after);
    let voices =
        voices.map(|(before, after)| (before, after, 0.5 * (before.weight + after.weight)));
    voices.filter(|(_, _, weight)| *weight > 0.0)
}

/// How far the character goes between two moments of the same voices, by the mean of their weights.
pub(super) fn root_step(
    cue: &Cue<'_, impl Playable>,
    before: &Voices,
    after: &Voices,
) -> Placement {
    let motions = &cue.stage.graph.root_motions;
    let steps = heard_between(before, after).filter_map(|(before, after, weight)| {
        let motion = motions.get(after.clip)?;
        let clip = &cue.stage.clips[after.clip];
        let at = |voice: &Voice| -> (f64, Transform) {
            let (time_secs, cycle) = voice.time_secs(clip);
            let local = clip.sample_joint_at(cue.stage.skeleton, motion.joint(), time_secs);
            (cycle, local)
        };
        let (from, to) = (at(before), at(after));
        let step = motion.step((from.0, &from.1), (to.0, &to.1));
        Some((step, f64::from(weight)))
    });
    Placement::blend(cue.stage.graph.up(), steps)
}
