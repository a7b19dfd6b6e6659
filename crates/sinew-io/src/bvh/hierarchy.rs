//! First half of a BVH file: joints, their offsets and their channels.

use std::collections::HashSet;

use super::channel::Channel;
use super::error::BvhError;
use super::memory::Memory;
use super::text::Text;
use crate::report::{FileReport, Severity};

/// Bytes per joint without its name: here, in the joint list, in the skeleton and as a node.
const JOINT_BYTES: usize = 768;

/// Copies of each name: here, in the joint list, in the skeleton and in the node.
const COPIES_OF_A_NAME: usize = 4;

pub(super) struct Joint {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    /// Offset from the parent. Finite in single precision.
    pub(super) offset: [f64; 3],
    has_offset: bool,
    pub(super) line: usize,
}

/// Joints in the order of the file, and the channels of a frame with the joint of each channel.
pub(super) struct Hierarchy {
    pub(super) joints: Vec<Joint>,
    pub(super) channels: Vec<(usize, Channel)>,
    pub(super) has_motion: bool,
}

const IN_A_JOINT: &str = "OFFSET, CHANNELS, JOINT, End Site or }";

pub(super) fn read(
    text: &mut Text<'_>,
    memory: &mut Memory,
    report: &mut FileReport,
) -> Result<Hierarchy, BvhError> {
    begin(text, report)?;
    let mut reader = Reader {
        hierarchy: Hierarchy {
            joints: Vec::new(),
            channels: Vec::new(),
            has_motion: false,
        },
        open: Vec::new(),
        names: HashSet::new(),
        memory,
        report,
    };
    while !reader.step(text)? {}
    let hierarchy = reader.hierarchy;
    if hierarchy.joints.is_empty() {
        let location = text.location();
        return Err(BvhError::NoJoints { location });
    }
    for joint in hierarchy.joints.iter().filter(|joint| !joint.has_offset) {
        let message = format_args!(
            "joint {:?} has no OFFSET; it is at the position of its parent",
            joint.name
        );
        repaired(report, "MISSING_OFFSET", joint.line, message);
    }
    Ok(hierarchy)
}

pub(super) fn repaired(
    report: &mut FileReport,
    code: &'static str,
    line: usize,
    message: impl std::fmt::Display,
) {
    let location = format_args!("line {line}");
    report.add(Severity::Repaired, code, location, message);
}

fn begin(text: &mut Text<'_>, report: &mut FileReport) -> Result<(), BvhError> {
    text.skip_space();
    let mut ahead = *text;
    let word = ahead.word();
    if word.eq_ignore_ascii_case(b"HIERARCHY") {
        *text = ahead;
    } else if word.eq_ignore_ascii_case(b"ROOT") {
        let message = "the file begins with ROOT; the word HIERARCHY is missing";
        repaired(report, "MISSING_HIERARCHY", text.line(), message);
    } else {
        let found = text.shown();
        return Err(BvhError::NotBvh { found });
    }
    Ok(())
}

struct Reader<'a, 'b> {
    hierarchy: Hierarchy,
    /// Unclosed joints, with the innermost joint last.
    open: Vec<usize>,
    names: HashSet<&'a [u8]>,
    memory: &'b mut Memory,
    report: &'b mut FileReport,
}

impl<'a> Reader<'a, '_> {
    fn step(&mut self, text: &mut Text<'a>) -> Result<bool, BvhError> {
        text.skip_space();
        let begin = *text;
        let line = text.line();
        if text.take(b'}') {
            if self.open.pop().is_none() {
                repaired(self.report, "STRAY_BRACE", line, "this } has no matching {");
            }
            return Ok(false);
        }
        let mut word = text.word();
        if let [before @ .., b':'] = word {
            word = before;
        }
        let is = |keyword: &[u8]| word.eq_ignore_ascii_case(keyword);
        if is(b"") && text.peek().is_none() {
            self.at_end(text)?;
            return Ok(true);
        } else if is(b"MOTION") {
            self.close_all(line);
            self.hierarchy.has_motion = true;
            return Ok(true);
        } else if is(b"ROOT") || is(b"JOINT") {
            self.joint(text, is(b"ROOT"), line)?;
        } else if is(b"OFFSET") {
            let joint = self.innermost(&begin)?;
            self.offset(text, joint)?;
        } else if is(b"CHANNELS") {
            let joint = self.innermost(&begin)?;
            self.channels(text, joint)?;
        } else if is_end_site(word) {
            let parent = self.innermost(&begin)?;
            self.end_site(text, parent, line)?;
        } else if self.open.is_empty() {
            return Err(begin.unexpected("ROOT or MOTION"));
        } else {
            return Err(begin.unexpected(IN_A_JOINT));
        }
        Ok(false)
    }

    fn at_end(&mut self, text: &Text<'_>) -> Result<(), BvhError> {
        if let Some(&joint) = self.open.last() {
            return Err(BvhError::CutOff {
                location: text.location(),
                joint: self.hierarchy.joints[joint].name.clone(),
            });
        }
        let location = format_args!("line {}", text.line());
        let message = "the file ends without MOTION; only the skeleton was read";
        self.report
            .add(Severity::Note, "MISSING_MOTION", location, message);
        Ok(())
    }

    fn close_all(&mut self, line: usize) {
        if let Some(&joint) = self.open.last() {
            let name = &self.hierarchy.joints[joint].name;
            let message =
                format_args!("MOTION begins inside joint {name:?}; the missing }} were added");
            repaired(self.report, "MISSING_BRACE", line, message);
        }
    }

    fn innermost(&self, at: &Text<'_>) -> Result<usize, BvhError> {
        let innermost = self.open.last().copied();
        innermost.ok_or_else(|| at.unexpected("ROOT or MOTION"))
    }

    fn joint(&mut self, text: &mut Text<'a>, is_root: bool, line: usize) -> Result<(), BvhError> {
        let parent = self.open.last().copied();
        let location = text.location();
        let written = text.name();
        self.memory
            .charge(COPIES_OF_A_NAME * written.len(), "a name", location)?;
        let name = match std::str::from_utf8(written) {
            Ok("") => {
                let name = format!("joint_{}", self.hierarchy.joints.len());
                let message = format_args!("a joint without a name was called {name:?}");
                repaired(self.report, "EMPTY_NAME", line, message);
                name
            }
            Ok(name) => name.to_owned(),
            Err(_) => {
                let name = String::from_utf8_lossy(written).into_owned();
                let message =
                    format_args!("the name {name:?} is not UTF-8; invalid bytes were replaced");
                repaired(self.report, "NAME_NOT_UTF8", line, message);
                name
            }
        };
        if !self.names.insert(written) && !written.is_empty() {
            let message = format_args!(
                "the name {name:?} is used by an earlier joint as well; a search by name finds the earlier joint"
            );
            let location = format_args!("line {line}");
            self.report
                .add(Severity::Note, "DUPLICATE_NAME", location, message);
        }
        let should_be = match (is_root, parent) {
            (true, Some(_)) => Some("a ROOT inside of a joint was read as a JOINT"),
            (false, None) => Some("a JOINT outside of a joint was read as a ROOT"),
            _ => None,
        };
        if let Some(message) = should_be {
            repaired(self.report, "WRONG_KEYWORD", line, message);
        }
        self.open_joint(text, name, parent, line)
    }

    fn end_site(
        &mut self,
        text: &mut Text<'a>,
        parent: usize,
        line: usize,
    ) -> Result<(), BvhError> {
        let location = text.location();
        let after = text.name();
        let named = match after.get(..4) {
            Some(site) if site.eq_ignore_ascii_case(b"Site") => after[4..].trim_ascii(),
            _ => b"",
        };
        let parent_name = &self.hierarchy.joints[parent].name;
        let length = parent_name.len() + named.len();
        self.memory
            .charge(COPIES_OF_A_NAME * length, "a name", location)?;
        let name = match named {
            b"" => format!("{parent_name}_end"),
            named => String::from_utf8_lossy(named).into_owned(),
        };
        self.open_joint(text, name, Some(parent), line)
    }

    fn open_joint(
        &mut self,
        text: &mut Text<'a>,
        name: String,
        parent: Option<usize>,
        line: usize,
    ) -> Result<(), BvhError> {
        self.memory
            .charge(JOINT_BYTES, "a joint", text.location())?;
        text.skip_space();
        if !text.take(b'{') {
            let message = format_args!("the {{ after {name:?} is missing");
            repaired(self.report, "MISSING_BRACE", line, message);
        }
        self.open.push(self.hierarchy.joints.len());
        self.hierarchy.joints.push(Joint {
            name,
            parent,
            offset: [0.0; 3],
            has_offset: false,
            line,
        });
        Ok(())
    }

    fn offset(&mut self, text: &mut Text<'a>, joint: usize) -> Result<(), BvhError> {
        let line = text.line();
        let mut found = 0;
        let mut offset = [0.0; 3];
        while let Some(number) = next_number(text)? {
            if let Some(slot) = offset.get_mut(found) {
                *slot = number;
            }
            found += 1;
        }
        let joint = &mut self.hierarchy.joints[joint];
        if found != 3 {
            let message = format_args!("OFFSET has {found} numbers instead of 3");
            repaired(self.report, "OFFSET_LENGTH", line, message);
        }
        for number in offset.iter_mut().filter(|n| !(**n as f32).is_finite()) {
            *number = 0.0;
            let message = format_args!(
                "the OFFSET of {:?} is infinite or not a number; 0 was used",
                joint.name
            );
            repaired(self.report, "NOT_FINITE", line, message);
        }
        if joint.has_offset {
            let message = format_args!("{:?} has a second OFFSET; the second was used", joint.name);
            repaired(self.report, "SECOND_OFFSET", line, message);
        }
        joint.offset = offset;
        joint.has_offset = true;
        Ok(())
    }

    fn channels(&mut self, text: &mut Text<'a>, joint: usize) -> Result<(), BvhError> {
        let line = text.line();
        let declared = next_number(text)?;
        let mut found = 0;
        loop {
            let mut ahead = *text;
            ahead.skip_separators();
            let is_wanted = declared.is_some_and(|declared| (found as f64) < declared);
            let word_line = ahead.line();
            let word = ahead.word();
            let channel = match Channel::parse(word) {
                Some(channel) => channel,
                // A word on the line of the channels that is not a keyword is an unknown channel.
                None if is_wanted && word_line == line && !word.is_empty() && !is_keyword(word) => {
                    let word = String::from_utf8_lossy(word);
                    let message =
                        format_args!("the channel {word:?} is unknown; its numbers were skipped");
                    let location = format_args!("line {line}");
                    self.report
                        .add(Severity::Ignored, "UNKNOWN_CHANNEL", location, message);
                    Channel::Unknown
                }
                None => break,
            };
            *text = ahead;
            self.hierarchy.channels.push((joint, channel));
            found += 1;
        }
        if declared != Some(found as f64) {
            let message = match declared {
                Some(declared) => {
                    format!(
                        "{declared} channels are declared, but {found} are named; the {found} named channels were read"
                    )
                }
                None => format!("CHANNELS has no number; the {found} named channels were read"),
            };
            repaired(self.report, "CHANNEL_COUNT", line, message);
        }
        Ok(())
    }
}

/// Reads the next number, on this line or a later line. `None` if the next word is not a number.
fn next_number(text: &mut Text<'_>) -> Result<Option<f64>, BvhError> {
    let mut ahead = *text;
    ahead.skip_separators();
    if !ahead.at_number() {
        return Ok(None);
    }
    *text = ahead;
    text.number().map(Some)
}

fn is_end_site(word: &[u8]) -> bool {
    let sites: [&[u8]; 4] = [b"End", b"EndSite", b"End_Site", b"End-Site"];
    sites.iter().any(|site| word.eq_ignore_ascii_case(site))
}

fn is_keyword(word: &[u8]) -> bool {
    let keywords: [&[u8]; 6] = [
        b"ROOT",
        b"JOINT",
        b"OFFSET",
        b"CHANNELS",
        b"MOTION",
        b"HIERARCHY",
    ];
    is_end_site(word)
        || keywords
            .iter()
            .any(|keyword| word.eq_ignore_ascii_case(keyword))
}
