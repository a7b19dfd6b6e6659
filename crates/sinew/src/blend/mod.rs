//! Blending of poses by weight, and addition of differences.
//!
//! The result for a joint is the weighted mean of its layers. Weights that sum to more than 1 are
//! divided by their sum. If weights sum to less than 1, the rest pose gets the remainder, so a
//! layer fades out without a jump. Quaternions are brought to the hemisphere of the rest rotation,
//! summed and normalized, so weights never change a sign. The order of layers has no effect.
//!
//! If the sum is zero, the joint gets its rest rotation. At exactly 180° from rest, no mean is
//! continuous, and the sign of the quaternion decides.
//!
//! The sum of all differences ([`AdditivePose`]) is applied to the mean of the layers. [`Inertia`]
//! is a pair of differences that decay after a transition. [`CrossFade`] is a weight that grows.
//!
//! `cargo run --example blend`:
#![doc = "```"]
#![doc = include_str!("../../examples/blend.rs")]
#![doc = "```"]
//!
//! `cargo run --example partial_blend`:
//!
#![doc = "```"]
#![doc = include_str!("../../examples/partial_blend.rs")]
#![doc = "```"]
//!
//! `cargo run --example additive`:
//!
#![doc = "```"]
#![doc = include_str!("../../examples/additive.rs")]
#![doc = "```"]

mod additive;
mod difference;
mod fade;
mod inertia;
mod kernel;
mod layer;
mod mask;
mod rotations;

pub use additive::AdditivePose;
pub use fade::{CrossFade, Ease};
pub use inertia::Inertia;
pub use layer::{Addition, Layer, MAX_WEIGHT};
pub use mask::{Mask, MaskError};

use crate::pose::LocalPose;
use bytemuck::cast_slice;
use sinew_math::dispatch;
use sinew_math::simd::Level;
use thiserror::Error;

/// Error of a blend.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BlendError {
    /// Pose with another number of joints than the rest pose.
    #[error("{kind} {index} has {found} joints, but the rest pose has {expected}")]
    Joints {
        /// Kind of the invalid input.
        kind: LayerKind,
        /// Index among inputs of this kind, in the given order.
        index: usize,
        /// Number of joints of the pose.
        found: usize,
        /// Number of joints of the rest pose.
        expected: usize,
    },
    /// Mask with another number of joints than the rest pose.
    #[error("the mask of {kind} {index} has {found} joints, but the rest pose has {expected}")]
    MaskJoints {
        /// Kind of the invalid input.
        kind: LayerKind,
        /// Index among inputs of this kind, in the given order.
        index: usize,
        /// Number of joints of the mask.
        found: usize,
        /// Number of joints of the rest pose.
        expected: usize,
    },
    /// Weight out of range or NaN.
    #[error(
        "the weight of {kind} {index} is {weight}; weights are from 0 to 1e6, and for additions from -1e6"
    )]
    Weight {
        /// Kind of the invalid input.
        kind: LayerKind,
        /// Index among inputs of this kind, in the given order.
        index: usize,
        /// Weight that was given.
        weight: f32,
    },
}

/// Kind of input that a [`BlendError`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LayerKind {
    /// Pose that is blended.
    #[error("layer")]
    Layer,
    /// Difference that is added.
    #[error("addition")]
    Addition,
}

/// Blend of any number of layers and additions.
///
/// ```
/// use sinew::blend::{BlendJob, Layer, Mask};
/// use sinew::{LocalPose, sample};
/// use sinew_samples::humanoid_character;
/// let person = humanoid_character();
/// let (clip, skeleton) = (&person.clips[0], &person.skeleton);
/// let [mut stride, mut swing, mut out] = [(); 3].map(|_| LocalPose::identity(skeleton.len()));
/// sample(clip, skeleton, 0.0, &mut stride)?;
/// sample(clip, skeleton, 0.5, &mut swing)?;
/// let arm = Mask::below(skeleton, skeleton.find("left_upper_arm").unwrap());
/// let others = arm.inverted();
/// let mut layers = [
///     Layer::new(&stride, 1.0).masked(&others),
///     Layer::new(&swing, 1.0).masked(&arm),
/// ];
/// BlendJob::new(skeleton.rest(), &mut layers).run(&mut out)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BlendJob<'a, 'p> {
    /// Pose that gets the remaining weight up to 1. Its rotations define the hemispheres.
    pub rest: &'a LocalPose,
    /// Poses to blend. [`BlendJob::run`] sorts them.
    pub layers: &'a mut [Layer<'p>],
    /// Differences to add. [`BlendJob::run`] sorts them.
    pub additions: &'a mut [Addition<'p>],
    /// Instruction set. The result is the same for every set.
    pub level: Level,
}

impl<'a, 'p> BlendJob<'a, 'p> {
    /// Blend of `layers` without additions, with the best instruction set.
    pub fn new(rest: &'a LocalPose, layers: &'a mut [Layer<'p>]) -> Self {
        Self {
            rest,
            layers,
            additions: &mut [],
            level: Level::best(),
        }
    }

    /// Writes the blend to `out`. On an error, `out` is unchanged. Allocates only if the number of
    /// joints of `out` changes.
    pub fn run(self, out: &mut LocalPose) -> Result<(), BlendError> {
        let joints = self.rest.len();
        check(LayerKind::Layer, self.layers, LocalPose::len, joints)?;
        check(
            LayerKind::Addition,
            self.additions,
            AdditivePose::len,
            joints,
        )?;
        sort(self.layers, |pose| cast_slice(pose.blocks()));
        sort(self.additions, |pose| cast_slice(pose.blocks()));
        out.resize(joints);
        let at_rest = [Layer::new(self.rest, 1.0)];
        let layers = if self.layers.is_empty() {
            &at_rest
        } else {
            &*self.layers
        };
        let (rest, additions) = (self.rest.blocks(), &*self.additions);
        let blocks = out.blocks_mut();
        dispatch!(self.level, simd => {
            kernel::blend(simd, rest, layers, additions, blocks);
            kernel::clear_padding(simd, joints, blocks);
        });
        Ok(())
    }
}

fn check<P>(
    kind: LayerKind,
    layers: &[Layer<'_, P>],
    joints: impl Fn(&P) -> usize,
    expected: usize,
) -> Result<(), BlendError> {
    let least = match kind {
        LayerKind::Layer => 0.0,
        LayerKind::Addition => -MAX_WEIGHT,
    };
    for (index, layer) in layers.iter().enumerate() {
        let (found, weight) = (joints(layer.pose), layer.weight);
        if found != expected {
            return Err(BlendError::Joints {
                kind,
                index,
                found,
                expected,
            });
        }
        if let Some(found) = layer.mask.map(Mask::len).filter(|&found| found != expected) {
            return Err(BlendError::MaskJoints {
                kind,
                index,
                found,
                expected,
            });
        }
        if !(least..=MAX_WEIGHT).contains(&weight) {
            return Err(BlendError::Weight {
                kind,
                index,
                weight,
            });
        }
    }
    Ok(())
}

/// Sorts layers by weight, and layers of equal weight by the bits of masks and poses.
fn sort<'a, P>(layers: &mut [Layer<'a, P>], bits: impl for<'b> Fn(&'b P) -> &'b [u32]) {
    // Two layers need no sorting, because addition commutes.
    if layers.len() > 2 {
        layers.sort_unstable_by(|a, b| {
            let mask = |layer: &Layer<'a, P>| layer.mask.map(|m| cast_slice(m.blocks()));
            let by_weight = b.weight.total_cmp(&a.weight);
            let by_mask = || Option::<&[u32]>::cmp(&mask(a), &mask(b));
            let by_pose = || bits(a.pose).cmp(bits(b.pose));
            by_weight.then_with(by_mask).then_with(by_pose)
        });
    }
}
