use super::error::BatchError;
use super::frames::Frames;
use crate::rig::Rig;
use sinew_skin::VertexLayout;

/// Writes the vertices of a rig in each frame, one frame after the other, in the given layout.
/// Morph weights are those at rest; correctives follow the pose.
///
/// # Errors
/// If arrays do not fit, a rotation is not a unit quaternion, or a frame cannot be skinned.
pub fn skin_frames(
    rig: &Rig,
    frames: &Frames<'_>,
    layout: impl Into<VertexLayout>,
    vertices: &mut [f32],
) -> Result<(), BatchError> {
    let layout = layout.into();
    let count = frames.checked(rig.skeleton().len())?;
    let per_frame = rig.vertices().saturating_mul(layout.stride());
    let expected = per_frame.saturating_mul(count);
    let meaning = "frames × vertices × stride";
    BatchError::check("the output", vertices.len(), expected, meaning)?;
    if per_frame == 0 {
        return Ok(());
    }
    let mut actor = rig.actor();
    for (frame, out) in vertices.chunks_mut(per_frame).enumerate() {
        frames.write(frame, actor.pose_mut());
        let skinned = actor.skin_into(out, layout);
        skinned.map_err(|source| BatchError::Skin { frame, source })?;
    }
    Ok(())
}
