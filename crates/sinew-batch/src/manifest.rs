//! What was done: a line of JSON per input, appended when its outputs are written.

use crate::hash::ContentHash;
use crate::plan::Measured;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A line of the manifest: the result of one input.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Path of the input, relative to the folder of the recipe.
    pub input: String,
    /// Hash of the input.
    pub hash: ContentHash,
    /// Hash of the recipe.
    pub recipe: ContentHash,
    /// Reason why the input failed. `None` if it is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// True if the next run tries again, because a file could not be read or written.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
    /// Outputs that were written.
    #[serde(default)]
    pub outputs: Vec<Written>,
    /// Measures of clips.
    #[serde(default)]
    pub measured: Vec<Measured>,
    /// Notes for the user.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Time of the steps, in seconds.
    pub secs: f64,
}

/// An output that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Path, relative to the folder of the recipe.
    pub path: String,
    /// Hash of the content.
    pub hash: ContentHash,
    /// Size in bytes.
    pub bytes: u64,
}

/// The newest result of an input.
#[derive(Clone, Debug)]
pub struct Known {
    /// Hash of the input.
    pub hash: ContentHash,
    /// Hash of the recipe.
    pub recipe: ContentHash,
    /// True if the input failed.
    pub is_failed: bool,
    /// True if the next run tries again.
    pub again: bool,
    /// Sizes of the outputs, in bytes.
    pub sizes: Box<[u64]>,
    /// Position of the line in the file.
    at: u64,
}

impl Record {
    /// A record of an input that is done, without outputs.
    pub fn new(input: &str, hash: ContentHash, recipe: ContentHash) -> Self {
        Self {
            input: input.to_owned(),
            hash,
            recipe,
            error: None,
            again: false,
            outputs: Vec::new(),
            measured: Vec::new(),
            notes: Vec::new(),
            secs: 0.0,
        }
    }

    /// The same input, failed for a reason that may be gone in the next run, which tries it again.
    #[must_use]
    pub fn failed_for_now(self, error: String) -> Self {
        Self {
            error: Some(error),
            again: true,
            secs: self.secs,
            ..Self::new(&self.input, self.hash, self.recipe)
        }
    }

    /// What a manifest knows after this record.
    pub fn known(&self) -> Known {
        Known {
            hash: self.hash,
            recipe: self.recipe,
            is_failed: self.error.is_some(),
            again: self.again,
            sizes: self.outputs.iter().map(|output| output.bytes).collect(),
            at: 0,
        }
    }
}

/// A file of [`Record`]s, which several processes may read and append to.
///
/// A line counts only if it is whole: what a killed process wrote of its last line is skipped.
#[derive(Debug)]
pub struct Manifest {
    file: File,
    /// Newest results, by the hash of the path of the input.
    known: HashMap<ContentHash, Known>,
    /// End of the lines that were read.
    end: u64,
}

impl Manifest {
    /// Opens or creates a manifest and reads it.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(path)?;
        let mut manifest = Self {
            file,
            known: HashMap::new(),
            end: 0,
        };
        manifest.refresh()?;
        Ok(manifest)
    }

    /// Reads the lines that other processes appended.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn refresh(&mut self) -> io::Result<()> {
        if self.file.metadata()?.len() <= self.end {
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(self.end))?;
        let mut lines = BufReader::new(&self.file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let bytes = lines.read_until(b'\n', &mut line)?;
            // Another process may be writing the last line.
            if line.last() != Some(&b'\n') {
                return Ok(());
            }
            if let Ok(record) = serde_json::from_slice::<Record>(&line) {
                let known = Known {
                    at: self.end,
                    ..record.known()
                };
                let input = ContentHash::of(record.input.as_bytes());
                self.known.insert(input, known);
            }
            self.end += bytes as u64;
        }
    }

    /// The newest result of an input.
    pub fn known(&self, input: &str) -> Option<&Known> {
        self.known.get(&ContentHash::of(input.as_bytes()))
    }

    /// The newest line about an input.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn record(&mut self, input: &str) -> io::Result<Option<Record>> {
        let Some(at) = self.known(input).map(|known| known.at) else {
            return Ok(None);
        };
        self.file.seek(SeekFrom::Start(at))?;
        let mut line = Vec::new();
        BufReader::new(&self.file).read_until(b'\n', &mut line)?;
        Ok(serde_json::from_slice(&line).ok())
    }

    /// Appends a line.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, record: &Record) -> io::Result<()> {
        self.append_line(&serde_json::to_string(record)?)
    }

    /// Appends a record that is written already: JSON without line breaks.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append_line(&mut self, line: &str) -> io::Result<()> {
        // A file system without locks still appends a line at once.
        let locked = self.file.lock();
        let written = self.write_line(line);
        if locked.is_ok() {
            self.file.unlock()?;
        }
        written?;
        self.refresh()
    }

    fn write_line(&mut self, line: &str) -> io::Result<()> {
        let mut line = format!("{line}\n").into_bytes();
        // A line that a killed process began ends here.
        if self.file.metadata()?.len() > 0 {
            self.file.seek(SeekFrom::End(-1))?;
            let mut last = [0];
            self.file.read_exact(&mut last)?;
            if last != *b"\n" {
                line.insert(0, b'\n');
            }
        }
        self.file.write_all(&line)
    }
}
