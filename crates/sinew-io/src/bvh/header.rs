//! Lines between MOTION and the numbers: frame count and frame time, in all common spellings.

use super::error::BvhError;
use super::hierarchy::repaired;
use super::text::Text;
use crate::report::{FileReport, Severity};

/// Frame time, in seconds, if the file states no usable time.
const DEFAULT_FRAME_SECS: f64 = 1.0 / 30.0;

/// Max plausible frame time, in seconds. A larger number is probably a rate.
const LONG_FRAME_SECS: f64 = 1.0;

pub(super) struct Header {
    pub(super) frames: Option<usize>,
    frame_secs: Option<(f64, usize)>,
    pub(super) line: usize,
}

/// Reads up to the first number.
pub(super) fn read(text: &mut Text<'_>, report: &mut FileReport) -> Result<Header, BvhError> {
    let mut header = Header {
        frames: None,
        frame_secs: None,
        line: text.line(),
    };
    loop {
        text.skip_space();
        if text.peek().is_none() || text.at_number() {
            return Ok(header);
        }
        let begin = *text;
        let line = text.line();
        let is = |word: &[u8], expected: &str| word.eq_ignore_ascii_case(expected.as_bytes());
        let mut word = text.letters();
        if is(word, "Frame") {
            while text.take(b' ') || text.take(b'\t') || text.take(b'-') {}
            word = text.letters();
        }
        if is(word, "Frames") {
            header.frames = whole(value(text)?);
            if header.frames.is_none() {
                let message =
                    "the number of frames is not a whole number; all frames that follow were read";
                repaired(report, "FRAME_COUNT", line, message);
            }
        } else if is(word, "Time") || is(word, "FrameTime") || is(word, "Frame_Time") {
            header.frame_secs = value(text)?.map(|secs| (secs, line));
        } else if is(word, "Rate") || is(word, "FrameRate") || is(word, "Frame_Rate") {
            header.frame_secs = value(text)?.map(|rate| (rate.recip(), line));
        } else {
            return Err(begin.unexpected("Frames:, Frame Time: or a number"));
        }
    }
}

fn whole(value: Option<f64>) -> Option<usize> {
    let value = value.filter(|v| *v >= 0.0 && v.fract() == 0.0)?;
    Some(value as usize)
}

/// Reads a number, on this line or the next: `: 0.0333`, ` = 1/30`, ` 33.3 ms` or `: 30 fps`.
fn value(text: &mut Text<'_>) -> Result<Option<f64>, BvhError> {
    text.skip_blanks();
    while text.take(b':') || text.take(b'=') {
        text.skip_blanks();
    }
    let mut ahead = *text;
    ahead.skip_space();
    let is_below = ahead.line() > text.line();
    if !ahead.at_number() {
        return Ok(None);
    }
    let mut number = ahead.leading_number()?;
    ahead.skip_blanks();
    if ahead.take(b'/') {
        ahead.skip_blanks();
        number /= ahead.leading_number()?;
        ahead.skip_blanks();
    }
    let before_unit = ahead;
    let unit = ahead.letters().to_ascii_lowercase();
    match unit.as_slice() {
        b"s" | b"sec" | b"secs" | b"second" | b"seconds" => {}
        b"ms" | b"msec" | b"msecs" => number /= 1000.0,
        b"fps" | b"hz" => number = number.recip(),
        _ => ahead = before_unit,
    }
    ahead.skip_blanks();
    if is_below && !ahead.at_line_end() {
        return Ok(None);
    }
    *text = ahead;
    Ok(Some(number))
}

impl Header {
    /// Frame time, in seconds. Uses the default if times of `frames` frames would be invalid.
    pub(super) fn frame_secs(&self, frames: usize, report: &mut FileReport) -> f64 {
        let is_usable = |(secs, _): &(f64, usize)| {
            let last = frames.saturating_sub(1) as f64 * secs;
            (*secs as f32).is_normal() && *secs > 0.0 && (last as f32).is_finite()
        };
        let Some((secs, line)) = self.frame_secs.filter(is_usable) else {
            if frames > 1 {
                let (line, message) = match self.frame_secs {
                    Some((secs, line)) => (
                        line,
                        format!("the frame time {secs} s is not usable; 1/30 s was used"),
                    ),
                    None => (
                        self.line,
                        "there is no frame time; 1/30 s was used".to_owned(),
                    ),
                };
                repaired(report, "FRAME_TIME", line, message);
            }
            return DEFAULT_FRAME_SECS;
        };
        if secs >= LONG_FRAME_SECS {
            let location = format_args!("line {line}");
            let message = format_args!(
                "the frame time is {secs} s, which may be meant as a rate in frames per second"
            );
            report.add(Severity::Note, "FRAME_TIME", location, message);
        }
        secs
    }
}
