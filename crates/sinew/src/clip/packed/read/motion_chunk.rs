//! Reading of a motion chunk (`docs/format.md`). Checks all bytes, so that sampling cannot fail.

use super::bytes::{PackedError, Reader};
use super::raw_tracks::read_raw;
use crate::clip::packed::basis::{SPACINGS, Spacing};
use crate::clip::packed::code::{self, Code, CodeLocation, NARROW};
use crate::clip::packed::motion::{
    Channel, HAS_WIDE, Head, Kind, KnotRow, MAX_FRAMES, MODEL_SPACE, Motion, RotationBlock,
    SEGMENT, Segment, TAIL, UNEVEN, VectorGroup, VectorTrack, channels, low_from_code,
};
use crate::pose::{BLOCK, LocalPose};
use glam::Vec3;
use sinew_math::simd::Row;
use std::borrow::Cow;

impl<'a> Motion<'a> {
    /// Checks the main chunk of a clip for a skeleton with the rest pose `rest`.
    pub fn from_bytes(
        bytes: Cow<'a, [u8]>,
        file_offset: usize,
        rest: &LocalPose,
    ) -> Result<Self, PackedError> {
        Self::read(bytes, file_offset, rest.len(), rest.clone())
    }

    /// Checks a chunk of finer frames, which must not contain a channel of the chunks `others`.
    pub fn finer_from_bytes<'o>(
        bytes: Cow<'a, [u8]>,
        file_offset: usize,
        others: impl Iterator<Item = &'o Motion<'o>>,
        joints: usize,
    ) -> Result<Self, PackedError> {
        let motion = Self::read(bytes, file_offset, joints, LocalPose::identity(0))?;
        let bad = |what| Reader::new(&[], file_offset, "finer motion chunk").bad(what);
        if !motion.raw.is_empty() {
            return Err(bad("finer frames are for packed tracks alone"));
        }
        if motion.segments.is_empty() {
            return Err(bad("there are finer frames without a track"));
        }
        for other in others {
            let both = other.kinds.as_flattened().iter();
            let mut both = both.zip(motion.kinds.as_flattened());
            if both.any(|(a, b)| *a != Kind::Rest && *b != Kind::Rest) {
                return Err(bad("a channel has two tracks"));
            }
        }
        Ok(motion)
    }

    fn read(
        bytes: Cow<'a, [u8]>,
        file_offset: usize,
        joints: usize,
        mut still: LocalPose,
    ) -> Result<Self, PackedError> {
        let mut reader = Reader::new(&bytes, file_offset, "motion chunk, head");
        let head = read_head(&mut reader, joints)?;
        let times = read_times(&mut reader, &head)?;
        let kinds = read_kinds(&mut reader, &head)?;
        read_constants(&mut reader, &kinds, &mut still)?;
        let mut blocks = read_rotation_blocks(&mut reader, &kinds)?;
        let rotation_tracks = blocks.iter().map(|block| block.lanes.len()).sum();
        let mut vectors = read_vector_groups(&mut reader, &kinds, rotation_tracks)?;
        let vector_tracks = vectors.iter().map(|group| group.tracks.len()).sum();
        let last_intervals = locate_knots(&mut reader, head.frames, &mut blocks, &mut vectors)?;
        let codes = read_segments(&mut reader, head.frames, &blocks, &vectors)?;
        reader.location = "motion chunk, raw tracks";
        let raw = read_raw(&mut reader, channels(&kinds, Kind::Raw))?;
        check_end(&mut reader)?;
        Ok(Self {
            head,
            times,
            still,
            rotation_tracks,
            vector_tracks,
            blocks,
            vectors,
            last_intervals,
            segments: codes.segments,
            codes_at: codes.codes_at,
            locations: codes.locations,
            raw,
            kinds,
            bytes,
        })
    }
}

fn read_head(reader: &mut Reader<'_>, joints_wanted: usize) -> Result<Head, PackedError> {
    let joints = reader.u32()? as usize;
    if joints != joints_wanted {
        return Err(reader.bad(format!(
            "the motion is for {joints} joints, but the skeleton has {joints_wanted}"
        )));
    }
    let frames = reader.u32()? as usize;
    if frames > MAX_FRAMES {
        return Err(reader.bad(format!(
            "{frames} frames are more than the max of {MAX_FRAMES}"
        )));
    }
    let (start_secs, frames_per_sec) = (reader.f64()?, reader.f64()?);
    if frames > 1 && frames_per_sec <= 0.0 {
        return Err(reader.bad("the frame rate must be above 0"));
    }
    let [duration_secs, shell, max_error, measured_error] = reader.f32s()?;
    if duration_secs < 0.0 {
        return Err(reader.bad("the duration must not be below 0"));
    }
    let flags = reader.u32()?;
    if flags & !(MODEL_SPACE | UNEVEN) != 0 {
        return Err(reader.bad("some flags are unknown"));
    }
    Ok(Head {
        joints,
        frames,
        start_secs,
        frames_per_sec,
        duration_secs,
        shell,
        max_error,
        measured_error,
        flags,
    })
}

fn read_times(reader: &mut Reader<'_>, head: &Head) -> Result<Vec<f32>, PackedError> {
    reader.location = "motion chunk, times of frames";
    if head.flags & UNEVEN == 0 {
        return Ok(Vec::new());
    }
    if head.frames < 2 {
        return Err(reader.bad("uneven times need at least two frames"));
    }
    // Refused before the list is allocated.
    reader.clone().take_many(head.frames, 4)?;
    let mut times: Vec<f32> = Vec::with_capacity(head.frames);
    for _ in 0..head.frames {
        let before = reader.clone();
        let time = reader.f32()?;
        if times.last().is_some_and(|last| *last >= time) {
            return Err(before.bad("the times must ascend"));
        }
        times.push(time);
    }
    Ok(times)
}

fn read_kinds(reader: &mut Reader<'_>, head: &Head) -> Result<Vec<[Kind; 3]>, PackedError> {
    reader.location = "motion chunk, kinds of channels";
    let kinds: Vec<[Kind; 3]> = reader
        .clone()
        .take(head.joints)?
        .iter()
        .map(|bits| [0, 2, 4].map(|shift| Kind::from_bits(bits >> shift)))
        .collect();
    for _ in 0..head.joints {
        if reader.clone().u8()? > 63 {
            return Err(reader.bad("the two highest bits of a joint's kinds must be 0"));
        }
        reader.u8()?;
    }
    if head.frames < 2 && channels(&kinds, Kind::Packed).next().is_some() {
        return Err(reader.bad("packed tracks need at least two frames"));
    }
    Ok(kinds)
}

/// Reads constant channels into `still`. A pose without joints accepts none.
fn read_constants(
    reader: &mut Reader<'_>,
    kinds: &[[Kind; 3]],
    still: &mut LocalPose,
) -> Result<(), PackedError> {
    reader.location = "motion chunk, constants";
    if still.is_empty() && channels(kinds, Kind::Constant).next().is_some() {
        return Err(reader.bad("finer frames are for packed tracks alone"));
    }
    for (joint, channel) in channels(kinds, Kind::Constant) {
        match channel {
            Channel::Translation => still.set_translation(joint, Vec3::from_array(reader.f32s()?)),
            Channel::Rotation => still.set_rotation(joint, reader.rotation()?),
            Channel::Scale => still.set_scale(joint, Vec3::from_array(reader.f32s()?)),
        }
    }
    Ok(())
}

fn read_rotation_blocks(
    reader: &mut Reader<'_>,
    kinds: &[[Kind; 3]],
) -> Result<Vec<RotationBlock>, PackedError> {
    reader.location = "motion chunk, rotation tracks";
    let mut blocks: Vec<RotationBlock> = Vec::new();
    let rotations = channels(kinds, Kind::Packed).filter(|c| c.1 == Channel::Rotation);
    for (track, (joint, _)) in rotations.enumerate() {
        if blocks.last().is_none_or(|b| b.block != joint / BLOCK) {
            blocks.push(RotationBlock::new(joint / BLOCK, track));
        }
        if let Some(block) = blocks.last_mut() {
            block.read_track(joint % BLOCK, reader)?;
        }
    }
    Ok(blocks)
}

fn read_vector_groups(
    reader: &mut Reader<'_>,
    kinds: &[[Kind; 3]],
    first_track: usize,
) -> Result<Vec<VectorGroup>, PackedError> {
    reader.location = "motion chunk, vector tracks";
    let mut groups: Vec<VectorGroup> = Vec::new();
    let vectors = channels(kinds, Kind::Packed).filter(|c| c.1 != Channel::Rotation);
    for (track, (joint, channel)) in vectors.enumerate() {
        if track % BLOCK == 0 {
            groups.push(VectorGroup::new(first_track + track));
        }
        if let Some(group) = groups.last_mut() {
            group.read_track(joint, channel, reader)?;
        }
    }
    Ok(groups)
}

/// Skips all knots and stores their offsets. Rotations are sorted by spacing, then stored knot by
/// knot over all blocks. Vectors are stored track by track. Returns the last interval per spacing.
fn locate_knots(
    reader: &mut Reader<'_>,
    frames: usize,
    blocks: &mut [RotationBlock],
    vectors: &mut [VectorGroup],
) -> Result<[usize; SPACINGS], PackedError> {
    reader.location = "motion chunk, knots";
    let mut last_intervals = [0; SPACINGS];
    for spacing in Spacing::all() {
        last_intervals[usize::from(spacing.log2)] = spacing.last_interval(frames);
        let of = |block: &RotationBlock| block.lanes_of(spacing).count_ones() as usize;
        let stride = 4 * blocks.iter().map(of).sum::<usize>();
        let mut at = reader.at();
        for block in blocks.iter_mut().filter(|block| of(block) > 0) {
            let lanes = block.lanes_of(spacing);
            block.rows.push(KnotRow {
                spacing,
                lanes,
                at,
                stride,
            });
            at += 4 * lanes.count_ones() as usize;
        }
        reader.take_many(spacing.knots(frames), stride)?;
    }
    for track in vectors.iter_mut().flat_map(|group| &mut group.tracks) {
        track.knots_at = reader.at();
        reader.take_many(track.spacing.knots(frames), 6)?;
    }
    Ok(last_intervals)
}

#[derive(Default)]
struct CodeTables {
    segments: Vec<Segment>,
    codes_at: Vec<u32>,
    locations: Vec<u32>,
}

fn read_segments(
    reader: &mut Reader<'_>,
    frames: usize,
    blocks: &[RotationBlock],
    vectors: &[VectorGroup],
) -> Result<CodeTables, PackedError> {
    reader.location = "motion chunk, segments";
    let mut tables = CodeTables::default();
    if blocks.is_empty() && vectors.is_empty() {
        return Ok(tables);
    }
    let (codes_at, locations) = (&mut tables.codes_at, &mut tables.locations);
    for first in (0..frames).step_by(SEGMENT) {
        // Rotation codes start at a byte in every block, vector codes in the first group only.
        let mut bit = 0;
        for block in blocks {
            bit = usize::div_ceil(bit, 8) * 8;
            codes_at.push(read_group(reader, block.lanes.len(), &mut bit, locations)?);
        }
        bit = bit.div_ceil(8) * 8;
        for group in vectors {
            codes_at.push(read_group(reader, group.tracks.len(), &mut bit, locations)?);
        }
        let (frames_at, stride) = (reader.at(), bit.div_ceil(8));
        tables.segments.push(Segment { frames_at, stride });
        reader.take_many(SEGMENT.min(frames - first), stride)?;
    }
    locations.extend([0; BLOCK]);
    Ok(tables)
}

/// Rejects a chunk without the zero bytes that keep wide reads in bounds.
fn check_end(reader: &mut Reader<'_>) -> Result<(), PackedError> {
    reader.location = "motion chunk, end";
    if reader.left() != TAIL || reader.clone().take(TAIL)? != [0; TAIL] {
        return Err(reader.bad(format!("{TAIL} zero bytes must end the chunk")));
    }
    Ok(())
}

/// Reads the heads of up to sixteen tracks and advances `bit`. Returns the first byte of the codes.
fn read_group(
    reader: &mut Reader<'_>,
    tracks: usize,
    bit: &mut usize,
    locations: &mut Vec<u32>,
) -> Result<u32, PackedError> {
    let begin = *bit / 8;
    let mut is_wide = false;
    for _ in 0..tracks {
        let head = reader.u16()?;
        let bits = Code::of(head).bits();
        locations.push(CodeLocation::new((*bit - 8 * begin) as u32, head).0);
        is_wide |= bits > NARROW;
        *bit += bits as usize;
    }
    Ok(begin as u32 | if is_wide { HAS_WIDE } else { 0 })
}

impl RotationBlock {
    fn new(block: usize, first_track: usize) -> Self {
        Self {
            block,
            first_track,
            lanes: Vec::new(),
            has_track: 0,
            // Unused lanes decode to the identity.
            low: [0.0, 0.0, 0.0, 1.0].map(|low| Row([low; BLOCK])),
            scale: [Row::default(); 4],
            half_step: [Row::default(); 4],
            spacing: [Spacing { log2: 0 }; BLOCK],
            rows: Vec::new(),
        }
    }

    fn lanes_of(&self, spacing: Spacing) -> u16 {
        let lanes = self.lanes.iter().map(|&lane| usize::from(lane));
        let of_spacing = lanes.filter(|&lane| self.spacing[lane] == spacing);
        of_spacing.fold(0, |bits, lane| bits | 1 << lane)
    }

    fn read_track(&mut self, lane: usize, reader: &mut Reader<'_>) -> Result<(), PackedError> {
        self.lanes.push(lane as u8);
        self.has_track |= 1 << lane;
        self.spacing[lane] = read_spacing(reader)?;
        // The fourth byte is shifted down, because its top bit would act as a sign.
        for (row, above) in self.scale.iter_mut().zip([0, 8, 16, 0]) {
            row.0[lane] = code::small_float(reader.u8()?) / (1 << above) as f32;
        }
        for row in &mut self.half_step {
            row.0[lane] = 0.5 * code::small_float(reader.u8()?);
        }
        for row in &mut self.low {
            row.0[lane] = low_from_code(reader.u16()? as i16);
        }
        Ok(())
    }
}

impl VectorGroup {
    fn new(first_track: usize) -> Self {
        Self {
            first_track,
            tracks: Vec::new(),
            has_track: 0,
            low: [Row::default(); 3],
            scale: [Row::default(); 3],
            half_step: [Row::default(); 3],
        }
    }

    fn read_track(
        &mut self,
        joint: usize,
        channel: Channel,
        reader: &mut Reader<'_>,
    ) -> Result<(), PackedError> {
        let lane = self.tracks.len();
        self.has_track |= 1 << lane;
        self.tracks.push(VectorTrack {
            joint,
            channel,
            spacing: read_spacing(reader)?,
            knots_at: 0,
        });
        for row in &mut self.half_step {
            row.0[lane] = 0.5 * code::small_float(reader.u8()?);
        }
        for row in self.low.iter_mut().chain(&mut self.scale) {
            row.0[lane] = reader.f32()?;
        }
        Ok(())
    }
}

fn read_spacing(reader: &mut Reader<'_>) -> Result<Spacing, PackedError> {
    let before = reader.clone();
    let bits = reader.u8()?;
    Spacing::from_bits(bits).ok_or_else(|| before.bad(format!("spacing {bits} is unknown")))
}
