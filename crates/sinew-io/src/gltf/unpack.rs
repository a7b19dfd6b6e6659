//! What is compressed, unpacked into plain buffer views, so that nothing after this knows of it.

use std::sync::Arc;

use super::GltfError;
use super::budget::Budget;
use super::buffers::Buffers;
use super::draco;
use super::json::{self, Integer, integer, string};
use super::meshopt::{self, Filter, Mode};
use super::schema::{Buffer, Document};
use crate::report::{FileReport, Severity};

/// Both names of the extension: the second one has a newer codec of vertices and one filter more.
const MESHOPT: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// How many bytes a byte of the file's buffers may become, all streams together, and how many there may be whatever its
/// size: a column that stands still becomes a thousand times its size, what files hold becomes tens.
const MOST_PER_BYTE: u64 = 32;
const FLOOR: u64 = 8 << 20;

/// A document whose parts are unpacked.
pub(super) struct Unpacking<'d, 'b> {
    pub document: &'d mut Document,
    pub buffers: &'d mut Buffers<'b>,
    pub report: &'d mut FileReport,
    budget: &'d mut Budget,
    pub allowance: Allowance,
}

/// How much may still be unpacked.
pub(super) struct Allowance(u64);

impl Allowance {
    /// Of a whole file, however many streams are the same bytes.
    fn for_buffers(document: &Document, buffers: &Buffers<'_>) -> Self {
        let lengths = (0..document.buffers.len() as u32).filter_map(|index| buffers.get(index));
        let bytes: u64 = lengths.map(|bytes| bytes.len() as u64).sum();
        Self(FLOOR.saturating_add(bytes.saturating_mul(MOST_PER_BYTE)))
    }

    /// Takes what a stream becomes.
    ///
    /// # Errors
    /// [`GltfError::MemoryLimit`] when that is too much.
    pub fn take(&mut self, bytes: u64, pointer: &str) -> Result<(), GltfError> {
        let limit = self.0;
        let left = limit.checked_sub(bytes);
        self.0 = left.ok_or_else(|| GltfError::MemoryLimit {
            what: "what is compressed here",
            pointer: pointer.to_owned(),
            wanted: bytes,
            limit,
        })?;
        Ok(())
    }
}

impl Unpacking<'_, '_> {
    /// The number of a new buffer of these bytes.
    pub fn add_buffer(&mut self, bytes: Vec<u8>) -> u32 {
        self.budget.grow_for(bytes.len());
        let buffer = Buffer {
            byte_length: bytes.len() as u64,
            ..Buffer::default()
        };
        self.document.buffers.push(buffer);
        self.buffers.push(Arc::new(bytes));
        self.document.buffers.len() as u32 - 1
    }

    /// Whether an accessor has bytes; one that is not there needs none.
    pub fn has_bytes(&self, accessor: u32) -> bool {
        let accessor = self.document.accessors.get(accessor as usize);
        accessor.is_none_or(|accessor| accessor.buffer_view.is_some())
    }
}

/// Unpacks every buffer view and every primitive that is compressed. What is wrong with one goes to `report` as an
/// error.
///
/// # Errors
/// [`GltfError::MemoryLimit`] when a stream would become more than any encoder makes small enough for it.
pub(super) fn unpack(
    document: &mut Document,
    buffers: &mut Buffers<'_>,
    report: &mut FileReport,
    budget: &mut Budget,
) -> Result<(), GltfError> {
    let allowance = Allowance::for_buffers(document, buffers);
    let mut unpacking = Unpacking {
        document,
        buffers,
        report,
        budget,
        allowance,
    };
    unpack_views(&mut unpacking)?;
    draco::unpack(&mut unpacking)
}

fn unpack_views(unpacking: &mut Unpacking<'_, '_>) -> Result<(), GltfError> {
    for index in 0..unpacking.document.buffer_views.len() {
        let view = &unpacking.document.buffer_views[index];
        let mut named = MESHOPT
            .iter()
            .filter_map(|name| Some((name, view.rest.extension(name)?)));
        let Some((name, text)) = named.next() else {
            continue;
        };
        let pointer = format!("/bufferViews/{index}/extensions/{name}");
        let unpacked = match packed(text, unpacking.buffers) {
            Ok(packed) => {
                let bytes = (packed.stride as u64).saturating_mul(packed.count as u64);
                unpacking.allowance.take(bytes, &pointer)?;
                let stride = view.byte_stride.filter(|_| packed.mode == Mode::Attributes);
                if bytes != view.byte_length {
                    Err(format!(
                        "{} elements of {} bytes are not the view's {} bytes",
                        packed.count, packed.stride, view.byte_length
                    ))
                } else if stride.is_some_and(|stride| stride != packed.stride as u64) {
                    Err("`byteStride` is another one than the view's".to_owned())
                } else if packed.mode != Mode::Attributes && packed.filter != Filter::None {
                    Err("only attributes have a filter".to_owned())
                } else {
                    unpack_view(&packed, bytes as usize)
                }
            }
            Err(reason) => Err(reason),
        };
        match unpacked {
            Ok(bytes) => {
                let buffer = unpacking.add_buffer(bytes);
                let view = &mut unpacking.document.buffer_views[index];
                view.buffer = Some(buffer);
                view.byte_offset = None;
            }
            Err(reason) => {
                let report = &mut *unpacking.report;
                report.add(Severity::Error, "MESHOPT", pointer, reason);
            }
        }
    }
    Ok(())
}

/// Whether a buffer stands only for readers that do not know the extension, and may hold nothing.
pub(super) fn is_fallback(buffer: &Buffer) -> bool {
    let mut extensions = MESHOPT
        .iter()
        .filter_map(|name| buffer.rest.extension(name));
    extensions
        .any(|text| json::member(text, "fallback").is_some_and(|value| value.trim() == "true"))
}

/// What the extension says of a buffer view.
struct Packed<'s> {
    stream: &'s [u8],
    stride: usize,
    count: usize,
    mode: Mode,
    filter: Filter,
}

fn unpack_view(packed: &Packed<'_>, bytes: usize) -> Result<Vec<u8>, String> {
    let mut out = vec![0; bytes];
    let (mode, filter) = (packed.mode, packed.filter);
    let decoded = meshopt::decode(packed.stream, mode, filter, packed.stride, &mut out);
    decoded.map_err(|error| error.to_string())?;
    Ok(out)
}

fn packed<'s>(text: &str, buffers: &'s Buffers<'_>) -> Result<Packed<'s>, String> {
    let number = |name: &str| {
        let value = match json::member(text, name).map(integer) {
            Some(Some(Integer::Natural(value))) => usize::try_from(value).ok(),
            None if name == "byteOffset" => Some(0),
            _ => None,
        };
        value.ok_or_else(|| format!("`{name}` is missing or not a whole number"))
    };
    let word = |name: &str| json::member(text, name).and_then(string);
    let (begin, length) = (number("byteOffset")?, number("byteLength")?);
    let buffer = u32::try_from(number("buffer")?).unwrap_or(u32::MAX);
    let range = begin.checked_add(length).map(|end| begin..end);
    let stream = range.and_then(|range| buffers.get(buffer)?.get(range));
    let mode = match word("mode").as_deref() {
        Some("ATTRIBUTES") => Mode::Attributes,
        Some("TRIANGLES") => Mode::Triangles,
        Some("INDICES") => Mode::Indices,
        other => return Err(format!("there is no mode `{}`", other.unwrap_or(""))),
    };
    let filter = match word("filter").as_deref() {
        None | Some("NONE") => Filter::None,
        Some("OCTAHEDRAL") => Filter::Octahedral,
        Some("QUATERNION") => Filter::Quaternion,
        Some("EXPONENTIAL") => Filter::Exponential,
        Some("COLOR") => Filter::Color,
        Some(other) => return Err(format!("there is no filter `{other}`")),
    };
    Ok(Packed {
        stream: stream
            .ok_or_else(|| format!("there are no {length} bytes at {begin} of buffer {buffer}"))?,
        stride: number("byteStride")?,
        count: number("count")?,
        mode,
        filter,
    })
}
