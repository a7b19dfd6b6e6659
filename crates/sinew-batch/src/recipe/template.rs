//! Names of outputs, made from the names of inputs.

use super::glob::Glob;

/// An input of a recipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Path as the recipe sees it, with `/` between names.
    pub path: String,
    /// Folder below the part of the pattern without wildcards. Empty if there is none.
    pub folder: String,
}

impl Input {
    /// The input at a path, if a pattern matches it.
    pub fn of(path: &str, patterns: &[Glob]) -> Option<Self> {
        let rest = patterns.iter().find_map(|pattern| pattern.matched(path))?;
        let folder = rest.rsplit_once('/').map_or("", |(folder, _)| folder);
        Some(Self {
            path: path.to_owned(),
            folder: folder.to_owned(),
        })
    }

    /// Name of the file without folder and extension.
    pub fn name(&self) -> &str {
        let file = self.path.rsplit('/').next().unwrap_or_default();
        match file.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => file,
        }
    }
}

/// Name of an output, in which `{name}` stands for the name of the input and `{folder}` for its folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(String);

impl Template {
    /// Parses a template.
    ///
    /// # Errors
    /// The word in braces that is not known.
    pub fn new(text: &str) -> Result<Self, String> {
        let text = text.trim_start_matches("./");
        let known = text.replace("{name}", "").replace("{folder}", "");
        match known.split_once('{') {
            Some((_, rest)) => Err(rest.split('}').next().unwrap_or_default().to_owned()),
            None => Ok(Self(text.to_owned())),
        }
    }

    /// Name of the output of an input.
    pub fn of(&self, input: &Input) -> String {
        let folder = match &*input.folder {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        let text = self.0.replace("{folder}/", &folder);
        let text = text.replace("{folder}", &input.folder);
        text.replace("{name}", input.name())
    }

    /// Extension in lower case.
    pub fn extension(&self) -> String {
        let name = self.0.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.')
            .map_or(String::new(), |(_, end)| end.to_lowercase())
    }
}
