//! Errors of recipes.

use thiserror::Error;

/// A recipe cannot be used: the fault, its line and the way out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{fault}", line.map_or(String::new(), |line| format!("line {line}: ")))]
pub struct RecipeError {
    /// Line in the recipe, from 1.
    pub line: Option<usize>,
    /// The fault.
    pub fault: RecipeFault,
}

/// Fault of a recipe.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecipeFault {
    /// The text is not TOML, or a value has the wrong type.
    #[error("{0}")]
    Text(String),
    /// A key has a value of the wrong type, or is missing.
    #[error("`{key}` must be {wanted}")]
    Value {
        /// The key.
        key: &'static str,
        /// Expected value.
        wanted: &'static str,
    },
    /// The recipe has a key that no recipe has.
    #[error("there is no `{key}` in a recipe; use inputs, summary and [[step]]{near}")]
    UnknownKey {
        /// The key.
        key: String,
        /// Similar keys.
        near: String,
    },
    /// The recipe has no step.
    #[error("there is no step; add [[step]] with a verb, like verb = \"clean\"")]
    NoSteps,
    /// The step does not exist.
    #[error("there is no step \"{verb}\"; use {verbs}{near}")]
    UnknownStep {
        /// Verb of the step.
        verb: String,
        /// All verbs.
        verbs: String,
        /// Similar verbs.
        near: String,
    },
    /// Options exclude each other, or do not suit the output.
    #[error("step `{verb}`: {text}")]
    Options {
        /// Verb of the step.
        verb: &'static str,
        /// The fault and the way out.
        text: String,
    },
    /// Two steps have the same name.
    #[error("two steps are named \"{0}\"; rename one of them")]
    SameName(String),
    /// `from` names no step.
    #[error(
        "there is no step named \"{wanted}\" to take from; add `name = \"{wanted}\"` to a step{near}"
    )]
    NoSource {
        /// Name of the missing step.
        wanted: String,
        /// Similar names.
        near: String,
    },
    /// Steps take from each other in a circle.
    #[error(
        "these steps take from each other in a circle: {0}; let one of them take from = \"input\""
    )]
    Cycle(String),
    /// A step takes from a step that only writes a file.
    #[error(
        "step `{verb}` takes from `{end}`, whose result is only a file; let it take from another step, or from = \"input\""
    )]
    AfterEnd {
        /// Verb of the step.
        verb: &'static str,
        /// Verb of the step that it takes from.
        end: &'static str,
    },
    /// A step does nothing that anyone sees.
    #[error("step `{0}` has no output, and no other step takes from it; add `output`")]
    NoOutput(&'static str),
    /// The name of an output has a word in braces that is not known.
    #[error("\"{output}\": there is no {{{word}}}; use {{name}} and {{folder}}")]
    Template {
        /// Name of the output.
        output: String,
        /// The word.
        word: String,
    },
    /// The step cannot write a file with this extension.
    #[error("step `{verb}` cannot write \"{output}\"; the name must end in {endings}")]
    Extension {
        /// Verb of the step.
        verb: &'static str,
        /// Name of the output.
        output: String,
        /// Extensions that it can write.
        endings: String,
    },
    /// A file that a step names cannot be read.
    #[error("step `{verb}`: {text}")]
    File {
        /// Verb of the step.
        verb: &'static str,
        /// Name of the file and the fault.
        text: String,
    },
    /// No file matches the inputs.
    #[error("there is no file that matches {0}; patterns are relative to the folder of the recipe")]
    NoInput(String),
    /// A folder of inputs cannot be read.
    #[error("the inputs cannot be listed: {0}")]
    Listing(String),
    /// Two outputs have the same name.
    #[error(
        "{first} and {second} would both be written to {output}; use {{name}} and {{folder}}, and a folder per step"
    )]
    SameOutput {
        /// First input.
        first: String,
        /// Second input, perhaps the same as the first.
        second: String,
        /// Name of the output.
        output: String,
    },
    /// An output would be an input of the next run.
    #[error(
        "the output {0} is an input, too, so the next run would take it; write to another folder"
    )]
    OutputIsInput(String),
    /// A folder of outputs cannot be written.
    #[error("cannot write to {folder}: {text}")]
    Folder {
        /// Name of the folder.
        folder: String,
        /// Reason.
        text: String,
    },
}

impl RecipeFault {
    /// An error without a line.
    pub(crate) fn anywhere(self) -> RecipeError {
        RecipeError {
            line: None,
            fault: self,
        }
    }
}
