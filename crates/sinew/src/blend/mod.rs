//! Poses mixed by weight, and differences added on top.
//!
//! A joint's result is the weighted mean of its layers. Weights over 1 together are divided by
//! their sum; what they leave of 1 goes to the rest pose, so a layer that fades out fades to rest and
//! nothing jumps. Rotations are summed as quaternions, each on the side of the sphere on which the joint's rest
//! rotation lies, and the sum is brought to unit length. So no weight changes a sign, and no layer
//! is a reference for another.
//!
//! The order of layers changes no bit: two commute, and more are summed heaviest first, equals in the
//! order of their numbers. Where a sum vanishes, as it does for half turns from rest about three
//! axes 120° apart, the joint takes its rest rotation. Three turns of 0°, 120° and 240° from rest about one axis
//! come to rest as well, because the last two lie on both sides of it. A layer just half a turn from rest
//! could go either way round, and no mean is continuous there: its quaternion's own sign decides.
//!
//! Differences ([`AdditivePose`]) are vectors and add up; their sum turns, moves and scales what
//! the layers came to. [`Inertia`] is two such differences that die down after a switch, [`CrossFade`] a weight
//! that grows.
//!
//! `cargo run --example blend`:
//!
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
mod turn;

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

/// The reason why poses cannot be blended.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BlendError {
    /// A pose of another skeleton.
    #[error("{kind} {index} has {found} joints, the rest pose {wanted}")]
    Joints {
        /// A layer or an addition.
        kind: LayerKind,
        /// Which, in the order that they were given in.
        index: usize,
        /// The number of its joints.
        found: usize,
        /// The number of joints of the rest pose.
        wanted: usize,
    },
    /// A mask of another skeleton.
    #[error("the mask of {kind} {index} has {found} joints, the rest pose {wanted}")]
    MaskJoints {
        /// A layer or an addition.
        kind: LayerKind,
        /// Which, in the order that they were given in.
        index: usize,
        /// The number of joints of its mask.
        found: usize,
        /// The number of joints of the rest pose.
        wanted: usize,
    },
    /// A weight that is none.
    #[error("{weight} is no weight for {kind} {index}")]
    Weight {
        /// A layer or an addition.
        kind: LayerKind,
        /// Which, in the order that they were given in.
        index: usize,
        /// The weight that was given.
        weight: f32,
    },
}

/// The kind of input that an error of a blend is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LayerKind {
    /// One of the poses that are mixed.
    #[error("layer")]
    Layer,
    /// One of the differences that are added.
    #[error("addition")]
    Addition,
}

/// A blend of any number of layers and additions.
///
/// ```
/// use sinew::blend::{BlendJob, Layer, Mask};
/// use sinew::{LocalPose, sample};
/// use sinew_samples::humanoid_character;
/// let person = humanoid_character();
/// let (clip, skeleton) = (&person.clips[0], &person.skeleton);
/// let [mut stride, mut swing, mut out] = [(); 3].map(|_| LocalPose::identity(skeleton.len()));
/// sample(clip, skeleton, 0.0, &mut stride);
/// sample(clip, skeleton, 0.5, &mut swing);
/// let arm = Mask::below(skeleton, skeleton.find("left_upper_arm").unwrap());
/// let others = arm.inverted();
/// let mut layers = [
///     Layer::new(&stride, 1.0).masked(&others),
///     Layer::new(&swing, 1.0).masked(&arm),
/// ];
/// BlendJob::new(skeleton.rest(), &mut layers).run(&mut out)?;
/// # Ok::<(), sinew::blend::BlendError>(())
/// ```
#[derive(Debug)]
pub struct BlendJob<'a, 'p> {
    /// The pose for what the layers' weights leave of 1; it also has the side of the sphere that rotations are taken from.
    pub rest: &'a LocalPose,
    /// Poses that are mixed; sorted in place into the order in which they are summed.
    pub layers: &'a mut [Layer<'p>],
    /// Differences that are added to the mix; sorted likewise.
    pub additions: &'a mut [Addition<'p>],
    /// The instruction set, which changes no bit of the result.
    pub level: Level,
}

impl<'a, 'p> BlendJob<'a, 'p> {
    /// A blend of `layers` with nothing added.
    pub fn new(rest: &'a LocalPose, layers: &'a mut [Layer<'p>]) -> Self {
        Self {
            rest,
            layers,
            additions: &mut [],
            level: Level::best(),
        }
    }

    /// Writes the blend; `out` is left alone when something is refused, and takes memory only when it
    /// has another number of joints than the rest pose.
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

/// Refuses what does not fit a skeleton of `wanted` joints.
fn check<P>(
    kind: LayerKind,
    layers: &[Layer<'_, P>],
    joints: impl Fn(&P) -> usize,
    wanted: usize,
) -> Result<(), BlendError> {
    let least = match kind {
        LayerKind::Layer => 0.0,
        LayerKind::Addition => -MAX_WEIGHT,
    };
    for (index, layer) in layers.iter().enumerate() {
        let (found, weight) = (joints(layer.pose), layer.weight);
        if found != wanted {
            return Err(BlendError::Joints {
                kind,
                index,
                found,
                wanted,
            });
        }
        if let Some(found) = layer.mask.map(Mask::len).filter(|&found| found != wanted) {
            return Err(BlendError::MaskJoints {
                kind,
                index,
                found,
                wanted,
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

/// Puts layers into an order that depends on nothing but what they hold: by weight, then by the bits
/// of their masks and poses, which are looked at only where weights are equal.
fn sort<'a, P>(layers: &mut [Layer<'a, P>], bits: impl for<'b> Fn(&'b P) -> &'b [u32]) {
    // Two commute by themselves.
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
