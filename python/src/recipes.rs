//! Recipes over many files: all of a folder, or one input at a time for other schedulers.

use crate::error::{free, raise, wrong};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sinew_batch::{
    Batch, ContentHash, Input, Manifest, Plan, Record, check_folders, write_summary,
};
use sinew_io::Replacement;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Contents of the files that a recipe names, or why they cannot be read.
type Files = BTreeMap<String, Result<Vec<u8>, String>>;

/// Runs a recipe over all its inputs, as ``sinew batch`` does, with ``jobs`` threads (one for each
/// core). Does nothing twice. Returns the numbers ``inputs``, ``done``, ``skipped`` and ``failed``;
/// the manifest beside the recipe has the reasons of failures.
#[pyfunction]
#[pyo3(signature = (recipe, /, *, jobs = None))]
pub fn run_recipe(
    py: Python<'_>,
    recipe: PathBuf,
    jobs: Option<usize>,
) -> PyResult<Bound<'_, PyDict>> {
    let jobs = jobs.or_else(|| Some(std::thread::available_parallelism().ok()?.get()));
    let totals = free(py, || Batch::open(&recipe)?.run(jobs.unwrap_or(1), &|_| ()))?;
    let dict = PyDict::new(py);
    dict.set_item("inputs", totals.inputs)?;
    dict.set_item("done", totals.done)?;
    dict.set_item("skipped", totals.skipped)?;
    dict.set_item("failed", totals.failed)?;
    Ok(dict)
}

/// Recipe from TOML text.
#[pyclass(frozen, module = "sinew._sinew")]
pub struct Recipe {
    recipe: sinew_batch::Recipe,
}

#[pymethods]
impl Recipe {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        let recipe = sinew_batch::Recipe::parse(text).map_err(raise)?;
        Ok(Self { recipe })
    }

    /// Folders below which all inputs lie, relative to the folder of the recipe.
    #[getter]
    fn folders(&self) -> Vec<&str> {
        self.recipe
            .inputs
            .iter()
            .map(|glob| glob.folder())
            .collect()
    }

    /// Files that the steps name.
    #[getter]
    fn files(&self) -> Vec<PathBuf> {
        self.recipe.files()
    }

    /// Name of the table of measures.
    #[getter]
    fn summary(&self) -> Option<&str> {
        self.recipe.summary.as_deref()
    }

    /// Inputs in a folder of this machine, in order, after checks of all names and folders.
    fn list(&self, py: Python<'_>, folder: PathBuf) -> PyResult<Vec<String>> {
        free(py, || {
            let inputs = self.recipe.list(&folder)?;
            self.recipe.check_outputs(&inputs)?;
            check_folders(&self.recipe, &inputs, &folder)?;
            Ok::<_, sinew_batch::RecipeError>(paths(inputs))
        })
    }

    /// Inputs among these paths, in order, after checks of all names.
    fn choose(&self, py: Python<'_>, found: Vec<String>) -> PyResult<Vec<String>> {
        free(py, || {
            let inputs = self.recipe.choose(found)?;
            self.recipe.check_outputs(&inputs)?;
            Ok::<_, sinew_batch::RecipeError>(paths(inputs))
        })
    }
}

fn paths(inputs: Vec<Input>) -> Vec<String> {
    inputs.into_iter().map(|input| input.path).collect()
}

/// Recipe with the files that it names: contents, or texts of errors. It can be pickled.
#[pyclass(frozen, module = "sinew._sinew", name = "Plan")]
pub struct PyPlan {
    plan: Plan,
    text: String,
    files: Files,
}

impl PyPlan {
    fn input(&self, path: &str) -> PyResult<Input> {
        let found = self.plan.recipe().input(path);
        found.ok_or_else(|| wrong(format!("{path} matches no pattern of the recipe")))
    }
}

#[pymethods]
impl PyPlan {
    #[new]
    fn new(py: Python<'_>, text: String, files: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut read = Files::new();
        for (name, content) in files {
            let content = match content.cast::<PyBytes>() {
                Ok(bytes) => Ok(bytes.as_bytes().to_vec()),
                Err(_) => Err(content.extract()?),
            };
            read.insert(name.extract()?, content);
        }
        let plan = free(py, || {
            let recipe = sinew_batch::Recipe::parse(&text)?;
            Plan::new(recipe, |path: &Path| {
                let name = path.to_string_lossy();
                match read.get(&*name) {
                    Some(Ok(bytes)) => Ok((bytes.clone(), path.to_owned())),
                    Some(Err(error)) => Err(format!("cannot read {name}: {error}")),
                    None => Err(format!("cannot read {name}: it was not given")),
                }
            })
        })?;
        Ok(Self {
            plan,
            text,
            files: read,
        })
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, Py<PyDict>))> {
        let py = slf.py();
        let this = slf.get();
        let files = PyDict::new(py);
        for (name, content) in &this.files {
            match content {
                Ok(bytes) => files.set_item(name, PyBytes::new(py, bytes))?,
                Err(error) => files.set_item(name, error)?,
            }
        }
        Ok((
            slf.get_type().into_any(),
            (this.text.clone(), files.unbind()),
        ))
    }

    /// Runs all steps on an input. ``place`` is where it lies. Returns its line for the manifest, and
    /// names and contents of outputs, which must be written before the line.
    #[pyo3(signature = (path, contents, place = None))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        path: &str,
        contents: &[u8],
        place: Option<PathBuf>,
    ) -> PyResult<(String, Vec<(String, Bound<'py, PyBytes>)>)> {
        let input = self.input(path)?;
        let begin = Instant::now();
        let (mut record, outputs) =
            py.detach(|| self.plan.record(&input, contents, place.as_deref()));
        record.secs = begin.elapsed().as_secs_f64();
        let outputs = outputs.into_iter();
        let outputs = outputs.map(|output| (output.path, PyBytes::new(py, &output.bytes)));
        Ok((line(&record), outputs.collect()))
    }

    /// Line for the manifest of an input that failed for a reason outside of it. The next run tries it again.
    #[pyo3(signature = (path, error, contents = None))]
    fn failed(&self, path: &str, error: String, contents: Option<&[u8]>) -> String {
        let hash = ContentHash::of(contents.unwrap_or_default());
        let record = Record::new(path, hash, self.plan.hash());
        line(&record.failed_for_now(error))
    }

    /// True if a line of the manifest is about these bytes and this recipe, and all outputs are there:
    /// ``size`` returns the size of a file, or ``None``.
    fn is_current(
        &self,
        path: &str,
        contents: &[u8],
        line: &str,
        size: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let record = parsed(line)?;
        let input = self.input(path)?;
        let hash = ContentHash::of(contents);
        let size = |path: &str| size.call1((path,)).ok()?.extract().ok()?;
        Ok(self.plan.is_current(&record.known(), &input, hash, size))
    }
}

fn line(record: &Record) -> String {
    // A record has names, texts and finite numbers.
    serde_json::to_string(record).unwrap_or_default()
}

fn parsed(line: &str) -> PyResult<Record> {
    serde_json::from_str(line).map_err(|error| wrong(format!("a line of a manifest: {error}")))
}

/// Manifest on this machine, as ``sinew batch`` writes it.
#[pyclass(frozen, module = "sinew._sinew", name = "Manifest")]
pub struct PyManifest {
    manifest: Mutex<Manifest>,
    path: PathBuf,
}

impl PyManifest {
    fn lock(&self) -> MutexGuard<'_, Manifest> {
        self.manifest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, error: &io::Error) -> PyErr {
        PyOSError::new_err(format!("{}: {error}", self.path.display()))
    }
}

#[pymethods]
impl PyManifest {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let manifest = Manifest::open(&path);
        let manifest =
            manifest.map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))?;
        Ok(Self {
            manifest: Mutex::new(manifest),
            path,
        })
    }

    /// The newest line about an input.
    fn line(&self, path: &str) -> PyResult<Option<String>> {
        let record = self.lock().record(path).map_err(|e| self.failed(&e))?;
        Ok(record.as_ref().map(line))
    }

    /// Appends a line.
    fn append(&self, line: &str) -> PyResult<()> {
        parsed(line)?;
        // As it is: a number that is read and written again may differ in its last digit.
        self.lock().append_line(line).map_err(|e| self.failed(&e))
    }

    /// The table of measures of these inputs, as CSV.
    fn summary<'py>(
        &self,
        py: Python<'py>,
        recipe: &Recipe,
        inputs: Vec<String>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let inputs: Vec<Input> = inputs
            .iter()
            .filter_map(|path| recipe.recipe.input(path))
            .collect();
        let mut table = Vec::new();
        let written = py.detach(|| write_summary(&mut table, &inputs, &mut self.lock()));
        written.map_err(|e| self.failed(&e))?;
        Ok(PyBytes::new(py, &table))
    }
}

/// Writes a file of this machine, complete or not at all, and creates its folders.
#[pyfunction]
pub fn _write_file(py: Python<'_>, path: PathBuf, contents: &[u8]) -> PyResult<()> {
    let written = py.detach(|| {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = Replacement::new(&path)?;
        file.write_all(contents)?;
        file.finish()
    });
    written.map_err(raise)
}
