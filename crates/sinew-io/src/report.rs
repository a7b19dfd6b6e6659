//! What an importer found, repaired and left out: the half of an import that is not the character.

use std::fmt::{self, Display, Write as _};

/// How many findings of one severity a report stores; the rest are only counted.
const STORED_PER_SEVERITY: usize = 1000;

/// Longest stored pointer or message in bytes. A hostile file can carry a megabyte in one name.
const LONGEST_TEXT: usize = 1024;

/// What became of the thing a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file cannot be given a meaning; an import with such a finding is refused.
    Error,
    /// The file is wrong, but what it meant is clear enough, and that was imported.
    Repaired,
    /// This part of the file was left out.
    Ignored,
    /// Nothing was changed; someone may want to know.
    Note,
}

impl Severity {
    /// Every severity, the worst first.
    pub const ALL: [Severity; 4] = [
        Severity::Error,
        Severity::Repaired,
        Severity::Ignored,
        Severity::Note,
    ];
}

impl Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Repaired => "repaired",
            Severity::Ignored => "ignored",
            Severity::Note => "note",
        })
    }
}

/// One thing that is wrong with, or odd about, a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What became of it.
    pub severity: Severity,
    /// Where in the document: a JSON pointer such as `/accessors/0/byteOffset`, or `line 12` of a text; empty for the
    /// whole file.
    pub pointer: String,
    /// Where in the file, in bytes, for problems of a binary container.
    pub offset: Option<u64>,
    /// A name to look up; for glTF the name that the Khronos validator gives the problem, where it has one.
    pub code: &'static str,
    /// What is wrong, for a person.
    pub message: String,
}

impl Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            Some(offset) => write!(f, "byte {offset}: {} ({})", self.message, self.code),
            None if self.pointer.is_empty() => write!(f, "{} ({})", self.message, self.code),
            None => write!(f, "{}: {} ({})", self.pointer, self.message, self.code),
        }
    }
}

/// The findings of one import, in the order they were made.
///
/// Its size is bounded whatever the file: at most a thousand findings of each severity are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The findings that were stored.
    pub findings: Vec<Finding>,
    counts: [u64; 4],
}

impl Report {
    /// How many findings of `severity` were made, stored or not.
    pub fn count(&self, severity: Severity) -> u64 {
        self.counts[severity as usize]
    }

    /// How many findings were made but not stored.
    pub fn omitted(&self) -> u64 {
        self.counts.iter().sum::<u64>() - self.findings.len() as u64
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// The stored findings of one severity.
    pub fn of(&self, severity: Severity) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(move |finding| finding.severity == severity)
    }

    /// Adds a finding about a place in the document.
    ///
    /// `pointer` and `message` are written only when the finding is stored, so callers may pass `format_args!`.
    pub fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        pointer: impl Display,
        message: impl Display,
    ) {
        self.store(severity, code, pointer, None, message);
    }

    /// Adds a finding about a byte of the file.
    pub fn add_at_byte(
        &mut self,
        severity: Severity,
        code: &'static str,
        offset: u64,
        message: impl Display,
    ) {
        self.store(severity, code, "", Some(offset), message);
    }

    /// Adds every finding of `other`.
    pub fn append(&mut self, other: Report) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.findings.extend(other.findings);
    }

    fn store(
        &mut self,
        severity: Severity,
        code: &'static str,
        pointer: impl Display,
        offset: Option<u64>,
        message: impl Display,
    ) {
        let count = &mut self.counts[severity as usize];
        *count += 1;
        if *count > STORED_PER_SEVERITY as u64 {
            return;
        }
        self.findings.push(Finding {
            severity,
            pointer: bounded_text(pointer),
            offset,
            code,
            message: bounded_text(message),
        });
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(f, "{}: {finding}", finding.severity)?;
        }
        match self.omitted() {
            0 => Ok(()),
            omitted => writeln!(f, "and {omitted} more"),
        }
    }
}

fn bounded_text(text: impl Display) -> String {
    struct Bounded(String);
    impl fmt::Write for Bounded {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let room = LONGEST_TEXT.saturating_sub(self.0.len());
            match text.get(..text.floor_char_boundary(room)) {
                Some(part) if part.len() < text.len() => {
                    self.0.push_str(part);
                    self.0.push('…');
                    Err(fmt::Error)
                }
                _ => {
                    self.0.push_str(text);
                    Ok(())
                }
            }
        }
    }
    let mut bounded = Bounded(String::new());
    // The only error is ours: it stops the writing when the text is long enough.
    let _ = write!(bounded, "{text}");
    bounded.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_findings_is_counted_but_not_stored() {
        let mut report = Report::default();
        for index in 0..5000 {
            report.add(Severity::Note, "N", format_args!("/nodes/{index}"), "odd");
        }
        report.add(Severity::Error, "E", "", "broken");
        assert_eq!(report.findings.len(), STORED_PER_SEVERITY + 1);
        assert_eq!(report.count(Severity::Note), 5000);
        assert_eq!(report.omitted(), 4000);
        assert!(report.to_string().ends_with("and 4000 more\n"));
    }

    #[test]
    fn a_long_pointer_is_cut_at_a_character() {
        let mut report = Report::default();
        report.add(Severity::Note, "N", "é".repeat(4000), "odd");
        assert!(report.findings[0].pointer.len() <= LONGEST_TEXT + '…'.len_utf8());
    }
}
