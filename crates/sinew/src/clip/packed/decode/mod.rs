//! Decoding of a pose from a motion chunk at any time, without state or allocation. Nothing is
//! fused, and roots are exact, so all instruction sets and the module `scalar` give the same bits.

mod codes;
mod moment;
mod rotations;
mod scalar;
mod vectors;

pub(super) use scalar::{rotation, vector};

use super::motion::{Channel, Motion, RotationBlock};
use crate::pose::{BLOCK, JointSet, LocalPose};
use fearless_simd::prelude::*;
use fearless_simd::{f32x16, mask32x16};
use fearless_simd_macros::simd;
use moment::Moment;
use rotations::rotations;
use vectors::vectors;

#[cfg(target_endian = "big")]
compile_error!("packed clips are read in vectors of little-endian numbers");

/// Joints to decode; `None` for all.
pub(super) type Mask<'m> = Option<&'m JointSet>;

#[simd]
pub(super) fn pose<S: Simd>(
    simd: S,
    motion: &Motion<'_>,
    time_secs: f64,
    mask: Mask<'_>,
    out: &mut LocalPose,
) {
    if motion.segments.is_empty() {
        return;
    }
    let moment = Moment::new(motion, time_secs);
    let blocks = out.blocks_mut();
    for (index, block) in motion.blocks.iter().enumerate() {
        let expected = expected(block, mask);
        if expected == 0 {
            continue;
        }
        let turn = rotations(simd, motion, &moment, index);
        let rows = &mut blocks[block.block].rotation;
        if expected == u16::MAX {
            for i in 0..4 {
                turn[i].store_array(&mut rows[i]);
            }
            continue;
        }
        let expected = mask32x16::from_bitmask(simd, u64::from(expected));
        for i in 0..4 {
            let kept = f32x16::load_array_ref(simd, &rows[i]);
            expected.select(turn[i], kept).store_array(&mut rows[i]);
        }
    }
    for (index, group) in motion.vectors.iter().enumerate() {
        let vectors = vectors(simd, motion, &moment, index);
        for (lane, track) in group.tracks.iter().enumerate().take(BLOCK) {
            if mask.is_some_and(|mask| !mask.contains(track.joint)) {
                continue;
            }
            let block = &mut blocks[track.joint / BLOCK];
            let rows = match track.channel {
                Channel::Scale => &mut block.scale,
                _ => &mut block.translation,
            };
            for c in 0..3 {
                rows[c][track.joint % BLOCK] = vectors[c][lane];
            }
        }
    }
}

#[inline(always)]
fn expected(block: &RotationBlock, mask: Mask<'_>) -> u16 {
    let mask = mask.map_or(u16::MAX, |mask| mask.words()[block.block]);
    block.has_track & mask
}

#[cfg(test)]
mod tests {
    //! Lanes and scalar code must give the same bits on every instruction set, for all code widths.

    use super::super::PackedClip;
    use super::super::basis::Spacing;
    use super::super::code::{Code, NARROW};
    use super::super::motion::{Channel, HAS_WIDE, Kind, Motion, SEGMENT, TAIL, UNEVEN, channels};
    use super::super::read::extras::Extras;
    use crate::pose::{BLOCK, JointSet, LocalPose};
    use sinew_math::simd::Level;
    use sinew_math::transform::Transform;
    use std::borrow::Cow;

    const JOINTS: usize = 39;
    const FRAMES: usize = 3 * SEGMENT + 5;

    struct Noise(u64);

    impl Noise {
        fn u32(&mut self) -> u32 {
            let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
            self.0 = next.wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 32) as u32
        }

        fn bytes(&mut self, count: usize) -> Vec<u8> {
            (0..count).map(|_| (self.u32() >> 11) as u8).collect()
        }
    }

    /// Motion chunk (docs/format.md). Heads have all bits of `least` and only bits of `most`. Odd
    /// seeds have frames at uneven times.
    fn chunk([least, most]: [u16; 2], seed: u64) -> Vec<u8> {
        let mut noise = Noise(seed);
        let mut bytes = Vec::new();
        bytes.extend((JOINTS as u32).to_le_bytes());
        bytes.extend((FRAMES as u32).to_le_bytes());
        bytes.extend(0.0_f64.to_le_bytes());
        bytes.extend(30.0_f64.to_le_bytes());
        bytes.extend([2.0, 0.03, 1e-4, 1e-4_f32].map(f32::to_le_bytes).concat());
        let is_uneven = seed % 2 == 1;
        let flags: u32 = if is_uneven { UNEVEN } else { 0 };
        bytes.extend(flags.to_le_bytes());
        for frame in (0..FRAMES).filter(|_| is_uneven) {
            let off = (noise.u32() % 1000) as f32 / 1500.0;
            bytes.extend(((frame as f32 + off) / 30.0).to_le_bytes());
        }
        // Full, partial and sparse blocks. Three groups of vectors cross the borders of blocks.
        let kind = |joint: usize| {
            let translation = joint % 7 != 3;
            let rotation = joint / BLOCK == 1 || joint % 5 != 2;
            let scale = joint % 3 == 1;
            let kind = |is_packed| if is_packed { Kind::Packed } else { Kind::Rest };
            [translation, rotation, scale].map(kind)
        };
        let kinds: Vec<[Kind; 3]> = (0..JOINTS).map(kind).collect();
        let bits = |kinds: &[Kind; 3]| -> u8 {
            let packed = kinds.iter().enumerate().map(|(c, k)| (c, *k));
            let packed = packed.filter(|(_, kind)| *kind == Kind::Packed);
            packed.map(|(c, _)| 2 << (2 * c)).sum()
        };
        bytes.extend(kinds.iter().map(bits));

        let of = |expected: fn(Channel) -> bool| -> Vec<usize> {
            let packed = channels(&kinds, Kind::Packed).filter(|c| expected(c.1));
            packed.map(|(joint, _)| joint).collect()
        };
        let rotations = of(|c| c == Channel::Rotation);
        let vectors = of(|c| c != Channel::Rotation).len();
        assert!(vectors > 2 * BLOCK && vectors % BLOCK != 0);
        let mut spacings: Vec<Vec<usize>> = Vec::new();
        for (kind, tracks, rest) in [(0, rotations.len(), 16), (1, vectors, 3)] {
            spacings.push(Vec::new());
            for track in 0..tracks {
                let spacing = (track * 5 + 3) % 8;
                spacings[kind].push(spacing);
                bytes.push(spacing as u8);
                bytes.extend(noise.bytes(rest));
                for _ in 0..6 * kind {
                    bytes.extend((noise.u32() as f32 / 1e9 - 2.0).to_le_bytes());
                }
            }
        }
        for spacing in Spacing::all() {
            let of = spacings[0]
                .iter()
                .filter(|s| **s == usize::from(spacing.log2));
            bytes.extend(noise.bytes(4 * of.count() * spacing.knots(FRAMES)));
        }
        for spacing in &spacings[1] {
            let spacing = Spacing {
                log2: *spacing as u8,
            };
            bytes.extend(noise.bytes(6 * spacing.knots(FRAMES)));
        }
        for first in (0..FRAMES).step_by(SEGMENT) {
            let mut groups = vec![0; JOINTS.div_ceil(BLOCK) + 1];
            for joint in &rotations {
                let head = noise.u32() as u16 & most | least;
                bytes.extend(head.to_le_bytes());
                groups[joint / BLOCK] += Code::of(head).bits() as usize;
            }
            for _ in 0..vectors {
                let head = (noise.u32() as u16 & most | least) & 0x0fff;
                bytes.extend(head.to_le_bytes());
                *groups.last_mut().unwrap() += Code::of(head).bits() as usize;
            }
            let frames = SEGMENT.min(FRAMES - first);
            let stride: usize = groups.iter().map(|bits| bits.div_ceil(8)).sum();
            bytes.extend(noise.bytes(frames * stride));
        }
        bytes.extend(0_u32.to_le_bytes());
        bytes.extend([0; TAIL]);
        bytes
    }

    fn bits(transform: &Transform) -> Vec<u32> {
        let (t, r, s) = (
            transform.translation.to_array(),
            transform.rotation.to_array(),
            transform.scale.to_array(),
        );
        let numbers = t.iter().chain(&r).chain(&s);
        numbers.map(|x| x.to_bits()).collect()
    }

    #[test]
    fn codes_of_every_width_come_to_the_same_bits_in_lanes_and_alone() {
        // Widths up to fifteen bits, only the widest, some wide, none wide, and no bits at all.
        for (seed, widths) in [
            [0, 0xffff],
            [0, 0xffff],
            [0xffff, 0xffff],
            [0, 0xf71f],
            [0x0ff0, 0xffff],
            [0, 0x4777],
            [0, 0x1333],
            [0, 0],
        ]
        .into_iter()
        .enumerate()
        {
            let motion = chunk(widths, seed as u64);
            let rest = LocalPose::identity(JOINTS);
            let motion = Motion::from_bytes(Cow::Owned(motion), 0, &rest).unwrap();
            let wide = motion.codes_at.iter().any(|at| at & HAS_WIDE != 0);
            assert_eq!(wide, Code::of(widths[1]).bits() > NARROW, "{widths:x?}");
            let clip = PackedClip::new(motion, Extras::default());
            let mut pose = LocalPose::identity(JOINTS);
            for moment in 0..3 * FRAMES {
                let time = moment as f64 / 90.0;
                let alone: Vec<_> = (0..JOINTS)
                    .map(|j| bits(&clip.sample_joint(j, time)))
                    .collect();
                for level in Level::all() {
                    clip.clone().at_level(level).sample(time, &mut pose);
                    for joint in 0..JOINTS {
                        let found = bits(&pose.get(joint));
                        assert_eq!(
                            found, alone[joint],
                            "{widths:x?}, joint {joint} at {time} on {level}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_mask_leaves_other_joints_alone_in_lanes_too() {
        let rest = LocalPose::identity(JOINTS);
        let motion = Motion::from_bytes(Cow::Owned(chunk([0, 0xffff], 9)), 0, &rest).unwrap();
        let clip = PackedClip::new(motion, Extras::default());
        let mask: JointSet = (0..JOINTS).map(|joint| joint % 3 == 0).collect();
        for level in Level::all() {
            let clip = clip.clone().at_level(level);
            let mut pose = LocalPose::identity(JOINTS);
            clip.sample_masked(0.71, &mask, &mut pose).unwrap();
            for joint in 0..JOINTS {
                let expected = if mask.contains(joint) {
                    clip.sample_joint(joint, 0.71)
                } else {
                    Transform::IDENTITY
                };
                assert_eq!(
                    bits(&pose.get(joint)),
                    bits(&expected),
                    "{joint} on {level}"
                );
            }
        }
    }
}
