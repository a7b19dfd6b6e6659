//! Reads inputs (`-` is standard input), finds clips and joints by name, and prints messages.

use crate::progress::{aside, waiting};
use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use sinew::names::did_you_mean;
use sinew::{Character, Skeleton};
use sinew_batch::steps::retarget::mannequin;
use sinew_io::{FileReport, Finding, Format, Import, ImportError, Severity, gltf};
use sinew_samples::Figure;
use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

pub use sinew_batch::clips::{find_clip, free_name, listed, times_outside};
pub use sinew_batch::notation::{rate, seconds};

/// Extensions of character files.
pub const CHARACTERS: [&str; 3] = ["glb", "gltf", "vrm"];

/// Prints a line on standard error. Ignores failures.
pub fn print_message(text: &str) {
    aside(|| {
        let _ = writeln!(io::stderr(), "sinew: {}", one_line(text));
    });
}

/// Escapes control characters of a text for a line of a report. They could control the terminal or fake more lines.
pub fn one_line(text: &str) -> Cow<'_, str> {
    escaped(text, is_command)
}

/// Escapes control characters of a whole output except line breaks and tabs. JSON keeps its meaning.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_command(c) && c != '\n' && c != '\t')
}

/// True for control characters, and for characters that reverse text or break lines.
pub fn is_command(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' if is_escaped(c) => plain.push_str("\\n"),
            c if is_escaped(c) => plain.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

/// Joins names as `a, b, c`, with control characters escaped.
pub fn names<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<_> = names.iter().map(|name| one_line(name.as_ref())).collect();
    names.join(", ")
}

/// Reads a character. Prints the number of repairs on standard error.
pub fn load(path: &Path) -> Result<Import> {
    let import = load_quietly(path)?;
    let count = |severity| import.report.count(severity) as usize;
    let problems = count(Severity::Repaired) + count(Severity::Ignored);
    if problems > 0 {
        let ignored = import.report.of(Severity::Ignored);
        let mut findings = ignored.chain(import.report.of(Severity::Repaired));
        let first = findings
            .next()
            .map_or("", |finding| finding.message.as_str());
        let (lists, which) = match problems {
            1 => ("tells where", ""),
            _ => ("lists them", "the first: "),
        };
        let (problems, name) = (counted(problems, "problem"), name(path));
        print_message(&format!(
            "{problems} of {name} repaired or ignored: {which}{first}; `sinew info {}` {lists}",
            path.display()
        ));
    }
    let notes = import.report.of(Severity::Note);
    let damaged = notes.filter(|note| note.code == "IMAGE_DATA_INVALID");
    let damaged = damaged.count();
    if damaged > 0 {
        let (pictures, name) = (counted(damaged, "damaged picture"), name(path));
        print_message(&format!(
            "{pictures} of {name} kept unchanged; other programs may not show them"
        ));
    }
    Ok(import)
}

/// Start of a path that names a figure made by code, such as `figure:car`. `--figure car` is such a path.
pub const FIGURE: &str = "figure:";

/// Figure that a path names, unless there is a file of this name.
pub fn figure(path: &Path) -> Option<Figure> {
    let named = path.to_str()?.strip_prefix(FIGURE).and_then(Figure::named);
    named.filter(|_| !path.exists())
}

/// A figure made by code, as if it came from a glTF file.
pub fn made(figure: Figure) -> Import {
    Import {
        character: match figure {
            Figure::Mannequin => mannequin().character,
            other => other.make(),
        },
        report: FileReport::default(),
        source: None,
        exporter: None,
        format: Some(Format::Gltf),
        avatar: None,
    }
}

/// Reads a character without messages.
pub fn load_quietly(path: &Path) -> Result<Import> {
    if let Some(figure) = figure(path) {
        return Ok(made(figure));
    }
    let _reading = waiting(format!("reading {}", one_line(&name(path))));
    let import = if is_standard(path) {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut bytes);
        read.context("cannot read standard input")?;
        sinew_io::import_bytes(&bytes)
    } else {
        sinew_io::import(path)
    };
    import.map_err(|error| match error {
        // This error already names the file.
        ImportError::Io { .. } => error.into(),
        ImportError::Gltf(gltf::GltfError::Json {
            line: 1,
            column: 0 | 1,
            ..
        }) => {
            anyhow!("{}: this is not a glTF or GLB file ({error})", name(path))
        }
        ImportError::Gltf(gltf::GltfError::Json { .. }) => {
            anyhow!(
                "{}: {error}; correct it, or export the file again",
                name(path)
            )
        }
        _ => anyhow!(error).context(name(path)),
    })
}

/// Skinning method of a character, and who chose it.
pub fn method(character: &Character) -> String {
    let why = method_reason(character.stated_method.is_some());
    format!("{}, {why}", character.method().name())
}

/// Reason for the method of a character, for reports.
pub fn method_reason(is_stated: bool) -> &'static str {
    if is_stated {
        "as the file states"
    } else {
        "because the file states no method"
    }
}

/// Name of a file in messages.
pub fn name(path: &Path) -> String {
    if is_standard(path) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// A number and its noun, such as `3 joints`.
pub fn counted(count: usize, what: &str) -> String {
    let plural = match what {
        "vertex" => "vertices".to_owned(),
        "mesh" => "meshes".to_owned(),
        "degree of freedom" => "degrees of freedom".to_owned(),
        _ => format!("{what}s"),
    };
    format!("{count} {}", if count == 1 { what } else { &plural })
}

/// Prints findings about data that a file could not store unchanged.
pub fn print_findings(report: &FileReport) {
    const SHOWN: usize = 8;
    let folded = report.folded();
    for finding in folded.iter().take(SHOWN) {
        print_message(&finding.to_string());
    }
    let hidden = folded
        .iter()
        .skip(SHOWN)
        .map(|finding| finding.count)
        .sum::<usize>();
    let more = hidden + report.omitted() as usize;
    if more > 0 {
        print_message(&format!("and {more} more"));
    }
}

/// A finding, for JSON.
#[derive(Serialize)]
pub struct FindingInfo {
    severity: String,
    pointer: String,
    /// Byte offset in the file, for findings about the container.
    byte: Option<u64>,
    code: &'static str,
    message: String,
}

/// Findings of a report, for JSON.
pub fn findings(report: &FileReport) -> Vec<FindingInfo> {
    let info = |finding: &Finding| FindingInfo {
        severity: finding.severity.to_string(),
        pointer: finding.pointer.clone(),
        byte: finding.offset,
        code: finding.code,
        message: finding.message.clone(),
    };
    report.findings.iter().map(info).collect()
}

/// True if a path means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Extension in lower case.
pub fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}

/// Parses an output path, which is `-` or ends in one of `extensions`.
pub fn output(text: &str, extensions: &[&str]) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if is_standard(&path) || extensions.contains(&extension(&path).as_str()) {
        return Ok(path);
    }
    let endings: Vec<_> = extensions.iter().map(|e| format!(".{e}")).collect();
    Err(format!("the name must end in {}", listed(&endings, "or")))
}

/// Finds a joint by name. The error suggests similar names.
pub fn find_joint(skeleton: &Skeleton, wanted: &str) -> Result<usize> {
    skeleton.find(wanted).ok_or_else(|| {
        let names = (0..skeleton.len()).map(|joint| skeleton.name(joint));
        no_joint(wanted, "", names)
    })
}

/// Error for a missing joint, with similar names from `names`. `what` follows the name in the message.
pub fn no_joint<'a>(
    wanted: &str,
    what: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> anyhow::Error {
    const FEW: usize = 8;
    let names: Vec<&str> = names.into_iter().collect();
    let near = did_you_mean(wanted, names.iter().copied());
    if near.is_empty() && (1..=FEW).contains(&names.len()) {
        let names: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let names = listed(&names, "and");
        return anyhow!(
            "there is no joint \"{wanted}\"{what}; available: {names} (`sinew info --joints`)"
        );
    }
    anyhow!("there is no joint \"{wanted}\"{what}{near}; `sinew info --joints` lists them")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_command_a_terminal() {
        assert_eq!(printable("left arm\n\tü"), "left arm\n\tü");
        assert_eq!(
            printable("\u{1b}[2Jx\u{9b}31m\r\u{7}"),
            "\\u001b[2Jx\\u009b31m\\u000d\\u0007"
        );
        assert_eq!(printable("a\u{202e}b"), "a\\u202eb");
        assert_eq!(one_line("a\nb\tc\u{2028}"), "a\\nb\\u0009c\\u2028");
    }
}
