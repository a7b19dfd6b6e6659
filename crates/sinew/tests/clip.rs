use glam::{Quat, Vec3};
use proptest::prelude::*;
use sinew::clip::{ClipSpace, Curve, TrackError};
use sinew::transform::quat;
use sinew::{Affine, Clip, Interpolation, Track};

const ALL: [Interpolation; 6] = [
    Interpolation::Step,
    Interpolation::Linear,
    Interpolation::Slerp,
    Interpolation::Quadratic,
    Interpolation::CubicHermite,
    Interpolation::CatmullRom,
];

#[test]
fn what_a_track_refuses() {
    let linear = Interpolation::Linear;
    let count = |r: Result<Track, TrackError>| matches!(r, Err(TrackError::Count { .. }));
    assert_eq!(
        Track::new(vec![], vec![], 1, linear),
        Err(TrackError::Empty)
    );
    assert_eq!(
        Track::new(vec![0.0], vec![], 0, linear),
        Err(TrackError::ZeroWidth)
    );
    assert!(count(Track::new(vec![0.0, 1.0], vec![1.0], 1, linear)));
    assert!(count(Track::new(
        vec![0.0],
        vec![1.0],
        1,
        Interpolation::CubicHermite
    )));
    assert!(count(Track::new(vec![0.0], vec![1.0], usize::MAX, linear)));
    assert_eq!(
        Track::new(vec![0.0, 1.0, 1.0], vec![1.0; 3], 1, linear),
        Err(TrackError::NotAscending {
            key: 2,
            time_secs: 1.0
        })
    );
    assert_eq!(
        Track::new(vec![0.0, f32::NAN], vec![1.0; 2], 1, linear),
        Err(TrackError::NotFinite { key: 1 })
    );
    assert_eq!(
        Track::new(
            vec![0.0, 1.0],
            vec![0.0, 1.0, f32::INFINITY, 1.0],
            2,
            linear
        ),
        Err(TrackError::NotFinite { key: 1 })
    );
}

fn scalar(track: &Track, time: f64) -> f32 {
    let mut out = [0.0];
    track.sample(time, &mut out).expect("of its width");
    out[0]
}

#[test]
fn each_interpolation_reproduces_the_signals_it_is_exact_for() {
    let times = vec![0.0, 0.5, 0.7, 2.0, 3.5];
    let line = |t: f32| 3.0 - 2.0 * t;
    let parabola = |t: f32| 1.0 + 2.0 * t - 0.7 * t * t;
    let cubic = |t: f32| 0.3 * t * t * t - t + 2.0;
    let keys = |f: &dyn Fn(f32) -> f32| times.iter().map(|&t| f(t)).collect::<Vec<_>>();
    let hermite: Vec<f32> = times
        .iter()
        .flat_map(|&t| {
            let slope = 0.9 * t * t - 1.0;
            [slope, cubic(t), slope]
        })
        .collect();
    let make = |values, kind| Track::new(times.clone(), values, 1, kind).expect("good keys");
    for step in 0..=70 {
        let t = f64::from(step) * 0.05;
        let at = t as f32;
        let near = |found: f32, wanted: f32| {
            assert!(
                (found - wanted).abs() < 1e-5,
                "{t}: {found} is not {wanted}"
            );
        };
        near(
            scalar(&make(keys(&line), Interpolation::Linear), t),
            line(at),
        );
        near(
            scalar(&make(keys(&line), Interpolation::CatmullRom), t),
            line(at),
        );
        near(
            scalar(&make(keys(&parabola), Interpolation::Quadratic), t),
            parabola(at),
        );
        near(
            scalar(&make(hermite.clone(), Interpolation::CubicHermite), t),
            cubic(at),
        );
        if (0.5..=2.0).contains(&t) {
            // Only inner keys have tangents from both neighbours.
            near(
                scalar(&make(keys(&parabola), Interpolation::CatmullRom), t),
                parabola(at),
            );
        }
    }
    let held = make(keys(&line), Interpolation::Step);
    assert_eq!(scalar(&held, 1.999), line(0.7));
}

#[test]
fn splines_pass_keys_without_a_jerk() {
    let times = vec![0.0, 1.0, 1.5, 3.0];
    let keys = vec![0.0, 1.0, -0.5, 2.0];
    let jerk = |kind: Interpolation| {
        let track = Track::new(times.clone(), keys.clone(), 1, kind).expect("good keys");
        let speed = |t: f64| f64::from(scalar(&track, t + 5e-3) - scalar(&track, t - 5e-3)) / 1e-2;
        [1.0, 1.5].map(|t| (speed(t + 5e-3) - speed(t - 5e-3)).abs())
    };
    assert!(jerk(Interpolation::CatmullRom).iter().all(|j| *j < 0.2));
    assert!(jerk(Interpolation::Linear).iter().all(|j| *j > 3.0));
}

#[test]
fn outside_the_keys_the_nearest_holds() {
    let track = Track::new(vec![1.0, 2.0], vec![5.0, 7.0], 1, Interpolation::Linear).expect("good");
    assert_eq!(scalar(&track, -3.0), 5.0);
    assert_eq!(scalar(&track, 9.0), 7.0);
    assert_eq!(scalar(&track, 1.5), 6.0);
}

#[test]
fn rotations_go_the_short_way_round_and_stay_unit() {
    let turn = |d: f32| quat::from_axis_angle(Vec3::Z, d.to_radians());
    let keys = [turn(0.0), quat::negate(turn(90.0))];
    let track = Track::rotations(vec![0.0, 1.0], &keys, Interpolation::Slerp).expect("good");
    let quarter = track.sample_rotation(0.25).unwrap();
    assert!(quat::angle_between(quarter, turn(22.5)) < 1e-6);
    let chord = Track::rotations(vec![0.0, 1.0], &keys, Interpolation::Linear).expect("good");
    let quarter = chord.sample_rotation(0.25).unwrap();
    let angle = quat::angle_between(quarter, Quat::IDENTITY).to_degrees();
    assert!((angle - 21.598_16).abs() < 1e-4);
}

/// Keys 100° apart. The quaternions of the first and the third key have opposite signs.
#[test]
fn splines_of_rotations_follow_a_steady_turn() {
    let turn = |d: f32| quat::from_axis_angle(Vec3::Z, d.to_radians());
    let times: Vec<f32> = (0..5).map(|k| k as f32).collect();
    let keys: Vec<Quat> = times.iter().map(|t| turn(100.0 * t)).collect();
    for kind in [Interpolation::CatmullRom, Interpolation::Quadratic] {
        let track = Track::rotations(times.clone(), &keys, kind).expect("good");
        for step in 0..=80 {
            let t = f64::from(step) * 0.05;
            let off =
                quat::angle_between(track.sample_rotation(t).unwrap(), turn(100.0 * t as f32));
            assert!(off.to_degrees() < 5.0, "{kind:?} at {t}: {} rad off", off);
        }
    }
}

#[test]
fn channels_and_curves() {
    let mut clip = Clip::new("walk");
    let times = vec![0.0, 1.0];
    let joint = clip.joint_mut(3);
    joint.translation = Some(
        Track::vectors(times.clone(), &[Vec3::ZERO, Vec3::X], Interpolation::Linear).expect("good"),
    );
    joint.rotation = Some(
        Track::rotations(times.clone(), &[Quat::IDENTITY; 2], Interpolation::Slerp).expect("good"),
    );
    let camera = Track::new(
        times,
        vec![0.0, 0.0, 1.0, 2.0],
        2,
        Interpolation::CatmullRom,
    );
    clip.curves.push(Curve {
        name: "camera".into(),
        track: camera.expect("good"),
    });
    clip.fit_duration();
    clip.add_event(1.5, "duck");
    clip.add_event(0.5, "footstep");
    assert_eq!(clip.channels(), 3 + 4 + 2);
    assert_eq!(clip.duration_secs, 1.5);
    assert_eq!(clip.events[0].name, "footstep");
    let mut out = [0.0; 2];
    clip.curves[0]
        .track
        .sample(0.5, &mut out)
        .expect("of its width");
    assert_eq!(out, [0.5, 1.0]);
}

proptest! {
    #[test]
    fn sampling_at_a_key_returns_the_key_to_the_bit(
        steps in prop::collection::vec(0.001_f32..2.0, 1..12),
        seed in prop::collection::vec(-5.0_f32..5.0, 144),
        kind in prop::sample::select(&ALL[..]),
    ) {
        let mut t = 0.0;
        let times: Vec<f32> = steps.iter().map(|s| { t += s; t }).collect();
        let values = seed[..times.len() * 4 * kind.elements_per_key()].to_vec();
        let track = Track::new(times.clone(), values, 4, kind).expect("good keys");
        for (k, &time) in times.iter().enumerate() {
            let mut out = [0.0; 4];
            track.sample(f64::from(time), &mut out).expect("of its width");
            prop_assert_eq!(&out[..], track.key(k));
            prop_assert_eq!(&track.sample_rotation(f64::from(time)).unwrap().to_array()[..], track.key(k));
        }
    }

    #[test]
    fn sampling_is_continuous_except_at_steps(
        steps in prop::collection::vec(0.05_f32..1.0, 2..8),
        seed in prop::collection::vec(-1.0_f32..1.0, 96),
        kind in prop::sample::select(&ALL[1..]),
    ) {
        let mut t = 0.0;
        let times: Vec<f32> = steps.iter().map(|s| { t += s; t }).collect();
        let keys: Vec<Quat> = seed.chunks_exact(4).take(times.len())
            .map(|c| quat::normalized(Quat::from_xyzw(c[0] + 2.0, c[1], c[2], c[3]))).collect();
        let values: Vec<f32> = if kind == Interpolation::CubicHermite {
            keys.iter().flat_map(|q| [[0.1; 4], q.to_array(), [0.2; 4]]).flatten().collect()
        } else {
            keys.iter().flat_map(|q| q.to_array()).collect()
        };
        let track = Track::new(times.clone(), values, 4, kind).expect("good keys");
        for &time in &times {
            let t = f64::from(time);
            let before = track.sample_rotation(t - 1e-6).unwrap();
            let after = track.sample_rotation(t + 1e-6).unwrap();
            prop_assert!(quat::angle_between(before, after) < 1e-3, "{kind:?} at {t}");
        }
    }
}

#[test]
fn matrices_at_bad_times_are_refused_even_when_nothing_moves() {
    let still = [Affine::IDENTITY; 2];
    for times in [
        vec![1.0, 0.0],
        vec![0.0, f32::INFINITY],
        vec![f32::NAN, 1.0],
    ] {
        let clip = Clip::from_matrices("still", ClipSpace::Local, times.clone(), 1, &still);
        assert!(clip.is_err(), "{times:?}");
    }
}
