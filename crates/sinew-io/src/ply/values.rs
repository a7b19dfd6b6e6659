//! Reads the numbers of a PLY file in sequence, in any type and byte order.

use super::error::PlyError;
use super::header::{Element, Encoding, Header, Property, Type};

#[derive(Clone)]
pub(super) struct Values<'a> {
    rest: &'a [u8],
    encoding: Encoding,
    line: usize,
}

impl<'a> Values<'a> {
    pub(super) fn after(header: &Header, bytes: &'a [u8]) -> Self {
        Self {
            rest: bytes.get(header.bytes..).unwrap_or_default(),
            encoding: header.encoding,
            line: header.lines + 1,
        }
    }

    /// Max number of rows in the rest of the file, from the min size of a row.
    pub(super) fn max_rows(&self, element: &Element) -> usize {
        let min_bytes = |property: &Property| match (self.encoding, property.length) {
            (Encoding::Text, _) => 2,
            (_, Some(length)) => length.bytes(),
            (_, None) => property.kind.bytes(),
        };
        let row: usize = element.properties.iter().map(min_bytes).sum();
        (self.rest.len() + 1) / row.max(1)
    }

    /// The next number. `None` at the end of the file.
    fn next(&mut self, kind: Type) -> Result<Option<f64>, PlyError> {
        match self.encoding {
            Encoding::Text => self.word(),
            Encoding::Little | Encoding::Big => Ok(self.binary(kind)),
        }
    }

    fn word(&mut self) -> Result<Option<f64>, PlyError> {
        let blank = self.rest.iter().position(|b| !b.is_ascii_whitespace());
        let (blanks, rest) = self.rest.split_at(blank.unwrap_or(self.rest.len()));
        self.line += blanks.iter().filter(|b| **b == b'\n').count();
        let end = rest.iter().position(u8::is_ascii_whitespace);
        let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = rest;
        if word.is_empty() {
            return Ok(None);
        }
        let number = std::str::from_utf8(word).ok().and_then(|w| w.parse().ok());
        let shown = &word[..word.len().min(40)];
        let wrong = || PlyError::Number {
            line: self.line,
            found: String::from_utf8_lossy(shown).into_owned(),
        };
        number.map(Some).ok_or_else(wrong)
    }

    fn binary(&mut self, kind: Type) -> Option<f64> {
        let (bytes, rest) = self.rest.split_at_checked(kind.bytes())?;
        self.rest = rest;
        let mut ordered = [0; 8];
        let ordered = &mut ordered[..bytes.len()];
        ordered.copy_from_slice(bytes);
        if self.encoding == Encoding::Big {
            ordered.reverse();
        }
        Some(match (kind, &*ordered) {
            (Type::I8, &[a]) => f64::from(i8::from_le_bytes([a])),
            (Type::U8, &[a]) => f64::from(a),
            (Type::I16, &[a, b]) => f64::from(i16::from_le_bytes([a, b])),
            (Type::U16, &[a, b]) => f64::from(u16::from_le_bytes([a, b])),
            (Type::I32, &[a, b, c, d]) => f64::from(i32::from_le_bytes([a, b, c, d])),
            (Type::U32, &[a, b, c, d]) => f64::from(u32::from_le_bytes([a, b, c, d])),
            (Type::F32, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
            (_, &[a, b, c, d, e, f, g, h]) => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => return None,
        })
    }

    /// Calls `take` with every number, its row and its property, and at the end of each list.
    pub(super) fn each(
        &mut self,
        element: &Element,
        mut take: impl FnMut(usize, usize, Value) -> Result<(), PlyError>,
    ) -> Result<(), PlyError> {
        if element.properties.is_empty() {
            return Ok(());
        }
        for row in 0..element.count {
            let cut_off = || PlyError::CutOff {
                element: element.name.clone(),
                row,
                count: element.count,
            };
            for (column, property) in element.properties.iter().enumerate() {
                let Some(length) = property.length else {
                    let number = self.next(property.kind)?.ok_or_else(cut_off)?;
                    take(row, column, Value::Number(number))?;
                    continue;
                };
                let length = self.next(length)?.ok_or_else(cut_off)?;
                // A list of negative length is empty. A list that is too long ends with the file.
                for _ in 0..length.max(0.0) as u64 {
                    let number = self.next(property.kind)?.ok_or_else(cut_off)?;
                    take(row, column, Value::Number(number))?;
                }
                take(row, column, Value::End)?;
            }
        }
        Ok(())
    }
}

pub(super) enum Value {
    Number(f64),
    End,
}
