//! Base64 (RFC 4648) for data URIs. Accepts missing padding and nonzero trailing bits.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const NOT_BASE64: u8 = 0xff;

const VALUES: [u8; 256] = {
    let mut values = [NOT_BASE64; 256];
    let mut index = 0;
    while index < ALPHABET.len() {
        values[ALPHABET[index] as usize] = index as u8;
        index += 1;
    }
    values
};

pub(super) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let padding = text
        .iter()
        .rev()
        .take(2)
        .take_while(|byte| **byte == b'=')
        .count();
    let text = text.get(..text.len() - padding)?;
    if padding > 0 && (text.len() + padding) % 4 != 0 {
        return None;
    }
    let mut decoded = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let mut quads = text.chunks_exact(4);
    // An invalid character sets the top bit. One test at the end finds it.
    let mut seen = 0;
    for quad in &mut quads {
        let [a, b, c, d] = [quad[0], quad[1], quad[2], quad[3]].map(|byte| VALUES[byte as usize]);
        seen |= a | b | c | d;
        decoded.extend_from_slice(&[a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
    }
    match *quads.remainder() {
        [] => {}
        [a, b] => {
            let [a, b] = [a, b].map(|byte| VALUES[byte as usize]);
            seen |= a | b;
            decoded.push(a << 2 | b >> 4);
        }
        [a, b, c] => {
            let [a, b, c] = [a, b, c].map(|byte| VALUES[byte as usize]);
            seen |= a | b | c;
            decoded.extend_from_slice(&[a << 2 | b >> 4, b << 4 | c >> 2]);
        }
        _ => return None,
    }
    (seen < 64).then_some(decoded)
}

pub(in crate::gltf) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for triple in bytes.chunks(3) {
        let byte = |number: usize| u32::from(triple.get(number).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for number in 0..4 {
            let digit = ALPHABET[(word >> (18 - 6 * number) & 63) as usize];
            text.push(if number <= triple.len() {
                char::from(digit)
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_strictly() {
        let cases: [(&str, Option<&[u8]>); 9] = [
            ("", Some(b"")),
            ("Zg==", Some(b"f")),
            ("Zm8=", Some(b"fo")),
            ("Zm9v", Some(b"foo")),
            ("Zm9vYg", Some(b"foob")),
            ("Z", None),
            ("Zg=", None),
            ("Zm9v====", None),
            ("Zm9*", None),
        ];
        for (text, bytes) in cases {
            assert_eq!(decode(text.as_bytes()).as_deref(), bytes, "{text}");
        }
    }

    #[test]
    fn base64_pads_to_four_letters() {
        assert_eq!(encode(b"").as_str(), "");
        assert_eq!(encode(b"f").as_str(), "Zg==");
        assert_eq!(encode(b"fo").as_str(), "Zm8=");
        assert_eq!(encode(b"foo").as_str(), "Zm9v");
        assert_eq!(encode(&[0xff; 4]).as_str(), "/////w==");
    }
}
