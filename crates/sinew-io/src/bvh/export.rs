use std::fmt::{self, Write as _};

use sinew::transform::{Axis, EulerOrder};
use sinew::{Character, Clip, LocalPose, Skeleton, sample};

use super::error::BvhExportError;
use super::left_out;
use super::options::{BvhOptions, MovedOffsets};
use super::rate::Rate;
use super::standing::{Stand, Standing};
use super::written_names::written_names;
use crate::report::FileReport;

/// Order of the rotation channels. Most motion capture programs write this order.
const ORDER: EulerOrder = EulerOrder::ZXY;

/// Max number of values in a file, more than any motion capture has.
const MAX_NUMBERS: usize = 1 << 26;

/// Max distance from the rest offset, relative to its length, of a joint that does not move.
const STILL: f32 = 1e-6;

const DEEPEST: usize = 32;

/// A character as a BVH file.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhExport {
    /// The contents of the file.
    pub text: String,
    /// Number of frames.
    pub frames: usize,
    /// Seconds between two frames.
    pub frame_secs: f64,
    /// Parts that were omitted or changed.
    pub report: FileReport,
}

/// Writes the skeleton and a clip. Without a clip, it writes one frame of the rest pose.
///
/// ```
/// let file = b"HIERARCHY ROOT Hip { OFFSET 0 0 0 CHANNELS 1 Xposition }
///     MOTION Frames: 2 Frame Time: 0.5
///     1
///     2";
/// let character = sinew_io::bvh::import_bytes(file)?.character;
/// let export = sinew_io::bvh::export(&character, &Default::default())?;
/// let again = sinew_io::bvh::import_bytes(export.text.as_bytes())?;
/// assert_eq!(again.character.skeleton.rest(), character.skeleton.rest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`BvhExportError`] for an inconsistent character, a missing clip, or a motion that is too long.
pub fn export(character: &Character, options: &BvhOptions) -> Result<BvhExport, BvhExportError> {
    character.check()?;
    let clip = match options.clip {
        Some(index) => {
            let clip = character.clips.get(index);
            let len = character.clips.len();
            Some(clip.ok_or(BvhExportError::NoClip { index, len })?)
        }
        None => character.clips.first(),
    };
    if let Some(fps) = options.fps
        && !(fps > 0.0 && fps.is_finite())
    {
        return Err(BvhExportError::Rate { fps });
    }
    let still = Clip::default();
    let rate = Rate::of(clip.unwrap_or(&still), options.fps);
    let skeleton = &character.skeleton;
    if rate.frames.saturating_mul(6 * skeleton.len()) > MAX_NUMBERS {
        let frames = rate.frames;
        return Err(BvhExportError::TooLong { frames });
    }
    let mut report = FileReport::default();
    let mut motion = Motion {
        clip: clip.unwrap_or(&still),
        skeleton,
        standing: Standing::new(skeleton),
        pose: skeleton.rest().clone(),
        stands: Vec::with_capacity(skeleton.len()),
    };
    let parts = parts(&mut motion, &rate, options.offsets, &mut report)?;
    left_out::report_lost(character, clip, &motion.standing, &rate, &mut report);
    report_offsets(&parts, skeleton, options.offsets, &mut report);
    let mut text = String::new();
    let written =
        hierarchy(&parts, &mut text).and_then(|()| motion.write(&parts, &rate, &mut text));
    written.map_err(|_| BvhExportError::TooLong {
        frames: rate.frames,
    })?;
    Ok(BvhExport {
        text,
        frames: rate.frames,
        frame_secs: rate.frame_secs,
        report,
    })
}

struct Part {
    joint: usize,
    name: String,
    depth: usize,
    offset: [f32; 3],
    is_end: bool,
    moves: bool,
}

struct Motion<'a> {
    clip: &'a Clip,
    skeleton: &'a Skeleton,
    standing: Standing<'a>,
    pose: LocalPose,
    stands: Vec<Stand>,
}

impl Motion<'_> {
    fn rest(&mut self) -> &[Stand] {
        self.standing.stands(self.skeleton.rest(), &mut self.stands);
        &self.stands
    }

    fn at(&mut self, time_secs: f64) -> &[Stand] {
        // Sampling cannot fail, because `export` has checked the character.
        let _ = sample(self.clip, self.skeleton, time_secs, &mut self.pose);
        self.standing.stands(&self.pose, &mut self.stands);
        &self.stands
    }

    fn write(&mut self, parts: &[Part], rate: &Rate, text: &mut String) -> fmt::Result {
        let (frames, secs) = (rate.frames, rate.frame_secs);
        writeln!(text, "MOTION\nFrames: {frames}\nFrame Time: {secs}")?;
        let mut before = vec![None; parts.len()];
        for frame in 0..frames {
            let stands = self.at(rate.time_secs(frame));
            let mut space = "";
            for (part, before) in parts.iter().zip(&mut before).filter(|(p, _)| !p.is_end) {
                let stand = &stands[part.joint];
                if part.moves {
                    for number in stand.position {
                        write!(text, "{space}{}", number as f32)?;
                        space = " ";
                    }
                }
                let angles = near(ORDER.angles(stand.rotation), *before);
                *before = Some(angles);
                for angle in angles {
                    text.push_str(space);
                    write_deg(angle, text)?;
                    space = " ";
                }
            }
            text.push('\n');
        }
        Ok(())
    }
}

/// Writes an angle in degrees with six decimals, as `{:.6}` does, but many times as fast.
fn write_deg(angle_rad: f64, text: &mut String) -> fmt::Result {
    let millionths = (angle_rad.to_degrees() * 1e6).round();
    // Beyond this, the decimals of a quotient by a million are not those of the integer.
    let is_exact = millionths.abs() < 1e15;
    if !is_exact {
        return write!(text, "{:.6}", millionths / 1e6);
    }
    let mut left = millionths.abs() as u64;
    let mut digits = [b'0'; 17];
    let mut begin = digits.len();
    while left > 0 || begin > digits.len() - 8 {
        begin -= 1;
        if begin == digits.len() - 7 {
            digits[begin] = b'.';
            continue;
        }
        digits[begin] = b'0' + (left % 10) as u8;
        left /= 10;
    }
    if millionths < 0.0 {
        text.push('-');
    }
    text.extend(digits[begin..].iter().map(|&digit| char::from(digit)));
    Ok(())
}

/// Angles of the same rotation nearest to the angles of the frame before.
fn near([a, b, c]: [f64; 3], before: Option<[f64; 3]>) -> [f64; 3] {
    use std::f64::consts::{PI, TAU};
    let Some(before) = before else {
        return [a, b, c];
    };
    let mut best = ([a, b, c], f64::INFINITY);
    for angles in [[a, b, c], [a + PI, PI - b, c + PI]] {
        let mut far: f64 = 0.0;
        let mut shifted = angles;
        for (angle, before) in shifted.iter_mut().zip(before) {
            *angle += TAU * ((before - *angle) / TAU).round();
            far = far.max((*angle - before).abs());
        }
        if far < best.1 {
            best = (shifted, far);
        }
    }
    best.0
}

fn parts(
    motion: &mut Motion<'_>,
    rate: &Rate,
    offsets: MovedOffsets,
    report: &mut FileReport,
) -> Result<Vec<Part>, BvhExportError> {
    let skeleton = motion.skeleton;
    let clip = motion.clip;
    let position = |stand: &Stand| stand.position.map(|number| number as f32);
    let rest: Vec<[f32; 3]> = motion.rest().iter().map(position).collect();
    let mut moves = vec![false; skeleton.len()];
    moves[0] = true;
    for frame in 0..rate.frames {
        let stands = motion.at(rate.time_secs(frame));
        for (joint, stand) in stands.iter().enumerate() {
            let (now, rest) = (position(stand), rest[joint]);
            let is_finite = |number: &f32| number.is_finite();
            if !now.iter().chain(&rest).all(is_finite) || !stand.rotation.w.is_finite() {
                let joint = skeleton.name(joint).to_owned();
                return Err(BvhExportError::NotFinite { joint });
            }
            let length = rest.iter().fold(0.0_f32, |longest, c| longest.max(c.abs()));
            let is_away = |(a, b): (f32, f32)| (a - b).abs() > STILL * length;
            moves[joint] |= now.into_iter().zip(rest).any(is_away);
        }
    }
    let is_end = |joint: usize| {
        let parent = skeleton.parent(joint);
        let is_named = parent.is_some_and(|parent| {
            skeleton.name(joint).strip_prefix(skeleton.name(parent)) == Some("_end")
        });
        is_named
            && !moves[joint]
            && clip.joint(joint).is_none()
            && skeleton.children(joint).next().is_none()
    };
    let ends: Vec<bool> = (0..skeleton.len()).map(is_end).collect();
    let mut names = written_names(skeleton, &ends, report);
    let mut parts = Vec::with_capacity(skeleton.len());
    let mut open = vec![(0, 0)];
    while let Some((joint, depth)) = open.pop() {
        let offset = match (moves[joint], offsets) {
            (true, MovedOffsets::Zero) => [0.0; 3],
            _ => rest[joint],
        };
        parts.push(Part {
            joint,
            name: std::mem::take(&mut names[joint]),
            depth,
            offset,
            is_end: ends[joint],
            moves: moves[joint],
        });
        let first = open.len();
        open.extend(skeleton.children(joint).map(|child| (child, depth + 1)));
        open[first..].reverse();
    }
    Ok(parts)
}

fn report_offsets(
    parts: &[Part],
    skeleton: &Skeleton,
    offsets: MovedOffsets,
    report: &mut FileReport,
) {
    let away = |part: &&Part| match offsets {
        MovedOffsets::Zero => skeleton.rest().get(part.joint).translation != glam::Vec3::ZERO,
        MovedOffsets::Rest => part.offset != [0.0; 3],
    };
    let joints = parts.iter().filter(|part| part.moves).filter(away);
    left_out::report_offsets(joints.map(|part| part.name.as_str()), offsets, report);
}

fn hierarchy(parts: &[Part], text: &mut String) -> fmt::Result {
    text.push_str("HIERARCHY\n");
    let indent = |depth: usize| 2 * depth.min(DEEPEST);
    for (index, part) in parts.iter().enumerate() {
        let (outer, inner) = (indent(part.depth), indent(part.depth + 1));
        match (part.is_end, part.depth) {
            (true, _) => writeln!(text, "{:outer$}End Site", "")?,
            (_, 0) => writeln!(text, "{:outer$}ROOT {}", "", part.name)?,
            _ => writeln!(text, "{:outer$}JOINT {}", "", part.name)?,
        }
        let [x, y, z] = part.offset;
        writeln!(text, "{:outer$}{{\n{:inner$}OFFSET {x} {y} {z}", "", "")?;
        if !part.is_end {
            let positions = ["Xposition ", "Yposition ", "Zposition "];
            let positions = if part.moves { &positions[..] } else { &[] };
            let letter = |axis| match axis {
                Axis::X => 'X',
                Axis::Y => 'Y',
                Axis::Z => 'Z',
            };
            let [a, b, c] = ORDER.axes().map(letter);
            let (count, positions) = (positions.len() + 3, positions.concat());
            writeln!(
                text,
                "{:inner$}CHANNELS {count} {positions}{a}rotation {b}rotation {c}rotation",
                ""
            )?;
        }
        let next = parts.get(index + 1).map_or(0, |next| next.depth);
        // Closes the joints that do not contain the next joint.
        for depth in (next..=part.depth).rev() {
            writeln!(text, "{:width$}}}", "", width = indent(depth))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_written_as_by_the_formatter() {
        let formatted = |angle_rad: f64| {
            let rounded = (angle_rad.to_degrees() * 1e6).round() / 1e6 + 0.0;
            format!("{rounded:.6}")
        };
        let small = (-2000..2000).map(|k| f64::from(k) * 1.7e-9);
        let usual = (-2000..2000).map(|k| f64::from(k) * 0.003_137);
        let large = (0..30).map(|k| -2.3 * 10_f64.powi(k));
        for angle_rad in small.chain(usual).chain(large).chain([0.0, -0.0, f64::NAN]) {
            let mut text = String::new();
            write_deg(angle_rad, &mut text).expect("a text");
            assert_eq!(text, formatted(angle_rad));
        }
    }
}
