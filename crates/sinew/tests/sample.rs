use glam::{Quat, Vec3};
use sinew::clip::{ClipSpace, MorphTrack};
use sinew::transform::quat;
use sinew::{
    Affine, Clip, Interpolation, Joint, LocalPose, ModelPose, Playable, Skeleton, Track,
    TrackError, Transform, sample, sample_morphs,
};

fn turn(axis: Vec3, degrees: f32) -> Quat {
    quat::from_axis_angle(axis, degrees.to_radians())
}

/// No clip here moves the ankle.
fn leg() -> Skeleton {
    let knee = Transform::from_rotation_translation(turn(Vec3::X, 20.0), Vec3::Y * -0.4);
    let joints = vec![
        Joint::new("hip", None, Transform::from_translation(Vec3::Y)),
        Joint::new("knee", Some(0), knee),
        Joint::new(
            "ankle",
            Some(1),
            Transform::from_translation(Vec3::Y * -0.4),
        ),
    ];
    Skeleton::new(joints).expect("a chain").0
}

fn swing() -> Clip {
    let mut clip = Clip::new("swing");
    let times = vec![0.0, 0.5, 1.25];
    let hips = [
        turn(Vec3::X, -30.0),
        turn(Vec3::X, 40.0),
        turn(Vec3::X, -30.0),
    ];
    let knees = [
        turn(Vec3::X, 10.0),
        turn(Vec3::X, 80.0),
        turn(Vec3::X, 10.0),
    ];
    let path = [Vec3::Y, Vec3::new(0.0, 1.1, 0.4), Vec3::new(0.0, 1.0, 0.8)];
    let hip = clip.joint_mut(0);
    hip.rotation =
        Some(Track::rotations(times.clone(), &hips, Interpolation::Slerp).expect("good"));
    hip.translation =
        Some(Track::vectors(times.clone(), &path, Interpolation::Linear).expect("good"));
    clip.joint_mut(1).rotation =
        Some(Track::rotations(times, &knees, Interpolation::Slerp).expect("good"));
    clip.fit_duration();
    clip
}

fn model_at(clip: &Clip, skeleton: &Skeleton, time: f64) -> ModelPose {
    let mut local = LocalPose::identity(0);
    sample(clip, skeleton, time, &mut local).unwrap();
    let mut model = ModelPose::identity(0);
    model
        .update(skeleton.hierarchy(), &local, &Affine::IDENTITY)
        .expect("of this skeleton");
    model
}

#[test]
fn untracked_channels_stay_at_rest_and_nothing_is_remembered() {
    let (leg, clip) = (leg(), swing());
    let mut pose = LocalPose::identity(0);
    sample(&clip, &leg, 0.3, &mut pose).unwrap();
    assert_eq!(pose.get(2), leg.rest().get(2));
    assert_eq!(pose.get(1).translation, leg.rest().get(1).translation);
    let first = pose.clone();
    for time in [9.0, -1.0, 0.7] {
        sample(&clip, &leg, time, &mut pose).unwrap();
    }
    sample(&clip, &leg, 0.3, &mut pose).unwrap();
    assert_eq!(pose, first);
}

#[test]
fn a_clip_of_another_skeleton_is_reported_and_its_other_joints_move() {
    let (leg, mut clip) = (leg(), swing());
    let mut expected = LocalPose::identity(0);
    sample(&clip, &leg, 0.3, &mut expected).unwrap();
    clip.joint_mut(77).rotation = clip.joints[0].rotation.clone();
    let mut pose = LocalPose::identity(0);
    for _ in 0..2 {
        let mismatch = sample(&clip, &leg, 0.3, &mut pose).unwrap_err();
        assert_eq!((mismatch.found, mismatch.expected), (78, 3));
        assert_eq!(pose, expected);
        assert_eq!(clip.sample_into(&leg, 0.3, &mut pose), Err(mismatch));
    }
    let all = (0..3).map(|_| true).collect();
    let before = leg.rest().clone();
    pose.copy_from(&before);
    assert!(clip.sample_joints_into(&leg, 0.3, &all, &mut pose).is_err());
    assert_eq!(pose, before);
}

#[test]
fn keys_are_interpolated_before_the_chain_is_multiplied_out() {
    let joints = vec![
        Joint::new("shoulder", None, Transform::IDENTITY),
        Joint::new("hand", Some(0), Transform::from_translation(Vec3::X * 2.0)),
    ];
    let arm = Skeleton::new(joints).expect("a chain").0;
    let mut clip = Clip::new("raise");
    let keys = [Quat::IDENTITY, turn(Vec3::Z, 90.0)];
    let track = Track::rotations(vec![0.0, 1.0], &keys, Interpolation::Slerp);
    clip.joint_mut(0).rotation = Some(track.expect("good"));
    let hand = |time: f64| *model_at(&clip, &arm, time).get(1);
    let middle = hand(0.5).translation();
    let s = std::f32::consts::SQRT_2;
    assert!(
        middle.distance(Vec3::new(s, s, 0.0)) < 1e-6,
        "on the arc: {middle}"
    );
    // The printed blend of both final matrices is on the chord, and shrunk.
    let mut printed = Affine::ZERO;
    printed.add_scaled(&hand(0.0), 0.5);
    printed.add_scaled(&hand(1.0), 0.5);
    assert!(printed.translation().distance(Vec3::new(1.0, 1.0, 0.0)) < 1e-6);
    assert!((printed.determinant() - 0.5).abs() < 1e-6);
}

#[test]
fn model_space_matrices_play_like_the_clip_they_were_baked_from() {
    let (leg, clip) = (leg(), swing());
    let times: Vec<f32> = (0..=50).map(|f| f as f32 * 0.025).collect();
    for space in [ClipSpace::Local, ClipSpace::Model] {
        let mut frames = Vec::new();
        for &t in &times {
            let mut local = LocalPose::identity(0);
            sample(&clip, &leg, f64::from(t), &mut local).unwrap();
            match space {
                ClipSpace::Local => frames.extend(local.iter().map(|t| t.to_affine())),
                ClipSpace::Model => frames.extend(model_at(&clip, &leg, f64::from(t)).as_slice()),
            }
        }
        let (baked, shear) =
            Clip::from_matrices("baked", space, times.clone(), 3, &frames).expect("good");
        assert!(shear < 1e-6);
        assert_eq!(baked.duration_secs, 1.25);
        for time in [0, 4, 19, 20, 40, 50].map(|f| f64::from(times[f])) {
            let (ours, theirs) = (model_at(&baked, &leg, time), model_at(&clip, &leg, time));
            for joint in 0..3 {
                let error = ours.get(joint).max_difference(theirs.get(joint));
                assert!(
                    error < 2e-6,
                    "{space:?} at {time}: joint {joint} off by {error}"
                );
            }
        }
        // Between frames, keys in model space cut arcs of up to 4.9 rad/s about 0.4 by r·(ωh)²/8
        // each. A clip that steps from frame to frame is off by 0.03.
        let allowed = match space {
            ClipSpace::Local => 4e-6,
            ClipSpace::Model => 1.2e-3,
        };
        for frame in [0, 7, 19, 20, 33, 49] {
            let time = f64::from(times[frame] + times[frame + 1]) / 2.0;
            let (ours, theirs) = (model_at(&baked, &leg, time), model_at(&clip, &leg, time));
            for joint in 0..3 {
                let error = ours.get(joint).max_difference(theirs.get(joint));
                assert!(
                    error < allowed,
                    "{space:?} between frames, at {time}: joint {joint} off by {error}"
                );
            }
        }
    }
}

#[test]
fn a_model_space_clip_leaves_untracked_joints_on_their_parents() {
    let leg = leg();
    let mut clip = Clip::new("knee only");
    clip.space = ClipSpace::Model;
    let there = Vec3::new(0.3, 0.5, 0.2);
    clip.joint_mut(1).translation =
        Some(Track::vectors(vec![0.0], &[there], Interpolation::Linear).expect("good"));
    let pose = model_at(&clip, &leg, 0.0);
    assert!(pose.get(1).translation().distance(there) < 1e-6);
    let rest = leg.rest_model();
    let (ours, at_rest) = (pose.frame(1, 2).expect("ok"), rest.frame(1, 2).expect("ok"));
    assert!(ours.max_difference(&at_rest) < 1e-6);
    assert_eq!(pose.get(0), rest.get(0));
}

#[test]
fn matrices_that_do_not_fit_are_refused_and_shear_is_said() {
    let times = vec![0.0, 1.0];
    let make =
        |frames: &[Affine]| Clip::from_matrices("m", ClipSpace::Local, times.clone(), 1, frames);
    assert!(matches!(
        make(&[Affine::IDENTITY]),
        Err(TrackError::Count { .. })
    ));
    let broken = Affine::from_translation(Vec3::NAN);
    assert_eq!(
        make(&[Affine::IDENTITY, broken]),
        Err(TrackError::NotFinite { key: 1 })
    );
    let sheared = Affine::from_axes(Vec3::X, Vec3::new(0.5, 1.0, 0.0), Vec3::Z, Vec3::ZERO);
    let (_, shear) = make(&[Affine::IDENTITY, sheared]).expect("splits");
    assert!(shear > 0.1);
    let none = Clip::from_matrices("m", ClipSpace::Local, vec![], 1, &[]);
    assert!(none.is_err());
}

#[test]
fn morph_weights_come_from_the_track_or_from_rest() {
    let mut clip = Clip::new("blink");
    let keys = vec![0.0, 1.0, 1.0, 0.0];
    clip.morphs.push(MorphTrack {
        node: 4,
        weights: Track::new(vec![0.0, 1.0], keys, 2, Interpolation::Linear).expect("good"),
    });
    let mut out = [9.0; 2];
    sample_morphs(Some(&clip), 4, 0.25, &[], &mut out);
    assert_eq!(out, [0.25, 0.75]);
    sample_morphs(Some(&clip), 5, 0.25, &[0.5], &mut out);
    assert_eq!(out, [0.5, 0.0]);
    let mut more = [9.0; 3];
    sample_morphs(Some(&clip), 4, 0.25, &[], &mut more);
    assert_eq!(more, [0.25, 0.75, 0.0]);
    let mut fewer = [9.0; 1];
    sample_morphs(Some(&clip), 4, 0.25, &[0.5], &mut fewer);
    assert_eq!(fewer, [0.5]);
}
