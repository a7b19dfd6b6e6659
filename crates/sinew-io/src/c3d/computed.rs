//! Points of a C3D file that are no markers: programs that compute joint angles, forces and the like from
//! the markers write them back as points, and list their labels by kind.

use super::parameters::Parameters;
use std::collections::HashSet;

/// The kinds that most programs write; files list those they have in `POINT:TYPE_GROUPS`.
const KINDS: [&str; 6] = [
    "ANGLES",
    "FORCES",
    "MOMENTS",
    "POWERS",
    "SCALARS",
    "MODELED_MARKERS",
];

/// Of a file's own kinds, more are not looked at.
const MAX_KINDS: usize = 32;

/// The ends of the labels of a segment's origin and of the tips of its three axes (`PELO`, `PELA`,
/// `PELL`, `PELP`), which no list of the file names.
const AXES: [char; 4] = ['O', 'A', 'L', 'P'];

/// True for each of the labels, as the file has them, that is of a computed point.
pub fn computed(parameters: &Parameters<'_>, labels: &[String]) -> Vec<bool> {
    // Pairs: what the list is called, and what one of its points is.
    let groups = parameters.texts("POINT", "TYPE_GROUPS");
    let own = groups
        .iter()
        .step_by(2)
        .map(|kind| kind.to_ascii_uppercase());
    // The markers themselves are none of them.
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
