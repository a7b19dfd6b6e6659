//! Statements of an OBJ file or of its libraries: lines without comments. A line that ends with a backslash continues.

use std::borrow::Cow;

/// Statements, each with the number of its first line.
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        Self {
            rest: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
            line: 0,
        }
    }

    /// Reads a line that ends as in Unix, Windows or classic Mac OS.
    fn line(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.line += 1;
        let end = self.rest.iter().position(|b| matches!(b, b'\n' | b'\r'));
        let end = end.unwrap_or(self.rest.len());
        let line = &self.rest[..end];
        let after = match &self.rest[end..] {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            _ => 1,
        };
        self.rest = &self.rest[end + after..];
        Some(line)
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, Cow<'a, [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = self.line()?;
            let number = self.line;
            let mut whole = Cow::Borrowed(line);
            while let Some(before) = whole.trim_ascii_end().strip_suffix(b"\\") {
                let end = before.len();
                let whole = whole.to_mut();
                whole.truncate(end);
                whole.push(b' ');
                whole.extend_from_slice(self.line().unwrap_or_default());
            }
            let end = comment(&whole);
            let text = match whole {
                Cow::Borrowed(text) => Cow::Borrowed(&text[..end]),
                Cow::Owned(mut text) => {
                    text.truncate(end);
                    Cow::Owned(text)
                }
            };
            if !text.trim_ascii().is_empty() {
                return Some((number, text));
            }
        }
    }
}

/// Byte at which a comment starts. A `#` within a name does not start a comment.
fn comment(text: &[u8]) -> usize {
    let begins =
        |at: &usize| text[*at] == b'#' && (*at == 0 || text[*at - 1].is_ascii_whitespace());
    (0..text.len()).find(begins).unwrap_or(text.len())
}

pub(crate) fn keyword(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii();
    let end = text.iter().position(u8::is_ascii_whitespace);
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (word, rest.trim_ascii())
}

pub(crate) fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace)
        .filter(|w| !w.is_empty())
}

pub(crate) fn number(word: &[u8]) -> Option<f32> {
    let number = std::str::from_utf8(word).ok()?.parse().ok();
    number.filter(|number: &f32| number.is_finite())
}

/// True if the first statement is an OBJ statement.
pub(crate) fn looks_like_obj(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    let first = Lines::of(head).next();
    first.is_some_and(|(_, text)| {
        let (word, rest) = keyword(&text);
        match word {
            b"mtllib" | b"o" | b"g" => !rest.is_empty(),
            b"v" => words(rest).count() >= 3 && words(rest).all(|word| number(word).is_some()),
            _ => false,
        }
    })
}
