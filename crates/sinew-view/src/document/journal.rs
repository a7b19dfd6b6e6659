//! Journal of a file: its edits that are not saved, one per line, so that a crash loses none. The format is one that
//! `sinew edit --script` reads.

use super::open_file::OpenFile;
use serde::{Deserialize, Serialize};
use sinew::Transform;
use sinew::clip::OverLimit;
use sinew_edit::{Edit, Editor, JointValue, Name, PoseEdit};
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Max time between an edit and the moment when it is on the disk. The system has it at once, so that only a power cut
/// can lose it.
const SYNC_AFTER: Duration = Duration::from_secs(2);

/// Ending of journals that are not run, because their file has changed.
const KEPT: &str = ".kept.jsonl";

/// An open journal. It holds the edits since a state of the file, with those that the history has dropped. It is locked
/// while its program runs.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    /// Serial number of each written step, and the length of the journal after it.
    written: Vec<(u64, u64)>,
    /// Length of the lines before the steps.
    heading: u64,
    /// Last step that is in the file on disk. 0 if the file is as it was opened.
    base: u64,
    /// True if steps that are in the file on disk were undone.
    is_forked: bool,
    is_sync_due: Arc<AtomicBool>,
}

/// First line: the file that the edits belong to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Heading {
    journal_of: String,
    bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    modified_ms: Option<u64>,
    /// Hash of a content without a path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<u64>,
    /// Version of the program that made a figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program: Option<String>,
}

/// A line about the line below it, or about all lines.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "journal", rename_all = "snake_case")]
enum Mark {
    /// The next edit is one step with the edit before it.
    Joined,
    /// Steps in the file were undone before the edits that follow.
    Forked,
}

impl Heading {
    fn of(file: &OpenFile) -> Self {
        let modified = file.stamp.and_then(|stamp| stamp.changed);
        let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let version = || env!("CARGO_PKG_VERSION").to_owned();
        Self {
            journal_of: subject(file),
            bytes: file.stamp.map_or(file.bytes, |stamp| stamp.bytes),
            modified_ms: modified.map(|since| since.as_millis() as u64),
            hash: file.hash,
            program: file.made.map(|_| version()),
        }
    }
}

/// Edits found in a journal.
#[derive(Debug)]
pub(crate) struct Found {
    path: PathBuf,
    /// Each edit, and true if it is one step with the edit before it.
    pub edits: Vec<(Edit, bool)>,
    /// True if the file is the one that was edited.
    pub fits: bool,
    modified: Option<SystemTime>,
    /// Keeps other programs from the journal.
    _file: File,
}

impl Found {
    /// Removes the journal: its edits are elsewhere.
    pub fn remove(self) {
        let _ = fs::remove_file(&self.path);
    }

    /// Renames the journal, so that it is not found again. Returns its path.
    pub fn set_aside(self) -> PathBuf {
        let kept = self.path.with_extension("");
        let kept = PathBuf::from(format!("{}{KEPT}", kept.display()));
        match fs::rename(&self.path, &kept) {
            Ok(()) => kept,
            Err(_) => self.path,
        }
    }
}

impl Journal {
    /// Begins a journal of a file whose state on disk has all steps up to `base`, and a pose that is not in it.
    pub fn begin(
        folder: &Path,
        of: &OpenFile,
        base: u64,
        pose: &BTreeMap<usize, Transform>,
    ) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let mut heading = serde_json::to_vec(&Heading::of(of))?;
        heading.push(b'\n');
        if !pose.is_empty() {
            serde_json::to_writer(&mut heading, &posing(pose))?;
            heading.push(b'\n');
        }
        let (path, mut file) = create(folder, of)?;
        // File systems without locks work, too: two programs then find each other's journals.
        let _ = file.try_lock();
        file.write_all(&heading)?;
        Ok(Self {
            path,
            file,
            written: Vec::new(),
            heading: heading.len() as u64,
            base,
            is_forked: false,
            is_sync_due: Arc::default(),
        })
    }

    /// Journals of a file that programs left which have ended, the newest first.
    pub fn find(folder: &Path, file: &OpenFile) -> Vec<Found> {
        let begin = format!("{}-", name_of(file));
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let named = entries.filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with(&begin) && name.ends_with(".jsonl") && !name.ends_with(KEPT)
        });
        let found = named.filter_map(|entry| read(entry.path(), file));
        let mut found: Vec<Found> = found.collect();
        found.sort_by_key(|found| std::cmp::Reverse(found.modified));
        found
    }

    /// Writes the steps that are done, and removes those that were undone.
    pub fn update(&mut self, editor: &Editor) -> io::Result<()> {
        let was_forked = self.is_forked;
        self.is_forked = self.is_forked_by(editor);
        if was_forked != self.is_forked {
            self.written.clear();
        }
        let base = self.base;
        let steps = || editor.done().filter(move |step| step.serial > base);
        // Without any step, a drag was cancelled. The history never drops its last step.
        let first = steps().next().or(editor.undone().next());
        let first = first.map_or(0, |step| step.serial);
        let dropped = self.written.partition_point(|(serial, _)| *serial < first);
        let kept = self.written[dropped..].iter().zip(steps());
        let same = kept.take_while(|((serial, _), step)| *serial == step.serial);
        let same = same.count();
        let mut text = Vec::new();
        let mut lines = Vec::new();
        if dropped + same == 0 && self.is_forked {
            push(&mut text, &Mark::Forked)?;
        }
        let kept = dropped + same;
        let start = kept.checked_sub(1).map(|last| self.written[last].1);
        let start = start.unwrap_or(self.heading);
        for step in steps().skip(same) {
            if step.is_joined {
                push(&mut text, &Mark::Joined)?;
            }
            push(&mut text, &step.edit)?;
            lines.push((step.serial, start + text.len() as u64));
        }
        self.written.truncate(kept);
        self.written.extend(lines);
        self.file.set_len(start)?;
        self.file.seek(SeekFrom::Start(start))?;
        self.file.write_all(&text)?;
        self.sync_soon();
        Ok(())
    }

    fn is_forked_by(&self, editor: &Editor) -> bool {
        let mut serials = editor.done().map(|step| step.serial);
        let first = serials.next();
        if self.base == 0 || first == Some(self.base) || serials.any(|serial| serial == self.base) {
            false
        } else if first.is_none_or(|first| first < self.base) {
            true
        } else {
            // The history has dropped the step, or it was undone earlier.
            self.is_forked
        }
    }

    /// Has the system put the journal on the disk within a short time, without waiting for it.
    fn sync_soon(&self) {
        if self.is_sync_due.swap(true, Ordering::AcqRel) {
            return;
        }
        let (due, path) = (self.is_sync_due.clone(), self.path.clone());
        let sync = move || {
            std::thread::sleep(SYNC_AFTER);
            due.store(false, Ordering::Release);
            // Not a copy of the own handle, which would keep the lock.
            let file = File::options().write(true).open(path);
            file.and_then(|file| file.sync_data())
        };
        // Without a thread, the system chooses the moment.
        let _ = std::thread::Builder::new().spawn(sync);
    }

    /// Removes the journal: its edits are saved or given up.
    pub fn remove(self) {
        // A journal that stays is offered again, which does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

fn push(text: &mut Vec<u8>, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *text, line)?;
    text.push(b'\n');
    Ok(())
}

/// Edit that poses joints as they are.
fn posing(pose: &BTreeMap<usize, Transform>) -> PoseEdit {
    let value = |(&joint, transform): (&usize, &Transform)| JointValue {
        joint: Name::Index(joint),
        translation: Some(transform.translation),
        rotation: Some(transform.rotation),
        scale: Some(transform.scale),
    };
    PoseEdit::Pose {
        joints: pose.iter().map(value).collect(),
        over: None,
        limits: OverLimit::Allow,
        weight: 1.0,
    }
}

/// Reads a journal. `None` if its program still runs, or if it has no edits; it is then removed.
fn read(path: PathBuf, of: &OpenFile) -> Option<Found> {
    let file = File::options().read(true).write(true).open(&path).ok()?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return None;
    }
    let modified = file.metadata().and_then(|m| m.modified()).ok();
    let mut lines = BufReader::new(&file).lines();
    let heading: Heading = serde_json::from_str(&lines.next()?.ok()?).ok()?;
    let (mut edits, mut is_joined, mut is_forked) = (Vec::new(), false, false);
    // A line that was cut off by a crash is the last one.
    for line in lines.map_while(Result::ok) {
        if let Ok(edit) = serde_json::from_str(&line) {
            edits.push((edit, std::mem::take(&mut is_joined)));
            continue;
        }
        match serde_json::from_str(&line) {
            Ok(Mark::Joined) => is_joined = true,
            Ok(Mark::Forked) => is_forked = true,
            Err(_) => break,
        }
    }
    if edits.is_empty() && !is_forked {
        let _ = fs::remove_file(&path);
        return None;
    }
    Some(Found {
        path,
        edits,
        fits: !is_forked && Heading::of(of) == heading,
        modified,
        _file: file,
    })
}

/// New file for a journal. Each program and each window has its own.
fn create(folder: &Path, of: &OpenFile) -> io::Result<(PathBuf, File)> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{}-{number}.jsonl", name_of(of), std::process::id());
        let path = folder.join(name);
        match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            file => return Ok((path, file?)),
        }
    }
}

/// Text that names the file or figure: the same for each program that opens it.
fn subject(file: &OpenFile) -> String {
    match (&file.path, file.made) {
        (Some(path), _) => {
            let path = fs::canonicalize(path).or_else(|_| std::path::absolute(path));
            let path = path.ok().or_else(|| file.path.clone());
            path.unwrap_or_default().to_string_lossy().into_owned()
        }
        (None, Some(figure)) => format!("figure {}", figure.name()),
        (None, None) => format!("content of {}", file.name),
    }
}

/// First part of the name of the journals of a file.
fn name_of(file: &OpenFile) -> String {
    let subject = subject(file);
    let stem = Path::new(&subject).file_stem().unwrap_or_default();
    let stem = stem.to_string_lossy();
    let letters = stem.chars().filter(|c| c.is_alphanumeric());
    let letters: String = letters.take(40).collect();
    let own = hash(subject.as_bytes()) ^ file.hash.unwrap_or(0);
    format!("{letters}-{own:016x}")
}

/// FNV-1a hash.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Folder of the journals: `SINEW_STATE`, or the state folder of the user.
#[cfg(all(feature = "window", not(target_family = "wasm")))]
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
