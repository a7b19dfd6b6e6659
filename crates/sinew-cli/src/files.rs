//! Reads inputs (`-` is standard input), finds clips and joints by name, and prints messages.

use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;
use sinew::names::did_you_mean;
use sinew::{Character, Clip, Skeleton};
use sinew_io::{FileReport, Finding, Import, ImportError, Severity, gltf};
use sinew_samples::mannequin::Mannequin;
use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Extensions of character files.
pub const CHARACTERS: [&str; 3] = ["glb", "gltf", "vrm"];

/// Prints a line on standard error. Ignores failures.
pub fn print_message(text: &str) {
    let _ = writeln!(io::stderr(), "sinew: {}", one_line(text));
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

/// Reads a character without messages.
pub fn load_quietly(path: &Path) -> Result<Import> {
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

/// The built-in mannequin. It is computed only once.
pub fn mannequin() -> Character {
    static MADE: OnceLock<Character> = OnceLock::new();
    MADE.get_or_init(|| Mannequin::default().build()).clone()
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

/// Finds a clip by name or index. The error lists all clips.
pub fn find_clip(character: &Character, wanted: &str) -> Result<usize> {
    if let Some(clip) = character.find_clip(wanted) {
        return Ok(clip);
    }
    if character.clips.is_empty() {
        bail!("there is no clip \"{wanted}\": the file has no clips");
    }
    let clips = character.clips.iter().enumerate();
    let names: Vec<_> = clips
        .map(|(index, clip)| format!("\"{}\" ({index})", clip.name))
        .collect();
    let names = listed(&names, "and");
    let near = did_you_mean(
        wanted,
        character.clips.iter().map(|clip| clip.name.as_str()),
    );
    bail!("there is no clip \"{wanted}\"; available: {names}{near}")
}

/// Name for a new clip. Adds a number if one of `clips` already has `name`.
pub fn free_name(name: &str, clips: &[Clip]) -> String {
    let is_taken = |name: &String| clips.iter().any(|clip| clip.name == *name);
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_default()
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

/// Joins items as in `a, b and c`.
pub fn listed(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., last] => format!("{} {word} {last}", some.join(", ")),
    }
}

/// Parses a time in seconds.
pub fn seconds(text: &str) -> std::result::Result<f64, String> {
    let time = text.trim().parse().ok().filter(|t: &f64| t.is_finite());
    time.ok_or_else(|| "a time is a number of seconds, like 0.5".to_owned())
}

/// Parses frames per second.
pub fn rate(text: &str) -> Result<f64, String> {
    let rate = text
        .parse()
        .ok()
        .filter(|f: &f64| (0.01..=1000.0).contains(f));
    rate.ok_or_else(|| "a rate is a number from 0.01 to 1000, like 30".to_owned())
}

/// A note for each time outside a clip, where its first or last pose is used.
pub fn times_outside(clip: &Clip, times: &[f64]) -> Vec<String> {
    let end = clip.duration_secs;
    let line = |time: &f64| {
        let held = match time {
            _ if *time < 0.0 => "first",
            _ if *time > f64::from(end) => "last",
            _ => return None,
        };
        Some(format!(
            "clip \"{}\" lasts from 0 to {end} s; at {time} s its {held} pose is used",
            clip.name
        ))
    };
    times.iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_numbers_within_reason() {
        assert_eq!(rate("29.97"), Ok(29.97));
        for wrong in ["", "0", "-1", "nan", "1e9", "two"] {
            assert!(rate(wrong).is_err(), "{wrong}");
        }
    }

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
