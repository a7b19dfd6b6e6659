//! Correctives: a joint's rotation drives a morph target, so that a shape made for a pose is there
//! in that pose and gone elsewhere.
//!
//! In the manner of pose-space deformation (Lewis, Cordner and Fong 2000), with one example a
//! corrective: full weight at the example's rotation, none at `falloff_rad` from it or further, and
//! smooth in between. A character's own ([`Character::correctives`]) are in its files and drive its morph targets
//! wherever it is deformed.
//!
//! [`Character::correctives`]: crate::Character::correctives

use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use glam::Quat;
use sinew_math::transform::quat;

/// One shape and the pose that it was made for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corrective {
    /// The joint that drives it.
    pub joint: usize,
    /// The joint's rotation from rest at which the shape was made.
    pub rotation: Quat,
    /// How far from it, as an angle, the shape has gone.
    pub falloff_rad: f32,
    /// Index of the mesh whose morph target it drives.
    pub mesh: usize,
    /// The morph target, in every primitive of that mesh.
    pub morph: usize,
}

impl Corrective {
    /// The weight in a pose: 0 to 1.
    pub fn weight(&self, skeleton: &Skeleton, pose: &LocalPose) -> f32 {
        let rest = skeleton.rest().get(self.joint).rotation;
        let turn = quat::mul(quat::conjugate(rest), pose.get(self.joint).rotation);
        let away = quat::angle_between(turn, self.rotation) / self.falloff_rad;
        // Written so that a falloff of nothing or less, or one that is not a number, gives no weight.
        if self.falloff_rad > 0.0 && away < 1.0 {
            let near = 1.0 - away;
            near * near * (3.0 - 2.0 * near)
        } else {
            0.0
        }
    }
}

/// Adds the weight of every corrective of a mesh to that of its morph target. Correctives of joints or targets
/// that do not exist are passed over.
///
/// ```
/// use glam::Vec3;
/// use sinew::corrective::{Corrective, apply};
/// use sinew::transform::Axis;
/// let tube = sinew_samples::tube_character();
/// let bent = Corrective { joint: 1, rotation: Axis::Z.turn(1.0), falloff_rad: 1.0, mesh: 0, morph: 0 };
/// let (mut pose, mut weights) = (tube.skeleton.rest().clone(), [0.0]);
/// apply(&[bent], 0, &tube.skeleton, &pose, &mut weights);
/// assert_eq!(weights, [0.0]);
/// pose.set_rotation(1, Axis::Z.turn(1.0));
/// apply(&[bent], 0, &tube.skeleton, &pose, &mut weights);
/// assert_eq!(weights, [1.0]);
/// ```
pub fn apply(
    correctives: &[Corrective],
    mesh: usize,
    skeleton: &Skeleton,
    pose: &LocalPose,
    weights: &mut [f32],
) {
    let joints = skeleton.len().min(pose.len());
    let own = correctives.iter();
    for corrective in own.filter(|c| c.mesh == mesh && c.joint < joints) {
        if let Some(weight) = weights.get_mut(corrective.morph) {
            *weight += corrective.weight(skeleton, pose);
        }
    }
}
