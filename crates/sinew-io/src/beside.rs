//! Bounded reading of the files that a document refers to.

use crate::foreign::is_lfs_pointer;
use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

/// Max size, in bytes, of a file that is read whole: an image or a material library.
pub(crate) const MAX_BYTES: u64 = 256 << 20;

/// Reads the first `requested` bytes, or a file of at most [`MAX_BYTES`]. The error is a message.
pub(crate) fn read(path: &Path, requested: Option<usize>) -> Result<Vec<u8>, Cow<'static, str>> {
    let said = |error: std::io::Error| Cow::from(error.to_string());
    // Checks the file type first, because opening a pipe blocks.
    let metadata = std::fs::metadata(path).map_err(said)?;
    if !metadata.is_file() {
        return Err("the path is not a file".into());
    }
    let length = metadata.len();
    let too_large = |length: u64| {
        let (found, max) = (length >> 20, MAX_BYTES >> 20);
        Err(format!("it has {found} MiB, but the max is {max} MiB; make the file smaller").into())
    };
    if requested.is_none() && length > MAX_BYTES {
        return too_large(length);
    }
    let requested = requested.map_or(MAX_BYTES, |requested| requested as u64);
    let file = std::fs::File::open(path).map_err(said)?;
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
