//! Replaces a file safely: writes a temporary file beside it and renames it. After a full disk or a
//! kill, the old file is still there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Deletes the temporary files of all unfinished [`Replacement`]s. Only for a program that ends
/// because of a signal: later replacements wait forever.
pub fn abandon_replacements() {
    let unfinished = unfinished();
    for beside in unfinished.iter() {
        let _ = fs::remove_file(beside);
    }
    std::mem::forget(unfinished);
}

/// A new version of a file. If it is dropped before [`Replacement::finish`], the old file stays.
///
/// ```
/// use sinew_io::Replacement;
/// use std::io::Write;
/// let path = std::env::temp_dir().join(format!("sinew-replaced-{}", std::process::id()));
/// let mut file = Replacement::new(&path)?;
/// file.write_all(b"whole")?;
/// assert!(!path.exists());
/// file.finish()?;
/// assert_eq!(std::fs::read(&path)?, b"whole");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Replacement {
    out: Option<BufWriter<File>>,
    /// Temporary and final path. `None` if the output goes directly to a pipe or device.
    renamed: Option<(PathBuf, PathBuf)>,
}

impl Replacement {
    /// Starts a new version of the file at `path`, or of the file that a link leads to. Writes
    /// directly to pipes and devices.
    ///
    /// # Errors
    /// If `path` is a folder, is not writable, or its folder does not exist.
    pub fn new(path: &Path) -> io::Result<Self> {
        let target = followed(path)?;
        let before = match fs::metadata(&target) {
            Ok(before) => Some(before),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if let Some(before) = &before {
            if before.is_dir() {
                return Err(io::Error::new(
                    io::ErrorKind::IsADirectory,
                    "it is a folder",
                ));
            }
            // Fails for a file without write permission, which a rename would replace.
            let there = OpenOptions::new().write(true).open(&target)?;
            if !before.is_file() {
                return Ok(Self {
                    out: Some(BufWriter::new(there)),
                    renamed: None,
                });
            }
        }
        let (beside, file) = create_beside(&target)?;
        let made = Self {
            out: Some(BufWriter::new(file)),
            renamed: Some((beside.clone(), target)),
        };
        if let Some(before) = before {
            fs::set_permissions(&beside, before.permissions())?;
        }
        Ok(made)
    }

    /// Path of the temporary file, for another program to fill. `None` for a pipe or device.
    pub fn temporary(&self) -> Option<&Path> {
        self.renamed.as_ref().map(|(beside, _)| beside.as_path())
    }

    /// Moves the file to its final path.
    ///
    /// # Errors
    /// If the disk is full, or the file cannot be renamed. The old file stays.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(out) = self.out.take() else {
            return Ok(());
        };
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some((beside, target)) = &self.renamed {
            // Syncs before the rename, so that the old or the new file is complete after a crash.
            file.sync_all()?;
            drop(file);
            let mut unfinished = unfinished();
            fs::rename(beside, target)?;
            unfinished.retain(|path| path != beside);
            drop(unfinished);
            self.renamed = None;
        }
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Some(out) => out.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some((beside, _)) = &self.renamed {
            // Discards the buffer, because another error could hide the first error.
            if let Some(out) = self.out.take() {
                let _ = out.into_parts();
            }
            let mut unfinished = unfinished();
            let _ = fs::remove_file(beside);
            unfinished.retain(|path| path != beside);
        }
    }
}

/// Follows symbolic links. The last link may lead to a file that does not exist.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // Linux has the same limit.
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other(
        "too many symbolic links follow one another",
    ))
}

fn create_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    // File systems allow 255 bytes. 40 characters take up to 160.
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().take(40).collect();
    let process = std::process::id();
    let mut unfinished = unfinished();
    for attempt in 0..100 {
        let beside = target.with_file_name(format!(".{name}.{process}-{attempt}.part"));
        match OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&beside)
        {
            Ok(file) => {
                unfinished.push(beside.clone());
                return Ok((beside, file));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "a hundred unfinished temporary files are next to the file; delete them",
    ))
}
