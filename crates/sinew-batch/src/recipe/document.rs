//! Recipes from TOML.

use super::error::{RecipeError, RecipeFault};
use super::glob::Glob;
use super::template::Template;
use crate::clips::listed;
use crate::steps::{Step, VERBS};
use sinew::names::did_you_mean;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

/// Keys of a recipe.
const KEYS: [&str; 3] = ["inputs", "summary", "step"];

/// A recipe as written, before steps are put in order.
pub(super) struct Document {
    pub inputs: Vec<Glob>,
    pub summary: Option<String>,
    pub steps: Vec<Written>,
}

/// A step as written.
pub(super) struct Written {
    pub line: usize,
    pub name: Option<String>,
    /// Name of the step that it takes from. Default: the step before.
    pub from: Option<String>,
    pub output: Option<Template>,
    pub step: Step,
}

/// Text of a recipe, for the lines of errors.
#[derive(Clone, Copy)]
struct Text<'a>(&'a str);

impl Text<'_> {
    fn line(self, span: &Range<usize>) -> usize {
        let before = self.0.as_bytes().get(..span.start).unwrap_or_default();
        1 + before.iter().filter(|byte| **byte == b'\n').count()
    }

    fn error(self, span: &Range<usize>, fault: RecipeFault) -> RecipeError {
        let line = Some(self.line(span));
        RecipeError { line, fault }
    }

    fn toml(self, error: &toml::de::Error) -> RecipeError {
        RecipeError {
            line: error.span().map(|span| self.line(&span)),
            fault: RecipeFault::Text(error.message().replace('\n', "; ")),
        }
    }
}

/// Parses a recipe.
pub(super) fn parse(text: &str) -> Result<Document, RecipeError> {
    let said = Text(text);
    let root = DeTable::parse(text).map_err(|error| said.toml(&error))?;
    let mut root = root.into_inner();
    let inputs = take_texts(said, &mut root, "inputs")?;
    let inputs =
        inputs.ok_or_else(|| missing("inputs", "a pattern of files, or a list of them"))?;
    let summary = take_text(said, &mut root, "summary")?;
    let steps = match root.remove("step") {
        Some(steps) => read_steps(said, steps)?,
        None => Vec::new(),
    };
    if let Some((key, _)) = root.iter().next() {
        let near = did_you_mean(key.get_ref(), KEYS);
        let key_text = key.get_ref().to_string();
        let fault = RecipeFault::UnknownKey {
            key: key_text,
            near,
        };
        return Err(said.error(&key.span(), fault));
    }
    if steps.is_empty() {
        return Err(RecipeFault::NoSteps.anywhere());
    }
    Ok(Document {
        inputs: inputs.iter().map(|text| Glob::new(text)).collect(),
        summary,
        steps,
    })
}

fn missing(key: &'static str, wanted: &'static str) -> RecipeError {
    RecipeFault::Value { key, wanted }.anywhere()
}

fn take_text(
    said: Text<'_>,
    table: &mut DeTable<'_>,
    key: &'static str,
) -> Result<Option<String>, RecipeError> {
    match table.remove(key) {
        None => Ok(None),
        Some(value) => match value.get_ref().as_str() {
            Some(text) => Ok(Some(text.to_owned())),
            None => {
                let wanted = "a text in quotes";
                Err(said.error(&value.span(), RecipeFault::Value { key, wanted }))
            }
        },
    }
}

fn take_texts(
    said: Text<'_>,
    table: &mut DeTable<'_>,
    key: &'static str,
) -> Result<Option<Vec<String>>, RecipeError> {
    let Some(value) = table.remove(key) else {
        return Ok(None);
    };
    let texts = match value.get_ref() {
        DeValue::String(text) => Some(vec![text.to_string()]),
        DeValue::Array(list) => {
            let text = |value: &Spanned<DeValue<'_>>| value.get_ref().as_str().map(str::to_owned);
            list.iter().map(text).collect()
        }
        _ => None,
    };
    match texts {
        Some(texts) if !texts.is_empty() => Ok(Some(texts)),
        _ => {
            let wanted = "a pattern of files, or a list of them";
            Err(said.error(&value.span(), RecipeFault::Value { key, wanted }))
        }
    }
}

fn read_steps(said: Text<'_>, steps: Spanned<DeValue<'_>>) -> Result<Vec<Written>, RecipeError> {
    let span = steps.span();
    let wrong = || {
        let (key, wanted) = ("step", "written as [[step]]");
        said.error(&span, RecipeFault::Value { key, wanted })
    };
    let DeValue::Array(list) = steps.into_inner() else {
        return Err(wrong());
    };
    let table = |value: Spanned<DeValue<'_>>| {
        let span = value.span();
        match value.into_inner() {
            DeValue::Table(table) => read_step(said, span, table),
            _ => Err(wrong()),
        }
    };
    list.into_iter().map(table).collect()
}

fn read_step(
    said: Text<'_>,
    span: Range<usize>,
    mut table: DeTable<'_>,
) -> Result<Written, RecipeError> {
    let verb = take_text(said, &mut table, "verb")?.ok_or_else(|| {
        let (key, wanted) = ("verb", "the name of a step, like \"clean\"");
        said.error(&span, RecipeFault::Value { key, wanted })
    })?;
    let name = take_text(said, &mut table, "name")?;
    let from = take_text(said, &mut table, "from")?;
    let output = take_text(said, &mut table, "output")?;
    let options = Deserializer::from(Spanned::new(span.clone(), table));
    let step = Step::read(&verb, options).ok_or_else(|| {
        let fault = RecipeFault::UnknownStep {
            verbs: listed(&VERBS.map(str::to_owned), "or"),
            near: did_you_mean(&verb, VERBS),
            verb: verb.clone(),
        };
        said.error(&span, fault)
    })?;
    let step = step.map_err(|error| said.toml(&error))?;
    let output =
        output.map(|output| template(output, &step).map_err(|fault| said.error(&span, fault)));
    let output = output.transpose()?;
    let extension = output.as_ref().map(Template::extension);
    step.check(extension.as_deref()).map_err(|text| {
        let verb = step.verb();
        let text = text.to_owned();
        said.error(&span, RecipeFault::Options { verb, text })
    })?;
    Ok(Written {
        line: said.line(&span),
        name,
        from,
        output,
        step,
    })
}

fn template(output: String, step: &Step) -> Result<Template, RecipeFault> {
    let template = match Template::new(&output) {
        Ok(template) => template,
        Err(word) => return Err(RecipeFault::Template { output, word }),
    };
    if step.extensions().contains(&&*template.extension()) {
        return Ok(template);
    }
    let verb = step.verb();
    if step.extensions().is_empty() {
        let text = "it has no output; its measures are in the summary".to_owned();
        return Err(RecipeFault::Options { verb, text });
    }
    let endings: Vec<_> = step.extensions().iter().map(|e| format!(".{e}")).collect();
    let endings = listed(&endings, "or");
    Err(RecipeFault::Extension {
        verb,
        output,
        endings,
    })
}
