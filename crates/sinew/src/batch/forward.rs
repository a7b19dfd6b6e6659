use super::error::BatchError;
use super::frames::Frames;
use crate::crowd::Crowd;
use crate::skeleton::Skeleton;
use sinew_math::transform::Affine;

/// Writes `model_from_joint` of every joint in each frame. Gives the same bits as
/// [`ModelPose::update`](crate::ModelPose::update) of each frame.
///
/// ```
/// use sinew::Affine;
/// use sinew::batch::{Frames, Translations, forward_kinematics};
/// let skeleton = sinew_samples::humanoid_character().skeleton;
/// let rotations = vec![[0.0, 0.0, 0.0, 1.0]; 2 * skeleton.len()];
/// let path = [[0.0, 1.0, 0.0], [0.0, 1.0, 0.5]];
/// let frames = Frames::new(&rotations).translations(Translations::Root(&path));
/// let mut maps = vec![Affine::IDENTITY; 2 * skeleton.len()];
/// forward_kinematics(&skeleton, &frames, &mut maps)?;
/// assert_eq!(maps[skeleton.len()].translation().z, 0.5);
/// # Ok::<(), sinew::batch::BatchError>(())
/// ```
///
/// # Errors
/// If arrays do not fit the skeleton or each other, or a rotation is not a unit quaternion.
#[doc(alias = "fk")]
pub fn forward_kinematics(
    skeleton: &Skeleton,
    frames: &Frames<'_>,
    model_from_joint: &mut [Affine],
) -> Result<(), BatchError> {
    frames.checked(skeleton.len())?;
    let (found, expected) = (model_from_joint.len(), frames.rotations.len());
    BatchError::check("the output", found, expected, "frames × joints")?;
    let mut crowd = Crowd::new(skeleton);
    let posed = crowd.pose(model_from_joint, |frame, pose| frames.write(frame, pose));
    posed.expect("the output has whole frames, and the pose keeps its joints");
    Ok(())
}
