//! Converts the keys of a track to glTF. Parabolas and Catmull–Rom splines become exact cubic
//! splines. At a key of a parabola, the in-tangent and the out-tangent differ.

use crate::gltf::check::data;
use crate::gltf::document::schema;
use crate::gltf::export::buffer::BufferBuilder;
use crate::report::FileReport;
use sinew::clip::{ClipSpace, JointTracks};
use sinew::{Clip, Interpolation, LocalPose, Skeleton, Track, TrackError, sample};
use std::borrow::Cow;
use std::sync::Arc;

/// Max error of the length of a rotation that is not normalised: the precision of 8 bits.
const UNIT_TOLERANCE: f64 = 0.0076;

/// Max error of the length of a rotation that readers keep unchanged.
const EXACT_TOLERANCE: f64 = 5e-7;

pub(super) struct Keys<'a> {
    pub(super) interpolation: schema::Interpolation,
    pub(super) values: Cow<'a, [f32]>,
}

pub(super) fn keys(track: &Track, is_rotation: bool) -> Keys<'_> {
    use schema::Interpolation::{CubicSpline, Linear, Step};
    // A spline needs two keys. A single key is constant.
    let (interpolation, values) = match track.interpolation() {
        Interpolation::Step => (Step, Cow::Borrowed(track.values().as_slice())),
        _ if track.keys() == 1 => (Linear, Cow::Borrowed(track.key(0))),
        Interpolation::Linear | Interpolation::Slerp => {
            (Linear, Cow::Borrowed(track.values().as_slice()))
        }
        Interpolation::CubicHermite => (CubicSpline, Cow::Borrowed(track.values().as_slice())),
        Interpolation::Quadratic | Interpolation::CatmullRom => {
            (CubicSpline, Cow::Owned(spline(track, is_rotation)))
        }
    };
    let mut keys = Keys {
        interpolation,
        values,
    };
    if is_rotation {
        keys.normalize_rotations();
    }
    keys
}

/// Track that an import of the exported track gives.
pub(super) fn as_read(track: &Track, is_rotation: bool) -> Result<Track, TrackError> {
    let mut keys = keys(track, is_rotation);
    let interpolation = match keys.interpolation {
        schema::Interpolation::Step => Interpolation::Step,
        schema::Interpolation::CubicSpline => Interpolation::CubicHermite,
        schema::Interpolation::Linear if is_rotation => Interpolation::Slerp,
        schema::Interpolation::Linear => Interpolation::Linear,
    };
    if is_rotation && !keys.are_unit() && !BufferBuilder::are_fractions(&keys.values) {
        let (per_key, tolerance) = (
            interpolation.elements_per_key(),
            data::rotation_tolerance(None),
        );
        let mut report = FileReport::default();
        data::normalize_rotations(keys.values.to_mut(), per_key, tolerance, "", &mut report);
    }
    // Tangents of a single key are in extras.
    let alone = track.tangents(0).filter(|_| track.keys() == 1);
    if let Some([before, after]) = alone {
        keys.values = Cow::Owned([before, &keys.values, after].concat());
    }
    let interpolation = match alone {
        Some(_) => Interpolation::CubicHermite,
        None => interpolation,
    };
    if interpolation == track.interpolation() && *keys.values == **track.values() {
        return Ok(track.clone());
    }
    let values = keys.values.into_owned();
    Track::new(track.times().clone(), values, track.width(), interpolation)
}

impl Keys<'_> {
    fn rotations(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (first, step) = match self.interpolation {
            schema::Interpolation::CubicSpline => (1, 3),
            _ => (0, 1),
        };
        let rotations = self.values.chunks_exact(4).enumerate();
        rotations.skip(first).step_by(step).map(|(index, r)| {
            let square: f64 = r.iter().map(|&c| f64::from(c).powi(2)).sum();
            (index, square.sqrt())
        })
    }

    pub(super) fn are_unit(&self) -> bool {
        self.rotations()
            .all(|(_, length)| (length - 1.0).abs() <= EXACT_TOLERANCE)
    }

    fn normalize_rotations(&mut self) {
        let is_off = |length: f64| (length - 1.0).abs() > UNIT_TOLERANCE;
        let off: Vec<_> = self.rotations().filter(|&(_, l)| is_off(l)).collect();
        // The tangents are scaled like the key, which keeps the angular speed.
        let beside = usize::from(self.interpolation == schema::Interpolation::CubicSpline);
        for (index, length) in off {
            let values = self.values.to_mut();
            if length > 0.0 && length.is_finite() {
                for c in &mut values[4 * (index - beside)..4 * (index + beside + 1)] {
                    *c = (f64::from(*c) / length) as f32;
                }
            } else {
                values[4 * index..4 * index + 4].copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
            }
        }
    }
}

/// In-tangent, value and out-tangent of every key. Rotations keep the signs that the engine uses.
fn spline(track: &Track, is_rotation: bool) -> Vec<f32> {
    let (keys, width) = (track.keys(), track.width());
    let mut spline = vec![0.0; 3 * keys * width];
    let mut side = 1.0;
    for segment in 0..keys - 1 {
        let sign = |key: usize, reference: usize| {
            let (key, reference) = (track.key(key), track.key(reference));
            let dot: f32 = key.iter().zip(reference).map(|(a, b)| a * b).sum();
            if is_rotation && dot < 0.0 { -1.0 } else { 1.0 }
        };
        let near = |key: usize| match key {
            _ if key == segment + 2 => sign(key, segment + 1) * sign(segment + 1, segment),
            _ => sign(key, segment),
        };
        for c in 0..width {
            let value = |key: usize| side * near(key) * f64::from(track.key(key)[c]);
            let (start, end) = slopes(track, segment, &value);
            let written = [value(segment), start, end, value(segment + 1)];
            for (element, written) in (3 * segment + 1..).zip(written) {
                let bounded = written.clamp(f64::from(f32::MIN), f64::from(f32::MAX));
                spline[element * width + c] = bounded as f32;
            }
        }
        side *= near(segment + 1);
    }
    spline
}

fn slopes(track: &Track, segment: usize, value: &impl Fn(usize) -> f64) -> (f64, f64) {
    let last = track.keys() - 1;
    let time = |key: usize| f64::from(track.times()[key]);
    let chord = |a: usize, b: usize| (value(b) - value(a)) / (time(b) - time(a));
    let (k, span) = (segment, time(segment + 1) - time(segment));
    if track.interpolation() == Interpolation::Quadratic {
        let bend = if k + 2 <= last {
            (chord(k + 1, k + 2) - chord(k, k + 1)) / (time(k + 2) - time(k))
        } else if k > 0 {
            (chord(k, k + 1) - chord(k - 1, k)) / (time(k + 1) - time(k - 1))
        } else {
            0.0
        };
        return (chord(k, k + 1) - bend * span, chord(k, k + 1) + bend * span);
    }
    let slope = |key: usize| {
        if key == 0 {
            chord(0, 1)
        } else if key == last {
            chord(last - 1, last)
        } else {
            let (before, after) = (time(key) - time(key - 1), time(key + 1) - time(key));
            (chord(key - 1, key) * after + chord(key, key + 1) * before) / (before + after)
        }
    };
    (slope(k), slope(k + 1))
}

/// Samples a clip in model space at all key times, because glTF has only local space.
pub(super) fn in_local_space<'a>(
    clip: &'a Clip,
    skeleton: &Skeleton,
) -> Result<Cow<'a, Clip>, TrackError> {
    if clip.space == ClipSpace::Local {
        return Ok(Cow::Borrowed(clip));
    }
    let tracks = clip
        .joints
        .iter()
        .flat_map(|j| [&j.translation, &j.rotation, &j.scale]);
    let mut times: Vec<f32> = tracks
        .flatten()
        .flat_map(|t| t.times().iter().copied())
        .collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    let mut pose = LocalPose::identity(skeleton.len());
    let joints: Vec<usize> = clip.joints.iter().map(|j| j.joint).collect();
    let joints: Vec<usize> = joints.into_iter().filter(|&j| j < skeleton.len()).collect();
    let mut sampled = vec![Vec::with_capacity(times.len()); joints.len()];
    for &time in &times {
        // Sampling cannot fail, because `joints` contains only joints that exist.
        let _ = sample(clip, skeleton, f64::from(time), &mut pose);
        for (transforms, &joint) in sampled.iter_mut().zip(&joints) {
            transforms.push(pose.get(joint));
        }
    }
    let mut local = Clip {
        space: ClipSpace::Local,
        joints: Vec::new(),
        ..clip.clone()
    };
    let times = Arc::new(times);
    for (joint, transforms) in joints.into_iter().zip(sampled) {
        if times.is_empty() {
            break;
        }
        let translations: Vec<_> = transforms.iter().map(|t| t.translation).collect();
        let rotations: Vec<_> = transforms.iter().map(|t| t.rotation).collect();
        let scales: Vec<_> = transforms.iter().map(|t| t.scale).collect();
        let vectors = |v: &[_]| Track::vectors(times.clone(), v, Interpolation::Linear);
        local.joints.push(JointTracks {
            joint,
            translation: Some(vectors(&translations)?),
            rotation: Some(Track::rotations(
                times.clone(),
                &rotations,
                Interpolation::Slerp,
            )?),
            scale: Some(vectors(&scales)?),
        });
    }
    Ok(Cow::Owned(local))
}
