//! Second half of a BVH file: a row of numbers per frame.

use sinew::Clip;
use std::sync::Arc;

use super::channel::Channel;
use super::error::{BvhError, TextLocation};
use super::header::{self, Header};
use super::hierarchy::{Hierarchy, repaired};
use super::keys::{JointKeys, keys};
use super::memory::Memory;
use super::text::{Tally, Text};
use crate::report::{FileReport, Severity};

/// Bytes of memory for the keys of a joint, without the numbers.
const KEYS_BYTES: usize = 512;

/// Reads the lines after MOTION. `None` if there are no frames or no channels.
pub(super) fn read(
    text: &mut Text<'_>,
    hierarchy: &Hierarchy,
    memory: &mut Memory,
    report: &mut FileReport,
) -> Result<Option<Clip>, BvhError> {
    let header = header::read(text, report)?;
    let (joints, rest_row) = keys(hierarchy, report);
    let mut frames = Frames {
        channels: &hierarchy.channels,
        declared: header.frames,
        joints,
        before: rest_row,
        count: 0,
        not_finite: Tally::default(),
        surplus: Tally::default(),
    };
    frames.reserve(text, memory)?;
    frames.read(text, report)?;
    frames.into_clip(&header, report)
}

struct Frames<'a> {
    channels: &'a [(usize, Channel)],
    declared: Option<usize>,
    joints: Vec<JointKeys>,
    count: usize,
    /// Values of the frame before. They replace numbers that are not finite.
    before: Vec<f64>,
    not_finite: Tally,
    surplus: Tally,
}

impl Frames<'_> {
    /// Reserves memory for the frames, but not for more than the rest of the file can hold. A
    /// number takes at least two bytes with its separator.
    fn reserve(&mut self, text: &Text<'_>, memory: &mut Memory) -> Result<(), BvhError> {
        let can_follow = (text.rest().len() + 1) / (2 * self.channels.len()).max(1);
        let frames = self.declared.unwrap_or(usize::MAX).min(can_follow);
        for joint in &mut self.joints {
            let bytes = KEYS_BYTES + frames * joint.bytes_per_frame();
            memory.charge(bytes, "the frames", text.location())?;
            joint.reserve(frames);
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.declared == Some(self.count)
    }

    fn read(&mut self, text: &mut Text<'_>, report: &mut FileReport) -> Result<(), BvhError> {
        let mut row = Vec::with_capacity(self.channels.len());
        let mut begin = text.location();
        loop {
            text.skip_space();
            if text.peek().is_none() || self.is_complete() {
                break;
            }
            if row.is_empty() {
                begin = text.location();
            }
            self.line(text, &mut row, begin)?;
        }
        if !row.is_empty() {
            let (found, expected) = (row.len(), self.channels.len());
            let message = format_args!(
                "the last frame has only {found} of {expected} numbers and was left out"
            );
            ignored(report, "INCOMPLETE_FRAME", begin.line, message);
        }
        self.report_counts(text, report);
        self.report_tallies(report);
        Ok(())
    }

    /// Reads a line: one frame, several frames, or a part of a frame, which stays in `row`.
    fn line(
        &mut self,
        text: &mut Text<'_>,
        row: &mut Vec<f64>,
        begin: TextLocation,
    ) -> Result<(), BvhError> {
        let line = text.line();
        let begins_here = row.is_empty();
        let expected = self.channels.len();
        let (mut complete, mut surplus) = (0, 0);
        while let Some(number) = text.number_on_line()? {
            if expected == 0 || self.is_complete() {
                surplus += 1;
                continue;
            }
            row.push(number);
            if row.len() == expected {
                self.push(row, line);
                row.clear();
                complete += 1;
            }
        }
        if !text.at_line_end() {
            return Err(text.unexpected("a number"));
        }
        if complete > 0 {
            surplus += row.len();
            row.clear();
        }
        if surplus > 0 && !begins_here {
            return Err(BvhError::FrameLength {
                location: begin,
                found: complete * expected + surplus,
                expected,
            });
        }
        self.surplus.add(line, surplus);
        Ok(())
    }

    fn push(&mut self, row: &mut [f64], line: usize) {
        for ((number, before), (_, channel)) in
            row.iter_mut().zip(&mut self.before).zip(self.channels)
        {
            let is_usable = match channel {
                Channel::Position(_) | Channel::Scale(_) => (*number as f32).is_finite(),
                Channel::Rotation(_) | Channel::Unknown => number.is_finite(),
            };
            if is_usable {
                *before = *number;
            } else {
                *number = *before;
                self.not_finite.add(line, 1);
            }
        }
        self.joints.iter_mut().for_each(|joint| joint.push(row));
        self.count += 1;
    }

    fn report_counts(&self, text: &mut Text<'_>, report: &mut FileReport) {
        let (line, count) = (text.line(), self.count);
        let Some(declared) = self.declared else {
            let message = format_args!("the number of frames is missing; {count} frames were read");
            return repaired(report, "FRAME_COUNT", line, message);
        };
        if declared > count {
            let message = format_args!("{declared} frames are declared, but the file has {count}");
            return repaired(report, "FRAME_COUNT", line, message);
        }
        let mut more = 0;
        while text.peek().is_some() {
            text.skip_line();
            text.skip_space();
            more += 1;
        }
        if more > 0 {
            let message = format_args!(
                "{declared} frames are declared; the {more} lines after them were left out"
            );
            ignored(report, "FRAME_COUNT", line, message);
        }
    }

    fn report_tallies(&self, report: &mut FileReport) {
        let Tally { first_line, count } = self.not_finite;
        if count > 0 {
            let message = format_args!(
                "{count} values are infinite or not numbers; each was replaced by the value of the frame before; the first is here"
            );
            repaired(report, "NOT_FINITE", first_line, message);
        }
        let Tally { first_line, count } = self.surplus;
        if count > 0 {
            let message = format_args!(
                "{count} numbers belong to no channel and were left out; the first is here"
            );
            ignored(report, "SURPLUS_NUMBERS", first_line, message);
        }
    }

    fn into_clip(self, header: &Header, report: &mut FileReport) -> Result<Option<Clip>, BvhError> {
        if self.count == 0 || self.joints.is_empty() {
            let location = format_args!("line {}", header.line);
            let message = "no frame moves a joint, so there is no clip";
            report.add(Severity::Note, "NO_FRAMES", location, message);
            return Ok(None);
        }
        let frame_secs = header.frame_secs(self.count, report);
        let times = (0..self.count).map(|frame| (frame as f64 * frame_secs) as f32);
        let times: Arc<Vec<f32>> = Arc::new(times.collect());
        if let Some(before) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
            return Err(BvhError::TooManyFrames {
                frames: self.count,
                frame: before + 1,
            });
        }
        let mut clip = Clip::default();
        for joint in self.joints {
            clip.joints.push(joint.into_tracks(&times)?);
        }
        clip.fit_duration();
        Ok(Some(clip))
    }
}

fn ignored(
    report: &mut FileReport,
    code: &'static str,
    line: usize,
    message: impl std::fmt::Display,
) {
    let location = format_args!("line {line}");
    report.add(Severity::Ignored, code, location, message);
}
