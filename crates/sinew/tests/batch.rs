//! Batches give the bits of single calls, and arrays that do not fit give errors.

use glam::{Quat, Vec3};
use sinew::batch::rotations::{from_euler, from_matrices, from_six, to_euler, to_matrices, to_six};
use sinew::batch::{
    BatchError, Frames, FramesMut, Translations, forward_kinematics, sample_times, skin_frames,
};
use sinew::skin::{Layout, Order};
use sinew::transform::{EulerOrder, quat};
use sinew::{Affine, Clip, LocalPose, Method, ModelPose, Rig, TrackError, sample};
use sinew_samples::{MotionLoad, humanoid_character};

const TIMES: [f64; 5] = [0.7, 0.0, 0.31, -1.0, 1e9];

struct Arrays {
    rotations: Vec<[f32; 4]>,
    translations: Vec<[f32; 3]>,
    scales: Vec<[f32; 3]>,
}

impl Arrays {
    /// Poses of a clip, written joint by joint.
    fn of(load: &MotionLoad, times: &[f64]) -> Self {
        let (mut rotations, mut translations, mut scales) = (Vec::new(), Vec::new(), Vec::new());
        let mut pose = LocalPose::identity(0);
        for &time in times {
            sample(&load.clip, &load.skeleton, time, &mut pose).unwrap();
            for t in pose.iter() {
                rotations.push(t.rotation.to_array());
                translations.push(t.translation.to_array());
                scales.push(t.scale.to_array());
            }
        }
        Self {
            rotations,
            translations,
            scales,
        }
    }

    fn frames(&self) -> Frames<'_> {
        Frames {
            rotations: &self.rotations,
            translations: Translations::All(&self.translations),
            scales: Some(&self.scales),
        }
    }
}

#[test]
fn samples_are_those_of_single_calls() {
    let load = MotionLoad::captured(60, false);
    let joints = load.skeleton.len();
    assert!(
        joints > 16 && !joints.is_multiple_of(16),
        "the last block is partial"
    );
    let expected = Arrays::of(&load, &TIMES);
    let mut rotations = vec![[0.0; 4]; TIMES.len() * joints];
    let mut translations = vec![[0.0; 3]; TIMES.len() * joints];
    let mut scales = translations.clone();
    let out = FramesMut {
        rotations: &mut rotations,
        translations: Some(&mut translations),
        scales: Some(&mut scales),
    };
    sample_times(&load.clip, &load.skeleton, &TIMES, out).unwrap();
    assert_eq!(rotations, expected.rotations);
    assert_eq!(translations, expected.translations);
    assert_eq!(scales, expected.scales);
}

#[test]
fn forward_kinematics_is_that_of_single_poses() {
    let load = MotionLoad::captured(60, false);
    let (skeleton, joints) = (&load.skeleton, load.skeleton.len());
    let arrays = Arrays::of(&load, &TIMES);
    let mut maps = vec![Affine::ZERO; TIMES.len() * joints];
    forward_kinematics(skeleton, &arrays.frames(), &mut maps).unwrap();
    let (mut pose, mut model) = (LocalPose::identity(0), ModelPose::identity(0));
    for (frame, time) in TIMES.into_iter().enumerate() {
        sample(&load.clip, skeleton, time, &mut pose).unwrap();
        model
            .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
            .unwrap();
        assert_eq!(
            &maps[frame * joints..(frame + 1) * joints],
            model.as_slice()
        );
    }
    let identity = vec![Quat::IDENTITY.to_array(); 2 * joints];
    let path = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let frames = Frames::new(&identity).translations(Translations::Root(&path));
    forward_kinematics(skeleton, &frames, &mut maps[..2 * joints]).unwrap();
    assert_eq!(maps[joints].translation(), Vec3::from_array(path[1]));
    let child = skeleton.children(0).next().unwrap();
    let rest = skeleton.rest().get(child).translation;
    assert_eq!(maps[child].translation(), Vec3::from_array(path[0]) + rest);
}

#[test]
fn vertices_are_those_of_an_actor() {
    let person = humanoid_character();
    let rig = Rig::new(&person, Method::DualQuat).unwrap();
    let joints = rig.skeleton().len();
    let layout = Layout {
        stride: 6,
        position: 0,
        normal: Some(3),
        tangent: None,
        order: Order::Mesh,
    };
    let mut rotations = vec![[0.0; 4]; 2 * joints];
    let mut translations = vec![[0.0; 3]; 2 * joints];
    let out = FramesMut {
        rotations: &mut rotations,
        translations: Some(&mut translations),
        scales: None,
    };
    sample_times(&person.clips[0], rig.skeleton(), &[0.2, 0.4], out).unwrap();
    let frames = Frames::new(&rotations).translations(Translations::All(&translations));
    let mut vertices = vec![0.0; 2 * 6 * rig.vertices()];
    skin_frames(&rig, &frames, &layout, &mut vertices).unwrap();
    let (mut actor, mut player) = (rig.actor(), rig.player("0").unwrap());
    player.seek(0.4);
    actor.sample(&player).unwrap();
    let mut one = vec![0.0; 6 * rig.vertices()];
    actor.skin_into(&mut *one, &layout).unwrap();
    assert_eq!(&vertices[one.len()..], one);
    assert_ne!(&vertices[..one.len()], one);
}

#[test]
fn a_clip_from_frames_has_their_bits_at_the_keys() {
    let load = MotionLoad::captured(60, false);
    let times = [0.0, 0.25, 0.75];
    let arrays = Arrays::of(&load, &times.map(f64::from));
    let joints = load.skeleton.len();
    let frames = arrays.frames();
    let clip = Clip::from_frames("copy", times.to_vec(), joints, &frames).unwrap();
    assert_eq!(clip.duration_secs, 0.75);
    let again = MotionLoad { clip, ..load };
    let copy = Arrays::of(&again, &times.map(f64::from));
    assert_eq!(copy.rotations, arrays.rotations);
    assert_eq!(copy.translations, arrays.translations);
    assert_eq!(copy.scales, arrays.scales);
    let long = [[0.0, 0.0, 0.0, 2.0], [0.0, 3.0, 0.0, 0.0]];
    let clip = Clip::from_frames("long", vec![0.0, 1.0], 1, &Frames::new(&long)).unwrap();
    let track = clip.joint(0).unwrap().rotation.clone().unwrap();
    assert_eq!(**track.values(), [0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(clip.joint(0).unwrap().translation, None);
}

/// Rotations about many axes, also by 0 and 180°.
fn turns() -> Vec<[f32; 4]> {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(2.0, -3.0, 6.0) / 7.0];
    let angles = [0.0, 1e-3, 0.4, 1.5, 2.9, std::f32::consts::PI, -2.0];
    let turn = |axis| angles.map(|angle| quat::from_axis_angle(axis, angle).to_array());
    axes.into_iter().flat_map(turn).collect()
}

fn assert_same_rotations(found: &[[f32; 4]], expected: &[[f32; 4]]) {
    for (a, b) in found.iter().zip(expected) {
        let cosine: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        assert!(cosine.abs() > 1.0 - 1e-6, "{a:?} and {b:?}");
    }
}

#[test]
fn forms_of_rotations_return_to_the_same_rotation() {
    let turns = turns();
    let mut back = vec![[0.0; 4]; turns.len()];
    let mut matrices = vec![[[0.0; 3]; 3]; turns.len()];
    to_matrices(&turns, &mut matrices).unwrap();
    from_matrices(&matrices, &mut back).unwrap();
    assert_same_rotations(&back, &turns);
    let mut six = vec![[0.0; 6]; turns.len()];
    to_six(&turns, &mut six).unwrap();
    for (six, m) in six.iter().zip(&matrices) {
        let columns = [m[0][0], m[1][0], m[2][0], m[0][1], m[1][1], m[2][1]];
        assert_eq!(*six, columns);
    }
    // Neither length nor the part of y along x counts.
    for v in &mut six {
        let [a, b, c, d, e, f] = *v;
        *v = [3.0 * a, 3.0 * b, 3.0 * c, d + a, e + b, f + c];
    }
    from_six(&six, &mut back).unwrap();
    assert_same_rotations(&back, &turns);
    for order in [EulerOrder::XYZ, EulerOrder::ZXY, EulerOrder::ZYX] {
        let mut angles = vec![[0.0; 3]; turns.len()];
        to_euler(&turns, order, &mut angles).unwrap();
        from_euler(&angles, order, &mut back).unwrap();
        assert_same_rotations(&back, &turns);
    }
}

#[test]
fn numbers_that_are_no_rotation_are_refused() {
    let mut out = [[0.0; 4]];
    let nan = f32::NAN;
    let mirror = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let bad = Err(BatchError::NoRotation { index: 0 });
    for matrix in [[[0.0; 3]; 3], mirror, [[nan; 3]; 3]] {
        assert_eq!(from_matrices(&[matrix], &mut out), bad);
    }
    for six in [
        [0.0; 6],
        [1.0, 0.0, 0.0, 2.0, 0.0, 0.0],
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [nan; 6],
        [f32::INFINITY, 0.0, 0.0, 0.0, 1.0, 0.0],
    ] {
        assert_eq!(from_six(&[six], &mut out), bad, "{six:?}");
    }
    assert_eq!(from_euler(&[[nan; 3]], EulerOrder::XYZ, &mut out), bad);
    assert_eq!(to_euler(&[[0.0; 4]], EulerOrder::XYZ, &mut [[0.0; 3]]), bad);
}

#[test]
fn poses_of_other_rotations_are_refused() {
    let person = humanoid_character();
    let (skeleton, joints) = (&person.skeleton, person.skeleton.len());
    let rig = Rig::new(&person, Method::Linear).unwrap();
    let mut rotations = vec![[0.0, 0.6, 0.0, 0.8]; 7 * joints];
    let mut maps = vec![Affine::IDENTITY; 7 * joints];
    let (nan, index) = (f32::NAN, 6 * joints + 3);
    for bad in [[0.0; 4], [0.0, 0.0, 0.0, 1.1], [nan, 0.0, 0.0, 1.0]] {
        rotations[index] = bad;
        let refused = Err(BatchError::NotUnit { index });
        let frames = Frames::new(&rotations);
        assert_eq!(forward_kinematics(skeleton, &frames, &mut maps), refused);
        let layout = Layout {
            stride: 3,
            position: 0,
            normal: None,
            tangent: None,
            order: Order::Mesh,
        };
        let mut vertices = vec![0.0; 7 * 3 * rig.vertices()];
        assert_eq!(skin_frames(&rig, &frames, &layout, &mut vertices), refused);
    }
    // As precise as keys of 8 bits.
    rotations[index] = [0.0, 0.0, 0.0, 1.0076];
    let frames = Frames::new(&rotations);
    assert_eq!(forward_kinematics(skeleton, &frames, &mut maps), Ok(()));
}

#[test]
fn arrays_that_do_not_fit_are_refused() {
    let person = humanoid_character();
    let (skeleton, joints) = (&person.skeleton, person.skeleton.len());
    let rotations = vec![Quat::IDENTITY.to_array(); 2 * joints];
    let three = vec![[0.0; 3]; 3 * joints];
    let mut maps = vec![Affine::IDENTITY; 2 * joints];
    let good = Frames::new(&rotations);
    let ragged = Frames::new(&rotations[1..]);
    let error = forward_kinematics(skeleton, &ragged, &mut maps).unwrap_err();
    assert!(error.to_string().contains("not a whole number of frames"));
    let all = good.translations(Translations::All(&three));
    let root = good.translations(Translations::Root(&three[..3]));
    let scaled = Frames {
        scales: Some(&three),
        ..good
    };
    for frames in [all, root, scaled] {
        let error = forward_kinematics(skeleton, &frames, &mut maps).unwrap_err();
        assert!(matches!(error, BatchError::Length { .. }), "{error}");
    }
    assert!(forward_kinematics(skeleton, &good, &mut maps[1..]).is_err());
    let rig = Rig::new(&person, Method::Linear).unwrap();
    let layout = Layout {
        stride: 3,
        position: 0,
        normal: None,
        tangent: None,
        order: Order::Mesh,
    };
    assert!(skin_frames(&rig, &good, &layout, &mut [0.0; 5]).is_err());
    let frames = |times| Clip::from_frames("x", times, joints, &good).unwrap_err();
    assert!(matches!(frames(vec![0.0]), BatchError::Length { .. }));
    let descending = frames(vec![1.0, 0.5]);
    let expected = TrackError::NotAscending {
        key: 1,
        time_secs: 0.5,
    };
    assert_eq!(descending, BatchError::Times(expected));
    let zero = vec![[0.0; 4]; joints];
    let error = Clip::from_frames("x", vec![0.0], joints, &Frames::new(&zero)).unwrap_err();
    assert_eq!(error, BatchError::NoRotation { index: 0 });
    let empty = Frames::new(&[]);
    assert!(Clip::from_frames("x", Vec::new(), joints, &empty).is_err());
    assert!(Clip::from_frames("x", Vec::new(), 0, &empty).is_err());
}
