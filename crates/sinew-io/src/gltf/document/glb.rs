//! GLB container: a header, a JSON chunk and an optional BIN chunk.

use crate::report::{FileReport, Severity};

const MAGIC: u32 = u32::from_le_bytes(*b"glTF");
const VERSION: u32 = 2;
const HEADER_LENGTH: usize = 12;
const CHUNK_HEADER_LENGTH: usize = 8;
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// Chunks of a GLB file, borrowed from its bytes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Glb<'a> {
    /// The JSON chunk.
    pub json: &'a [u8],
    /// The BIN chunk, with the bytes of the first buffer of the document.
    pub bin: Option<&'a [u8]>,
}

/// Splits a GLB file into chunks.
///
/// Reports faults with byte offsets. `None`, with an error in `report`, if there is no document.
pub fn read<'a>(bytes: &'a [u8], report: &mut FileReport) -> Option<Glb<'a>> {
    let total_length = read_header(bytes, report)?;
    let mut reader = ChunkReader {
        bytes,
        offset: HEADER_LENGTH,
        total_length,
        chunks_read: 0,
        json: None,
        bin: None,
        report,
    };
    while reader.offset < bytes.len() {
        if reader.offset as u64 == total_length && reader.chunks_read > 0 {
            let extra = bytes.len() - reader.offset;
            reader.add(
                Severity::Ignored,
                "GLB_EXTRA_DATA",
                reader.offset,
                format_args!("{extra} bytes follow the declared end of the file"),
            );
            break;
        }
        reader.read_chunk()?;
    }
    reader.check_total_length();
    let (json, bin) = (reader.json, reader.bin);
    match json {
        Some(json) => Some(Glb { json, bin }),
        None => {
            if report.count(Severity::Error) == 0 {
                let message = "the container has no JSON chunk";
                report.add_at_byte(
                    Severity::Error,
                    "GLB_UNEXPECTED_FIRST_CHUNK",
                    HEADER_LENGTH as u64,
                    message,
                );
            }
            None
        }
    }
}

fn read_header(bytes: &[u8], report: &mut FileReport) -> Option<u64> {
    let mut error =
        |code, offset, message: String| report.add_at_byte(Severity::Error, code, offset, message);
    let (Some(magic), Some(version), Some(length)) =
        (u32_at(bytes, 0), u32_at(bytes, 4), u32_at(bytes, 8))
    else {
        let length = bytes.len();
        let message = format!(
            "the file ends after {length} bytes, within the {HEADER_LENGTH} bytes of the header"
        );
        error("GLB_UNEXPECTED_END_OF_HEADER", length as u64, message);
        return None;
    };
    if magic != MAGIC {
        let message = format!(
            "the file begins with {magic:#010x} instead of `glTF`, and is not JSON text either"
        );
        error("GLB_INVALID_MAGIC", 0, message);
        return None;
    }
    if version != VERSION {
        error(
            "GLB_INVALID_VERSION",
            4,
            format!("GLB version {version} is not supported; only version {VERSION} is"),
        );
        return None;
    }
    if length as usize <= HEADER_LENGTH {
        let message = format!("the declared length of {length} bytes is too short for a chunk");
        error("GLB_LENGTH_TOO_SMALL", 8, message);
    }
    Some(u64::from(length))
}

struct ChunkReader<'a, 'r> {
    bytes: &'a [u8],
    offset: usize,
    total_length: u64,
    chunks_read: usize,
    json: Option<&'a [u8]>,
    bin: Option<&'a [u8]>,
    report: &'r mut FileReport,
}

impl<'a> ChunkReader<'a, '_> {
    fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        offset: usize,
        message: impl std::fmt::Display,
    ) {
        self.report
            .add_at_byte(severity, code, offset as u64, message);
    }

    /// Reads the chunk at the current offset. `None` if the file ends within the chunk.
    fn read_chunk(&mut self) -> Option<()> {
        let at = self.offset;
        let end_of_file = self.bytes.len();
        let (Some(length), Some(kind)) = (
            u32_at(self.bytes, at),
            u32_at(self.bytes, at.saturating_add(4)),
        ) else {
            let message = "the file ends within the header of a chunk";
            self.add(
                Severity::Error,
                "GLB_UNEXPECTED_END_OF_CHUNK_HEADER",
                end_of_file,
                message,
            );
            return None;
        };
        let begin = at + CHUNK_HEADER_LENGTH;
        let end = begin.saturating_add(length as usize);
        self.check_chunk(at, kind, length, end);
        let Some(data) = self.bytes.get(begin..end) else {
            let message =
                format_args!("the file ends within the {length} bytes of chunk {kind:#010x}");
            self.report.add_at_byte(
                Severity::Error,
                "GLB_UNEXPECTED_END_OF_CHUNK_DATA",
                end_of_file as u64,
                message,
            );
            return None;
        };
        self.keep(at, kind, data);
        self.chunks_read += 1;
        self.offset = end;
        Some(())
    }

    fn check_chunk(&mut self, at: usize, kind: u32, length: u32, end: usize) {
        use Severity::{Error, Repaired};
        if !length.is_multiple_of(4) {
            let message =
                format_args!("the length {length} of chunk {kind:#010x} is not a multiple of 4");
            self.add(Repaired, "GLB_CHUNK_LENGTH_UNALIGNED", at, message);
        }
        if end as u64 > self.total_length {
            let message = format_args!(
                "chunk {kind:#010x} of {length} bytes exceeds the declared length of the file"
            );
            self.add(Repaired, "GLB_CHUNK_TOO_BIG", at, message);
        }
        if self.chunks_read == 0 && kind != JSON {
            let message = format_args!("the first chunk is {kind:#010x} instead of JSON");
            self.add(Error, "GLB_UNEXPECTED_FIRST_CHUNK", at, message);
        }
        if self.chunks_read > 1 && kind == BIN && self.bin.is_none() {
            self.add(
                Repaired,
                "GLB_UNEXPECTED_BIN_CHUNK",
                at,
                "the BIN chunk must be the second chunk",
            );
        }
    }

    fn keep(&mut self, at: usize, kind: u32, data: &'a [u8]) {
        let slot = match kind {
            JSON => &mut self.json,
            BIN => &mut self.bin,
            _ => {
                let message = format_args!("chunk type {kind:#010x} is unknown");
                self.add(Severity::Ignored, "GLB_UNKNOWN_CHUNK_TYPE", at, message);
                return;
            }
        };
        let duplicate = slot.is_some();
        slot.get_or_insert(data);
        if kind == JSON && data.is_empty() {
            self.add(
                Severity::Error,
                "GLB_EMPTY_CHUNK",
                at,
                "the JSON chunk is empty",
            );
        }
        if duplicate {
            let message = format_args!("a second chunk of type {kind:#010x} was found");
            self.add(Severity::Ignored, "GLB_DUPLICATE_CHUNK", at, message);
        }
    }

    fn check_total_length(&mut self) {
        let (declared, found) = (self.total_length, self.offset);
        if declared != found as u64 {
            let message = format_args!(
                "the file declares {declared} bytes, but its chunks end at byte {found}"
            );
            self.add(Severity::Repaired, "GLB_LENGTH_MISMATCH", found, message);
        }
    }
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let word = bytes.get(offset..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*word))
}
