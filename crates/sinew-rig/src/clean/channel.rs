//! Rotations and paths of joints as rows of numbers.

use crate::motion::take::Take;
use crate::retarget::body::model_pose::Local;
use glam::{DQuat, DVec3};

/// Flaw of a key that is replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flaw {
    Gap,
    Spike,
}

/// Values of a joint per frame: N = 4 for rotations, 3 for translations.
pub(super) struct Channel<const N: usize> {
    pub joint: usize,
    pub values: Vec<[f64; N]>,
    /// Keys to replace.
    pub flaws: Vec<Option<Flaw>>,
}

impl<const N: usize> Channel<N> {
    fn new(joint: usize, values: Vec<[f64; N]>) -> Self {
        let flaws = vec![None; values.len()];
        Self {
            joint,
            values,
            flaws,
        }
    }

    fn moves(&self) -> bool {
        self.values.iter().any(|value| *value != self.values[0])
    }
}

/// All moving channels of a take.
pub(super) struct Channels {
    pub rotations: Vec<Channel<4>>,
    pub translations: Vec<Channel<3>>,
}

impl Channels {
    pub fn of(take: &Take<'_>) -> Self {
        let joints = 0..take.skeleton.len();
        let rotations = joints.clone().map(|joint| {
            let mut values: Vec<[f64; 4]> = Vec::with_capacity(take.frames.len());
            for frame in &take.frames {
                let now = frame[joint].rotation;
                // Opposite quaternions are the same rotation.
                let before = values.last().map_or(now, |v| DQuat::from_array(*v));
                let now = if before.dot(now) < 0.0 { -now } else { now };
                values.push(now.to_array());
            }
            Channel::new(joint, values)
        });
        let translations = joints.map(|joint| {
            let values = take.frames.iter();
            let values = values.map(|frame| frame[joint].translation.to_array());
            Channel::new(joint, values.collect())
        });
        Self {
            rotations: rotations.filter(Channel::moves).collect(),
            translations: translations.filter(Channel::moves).collect(),
        }
    }

    /// Writes the values into the frames.
    pub fn write(&self, frames: &mut [Vec<Local>]) {
        for channel in &self.rotations {
            for (frame, value) in frames.iter_mut().zip(&channel.values) {
                let rotation = DQuat::from_array(*value);
                if rotation.length_squared() > 1e-12 {
                    frame[channel.joint].rotation = rotation.normalize();
                }
            }
        }
        for channel in &self.translations {
            for (frame, value) in frames.iter_mut().zip(&channel.values) {
                frame[channel.joint].translation = DVec3::from_array(*value);
            }
        }
    }
}

pub(super) fn distance<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}
