//! An exported document, ready for any container.

use super::container;
use super::error::ExportError;
use crate::gltf::document::schema::Document;
use crate::gltf::vrm;
use crate::report::FileReport;

/// A character as a document and the bytes of its one buffer, ready for any container.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// The document; its buffer has no `uri` yet.
    pub document: Document,
    /// The bytes of the buffer.
    pub bytes: Vec<u8>,
    /// Findings: what could not be written as it was.
    pub report: FileReport,
}

impl Export {
    /// As the bytes of a GLB file.
    ///
    /// # Errors
    /// [`ExportError::TooLarge`] from four gigabytes on.
    pub fn to_glb(&self) -> Result<Vec<u8>, ExportError> {
        container::glb(&self.to_json(None)?, &self.bytes)
    }

    /// True for an avatar, which the name of a `.vrm` file promises: the document has an extension of VRM.
    pub fn is_avatar(&self) -> bool {
        vrm::is_avatar(&self.document)
    }

    /// As the text of one `.gltf` file, the buffer embedded.
    ///
    /// # Errors
    /// [`ExportError::Json`] when the document cannot be put into text.
    pub fn to_gltf(&self) -> Result<String, ExportError> {
        self.to_json(Some(container::data_uri(&self.bytes)))
    }

    /// The document as text, its buffer found at `uri`, or in the container when there is none.
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
