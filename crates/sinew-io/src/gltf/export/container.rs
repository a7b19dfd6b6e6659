//! The forms that a document and its bytes take on disk: one GLB file, one text, or a text and a
//! file beside it.

use super::error::ExportError;

const HEADER_LENGTH: usize = 12;
const CHUNK_HEADER_LENGTH: usize = 8;
const VERSION: u32 = 2;

/// A GLB file; without a BIN chunk when there are no bytes.
pub(super) fn glb(json: &str, bin: &[u8]) -> Result<Vec<u8>, ExportError> {
    let mut file = Vec::with_capacity(
        HEADER_LENGTH + 2 * CHUNK_HEADER_LENGTH + json.len() + bin.len() + 2 * 3,
    );
    file.extend(b"glTF");
    file.extend(VERSION.to_le_bytes());
    file.extend([0; 4]);
    push_chunk(&mut file, b"JSON", json.as_bytes(), b' ');
    if !bin.is_empty() {
        push_chunk(&mut file, b"BIN\0", bin, 0);
    }
    let too_large = ExportError::TooLarge { bytes: file.len() };
    let length = u32::try_from(file.len()).map_err(|_| too_large)?;
    // Chunks are shorter than the file, so their lengths have been counted right as well.
    file[8..HEADER_LENGTH].copy_from_slice(&length.to_le_bytes());
    Ok(file)
}

fn push_chunk(file: &mut Vec<u8>, kind: &[u8; 4], data: &[u8], padding: u8) {
    let length = data.len().next_multiple_of(4);
    file.extend((length as u32).to_le_bytes());
    file.extend(kind);
    file.extend(data);
    file.extend(std::iter::repeat_n(padding, length - data.len()));
}

/// The bytes of a buffer as a data URI.
pub(super) fn data_uri(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut uri = String::from("data:application/octet-stream;base64,");
    uri.reserve(bytes.len().div_ceil(3) * 4);
    for triple in bytes.chunks(3) {
        let byte = |place: usize| u32::from(triple.get(place).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = ALPHABET[(word >> (18 - 6 * place) & 63) as usize];
            uri.push(if place <= triple.len() {
                char::from(digit)
            } else {
                '='
            });
        }
    }
    uri
}

/// A file's name as a relative reference to it.
pub(super) fn relative_uri(file_name: &str) -> String {
    let mut uri = String::with_capacity(file_name.len());
    for byte in file_name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_pads_to_four_letters() {
        let encoded = |bytes: &[u8]| data_uri(bytes).split(',').nth(1).map(str::to_owned);
        assert_eq!(encoded(b"").as_deref(), Some(""));
        assert_eq!(encoded(b"f").as_deref(), Some("Zg=="));
        assert_eq!(encoded(b"fo").as_deref(), Some("Zm8="));
        assert_eq!(encoded(b"foo").as_deref(), Some("Zm9v"));
        assert_eq!(encoded(&[0xff; 4]).as_deref(), Some("/////w=="));
    }

    #[test]
    fn file_names_become_references() {
        assert_eq!(relative_uri("a b#1.bin"), "a%20b%231.bin");
        assert_eq!(relative_uri("é.bin"), "%C3%A9.bin");
    }
}
