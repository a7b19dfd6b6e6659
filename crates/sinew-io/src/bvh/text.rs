//! Reads words and numbers of a BVH file with their locations, in one forward pass.

use std::borrow::Cow;

use super::error::{BvhError, TextLocation};

/// Max number of bytes of a wrong word that a message shows.
const SHOWN: usize = 40;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) first_line: usize,
    pub(super) count: usize,
}

impl Tally {
    pub(super) fn add(&mut self, line: usize, count: usize) {
        if self.count == 0 {
            self.first_line = line;
        }
        self.count += count;
    }
}

/// Max integer up to which every integer is an `f64`.
const EXACT: u64 = 1 << 53;

/// Powers of ten that are exact. The quotient of two exact numbers is the nearest `f64`.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// A location in a file. To return to a location, keep a copy of this struct.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    line_start: usize,
    pub(super) comments: Tally,
    pub(super) decimal_commas: Tally,
}

/// True for blanks. Some programs pad files with NUL or the end-of-file mark of DOS.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c | 0 | 0x1a)
}

fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn begins_with(bytes: &[u8], word: &[u8]) -> bool {
    bytes
        .get(..word.len())
        .is_some_and(|beginning| beginning.eq_ignore_ascii_case(word))
}

fn digits(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count()
}

impl<'a> Text<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
            at: 0,
            line: 1,
            line_start: 0,
            comments: Tally::default(),
            decimal_commas: Tally::default(),
        }
    }

    pub(super) fn location(&self) -> TextLocation {
        TextLocation {
            line: self.line,
            column: self.at - self.line_start + 1,
        }
    }

    pub(super) fn line(&self) -> usize {
        self.line
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn at_line_end(&self) -> bool {
        self.peek().is_none_or(is_newline)
    }

    fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().take_while(|byte| belongs(**byte)).count();
        self.at += length;
        &rest[..length]
    }

    pub(super) fn skip_blanks(&mut self) {
        self.take_while(is_blank);
        let rest = self.rest();
        if rest.starts_with(b"#") || rest.starts_with(b"//") {
            self.comments.add(self.line, 1);
            self.skip_line();
        }
    }

    pub(super) fn skip_line(&mut self) {
        self.take_while(|byte| !is_newline(byte));
    }

    /// Skips blanks, comments and line ends of Unix, Windows and classic Mac OS.
    pub(super) fn skip_space(&mut self) {
        loop {
            self.skip_blanks();
            if self.take(b'\r') {
                self.take(b'\n');
            } else if !self.take(b'\n') {
                return;
            }
            self.line += 1;
            self.line_start = self.at;
        }
    }

    pub(super) fn skip_separators(&mut self) {
        self.skip_space();
        while self.take(b',') || self.take(b';') {
            self.skip_space();
        }
    }

    pub(super) fn word(&mut self) -> &'a [u8] {
        self.take_while(|byte| {
            !is_blank(byte) && !is_newline(byte) && !matches!(byte, b'{' | b'}' | b',' | b';')
        })
    }

    pub(super) fn letters(&mut self) -> &'a [u8] {
        self.take_while(|byte| byte.is_ascii_alphabetic() || byte == b'_')
    }

    /// Reads the line up to an opening brace, and trims blanks.
    pub(super) fn name(&mut self) -> &'a [u8] {
        self.take_while(is_blank);
        let mut name = self.take_while(|byte| !is_newline(byte) && byte != b'{');
        while let [before @ .., last] = name
            && is_blank(*last)
        {
            name = before;
        }
        name
    }

    pub(super) fn shown(&self) -> String {
        let mut ahead = *self;
        let word = match ahead.word() {
            [] => &self.rest()[..self.rest().len().min(1)],
            word => word,
        };
        match word.get(..SHOWN) {
            Some(beginning) => format!("{}…", String::from_utf8_lossy(beginning)),
            None => String::from_utf8_lossy(word).into_owned(),
        }
    }

    pub(super) fn unexpected(&self, expected: &'static str) -> BvhError {
        BvhError::Unexpected {
            location: self.location(),
            found: self.shown(),
            expected,
        }
    }

    pub(super) fn at_number(&self) -> bool {
        let rest = self.rest();
        let sign_or_digit = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.');
        rest.first().is_some_and(sign_or_digit)
            || begins_with(rest, b"nan")
            || begins_with(rest, b"inf")
    }

    /// Reads the next number before the end of the line or a brace. Skips commas and semicolons.
    pub(super) fn number_on_line(&mut self) -> Result<Option<f64>, BvhError> {
        if let Some(number) = self.plain_number() {
            return Ok(Some(number));
        }
        self.skip_blanks();
        while self.take(b',') || self.take(b';') {
            self.skip_blanks();
        }
        if self.at_line_end() || matches!(self.peek(), Some(b'{' | b'}')) {
            return Ok(None);
        }
        self.number().map(Some)
    }

    /// Reads digits, with a point or without, between blanks. `None`, and reads nothing, if they are
    /// anything else, or so many that the quotient of two exact numbers is not exact.
    fn plain_number(&mut self) -> Option<f64> {
        let rest = self.rest();
        let begin = rest.iter().position(|b| !matches!(b, b' ' | b'\t'))?;
        let is_negative = rest[begin] == b'-';
        let begin = begin + usize::from(is_negative);
        let (mut whole, mut point, mut end) = (0_u64, None, begin);
        for byte in &rest[begin..] {
            match byte {
                b'0'..=b'9' => {
                    whole = whole.checked_mul(10)?.checked_add(u64::from(byte - b'0'))?;
                }
                b'.' if point.is_none() => point = Some(end),
                b' ' | b'\t' | b'\r' | b'\n' => break,
                _ => return None,
            }
            end += 1;
        }
        let decimals = point.map_or(0, |point| end - point - 1);
        let digits = end - begin - usize::from(point.is_some());
        let power = POWERS_OF_TEN.get(decimals)?;
        if digits == 0 || whole > EXACT {
            return None;
        }
        self.at += end;
        let number = whole as f64 / power;
        Some(if is_negative { -number } else { number })
    }

    /// Reads a number up to white space, a separator or the sign of the next number.
    pub(super) fn number(&mut self) -> Result<f64, BvhError> {
        let begin = *self;
        let value = self.leading_number()?;
        let ends = |byte| {
            is_blank(byte)
                || is_newline(byte)
                || matches!(byte, b',' | b';' | b'+' | b'-' | b'{' | b'}')
        };
        match self.peek() {
            Some(byte) if !ends(byte) => Err(begin.not_a_number()),
            _ => Ok(value),
        }
    }

    fn not_a_number(&self) -> BvhError {
        BvhError::Number {
            location: self.location(),
            found: self.shown(),
        }
    }

    /// Reads a number and ignores the characters after it. `nan`, `-nan(ind)`, `inf` and `1.#IND`,
    /// as C libraries print, become NaN.
    pub(super) fn leading_number(&mut self) -> Result<f64, BvhError> {
        let rest = self.rest();
        let sign = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
        let unsigned = &rest[sign..];
        if begins_with(unsigned, b"nan") || begins_with(unsigned, b"inf") {
            self.word();
            return Ok(f64::NAN);
        }
        let whole = digits(unsigned);
        let mut end = sign + whole;
        let mut fraction = 0;
        let mut comma = None;
        match rest.get(end) {
            Some(b'.') => {
                fraction = digits(&rest[end + 1..]);
                end += 1 + fraction;
            }
            Some(b',') if self.has_decimal_comma(end) => {
                comma = Some(end);
                fraction = digits(&rest[end + 1..]);
                end += 1 + fraction;
            }
            _ => {}
        }
        if whole + fraction == 0 {
            return Err(self.not_a_number());
        }
        if rest.get(end) == Some(&b'#') {
            self.word();
            return Ok(f64::NAN);
        }
        if let Some(b'e' | b'E') = rest.get(end) {
            let sign = usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(&rest[(end + 1 + sign).min(rest.len())..]);
            if exponent > 0 {
                end += 1 + sign + exponent;
            }
        }
        let mut written = Cow::Borrowed(&rest[..end]);
        if let Some(comma) = comma {
            written.to_mut()[comma] = b'.';
            self.decimal_commas.add(self.line, 1);
        }
        let value = std::str::from_utf8(&written)
            .ok()
            .and_then(|text| text.parse().ok());
        let value = value.ok_or_else(|| self.not_a_number())?;
        self.at += end;
        Ok(value)
    }

    /// True if the comma `ahead` is a decimal point, as in German locales: it is between digits and
    /// the only comma of its word. So `1,2` is one number.
    fn has_decimal_comma(&self, ahead: usize) -> bool {
        let rest = self.rest();
        let is_list = self.at > 0 && self.bytes[self.at - 1] == b',';
        let after = digits(&rest[ahead + 1..]);
        let goes_on = matches!(rest.get(ahead + 1 + after), Some(b',' | b'.'));
        let has_whole_part = ahead > 0 && rest[ahead - 1].is_ascii_digit();
        has_whole_part && after > 0 && !is_list && !goes_on
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers_are_the_nearest_and_others_are_left_alone() {
        let mut seed = 1_u64;
        for round in 0..20_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let digits = (seed >> 20) % 10_u64.pow(1 + round % 17);
            let decimals = (seed >> 9) as usize % 18;
            let number = format!("{digits:0>width$}", width = decimals + 1);
            let (whole, fraction) = number.split_at(number.len() - decimals);
            let sign = if seed & 64 == 0 { "-" } else { "" };
            let word = format!("{sign}{whole}.{fraction}");
            let text = format!(" \t{word}\n");
            let expected: f64 = word.parse().expect("a number");
            if let Some(read) = Text::new(text.as_bytes()).plain_number() {
                assert_eq!(read.to_bits(), expected.to_bits(), "{word}");
            } else {
                assert!(digits > EXACT, "{word}");
            }
        }
        for word in ["-0", "7", "-.5", "5.", "00.10"] {
            let read = Text::new(word.as_bytes()).plain_number();
            let expected: f64 = word.parse().expect("a number");
            assert_eq!(read.map(f64::to_bits), Some(expected.to_bits()), "{word}");
        }
        for word in [
            "", "-", ".", "1e3", "1,5", "1-2", "1.2.3", "nan", "+1", "# 1", "}",
        ] {
            let mut text = Text::new(word.as_bytes());
            assert_eq!((text.plain_number(), text.at), (None, 0), "{word}");
        }
    }
}
