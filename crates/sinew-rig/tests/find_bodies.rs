//! Joints found in bodies made by code, compared with their exact joints and docs/records/joints.md.

use crate::find_truth::made::made;
use crate::find_truth::{Pose, Score, find};
use std::path::Path;

/// Every body in `make soak`, otherwise every fifth.
const STEP: usize = 5;
/// Distances in the record are rounded to one digit.
const ROUNDED: f32 = 0.06;

/// Mean distance that the record states, in the order of [`made`]. `None` for refused bodies.
fn documented() -> Vec<Option<f32>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = std::fs::read_to_string(root.join("docs/records/joints.md")).expect("the record");
    let tables = docs
        .lines()
        .skip_while(|line| !line.starts_with("| made by code"));
    let is_row = |line: &&str| line.starts_with("| ") && !line.starts_with("| made by code");
    let mean = |cell: &str| cell.split('/').next()?.trim().parse().ok();
    let cells = |line: &str| {
        line.split('|')
            .skip(2)
            .take(4)
            .map(mean)
            .collect::<Vec<_>>()
    };
    tables.filter(is_row).flat_map(cells).collect()
}

#[test]
fn joints_of_made_bodies_are_as_near_as_the_record_says() {
    let is_soak = std::env::var_os("SINEW_SOAK").is_some();
    let step = if is_soak { 1 } else { STEP };
    let (truths, means) = (made(), documented());
    assert_eq!(truths.len(), means.len());
    for (truth, said) in truths.iter().zip(means).step_by(step) {
        let Some(said) = said else { continue };
        let case = truth.posed(Pose::Rest);
        let found = find(&case.bare.positions, &case.bare.triangles);
        let found = found.unwrap_or_else(|reason| panic!("{}: {reason}", truth.name));
        let mean = Score::new(truth, &case, &found).mean();
        println!("{}: {mean:.2} %, the record says {said}", truth.name);
        assert!(
            mean <= said + ROUNDED,
            "{}: {mean} %, said {said}",
            truth.name
        );
    }
}
