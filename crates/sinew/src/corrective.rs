//! Correctives: morph targets whose weight comes from the rotation of a joint.
//!
//! The method is pose-space deformation (Lewis, Cordner and Fong 2000) with one example per
//! corrective. The weight is 1 at the rotation of the example and falls smoothly to 0 at
//! `falloff_rad` from it. Every deformation of a character applies its
//! [`Character::correctives`](crate::Character::correctives).

use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use glam::Quat;
use sinew_math::transform::quat;

/// Morph target, and the joint rotation for which it was made.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "pose driver")]
#[doc(alias = "driven key")]
#[doc(alias = "corrective blend shape")]
pub struct Corrective {
    /// Index of the joint that drives the weight.
    pub joint: usize,
    /// Rotation of the joint relative to rest at which the weight is 1.
    pub rotation: Quat,
    /// Angle from `rotation` at which the weight reaches 0, in radians.
    pub falloff_rad: f32,
    /// Index of the mesh.
    pub mesh: usize,
    /// Index of the morph target. It is the same in every primitive of the mesh.
    pub morph: usize,
}

impl Corrective {
    /// Weight of the corrective in a pose, in [0, 1].
    pub fn weight(&self, skeleton: &Skeleton, pose: &LocalPose) -> f32 {
        let rest = skeleton.rest().get(self.joint).rotation;
        let change = quat::mul(quat::conjugate(rest), pose.get(self.joint).rotation);
        let away = quat::angle_between(change, self.rotation) / self.falloff_rad;
        if self.falloff_rad > 0.0 && away < 1.0 {
            let near = 1.0 - away;
            near * near * (3.0 - 2.0 * near)
        } else {
            0.0
        }
    }
}

/// Adds the weight of each corrective of a mesh to `weights`. Skips missing joints and targets.
///
/// ```
/// use glam::Vec3;
/// use sinew::corrective::{Corrective, apply};
/// use sinew::transform::Axis;
/// let tube = sinew_samples::tube_character();
/// let bent = Corrective { joint: 1, rotation: Axis::Z.rotation(1.0), falloff_rad: 1.0, mesh: 0, morph: 0 };
/// let (mut pose, mut weights) = (tube.skeleton.rest().clone(), [0.0]);
/// apply(&[bent], 0, &tube.skeleton, &pose, &mut weights);
/// assert_eq!(weights, [0.0]);
/// pose.set_rotation(1, Axis::Z.rotation(1.0));
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
