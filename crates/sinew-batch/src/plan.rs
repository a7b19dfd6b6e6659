//! A recipe with the files that it names, and its steps on one input in memory.

use crate::error::StepError;
use crate::hash::ContentHash;
use crate::recipe::{Input, Recipe, RecipeError, RecipeFault, Source};
use crate::steps::Step;
use crate::steps::clean::Cleaned;
use crate::steps::convert::Convert;
use crate::steps::retarget::{Receiver, mannequin, read_map};
use serde::{Deserialize, Serialize};
use sinew_io::gltf::ExportError;
use sinew_io::{Import, Severity, import_at};
use sinew_rig::motion::MotionReport;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A recipe that is ready to run: what all inputs share is prepared once. Any thread may run it.
#[derive(Debug)]
pub struct Plan {
    recipe: Recipe,
    /// For each step, the character that receives motions.
    receivers: Vec<Option<Receiver>>,
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
        let mut receivers = Vec::new();
        for step in &recipe.steps {
            let written = format!("{:?} {:?} {:?}\n", step.from, step.output, step.step);
            hash = hash.and(written.as_bytes());
            let receiver = match &step.step {
                Step::Retarget(retarget) => {
                    let onto = read_onto(&retarget.onto, &read, &mut hash);
                    let map = retarget.map.as_ref().map(|path| {
                        let (bytes, _) = read(path)?;
                        hash = hash.and(&bytes);
                        read_map(&bytes, &path.display().to_string()).map_err(|e| e.to_string())
                    });
                    match onto.and_then(|onto| Ok((onto, map.transpose()?))) {
                        Ok((onto, map)) => Some(retarget.receiver(onto, map)),
                        Err(text) => {
                            let verb = step.step.verb();
                            return Err(RecipeError {
                                line: Some(step.line),
                                fault: RecipeFault::File { verb, text },
                            });
                        }
                    }
                }
                _ => None,
            };
            receivers.push(receiver);
        }
        Ok(Self {
            recipe,
            receivers,
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
        let import = import_at(bytes, Some(path))?;
        let mut ran = Ran::default();
        ran.note_problems(&import, &input.path);
        let steps = &self.recipe.steps;
        let mut results: Vec<Option<Import>> = vec![None; steps.len()];
        let mut source = Some(import);
        for (at, step) in steps.iter().enumerate() {
            let is_taken = |step: usize, from| steps[step].from == from;
            let is_last = (at + 1..steps.len()).all(|later| !is_taken(later, step.from));
            let from = match step.from {
                Source::Input => &mut source,
                Source::Step(from) => &mut results[from],
            };
            let taken = if is_last { from.take() } else { from.clone() };
            // Steps come after those that they take from.
            let Some(import) = taken else { continue };
            let output = step.output.as_ref().map(|template| template.of(input));
            results[at] = self.run_step(at, import, input, output, &mut ran)?;
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
            Step::Retarget(_) => {
                let Some(receiver) = &self.receivers[at] else {
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

fn read_onto(
    path: &Path,
    read: &impl Fn(&Path) -> Result<(Vec<u8>, PathBuf), String>,
    hash: &mut ContentHash,
) -> Result<Import, String> {
    match read(path) {
        Ok((bytes, there)) => {
            *hash = hash.and(&bytes);
            let import = import_at(&bytes, Some(&there));
            import.map_err(|error| format!("{}: {error}", path.display()))
        }
        Err(_) if path.as_os_str() == "mannequin" => Ok(mannequin()),
        Err(text) => Err(text),
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

    fn note_findings(&mut self, report: &sinew_io::FileReport) {
        const NOTED: usize = 8;
        let folded = report.folded();
        let findings = folded.iter().take(NOTED).map(ToString::to_string);
        self.notes.extend(findings);
    }

    fn note_problems(&mut self, import: &Import, name: &str) {
        let count = |severity| import.report.count(severity);
        let problems = count(Severity::Repaired) + count(Severity::Ignored);
        if problems > 0 {
            self.notes.push(format!(
                "{name}: repaired or ignored {problems} times; `sinew info {name}` lists where"
            ));
        }
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
