//! Poses in the convention of BVH: no scale, and at rest every joint has the axes of the model.
//!
//! `W` is the rest rotation of a joint in model space, `q` its local rotation, and `S` the scale of
//! its ancestors. The exported rotation is `W_parent · q · W⁻¹`, and the exported position is
//! `W_parent · S_parent · translation`. Joints keep their positions in model space. Without rest
//! rotations, all values stay exact.

use sinew::transform::polar;
use sinew::transform::quat_f64::QuatF64;
use sinew::{LocalPose, Skeleton, Transform};

type Rows = [[f64; 3]; 3];

pub(super) struct Standing<'a> {
    skeleton: &'a Skeleton,
    /// `W` of each joint. `None` for the identity.
    rest_rotations: Vec<Option<QuatF64>>,
    /// `S` of each joint in the current pose. `None` without scale.
    scaled: Vec<Option<Rows>>,
}

#[derive(Clone, Copy)]
pub(super) struct Stand {
    pub(super) position: [f64; 3],
    pub(super) rotation: QuatF64,
}

impl<'a> Standing<'a> {
    pub(super) fn new(skeleton: &'a Skeleton) -> Self {
        let none = skeleton.len();
        let mut standing = Self {
            skeleton,
            rest_rotations: vec![None; none],
            scaled: vec![None; none],
        };
        let rest = skeleton.rest();
        for joint in 0..skeleton.len() {
            let (_, rotation) = standing.on_parent(joint, &rest.get(joint));
            let above = skeleton
                .parent(joint)
                .and_then(|p| standing.rest_rotations[p]);
            let is_rotated = rotation.v != [0.0; 3];
            standing.rest_rotations[joint] = match above {
                Some(above) => Some(above.mul(rotation)),
                None => is_rotated.then_some(rotation),
            };
        }
        standing
    }

    pub(super) fn has_rest_rotations(&self) -> bool {
        self.rest_rotations.iter().any(Option::is_some)
    }

    pub(super) fn stands(&mut self, pose: &LocalPose, stands: &mut Vec<Stand>) {
        stands.clear();
        for joint in 0..self.skeleton.len() {
            let (mut position, mut rotation) = self.on_parent(joint, &pose.get(joint));
            if let Some(above) = self
                .skeleton
                .parent(joint)
                .and_then(|p| self.rest_rotations[p])
            {
                position = above.rotate(position);
                rotation = above.mul(rotation);
            }
            if let Some(own) = self.rest_rotations[joint] {
                rotation = rotation.mul(own.conjugate());
            }
            stands.push(Stand { position, rotation });
        }
    }

    /// Position and rotation relative to the parent. The position includes the scale.
    fn on_parent(&mut self, joint: usize, local: &Transform) -> ([f64; 3], QuatF64) {
        let translation = local.translation.to_array().map(f64::from);
        let scale = local.scale.to_array().map(f64::from);
        let rotation = QuatF64::from_quat(local.rotation).normalized();
        let rotation = rotation.unwrap_or(QuatF64::IDENTITY);
        let above = self.skeleton.parent(joint).and_then(|p| self.scaled[p]);
        let Some(above) = above else {
            let [x, y, z] = scale;
            let rows = [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]];
            self.scaled[joint] = (scale != [1.0; 3]).then_some(rows);
            return (translation, rotation);
        };
        let rotated = product(&above, &rotation.to_rows());
        let linear = rotated.map(|[x, y, z]| [x * scale[0], y * scale[1], z * scale[2]]);
        let split = polar::decompose(linear);
        self.scaled[joint] = Some(split.stretch);
        let rotation = QuatF64::from_quat(split.rotation_quat()).normalized();
        let position = above.map(|row| dot(row, translation));
        (position, rotation.unwrap_or(QuatF64::IDENTITY))
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn product(a: &Rows, b: &Rows) -> Rows {
    let column = |k: usize| [b[0][k], b[1][k], b[2][k]];
    a.map(|row| [0, 1, 2].map(|k| dot(row, column(k))))
}
