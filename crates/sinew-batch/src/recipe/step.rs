//! A step of a recipe.

use super::template::Template;
use crate::steps::Step;

/// A step of a recipe.
#[derive(Clone, Debug)]
pub struct RecipeStep {
    /// Line in the recipe, from 1.
    pub line: usize,
    /// What the step takes.
    pub from: Source,
    /// Name of the file that the step writes.
    pub output: Option<Template>,
    /// The verb and its options.
    pub step: Step,
}

/// What a step takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The input.
    Input,
    /// The result of an earlier step, by index.
    Step(usize),
}
