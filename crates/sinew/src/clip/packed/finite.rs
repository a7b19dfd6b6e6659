//! Check that tracks are finite at every time, from bounds on their values.

use super::clip::PackedClip;
use super::motion::{Channel, Motion, VectorGroup};
use super::read::bytes::PackedError;
use crate::clip::track::{Interpolation, Track};
use crate::skeleton::Skeleton;

/// Max magnitude of a value, with a margin for rounding.
const MAX: f64 = 0.25 * f32::MAX as f64;
/// Max component of a rotation. The sum of four squares of this size is finite.
const MAX_ROTATION: f64 = 1e18;

fn largest(track: &Track) -> f64 {
    let most = |values: &mut dyn Iterator<Item = &f32>| {
        values.fold(0.0, |most, v| f64::max(most, f64::from(*v).abs()))
    };
    let keys = most(&mut (0..track.keys()).flat_map(|k| track.key(k)));
    let steps = || track.times().windows(2).map(|t| f64::from(t[1] - t[0]));
    let longest = steps().fold(0.0, f64::max);
    match track.interpolation() {
        Interpolation::Step => keys,
        Interpolation::Linear | Interpolation::Slerp => 3.0 * keys,
        Interpolation::CubicHermite => {
            3.0 * keys + 2.0 * most(&mut track.values().iter()) * longest.max(1.0)
        }
        Interpolation::Quadratic | Interpolation::CatmullRom if keys == 0.0 => 0.0,
        Interpolation::Quadratic | Interpolation::CatmullRom => {
            let shortest = steps().fold(f64::INFINITY, f64::min);
            let slope = 2.0 * keys / shortest;
            let bend = 2.0 * slope / shortest;
            let over = longest.max(1.0);
            3.0 * keys + 4.0 * (slope + bend * over) * over
        }
    }
}

/// True if a track is finite at every time.
pub fn is_finite(track: &Track, is_turn: bool) -> bool {
    largest(track) < if is_turn { MAX_ROTATION } else { MAX }
}

impl VectorGroup {
    fn is_finite(&self, lane: usize) -> bool {
        let largest = |c: usize| {
            let [low, scale, half_step] =
                [&self.low, &self.scale, &self.half_step].map(|rows| f64::from(rows[c].0[lane]));
            low.abs() + 65536.0 * scale.abs() + 131_072.0 * half_step
        };
        (0..3).all(|c| largest(c) < MAX)
    }
}

impl Motion<'_> {
    /// First channel that is not finite at some time. Packed rotations are always finite.
    pub fn not_finite(&self) -> Option<(usize, Channel)> {
        let vectors = self.vectors.iter().flat_map(|group| {
            let tracks = group.tracks.iter().enumerate();
            tracks.filter(|(lane, _)| !group.is_finite(*lane))
        });
        let raw = self.raw.iter();
        let raw = raw.filter(|t| !is_finite(&t.track, t.channel == Channel::Rotation));
        let vectors = vectors.map(|(_, t)| (t.joint, t.channel));
        vectors.chain(raw.map(|t| (t.joint, t.channel))).next()
    }

    fn has_times(&self) -> bool {
        let (frames, head) = (self.head.frames.saturating_sub(1), &self.head);
        let even = head.start_secs + frames as f64 / head.frames_per_sec;
        let last = self.times.last().map_or(even, |last| f64::from(*last));
        self.segments.is_empty() || [head.start_secs, last].iter().all(|t| t.abs() < MAX)
    }
}

pub(super) fn check(
    number: usize,
    clip: &PackedClip<'_>,
    skeleton: &Skeleton,
) -> Result<(), PackedError> {
    let refused = |track: String| {
        Err(PackedError::NotFinite {
            clip: number,
            name: clip.name().to_owned(),
            track,
        })
    };
    if let Some((joint, channel)) = clip.motions().find_map(Motion::not_finite) {
        let channel = match channel {
            Channel::Translation => "translation",
            Channel::Rotation => "rotation",
            Channel::Scale => "scale",
        };
        return refused(format!("the {channel} of \"{}\"", skeleton.name(joint)));
    }
    if !clip.motions().all(Motion::has_times) {
        return refused("the times of frames".to_owned());
    }
    if let Some(curve) = clip.curves().iter().find(|c| !is_finite(&c.track, false)) {
        return refused(format!("the curve \"{}\"", curve.name));
    }
    let morphs = clip.morphs();
    if let Some(morph) = morphs.iter().find(|m| !is_finite(&m.weights, false)) {
        return refused(format!("the morph weights of node {}", morph.node));
    }
    Ok(())
}
