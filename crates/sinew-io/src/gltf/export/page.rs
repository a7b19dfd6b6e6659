//! Pages of the viewer with a file inside.

use super::error::ExportError;
use super::exported::Export;
use crate::gltf::bytes::base64;

/// Mark in the page of the viewer that the file replaces.
const MARK: &str = "<!-- sinew-file -->";

impl Export {
    /// Returns a page for browsers that shows this document and needs no other file. `viewer` is the text of
    /// `viewer.html`, which `make web` builds. `name` is the name that the page shows.
    ///
    /// # Errors
    /// [`ExportError::NotAViewer`] if `viewer` is another page, and [`ExportError::TooLarge`] for 4 GiB or more.
    pub fn to_page(&self, viewer: &str, name: &str) -> Result<String, ExportError> {
        let (before, after) = viewer.split_once(MARK).ok_or(ExportError::NotAViewer)?;
        let file = base64::encode(&self.to_glb()?);
        let name = escaped(name);
        let opened = format!("<script type=\"text/plain\" id=\"sinew-file\" data-name=\"{name}\">");
        Ok([before, &opened, &file, "</script>", after].concat())
    }
}

/// Text of an attribute.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '<' => escaped.push_str("&lt;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}
