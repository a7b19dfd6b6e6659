//! Recipes: which files, which steps, which outputs.

mod document;
mod error;
mod glob;
mod order;
mod step;
mod template;

pub use error::{RecipeError, RecipeFault};
pub use glob::Glob;
pub use step::{RecipeStep, Source};
pub use template::{Input, Template};

use crate::hash::ContentHash;
use std::path::{Path, PathBuf};

/// A parsed recipe. Its steps are in an order in which each comes after the one that it takes from.
///
/// ```
/// use sinew_batch::Recipe;
/// let recipe = Recipe::parse(
///     r#"
/// inputs = "takes/**/*.bvh"
///
/// [[step]]
/// verb = "clean"
/// output = "clean/{folder}/{name}.bvh"
/// "#,
/// )?;
/// let input = recipe.input("takes/monday/walk.bvh").expect("it matches");
/// assert_eq!(recipe.outputs(&input), ["clean/monday/walk.bvh"]);
/// assert_eq!(recipe.input("notes.txt"), None);
/// # Ok::<(), sinew_batch::RecipeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Patterns of input files, relative to the folder of the recipe.
    pub inputs: Vec<Glob>,
    /// Name of the table of measures, relative to the folder of the recipe.
    pub summary: Option<String>,
    /// The steps.
    pub steps: Vec<RecipeStep>,
}

impl Recipe {
    /// Parses a recipe from TOML. `docs/batch.md` describes the format.
    ///
    /// # Errors
    /// [`RecipeError`] names the line and the way out.
    pub fn parse(text: &str) -> Result<Self, RecipeError> {
        let document = document::parse(text)?;
        Ok(Self {
            inputs: document.inputs,
            summary: document.summary,
            steps: order::ordered(document.steps)?,
        })
    }

    /// The input at a path, if a pattern matches it.
    pub fn input(&self, path: &str) -> Option<Input> {
        Input::of(path, &self.inputs)
    }

    /// All input files, in order. Paths are relative to `folder`, the folder of the recipe.
    ///
    /// # Errors
    /// [`RecipeFault::NoInput`] if there is none, [`RecipeFault::Listing`] if a folder cannot be read.
    pub fn list(&self, folder: &Path) -> Result<Vec<Input>, RecipeError> {
        let mut paths = Vec::new();
        for pattern in &self.inputs {
            let files = pattern.files(folder);
            paths.extend(files.map_err(|e| RecipeFault::Listing(e.to_string()).anywhere())?);
        }
        self.choose(paths)
    }

    /// The inputs among paths of files, in order and each once.
    ///
    /// # Errors
    /// [`RecipeFault::NoInput`] if there is none.
    pub fn choose(&self, mut paths: Vec<String>) -> Result<Vec<Input>, RecipeError> {
        paths.retain(|path| self.input(path).is_some());
        paths.sort_unstable();
        paths.dedup();
        if paths.is_empty() {
            let patterns: Vec<_> = self.inputs.iter().map(|p| format!("\"{p}\"")).collect();
            let patterns = crate::clips::listed(&patterns, "or");
            return Err(RecipeFault::NoInput(patterns).anywhere());
        }
        Ok(paths.iter().filter_map(|path| self.input(path)).collect())
    }

    /// Files that the steps name, relative to the folder of the recipe.
    pub fn files(&self) -> Vec<PathBuf> {
        self.steps
            .iter()
            .flat_map(|step| step.step.files())
            .collect()
    }

    /// Names of the outputs of an input, in the order of the steps.
    pub fn outputs(&self, input: &Input) -> Vec<String> {
        let templates = self.steps.iter().filter_map(|step| step.output.as_ref());
        templates.map(|template| template.of(input)).collect()
    }

    /// Checks the names of all outputs.
    ///
    /// # Errors
    /// [`RecipeFault::SameOutput`] for two outputs of one name, [`RecipeFault::OutputIsInput`] for an output that the next
    /// run would take as an input.
    pub fn check_outputs(&self, inputs: &[Input]) -> Result<(), RecipeError> {
        // Hashes of names take less memory than names.
        let mut names: Vec<(ContentHash, usize)> = Vec::new();
        for (nth, input) in inputs.iter().enumerate() {
            for output in self.outputs(input) {
                if self.input(&output).is_some() {
                    return Err(RecipeFault::OutputIsInput(output).anywhere());
                }
                names.push((ContentHash::of(output.as_bytes()), nth));
            }
        }
        names.sort_unstable();
        let same = names.windows(2).find(|pair| pair[0].0 == pair[1].0);
        let Some(&[(hash, first), (_, second)]) = same else {
            return Ok(());
        };
        let outputs = self.outputs(&inputs[first]).into_iter();
        let mut outputs = outputs.filter(|o| ContentHash::of(o.as_bytes()) == hash);
        let fault = RecipeFault::SameOutput {
            first: inputs[first].path.clone(),
            second: inputs[second].path.clone(),
            output: outputs.next().unwrap_or_default(),
        };
        Err(fault.anywhere())
    }
}
