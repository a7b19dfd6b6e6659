//! Many characters of one skeleton, sixteen side by side.
//!
//! Sampling and blending differ from character to character; the way from local to model space does
//! not. So a crowd is posed in groups: each character's pose is made as usual, put into one lane of the
//! group, and the group goes through forward kinematics at once, while it is in the cache.

use crate::pose::LocalPose;
use crate::pose::lanes::{self, LocalLanes, ModelLanes};
use crate::simd::{LANES, Level, Row};
use crate::skeleton::Skeleton;
use crate::transform::Affine;
use fearless_simd::dispatch;
use thiserror::Error;

/// Why a crowd cannot be posed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CrowdError {
    /// The output is not a whole number of characters.
    #[error("{maps} maps are not a whole number of characters of {joints} joints")]
    Ragged {
        /// Maps in the output.
        maps: usize,
        /// Joints of the skeleton.
        joints: usize,
    },
    /// The closure changed the number of joints.
    #[error("the pose of character {character} has {has} joints, the skeleton {joints}")]
    OtherPose {
        /// Which character.
        character: usize,
        /// Joints of its pose.
        has: usize,
        /// Joints of the skeleton.
        joints: usize,
    },
}

/// Poses characters of one skeleton, sixteen at a time; holds the working memory for that.
///
/// ```
/// use glam::{Quat, Vec3};
/// use sinew::{Affine, Crowd, Joint, Skeleton, Transform};
/// let up = Transform::from_translation(Vec3::Y);
/// let (skeleton, _) = Skeleton::new(vec![
///     Joint::new("hip", None, up),
///     Joint::new("head", Some(0), up),
/// ])?;
/// let mut crowd = Crowd::new(&skeleton);
/// let mut maps = vec![Affine::IDENTITY; 100 * skeleton.len()];
/// crowd.pose(&mut maps, |character, pose| {
///     pose.set_translation(0, Vec3::X * character as f32);
/// })?;
/// assert_eq!(maps[99 * 2 + 1].translation(), Vec3::new(99.0, 1.0, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Crowd<'a> {
    skeleton: &'a Skeleton,
    level: Level,
    poses: [LocalPose; 4],
    locals: Vec<LocalLanes>,
    models: Vec<ModelLanes>,
}

impl<'a> Crowd<'a> {
    /// For characters of `skeleton`.
    pub fn new(skeleton: &'a Skeleton) -> Self {
        Self::at(Level::best(), skeleton)
    }

    /// On an instruction set of one's choice; all give the same bits.
    pub fn at(level: Level, skeleton: &'a Skeleton) -> Self {
        let mut rest = [Row::default(); 10];
        rest[6] = Row([1.0; LANES]);
        Self {
            skeleton,
            level,
            poses: std::array::from_fn(|_| skeleton.rest().clone()),
            locals: vec![rest; skeleton.len()],
            models: vec![[Row::default(); 12]; skeleton.len()],
        }
    }

    /// Fills `model_from_joint`, one character after the other, with as many characters as it has room
    /// for. `pose_of` is given each in turn with a pose to overwrite, which holds the rest pose.
    /// Allocates nothing. The bits are those of [`ModelPose::update`](crate::ModelPose::update).
    pub fn pose(
        &mut self,
        model_from_joint: &mut [Affine],
        mut pose_of: impl FnMut(usize, &mut LocalPose),
    ) -> Result<(), CrowdError> {
        let joints = self.skeleton.len();
        if joints == 0 || !model_from_joint.len().is_multiple_of(joints) {
            let maps = model_from_joint.len();
            return match maps {
                0 => Ok(()),
                _ => Err(CrowdError::Ragged { maps, joints }),
            };
        }
        let level = self.level.0;
        for (group, out) in model_from_joint.chunks_mut(LANES * joints).enumerate() {
            let present = out.len() / joints;
            for first in (0..present).step_by(4) {
                for i in first..present.min(first + 4) {
                    let character = group * LANES + i;
                    let pose = &mut self.poses[i - first];
                    pose.copy_from(self.skeleton.rest());
                    pose_of(character, pose);
                    let has = pose.len();
                    if has != joints {
                        return Err(CrowdError::OtherPose {
                            character,
                            has,
                            joints,
                        });
                    }
                }
                let (poses, locals) = (&self.poses, self.locals.as_mut_slice());
                dispatch!(level, simd => lanes::write_four(simd, poses, first, locals));
            }
            let (hierarchy, locals) = (self.skeleton.hierarchy(), self.locals.as_slice());
            let models = self.models.as_mut_slice();
            dispatch!(level, simd => {
                lanes::forward(simd, hierarchy, locals, &Affine::IDENTITY, models)
            });
            let models = self.models.as_slice();
            for (quarter, out) in out.chunks_mut(4 * joints).enumerate() {
                let lane = 4 * quarter;
                if out.len() == 4 * joints {
                    let (ab, cd) = out.split_at_mut(2 * joints);
                    let ((a, b), (c, d)) = (ab.split_at_mut(joints), cd.split_at_mut(joints));
                    dispatch!(level, simd => lanes::read_four(simd, models, lane, [a, b, c, d]));
                } else {
                    for (i, out) in out.chunks_mut(joints).enumerate() {
                        lanes::read_one(models, lane + i, out);
                    }
                }
            }
        }
        Ok(())
    }
}
