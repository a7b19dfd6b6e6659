use super::computed::computed;
use super::parameters::Parameters;
use crate::report::{FileReport, Severity};
use std::collections::HashSet;

/// Unique names of `count` markers, and the labels of computed points.
pub fn labels(
    parameters: &Parameters<'_>,
    count: usize,
    report: &mut FileReport,
) -> (Vec<String>, Vec<String>) {
    let mut labels = parameters.list("LABELS");
    labels.truncate(count);
    let named = labels.len();
    labels.resize(count, String::new());
    let computed = computed(parameters, &labels);
    let subject = common_subject(&labels);
    let mut taken = HashSet::new();
    let mut changed = 0;
    // Number for the next name that is already taken. It only grows, so no number is tried twice.
    let mut spare = count + 1;
    for (marker, label) in labels.iter_mut().enumerate() {
        if let Some(subject) = subject.as_ref().filter(|s| label.starts_with(*s)) {
            label.drain(..subject.len());
        }
        if label.is_empty() {
            *label = format!("marker {}", marker + 1);
            changed += usize::from(marker < named);
        }
        if !taken.insert(label.clone()) {
            let mut unique = format!("{label} ({})", marker + 1);
            while !taken.insert(unique.clone()) {
                unique = format!("{label} ({spare})");
                spare += 1;
            }
            *label = unique;
            changed += 1;
        }
    }
    if named < count {
        report.add(
            Severity::Repaired,
            "C3D_UNLABELLED",
            "POINT:LABELS",
            format_args!(
                "{} of {count} markers have no label; their numbers were used as names",
                count - named
            ),
        );
    }
    if changed > 0 {
        report.add(
            Severity::Repaired,
            "C3D_LABELS",
            "POINT:LABELS",
            format_args!(
                "{changed} labels were empty or used twice; the marker's number was added"
            ),
        );
    }
    let not_markers = labels.iter().zip(computed).filter(|(_, c)| *c);
    let not_markers = not_markers.map(|(label, _)| label.clone()).collect();
    (labels, not_markers)
}

/// Common prefix of all labels with a colon, including the colon. Unlabelled markers (`*12`) are
/// ignored.
fn common_subject(labels: &[String]) -> Option<String> {
    let mut subjects = labels.iter().filter_map(|label| {
        let colon = label.rfind(':')?;
        Some(&label[..=colon])
    });
    let first = subjects.next()?;
    subjects
        .all(|subject| subject == first)
        .then(|| first.to_owned())
}
