//! Decoding of `EXT_meshopt_compression` and `KHR_meshopt_compression` buffer views.

use super::broken;
use super::unpacking::Unpacking;
use crate::gltf::bytes::buffers::Buffers;
use crate::gltf::bytes::fallback::MESHOPT;
use crate::gltf::bytes::meshopt::{self, Filter, Mode};
use crate::gltf::document::error::GltfError;
use crate::gltf::document::json::{self, natural, string};
use crate::report::Severity;
use sinew::steps::pause;

/// Decodes every compressed buffer view, and leaves out what needs a view that cannot be decoded.
///
/// # Errors
/// [`GltfError::MemoryLimit`] if a stream expands further than real encoders compress.
pub(super) async fn unpack(unpacking: &mut Unpacking<'_, '_>) -> Result<(), GltfError> {
    let mut broken = Vec::new();
    for index in 0..unpacking.document.buffer_views.len() {
        let view = &unpacking.document.buffer_views[index];
        let mut named = MESHOPT
            .iter()
            .filter_map(|name| Some((name, view.rest.extension(name)?)));
        let Some((name, text)) = named.next() else {
            continue;
        };
        let pointer = format!("/bufferViews/{index}/extensions/{name}");
        pause().await;
        let unpacked = match packed(text, unpacking.buffers) {
            Ok(packed) => {
                let bytes = (packed.stride as u64).saturating_mul(packed.count as u64);
                unpacking.allowance.take(bytes, &pointer)?;
                let stride = view.byte_stride.filter(|_| packed.mode == Mode::Attributes);
                // Exporters pad buffer views to four bytes.
                let length = view.byte_length;
                if length != bytes && length != bytes.next_multiple_of(4) {
                    Err(format!(
                        "{} elements of {} bytes do not fill the view's {} bytes",
                        packed.count, packed.stride, view.byte_length
                    ))
                } else if stride.is_some_and(|stride| stride != packed.stride as u64) {
                    Err("`byteStride` differs from the view's".to_owned())
                } else if packed.mode != Mode::Attributes && packed.filter != Filter::None {
                    Err("only attributes may have a filter".to_owned())
                } else {
                    unpack_view(&packed, bytes as usize).map(|mut unpacked| {
                        unpacked.resize(length as usize, 0);
                        unpacked
                    })
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
                report.add(Severity::Ignored, "MESHOPT", pointer, reason);
                broken.push(index as u32);
            }
        }
    }
    broken::leave_out(unpacking, &broken);
    Ok(())
}

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
        let value = match json::member(text, name) {
            None if name == "byteOffset" => Some(0),
            value => value.and_then(natural::<usize>),
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
        other => return Err(format!("the mode `{}` is unknown", other.unwrap_or(""))),
    };
    let filter = match word("filter").as_deref() {
        None | Some("NONE") => Filter::None,
        Some("OCTAHEDRAL") => Filter::Octahedral,
        Some("QUATERNION") => Filter::Quaternion,
        Some("EXPONENTIAL") => Filter::Exponential,
        Some("COLOR") => Filter::Color,
        Some(other) => return Err(format!("the filter `{other}` is unknown")),
    };
    Ok(Packed {
        stream: stream.ok_or_else(|| {
            format!("buffer {buffer} does not have {length} bytes from byte {begin}")
        })?,
        stride: number("byteStride")?,
        count: number("count")?,
        mode,
        filter,
    })
}
