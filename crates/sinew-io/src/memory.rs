//! Files of a page, which has no disk: those that it was given, and those that were written for it to hand on.

use std::collections::BTreeMap;
use std::io::{self, Cursor};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

static GIVEN: Mutex<BTreeMap<PathBuf, Given>> = Mutex::new(BTreeMap::new());
static WRITTEN: Mutex<Vec<(PathBuf, Vec<u8>)>> = Mutex::new(Vec::new());

#[derive(Clone, Debug)]
pub(crate) struct Given(Arc<Vec<u8>>);

impl AsRef<[u8]> for Given {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

fn given() -> MutexGuard<'static, BTreeMap<PathBuf, Given>> {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives a file, which imports then find at its path. Replaces a file that has the same path.
pub fn give(path: &Path, bytes: Vec<u8>) {
    given().insert(cleaned(path), Given(bytes.into()));
}

/// Takes a given file back.
///
/// # Errors
/// If there is none at this path.
pub fn take(path: &Path) -> io::Result<Vec<u8>> {
    let taken = given().remove(&cleaned(path)).ok_or_else(missing)?;
    Ok(Arc::unwrap_or_clone(taken.0))
}

/// Takes back the given files of a folder that were not taken.
pub fn forget(folder: &Path) {
    given().retain(|path, _| !path.starts_with(folder));
}

/// Returns the files that were written since the last call.
pub fn take_written() -> Vec<(PathBuf, Vec<u8>)> {
    std::mem::take(&mut *WRITTEN.lock().unwrap_or_else(PoisonError::into_inner))
}

pub(crate) fn write(path: PathBuf, bytes: Vec<u8>) {
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    written.push((path, bytes));
}

/// Opens a given file. `None` for a folder.
pub(crate) fn open(path: &Path) -> io::Result<Option<(Cursor<Given>, u64)>> {
    let path = canonical(path)?;
    let file = given().get(&path).cloned();
    Ok(file.map(|file| (Cursor::new(file.clone()), file.0.len() as u64)))
}

/// Path of a given file or of a folder of given files, without `.` and `..`.
pub(crate) fn canonical(path: &Path) -> io::Result<PathBuf> {
    let path = cleaned(path);
    let is_there = given().keys().any(|file| file.starts_with(&path));
    is_there.then_some(path).ok_or_else(missing)
}

fn cleaned(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => cleaned.push(name),
            Component::ParentDir => _ = cleaned.pop(),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    cleaned
}

fn missing() -> io::Error {
    let text = "this file was not given to the page; drop or choose it together with the file that refers to it";
    io::Error::new(io::ErrorKind::NotFound, text)
}
