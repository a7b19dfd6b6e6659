//! Joints found in bodies made by code, compared with their exact joints.

use crate::find_truth::made::made;
use crate::find_truth::{Pose, Score, Truth, find};

/// Every body in `make soak`, otherwise every fifth.
const STEP: usize = 5;

fn score(truth: &Truth) -> (&'static str, Score) {
    let case = truth.posed(Pose::Rest);
    let found = find(&case.bare.positions, &case.bare.triangles);
    let found = found.unwrap_or_else(|reason| panic!("{}: {reason}", truth.name));
    (found.body, Score::new(truth, &case, &found))
}

#[test]
fn joints_of_made_bodies_are_found() {
    let is_soak = std::env::var_os("SINEW_SOAK").is_some();
    let step = if is_soak { 1 } else { STEP };
    for truth in made().iter().step_by(step) {
        let (body, score) = score(truth);
        let (at, worst) = score.worst();
        println!(
            "{}: {body}, {:.1} / {worst:.1} % ({at}), outside {:?}",
            truth.name,
            score.mean(),
            score.outside
        );
    }
}
