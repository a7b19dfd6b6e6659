//! Joints found in shared files, compared with their artists' joints and docs/records/joints.md.

use crate::find_truth::{Look, Pose, Score, find, mannequin, shared};
use crate::foreign::foreign;
use std::path::Path;

/// Distances are measured on another machine and rounded to one digit.
const ROUNDED: f32 = 0.15;

/// Rows of the first table of the record whose first cell is a name: body, mean and worst.
fn documented() -> Vec<(String, String, [f32; 2])> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = std::fs::read_to_string(root.join("docs/records/joints.md")).expect("the record");
    let table = docs
        .lines()
        .skip_while(|line| !line.starts_with("| body | found |"));
    let rows = table.skip(2).take_while(|line| line.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let numbers = cells[3]
            .split('/')
            .map(|n| n.trim().parse().unwrap_or(f32::NAN));
        let numbers: Vec<f32> = numbers.collect();
        let worst = numbers.get(1).copied().unwrap_or(f32::NAN);
        (
            cells[1].to_owned(),
            cells[2].to_owned(),
            [numbers[0], worst],
        )
    };
    rows.map(row).collect()
}

#[test]
fn joints_of_shared_bodies_are_as_near_to_artists_as_the_record_says() {
    let Some(folder) = foreign("bodies/artist") else {
        return;
    };
    let mut truths = shared(folder.ancestors().nth(2).expect("the conformance folder"));
    truths.push(mannequin());
    let rows = documented();
    assert_eq!(rows.len(), truths.len());
    for truth in &truths {
        let row = rows.iter().find(|row| row.0 == truth.name);
        let (_, said_body, [said_mean, said_worst]) =
            row.unwrap_or_else(|| panic!("the record has no row of {}", truth.name));
        let case = truth.case(Look::bare(Pose::Rest));
        let found = find(&case.bare.positions, &case.bare.triangles);
        let Ok(found) = found else {
            assert!(said_mean.is_nan(), "{} is refused", truth.name);
            continue;
        };
        assert_eq!(found.body, said_body, "{}", truth.name);
        let score = Score::new(truth, &case, &found);
        let (at, worst) = score.worst();
        println!("{}: {:.2} / {worst:.2} % ({at})", truth.name, score.mean());
        assert!(
            score.mean() <= said_mean + ROUNDED && worst <= said_worst + 2.0 * ROUNDED,
            "{}: {} / {worst} % ({at}), the record says {said_mean} / {said_worst}",
            truth.name,
            score.mean()
        );
    }
}
