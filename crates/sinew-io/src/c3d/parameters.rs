use super::error::C3dError;
use super::header::BLOCK;
use super::numbers::Machine;
use std::ops::Range;

/// Parameters by group and name, in any case.
pub struct Parameters<'a> {
    bytes: &'a [u8],
    pub machine: Machine,
    groups: Vec<(i8, &'a [u8])>,
    parameters: Vec<Parameter<'a>>,
}

struct Parameter<'a> {
    group: i8,
    name: &'a [u8],
    kind: Kind,
    /// Array dimensions; for texts, the first is the length of each text.
    sizes: &'a [u8],
    values: Range<usize>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Text,
    Byte,
    Integer,
    Float,
}

impl Kind {
    fn bytes(self) -> usize {
        match self {
            Self::Text | Self::Byte => 1,
            Self::Integer => 2,
            Self::Float => 4,
        }
    }
}

impl<'a> Parameters<'a> {
    /// Reads the section that begins at `first_block`, counted from 1.
    pub fn read(bytes: &'a [u8], first_block: u8) -> Result<Self, C3dError> {
        if first_block < 2 {
            return Err(C3dError::Parameter {
                byte: 0,
                what: "the header states that parameters begin at its own block",
            });
        }
        let start = usize::from(first_block - 1) * BLOCK;
        let cut_off = |what, byte| C3dError::CutOff {
            what,
            byte,
            bytes: bytes.len(),
        };
        let [_, _, blocks, processor] = *bytes
            .get(start..start + 4)
            .and_then(|b| b.first_chunk())
            .ok_or_else(|| cut_off("the section of parameters", start))?;
        let machine = Machine::new(start + 3, processor)?;
        // Some programs write 0 as the number of blocks.
        let end = match blocks {
            0 => bytes.len(),
            blocks => bytes.len().min(start + usize::from(blocks) * BLOCK),
        };
        let mut all = Self {
            bytes,
            machine,
            groups: Vec::new(),
            parameters: Vec::new(),
        };
        let mut at = start + 4;
        while let Some(next) = all.read_one(at, end)? {
            at = next;
        }
        Ok(all)
    }

    /// Reads a group or a parameter. Returns the offset of the next group or parameter.
    fn read_one(&mut self, at: usize, end: usize) -> Result<Option<usize>, C3dError> {
        let section = &self.bytes[..end];
        let cut_off = |byte| C3dError::CutOff {
            what: "a parameter",
            byte,
            bytes: end,
        };
        let take = |from: usize, count: usize| {
            let part = section.get(from..from + count);
            part.ok_or_else(|| cut_off(from))
        };
        // An empty name marks the end. A completely full section has no end mark.
        let Some(&[letters, group]) = section.get(at..at + 2).and_then(|b| b.first_chunk()) else {
            return Ok(None);
        };
        if letters == 0 {
            return Ok(None);
        }
        // A negative length marks a locked parameter.
        let letters = usize::from((letters as i8).unsigned_abs());
        let name = take(at + 2, letters)?;
        let link = at + 2 + letters;
        let to_next = take(link, 2)?;
        let to_next = usize::from(self.machine.word([to_next[0], to_next[1]]));
        let group = group as i8;
        if group < 0 {
            self.groups.push((group.unsigned_abs() as i8, name));
        } else {
            let head = take(link + 2, 2)?;
            let kind = match head[0] as i8 {
                -1 => Kind::Text,
                1 => Kind::Byte,
                2 => Kind::Integer,
                4 => Kind::Float,
                _ => {
                    return Err(C3dError::Parameter {
                        byte: link + 2,
                        what: "the type of a parameter should be -1, 1, 2 or 4",
                    });
                }
            };
            let sizes = take(link + 4, usize::from(head[1]))?;
            let first = link + 4 + sizes.len();
            let count = sizes
                .iter()
                .try_fold(1_usize, |product, &size| product.checked_mul(size.into()))
                .filter(|&count| count <= section.len())
                .ok_or_else(|| cut_off(first))?;
            take(first, count * kind.bytes())?;
            self.parameters.push(Parameter {
                group,
                name,
                kind,
                sizes,
                values: first..first + count * kind.bytes(),
            });
        }
        match to_next {
            0 => Ok(None),
            1 => Err(C3dError::Parameter {
                byte: link,
                what: "the offset of the next parameter points into this parameter",
            }),
            _ => Ok(Some(link + to_next)),
        }
    }

    fn find(&self, group: &str, name: &str) -> Option<&Parameter<'a>> {
        let same = |a: &[u8], b: &str| a.eq_ignore_ascii_case(b.as_bytes());
        let is_group = |id: i8| {
            self.groups
                .iter()
                .any(|&(g, called)| g == id && same(called, group))
        };
        self.parameters
            .iter()
            .find(|p| same(p.name, name) && is_group(p.group))
    }

    /// Numbers of a parameter. Integers are unsigned, because long files need the range.
    pub fn numbers(&self, group: &str, name: &str) -> Vec<f64> {
        let Some(parameter) = self.find(group, name) else {
            return Vec::new();
        };
        let values = &self.bytes[parameter.values.clone()];
        match parameter.kind {
            Kind::Text => Vec::new(),
            Kind::Byte => values.iter().map(|&b| f64::from(b)).collect(),
            Kind::Integer => values
                .as_chunks()
                .0
                .iter()
                .map(|&b| f64::from(self.machine.word(b)))
                .collect(),
            Kind::Float => values
                .as_chunks()
                .0
                .iter()
                .map(|&b| self.machine.float(b))
                .collect(),
        }
    }

    /// First number of a parameter.
    pub fn number(&self, group: &str, name: &str) -> Option<f64> {
        self.numbers(group, name).first().copied()
    }

    /// Texts of a parameter, trimmed.
    pub fn texts(&self, group: &str, name: &str) -> Vec<String> {
        let Some(parameter) = self.find(group, name).filter(|p| p.kind == Kind::Text) else {
            return Vec::new();
        };
        let letters = parameter.sizes.first().map_or(1, |&n| usize::from(n));
        if letters == 0 {
            return Vec::new();
        }
        let blank = |c: char| c.is_whitespace() || c == '\0';
        self.bytes[parameter.values.clone()]
            .chunks(letters)
            .map(|text| String::from_utf8_lossy(text).trim_matches(blank).to_owned())
            .collect()
    }

    /// A list of labels. Labels after the first 255 are in lists with a suffix 2, 3 and so on.
    pub fn list(&self, name: &str) -> Vec<String> {
        let mut list = self.texts("POINT", name);
        for part in 2.. {
            let more = self.texts("POINT", &format!("{name}{part}"));
            if more.is_empty() {
                break;
            }
            list.extend(more);
        }
        list
    }
}
