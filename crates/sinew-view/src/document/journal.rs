//! Journal of a file: its edits that are not saved, one per line, so that a crash loses none. The format is the one
//! that `sinew edit --script` reads.

use serde::{Deserialize, Serialize};
use sinew_edit::{Edit, Editor};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// An open journal. It holds the edits that can be undone, and those before them that the history has dropped.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    /// Serial number of each written step, and the length of the journal after it.
    written: Vec<(u64, u64)>,
    /// Length of the heading.
    heading: u64,
}

/// First line: the file that the edits belong to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Heading {
    journal_of: PathBuf,
    bytes: u64,
    modified_ms: u128,
}

impl Heading {
    fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        let modified = metadata.modified()?.duration_since(UNIX_EPOCH);
        Ok(Self {
            journal_of: fs::canonicalize(path)?,
            bytes: metadata.len(),
            modified_ms: modified.map_or(0, |since| since.as_millis()),
        })
    }
}

/// Edits found in a journal.
#[derive(Debug)]
pub(crate) struct Found {
    pub path: PathBuf,
    pub edits: Vec<Edit>,
    /// True if the file on disk is the one that was edited.
    pub fits: bool,
}

impl Journal {
    /// Begins a journal of a file, or replaces the old one.
    pub fn begin(folder: &Path, file: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let path = path_of(folder, file)?;
        let mut heading = serde_json::to_vec(&Heading::of(file)?)?;
        heading.push(b'\n');
        let mut file = File::create(&path)?;
        file.write_all(&heading)?;
        Ok(Self {
            path,
            file,
            written: Vec::new(),
            heading: heading.len() as u64,
        })
    }

    /// Edits that an earlier program did not save. `None` if there are none.
    pub fn find(folder: &Path, file: &Path) -> Option<Found> {
        let path = path_of(folder, file).ok()?;
        let mut lines = BufReader::new(File::open(&path).ok()?).lines();
        let heading: Heading = serde_json::from_str(&lines.next()?.ok()?).ok()?;
        // A line that was cut off by a crash is the last one.
        let edits = lines.map_while(|line| serde_json::from_str(&line.ok()?).ok());
        let edits: Vec<Edit> = edits.collect();
        (!edits.is_empty()).then(|| Found {
            fits: Heading::of(file).is_ok_and(|now| now == heading),
            path,
            edits,
        })
    }

    /// Writes the steps that are done, and removes those that were undone.
    pub fn update(&mut self, editor: &Editor) -> io::Result<()> {
        let first = editor.done().next().or(editor.undone().next());
        let Some(first) = first.map(|step| step.serial) else {
            return Ok(());
        };
        let dropped = self.written.partition_point(|(serial, _)| *serial < first);
        let kept = self.written[dropped..].iter().zip(editor.done());
        let same = kept.take_while(|((serial, _), step)| *serial == step.serial);
        let same = same.count();
        self.written.truncate(dropped + same);
        let mut end = self.written.last().map_or(self.heading, |last| last.1);
        self.file.set_len(end)?;
        self.file.seek(SeekFrom::Start(end))?;
        let mut text = Vec::new();
        for step in editor.done().skip(same) {
            let before = text.len();
            serde_json::to_writer(&mut text, &step.edit)?;
            text.push(b'\n');
            end += (text.len() - before) as u64;
            self.written.push((step.serial, end));
        }
        self.file.write_all(&text)
    }

    /// Removes the journal: its edits are saved or given up.
    pub fn remove(self) {
        // A journal that stays is offered again, which does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

/// Path of the journal of a file: the same for each program that opens the file.
fn path_of(folder: &Path, file: &Path) -> io::Result<PathBuf> {
    let file = fs::canonicalize(file)?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let name: String = name
        .chars()
        .filter(|c| c.is_alphanumeric())
        .take(40)
        .collect();
    // FNV-1a, so that files of one name in different folders differ.
    let bytes = file.as_os_str().as_encoded_bytes();
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Ok(folder.join(format!("{name}-{hash:016x}.jsonl")))
}

/// Folder of the journals: `SINEW_STATE`, or the state folder of the user.
pub(crate) fn folder() -> PathBuf {
    let set = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let own = set("SINEW_STATE");
    let state = || {
        set("XDG_STATE_HOME")
            .or_else(|| set("LOCALAPPDATA"))
            .map(|state| state.join("sinew"))
    };
    let home = || set("HOME").map(|home| home.join(".local/state/sinew"));
    own.or_else(state)
        .or_else(home)
        .unwrap_or_else(|| std::env::temp_dir().join("sinew"))
}
