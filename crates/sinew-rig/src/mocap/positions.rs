//! Computes joint rotations from joint positions.
//! A joint with one bone takes the shortest rotation to the direction of that bone, because
//! positions do not determine its twist. Several bones determine the full rotation (Kabsch).

use super::kabsch::rigid_fit;
use glam::{DQuat, DVec3, Vec3};
use sinew::transform::quat;
use sinew::{Clip, Interpolation, Skeleton, Track, TrackError};
use std::sync::Arc;
use thiserror::Error;

/// Reason why positions cannot become a clip.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PositionsError {
    /// A frame does not have one position per joint.
    #[error("frame {frame} has {found} positions; it takes one for each of the {joints} joints")]
    Count {
        /// Index of the frame.
        frame: usize,
        /// Number of positions in the frame.
        found: usize,
        /// Number of joints.
        joints: usize,
    },
    /// A position is not finite.
    #[error("frame {frame}: the position of joint \"{joint}\" is not finite")]
    NotFinite {
        /// Index of the frame.
        frame: usize,
        /// Name of the joint.
        joint: String,
    },
    /// There are no frames, or the frame rate gives no valid times.
    #[error(transparent)]
    Track(#[from] TrackError),
}

const NO_LENGTH: f64 = 1e-6;

/// Creates a clip whose bones point at the given joint positions. Each frame has one position per
/// joint, in the order of the skeleton and in model space, at `rate_hz` frames per second. The root
/// follows its position. Bones keep their lengths. Limits are not applied; use [`Skeleton::clamp`].
///
/// ```
/// use glam::Vec3;
/// use sinew::{Joint, Skeleton, Transform};
/// use sinew_rig::mocap::from_positions;
/// let up = Transform::from_translation(Vec3::Y);
/// let joints = vec![Joint::new("elbow", None, up), Joint::new("hand", Some(0), up)];
/// let (arm, _) = Skeleton::new(joints)?;
/// let clip = from_positions(&arm, &[vec![Vec3::Y, Vec3::new(1.0, 1.0, 0.0)]], 30.0)?;
/// let mut pose = arm.rest().clone();
/// sinew::sample(&clip, &arm, 0.0, &mut pose)?;
/// let hand = sinew::transform::quat::rotate(pose.get(0).rotation, Vec3::Y);
/// assert!(hand.distance(Vec3::X) < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_positions(
    skeleton: &Skeleton,
    frames: &[Vec<Vec3>],
    rate_hz: f64,
) -> Result<Clip, PositionsError> {
    for (frame, positions) in frames.iter().enumerate() {
        if positions.len() != skeleton.len() {
            return Err(PositionsError::Count {
                frame,
                found: positions.len(),
                joints: skeleton.len(),
            });
        }
        if let Some(joint) = positions.iter().position(|p| !p.is_finite()) {
            return Err(PositionsError::NotFinite {
                frame,
                joint: skeleton.name(joint).to_owned(),
            });
        }
    }
    let mut values = vec![Vec::with_capacity(4 * frames.len()); skeleton.len()];
    let mut before: Vec<_> = skeleton.rest().iter().map(|t| t.rotation).collect();
    for positions in frames {
        let mut rotations: Vec<DQuat> = Vec::with_capacity(skeleton.len());
        for joint in 0..skeleton.len() {
            let above = skeleton
                .parent(joint)
                .map_or(DQuat::IDENTITY, |p| rotations[p]);
            let rest = skeleton.rest().get(joint).rotation.as_dquat().normalize();
            let rotated = (rotation_of(skeleton, joint, positions, above * rest)).normalize();
            let local = (above.inverse() * rotated).normalize().as_quat();
            let local = quat::aligned(local, before[joint]);
            values[joint].extend(local.to_array());
            before[joint] = local;
            rotations.push(rotated);
        }
    }
    let times: Vec<f32> = (0..frames.len())
        .map(|f| (f as f64 / rate_hz) as f32)
        .collect();
    let times = Arc::new(times);
    let mut clip = Clip::new("positions");
    for (joint, values) in values.into_iter().enumerate() {
        let track = Track::new(times.clone(), values, 4, Interpolation::Linear)?;
        clip.joint_mut(joint).rotation = Some(track);
    }
    let way: Vec<f32> = frames.iter().flat_map(|p| p[0].to_array()).collect();
    clip.joint_mut(0).translation = Some(Track::new(times, way, 3, Interpolation::Linear)?);
    clip.fit_duration();
    Ok(clip)
}

/// Rotation of a joint in model space. `at_rest` is its rest rotation relative to its parent.
fn rotation_of(skeleton: &Skeleton, joint: usize, positions: &[Vec3], at_rest: DQuat) -> DQuat {
    let bones: Vec<(DVec3, DVec3)> = skeleton
        .children(joint)
        .filter_map(|child| {
            let bone = skeleton.rest().get(child).translation.as_dvec3();
            let seen = (positions[child] - positions[joint]).as_dvec3();
            let long = bone.length() > NO_LENGTH && seen.length() > NO_LENGTH;
            long.then(|| (bone, seen.normalize() * bone.length()))
        })
        .collect();
    let Some(&(first, _)) = bones.first() else {
        return at_rest;
    };
    let mut points = bones.clone();
    points.push((DVec3::ZERO, DVec3::ZERO));
    let same_line =
        |b: &(DVec3, DVec3)| b.0.cross(first).length() < 1e-3 * b.0.length() * first.length();
    if bones.iter().all(same_line) {
        let (bone, seen) = bones.iter().fold((DVec3::ZERO, DVec3::ZERO), |sum, b| {
            // Bones on one line may point in opposite directions.
            let sign = b.0.dot(first).signum();
            (sum.0 + b.0 * sign, sum.1 + b.1 * sign)
        });
        let (from, to) = (at_rest * bone, seen);
        return if to.length() > NO_LENGTH {
            DQuat::from_rotation_arc(from.normalize(), to.normalize()) * at_rest
        } else {
            at_rest
        };
    }
    rigid_fit(&points).map_or(at_rest, |fit| fit.rotation)
}
