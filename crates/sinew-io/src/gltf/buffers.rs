//! The bytes that a document refers to: the container's chunk, data URIs and files beside it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::ImportError;
use super::budget::Budget;
use super::schema::{Document, Image};
use super::uri::{self, DataUri};
use crate::report::{Report, Severity};

/// Where a document may look for the bytes of its buffers and images.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The BIN chunk, of a GLB file.
    pub bin: Option<&'a [u8]>,
    /// The document's folder, when files beside it may be read.
    pub folder: Option<&'a Path>,
}

/// The bytes of one buffer.
#[derive(Clone, Debug)]
enum Bytes<'a> {
    Borrowed(&'a [u8]),
    Shared(Arc<Vec<u8>>),
}

/// The bytes of every buffer of a document, cut to the lengths that it declares.
#[derive(Debug, Default)]
pub struct Buffers<'a> {
    buffers: Vec<Option<Bytes<'a>>>,
}

impl<'a> Buffers<'a> {
    /// Finds every buffer. What is wrong goes to `report`; a buffer that cannot be had is an error there.
    ///
    /// # Errors
    /// [`ImportError::MemoryLimit`] when decoding would pass `budget`.
    pub fn load(
        document: &mut Document,
        source: Source<'a>,
        report: &mut Report,
        budget: &mut Budget,
    ) -> Result<Self, ImportError> {
        let mut files = Files {
            folder: source.folder,
            read: HashMap::new(),
        };
        let mut buffers = Vec::with_capacity(document.buffers.len());
        for (index, buffer) in document.buffers.iter_mut().enumerate() {
            let declared = usize::try_from(buffer.byte_length).unwrap_or(usize::MAX);
            let pointer = format!("/buffers/{index}");
            let bytes = match &buffer.uri {
                None => glb_chunk(index, source.bin, &pointer, report),
                Some(uri) => match DataUri::parse(uri) {
                    Some(data) => {
                        let bytes = embedded(data, declared, &pointer, report, budget)?;
                        if let Some(Bytes::Shared(bytes)) = &bytes {
                            buffer.byte_length = bytes.len() as u64;
                        }
                        // The decoded bytes stand for the text, which can be most of the file.
                        budget.release(uri.len() as u64);
                        buffer.uri = None;
                        bytes
                    }
                    None => files.read(uri, declared, &pointer, report, budget),
                },
            };
            let declared = usize::try_from(buffer.byte_length).unwrap_or(usize::MAX);
            buffers.push(bytes.and_then(|bytes| cut_to(bytes, declared, &pointer, report)));
        }
        Ok(Buffers { buffers })
    }

    /// The bytes of a buffer, as many as the document declares.
    pub fn get(&self, buffer: u32) -> Option<&[u8]> {
        match self.buffers.get(buffer as usize)?.as_ref()? {
            Bytes::Borrowed(bytes) => Some(bytes),
            Bytes::Shared(bytes) => Some(bytes),
        }
    }

    /// The bytes of a buffer view.
    pub fn view(&self, document: &Document, view: u32) -> Option<&[u8]> {
        let view = document.buffer_views.get(view as usize)?;
        let begin = usize::try_from(view.byte_offset.unwrap_or(0)).ok()?;
        let end = begin.checked_add(usize::try_from(view.byte_length).ok()?)?;
        self.get(view.buffer?)?.get(begin..end)
    }

    /// The bytes of an image. One that cannot be had is left out with a finding.
    ///
    /// # Errors
    /// [`ImportError::MemoryLimit`] when decoding would pass `budget`.
    pub fn image(
        &self,
        document: &Document,
        image: &Image,
        pointer: &str,
        folder: Option<&Path>,
        report: &mut Report,
        budget: &mut Budget,
    ) -> Result<Option<Vec<u8>>, ImportError> {
        if let Some(view) = image.buffer_view {
            let Some(bytes) = self.view(document, view) else {
                let message = format_args!("there is no buffer view {view} to read the image from");
                report.add(
                    Severity::Ignored,
                    "UNRESOLVED_REFERENCE",
                    format_args!("{pointer}/bufferView"),
                    message,
                );
                return Ok(None);
            };
            budget.charge(bytes.len() as u64, "an image", pointer)?;
            return Ok(Some(bytes.to_vec()));
        }
        let Some(uri) = &image.uri else {
            report.add(
                Severity::Ignored,
                "ONE_OF_MISMATCH",
                pointer,
                "the image has neither `uri` nor `bufferView`",
            );
            return Ok(None);
        };
        let at_uri = format!("{pointer}/uri");
        let read = match DataUri::parse(uri) {
            Some(Ok(data)) => {
                budget.charge(data.longest_decoded() as u64, "an image", pointer)?;
                data.decode().map_err(Cow::Borrowed)
            }
            Some(Err(reason)) => Err(Cow::Borrowed(reason)),
            None => read_file(folder, uri, None, budget),
        };
        match read {
            Ok(bytes) => Ok(Some(bytes)),
            Err(reason) => {
                let message = format_args!("the image was left out: {reason}");
                report.add(Severity::Ignored, "IO_ERROR", at_uri, message);
                Ok(None)
            }
        }
    }
}

fn glb_chunk<'a>(
    index: usize,
    bin: Option<&'a [u8]>,
    pointer: &str,
    report: &mut Report,
) -> Option<Bytes<'a>> {
    match bin {
        Some(bin) if index == 0 => Some(Bytes::Borrowed(bin)),
        _ => {
            let message = "the buffer has no `uri` and there is no chunk of a container for it";
            report.add(
                Severity::Ignored,
                "BUFFER_MISSING_GLB_DATA",
                pointer,
                message,
            );
            None
        }
    }
}

fn embedded(
    data: Result<DataUri<'_>, &'static str>,
    declared: usize,
    pointer: &str,
    report: &mut Report,
    budget: &mut Budget,
) -> Result<Option<Bytes<'static>>, ImportError> {
    let decoded = match &data {
        Ok(data) => {
            budget.charge(data.longest_decoded() as u64, "a data URI", pointer)?;
            data.decode()
        }
        Err(reason) => Err(*reason),
    };
    let bytes = match decoded {
        Ok(bytes) => bytes,
        Err(reason) => {
            report.add(
                Severity::Error,
                "INVALID_URI",
                format_args!("{pointer}/uri"),
                reason,
            );
            return Ok(None);
        }
    };
    let mime_type = data.map_or("", |data| data.mime_type);
    if !matches!(
        mime_type,
        "application/octet-stream" | "application/gltf-buffer"
    ) {
        let message =
            format_args!("the type of a buffer is application/octet-stream, not `{mime_type}`");
        report.add(
            Severity::Repaired,
            "BUFFER_DATA_URI_MIME_TYPE_INVALID",
            format_args!("{pointer}/uri"),
            message,
        );
    }
    if bytes.len() != declared {
        let message = format_args!(
            "the data URI holds {} bytes and {declared} are declared",
            bytes.len()
        );
        report.add(
            Severity::Repaired,
            "BUFFER_EMBEDDED_BYTELENGTH_MISMATCH",
            format_args!("{pointer}/byteLength"),
            message,
        );
    }
    Ok(Some(Bytes::Shared(Arc::new(bytes))))
}

fn cut_to<'a>(
    bytes: Bytes<'a>,
    declared: usize,
    pointer: &str,
    report: &mut Report,
) -> Option<Bytes<'a>> {
    let found = match &bytes {
        Bytes::Borrowed(bytes) => bytes.len(),
        Bytes::Shared(bytes) => bytes.len(),
    };
    if found < declared {
        let message = format_args!("the buffer has {found} bytes and {declared} are declared");
        report.add(
            Severity::Error,
            "BUFFER_BYTE_LENGTH_MISMATCH",
            pointer,
            message,
        );
        return None;
    }
    match bytes {
        Bytes::Borrowed(bytes) => {
            if found - declared > 3 {
                let message = format_args!(
                    "the chunk holds {} bytes after the buffer",
                    found - declared
                );
                report.add(Severity::Note, "BUFFER_GLB_CHUNK_TOO_BIG", pointer, message);
            }
            bytes.get(..declared).map(Bytes::Borrowed)
        }
        shared => Some(shared),
    }
}

/// Files beside the document, each read once.
struct Files<'a> {
    folder: Option<&'a Path>,
    read: HashMap<PathBuf, Arc<Vec<u8>>>,
}

impl Files<'_> {
    fn read(
        &mut self,
        uri: &str,
        declared: usize,
        pointer: &str,
        report: &mut Report,
        budget: &mut Budget,
    ) -> Option<Bytes<'static>> {
        if let Some(bytes) = self
            .read
            .get(Path::new(uri))
            .filter(|bytes| bytes.len() >= declared)
        {
            return Some(Bytes::Shared(Arc::clone(bytes)));
        }
        match read_file(self.folder, uri, Some(declared), budget) {
            Ok(bytes) => {
                let bytes = Arc::new(bytes);
                self.read.insert(PathBuf::from(uri), Arc::clone(&bytes));
                Some(Bytes::Shared(bytes))
            }
            Err(reason) => {
                let message = format_args!("cannot read `{uri}`: {reason}");
                report.add(
                    Severity::Error,
                    "IO_ERROR",
                    format_args!("{pointer}/uri"),
                    message,
                );
                None
            }
        }
    }
}

/// Reads a file beside the document, `at_most` that many bytes: the file decides how much memory it takes, up to what
/// the document needs of it.
fn read_file(
    folder: Option<&Path>,
    uri: &str,
    at_most: Option<usize>,
    budget: &mut Budget,
) -> Result<Vec<u8>, Cow<'static, str>> {
    let Some(folder) = folder else {
        return Err(
            "the document has no folder to look in; import it by its path instead of its bytes"
                .into(),
        );
    };
    let path = uri::file_in(folder, uri)?;
    let said = |error: std::io::Error| Cow::from(error.to_string());
    // Asked before opening, because opening a pipe waits for somebody to write to it.
    let metadata = std::fs::metadata(&path).map_err(said)?;
    if !metadata.is_file() {
        return Err("it is not a file".into());
    }
    let file = std::fs::File::open(path).map_err(said)?;
    let length = usize::try_from(metadata.len()).map_err(|_| "it is too long")?;
    let wanted = at_most.map_or(length, |most| most.min(length));
    budget.grow_for(wanted);
    let mut bytes = Vec::with_capacity(wanted);
    file.take(wanted as u64)
        .read_to_end(&mut bytes)
        .map_err(said)?;
    Ok(bytes)
}
