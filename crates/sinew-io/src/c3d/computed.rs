//! Computed points of a C3D file, such as joint angles and forces. Programs list them by kind.

use super::parameters::Parameters;
use std::collections::HashSet;

/// Kinds that most programs write. `POINT:TYPE_GROUPS` lists the kinds of a file.
const KINDS: [&str; 6] = [
    "ANGLES",
    "FORCES",
    "MOMENTS",
    "POWERS",
    "SCALARS",
    "MODELED_MARKERS",
];

const MAX_KINDS: usize = 32;

/// Label suffixes of the origin and axis tips of a segment (`PELO`, `PELA`, …). No list has them.
const AXES: [char; 4] = ['O', 'A', 'L', 'P'];

/// Returns true for each label that names a computed point.
pub fn computed(parameters: &Parameters<'_>, labels: &[String]) -> Vec<bool> {
    // Each pair is the name of a list and a description of its points.
    let groups = parameters.texts("POINT", "TYPE_GROUPS");
    let own = groups
        .iter()
        .step_by(2)
        .map(|kind| kind.to_ascii_uppercase());
    let own = own
        .filter(|kind| !kind.starts_with("LABELS"))
        .take(MAX_KINDS);
    let kinds: HashSet<String> = own.chain(KINDS.map(str::to_owned)).collect();
    let listed: HashSet<String> = kinds
        .iter()
        .flat_map(|kind| parameters.list(kind))
        .collect();
    let all: HashSet<&str> = labels.iter().map(String::as_str).collect();
    let is_axis = |label: &str| {
        let Some(stem) = label.strip_suffix(AXES).filter(|stem| !stem.is_empty()) else {
            return false;
        };
        AXES.iter()
            .all(|end| all.contains(format!("{stem}{end}").as_str()))
    };
    let without_subject = |label: &str| label.rsplit(':').next().unwrap_or_default().to_owned();
    let is_listed = |label: &str| {
        !label.is_empty() && (listed.contains(label) || listed.contains(&without_subject(label)))
    };
    let is_computed = |label: &String| is_listed(label) || is_axis(label);
    labels.iter().map(is_computed).collect()
}
