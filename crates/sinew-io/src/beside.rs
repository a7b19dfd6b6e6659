//! Limits of an import, and bounded reading of the files that a document refers to.

use crate::foreign::is_lfs_pointer;
use std::borrow::Cow;
#[cfg(not(target_family = "wasm"))]
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
#[cfg(not(target_family = "wasm"))]
use std::path::PathBuf;

/// Max size, in bytes, of a file that is read whole: an image or a material library.
pub(crate) const MAX_BYTES: u64 = 256 << 20;

/// Max memory of an import, in bytes: half of the address space, which is 2 GiB for browsers.
pub(crate) const MAX_MEMORY: u64 = isize::MAX as u64;

#[cfg(target_family = "wasm")]
pub(crate) use crate::memory::{canonical, open};

/// Path without links and `..`.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn canonical(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize()
}

/// Opens a file and returns its length. `None` if the path leads to something else.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn open(path: &Path) -> io::Result<Option<(File, u64)>> {
    // Checks the file type first, because opening a pipe blocks.
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Ok(None);
    }
    Ok(Some((File::open(path)?, metadata.len())))
}

/// Reads the first `requested` bytes, or a file of at most [`MAX_BYTES`]. The error is a message.
pub(crate) fn read(path: &Path, requested: Option<usize>) -> Result<Vec<u8>, Cow<'static, str>> {
    let said = |error: io::Error| Cow::from(error.to_string());
    let Some((file, length)) = open(path).map_err(said)? else {
        return Err("the path is not a file".into());
    };
    let too_large = |length: u64| {
        let (found, max) = (length >> 20, MAX_BYTES >> 20);
        Err(format!("it has {found} MiB, but the max is {max} MiB; make the file smaller").into())
    };
    if requested.is_none() && length > MAX_BYTES {
        return too_large(length);
    }
    let requested = requested.map_or(MAX_BYTES, |requested| requested as u64);
    let mut bytes = Vec::with_capacity(usize::try_from(length.min(requested)).unwrap_or(0));
    file.take(requested).read_to_end(&mut bytes).map_err(said)?;
    if is_lfs_pointer(&bytes) {
        return Err(
            "it is a Git LFS pointer instead of the file itself; `git lfs pull` fetches the file"
                .into(),
        );
    }
    Ok(bytes)
}
