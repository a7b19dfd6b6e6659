//! Distance in object space between two versions of a clip, computed independently in `f64`.

#![allow(
    dead_code,
    reason = "every test file uses some of these and none uses all"
)]

use glam::{DAffine3, DMat3, DQuat, DVec3, DVec4};
use sinew::{Clip, Interpolation, LocalPose, Skeleton, Track};

/// `parent_from_joint` of every joint, from the keys of the clip.
pub fn truth(skeleton: &Skeleton, clip: &Clip, secs: f64) -> Vec<DAffine3> {
    let of = |joint: usize| {
        let rest = skeleton.rest().get(joint);
        let tracks = clip.joint(joint);
        let vector = |track: Option<&Track>, rest: glam::Vec3| {
            track.map_or(rest.as_dvec3(), |t| between(t, secs, false).truncate())
        };
        let rotation = match tracks.and_then(|t| t.rotation.as_ref()) {
            Some(track) => DQuat::from_vec4(between(track, secs, true)),
            None => rest.rotation.as_dquat(),
        };
        local(
            vector(
                tracks.and_then(|t| t.translation.as_ref()),
                rest.translation,
            ),
            rotation.normalize(),
            vector(tracks.and_then(|t| t.scale.as_ref()), rest.scale),
        )
    };
    (0..skeleton.len()).map(of).collect()
}

/// `parent_from_joint` of every joint of a pose, without normalising its quaternions.
pub fn found(pose: &LocalPose) -> Vec<DAffine3> {
    let locals = pose.iter().map(|t| {
        let (translation, scale) = (t.translation.as_dvec3(), t.scale.as_dvec3());
        local(translation, t.rotation.as_dquat(), scale)
    });
    locals.collect()
}

fn local(translation: DVec3, rotation: DQuat, scale: DVec3) -> DAffine3 {
    DAffine3 {
        matrix3: DMat3::from_quat(rotation) * DMat3::from_diagonal(scale),
        translation,
    }
}

fn between(track: &Track, secs: f64, is_rotation: bool) -> DVec4 {
    let time = |k: usize| f64::from(track.times()[k]);
    let last = track.keys() - 1;
    let after = track.times().partition_point(|&t| f64::from(t) <= secs);
    let key = |k: usize| four(track.key(k));
    if after == 0 || after > last {
        return key(after.min(last));
    }
    let k = after - 1;
    let span = time(k + 1) - time(k);
    let t = (secs - time(k)) / span;
    let near = |b: DVec4, a: DVec4| if is_rotation && a.dot(b) < 0.0 { -b } else { b };
    let a = key(k);
    let cubic = |a: DVec4, out: DVec4, b: DVec4, into: DVec4| {
        let (t2, t3) = (t * t, t * t * t);
        a * (2.0 * t3 - 3.0 * t2 + 1.0)
            + out * (span * (t3 - 2.0 * t2 + t))
            + b * (3.0 * t2 - 2.0 * t3)
            + into * (span * (t3 - t2))
    };
    match track.interpolation() {
        _ if t == 0.0 => a,
        Interpolation::Step => a,
        Interpolation::Linear => a.lerp(near(key(k + 1), a), t),
        Interpolation::Slerp if !is_rotation => a.lerp(key(k + 1), t),
        Interpolation::Slerp => {
            let [a, b] = [a, near(key(k + 1), a)].map(DVec4::normalize);
            let angle = 2.0 * (b - a).length().atan2((b + a).length());
            match angle > 1e-9 {
                true => {
                    a * (((1.0 - t) * angle).sin() / angle.sin())
                        + b * ((t * angle).sin() / angle.sin())
                }
                false => a.lerp(b, t),
            }
        }
        Interpolation::CubicHermite => {
            let element = |e: usize| four(&track.values()[e * track.width()..][..track.width()]);
            cubic(a, element(3 * k + 2), key(k + 1), element(3 * k + 3))
        }
        Interpolation::CatmullRom => {
            let b = near(key(k + 1), a);
            let slope = |p: DVec4, q: DVec4, secs: f64| (q - p) / secs;
            let chord = slope(a, b, span);
            let out = match k {
                0 => chord,
                _ => {
                    let before = time(k) - time(k - 1);
                    let first = slope(near(key(k - 1), a), a, before);
                    (first * span + chord * before) / (before + span)
                }
            };
            let into = match k + 1 == last {
                true => chord,
                false => {
                    let next = time(k + 2) - time(k + 1);
                    let second = slope(b, near(key(k + 2), b), next);
                    (chord * next + second * span) / (span + next)
                }
            };
            cubic(a, out, b, into)
        }
        Interpolation::Quadratic => panic!("no test has parabolas"),
    }
}

fn four(v: &[f32]) -> DVec4 {
    let c = |c: usize| f64::from(v.get(c).copied().unwrap_or(0.0));
    DVec4::new(c(0), c(1), c(2), c(3))
}

/// `model_from_joint` of every joint.
pub fn models(skeleton: &Skeleton, locals: &[DAffine3]) -> Vec<DAffine3> {
    let mut maps: Vec<DAffine3> = Vec::with_capacity(locals.len());
    for (joint, local) in locals.iter().enumerate() {
        let map = skeleton.parent(joint).map_or(*local, |p| maps[p] * *local);
        maps.push(map);
    }
    maps
}

/// Max distance between points on the axes of `a` and `b`, `shell` from the origin.
pub fn shell_error(a: &DAffine3, b: &DAffine3, shell: f64) -> f64 {
    let off = |axis: DVec3| {
        let [a, b] = [a, b].map(|m| m.transform_point3(axis * shell));
        a.distance(b)
    };
    [DVec3::X, DVec3::Y, DVec3::Z]
        .map(off)
        .into_iter()
        .fold(0.0, f64::max)
}

/// Times of all keys, and `parts − 1` times between two keys.
pub fn moments(clip: &Clip, parts: usize) -> Vec<f64> {
    let tracks = clip
        .joints
        .iter()
        .flat_map(|j| [&j.translation, &j.rotation, &j.scale]);
    let mut times: Vec<f32> = tracks.flatten().flat_map(|t| t.times().to_vec()).collect();
    times.sort_unstable_by(f32::total_cmp);
    times.dedup();
    let mut all = Vec::new();
    for pair in times.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(f64::from);
        all.extend((0..parts).map(|k| a + (b - a) * k as f64 / parts as f64));
        all.push(b.next_down());
    }
    all.extend(times.last().map(|&t| f64::from(t)));
    all
}
