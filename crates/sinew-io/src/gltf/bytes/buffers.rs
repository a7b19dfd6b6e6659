//! Bytes that a document refers to: the BIN chunk, data URIs and files beside it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::fallback::is_fallback;
use super::uri::{self, DataUri};
use crate::beside;
use crate::gltf::document::budget::Budget;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::schema::{Document, Image};
use crate::report::{FileReport, Severity};

/// Sources for the bytes of buffers and images.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// BIN chunk of a GLB file.
    pub bin: Option<&'a [u8]>,
    /// Folder of the document, if files beside it may be read.
    pub folder: Option<&'a Path>,
}

#[derive(Clone, Debug)]
enum Bytes<'a> {
    Borrowed(&'a [u8]),
    Shared(Arc<Vec<u8>>),
}

impl Bytes<'_> {
    fn as_slice(&self) -> &[u8] {
        match self {
            Bytes::Borrowed(bytes) => bytes,
            Bytes::Shared(bytes) => bytes,
        }
    }
}

/// Bytes of every buffer of a document, with the declared lengths.
#[derive(Debug, Default)]
pub struct Buffers<'a> {
    buffers: Vec<Option<(Bytes<'a>, usize)>>,
}

impl<'a> Buffers<'a> {
    /// Loads every buffer. Adds an error to `report` for a buffer that is not available.
    ///
    /// # Errors
    /// [`GltfError::MemoryLimit`] if decoding exceeds `budget`.
    pub fn load(
        document: &mut Document,
        source: Source<'a>,
        report: &mut FileReport,
        budget: &mut Budget,
    ) -> Result<Self, GltfError> {
        let mut files = Files::new(source.folder);
        for buffer in &document.buffers {
            let declared = usize::try_from(buffer.byte_length).unwrap_or(usize::MAX);
            files.expect(buffer.uri.as_deref(), declared);
        }
        let mut buffers = Vec::with_capacity(document.buffers.len());
        for (index, buffer) in document.buffers.iter_mut().enumerate() {
            let declared = usize::try_from(buffer.byte_length).unwrap_or(usize::MAX);
            let pointer = format!("/buffers/{index}");
            let bytes = match &buffer.uri {
                _ if is_fallback(buffer) => None,
                None => glb_chunk(index, source.bin, &pointer, report),
                Some(uri) => match DataUri::parse(uri) {
                    Some(data) => {
                        let bytes = embedded(data, declared, &pointer, report, budget)?;
                        if let Some(Bytes::Shared(bytes)) = &bytes {
                            buffer.byte_length = bytes.len() as u64;
                        }
                        // Releases the text of the data URI, which can be most of the file.
                        budget.release(uri.len() as u64);
                        buffer.uri = None;
                        bytes
                    }
                    None => files.buffer(uri, &pointer, report, budget),
                },
            };
            let declared = usize::try_from(buffer.byte_length).unwrap_or(usize::MAX);
            let bytes = bytes.filter(|bytes| is_long_enough(bytes, declared, &pointer, report));
            buffers.push(bytes.map(|bytes| (bytes, declared)));
        }
        Ok(Buffers { buffers })
    }

    pub(in crate::gltf) fn push(&mut self, bytes: Arc<Vec<u8>>) {
        let length = bytes.len();
        self.buffers.push(Some((Bytes::Shared(bytes), length)));
    }

    /// The bytes of a buffer, up to its declared length.
    pub fn get(&self, buffer: u32) -> Option<&[u8]> {
        let (bytes, declared) = self.buffers.get(buffer as usize)?.as_ref()?;
        bytes.as_slice().get(..*declared)
    }

    /// The bytes of a buffer view.
    pub fn view(&self, document: &Document, view: u32) -> Option<&[u8]> {
        let view = document.buffer_views.get(view as usize)?;
        self.get(view.buffer?)?.get(view.range()?)
    }

    /// The bytes of an image. `None`, with a finding, if they are not available.
    ///
    /// # Errors
    /// [`GltfError::MemoryLimit`] if decoding exceeds `budget`.
    pub fn image(
        &self,
        document: &Document,
        image: &Image,
        pointer: &str,
        files: &mut Files<'_>,
        report: &mut FileReport,
        budget: &mut Budget,
    ) -> Result<Option<Arc<Vec<u8>>>, GltfError> {
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
            return Ok(Some(Arc::new(bytes.to_vec())));
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
        let (code, read) = match (DataUri::parse(uri), uri::fault(uri)) {
            (Some(Ok(data)), _) => {
                budget.charge(data.longest_decoded() as u64, "an image", pointer)?;
                (
                    "INVALID_URI",
                    data.decode().map(Arc::new).map_err(Cow::Borrowed),
                )
            }
            (Some(Err(reason)), _) | (None, Some(reason)) => {
                ("INVALID_URI", Err(Cow::Borrowed(reason)))
            }
            (None, None) => ("IO_ERROR", files.read(uri, budget)),
        };
        match read {
            Ok(bytes) => Ok(Some(bytes)),
            Err(reason) => {
                let message = format_args!("the image was left out: {reason}");
                let at = format_args!("{pointer}/uri");
                report.add(Severity::Ignored, code, at, message);
                Ok(None)
            }
        }
    }

    pub(in crate::gltf) fn claimed_type(image: &Image) -> Option<&str> {
        let uri = image
            .uri
            .as_deref()
            .filter(|_| image.buffer_view.is_none())?;
        Some(DataUri::parse(uri)?.ok()?.mime_type)
    }
}

fn glb_chunk<'a>(
    index: usize,
    bin: Option<&'a [u8]>,
    pointer: &str,
    report: &mut FileReport,
) -> Option<Bytes<'a>> {
    match bin {
        Some(bin) if index == 0 => Some(Bytes::Borrowed(bin)),
        _ => {
            let message = "the buffer has no `uri`, and there is no BIN chunk for it";
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
    report: &mut FileReport,
    budget: &mut Budget,
) -> Result<Option<Bytes<'static>>, GltfError> {
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
        let message = format_args!(
            "the MIME type of a buffer should be application/octet-stream, not `{mime_type}`"
        );
        report.add(
            Severity::Repaired,
            "BUFFER_DATA_URI_MIME_TYPE_INVALID",
            format_args!("{pointer}/uri"),
            message,
        );
    }
    if bytes.len() != declared {
        let message = format_args!(
            "the data URI has {} bytes, but {declared} are declared",
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

fn is_long_enough(
    bytes: &Bytes<'_>,
    declared: usize,
    pointer: &str,
    report: &mut FileReport,
) -> bool {
    let found = bytes.as_slice().len();
    if found < declared {
        let message = format_args!("the buffer has {found} bytes, but {declared} are declared");
        report.add(
            Severity::Error,
            "BUFFER_BYTE_LENGTH_MISMATCH",
            pointer,
            message,
        );
        return false;
    }
    let rest = found - declared;
    if matches!(bytes, Bytes::Borrowed(_)) && rest > 3 {
        let message = format_args!("the chunk has {rest} more bytes than the buffer");
        report.add(Severity::Note, "BUFFER_GLB_CHUNK_TOO_BIG", pointer, message);
    }
    true
}

/// Files beside the document. Each file is read once, even if several URIs refer to it.
#[derive(Debug)]
pub struct Files<'a> {
    folder: Option<&'a Path>,
    /// Max number of bytes needed of each file. Other files are read whole, up to
    /// [`beside::MAX_BYTES`].
    requested: HashMap<PathBuf, usize>,
    read: HashMap<PathBuf, Arc<Vec<u8>>>,
}

impl<'a> Files<'a> {
    /// Looks for files in `folder`. `None` finds no files.
    pub fn new(folder: Option<&'a Path>) -> Self {
        Files {
            folder,
            requested: HashMap::new(),
            read: HashMap::new(),
        }
    }

    /// Records that the document needs `bytes` bytes of a file.
    fn expect(&mut self, uri: Option<&str>, bytes: usize) {
        if let Some(path) = uri.and_then(|uri| self.find(uri).ok()) {
            let requested = self.requested.entry(path).or_default();
            *requested = bytes.max(*requested);
        }
    }

    fn buffer(
        &mut self,
        uri: &str,
        pointer: &str,
        report: &mut FileReport,
        budget: &mut Budget,
    ) -> Option<Bytes<'static>> {
        if let Some(reason) = uri::fault(uri) {
            let at = format_args!("{pointer}/uri");
            report.add(Severity::Error, "INVALID_URI", at, reason);
            return None;
        }
        match self.read(uri, budget) {
            Ok(bytes) => Some(Bytes::Shared(bytes)),
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

    fn read(&mut self, uri: &str, budget: &mut Budget) -> Result<Arc<Vec<u8>>, Cow<'static, str>> {
        let path = self.find(uri)?;
        if let Some(known) = self.read.get(&path) {
            return Ok(Arc::clone(known));
        }
        let max_bytes = self.requested.get(&path).copied();
        let bytes = Arc::new(beside::read(&path, max_bytes)?);
        budget.grow_for(bytes.len());
        self.read.insert(path, Arc::clone(&bytes));
        Ok(bytes)
    }

    fn find(&self, uri: &str) -> Result<PathBuf, Cow<'static, str>> {
        let Some(folder) = self.folder else {
            return Err(
                "the document was given as bytes, so files beside it cannot be found; import it by its path instead"
                    .into(),
            );
        };
        let text_of = |error: std::io::Error| Cow::from(error.to_string());
        let path = beside::canonical(&uri::file_in(folder, uri)?).map_err(text_of)?;
        // A symbolic link may lead out of the folder.
        if !path.starts_with(beside::canonical(folder).map_err(text_of)?) {
            return Err(
                "a symbolic link leads out of the document's folder; copy the file into the folder"
                    .into(),
            );
        }
        Ok(path)
    }
}
