use glam::{Quat, Vec3};
use sinew::clip::{Channel, Clip, Key, KeyError, OverLimit};
use sinew::transform::{Axis, quat};
use sinew::{Interpolation, LocalPose, Skeleton, Track, TrackError, sample};
use sinew_samples::humanoid_character;

fn person() -> (Skeleton, usize) {
    let skeleton = humanoid_character().skeleton;
    let knee = skeleton.find("left_lower_leg").unwrap();
    (skeleton, knee)
}

fn turned(angle: f32) -> Key {
    Key::Rotation(Axis::X.rotation(angle))
}

#[test]
fn keys_that_cannot_be_are_refused_and_leave_the_clip() {
    let (skeleton, knee) = person();
    let mut clip = Clip::new("kick");
    clip.insert_key(&skeleton, knee, 0.5, turned(0.3), OverLimit::Refuse)
        .unwrap();
    let before = clip.clone();
    let nan = f32::NAN;
    let long = Key::Rotation(Quat::from_xyzw(0.0, 0.0, 0.0, 2.0));
    let cases = [
        (99, 0.1, turned(0.1), "there is no joint 99"),
        (knee, -0.1, turned(0.1), "-0.1 s is not a time"),
        (knee, nan, turned(0.1), "NaN s is not a time"),
        (knee, 0.1, long, "for a rotation, unit length"),
        (knee, 0.1, Key::Scale(Vec3::splat(nan)), "must be finite"),
        (
            knee,
            0.1,
            turned(-0.5),
            "\"left_lower_leg\" is 0.5000 beyond its limits",
        ),
        (
            knee,
            0.1,
            Key::Translation(Vec3::Y),
            "\"left_lower_leg\" is",
        ),
    ];
    for (joint, time, key, message) in cases {
        let error = clip
            .insert_key(&skeleton, joint, time, key, OverLimit::Refuse)
            .unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
    let no_track = KeyError::NoTrack {
        joint: knee,
        channel: Channel::Scale,
    };
    assert_eq!(
        clip.move_key(knee, Channel::Scale, 0, 1.0),
        Err(no_track.clone())
    );
    assert_eq!(clip.delete_key(knee, Channel::Scale, 0), Err(no_track));
    let no_key = KeyError::NoSuchKey { key: 1, keys: 1 };
    assert_eq!(clip.move_key(knee, Channel::Rotation, 1, 1.0), Err(no_key));
    assert_eq!(clip, before);
    let mut track = Track::new(vec![0.0, 1.0], vec![1.0, 2.0], 1, Interpolation::Linear).unwrap();
    assert_eq!(
        track.move_key(0, 1.0),
        Err(KeyError::Taken {
            key: 1,
            time_secs: 1.0
        })
    );
    assert_eq!(track.insert_key(0.5, &[1.0, 2.0]), Err(KeyError::BadValue));
    track.delete_key(0).unwrap();
    assert_eq!(track.delete_key(0), Err(KeyError::Track(TrackError::Empty)));
}

#[test]
fn limits_are_checked_on_insert() {
    let (skeleton, knee) = person();
    let mut clip = Clip::new("kick");
    clip.insert_key(&skeleton, knee, 0.0, turned(-0.5), OverLimit::Clamp)
        .unwrap();
    clip.insert_key(&skeleton, knee, 1.0, turned(-0.5), OverLimit::Allow)
        .unwrap();
    let track = clip.joint(knee).unwrap().rotation.as_ref().unwrap();
    assert!(quat::angle_between(track.sample_rotation(0.0).unwrap(), Quat::IDENTITY) < 1e-6);
    assert!(
        quat::angle_between(track.sample_rotation(1.0).unwrap(), Axis::X.rotation(-0.5)) < 1e-6
    );
}

#[test]
fn keys_are_inserted_moved_and_deleted_in_any_order() {
    let mut track = Track::new(vec![1.0], vec![10.0], 1, Interpolation::Linear).unwrap();
    for time in [3.0, 0.0, 2.0, 4.0] {
        track.insert_key(time, &[10.0 * time]).unwrap();
    }
    assert_eq!(track.times()[..], [0.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(track.insert_key(2.0, &[7.0]).unwrap(), 2);
    assert_eq!(track.keys(), 5);
    assert_eq!(track.move_key(2, 5.0).unwrap(), 4);
    assert_eq!(track.times()[..], [0.0, 1.0, 3.0, 4.0, 5.0]);
    assert_eq!(track.values()[..], [0.0, 10.0, 30.0, 40.0, 7.0]);
    assert_eq!(track.move_key(4, 5.0).unwrap(), 4);
    track.delete_key(1).unwrap();
    assert_eq!(track.values()[..], [0.0, 30.0, 40.0, 7.0]);
}

#[test]
fn keyed_motion_is_smooth_and_does_not_overshoot() {
    let cubic = Interpolation::CubicHermite;
    let mut track = Track::new(vec![0.0], vec![0.0, 0.0, 0.0], 1, cubic).unwrap();
    for (time, value) in [(2.0, 5.0), (1.0, 4.0), (3.0, 5.0), (4.0, 1.0), (6.0, 0.0)] {
        track.insert_key(time, &[value]).unwrap();
    }
    let at = |t: f64| {
        let mut out = [0.0];
        track.sample(t, &mut out).expect("of its width");
        out[0]
    };
    let mut last = at(0.0);
    let (mut slope, mut max_jerk) = (0.0_f32, 0.0_f32);
    for i in 1..=6000 {
        let t = f64::from(i) / 1000.0;
        let now = at(t);
        assert!((-1e-6..=5.0 + 1e-6).contains(&now), "{t}: {now}");
        let step = now - last;
        assert!(
            if t <= 2.0 {
                step >= -1e-5
            } else {
                step <= 1e-5
            },
            "{t}: {step}"
        );
        max_jerk = max_jerk.max((step * 1000.0 - slope).abs());
        (slope, last) = (step * 1000.0, now);
    }
    assert!(max_jerk < 0.1, "speed jumps by {max_jerk}");
    let again = track
        .with_interpolation(Interpolation::Linear)
        .with_interpolation(cubic);
    assert_eq!(again, track);
}

#[test]
fn keys_and_values_leave_tangents_that_were_set_by_hand() {
    let cubic = Interpolation::CubicHermite;
    let mut track = Track::new(vec![0.0], vec![0.0, 0.0, 0.0], 1, cubic).unwrap();
    for time in [1.0, 2.0, 3.0, 4.0] {
        track.insert_key(time, &[time]).unwrap();
    }
    track.set_tangents(2, &[0.25], &[-3.0]).unwrap();
    let by_hand = [&[0.25_f32][..], &[-3.0]];
    track.insert_key(2.0, &[5.0]).unwrap();
    assert_eq!(track.tangents(2), Some(by_hand), "another value");
    track.insert_key(1.5, &[1.0]).unwrap();
    assert_eq!(track.tangents(3), Some(by_hand), "a key beside it");
    track.delete_key(2).unwrap();
    assert_eq!(
        track.tangents(2),
        Some(by_hand),
        "the key beside it is gone"
    );
    // The neighbours are automatic: the parabola through 0, 1 and 5 rises by 2.5 per second at 1 s.
    assert_eq!(track.tangents(1), Some([&[2.5_f32][..], &[2.5]]));
}

#[test]
fn a_rotation_by_hand_keeps_its_speed_when_the_key_rotates() {
    let (skeleton, knee) = person();
    let mut clip = Clip::new("kick");
    let key = |clip: &mut Clip, time: f32, rotation: Quat| {
        let key = Key::Rotation(rotation);
        let set = clip.insert_key(&skeleton, knee, time, key, OverLimit::Allow);
        set.unwrap();
    };
    for time in [0.0, 1.0, 2.0] {
        key(&mut clip, time, Axis::X.rotation(time));
    }
    let mut track = clip.track(knee, Channel::Rotation).unwrap().clone();
    // 2 rad/s about x at 1 s: the derivative of (sin(a / 2), 0, 0, cos(a / 2)).
    let slopes = |angle: f32| [(angle / 2.0).cos(), 0.0, 0.0, -(angle / 2.0).sin()];
    track.set_tangents(1, &slopes(1.0), &slopes(1.0)).unwrap();
    clip.set_track(knee, Channel::Rotation, Some(track))
        .unwrap();
    // The opposite quaternion is the same rotation.
    for (angle, sign) in [(2.5, 1.0), (2.5, -1.0), (0.25, 1.0)] {
        key(&mut clip, 1.0, Axis::X.rotation(angle) * sign);
        let track = clip.track(knee, Channel::Rotation).unwrap();
        for side in track.tangents(1).unwrap() {
            for (found, wanted) in side.iter().zip(slopes(angle)) {
                assert!((found - wanted).abs() < 1e-5, "{angle}: {side:?}");
            }
        }
    }
}

#[test]
fn a_person_is_keyed_by_poses() {
    let (skeleton, knee) = person();
    let hip = skeleton.find("left_upper_leg").unwrap();
    let mut clip = Clip::new("kick");
    let mut pose: LocalPose = skeleton.rest().clone();
    clip.insert_pose(&skeleton, 0.0, &pose, OverLimit::Refuse)
        .unwrap();
    assert!(clip.joints.is_empty());
    for (time, angle) in [(0.4, 1.0), (0.8, 0.2)] {
        // Keys have both signs, but interpolation must take the shorter arc.
        let side = if time > 0.5 { -1.0 } else { 1.0 };
        pose.set_rotation(knee, quat::scaled(Axis::X.rotation(angle), side));
        pose.set_rotation(hip, Axis::X.rotation(-angle));
        clip.insert_pose(&skeleton, time, &pose, OverLimit::Refuse)
            .unwrap();
    }
    assert_eq!(clip.duration_secs, 0.8);
    assert_eq!(clip.joints.len(), 2);
    let mut between = skeleton.rest().clone();
    for i in 0..=100 {
        sample(&clip, &skeleton, f64::from(i) * 0.008, &mut between).unwrap();
        let angle = quat::angle_between(between.get(knee).rotation, Quat::IDENTITY);
        assert!(angle <= 1.0 + 1e-3, "{i}: {angle}");
    }
    sample(&clip, &skeleton, 0.6, &mut between).unwrap();
    let half = quat::angle_between(between.get(knee).rotation, Quat::IDENTITY);
    assert!((0.55..0.65).contains(&half), "{half}");
    let before = clip.clone();
    pose.set_rotation(knee, Axis::X.rotation(-1.0));
    assert!(
        clip.insert_pose(&skeleton, 1.0, &pose, OverLimit::Refuse)
            .is_err()
    );
    assert_eq!(clip, before);
    for _ in 0..2 {
        clip.delete_key(knee, Channel::Rotation, 0).unwrap();
    }
    assert!(clip.joint(knee).is_none() && clip.joint(hip).is_some());
}
