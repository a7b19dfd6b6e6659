//! Runs a recipe over all inputs, on several threads.

use crate::folder::check_folders;
use crate::hash::ContentHash;
use crate::manifest::{Known, Manifest, Record};
use crate::plan::Plan;
use crate::recipe::{Input, Recipe, RecipeError};
use crate::summary::write_summary;
use sinew_io::Replacement;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use thiserror::Error;

/// A recipe in a folder, checked and ready to run.
#[derive(Debug)]
pub struct Batch {
    folder: PathBuf,
    plan: Plan,
    inputs: Vec<Input>,
    manifest: PathBuf,
}

/// What happened to an input.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// It was done or failed.
    Ran(&'a Record),
    /// It was done or failed before, and has not changed.
    Skipped {
        /// The input.
        input: &'a Input,
        /// True if it failed before.
        is_failed: bool,
    },
    /// It was not done before, or has changed. Only [`Batch::look`] says so.
    Due(&'a Input),
}

/// Numbers of inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Totals {
    /// All inputs.
    pub inputs: usize,
    /// Inputs that this run did.
    pub done: usize,
    /// Inputs that were done before, and have not changed.
    pub skipped: usize,
    /// Inputs that failed, in this run or before.
    pub failed: usize,
}

impl Totals {
    /// Counts an event.
    pub fn count(&mut self, event: &Event<'_>) {
        match event {
            Event::Ran(Record { error: Some(_), .. })
            | Event::Skipped {
                is_failed: true, ..
            } => self.failed += 1,
            Event::Ran(_) | Event::Due(_) => self.done += 1,
            Event::Skipped { .. } => self.skipped += 1,
        }
    }
}

/// Reason why a recipe cannot be run at all.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A file of the recipe cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The recipe cannot be used.
    #[error("{}: {error}", path.display())]
    Recipe {
        /// Path of the recipe.
        path: PathBuf,
        /// The fault.
        error: RecipeError,
    },
}

/// What the threads share.
struct Shared<'a> {
    next: AtomicUsize,
    manifest: Mutex<Manifest>,
    /// Inputs that another process works on.
    elsewhere: Mutex<Vec<&'a Input>>,
    totals: Mutex<Totals>,
    watch: &'a (dyn Fn(&Event<'_>) + Sync),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Batch {
    /// Reads a recipe and the files that it names, lists its inputs, and checks its outputs. Writes nothing.
    ///
    /// # Errors
    /// [`BatchError`] if the recipe cannot be run on these files.
    pub fn open(path: &Path) -> Result<Self, BatchError> {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let text = fs::read_to_string(path).map_err(|source| BatchError::Io {
            path: path.to_owned(),
            source,
        })?;
        let checked = || {
            let recipe = Recipe::parse(&text)?;
            let inputs = recipe.list(&folder)?;
            recipe.check_outputs(&inputs)?;
            check_folders(&recipe, &inputs, &folder)?;
            let plan = Plan::new(recipe, |name| {
                let path = folder.join(name);
                match fs::read(&path) {
                    Ok(bytes) => Ok((bytes, path)),
                    Err(error) => Err(format!("cannot read {}: {error}", name.display())),
                }
            })?;
            Ok((plan, inputs))
        };
        let (plan, inputs) = checked().map_err(|error| BatchError::Recipe {
            path: path.to_owned(),
            error,
        })?;
        Ok(Self {
            manifest: path.with_extension("manifest.jsonl"),
            folder,
            plan,
            inputs,
        })
    }

    /// The recipe and the files that it names.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// All inputs, in order.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Path of the manifest: the path of the recipe with the extension `manifest.jsonl`.
    pub fn manifest(&self) -> &Path {
        &self.manifest
    }

    /// Says which inputs a run would do. Writes nothing.
    ///
    /// # Errors
    /// [`BatchError::Io`] if the manifest cannot be read.
    pub fn look(&self, watch: &dyn Fn(&Event<'_>)) -> Result<Totals, BatchError> {
        let manifest = match self.manifest.exists() {
            true => Some(self.open_manifest()?),
            false => None,
        };
        let mut totals = self.totals();
        for input in &self.inputs {
            let known = manifest.as_ref().and_then(|m| m.known(&input.path));
            let bytes = fs::read(self.folder.join(&input.path));
            let hash = bytes.map(|bytes| ContentHash::of(&bytes));
            let current =
                known.filter(|known| hash.is_ok_and(|h| self.is_current(known, input, h)));
            let event = match current {
                Some(known) => Event::Skipped {
                    input,
                    is_failed: known.is_failed,
                },
                None => Event::Due(input),
            };
            totals.count(&event);
            watch(&event);
        }
        Ok(totals)
    }

    /// Runs the recipe on all inputs that are not done, with `jobs` threads, and writes the summary. A failed input stops
    /// nothing. Several processes may run the same recipe at once; they share the work.
    ///
    /// # Errors
    /// [`BatchError::Io`] if the manifest or the summary cannot be written.
    pub fn run(
        &self,
        jobs: usize,
        watch: &(dyn Fn(&Event<'_>) + Sync),
    ) -> Result<Totals, BatchError> {
        let shared = Shared {
            next: AtomicUsize::new(0),
            manifest: Mutex::new(self.open_manifest()?),
            elsewhere: Mutex::default(),
            totals: Mutex::new(self.totals()),
            watch,
        };
        let worked = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..jobs.max(1))
                .map(|_| scope.spawn(|| self.work(&shared)))
                .collect();
            let results = threads.into_iter().map(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            results.fold(Ok(()), Result::and)
        });
        worked.map_err(|source| self.in_manifest(source))?;
        self.summarise(&mut lock(&shared.manifest))?;
        Ok(*lock(&shared.totals))
    }

    fn totals(&self) -> Totals {
        Totals {
            inputs: self.inputs.len(),
            ..Totals::default()
        }
    }

    fn in_manifest(&self, source: io::Error) -> BatchError {
        let path = self.manifest.clone();
        BatchError::Io { path, source }
    }

    fn open_manifest(&self) -> Result<Manifest, BatchError> {
        Manifest::open(&self.manifest).map_err(|source| self.in_manifest(source))
    }

    fn summarise(&self, manifest: &mut Manifest) -> Result<(), BatchError> {
        let Some(summary) = &self.plan.recipe().summary else {
            return Ok(());
        };
        let path = self.folder.join(summary);
        let written = create(&path).and_then(|mut out| {
            write_summary(&mut out, &self.inputs, manifest)?;
            out.finish()
        });
        written.map_err(|source| BatchError::Io { path, source })
    }

    /// Works until no input is left. The error is one of the manifest.
    fn work<'a>(&'a self, shared: &Shared<'a>) -> io::Result<()> {
        let next = || self.inputs.get(shared.next.fetch_add(1, Relaxed));
        while let Some(input) = next() {
            if let Err(error) = self.one(input, false, shared) {
                // The other threads stop, too.
                shared.next.store(self.inputs.len(), Relaxed);
                return Err(error);
            }
        }
        loop {
            let Some(input) = lock(&shared.elsewhere).pop() else {
                return Ok(());
            };
            self.one(input, true, shared)?;
        }
    }

    /// Runs an input, unless it is done or another process works on it. `waits` for that process.
    fn one<'a>(&self, input: &'a Input, waits: bool, shared: &Shared<'a>) -> io::Result<()> {
        let begin = Instant::now();
        let path = self.folder.join(&input.path);
        let mut record = Record::new(&input.path, ContentHash::of(&[]), self.plan.hash());
        match open(&path, waits) {
            // The lock ends with the file.
            Ok(Some(mut file)) => {
                let mut bytes = Vec::new();
                match file.read_to_end(&mut bytes) {
                    Ok(_) => {
                        record.hash = ContentHash::of(&bytes);
                        if let Some(event) = self.skipped(input, record.hash, shared)? {
                            shared.tell(&event);
                            return Ok(());
                        }
                        record = self.done(input, &path, &bytes);
                    }
                    Err(error) => record = record.failed_for_now(unreadable(&error)),
                }
                record.secs = begin.elapsed().as_secs_f64();
                // While the lock is held, so that no process repeats the work.
                lock(&shared.manifest).append(&record)?;
            }
            Ok(None) => {
                lock(&shared.elsewhere).push(input);
                return Ok(());
            }
            Err(error) => {
                record = record.failed_for_now(unreadable(&error));
                lock(&shared.manifest).append(&record)?;
            }
        }
        shared.tell(&Event::Ran(&record));
        Ok(())
    }

    fn skipped<'a>(
        &self,
        input: &'a Input,
        hash: ContentHash,
        shared: &Shared<'_>,
    ) -> io::Result<Option<Event<'a>>> {
        let mut manifest = lock(&shared.manifest);
        manifest.refresh()?;
        let known = manifest.known(&input.path).cloned();
        drop(manifest);
        let current = known.filter(|known| self.is_current(known, input, hash));
        Ok(current.map(|known| Event::Skipped {
            input,
            is_failed: known.is_failed,
        }))
    }

    fn is_current(&self, known: &Known, input: &Input, hash: ContentHash) -> bool {
        let size = |path: &str| Some(fs::metadata(self.folder.join(path)).ok()?.len());
        self.plan.is_current(known, input, hash, size)
    }

    /// Runs the steps and writes the outputs.
    fn done(&self, input: &Input, path: &Path, bytes: &[u8]) -> Record {
        let (record, outputs) = self.plan.record(input, bytes, Some(path));
        for output in outputs {
            let written = create(&self.folder.join(&output.path)).and_then(|mut out| {
                out.write_all(&output.bytes)?;
                out.finish()
            });
            if let Err(error) = written {
                return record.failed_for_now(format!("cannot write {}: {error}", output.path));
            }
        }
        record
    }
}

fn unreadable(error: &io::Error) -> String {
    format!("cannot read the file: {error}")
}

impl Shared<'_> {
    fn tell(&self, event: &Event<'_>) {
        lock(&self.totals).count(event);
        (self.watch)(event);
    }
}

/// Opens and locks an input. `None` if another process has locked it, unless `waits`.
fn open(path: &Path, waits: bool) -> io::Result<Option<File>> {
    // Opening a pipe would block.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let file = File::open(path)?;
    // On Windows, a lock would keep other programs from reading. Without locks, work may be done twice, with the same
    // result.
    if cfg!(unix) {
        if waits {
            let _ = file.lock();
        } else if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Ok(None);
        }
    }
    Ok(Some(file))
}

/// A new version of a file, in a folder that is created if needed.
fn create(path: &Path) -> io::Result<Replacement> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Replacement::new(path)
}
