//! Finds files beside a document by the names in the document.

use crate::beside;
use crate::gltf::bytes::uri::within;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Folder of a document; `None` if the document was read from bytes.
pub(crate) struct Folder<'a> {
    folder: Option<&'a Path>,
    /// Name of the subfolder into which some programs unpack embedded files.
    media: Option<String>,
    read: RefCell<HashMap<PathBuf, Arc<Vec<u8>>>>,
}

impl<'a> Folder<'a> {
    pub(crate) fn of(path: Option<&'a Path>) -> Self {
        let folder = path.map(|path| match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        });
        let stem = path
            .and_then(Path::file_stem)
            .and_then(|stem| stem.to_str());
        Self {
            folder,
            media: stem.map(|stem| format!("{stem}.fbm")),
            read: RefCell::default(),
        }
    }

    /// Finds the file that one of these names refers to: by its path inside the folder, or by its
    /// file name in the folder or the media subfolder, because paths may be of another machine.
    pub(crate) fn locate(&self, names: &[&str]) -> Result<PathBuf, Cow<'static, str>> {
        let Some(folder) = self.folder else {
            let message = "the document was given as bytes, so files beside it cannot be found; import it by its path instead";
            return Err(message.into());
        };
        let text_of = |error: std::io::Error| Cow::from(error.to_string());
        let inside = beside::canonical(folder).map_err(text_of)?;
        let slashed: Vec<String> = names.iter().map(|name| name.replace('\\', "/")).collect();
        let last = |name: &String| name.rsplit('/').next().unwrap_or_default().to_owned();
        let bare = slashed.iter().map(last);
        let unpacked = slashed.iter().filter_map(|name| {
            let media = self.media.as_ref()?;
            Some(format!("{media}/{}", last(name)))
        });
        for name in slashed.iter().cloned().chain(bare).chain(unpacked) {
            let found = within(folder, &name)
                .ok()
                .and_then(|path| beside::canonical(&path).ok());
            // A symbolic link may lead out of the folder.
            if let Some(found) = found.filter(|found| {
                found.starts_with(&inside) && matches!(beside::open(found), Ok(Some(_)))
            }) {
                return Ok(found);
            }
        }
        let name = slashed.first().map(last).unwrap_or_default();
        Err(format!("the file `{name}` is not in the document's folder; copy it there").into())
    }

    pub(crate) fn find(&self, names: &[&str]) -> Result<Arc<Vec<u8>>, Cow<'static, str>> {
        let path = self.locate(names)?;
        if let Some(known) = self.read.borrow().get(&path) {
            return Ok(Arc::clone(known));
        }
        let bytes = Arc::new(beside::read(&path, None)?);
        self.read.borrow_mut().insert(path, Arc::clone(&bytes));
        Ok(bytes)
    }
}
