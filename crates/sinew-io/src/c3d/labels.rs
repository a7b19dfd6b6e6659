//! What the markers of a C3D file are called.

use super::parameters::Parameters;
use crate::report::{Report, Severity};
use std::collections::HashSet;

/// A name for each of `count` markers, no two the same.
pub fn labels(parameters: &Parameters<'_>, count: usize, report: &mut Report) -> Vec<String> {
    // Lists of over 255 go on in LABELS2 and so on.
    let mut labels = parameters.texts("POINT", "LABELS");
    for part in 2.. {
        let more = parameters.texts("POINT", &format!("LABELS{part}"));
        if more.is_empty() || labels.len() >= count {
            break;
        }
        labels.extend(more);
    }
    labels.truncate(count);
    let named = labels.len();
    labels.resize(count, String::new());
    let subject = common_subject(&labels);
    let mut taken = HashSet::new();
    let mut changed = 0;
    for (marker, label) in labels.iter_mut().enumerate() {
        if let Some(subject) = &subject {
            label.drain(..subject.len());
        }
        if label.is_empty() {
            *label = format!("marker {}", marker + 1);
            changed += usize::from(marker < named);
        }
        if !taken.insert(label.clone()) {
            *label = format!("{label} ({})", marker + 1);
            changed += 1;
            taken.insert(label.clone());
        }
    }
    if named < count {
        report.add(
            Severity::Repaired,
            "C3D_UNLABELLED",
            "POINT:LABELS",
            format_args!(
                "{} of {count} markers had no label and were numbered",
                count - named
            ),
        );
    }
    if changed > 0 {
        report.add(
            Severity::Repaired,
            "C3D_LABELS",
            "POINT:LABELS",
            format_args!("{changed} labels were empty or there twice, and got the marker's number"),
        );
    }
    labels
}

/// What all labels begin with, up to and with a colon. Unlabelled markers (`*12`) keep it for nobody.
fn common_subject(labels: &[String]) -> Option<String> {
    let mut subjects = labels.iter().map(|label| {
        let colon = label.rfind(':')?;
        Some(&label[..=colon])
    });
    let first = subjects.next()??;
    subjects
        .all(|subject| subject == Some(first))
        .then(|| first.to_owned())
}
