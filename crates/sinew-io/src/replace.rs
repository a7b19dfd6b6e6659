//! A file that takes its place only when it is whole: written beside it, then renamed, so that a full disk
//! or a kill leaves what was there before.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file on its way to its place. Dropped before [`Replacement::finish`], it leaves nothing behind.
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
    /// The path that it is written to and the path that it goes to; nothing where it is written straight into what is
    /// there.
    renamed: Option<(PathBuf, PathBuf)>,
}

impl Replacement {
    /// Begins to write what will stand at `path`. A link stays a link, and its target is replaced; what is
    /// no regular file, a pipe or a device, is written straight into.
    ///
    /// # Errors
    /// When nothing can be written there: it is a folder, it may not be written to, or its folder is not there.
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
            // Refuses what may not be written to, too: renaming over it would not ask.
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

    /// Puts the file in its place.
    ///
    /// # Errors
    /// When what was written last does not fit, or the file cannot be renamed; what was there before stays.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(out) = self.out.take() else {
            return Ok(());
        };
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some((beside, target)) = &self.renamed {
            // Before the name changes hands, so that a machine that stops has one of the two whole.
            file.sync_all()?;
            drop(file);
            fs::rename(beside, target)?;
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
            // What is still in the buffer is of no use, and the error that brought us here is the one to report.
            if let Some(out) = self.out.take() {
                let _ = out.into_parts();
            }
            let _ = fs::remove_file(beside);
        }
    }
}

/// The end of a path through links, the last of which may lead to nothing yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // As many as Linux follows.
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links lead on from it"))
}

/// A new file in the folder of `target`, under a name that nothing has.
fn create_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let process = std::process::id();
    for attempt in 0..100 {
        let beside = target.with_file_name(format!(".{name}.{process}-{attempt}.part"));
        match OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&beside)
        {
            Ok(file) => return Ok((beside, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "a hundred unfinished files stand beside it",
    ))
}
