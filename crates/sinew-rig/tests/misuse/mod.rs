//! Wrong lengths, indices and numbers for every public function: a typed error without changes, or
//! the documented result. An index out of range panics as for a slice.

mod bodies;
mod captures;
mod weights;

use glam::Vec3;
use sinew::{Joint, Skeleton, Transform};

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;

const NO_NUMBERS: [f32; 3] = [NAN, INF, -INF];

fn chain(joints: usize) -> Skeleton {
    let joint = |n: usize| {
        let up = Transform::from_translation(Vec3::Y);
        Joint::new(format!("joint {n}"), n.checked_sub(1), up)
    };
    let joints = (0..joints).map(joint).collect();
    Skeleton::new(joints).expect("a chain").0
}
