use super::error::BatchError;
use super::frames::gather;
use crate::clip::Playable;
use crate::pose::{BLOCK, LocalPose};
use crate::skeleton::Skeleton;

/// Local poses of many frames, to be written to arrays of the caller.
#[derive(Debug)]
pub struct FramesMut<'a> {
    /// Unit quaternion x, y, z, w of every joint in each frame.
    pub rotations: &'a mut [[f32; 4]],
    /// Translation of every joint in each frame.
    pub translations: Option<&'a mut [[f32; 3]]>,
    /// Scale of every joint in each frame.
    pub scales: Option<&'a mut [[f32; 3]]>,
}

/// Writes the poses of a clip at many times in seconds, in any order. Times outside the clip count
/// as its start or end.
///
/// ```
/// use sinew::batch::{FramesMut, sample_times};
/// let person = sinew_samples::humanoid_character();
/// let (walk, joints) = (&person.clips[0], person.skeleton.len());
/// let mut rotations = vec![[0.0; 4]; 3 * joints];
/// let out = FramesMut { rotations: &mut rotations, translations: None, scales: None };
/// sample_times(walk, &person.skeleton, &[0.5, 0.1, 0.9], out)?;
/// assert!(rotations.iter().all(|q| q[3] != 0.0));
/// # Ok::<(), sinew::batch::BatchError>(())
/// ```
///
/// # Errors
/// If arrays differ in length, or the clip is for another skeleton.
pub fn sample_times<C: Playable + ?Sized>(
    clip: &C,
    skeleton: &Skeleton,
    times_secs: &[f64],
    out: FramesMut<'_>,
) -> Result<(), BatchError> {
    let joints = skeleton.len();
    let (expected, every) = (times_secs.len().saturating_mul(joints), "times × joints");
    let FramesMut {
        rotations,
        mut translations,
        mut scales,
    } = out;
    BatchError::check("rotations", rotations.len(), expected, every)?;
    for (what, values) in [("translations", &translations), ("scales", &scales)] {
        let found = values.as_ref().map_or(expected, |values| values.len());
        BatchError::check(what, found, expected, every)?;
    }
    let mut pose = LocalPose::identity(joints);
    for (frame, &time_secs) in times_secs.iter().enumerate() {
        clip.sample_into(skeleton, time_secs, &mut pose)?;
        let range = frame * joints..(frame + 1) * joints;
        let blocks = pose.blocks().iter();
        for (block, out) in blocks.zip(rotations[range.clone()].chunks_mut(BLOCK)) {
            gather(&block.rotation, out);
        }
        if let Some(translations) = &mut translations {
            let blocks = pose.blocks().iter();
            for (block, out) in blocks.zip(translations[range.clone()].chunks_mut(BLOCK)) {
                gather(&block.translation, out);
            }
        }
        if let Some(scales) = &mut scales {
            let blocks = pose.blocks().iter();
            for (block, out) in blocks.zip(scales[range].chunks_mut(BLOCK)) {
                gather(&block.scale, out);
            }
        }
    }
    Ok(())
}
