//! A clip that shows the quality of weights.

use glam::{Quat, Vec3};
use sinew::clip::{Clip, Interpolation, Track};
use sinew::transform::quat;
use sinew::{Character, Transform};
use std::collections::BTreeSet;
use std::sync::Arc;

const DEGREES: f32 = 32.0;
const WAVE_RAD: f32 = 0.9;

/// Creates a clip of two seconds, named `trial`, that bends every joint that moves vertices, with
/// the max at one second, and returns to rest. Chains form waves; left and right bend oppositely.
///
/// ```
/// use sinew_rig::weights::trial_clip;
/// let mut person = sinew_samples::mannequin::Mannequin::default().build();
/// let clip = trial_clip(&person);
/// assert!(clip.joints.len() > 20);
/// person.clips.push(clip);
/// ```
pub fn trial_clip(character: &Character) -> Clip {
    let skeleton = &character.skeleton;
    let rest = skeleton.rest_model();
    let at = |joint: usize| rest.get(joint).translation();
    let depth = |joint: usize| {
        let above = std::iter::successors(skeleton.parent(joint), |&j| skeleton.parent(j));
        above.count()
    };
    let moving = moving(character);
    let top = moving.iter().map(|&joint| depth(joint)).min().unwrap_or(0);
    let middle = moving.iter().map(|&joint| at(joint).x).sum::<f32>() / moving.len().max(1) as f32;
    let times = Arc::new(vec![0.0, 1.0, 2.0]);
    let mut clip = Clip::new("trial");
    for &joint in &moving {
        // The topmost joint does not bend, because it would rotate the whole figure.
        let below = depth(joint) - top;
        if below == 0 {
            continue;
        }
        let ends: Vec<Vec3> = skeleton.children(joint).map(at).collect();
        let end = if ends.is_empty() {
            2.0 * at(joint) - skeleton.parent(joint).map_or(Vec3::ZERO, at)
        } else {
            ends.iter().sum::<Vec3>() / ends.len() as f32
        };
        let along = (end - at(joint)).normalize_or_zero();
        let axis = if along.x.abs() > 0.7 {
            Vec3::Z
        } else {
            Vec3::X
        };
        let off = at(joint).x - middle;
        let sign = if off < -1e-4 { -1.0 } else { 1.0 };
        let angle = DEGREES.to_radians() * sign * libm::sinf(WAVE_RAD * below as f32);
        let (joint_rest, _) = Transform::from_affine(rest.get(joint));
        let own_axis = quat::rotate(quat::conjugate(joint_rest.rotation), axis);
        let local = skeleton.rest().get(joint).rotation;
        let farthest = quat::mul(local, Quat::from_axis_angle(own_axis.normalize(), angle));
        let keys = [local, quat::aligned(farthest, local), local];
        let track = Track::rotations(times.clone(), &keys, Interpolation::Slerp);
        clip.joint_mut(joint).rotation = track.ok();
    }
    clip.fit_duration();
    clip
}

fn moving(character: &Character) -> BTreeSet<usize> {
    let mut moving = BTreeSet::new();
    for node in &character.nodes {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else {
            continue;
        };
        let joints = &character.skins[skin].joints;
        for primitive in &character.meshes[mesh].primitives {
            let Some(influences) = &primitive.influences else {
                continue;
            };
            let rows = (0..influences.len()).flat_map(|vertex| influences.get(vertex));
            moving.extend(rows.filter_map(|(joint, _)| joints.get(joint)));
        }
    }
    moving
}
