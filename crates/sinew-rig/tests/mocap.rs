//! Markers to motion: recovers a known subject and its known motion from synthetic sightings.

use crate::made_capture;

use glam::{DMat3, DVec3, Vec3};
use made_capture::compare::{compare, poses};
use made_capture::{Dice, models, motion, noisy, perfect, place, subject};
use sinew::transform::quat;
use sinew::{Skeleton, sample};
use sinew_rig::mocap::{Capture, FitError, MarkerSet, Sighting, Trial, from_positions, rigid_fit};
use sinew_rig::template::Biped;

fn biped() -> Skeleton {
    let template = Biped::default().template();
    template.skeleton().expect("the biped is a skeleton")
}

/// Four markers of a rotated segment (requirement `derived_mocap_markers`).
#[test]
fn markers_of_a_segment_give_its_rotation() {
    let local = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 0.5, 0.0],
        [0.3, 0.2, 0.4],
    ];
    let observed = [
        [0.2, -0.1, 1.0],
        [0.998635510047293, 0.501815023152048, 1.0],
        [-0.094331960490868, 0.290591704006789, 1.10395584540888],
        [0.371907620427069, 0.170362924851916, 1.432841378457074],
    ];
    let rows = [
        [0.798635510047293, -0.588663920981736, 0.125124379023071],
        [0.601815023152048, 0.781183408013579, -0.166045659241036],
        [0.0, 0.207911690817759, 0.978147600733806],
    ];
    let points = |p: [[f64; 3]; 4]| p.map(DVec3::from_array);
    let pairs: Vec<_> = points(local).into_iter().zip(points(observed)).collect();
    let fit = rigid_fit(&pairs).expect("they say how it is turned");
    let found = DMat3::from_quat(fit.rotation)
        .transpose()
        .to_cols_array_2d();
    for i in 0..3 {
        for j in 0..3 {
            assert!((found[i][j] - rows[i][j]).abs() < 1e-14, "{i} {j}");
        }
    }
    assert!((fit.translation - DVec3::new(0.2, -0.1, 1.0)).length() < 1e-14);
    assert!(fit.rms < 1e-14);
}

/// Four markers per segment, 1 mm of noise, 5 % lost in gaps of ten frames, lengths up to 15 % off.
#[test]
fn a_subject_and_its_motion_are_found_from_noisy_markers() {
    let (template, set) = (biped(), MarkerSet::plates());
    for seed in 0..2 {
        let mut dice = Dice(seed);
        let (truth, on_it) = subject(&template, &set, 0.15, &mut dice);
        let moved = motion(&truth, 1000, 100.0, &mut dice);
        let clean = perfect(&truth, &on_it, &moved, 100.0);
        let seen = noisy(&clean, 0.001, 0.05, 10, &mut dice);
        let begin = std::time::Instant::now();
        let fit = Capture::new(&template, &set, &seen).fit(|_| ());
        let fit = fit.expect("it can be fitted");
        let off = compare(&truth, &moved, &seen, &clean, &fit);
        println!(
            "{off:?}, residual {:.3} mm, {:?}",
            1e3 * fit.report.rms_m,
            begin.elapsed()
        );
        assert!(off.positions_mm < 5.0, "{off:?}");
        assert!(off.worst_joint.1 < 5.0, "{off:?}");
        assert!(off.worst_bone.1 < 0.01, "{off:?}");
        assert!(off.swing_deg < 2.0 && off.twist_deg < 3.0, "{off:?}");
        assert!(off.filled_mm < 10.0, "{off:?}");
        assert!(fit.report.frame_rms_m.iter().all(|&r| r < 0.003));
        for pose in poses(&fit, moved.len(), 100.0) {
            let mut allowed = pose.clone();
            fit.skeleton.clamp(&mut allowed).expect("of this skeleton");
            for joint in 0..pose.len() {
                let turns = [&pose, &allowed].map(|p| p.get(joint).rotation);
                assert!(quat::angle_between(turns[0], turns[1]) < 1e-3);
            }
        }
    }
}

/// Hides the markers of a forearm and hand for ten frames, then those of the whole body.
#[test]
fn hidden_segments_are_carried_through_and_marked() {
    let (template, set) = (biped(), MarkerSet::plates());
    let mut dice = Dice(7);
    let moved = motion(&template, 200, 100.0, &mut dice);
    let clean = perfect(&template, &set, &moved, 100.0);
    let noise = noisy(&clean, 0.001, 0.0, 10, &mut dice);
    let mut seen = Trial::new(100.0, noise.labels().to_vec());
    for frame in 0..noise.frames() {
        let hides = |label: &str| match frame {
            60..70 => label.starts_with("left_hand") || label.starts_with("left_lower_arm"),
            120..130 => true,
            _ => false,
        };
        let row = noise.frame(frame).iter().zip(noise.labels());
        let row: Vec<_> = row.map(|(s, label)| s.filter(|_| !hides(label))).collect();
        seen.push(&row).expect("of this skeleton");
    }
    let fit = Capture::new(&template, &set, &seen)
        .fit(|_| ())
        .expect("a fit");
    let off = compare(&template, &moved, &seen, &clean, &fit);
    println!("{off:?}");
    assert!(off.filled_mm < 30.0, "{off:?}");
    let carried = |joint: &str, frame: usize| {
        fit.report.carried.iter().any(|c| {
            let frames = c.gap.first_frame..c.gap.first_frame + c.gap.frames;
            c.joint == joint && frames.contains(&frame)
        })
    };
    assert!(carried("left_lower_arm", 65) && carried("left_hand", 65));
    assert!(!carried("right_hand", 65) && carried("right_hand", 125));
    assert!(!carried("left_hand", 50));
    let hand = fit.report.markers.iter().find(|m| m.label == "left_hand_1");
    let gaps = &hand.expect("it is there").gaps;
    assert_eq!(gaps.len(), 2);
    assert_eq!((gaps[0].first_frame, gaps[0].frames), (60, 10));
}

/// The usual labels of a laboratory: many segments have only one or two markers.
#[test]
fn plug_in_gait_gives_a_motion_within_the_limits() {
    let (template, set) = (biped(), MarkerSet::standard());
    let mut dice = Dice(3);
    let (truth, on_it) = subject(&template, &MarkerSet::plug_in_gait(), 0.05, &mut dice);
    let moved = motion(&truth, 200, 100.0, &mut dice);
    let clean = perfect(&truth, &on_it, &moved, 100.0);
    let seen = noisy(&clean, 0.001, 0.02, 10, &mut dice);
    let fit = Capture::new(&template, &set, &seen)
        .fit(|_| ())
        .expect("a fit");
    let off = compare(&truth, &moved, &seen, &clean, &fit);
    println!("{off:?}, residual {:.3} mm", 1e3 * fit.report.rms_m);
    assert!(fit.report.rms_m < 0.005, "{}", fit.report.rms_m);
    assert!(off.positions_mm < 30.0, "{off:?}");
    assert!(fit.report.unknown_labels.is_empty());
}

#[test]
fn both_sides_are_alike_when_asked_for() {
    let (template, set) = (biped(), MarkerSet::plates());
    let mut dice = Dice(5);
    let moved = motion(&template, 60, 100.0, &mut dice);
    let seen = noisy(
        &perfect(&template, &set, &moved, 100.0),
        0.001,
        0.0,
        10,
        &mut dice,
    );
    let capture = Capture {
        symmetric: true,
        ..Capture::new(&template, &set, &seen)
    };
    let fit = capture.fit(|_| ()).expect("a fit");
    let length = |name: &str| {
        let bone = fit.report.bones.iter().find(|b| b.joint == name);
        bone.expect("a bone").length_m
    };
    for part in ["lower_arm", "hand", "lower_leg", "foot"] {
        let (left, right) = (
            length(&format!("left_{part}")),
            length(&format!("right_{part}")),
        );
        assert!((left - right).abs() < 1e-6, "{part}: {left} {right}");
    }
}

#[test]
fn a_still_trial_gives_the_size() {
    let (template, set) = (biped(), MarkerSet::plates());
    let mut dice = Dice(9);
    let joints = template.joints().into_iter().map(|mut joint| {
        joint.rest.translation *= 1.12;
        joint
    });
    let (truth, _) = Skeleton::new(joints.collect()).expect("a skeleton");
    let mut on_it = set.clone();
    on_it.markers.iter_mut().for_each(|m| m.offset *= 1.12);
    let still = perfect(&truth, &on_it, &vec![truth.rest().clone(); 5], 100.0);
    let moved = motion(&truth, 20, 100.0, &mut dice);
    let seen = noisy(
        &perfect(&truth, &on_it, &moved, 100.0),
        0.001,
        0.0,
        10,
        &mut dice,
    );
    let capture = Capture {
        still: Some(&still),
        ..Capture::new(&template, &set, &seen)
    };
    let fit = capture.fit(|_| ()).expect("a fit");
    for bone in &fit.report.bones {
        assert!((bone.of_template / 1.12 - 1.0).abs() < 0.03, "{bone:?}");
    }
    let clip = fit.onto(&template).expect("the same joints");
    let way = |clip: &sinew::Clip| {
        clip.joint(0)
            .and_then(|j| j.translation.clone())
            .expect("a way")
    };
    let ratio = way(&fit.clip).values()[0] / way(&clip).values()[0];
    assert!((ratio - 1.12).abs() < 0.02, "{ratio}");
}

#[test]
fn bad_trials_are_refused_and_one_frame_is_enough() {
    let (template, set) = (biped(), MarkerSet::plates());
    let rest = vec![template.rest().clone()];
    let good = perfect(&template, &set, &rest, 100.0);
    let fit = |trial: &Trial| Capture::new(&template, &set, trial).fit(|_| ());
    let labels = || good.labels().to_vec();

    assert_eq!(
        fit(&Trial::new(100.0, labels())).err(),
        Some(FitError::NoFrames)
    );
    let mut nowhere = good.clone();
    nowhere.rate_hz = f64::NAN;
    assert!(matches!(fit(&nowhere), Err(FitError::Rate { .. })));
    let mut strange = Trial::new(100.0, vec!["nose".into(), "ear".into()]);
    strange
        .push(&[good.frame(0)[0], good.frame(0)[1]])
        .expect("of this skeleton");
    let error = fit(&strange).expect_err("no label is known").to_string();
    assert!(
        error.contains("nose, ear") && error.contains("marker file"),
        "{error}"
    );

    let with = |change: &dyn Fn(usize, Vec3) -> Vec3| {
        let mut trial = Trial::new(100.0, labels());
        let row = good.frame(0).iter().enumerate();
        let row: Vec<_> = row
            .map(|(m, s)| {
                s.map(|s| Sighting {
                    position: change(m, s.position),
                    ..s
                })
            })
            .collect();
        trial.push(&row).expect("of this skeleton");
        trial
    };
    let nan = fit(&with(&|_, _| Vec3::NAN));
    let markers = set.markers.len();
    assert_eq!(nan.err(), Some(FitError::NeverPlaced { markers }));
    let far = fit(&with(&|_, p| p * 1e30));
    assert_eq!(far.err(), Some(FitError::NeverPlaced { markers }));
    let line = fit(&with(&|m, _| Vec3::X * m as f32));
    assert!(
        matches!(line, Err(FitError::NeverPlaced { .. })),
        "{line:?}"
    );
    assert!(fit(&with(&|_, _| Vec3::ZERO)).is_err());

    let some = fit(&with(&|m, p| if m % 5 == 0 { Vec3::INFINITY } else { p })).expect("a fit");
    assert_eq!(some.report.impossible_sightings, markers.div_ceil(5));
    assert!(some.report.rms_m < 1e-3);
    let one = fit(&good).expect("one frame is a pose");
    assert_eq!(one.clip.duration_secs, 0.0);
    assert!(one.report.rms_m < 1e-4);

    let mut elsewhere = set.clone();
    elsewhere.markers[5].joint = "tail".to_owned();
    let without = Capture::new(&template, &elsewhere, &good).fit(|_| ());
    let unknown = without.expect("the others do").report.unknown_labels;
    assert_eq!(unknown, [elsewhere.markers[5].label.clone()]);
    elsewhere.markers[7].offset = Vec3::NAN;
    let error = Capture::new(&template, &elsewhere, &good).fit(|_| ());
    let label = elsewhere.markers[7].label.clone();
    assert_eq!(error.err(), Some(FitError::BadOffset { label }));

    let other = Skeleton::new(vec![sinew::Joint::new(
        "bone",
        None,
        sinew::Transform::IDENTITY,
    )]);
    let other = other.expect("a skeleton").0;
    let error = Capture::new(&other, &set, &good)
        .fit(|_| ())
        .expect_err("no joint");
    assert!(error.to_string().contains("bone"), "{error}");
}

#[test]
fn positions_of_joints_become_turns_that_put_them_there() {
    let skeleton = biped();
    let mut dice = Dice(11);
    let moved = motion(&skeleton, 40, 30.0, &mut dice);
    let places = |models: &[sinew::ModelPose]| -> Vec<Vec<Vec3>> {
        let joints = |m| (0..skeleton.len()).map(|j| place(m, j)).collect();
        models.iter().map(joints).collect()
    };
    let wanted = places(&models(&skeleton, &moved));
    let clip = from_positions(&skeleton, &wanted, 30.0).expect("a motion");
    let found = (0..40).map(|frame| {
        let mut pose = skeleton.rest().clone();
        sample(&clip, &skeleton, f64::from(frame) / 30.0, &mut pose).unwrap();
        pose
    });
    let found = places(&models(&skeleton, &found.collect::<Vec<_>>()));
    let mut worst: f32 = 0.0;
    for (wanted, found) in wanted.iter().flatten().zip(found.iter().flatten()) {
        worst = worst.max(wanted.distance(*found));
    }
    assert!(worst < 1e-4, "{worst} m");
    assert!(from_positions(&skeleton, &[vec![Vec3::ZERO]], 30.0).is_err());
    let nan = vec![Vec3::NAN; skeleton.len()];
    let error = from_positions(&skeleton, &[nan], 30.0).expect_err("no numbers");
    assert!(error.to_string().contains("hips"), "{error}");
    assert!(from_positions(&skeleton, &[], 30.0).is_err());
}
