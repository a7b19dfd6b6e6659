//! Captures, damaged by code: noise, gaps, spikes and feet that slide.

use glam::{Quat, Vec3};
use sinew::{Clip, Interpolation, Skeleton, Track};
use std::sync::Arc;

/// Damage that is added to a capture.
#[derive(Clone, Copy)]
pub struct Damage {
    /// Deviation of rotations about each axis, in degrees, and of paths along each axis, in metres.
    pub noise_deg: f32,
    pub noise_m: f32,
    /// Share of keys that are spikes of 30° to 60°.
    pub spikes: f32,
    /// Gaps per joint and second, of 0.1 s to 0.25 s.
    pub gaps: f32,
    /// Amplitude of the drift of the hips along the floor, in metres.
    pub skate_m: f32,
}

pub const ALL: Damage = Damage {
    noise_deg: 1.0,
    noise_m: 0.005,
    spikes: 0.005,
    gaps: 0.4,
    skate_m: 0.01,
};

/// Random numbers by a shift register (Marsaglia 2003).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Number in [0, 1).
    pub fn even(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    /// Number with a normal distribution of deviation 1 (Box and Muller 1958).
    pub fn normal(&mut self) -> f32 {
        let radius = (-2.0 * (1.0 - self.even()).ln()).sqrt();
        radius * (std::f32::consts::TAU * self.even()).cos()
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.normal(), self.normal(), self.normal())
    }
}

/// The clip with damage. All tracks get a key per frame. `metres` is the unit of the file.
pub fn damaged(skeleton: &Skeleton, clip: &Clip, damage: &Damage, metres: f64, seed: u64) -> Clip {
    let mut dice = Dice::new(seed);
    let mut damaged = clip.clone();
    let times = clip
        .tracks()
        .max_by_key(|t| t.keys())
        .expect("tracks")
        .times()
        .clone();
    let metre = (1.0 / metres) as f32;
    let gap = |dice: &mut Dice| gaps(dice, &times, damage.gaps);
    for tracks in &mut damaged.joints {
        if let Some(track) = tracks.rotation.as_mut().filter(|t| t.keys() > 1) {
            let mut keys = rotations(track, &times);
            for key in &mut keys {
                let turn = damage.noise_deg.to_radians() * dice.vector();
                *key = (Quat::from_scaled_axis(turn) * *key).normalize();
                if dice.even() < damage.spikes {
                    let angle = (30.0 + 30.0 * dice.even()).to_radians();
                    let axis = dice.vector().normalize_or(Vec3::X);
                    *key = (Quat::from_axis_angle(axis, angle) * *key).normalize();
                }
            }
            for (first, last) in gap(&mut dice) {
                let held = keys[first];
                keys[first..=last].fill(held);
            }
            *track = Track::rotations(times.clone(), &keys, Interpolation::Slerp).expect("finite");
        }
        if let Some(track) = tracks.translation.as_mut().filter(|t| t.keys() > 1) {
            let is_root = skeleton.is_root(tracks.joint);
            let mut keys = vectors(track, &times);
            for (key, secs) in keys.iter_mut().zip(times.iter()) {
                *key += damage.noise_m * metre * dice.vector();
                if is_root {
                    let wave = |hz: f32| (std::f32::consts::TAU * hz * secs).sin();
                    *key += damage.skate_m * metre * Vec3::new(wave(1.0), 0.0, wave(0.8));
                }
            }
            for (first, last) in gap(&mut dice) {
                let held = keys[first];
                keys[first..=last].fill(held);
            }
            *track = Track::vectors(times.clone(), &keys, Interpolation::Linear).expect("finite");
        }
    }
    damaged
}

/// First and last frames of gaps.
fn gaps(dice: &mut Dice, times: &[f32], rate: f32) -> Vec<(usize, usize)> {
    let step = (times[times.len() - 1] - times[0]) / (times.len() - 1) as f32;
    let mut gaps = Vec::new();
    for frame in 1..times.len() {
        if dice.even() < rate * step {
            let long = ((0.1 + 0.15 * dice.even()) / step) as usize;
            let after = gaps.last().map_or(0, |(_, last)| last + 8);
            if frame > after && frame + long + 8 < times.len() {
                gaps.push((frame, frame + long));
            }
        }
    }
    gaps
}

fn rotations(track: &Track, times: &Arc<Vec<f32>>) -> Vec<Quat> {
    let at = |secs: &f32| track.sample_rotation(f64::from(*secs)).expect("a rotation");
    times.iter().map(at).collect()
}

fn vectors(track: &Track, times: &Arc<Vec<f32>>) -> Vec<Vec3> {
    let at = |secs: &f32| track.sample_vector(f64::from(*secs)).expect("a vector");
    times.iter().map(at).collect()
}
