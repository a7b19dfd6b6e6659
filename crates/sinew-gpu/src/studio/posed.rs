//! A character's joints at a moment.

use sinew::{Affine, Character, LocalPose, ModelPose, sample};

/// Its pose at a time of a clip; the rest pose without one.
pub(super) fn posed(character: &Character, clip: Option<usize>, time_secs: f64) -> ModelPose {
    let mut local = LocalPose::identity(0);
    match clip.and_then(|c| character.clips.get(c)) {
        Some(clip) => sample(clip, &character.skeleton, time_secs, &mut local),
        None => local.copy_from(character.skeleton.rest()),
    }
    let mut pose = ModelPose::identity(0);
    pose.update(character.skeleton.hierarchy(), &local, &Affine::IDENTITY)
        .expect("a sampled pose has its skeleton's joints");
    pose
}

/// Duration of a clip; 0 without one.
pub(super) fn duration_secs(character: &Character, clip: Option<usize>) -> f64 {
    let clip = clip.and_then(|c| character.clips.get(c));
    clip.map_or(0.0, |c| f64::from(c.duration_secs))
}
