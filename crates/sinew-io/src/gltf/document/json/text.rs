//! Functions on the text of a well-formed JSON value.

use std::borrow::Cow;

use serde_json::value::RawValue;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integer {
    Natural(u64),
    Negative,
}

pub(crate) fn kind_of(text: &str) -> &'static str {
    match text.as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// Nesting depth of arrays and objects. 0 for other values.
pub(crate) fn depth(text: &str) -> usize {
    let (mut now, mut max_depth) = (0_usize, 0);
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {
                while let Some(byte) = bytes.next().filter(|byte| *byte != b'"') {
                    if byte == b'\\' {
                        bytes.next();
                    }
                }
            }
            b'[' | b'{' => {
                now += 1;
                max_depth = max_depth.max(now);
            }
            b']' | b'}' => now = now.saturating_sub(1),
            _ => {}
        }
    }
    max_depth
}

/// The value of a number. Infinite if it is out of range.
pub(crate) fn number(text: &str) -> Option<f64> {
    match text.as_bytes().first() {
        Some(b'-' | b'0'..=b'9') => text.parse().ok(),
        _ => None,
    }
}

/// The value of an integer. Accepts 1.0, which some programs write for 1.
pub(crate) fn integer(text: &str) -> Option<Integer> {
    if let Ok(value) = text.parse() {
        return Some(Integer::Natural(value));
    }
    let value = number(text).filter(|value| value.fract() == 0.0)?;
    if value < 0.0 {
        return Some(Integer::Negative);
    }
    // The cast saturates. No valid count, length or index is that large.
    Some(Integer::Natural(value as u64))
}

pub(crate) fn natural<T: TryFrom<u64>>(text: &str) -> Option<T> {
    match integer(text)? {
        Integer::Natural(value) => T::try_from(value).ok(),
        Integer::Negative => None,
    }
}

/// Converts an integer to an index. Large integers become `u32::MAX - 1`, because `u32::MAX` marks
/// an unreadable index, which has a finding.
pub(crate) fn as_index(value: u64) -> u32 {
    u32::try_from(value).map_or(u32::MAX - 1, |index| index.min(u32::MAX - 1))
}

pub(crate) fn string(text: &str) -> Option<Cow<'_, str>> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    if inner.as_bytes().contains(&b'\\') {
        serde_json::from_str(text).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

pub(crate) fn elements(text: &str) -> Option<Elements<'_>> {
    text.strip_prefix('[').map(|rest| Elements { rest })
}

pub(crate) fn entries(text: &str) -> Option<Entries<'_>> {
    text.strip_prefix('{').map(|rest| Entries { rest })
}

pub(crate) fn member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    let mut entries = entries(object)?;
    entries
        .find(|(known, _)| known == name)
        .map(|(_, value)| value)
}

/// Strings of an array, empty for other elements. No strings if it is not an array.
pub(crate) fn strings(array: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let elements = elements(array).into_iter().flatten();
    elements.map(|element| string(element).unwrap_or_default())
}

pub(crate) struct Elements<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Elements<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (element, rest) = take_value(self.rest, b']')?;
        self.rest = skip(rest, ',');
        Some(element)
    }
}

pub(crate) struct Entries<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Entries<'a> {
    type Item = (Cow<'a, str>, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, rest) = take_value(self.rest, b'}')?;
        let (value, rest) = take_value(skip(rest, ':'), b'}')?;
        self.rest = skip(rest, ',');
        // A name with an invalid escape keeps its raw spelling.
        Some((string(name).unwrap_or(Cow::Borrowed(name)), value))
    }
}

/// Splits the first value off `text`. `None` if `end` comes first.
fn take_value(text: &str, end: u8) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let first = *text.as_bytes().first()?;
    if first == end {
        return None;
    }
    if matches!(first, b'-' | b'0'..=b'9') {
        let is_end = |byte| matches!(byte, b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t');
        return text.split_at_checked(text.bytes().position(is_end)?);
    }
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let value = stream.next()?.ok()?.get();
    Some((value, text.get(stream.byte_offset()..)?))
}

fn skip(text: &str, mark: char) -> &str {
    let text = text.trim_ascii_start();
    text.strip_prefix(mark).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_every_kind_are_walked() {
        let walked = |text| elements(text).map(|found| found.collect::<Vec<_>>());
        assert_eq!(walked("[1, 2 ,\n-3e4]"), Some(vec!["1", "2", "-3e4"]));
        assert_eq!(
            walked(r#"[ "a,]" , {"b":[1]} ,null,[2] ]"#),
            Some(vec![r#""a,]""#, r#"{"b":[1]}"#, "null", "[2]"])
        );
        assert_eq!(walked("[]"), Some(vec![]));
        assert_eq!(walked("{}"), None);
    }

    #[test]
    fn members_are_walked() {
        let walked = |text| entries(text).map(|found| found.collect::<Vec<_>>());
        assert_eq!(
            walked(r#"{ "a" : 1, "b\n":{"c":2} }"#),
            Some(vec![("a".into(), "1"), ("b\n".into(), r#"{"c":2}"#)])
        );
        assert_eq!(walked("{}"), Some(vec![]));
        assert_eq!(walked("[]"), None);
    }

    #[test]
    fn depth_counts_what_is_no_string() {
        assert_eq!(depth("3"), 0);
        assert_eq!(depth(r#"{"a":[1,[2]],"b":{}}"#), 3);
        assert_eq!(depth(r#"["[[[[", "\"[[{", "\\"]"#), 1);
    }

    #[test]
    fn numbers_out_of_range_are_still_numbers() {
        assert_eq!(number("1e309"), Some(f64::INFINITY));
        assert_eq!(number("null"), None);
        assert_eq!(integer("3.0"), Some(Integer::Natural(3)));
        assert_eq!(integer("-1"), Some(Integer::Negative));
        assert_eq!(integer("1.5"), None);
        assert_eq!(
            integer("99999999999999999999999"),
            Some(Integer::Natural(u64::MAX))
        );
    }
}
