//! Files of a document: one GLB, one text, or a text with a binary file.

use super::error::ExportError;
use crate::gltf::bytes::base64;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

const HEADER_LENGTH: usize = 12;
const CHUNK_HEADER_LENGTH: usize = 8;
const VERSION: u32 = 2;

/// Characters to escape in file references: all except the unreserved characters of RFC 3986.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A GLB file. It has no BIN chunk if `bin` is empty.
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
    // A chunk is shorter than the file, so its length fits too.
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

pub(super) fn data_uri(bytes: &[u8]) -> String {
    format!(
        "data:application/octet-stream;base64,{}",
        base64::encode(bytes)
    )
}

pub(super) fn relative_uri(file_name: &str) -> String {
    utf8_percent_encode(file_name, ESCAPED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_become_references() {
        assert_eq!(relative_uri("a b#1.bin"), "a%20b%231.bin");
        assert_eq!(relative_uri("é.bin"), "%C3%A9.bin");
    }
}
