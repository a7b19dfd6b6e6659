//! First half of a PLY file: its elements and their properties.

use super::error::PlyError;

const MAX_LINES: usize = 4096;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    Little,
    Big,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Type {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    pub(super) fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Value of full brightness for a colour of this type.
    pub(super) fn one(self) -> f64 {
        match self {
            Self::I8 => f64::from(i8::MAX),
            Self::U8 => f64::from(u8::MAX),
            Self::I16 => f64::from(i16::MAX),
            Self::U16 => f64::from(u16::MAX),
            Self::I32 => f64::from(i32::MAX),
            Self::U32 => f64::from(u32::MAX),
            Self::F32 | Self::F64 => 1.0,
        }
    }
}

/// A number, or a list that starts with its length.
pub(super) struct Property {
    pub(super) name: String,
    pub(super) kind: Type,
    pub(super) length: Option<Type>,
}

pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) properties: Vec<Property>,
}

pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    pub(super) lines: usize,
    pub(super) bytes: usize,
    pub(super) exporter: Option<String>,
    /// Unknown lines with their numbers. Blender 2.47 wrote comments without the word `comment`.
    pub(super) strange: Vec<(usize, String)>,
}

pub(super) fn read(bytes: &[u8]) -> Result<Header, PlyError> {
    let mut header = Header {
        encoding: Encoding::Text,
        elements: Vec::new(),
        lines: 0,
        bytes: 0,
        exporter: None,
        strange: Vec::new(),
    };
    let mut properties = 0;
    loop {
        let rest = bytes.get(header.bytes..).unwrap_or_default();
        let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r'));
        let end = end.ok_or(PlyError::NoEnd)?;
        let after = if rest[end..].starts_with(b"\r\n") {
            2
        } else {
            1
        };
        header.bytes += end + after;
        header.lines += 1;
        let line = header.lines;
        let text = String::from_utf8_lossy(&rest[..end.min(1024)]).into_owned();
        let words: Vec<&str> = text.split_whitespace().collect();
        let wrong = || PlyError::Header {
            line,
            found: text.chars().take(40).collect(),
        };
        match words.as_slice() {
            ["ply"] if line == 1 => {}
            _ if line == 1 => return Err(wrong()),
            ["end_header"] => return Ok(header),
            [] | ["obj_info", ..] => {}
            ["comment", words @ ..] => header.read_comment(words),
            ["format", encoding, ..] => {
                header.encoding = match *encoding {
                    "ascii" => Encoding::Text,
                    "binary_little_endian" => Encoding::Little,
                    "binary_big_endian" => Encoding::Big,
                    _ => {
                        let found = (*encoding).to_owned();
                        return Err(PlyError::Format { line, found });
                    }
                };
            }
            ["element", name, count] if header.elements.len() < MAX_LINES => {
                header.elements.push(Element {
                    name: (*name).to_owned(),
                    count: count.parse().map_err(|_| wrong())?,
                    properties: Vec::new(),
                });
            }
            ["property", kind @ .., name] if properties < MAX_LINES => {
                properties += 1;
                let element = header.elements.last_mut().ok_or_else(wrong)?;
                let kind = |word: &str| Type::parse(word).ok_or_else(wrong);
                let (length, kind) = match kind_words(&words) {
                    ["list", length, of] => (Some(kind(length)?), kind(of)?),
                    [of] => (None, kind(of)?),
                    _ => return Err(wrong()),
                };
                element.properties.push(Property {
                    name: (*name).to_owned(),
                    kind,
                    length,
                });
            }
            // Before the first element, an unknown line is ignored.
            words if header.elements.is_empty() && header.strange.len() < MAX_LINES => {
                header.read_comment(words);
                header.strange.push((line, text.chars().take(40).collect()));
            }
            _ => return Err(wrong()),
        }
    }
}

impl Header {
    fn read_comment(&mut self, words: &[&str]) {
        if self.exporter.is_none() {
            self.exporter = exporter(words);
        }
    }
}

fn kind_words<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    words
        .get(1..words.len().saturating_sub(1))
        .unwrap_or_default()
}

/// Parses `comment Created by Blender 4.2` and its variants.
fn exporter(words: &[&str]) -> Option<String> {
    let at = words
        .iter()
        .position(|word| word.eq_ignore_ascii_case("by"))?;
    let verb = words.get(at.checked_sub(1)?)?.to_ascii_lowercase();
    let is_maker = [
        "created",
        "generated",
        "made",
        "written",
        "exported",
        "saved",
    ];
    let name = words.get(at + 1..)?.join(" ");
    (is_maker.contains(&verb.as_str()) && !name.is_empty()).then_some(name)
}
