use sinew::{Affine, Character, LocalPose, ModelPose, sample};

/// Pose at a time of a clip, or the rest pose without a clip.
pub(super) fn posed(character: &Character, clip: Option<usize>, time_secs: f64) -> ModelPose {
    let mut local = LocalPose::identity(0);
    local.copy_from(character.skeleton.rest());
    if let Some(clip) = clip.and_then(|c| character.clips.get(c)) {
        // A clip of another skeleton moves only the joints that exist.
        let _ = sample(clip, &character.skeleton, time_secs, &mut local);
    }
    let mut pose = ModelPose::identity(0);
    pose.update(character.skeleton.hierarchy(), &local, &Affine::IDENTITY)
        .expect("a sampled pose has its skeleton's joints");
    pose
}

pub(super) fn duration_secs(character: &Character, clip: Option<usize>) -> f64 {
    let clip = clip.and_then(|c| character.clips.get(c));
    clip.map_or(0.0, |c| f64::from(c.duration_secs))
}
