//! A prepared clip gives the bits of the clip, for tracks of every interpolation and at every time.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use sinew::clip::{ClipSpace, JointTracks};
use sinew::pose::JointSet;
use sinew::transform::quat;
use sinew::{Clip, Interpolation, Joint, LocalPose, Playable, Skeleton, Track, Transform};
use std::sync::Arc;

const JOINTS: usize = 21;
const WAYS: [Interpolation; 6] = [
    Interpolation::Step,
    Interpolation::Linear,
    Interpolation::Slerp,
    Interpolation::Quadratic,
    Interpolation::CubicHermite,
    Interpolation::CatmullRom,
];

fn skeleton(joints: usize) -> Skeleton {
    let rest = |j: usize| Transform {
        translation: Vec3::new(j as f32, -0.5, 0.25),
        rotation: quat::from_axis_angle(Vec3::new(1.0, j as f32, -2.0), 0.3 * j as f32),
        scale: Vec3::splat(1.0 + 0.1 * j as f32),
    };
    let joint = |j: usize| Joint::new(j.to_string(), j.checked_sub(1), rest(j));
    let joints = (0..joints).map(joint).collect();
    Skeleton::new(joints).expect("a chain").0
}

/// Bits of the numbers. Any NaN is the same: its bits depend on the order of operands.
fn bits(pose: &LocalPose) -> Vec<[u32; 10]> {
    let bits = |t: Transform| {
        let [x, y, z] = t.translation.to_array();
        let [a, b, c, d] = t.rotation.to_array();
        let [u, v, w] = t.scale.to_array();
        [x, y, z, a, b, c, d, u, v, w].map(|x| if x.is_nan() { f32::NAN } else { x }.to_bits())
    };
    pose.iter().map(bits).collect()
}

/// At, beside and between the keys, and beyond the ends.
fn moments(clip: &Clip) -> Vec<f64> {
    let keys = clip.tracks().flat_map(|track| track.times().to_vec());
    let mut keys: Vec<f64> = keys.map(f64::from).collect();
    keys.sort_by(f64::total_cmp);
    keys.dedup();
    let between = keys
        .windows(2)
        .flat_map(|w| [0.1, 0.5, 0.83].map(|t| w[0] + (w[1] - w[0]) * t));
    let mut moments: Vec<f64> = between.collect();
    for key in keys {
        moments.extend([key, key.next_down(), key.next_up()]);
    }
    moments.extend([-1e9, 1e9, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]);
    moments
}

#[track_caller]
fn assert_same_poses(clip: &Clip, skeleton: &Skeleton) {
    let prepared = clip.clone().prepared();
    let odd: JointSet = (0..skeleton.len()).map(|joint| joint % 2 == 1).collect();
    let [mut expected, mut found] = [LocalPose::identity(0), LocalPose::identity(0)];
    for secs in moments(clip) {
        let results = [
            clip.sample_into(skeleton, secs, &mut expected),
            prepared.sample_into(skeleton, secs, &mut found),
        ];
        assert_eq!(results[0], results[1]);
        assert_eq!(bits(&found), bits(&expected), "at {secs} s of {clip:?}");
        for joint in 0..skeleton.len() {
            let local = prepared.sample_joint_at(skeleton, joint, secs);
            let alone = LocalPose::from_transforms(&[local]);
            assert_eq!(bits(&alone)[0], bits(&expected)[joint]);
        }
        let [mut some, mut others] = [
            LocalPose::identity(skeleton.len()),
            LocalPose::identity(skeleton.len()),
        ];
        let results = [
            clip.sample_joints_into(skeleton, secs, &odd, &mut some),
            prepared.sample_joints_into(skeleton, secs, &odd, &mut others),
        ];
        assert_eq!(results[0], results[1]);
        assert_eq!(bits(&others), bits(&some), "odd joints at {secs} s");
    }
}

/// Times of one of five kinds: even, rounded, random, in two clusters, or one key.
fn any_times() -> impl Strategy<Value = Vec<f32>> {
    let steps = prop::collection::vec(1e-4_f32..2.0, 1..12);
    (0..5, -3.0_f32..3.0, steps).prop_map(|(kind, first, steps)| {
        let mut times = vec![first];
        for (k, step) in steps.iter().enumerate() {
            let last = times[times.len() - 1];
            times.push(match kind {
                0 => first + (k + 1) as f32 / 30.0,
                1 => first + ((k + 1) as f32 * 33.333).round() / 1000.0,
                2 => last + step,
                3 if k == steps.len() / 2 => last + 100.0,
                _ => last + 1e-3,
            });
        }
        times.truncate(if kind == 4 { 1 } else { times.len() });
        times
    })
}

/// Rotations near each other, far apart, opposite, of odd lengths and without length.
fn any_rotation() -> impl Strategy<Value = [f32; 4]> {
    let unit = (prop::array::uniform3(-1.0_f32..1.0), -7.0_f32..7.0)
        .prop_map(|(axis, angle)| quat::from_axis_angle(Vec3::from_array(axis), angle));
    let near = (-1e-3_f32..1e-3).prop_map(|x| quat::from_axis_angle(Vec3::X, x));
    prop_oneof![
        4 => unit.clone().prop_map(|q| q.to_array()),
        2 => near.clone().prop_map(|q| q.to_array()),
        1 => near.prop_map(|q| quat::negate(q).to_array()),
        1 => (unit, prop::sample::select(vec![0.0_f32, -0.0, 1e-20, 0.5, 3.0, 1e15, 1e20]))
            .prop_map(|(q, length)| quat::scaled(q, length).to_array()),
        1 => Just([0.0, 0.0, 0.0, 1.0]),
    ]
}

fn any_vector() -> impl Strategy<Value = [f32; 4]> {
    let any = prop_oneof![4 => -5.0_f32..5.0, 1 => Just(0.0), 1 => Just(-0.0), 1 => Just(1e30)];
    prop_oneof![2 => prop::array::uniform4(any), 1 => Just([1.0; 4]), 1 => Just([-0.0; 4])]
}

fn track(way: Interpolation, times: &Arc<Vec<f32>>, width: usize, values: &[[f32; 4]]) -> Track {
    let elements = times.len() * way.elements_per_key();
    let values = values.iter().cycle().take(elements);
    let values: Vec<f32> = values.flat_map(|v| v[..width].iter().copied()).collect();
    Track::new(times.clone(), values, width, way).expect("ascending times")
}

#[derive(Clone, Debug)]
struct Drawn {
    joint: usize,
    channel: usize,
    way: usize,
    times: usize,
    /// A copy of the times, as of a file that does not share them.
    copies: bool,
    vectors: Vec<[f32; 4]>,
    rotations: Vec<[f32; 4]>,
}

fn any_track() -> impl Strategy<Value = Drawn> {
    let places = (
        0..JOINTS,
        0..3_usize,
        0..WAYS.len(),
        0..3_usize,
        any::<bool>(),
    );
    let vectors = prop::collection::vec(any_vector(), 1..5);
    let rotations = prop::collection::vec(any_rotation(), 1..9);
    (places, vectors, rotations).prop_map(|(places, vectors, rotations)| {
        let (joint, channel, way, times, copies) = places;
        // Half of all rotations on arcs.
        let way = if channel == 1 && copies { 2 } else { way };
        Drawn {
            joint,
            channel,
            way,
            times,
            copies,
            vectors,
            rotations,
        }
    })
}

fn clip_of(times: &[Vec<f32>; 3], tracks: &[Drawn]) -> Clip {
    let times = times.clone().map(Arc::new);
    let mut clip = Clip::new("any");
    for drawn in tracks {
        let times = match drawn.copies {
            true => Arc::new(times[drawn.times].to_vec()),
            false => times[drawn.times].clone(),
        };
        let way = WAYS[drawn.way];
        let joint = clip.joint_mut(drawn.joint);
        match drawn.channel {
            0 => joint.translation = Some(track(way, &times, 3, &drawn.vectors)),
            1 => joint.rotation = Some(track(way, &times, 4, &drawn.rotations)),
            _ => joint.scale = Some(track(way, &times, 3, &drawn.vectors)),
        }
    }
    clip
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn prepared_clips_have_the_bits_of_plain_clips(
        times in prop::array::uniform3(any_times()),
        tracks in prop::collection::vec(any_track(), 0..40),
    ) {
        assert_same_poses(&clip_of(&times, &tracks), &skeleton(JOINTS));
    }

    #[test]
    fn arcs_of_any_angle_have_the_bits_of_plain_clips(
        keys in prop::collection::vec(any_rotation(), 2..60),
    ) {
        let times = Arc::new((0..keys.len()).map(|k| k as f32 / 30.0).collect::<Vec<_>>());
        let mut clip = Clip::new("arcs");
        for joint in 0..6 {
            let turned: Vec<_> = keys.iter().cycle().skip(joint).take(keys.len()).copied().collect();
            clip.joint_mut(joint).rotation = Some(track(Interpolation::Slerp, &times, 4, &turned));
        }
        assert_same_poses(&clip, &skeleton(6));
    }
}

fn swing(joint: usize) -> JointTracks {
    let keys = [0.0, 0.4, 2.5].map(|angle| quat::from_axis_angle(Vec3::Z, angle));
    let track = Track::rotations(vec![0.0, 0.5, 1.0], &keys, Interpolation::Slerp);
    let rotation = Some(track.expect("ascending times"));
    JointTracks {
        joint,
        rotation,
        ..JointTracks::default()
    }
}

#[test]
fn odd_clips_play_as_they_are() {
    let mut clip = Clip::new("empty");
    assert_same_poses(&clip, &skeleton(3));
    // A track of the wrong width has no effect.
    clip.joints = vec![swing(0), swing(2)];
    clip.joints[0].scale = clip.joints[0].rotation.clone();
    assert_same_poses(&clip, &skeleton(3));
    // Joints that the skeleton does not have are an error, and the others move.
    assert_same_poses(&clip, &skeleton(2));
    clip.space = ClipSpace::Model;
    assert_same_poses(&clip, &skeleton(3));
    clip.space = ClipSpace::Local;
    // Of two entries of a joint, the later one counts.
    clip.joints = vec![swing(1), swing(0), swing(1)];
    let still = Track::rotations(vec![0.0], &[Quat::IDENTITY], Interpolation::Slerp);
    clip.joints[2].rotation = Some(still.expect("one time"));
    let prepared = clip.clone().prepared();
    let [mut expected, mut found] = [LocalPose::identity(0), LocalPose::identity(0)];
    clip.sample_into(&skeleton(2), 0.3, &mut expected)
        .expect("fits");
    prepared
        .sample_into(&skeleton(2), 0.3, &mut found)
        .expect("fits");
    assert_eq!(bits(&found), bits(&expected));
}

#[test]
fn a_prepared_clip_keeps_what_the_clip_states() {
    let mut clip = Clip::new("swing");
    clip.joints = vec![swing(1)];
    clip.add_event(0.25, "step");
    clip.fit_duration();
    let prepared = clip.clone().prepared();
    assert_eq!((prepared.name(), prepared.duration_secs()), ("swing", 1.0));
    assert_eq!(prepared.events(), clip.events);
    assert_eq!(
        (prepared.joints(), prepared.key_times(1)),
        (2, vec![0.0, 0.5, 1.0])
    );
    assert!(prepared.fits(&skeleton(2)) && !prepared.fits(&skeleton(1)));
    let keys = [Quat::IDENTITY; 2].map(|q| q.to_array());
    let times = Arc::new(vec![0.0, 1.0]);
    clip.joint_mut(0).rotation = Some(track(Interpolation::Slerp, &times, 4, &keys));
    assert_same_poses(&clip, &skeleton(2));
}
