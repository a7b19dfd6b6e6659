//! How far a packed clip strays from the clip it was made of, in object space.

use super::PackedClip;
use super::frames::{Local, Map, instants, local_at, shell_error};
use crate::clip::Clip;
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;

/// The largest distance, over all joints, between where the two clips put the points that lie `shell`
/// along the joint's three axes: at every key of every joint's track and half way between. Forward
/// kinematics is done in `f64`; between keys the clip is what its tracks say.
///
/// Between those times nothing is promised, but tracks that are packed are joined by straight lines and
/// arcs in both.
pub fn object_space_error(
    skeleton: &Skeleton,
    clip: &Clip,
    packed: &PackedClip<'_>,
    shell: f32,
) -> f64 {
    worst(skeleton, clip, packed, shell).0
}

/// The largest error and the joint that has it.
pub(super) fn worst(
    skeleton: &Skeleton,
    clip: &Clip,
    packed: &PackedClip<'_>,
    shell: f32,
) -> (f64, usize) {
    let joints = clip.joints.iter();
    let tracks = joints.flat_map(|j| [&j.translation, &j.rotation, &j.scale]);
    let mut times: Vec<f32> = Vec::new();
    let mut before = None;
    for track in tracks.flatten() {
        // Most tracks share their times.
        if before != Some(track.times()) {
            times.extend(track.times().iter());
            before = Some(track.times());
        }
    }
    times.push(0.0);
    times.sort_unstable_by(f32::total_cmp);
    times.dedup();
    let count = skeleton.len();
    let rest: Vec<Local> = skeleton.rest().iter().map(|t| Local::of(&t)).collect();
    let mut pose = LocalPose::identity(count);
    let mut truth = vec![Map::IDENTITY; count];
    let mut found = vec![Map::IDENTITY; count];
    let mut worst = (0.0, 0);
    for time in instants(&times) {
        packed.sample(time, &mut pose);
        for joint in 0..count {
            let wanted = local_at(clip.joint(joint), &rest[joint], time);
            let got = Local::of(&pose.get(joint));
            (truth[joint], found[joint]) = match skeleton.parent(joint) {
                Some(parent) => (truth[parent].with(&wanted), found[parent].with(&got)),
                None => (Map::IDENTITY.with(&wanted), Map::IDENTITY.with(&got)),
            };
            let error = shell_error(&truth[joint], &found[joint], f64::from(shell));
            // What is too large for a number is as bad as can be.
            let error = if error.is_finite() { error } else { f64::MAX };
            if error > worst.0 {
                worst = (error, joint);
            }
        }
    }
    worst
}
