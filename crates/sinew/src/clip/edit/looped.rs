use crate::clip::keyed::{Clip, ClipSpace};
use crate::clip::track::{Interpolation, Track};
use crate::skeleton::Skeleton;
use glam::{Quat, Vec3};
use sinew_math::transform::quat;
use std::sync::Arc;

impl Clip {
    /// Same motion, changed evenly over time so that the last pose equals the first. A root returns
    /// only to its height (Y), so a walk still moves forward. In model space, only rotations
    /// change. Morphs, curves and events do not change.
    pub fn looped(&self, skeleton: &Skeleton) -> Self {
        let mut clip = self.clone();
        for tracks in &mut clip.joints {
            let is_root = tracks.joint < skeleton.len() && skeleton.parent(tracks.joint).is_none();
            if let Some(track) = &mut tracks.rotation {
                *track = close_rotation(track);
            }
            if let Some(track) = &mut tracks.translation
                && self.space == ClipSpace::Local
            {
                let closed = if is_root { Vec3::Y } else { Vec3::ONE };
                *track = close_numbers(track, &closed.to_array());
            }
            if let Some(track) = &mut tracks.scale
                && self.space == ClipSpace::Local
            {
                *track = close_numbers(track, &[1.0; 3]);
            }
        }
        clip
    }
}

/// Adds the missing difference in proportion to time, to components with 1 in `closed`.
fn close_numbers(track: &Track, closed: &[f32]) -> Track {
    let last = track.keys() - 1;
    let missing: Vec<f32> = (0..track.width())
        .map(|c| (track.key(0)[c] - track.key(last)[c]) * closed[c])
        .collect();
    let first = track.key(0).to_vec();
    changed(track, |along, slope, is_tangent, element| {
        for (c, number) in element.iter_mut().enumerate() {
            *number = match (is_tangent, along == 1.0 && closed[c] == 1.0) {
                (true, _) => *number + missing[c] * slope,
                (false, true) => first[c],
                (false, false) => *number + missing[c] * along,
            };
        }
    })
}

fn close_rotation(track: &Track) -> Track {
    let quat_at = |k: usize| {
        let v = track.key(k);
        Quat::from_xyzw(v[0], v[1], v[2], v[3])
    };
    let (first, last) = (quat_at(0), quat_at(track.keys() - 1));
    let missing = quat::mul(first, quat::aligned(last, first).conjugate());
    changed(track, |along, _, is_tangent, element| {
        let key = Quat::from_xyzw(element[0], element[1], element[2], element[3]);
        let correction = quat::slerp(Quat::IDENTITY, missing, along);
        let rotated = match along == 1.0 && !is_tangent {
            true => quat::aligned(first, quat::mul(correction, key)),
            false => quat::mul(correction, key),
        };
        element.copy_from_slice(&rotated.to_array());
    })
}

/// Applies `change` to the elapsed fraction, its slope, true for tangents, and each element.
fn changed(track: &Track, mut change: impl FnMut(f32, f32, bool, &mut [f32])) -> Track {
    let (begin, end) = (track.times()[0], track.end_secs());
    if track.keys() == 1 || track.interpolation() == Interpolation::Step {
        return track.clone();
    }
    let slope = 1.0 / (end - begin);
    let per_key = track.interpolation().elements_per_key();
    let mut values = track.values().to_vec();
    for (index, element) in values.chunks_exact_mut(track.width()).enumerate() {
        let time = track.times()[index / per_key];
        let along = if time == end {
            1.0
        } else {
            (time - begin) * slope
        };
        change(along, slope, per_key == 3 && index % 3 != 1, element);
    }
    let times = Arc::clone(track.times());
    let made = Track::new(times, values, track.width(), track.interpolation());
    made.unwrap_or_else(|_| track.clone())
}
