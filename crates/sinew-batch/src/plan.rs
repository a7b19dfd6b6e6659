//! A recipe with the files that it names, and its steps on one input in memory.

use crate::error::StepError;
use crate::hash::ContentHash;
use crate::recipe::{Input, Recipe, RecipeError, RecipeFault, RecipeStep, Source};
use crate::steps::clean::Cleaned;
use crate::steps::convert::Convert;
use crate::steps::mocap::Capturer;
use crate::steps::{Ready, Step};
use serde::{Deserialize, Serialize};
use sinew_io::gltf::ExportError;
use sinew_io::{FileReport, Import, Severity, c3d, import_at};
use sinew_rig::motion::MotionReport;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A recipe that is ready to run: what all inputs share is prepared once. Any thread may run it.
#[derive(Debug)]
pub struct Plan {
    recipe: Recipe,
    /// For each step, what all inputs share.
    ready: Vec<Ready>,
    hash: ContentHash,
}

/// Results of one input.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// Files to write.
    pub outputs: Vec<Output>,
    /// Measures of clips, in the order of the steps.
    pub measured: Vec<Measured>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// A file to write.
#[derive(Clone, Debug)]
pub struct Output {
    /// Path, relative to the folder of the recipe.
    pub path: String,
    /// Content.
    pub bytes: Vec<u8>,
}

/// Measures of one clip at one moment of the recipe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Verb of the step, with `before` or `after` for `clean`.
    pub step: String,
    /// Name of the clip.
    pub clip: String,
    /// Number of frames.
    pub frames: usize,
    /// Frames per second.
    pub fps: f64,
    /// Measures by name. `docs/motion.md` defines them.
    pub values: BTreeMap<String, f64>,
}

impl Measured {
    fn new(step: &str, clip: &str, report: &MotionReport) -> Self {
        let values = report.values().into_iter();
        Self {
            step: step.to_owned(),
            clip: clip.to_owned(),
            frames: report.frames,
            fps: report.fps,
            values: values
                .filter_map(|(name, value)| Some((name.to_owned(), value?)))
                // JSON has no others.
                .filter(|(_, value)| value.is_finite())
                .collect(),
        }
    }
}

impl Plan {
    /// Prepares a recipe. `read` reads a file that the recipe names, relative to its folder, and says where it lies. The
    /// error of `read` is a message that names the file.
    ///
    /// # Errors
    /// [`RecipeFault::File`] for a file that cannot be read.
    pub fn new(
        recipe: Recipe,
        read: impl Fn(&Path) -> Result<(Vec<u8>, PathBuf), String>,
    ) -> Result<Self, RecipeError> {
        // Another version may give other bytes.
        let version = concat!("sinew-batch/1 ", env!("CARGO_PKG_VERSION"));
        let mut hash = ContentHash::of(version.as_bytes());
        let mut ready = Vec::new();
        for step in &recipe.steps {
            let written = format!("{:?} {:?} {:?}\n", step.from, step.output, step.step);
            hash = hash.and(written.as_bytes());
            let mut read = |path: &Path| {
                let (bytes, there) = read(path)?;
                hash = hash.and(&bytes);
                Ok((bytes, there))
            };
            ready.push(step.step.ready(&mut read).map_err(|error| RecipeError {
                line: Some(step.line),
                fault: RecipeFault::File {
                    verb: step.step.verb(),
                    text: error.to_string(),
                },
            })?);
        }
        Ok(Self {
            recipe,
            ready,
            hash,
        })
    }

    /// The recipe.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Hash of the steps, of the files that they name, and of the version of this crate. Inputs with the same bytes and
    /// the same name give the same outputs while it stays.
    pub fn hash(&self) -> ContentHash {
        self.hash
    }

    /// Runs all steps on an input. `path` is where the input lies, if that is not [`Input::path`]: some formats name clips
    /// by it, and read files beside it. Writes nothing.
    ///
    /// # Errors
    /// [`StepError`] of the first step that cannot be done.
    pub fn run(&self, input: &Input, bytes: &[u8], path: Option<&Path>) -> Result<Ran, StepError> {
        let path = path.unwrap_or(Path::new(&input.path));
        let mut ran = Ran::default();
        let steps = &self.recipe.steps;
        let mut results: Vec<Option<Import>> = vec![None; steps.len()];
        let is_read = |step: &RecipeStep| step.from == Source::Input && !step.step.reads_markers();
        let mut source = None;
        if steps.iter().any(is_read) {
            let import = import_at(bytes, Some(path))?;
            ran.note_problems(&import.report, &input.path);
            source = Some(import);
        }
        for (at, step) in steps.iter().enumerate() {
            let is_taken =
                |step: usize, from| steps[step].from == from && !steps[step].step.reads_markers();
            let is_last = (at + 1..steps.len()).all(|later| !is_taken(later, step.from));
            let from = match step.from {
                Source::Input => &mut source,
                Source::Step(from) => &mut results[from],
            };
            let output = step.output.as_ref().map(|template| template.of(input));
            results[at] = if let Ready::Capturer(capturer) = &self.ready[at] {
                let import = ran.captured(capturer, bytes, input, path)?;
                ran.write(output, &import, None)?;
                Some(import)
            } else {
                let taken = if is_last { from.take() } else { from.clone() };
                // Steps come after those that they take from.
                let Some(import) = taken else { continue };
                self.run_step(at, import, input, output, &mut ran)?
            };
            let is_needed = (at + 1..steps.len()).any(|later| is_taken(later, Source::Step(at)));
            if !is_needed {
                results[at] = None;
            }
        }
        Ok(ran)
    }

    /// Runs a step, and returns what later steps take.
    fn run_step(
        &self,
        at: usize,
        mut import: Import,
        input: &Input,
        output: Option<String>,
        ran: &mut Ran,
    ) -> Result<Option<Import>, StepError> {
        let step = &self.recipe.steps[at].step;
        match step {
            Step::Clean(clean) => {
                let done = clean.run(&mut import, &input.path, &mut ran.notes)?;
                ran.measured_clean(&import, &done);
                let first = done.clips.first().map(|clip| clip.index);
                ran.write(output, &import, first)?;
                Ok(Some(import))
            }
            Step::Measure(measure) => {
                let (index, report) = measure.run(&import, None)?;
                let clip = &import.character.clips[index].name;
                ran.measured.push(Measured::new("measure", clip, &report));
                Ok(Some(import))
            }
            Step::Clip(_) => {
                let Ready::Editing(editing) = &self.ready[at] else {
                    return Ok(None);
                };
                editing.run(&mut import, &mut ran.notes)?;
                ran.write(output, &import, None)?;
                Ok(Some(import))
            }
            // The input is no character.
            Step::Mocap(_) => Ok(None),
            Step::Retarget(_) => {
                let Ready::Receiver(receiver) = &self.ready[at] else {
                    return Ok(None);
                };
                let done = receiver.run(import, &input.path, &mut ran.notes, &mut |_| {})?;
                let first = done.reports.first().map(|(index, _)| *index);
                ran.write(output, &done.import, first)?;
                Ok(Some(done.import))
            }
            Step::Compress(compress) => {
                let done = compress.run(&import, &input.path, &mut ran.notes)?;
                ran.push(output, done.bytes);
                Ok(None)
            }
            Step::Convert(convert) => {
                if let Some(path) = output {
                    let is_bvh = extension(&path) == "bvh";
                    convert.scale(&mut import, is_bvh, &input.path, &mut ran.notes)?;
                    let clip = convert.index(&import)?;
                    let bytes = ran.encoded(&path, &import, convert, clip)?;
                    ran.push(Some(path), bytes);
                }
                Ok(None)
            }
        }
    }
}

fn extension(path: &str) -> String {
    let end = Path::new(path).extension().unwrap_or_default();
    end.to_string_lossy().to_lowercase()
}

impl Ran {
    fn push(&mut self, path: Option<String>, bytes: Vec<u8>) {
        if let Some(path) = path {
            self.outputs.push(Output { path, bytes });
        }
    }

    /// Writes a character with the options that the other verbs have: none. BVH gets the clip.
    fn write(
        &mut self,
        path: Option<String>,
        import: &Import,
        clip: Option<usize>,
    ) -> Result<(), StepError> {
        let Some(path) = path else { return Ok(()) };
        let bytes = self.encoded(&path, import, &Convert::default(), clip)?;
        self.push(Some(path), bytes);
        Ok(())
    }

    fn encoded(
        &mut self,
        path: &str,
        import: &Import,
        options: &Convert,
        clip: Option<usize>,
    ) -> Result<Vec<u8>, StepError> {
        let extension = extension(path);
        if extension == "bvh" {
            let export = options.bvh(import, clip)?;
            self.note_findings(&export.report);
            return Ok(export.text.into_bytes());
        }
        let export = options.gltf(import)?;
        if extension == "vrm" && !export.is_avatar() {
            return Err(ExportError::NoAvatar { path: path.into() }.into());
        }
        self.note_findings(&export.report);
        Ok(match &*extension {
            "gltf" => export.to_gltf()?.into_bytes(),
            _ => export.to_glb()?,
        })
    }

    fn note_findings(&mut self, report: &FileReport) {
        const NOTED: usize = 8;
        let folded = report.folded();
        let findings = folded.iter().take(NOTED).map(ToString::to_string);
        self.notes.extend(findings);
    }

    fn note_problems(&mut self, report: &FileReport, name: &str) {
        let count = |severity| report.count(severity);
        let problems = count(Severity::Repaired) + count(Severity::Ignored);
        if problems > 0 {
            self.notes.push(format!(
                "{name}: repaired or ignored {problems} times; `sinew info {name}` lists where"
            ));
        }
    }

    fn captured(
        &mut self,
        capturer: &Capturer,
        bytes: &[u8],
        input: &Input,
        path: &Path,
    ) -> Result<Import, StepError> {
        let c3d = c3d::import_bytes(bytes)?;
        self.note_problems(&c3d.report, &input.path);
        let name = path.file_stem().map(|stem| stem.to_string_lossy());
        let done = capturer.run(&c3d.trial, name.as_deref(), &mut self.notes, |_| ())?;
        self.notes.push(format!(
            "{}: the markers are {:.1} mm from the body (root mean square)",
            input.path,
            1e3 * done.fit.report.rms_m
        ));
        Ok(done.import)
    }

    fn measured_clean(&mut self, import: &Import, done: &Cleaned) {
        for clip in &done.clips {
            let name = &import.character.clips[clip.index].name;
            let moments = [("clean before", &clip.before), ("clean after", &clip.after)];
            let measured = moments.map(|(step, report)| Measured::new(step, name, report));
            self.measured.extend(measured);
        }
    }
}
