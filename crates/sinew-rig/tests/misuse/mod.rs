//! Every public function that takes lengths, indices or numbers, called with wrong ones: a typed error that changes
//! nothing, or the harmless answer that its documentation promises. An index past the end panics as one of a slice
//! does.

mod bodies;
mod captures;
mod weights;

use glam::Vec3;
use sinew::{Joint, Skeleton, Transform};

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;

/// Numbers that no length, weight or time is.
const NO_NUMBERS: [f32; 3] = [NAN, INF, -INF];

fn chain(joints: usize) -> Skeleton {
    let joint = |n: usize| {
        let up = Transform::from_translation(Vec3::Y);
        Joint::new(format!("joint {n}"), n.checked_sub(1), up)
    };
    let joints = (0..joints).map(joint).collect();
    Skeleton::new(joints).expect("a chain").0
}
