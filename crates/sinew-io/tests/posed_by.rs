use sinew::{Affine, Clip, LocalPose, ModelPose, Skeleton, sample};

/// The pose in local and in model space.
pub fn posed_by(skeleton: &Skeleton, clip: &Clip, time_secs: f64) -> (LocalPose, ModelPose) {
    let mut pose = LocalPose::identity(skeleton.len());
    sample(clip, skeleton, time_secs, &mut pose).unwrap();
    let mut model = ModelPose::identity(skeleton.len());
    let updated = model.update(skeleton.hierarchy(), &pose, &Affine::IDENTITY);
    updated.expect("of one length");
    (pose, model)
}
