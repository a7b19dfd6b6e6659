//! Clips made ready to play: tracks that share their key times are found together, tracks that never change are written
//! as they are, and rotations are interpolated four at a time. Poses have the bits of [`sample`](super::sample::sample).

mod key_times;
mod slerp;

use super::keyed::{Clip, ClipSpace, Curve, Event, JointTracks, MorphTrack};
use super::mismatch::ClipMismatch;
use super::playable::Playable;
use super::track::{Interpolation, Track};
use crate::pose::{BLOCK, JointSet, LocalPose, PoseBlock};
use crate::skeleton::Skeleton;
use fearless_simd::prelude::*;
use fearless_simd_macros::simd;
use glam::Quat;
use key_times::KeyTimes;
use sinew_math::dispatch;
use sinew_math::simd::Level;
use sinew_math::transform::Transform;
use slerp::{Arcs, half_angle, slerp};
use std::collections::HashMap;
use std::sync::Arc;

impl Clip {
    /// Same clip for fast playback. Poses have the same bits. [`Rig::new`](crate::Rig::new) prepares
    /// the clips of the character. Keys stay shared; the result takes at most as much memory in
    /// addition. A clip in model space is returned as it is.
    pub fn prepared(self) -> Arc<dyn Playable> {
        let is_ascending = self.joints.is_sorted_by(|a, b| a.joint < b.joint);
        match self.space {
            ClipSpace::Local if is_ascending => Arc::new(PreparedClip::new(self)),
            _ => Arc::new(self),
        }
    }
}

#[derive(Debug)]
struct PreparedClip {
    clip: Clip,
    joints: usize,
    still: Vec<Still>,
    /// Distinct key times of `moving`.
    times: Vec<KeyTimes>,
    /// Tracks that share their times follow each other.
    moving: Vec<Moving>,
    level: Level,
}

/// Channel whose value never changes. A vector has no fourth number.
#[derive(Debug)]
struct Still {
    joint: usize,
    rows: Rows,
    value: [f32; 4],
}

#[derive(Debug)]
struct Moving {
    joint: usize,
    rows: Rows,
    /// Index of its key times.
    times: usize,
    track: Track,
    path: Path,
}

/// Rows of a pose that a track writes.
#[derive(Clone, Copy, Debug)]
enum Rows {
    Translation,
    Rotation,
    Scale,
}

#[derive(Debug)]
enum Path {
    /// Rotations on arcs, with half the angle of each segment.
    Arcs(Box<[f32]>),
    /// Vectors on straight lines.
    Lines,
    /// Every other interpolation.
    Other,
}

impl PreparedClip {
    fn new(clip: Clip) -> Self {
        let (mut still, mut times, mut moving) = (Vec::new(), Vec::new(), Vec::new());
        let mut indices: HashMap<&[u32], usize> = HashMap::new();
        for (joint, rows, track) in clip.joints.iter().flat_map(channels) {
            if let Some(value) = only_value(rows, track) {
                still.push(Still { joint, rows, value });
                continue;
            }
            let index = indices.entry(bytemuck::cast_slice(track.times().as_slice()));
            let index = *index.or_insert_with(|| {
                times.push(KeyTimes::new(track.times()));
                times.len() - 1
            });
            moving.push(Moving {
                joint,
                rows,
                times: index,
                track: track.clone(),
                path: Path::of(rows, track),
            });
        }
        moving.sort_by_key(|moving| moving.times);
        Self {
            joints: Playable::joints(&clip),
            clip,
            still,
            times,
            moving,
            level: Level::best(),
        }
    }

    /// Overwrites the channels with tracks, of all joints or of those in `mask`.
    fn overwrite(&self, time_secs: f64, mask: Option<&JointSet>, pose: &mut LocalPose) {
        let blocks = pose.blocks_mut();
        for still in &self.still {
            if mask.is_none_or(|mask| mask.contains(still.joint)) {
                still.rows.put(blocks, still.joint, &still.value);
            }
        }
        dispatch!(self.level, simd => overwrite_moving(simd, self, time_secs, mask, blocks));
    }
}

/// Tracks of a joint that have the width of their channel. Others have no effect.
fn channels(tracks: &JointTracks) -> impl Iterator<Item = (usize, Rows, &Track)> {
    let channels = [
        (Rows::Translation, 3, &tracks.translation),
        (Rows::Rotation, 4, &tracks.rotation),
        (Rows::Scale, 3, &tracks.scale),
    ];
    channels.into_iter().filter_map(|(rows, width, track)| {
        let track = track.as_ref().filter(|track| track.width() == width)?;
        Some((tracks.joint, rows, track))
    })
}

/// Value of a track that has the same bits at every time.
fn only_value(rows: Rows, track: &Track) -> Option<[f32; 4]> {
    let first = track.key(0);
    let is_straight = match track.interpolation() {
        Interpolation::Step => true,
        // Between two keys of -0, there is 0. Equal rotations are normalized or weighted.
        Interpolation::Linear | Interpolation::Slerp => {
            !matches!(rows, Rows::Rotation) && !first.iter().any(|x| x.to_bits() == 1 << 31)
        }
        _ => false,
    };
    let is_same = |key: &[f32]| {
        key.iter()
            .zip(first)
            .all(|(a, b)| a.to_bits() == b.to_bits())
    };
    let is_still =
        track.keys() == 1 || is_straight && (1..track.keys()).all(|k| is_same(track.key(k)));
    is_still.then(|| {
        let mut value = [0.0; 4];
        value[..first.len()].copy_from_slice(first);
        value
    })
}

impl Path {
    fn of(rows: Rows, track: &Track) -> Self {
        let key = |k: usize| {
            let v = track.key(k);
            Quat::from_xyzw(v[0], v[1], v[2], v[3])
        };
        match (rows, track.interpolation()) {
            (Rows::Rotation, Interpolation::Slerp) => {
                let angles = (1..track.keys()).map(|k| half_angle(key(k - 1), key(k)));
                Self::Arcs(angles.collect())
            }
            (Rows::Translation | Rows::Scale, Interpolation::Linear | Interpolation::Slerp) => {
                Self::Lines
            }
            _ => Self::Other,
        }
    }
}

impl Rows {
    #[inline(always)]
    fn put(self, blocks: &mut [PoseBlock], joint: usize, value: &[f32]) {
        let block = &mut blocks[joint / BLOCK];
        let rows = match self {
            Self::Translation => &mut block.translation[..],
            Self::Rotation => &mut block.rotation,
            Self::Scale => &mut block.scale,
        };
        for (row, value) in rows.iter_mut().zip(value) {
            row[joint % BLOCK] = *value;
        }
    }
}

#[simd]
fn overwrite_moving<S: Simd>(
    simd: S,
    clip: &PreparedClip,
    time_secs: f64,
    mask: Option<&JointSet>,
    blocks: &mut [PoseBlock],
) {
    let (mut arcs, mut joints, mut lanes) = (Arcs::default(), [0; 4], 0);
    let (mut times, mut at) = (usize::MAX, (0, 0.0));
    for moving in &clip.moving {
        let Moving {
            joint, rows, track, ..
        } = moving;
        if mask.is_some_and(|mask| !mask.contains(*joint)) {
            continue;
        }
        if moving.times != times {
            times = moving.times;
            at = clip.times[times].locate(time_secs);
        }
        let (key, along) = at;
        if along == 0.0 {
            rows.put(blocks, *joint, track.key(key));
            continue;
        }
        match &moving.path {
            Path::Arcs(half_angles) => {
                let keys = &track.values()[4 * key..4 * key + 8];
                arcs.from[lanes].copy_from_slice(&keys[..4]);
                arcs.to[lanes].copy_from_slice(&keys[4..]);
                arcs.half_angle[lanes] = half_angles[key];
                arcs.along[lanes] = along as f32;
                joints[lanes] = *joint;
                lanes += 1;
                if lanes == joints.len() {
                    put_rotations(blocks, &joints, &slerp(simd, &arcs));
                    lanes = 0;
                }
            }
            Path::Lines => {
                let (keys, along) = (&track.values()[3 * key..3 * key + 6], along as f32);
                let line = |c: usize| keys[c] + (keys[c + 3] - keys[c]) * along;
                rows.put(blocks, *joint, &[line(0), line(1), line(2)]);
            }
            Path::Other if matches!(rows, Rows::Rotation) => {
                rows.put(blocks, *joint, &track.rotation_at(at).to_array());
            }
            Path::Other => {
                let mut value = [0.0; 3];
                track.components_at(at, &mut value);
                rows.put(blocks, *joint, &value);
            }
        }
    }
    if lanes > 0 {
        put_rotations(blocks, &joints[..lanes], &slerp(simd, &arcs));
    }
}

#[inline(always)]
fn put_rotations(blocks: &mut [PoseBlock], joints: &[usize], turned: &[[f32; 4]; 4]) {
    for (lane, &joint) in joints.iter().enumerate() {
        Rows::Rotation.put(blocks, joint, &turned.map(|row| row[lane]));
    }
}

impl Playable for PreparedClip {
    fn name(&self) -> &str {
        &self.clip.name
    }

    fn duration_secs(&self) -> f32 {
        self.clip.duration_secs
    }

    fn events(&self) -> &[Event] {
        &self.clip.events
    }

    fn curves(&self) -> &[Curve] {
        &self.clip.curves
    }

    fn morphs(&self) -> &[MorphTrack] {
        &self.clip.morphs
    }

    fn sample_into(
        &self,
        skeleton: &Skeleton,
        time_secs: f64,
        pose: &mut LocalPose,
    ) -> Result<(), ClipMismatch> {
        if !self.fits(skeleton) {
            return self.clip.sample_into(skeleton, time_secs, pose);
        }
        pose.copy_from(skeleton.rest());
        self.overwrite(time_secs, None, pose);
        Ok(())
    }

    fn sample_joints_into(
        &self,
        skeleton: &Skeleton,
        time_secs: f64,
        requested: &JointSet,
        pose: &mut LocalPose,
    ) -> Result<(), ClipMismatch> {
        if !self.fits(skeleton) || pose.len() != skeleton.len() {
            return self
                .clip
                .sample_joints_into(skeleton, time_secs, requested, pose);
        }
        requested.copy(skeleton.rest().blocks(), pose.blocks_mut());
        self.overwrite(time_secs, Some(requested), pose);
        Ok(())
    }

    fn sample_joint_at(&self, skeleton: &Skeleton, joint: usize, time_secs: f64) -> Transform {
        self.clip.sample_joint_at(skeleton, joint, time_secs)
    }

    fn joints(&self) -> usize {
        self.joints
    }

    fn key_times(&self, joint: usize) -> Vec<f32> {
        self.clip.key_times(joint)
    }
}
