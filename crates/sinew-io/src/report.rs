//! Findings of an import: errors, repairs and omissions.

use std::collections::HashMap;
use std::fmt::{self, Display, Write as _};

/// Max number of stored findings of one severity. Further findings are only counted.
const STORED_PER_SEVERITY: usize = 1000;

/// Max length of a stored pointer or message, in bytes. Names in hostile files may be huge.
const LONGEST_TEXT: usize = 1024;

/// The effect of a finding on the import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file has no clear meaning. The import fails.
    Error,
    /// The file has a fault, but its meaning is clear. The import uses that meaning.
    Repaired,
    /// A part of the file was left out.
    Ignored,
    /// Information only. The import changes nothing.
    Note,
}

impl Severity {
    /// Every severity, worst first.
    pub const ALL: [Self; 4] = [Self::Error, Self::Repaired, Self::Ignored, Self::Note];
}

impl Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Repaired => "repaired",
            Self::Ignored => "ignored",
            Self::Note => "note",
        })
    }
}

/// A fault or an oddity of a file.
#[doc(alias = "warning")]
#[doc(alias = "diagnostic")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The effect on the import.
    pub severity: Severity,
    /// The location: a JSON pointer such as `/accessors/0/byteOffset`, or `line 12` of a text file.
    /// Empty for the whole file.
    pub pointer: String,
    /// The byte offset of a fault in a binary container.
    pub offset: Option<u64>,
    /// A stable name to search for. For glTF, the code of the Khronos validator if it exists.
    pub code: &'static str,
    /// A description of the fault for people.
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

/// The findings of one import, in order. Stores at most 1000 per severity and counts the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileReport {
    /// The stored findings.
    pub findings: Vec<Finding>,
    counts: [u64; 4],
}

impl FileReport {
    /// Number of findings of `severity`, stored or not.
    pub fn count(&self, severity: Severity) -> u64 {
        self.counts[severity as usize]
    }

    /// Number of findings that were counted but not stored.
    pub fn omitted(&self) -> u64 {
        self.counts.iter().sum::<u64>() - self.findings.len() as u64
    }

    /// True if nothing was found.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// The stored findings of one severity.
    pub fn of(&self, severity: Severity) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(move |finding| finding.severity == severity)
    }

    /// Adds a finding about a part of the document. `pointer` and `message` are formatted only if
    /// the finding is stored, so callers may pass `format_args!`.
    pub fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        pointer: impl Display,
        message: impl Display,
    ) {
        self.store(severity, code, pointer, None, message);
    }

    /// Adds a finding about a byte offset of the file.
    pub fn add_at_byte(
        &mut self,
        severity: Severity,
        code: &'static str,
        offset: u64,
        message: impl Display,
    ) {
        self.store(severity, code, "", Some(offset), message);
    }

    /// Adds the findings and counts of `other`.
    pub fn append(&mut self, other: Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.findings.extend(other.findings);
    }

    /// Changes stored errors that `is_spare` accepts to [`Severity::Ignored`].
    pub(crate) fn soften(&mut self, is_spare: impl Fn(&Finding) -> bool) {
        let errors = self
            .findings
            .iter_mut()
            .filter(|finding| finding.severity == Severity::Error);
        for finding in errors.filter(|finding| is_spare(finding)) {
            finding.severity = Severity::Ignored;
            self.counts[Severity::Error as usize] -= 1;
            self.counts[Severity::Ignored as usize] += 1;
        }
    }

    /// Merges findings with the same message for display, in the order of their first occurrence.
    pub fn folded(&self) -> Vec<Folded<'_>> {
        let mut folded: Vec<Folded<'_>> = Vec::new();
        let mut index_of = HashMap::new();
        for finding in &self.findings {
            let same = (finding.severity, finding.code, finding.message.as_str());
            let index = *index_of.entry(same).or_insert(folded.len());
            match folded.get_mut(index) {
                Some(known) => known.count += 1,
                None => folded.push(Folded { finding, count: 1 }),
            }
        }
        folded
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

/// A finding and the number of times that it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folded<'a> {
    /// The first of the merged findings.
    pub finding: &'a Finding,
    /// Number of merged findings, including the first.
    pub count: usize,
}

impl Display for Folded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.finding)?;
        match self.count {
            1 => Ok(()),
            2 => f.write_str(", and at 1 other location"),
            count => write!(f, ", and at {} other locations", count - 1),
        }
    }
}

impl Display for FileReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for folded in self.folded() {
            writeln!(f, "{}: {folded}", folded.finding.severity)?;
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
            let free = LONGEST_TEXT.saturating_sub(self.0.len());
            match text.get(..text.floor_char_boundary(free)) {
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
    let _ = write!(bounded, "{text}");
    bounded.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_findings_is_counted_but_not_stored() {
        let mut report = FileReport::default();
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
    fn findings_that_say_the_same_are_shown_as_one() {
        let mut report = FileReport::default();
        for index in 0..1251 {
            report.add(Severity::Note, "N", format_args!("/nodes/{index}"), "odd");
            if index == 7 {
                report.add(Severity::Ignored, "N", "/nodes/7", "odd");
            }
        }
        report.add(Severity::Note, "N", "/nodes/0", "odder");
        let shown = report.to_string();
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(
            lines,
            [
                "note: /nodes/0: odd (N), and at 999 other locations",
                "ignored: /nodes/7: odd (N)",
                "and 252 more",
            ]
        );
        assert_eq!(report.findings.len(), 1001);
    }

    #[test]
    fn errors_about_spare_parts_are_softened() {
        let mut report = FileReport::default();
        report.add(Severity::Error, "E", "/accessors/1", "broken");
        report.add(Severity::Error, "E", "/accessors/2", "broken");
        report.soften(|finding| finding.pointer == "/accessors/1");
        assert_eq!(report.count(Severity::Error), 1);
        assert_eq!(report.count(Severity::Ignored), 1);
        assert_eq!(report.findings[0].severity, Severity::Ignored);
    }

    #[test]
    fn a_long_pointer_is_cut_at_a_character() {
        let mut report = FileReport::default();
        report.add(Severity::Note, "N", "é".repeat(4000), "odd");
        assert!(report.findings[0].pointer.len() <= LONGEST_TEXT + '…'.len_utf8());
    }
}
