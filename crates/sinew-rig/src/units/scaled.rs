//! Converts a character to another unit.

use glam::Vec3;
use sinew::binding::{Binding, Target};
use sinew::{Affine, Character, Skeleton, SkeletonError, Track, TrackError};
use std::sync::Arc;
use thiserror::Error;

/// Reason why a character cannot be scaled.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ScaleError {
    /// A joint position is not finite after scaling.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// A key is not finite after scaling.
    #[error("clip \"{clip}\": {source}")]
    Clip {
        /// Name of the clip.
        clip: String,
        /// Cause.
        source: TrackError,
    },
    /// A vertex, node or inverse bind is not finite after scaling.
    #[error("{location} would be too large for a 32-bit number after scaling by {factor}")]
    NotFinite {
        /// Part of the character, for the message.
        location: String,
        /// Factor on lengths.
        factor: f32,
    },
}

/// Multiplies all lengths of a character by `factor`: offsets of joints and nodes from their
/// parents, vertices, morph target offsets, inverse binds and translations in clips. Keeps
/// rotations, scales, weights and curves.
///
/// ```
/// let metres = sinew_samples::tube_character();
/// let centimetres = sinew_rig::units::scaled(&metres, 100.0)?;
/// let upper = centimetres.skeleton.rest().get(1).translation;
/// assert_eq!(upper, 100.0 * metres.skeleton.rest().get(1).translation);
/// # Ok::<(), sinew_rig::units::ScaleError>(())
/// ```
///
/// # Errors
/// [`ScaleError`] if a length is not finite after scaling.
pub fn scaled(character: &Character, factor: f32) -> Result<Character, ScaleError> {
    let mut scaled = character.clone();
    let mut joints = character.skeleton.joints();
    for joint in &mut joints {
        joint.rest.translation *= factor;
        let slide = &mut joint.freedom.slide_range;
        *slide = slide.map(|slide| slide.scaled(factor));
    }
    // Joints are parents first, so their order stays.
    (scaled.skeleton, _) = Skeleton::new(joints)?;
    let check = |is_kept: bool, location: &dyn Fn() -> String| {
        if is_kept {
            Ok(())
        } else {
            Err(ScaleError::NotFinite {
                location: location(),
                factor,
            })
        }
    };
    for (index, node) in scaled.nodes.iter_mut().enumerate() {
        let is_kept = scale_affine(&mut node.parent_from_node, factor);
        check(is_kept, &|| format!("node {index}"))?;
    }
    for (index, skin) in scaled.skins.iter_mut().enumerate() {
        for inverse_bind in &mut skin.joint_from_model {
            let is_kept = scale_affine(inverse_bind, factor);
            check(is_kept, &|| format!("an inverse bind of skin {index}"))?;
        }
    }
    for (index, mesh) in scaled.meshes.iter_mut().enumerate() {
        for primitive in &mut mesh.primitives {
            let mut is_kept = scale_points(&mut primitive.positions, factor);
            for deltas in primitive.morphs.iter_mut().flat_map(|m| &mut m.positions) {
                is_kept &= scale_points(&mut deltas.values, factor);
            }
            check(is_kept, &|| format!("a vertex of mesh {index}"))?;
        }
    }
    for clip in &mut scaled.clips {
        for track in clip.joints.iter_mut().flat_map(|j| &mut j.translation) {
            *track = scaled_track(track, factor).map_err(|source| ScaleError::Clip {
                clip: clip.name.clone(),
                source,
            })?;
        }
        let is_place = |target: &Target| matches!(target, Target::CameraEye | Target::CameraTarget);
        for curve in &mut clip.curves {
            let is_bound = |own: &Binding| own.signal == curve.name && is_place(&own.target);
            if character.bindings.iter().any(is_bound) {
                curve.track = scaled_track(&curve.track, factor).map_err(|source| {
                    let clip = clip.name.clone();
                    ScaleError::Clip { clip, source }
                })?;
            }
        }
    }
    Ok(scaled)
}

/// Scales the lengths of an affine map. False if a finite number becomes infinite.
fn scale_affine(affine: &mut Affine, factor: f32) -> bool {
    let before = affine.translation();
    for row in &mut affine.rows {
        row[3] *= factor;
    }
    affine.translation().is_finite() || !before.is_finite()
}

/// Scales points into a new array, as primitives may share the old array. False on overflow.
fn scale_points(points: &mut Arc<Vec<Vec3>>, factor: f32) -> bool {
    let before = std::mem::take(points);
    *points = Arc::new(before.iter().map(|&point| factor * point).collect());
    let mut both = points.iter().zip(before.iter());
    both.all(|(after, before)| after.is_finite() || !before.is_finite())
}

fn scaled_track(track: &Track, factor: f32) -> Result<Track, TrackError> {
    let values: Vec<f32> = track.values().iter().map(|&value| factor * value).collect();
    let times = Arc::clone(track.times());
    Track::new(times, values, track.width(), track.interpolation())
}
