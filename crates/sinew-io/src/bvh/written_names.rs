//! Names for export. They are unique, and every reader accepts them as one word.

use std::collections::{HashMap, HashSet};

use sinew::Skeleton;

use crate::report::{FileReport, Severity};

/// Names for all joints. The joints of `ends` have no name in the file.
pub(super) fn written_names(
    skeleton: &Skeleton,
    ends: &[bool],
    report: &mut FileReport,
) -> Vec<String> {
    let (mut taken, mut numbers) = (HashSet::new(), HashMap::new());
    let mut names = vec![String::new(); skeleton.len()];
    for joint in (0..skeleton.len()).filter(|&joint| !ends[joint]) {
        let name = skeleton.name(joint);
        let separates = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '{' | '}');
        let mut word = match name {
            "" => format!("joint_{joint}"),
            name => name.replace(separates, "_"),
        };
        if taken.contains(&word) {
            let number = numbers.entry(word.clone()).or_insert(1_usize);
            let mut numbered = || {
                *number += 1;
                format!("{word}_{number}")
            };
            let mut unique = numbered();
            while taken.contains(&unique) {
                unique = numbered();
            }
            word = unique;
        }
        if word != name {
            let location = format_args!("joint {joint}");
            let message = format_args!(
                "{name:?} was written as {word:?}, because BVH names have no spaces and must be unique"
            );
            report.add(Severity::Note, "RENAMED", location, message);
        }
        taken.insert(word.clone());
        names[joint] = word;
    }
    if names.iter().any(|name| name.contains([':', '/', '[', ']'])) {
        let message = "some names contain : / [ or ], so the animation mixer of three.js does not find these joints; other programs do";
        report.add(Severity::Note, "NAME_FOR_THREE", "", message);
    }
    names
}
