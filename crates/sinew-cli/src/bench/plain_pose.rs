//! Handwritten poses: the plain code of the motion cases.

use glam::{Affine3A, Quat, Vec3};
use sinew::{LocalPose, Skeleton, Transform};
use sinew_samples::MotionLoad;
use std::hint::black_box;

/// A clip as uncompressed frames, one array per component.
pub(super) struct PlainFrames {
    joints: usize,
    rate: f64,
    /// Ten rows per frame: translations, rotations, scales.
    frames: Vec<Vec<f32>>,
}

impl PlainFrames {
    /// Samples a clip at `rate` frames per second.
    pub fn new(load: &MotionLoad, rate: f64) -> Self {
        let count = (f64::from(load.clip.duration_secs) * rate).round() as usize + 1;
        let frame = |nth: usize| {
            let pose = load.pose(nth as f64 / rate);
            let row = |pick: &dyn Fn(&Transform) -> f32| -> Vec<f32> {
                pose.iter().map(|t| pick(&t)).collect()
            };
            let mut rows: Vec<Vec<f32>> = Vec::new();
            rows.extend((0..3).map(|i| row(&|t| t.translation[i])));
            rows.extend((0..4).map(|i| row(&|t| t.rotation.to_array()[i])));
            rows.extend((0..3).map(|i| row(&|t| t.scale[i])));
            rows.concat()
        };
        Self {
            joints: load.skeleton.len(),
            rate,
            frames: (0..count).map(frame).collect(),
        }
    }

    pub fn pose(&self) -> Vec<f32> {
        vec![0.0; 10 * self.joints]
    }

    pub fn sample(&self, time_secs: f64, out: &mut [f32]) {
        let at = (time_secs * self.rate).clamp(0.0, (self.frames.len() - 1) as f64);
        let first = (at as usize).min(self.frames.len() - 2);
        let part = (at - first as f64) as f32;
        self.lerp(&self.frames[first], &self.frames[first + 1], part, out);
    }

    pub fn lerp(&self, a: &[f32], b: &[f32], part: f32, out: &mut [f32]) {
        for ((a, b), out) in a.iter().zip(b).zip(out.iter_mut()) {
            *out = a + (b - a) * part;
        }
        let (x, rest) = out[3 * self.joints..7 * self.joints].split_at_mut(self.joints);
        let (y, rest) = rest.split_at_mut(self.joints);
        let (z, w) = rest.split_at_mut(self.joints);
        for (((x, y), z), w) in x.iter_mut().zip(y).zip(z).zip(w) {
            let scale = 1.0 / (*x * *x + *y * *y + *z * *z + *w * *w).sqrt();
            (*x, *y, *z, *w) = (*x * scale, *y * scale, *z * scale, *w * scale);
        }
    }

    pub fn to_transforms(rows: &[f32], out: &mut [Transform]) {
        let joints = out.len();
        for (joint, out) in out.iter_mut().enumerate() {
            let at = |row: usize| rows[row * joints + joint];
            *out = Transform {
                translation: Vec3::new(at(0), at(1), at(2)),
                rotation: Quat::from_xyzw(at(3), at(4), at(5), at(6)),
                scale: Vec3::new(at(7), at(8), at(9)),
            };
        }
    }
}

#[derive(Clone)]
pub(super) struct GlamPose {
    parents: Vec<Option<usize>>,
    pub locals: Vec<Transform>,
    maps: Vec<Affine3A>,
}

impl GlamPose {
    pub fn new(skeleton: &Skeleton, pose: &LocalPose) -> Self {
        Self {
            parents: skeleton.hierarchy().parents().collect(),
            locals: pose.iter().collect(),
            maps: vec![Affine3A::IDENTITY; skeleton.len()],
        }
    }

    pub fn run(&mut self) {
        let locals = black_box(&self.locals);
        for (joint, (local, parent)) in locals.iter().zip(&self.parents).enumerate() {
            let local = Affine3A::from_scale_rotation_translation(
                local.scale,
                local.rotation,
                local.translation,
            );
            self.maps[joint] = match parent {
                Some(parent) => self.maps[*parent] * local,
                None => local,
            };
        }
        black_box(&mut self.maps);
    }
}
