use super::container;
use super::error::ExportError;
use crate::gltf::document::schema::Document;
use crate::gltf::vrm;
use crate::report::FileReport;

/// A character as a document and one buffer, for any container.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// The document. Its buffer has no `uri` yet.
    pub document: Document,
    /// Bytes of the buffer.
    pub bytes: Vec<u8>,
    /// Parts that were omitted or changed.
    pub report: FileReport,
}

impl Export {
    /// Returns the bytes of a GLB file.
    ///
    /// # Errors
    /// [`ExportError::TooLarge`] if the file would have 4 GiB or more.
    pub fn to_glb(&self) -> Result<Vec<u8>, ExportError> {
        container::glb(&self.to_json(None)?, &self.bytes)
    }

    /// True if the document has a VRM extension, as a `.vrm` file needs.
    pub fn is_avatar(&self) -> bool {
        vrm::is_avatar(&self.document)
    }

    /// Returns the text of a `.gltf` file with an embedded buffer.
    ///
    /// # Errors
    /// [`ExportError::Json`] if the document cannot be serialised.
    pub fn to_gltf(&self) -> Result<String, ExportError> {
        self.to_json(Some(container::data_uri(&self.bytes)))
    }

    /// Text of the document, with its buffer at `uri`. `None` means a buffer in the container.
    pub(super) fn to_json(&self, uri: Option<String>) -> Result<String, ExportError> {
        let Some(uri) = uri else {
            return Ok(serde_json::to_string(&self.document)?);
        };
        let mut document = self.document.clone();
        if let Some(buffer) = document.buffers.first_mut() {
            buffer.uri = Some(uri.into());
        }
        Ok(serde_json::to_string(&document)?)
    }
}
