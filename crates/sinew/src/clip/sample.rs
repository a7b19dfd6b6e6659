//! Sampling of a clip at a time, without state: the same time always gives the same bits.

use super::keyed::{Clip, ClipSpace, JointTracks, MorphTrack};
use super::mismatch::ClipMismatch;
use super::track::Track;
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use sinew_math::transform::{Affine, Transform};

/// Writes the pose of `clip` at `time_secs`. Channels without a track are at rest.
///
/// Outside the keys, the pose is that of the nearest key. For loops, use
/// [`crate::Player::clip_time_secs`]. A channel stays at rest if its track has the wrong width;
/// [`crate::Character::check`] reports such tracks. A clip in model space is converted to local
/// transforms by polar decomposition. Shear from a parent with a non-uniform scale is dropped.
///
/// # Errors
/// If the clip moves joints that the skeleton lacks. The other joints are still written.
///
/// ```
/// use glam::Vec3;
/// use sinew::{Clip, Interpolation, Joint, LocalPose, Skeleton, Track, Transform, sample};
/// let (skeleton, _) = Skeleton::new(vec![Joint::new("root", None, Transform::IDENTITY)])?;
/// let mut clip = Clip::new("slide");
/// let keys = [Vec3::ZERO, Vec3::X];
/// clip.joint_mut(0).translation =
///     Some(Track::vectors(vec![0.0, 2.0], &keys, Interpolation::Linear)?);
/// let mut pose = LocalPose::identity(1);
/// sample(&clip, &skeleton, 0.5, &mut pose)?;
/// assert_eq!(pose.get(0).translation, Vec3::new(0.25, 0.0, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "evaluate")]
pub fn sample(
    clip: &Clip,
    skeleton: &Skeleton,
    time_secs: f64,
    pose: &mut LocalPose,
) -> Result<(), ClipMismatch> {
    pose.copy_from(skeleton.rest());
    let mut needed = 0;
    for tracks in &clip.joints {
        let joint = tracks.joint;
        needed = needed.max(joint.saturating_add(1));
        if joint >= skeleton.len() {
            continue;
        }
        match clip.space {
            ClipSpace::Local => {
                let vector = |track: &Option<Track>| track.as_ref()?.sample_vector(time_secs);
                let rotation = |track: &Track| track.sample_rotation(time_secs);
                if let Some(translation) = vector(&tracks.translation) {
                    pose.set_translation(joint, translation);
                }
                if let Some(rotation) = tracks.rotation.as_ref().and_then(rotation) {
                    pose.set_rotation(joint, rotation);
                }
                if let Some(scale) = vector(&tracks.scale) {
                    pose.set_scale(joint, scale);
                }
            }
            ClipSpace::Model => pose.set(joint, local_in_model(clip, skeleton, joint, time_secs)),
        }
    }
    ClipMismatch::check(needed, skeleton.len())
}

/// Transform of one joint, as in [`sample`].
///
/// # Panics
/// If the joint does not exist.
pub fn sample_joint(clip: &Clip, skeleton: &Skeleton, joint: usize, time_secs: f64) -> Transform {
    let rest = skeleton.rest().get(joint);
    match (clip.joint(joint), clip.space) {
        (None, _) => rest,
        (Some(tracks), ClipSpace::Local) => transform_at(tracks, rest, time_secs),
        (Some(_), ClipSpace::Model) => local_in_model(clip, skeleton, joint, time_secs),
    }
}

fn local_in_model(clip: &Clip, skeleton: &Skeleton, joint: usize, time_secs: f64) -> Transform {
    let model_from_joint = model_from_joint(clip, skeleton, joint, time_secs);
    let parent_from_model = skeleton
        .parent(joint)
        .map(|parent| model_from_joint_of(clip, skeleton, parent, time_secs))
        .and_then(|model_from_parent| model_from_parent.inverse())
        .unwrap_or(Affine::IDENTITY);
    let (local, _shear) = Transform::from_affine(&(parent_from_model * model_from_joint));
    local
}

fn transform_at(tracks: &JointTracks, rest: Transform, time_secs: f64) -> Transform {
    let vector = |track: &Option<Track>| track.as_ref()?.sample_vector(time_secs);
    let rotation = |track: &Track| track.sample_rotation(time_secs);
    Transform {
        translation: vector(&tracks.translation).unwrap_or(rest.translation),
        rotation: tracks
            .rotation
            .as_ref()
            .and_then(rotation)
            .unwrap_or(rest.rotation),
        scale: vector(&tracks.scale).unwrap_or(rest.scale),
    }
}

/// `model_from_joint` of a model-space clip. Joints without tracks keep their rest transform.
fn model_from_joint_of(clip: &Clip, skeleton: &Skeleton, joint: usize, time_secs: f64) -> Affine {
    let mut joint_from_start = Affine::IDENTITY;
    for ancestor in skeleton.hierarchy().ancestors(joint) {
        if clip.joint(ancestor).is_some() {
            return model_from_joint(clip, skeleton, ancestor, time_secs) * joint_from_start;
        }
        joint_from_start = skeleton.rest().get(ancestor).to_affine() * joint_from_start;
    }
    joint_from_start
}

/// As [`model_from_joint_of`], for a joint with tracks. Channels without a track are at rest.
fn model_from_joint(clip: &Clip, skeleton: &Skeleton, joint: usize, time_secs: f64) -> Affine {
    let mut rest = Affine::IDENTITY;
    for ancestor in skeleton.hierarchy().ancestors(joint) {
        rest = skeleton.rest().get(ancestor).to_affine() * rest;
    }
    let (rest, _shear) = Transform::from_affine(&rest);
    match clip.joint(joint) {
        Some(tracks) => transform_at(tracks, rest, time_secs).to_affine(),
        None => rest.to_affine(),
    }
}

/// Writes the morph weights of the mesh at `node`. Without a track, they are `rest`. Missing
/// weights are 0. A track with more weights than `out` belongs to another mesh and is ignored.
pub fn sample_morphs(
    clip: Option<&Clip>,
    node: usize,
    time_secs: f64,
    rest: &[f32],
    out: &mut [f32],
) {
    let track = clip.and_then(|c| c.morphs.iter().find(|m| m.node == node));
    morph_weights(track, time_secs, rest, out);
}

pub(crate) fn morph_weights(
    track: Option<&MorphTrack>,
    time_secs: f64,
    rest: &[f32],
    out: &mut [f32],
) {
    out.fill(0.0);
    match track.and_then(|t| Some((t, out.get_mut(..t.weights.width())?))) {
        Some((track, out)) => track.weights.sample_components(time_secs, out),
        None => {
            for (out, weight) in out.iter_mut().zip(rest) {
                *out = *weight;
            }
        }
    }
}
