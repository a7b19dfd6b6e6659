use proptest::prelude::*;
use sinew::clip::{ClipEditError, ClipSpace, Curve, Interpolation, Track};
use sinew::glam::{EulerRot, Quat, Vec3};
use sinew::transform::Axis;
use sinew::{Affine, Character, Clip, Joint, LocalPose, ModelPose, Skeleton, Transform, sample};
use sinew_rig::weights::mirrored_joints;

fn mannequin() -> Character {
    sinew_samples::mannequin::Mannequin::default().build()
}

fn local(skeleton: &Skeleton, clip: &Clip, time_secs: f64) -> LocalPose {
    let mut pose = LocalPose::identity(skeleton.len());
    sample(clip, skeleton, time_secs, &mut pose).unwrap();
    pose
}

fn model(skeleton: &Skeleton, clip: &Clip, time_secs: f64) -> ModelPose {
    let mut pose = ModelPose::identity(skeleton.len());
    let local = local(skeleton, clip, time_secs);
    pose.update(skeleton.hierarchy(), &local, &Affine::IDENTITY)
        .expect("a pose of it");
    pose
}

fn apart(character: &Character, [a, b]: [&Clip; 2], times: [f64; 2]) -> f32 {
    let pose = |clip: &Clip, time: f64| local(&character.skeleton, clip, time);
    let [a, b] = [pose(a, times[0]), pose(b, times[1])];
    let joints = (0..character.skeleton.len()).map(|joint| {
        let (a, b) = (a.get(joint), b.get(joint));
        // Twice the chord, because `acos` is inaccurate for small angles.
        let turned = 2.0
            * (a.rotation - b.rotation)
                .length()
                .min((a.rotation + b.rotation).length());
        let moved = a.translation.distance(b.translation);
        turned.max(moved).max(a.scale.distance(b.scale))
    });
    joints.fold(0.0, f32::max)
}

#[test]
fn a_part_moves_as_the_whole_did() {
    let person = mannequin();
    for clip in &person.clips {
        let [from, to] = [0.213_f32, 0.77 * clip.duration_secs];
        let part = clip.trimmed(from, to).expect("a part");
        assert!((part.duration_secs - (to - from)).abs() < 1e-6);
        for step in 0..50 {
            let time = f64::from(part.duration_secs) * f64::from(step) / 49.0;
            let worst = apart(&person, [clip, &part], [time + f64::from(from), time]);
            assert!(worst < 2e-4, "{}: {worst} at {time} s", clip.name);
        }
        let inside = clip
            .events
            .iter()
            .filter(|e| (from..=to).contains(&e.time_secs));
        assert_eq!(part.events.len(), inside.count());
    }
}

#[test]
fn a_cubic_is_cut_into_the_same_cubics() {
    let values = vec![0.0, 1.0, 5.0, -2.0, 3.0, 0.5];
    let track = Track::new(vec![0.0, 2.0], values, 1, Interpolation::CubicHermite).unwrap();
    let mut clip = Clip::new("curve");
    let name = "height".to_owned();
    clip.curves.push(Curve { name, track });
    clip.fit_duration();
    let part = clip.trimmed(0.3, 1.6).unwrap();
    for step in 0..=20 {
        let time = 1.3 * f64::from(step) / 20.0;
        let (mut whole, mut cut) = ([0.0], [0.0]);
        clip.curves[0].track.sample(time + 0.3, &mut whole).unwrap();
        part.curves[0].track.sample(time, &mut cut).unwrap();
        assert!(
            (whole[0] - cut[0]).abs() < 1e-5,
            "{time}: {whole:?} {cut:?}"
        );
    }
}

#[test]
fn parts_that_are_none_and_clips_that_do_not_fit_are_refused() {
    let person = mannequin();
    let walk = &person.clips[1];
    for (from, to) in [
        (0.5, 0.5),
        (0.7, 0.2),
        (-0.1, 0.5),
        (0.0, 1e9),
        (f32::NAN, 1.0),
    ] {
        let refused = walk.trimmed(from, to);
        assert!(
            matches!(refused, Err(ClipEditError::NoPart { .. })),
            "{from} {to}"
        );
    }
    for fps in [0.0, -30.0, f64::NAN, 1e12] {
        assert!(matches!(
            walk.resampled(fps),
            Err(ClipEditError::Rate { .. })
        ));
    }
    let mut other = Clip::new("of another space");
    other.space = ClipSpace::Model;
    let refused = walk.joined(&other, &person.skeleton);
    assert_eq!(refused, Err(ClipEditError::Spaces));
    let mut cubic = walk.clone();
    for tracks in &mut cubic.joints {
        let smooth = |t: &Track| t.with_interpolation(Interpolation::CubicHermite);
        tracks.rotation = tracks.rotation.as_ref().map(smooth);
    }
    let refused = walk.joined(&cubic, &person.skeleton).unwrap_err();
    assert!(refused.to_string().contains("same rate"), "{refused}");
}

#[test]
fn what_only_one_of_two_clips_moves_rests_in_the_other() {
    let person = mannequin();
    let skeleton = &person.skeleton;
    let nod = skeleton.find("head").expect("a head");
    let mut still = Clip::new("nod");
    let turns = [Quat::from_rotation_x(0.3), Quat::from_rotation_x(0.5)];
    let track = Track::rotations(vec![0.2, 0.6], &turns, Interpolation::Slerp).unwrap();
    still.joint_mut(nod).rotation = Some(track);
    still.duration_secs = 1.0;
    for walk in &person.clips {
        let end = f64::from(walk.duration_secs);
        let [before, after] = [still.joined(walk, skeleton), walk.joined(&still, skeleton)];
        let [before, after] = [before.unwrap(), after.unwrap()];
        assert_eq!(before.curves.len(), walk.curves.len());
        for (curve, held) in walk.curves.iter().zip(&before.curves) {
            let mut value = vec![0.0; curve.track.width()];
            held.track.sample(0.0, &mut value).unwrap();
            assert_eq!(value, curve.track.key(0));
        }
        for time in [0.0, 0.1, 0.4, 0.8, 0.99] {
            let worst = apart(&person, [&before, &still], [time, time]);
            assert!(worst < 1e-4, "{worst} before {} at {time} s", walk.name);
            // The first clip contains the time of the seam.
            let time = time.max(1e-3);
            let worst = apart(&person, [&after, &still], [end + time, time]);
            assert!(worst < 1e-3, "{worst} after {} at {time} s", walk.name);
            let worst = apart(&person, [&after, walk], [time * end, time * end]);
            assert!(worst < 1e-4, "{worst} in {} at {time} of it", walk.name);
        }
    }
}

#[test]
fn turned_round_twice_it_is_the_same_and_once_it_goes_back() {
    let person = mannequin();
    for clip in &person.clips {
        let back = clip.reversed();
        for step in 0..20 {
            let time = f64::from(clip.duration_secs) * (f64::from(step) + 0.37) / 20.0;
            let other = f64::from(clip.duration_secs) - time;
            let worst = apart(&person, [clip, &back], [time, other]);
            assert!(worst < 1e-3, "{}: {worst} at {time} s", clip.name);
        }
    }
    let held = Track::new(
        vec![0.0, 1.0, 2.0],
        vec![5.0, 6.0, 7.0],
        1,
        Interpolation::Step,
    );
    let mut clip = Clip::new("steps");
    let name = "light".to_owned();
    let track = held.unwrap();
    clip.curves.push(Curve { name, track });
    clip.fit_duration();
    let at = |clip: &Clip, time: f64| {
        let mut out = [0.0];
        clip.curves[0].track.sample(time, &mut out).unwrap();
        out[0]
    };
    assert_eq!([0.5, 1.5].map(|t| at(&clip.reversed(), t)), [6.0, 5.0]);
}

#[test]
fn sampled_anew_it_moves_the_same() {
    let person = mannequin();
    // Resampling cuts corners at keys: eight times the rate, an eighth of the error.
    for (fps, bound) in [(120.0, 0.024), (960.0, 0.003)] {
        for clip in &person.clips {
            let even = clip.resampled(fps).unwrap();
            assert_eq!(even.duration_secs, clip.duration_secs);
            let ends = even.tracks().filter(|t| t.keys() > 1).map(Track::end_secs);
            assert!(ends.into_iter().all(|end| end <= clip.duration_secs));
            for step in 0..50 {
                let time = f64::from(clip.duration_secs) * f64::from(step) / 49.0;
                let worst = apart(&person, [clip, &even], [time, time]);
                assert!(worst < bound, "{}: {worst} at {time} s", clip.name);
            }
        }
    }
}

#[test]
fn mirrored_the_other_side_does_it_and_twice_is_the_same_to_the_bit() {
    let person = mannequin();
    let skeleton = &person.skeleton;
    let names: Vec<&str> = (0..skeleton.len()).map(|j| skeleton.name(j)).collect();
    let partner = mirrored_joints(&names);
    let pairs = (0..partner.len()).filter(|&j| partner[j] != j).count();
    assert!(pairs > 20, "{pairs} joints have a partner");
    for clip in &person.clips {
        let mirrored = clip.mirrored(skeleton, &partner, Axis::X);
        assert_ne!(&mirrored, clip, "{}", clip.name);
        assert_eq!(
            &mirrored.mirrored(skeleton, &partner, Axis::X),
            clip,
            "{}",
            clip.name
        );
        for step in 0..10 {
            let time = f64::from(clip.duration_secs) * f64::from(step) / 9.0;
            let places = [clip, &mirrored].map(|clip| model(skeleton, clip, time));
            for (joint, &other) in partner.iter().enumerate() {
                let mut wanted = places[0].get(joint).translation();
                wanted.x = -wanted.x;
                let found = places[1].get(other).translation();
                let off = wanted.distance(found);
                assert!(off < 1e-4, "{} of {}: {off}", names[joint], clip.name);
            }
        }
    }
}

#[test]
fn a_mirror_holds_for_frames_that_are_not_along_axes() {
    let tilt = |side: f32| Quat::from_euler(EulerRot::XYZ, 0.3, side * 0.7, side * -0.4);
    let arm = |name: &str, side: f32| {
        let place = Vec3::new(side * 0.2, 0.4, 0.1);
        Joint::new(
            name,
            Some(0),
            Transform::from_rotation_translation(tilt(side), place),
        )
    };
    let hand = |name: &str, arm: usize, side: f32| {
        let turn = Quat::from_rotation_x(0.2 + side);
        let reach = tilt(side).inverse() * Vec3::new(side * 0.5, 0.1, 0.0);
        Joint::new(
            name,
            Some(arm),
            Transform::from_rotation_translation(turn, reach),
        )
    };
    let hips = Joint::new("hips", None, Transform::from_translation(Vec3::Y));
    let joints = vec![
        hips,
        arm("arm_L", 1.0),
        arm("arm_R", -1.0),
        hand("hand_L", 1, 1.0),
        hand("hand_R", 2, -1.0),
    ];
    let (skeleton, _) = Skeleton::new(joints).unwrap();
    let partner = [0, 2, 1, 4, 3];
    let mut clip = Clip::new("reach");
    let turns = [tilt(1.0), Quat::from_rotation_z(0.9) * tilt(1.0)];
    let swing = Track::rotations(vec![0.0, 1.0], &turns, Interpolation::Slerp).unwrap();
    clip.joint_mut(1).rotation = Some(swing);
    clip.fit_duration();
    let mirrored = clip.mirrored(&skeleton, &partner, Axis::X);
    for time in [0.0, 0.4, 1.0] {
        let places = [&clip, &mirrored].map(|clip| model(&skeleton, clip, time));
        let hand = places[0].get(3).translation();
        let wanted = Vec3::new(-hand.x, hand.y, hand.z);
        let off = places[1].get(4).translation().distance(wanted);
        assert!(off < 1e-5, "{off} at {time}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn cut_and_joined_it_is_the_same_to_the_bit(
        steps in prop::collection::vec(1e-4_f32..0.7, 3..40),
        begins in 0.0_f32..3.0,
        place in any::<prop::sample::Index>(),
        cubic in any::<bool>(),
    ) {
        let mut time = begins;
        let mut times = vec![0.0];
        for step in steps {
            time += step;
            times.push(time);
        }
        let count = times.len();
        let cut = 1 + place.index(count - 2);
        let number = |k: usize| ((k * 7919) % 113) as f32 * 0.37 - 20.0;
        let (interpolation, numbers) = match cubic {
            true => (Interpolation::CubicHermite, 9 * count),
            false => (Interpolation::Linear, 3 * count),
        };
        let values: Vec<f32> = (0..numbers).map(number).collect();
        let mut clip = Clip::new("any");
        let track = Track::new(times.clone(), values, 3, interpolation).unwrap();
        clip.joint_mut(2).translation = Some(track);
        clip.add_event(times[cut], "seam");
        clip.add_event(times[count - 1], "end");
        clip.add_event(times[1], "first");
        clip.fit_duration();
        let first = clip.trimmed(0.0, times[cut]).unwrap();
        let second = clip.trimmed(times[cut], clip.duration_secs).unwrap();
        let (skeleton, _) = Skeleton::new(vec![Joint::new("root", None, Transform::IDENTITY)]).unwrap();
        prop_assert_eq!(first.joined(&second, &skeleton).unwrap(), clip);
    }
}
