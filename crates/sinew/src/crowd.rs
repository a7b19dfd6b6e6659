//! Forward kinematics for many characters of one skeleton. [`Crowd::pose`] poses one character
//! after the other in shared working memory, which stays in the cache. [`Crowd::update`] is for
//! sixteen characters that are already in SIMD lanes. For single poses, [`Crowd::pose`] is faster.

use crate::pose::lanes::{self, LocalLanes, ModelLanes};
use crate::pose::{LocalPose, forward};
use crate::skeleton::Skeleton;
use sinew_math::dispatch;
use sinew_math::simd::{LANES, Level, Row};
use sinew_math::transform::Affine;
use thiserror::Error;

/// Error of [`Crowd`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// Output length that is not a multiple of the joint count.
    #[error("{maps} maps are not a whole number of characters of {joints} joints")]
    Ragged {
        /// Length of the output.
        maps: usize,
        /// Number of joints of the skeleton.
        joints: usize,
    },
    /// Lane index of 16 or more.
    #[error("there is no lane {lane}: a group has sixteen, from 0")]
    NoSuchLane {
        /// Requested lane.
        lane: usize,
    },
    /// Pose with the wrong number of joints.
    #[error("the pose of character {character} has {has} joints, but the skeleton has {joints}")]
    OtherPose {
        /// Index of the character or of its lane.
        character: usize,
        /// Number of joints of the pose.
        has: usize,
        /// Number of joints of the skeleton.
        joints: usize,
    },
}

/// Poses many characters of one skeleton in shared working memory.
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
///
/// `cargo run --example crowd`:
///
#[doc = "```"]
#[doc = include_str!("../examples/crowd.rs")]
#[doc = "```"]
#[derive(Clone, Debug)]
pub struct Crowd<'a> {
    skeleton: &'a Skeleton,
    level: Level,
    pose: LocalPose,
    rows: Vec<[f32; 4]>,
    locals: Vec<LocalLanes>,
    models: Vec<ModelLanes>,
}

impl<'a> Crowd<'a> {
    /// Crowd of `skeleton`, with the best instruction set.
    pub fn new(skeleton: &'a Skeleton) -> Self {
        Self::at(Level::best(), skeleton)
    }

    /// Crowd with a given instruction set. All instruction sets give the same bits.
    pub fn at(level: Level, skeleton: &'a Skeleton) -> Self {
        let mut rest = [Row::default(); 10];
        rest[6] = Row([1.0; LANES]);
        Self {
            skeleton,
            level,
            pose: skeleton.rest().clone(),
            rows: vec![[0.0; 4]; forward::rows_for(skeleton.len())],
            locals: vec![rest; skeleton.len()],
            models: vec![[Row::default(); 12]; skeleton.len()],
        }
    }

    /// Writes a pose into one of the sixteen lanes, for [`Crowd::update`].
    ///
    /// # Errors
    /// If the lane is 16 or more, or the pose has the wrong number of joints.
    pub fn set(&mut self, lane: usize, pose: &LocalPose) -> Result<(), CrowdError> {
        if lane >= LANES {
            return Err(CrowdError::NoSuchLane { lane });
        }
        if pose.len() != self.skeleton.len() {
            return Err(CrowdError::OtherPose {
                character: lane,
                has: pose.len(),
                joints: self.skeleton.len(),
            });
        }
        for (joint, lanes) in self.locals.iter_mut().enumerate() {
            let t = pose.get(joint);
            let (translation, rotation) = (t.translation.to_array(), t.rotation.to_array());
            let scale = t.scale.to_array();
            let numbers = translation.iter().chain(&rotation).chain(&scale);
            for (row, x) in lanes.iter_mut().zip(numbers) {
                row.0[lane] = *x;
            }
        }
        Ok(())
    }

    /// Computes forward kinematics of all sixteen lanes.
    pub fn update(&mut self) {
        let (hierarchy, locals) = (self.skeleton.hierarchy(), self.locals.as_slice());
        let models = self.models.as_mut_slice();
        dispatch!(self.level, simd => {
            lanes::forward(simd, hierarchy, locals, &Affine::IDENTITY, models);
        });
    }

    /// Map `model_from_joint` in a lane after [`Crowd::update`]. `None` if out of range.
    pub fn get(&self, lane: usize, joint: usize) -> Option<Affine> {
        let model = self.models.get(joint).filter(|_| lane < LANES)?;
        let mut map = Affine::IDENTITY;
        lanes::read_one(
            std::slice::from_ref(model),
            lane,
            std::slice::from_mut(&mut map),
        );
        Some(map)
    }

    /// Fills `model_from_joint`, one character after the other. `pose_of` gets the index of each
    /// character and a pose to overwrite. The pose first holds the rest pose, later the pose of
    /// another character. Allocates nothing. Gives the same bits as
    /// [`ModelPose::update`](crate::ModelPose::update).
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
        let hierarchy = self.skeleton.hierarchy();
        for (character, out) in model_from_joint.chunks_mut(joints).enumerate() {
            pose_of(character, &mut self.pose);
            let has = self.pose.len();
            if has != joints {
                return Err(CrowdError::OtherPose {
                    character,
                    has,
                    joints,
                });
            }
            let (blocks, rows) = (self.pose.blocks(), self.rows.as_mut_slice());
            dispatch!(self.level, simd => {
                forward::forward(simd, hierarchy, blocks, &Affine::IDENTITY, rows, out);
            });
        }
        Ok(())
    }
}
