//! Runs a command on several inputs, such as `*.glb`. Fails at the end if it failed for one of them.

use crate::usage::{message, wrong};
use crate::{files, outputs};
use anyhow::{Result, anyhow};
use serde::Serialize;
use serde_json::json;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const NAME: &str = "{name}";

/// Format of the report that a command prints for each input.
#[derive(Clone, Copy, PartialEq)]
pub enum Report {
    Nothing,
    /// Text. With several inputs, each report has the name of its file above it.
    Text,
    /// JSON. With several inputs, a list of reports in the order of the inputs.
    Json,
}

impl Report {
    pub fn new(json: bool, text: bool) -> Self {
        match (json, text) {
            (true, _) => Self::Json,
            (false, true) => Self::Text,
            (false, false) => Self::Nothing,
        }
    }
}

/// Runs a command for each input.
pub fn each(inputs: &[PathBuf], report: Report, run: impl Fn(&Path) -> Result<()>) -> Result<()> {
    let json = report == Report::Json;
    if let [one] = inputs {
        return run(one);
    }
    let standard = inputs.iter().filter(|input| files::is_standard(input));
    if standard.count() > 1 {
        return Err(wrong("standard input can be read only once"));
    }
    let mut failed = 0;
    for (nth, input) in inputs.iter().enumerate() {
        let name = files::name(input);
        if json {
            outputs::print(if nth == 0 { "[\n" } else { ",\n" })?;
        } else if report == Report::Text {
            outputs::print(&format!("{}:\n", files::one_line(&name)))?;
        }
        let Err(error) = run(input) else { continue };
        // A usage error applies to all inputs, and a closed pipe ends the output.
        if error.is::<clap::Error>() || outputs::is_output_closed(&error) {
            return Err(error);
        }
        failed += 1;
        let text = message(&error);
        files::print_message(&text);
        if json && !was_printed(&error) {
            let object = json!({"file": name, "error": text});
            outputs::print(&format!("{object:#}\n"))?;
        }
    }
    if json {
        outputs::print("]\n")?;
    }
    match failed {
        0 => Ok(()),
        failed => Err(anyhow!("{failed} of {} files failed", inputs.len())),
    }
}

/// Report of a file as JSON, with the name of the file as first member.
pub fn json(input: &Path, report: &impl Serialize) -> Result<String> {
    #[derive(Serialize)]
    struct OfFile<'a, T> {
        file: String,
        #[serde(flatten)]
        report: &'a T,
    }
    let file = files::name(input);
    Ok(serde_json::to_string_pretty(&OfFile { file, report })? + "\n")
}

/// A failure whose report was already printed.
#[derive(Debug)]
pub struct Printed(pub String);

impl std::fmt::Display for Printed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Printed {}

fn was_printed(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Printed>().is_some()
}

/// Output for one input: replaces {name} with the name of the input.
pub fn output(output: &Path, input: &Path) -> PathBuf {
    PathBuf::from(named(&output.to_string_lossy(), input))
}

/// Replaces {name} in a text with the name of the input, without folder and extension.
pub fn named(text: &str, input: &Path) -> String {
    let stem = input.file_stem().unwrap_or_default().to_string_lossy();
    let stem = match files::is_standard(input) {
        true => "stdin",
        false => stem.strip_prefix(files::FIGURE).unwrap_or(&stem),
    };
    text.replace(NAME, stem)
}

/// Refuses one output for several inputs, and inputs whose outputs would have the same name.
pub fn check_outputs(output: &str, inputs: &[PathBuf]) -> Result<()> {
    if inputs.len() < 2 {
        return Ok(());
    }
    if !output.contains(NAME) {
        return Err(wrong(&format!(
            "with several inputs, the output name must contain {NAME}, which stands for the name of each input, like out/{NAME}.{}",
            files::extension(Path::new(output))
        )));
    }
    let mut taken: HashMap<String, &PathBuf> = HashMap::new();
    for input in inputs {
        let name = named(output, input);
        if let Some(other) = taken.insert(name.clone(), input) {
            let (other, input) = (other.display(), input.display());
            return Err(wrong(&format!(
                "{other} and {input} would both be written to {name}"
            )));
        }
    }
    Ok(())
}
