use crate::memory;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A new version of a file, for [`memory::take_written`]. If it is dropped before [`Replacement::finish`], there is none.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Replacement {
    /// Starts a new version of the file at `path`.
    ///
    /// # Errors
    /// Never.
    pub fn new(path: &Path) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            bytes: Vec::new(),
        })
    }

    /// Hands over the file.
    ///
    /// # Errors
    /// Never.
    pub fn finish(self) -> io::Result<()> {
        memory::write(self.path, self.bytes);
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
