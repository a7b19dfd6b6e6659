//! Segments of JSON pointers (RFC 6901).

pub(crate) fn push_escaped(pointer: &mut String, name: &str) {
    for character in name.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

pub(crate) fn escaped(name: &str) -> String {
    let mut segment = String::with_capacity(name.len());
    push_escaped(&mut segment, name);
    segment
}
