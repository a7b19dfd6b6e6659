//! Wrong arguments give a typed error and change nothing. A bad index panics with both numbers.

use glam::Vec3;
use sinew::blend::{AdditivePose, Inertia};
use sinew::ik::{Dls, IkError};
use sinew::markers::Trial;
use sinew::pose::PoseMismatch;
use sinew::root_motion::Placement;
use sinew::skin::{DualQuatPalette, Palette, Skin, SkinError};
use sinew::transform::Axis;
use sinew::{
    Affine, Clip, Crowd, CrowdError, Interpolation, Joint, ModelPose, Skeleton, Track, Transform,
    sample,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn chain(joints: usize) -> Skeleton {
    let joint = |n: usize| {
        let up = Transform::from_translation(Vec3::Y);
        Joint::new(format!("joint {n}"), n.checked_sub(1), up)
    };
    let joints = (0..joints).map(joint).collect();
    Skeleton::new(joints).expect("a chain").0
}

fn message<T>(call: impl FnOnce() -> T) -> String {
    let Err(panic) = catch_unwind(AssertUnwindSafe(call)) else {
        panic!("it does not panic");
    };
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic
            .downcast_ref::<&str>()
            .copied()
            .unwrap_or("")
            .to_owned(),
    }
}

#[test]
fn joints_that_a_skeleton_does_not_have() {
    let skeleton = chain(3);
    assert_eq!(message(|| skeleton.name(3).to_owned()), "joint 3 of 3");
    let mut solver = Dls::new(&skeleton, 1);
    let refused = Err(IkError::NoSuchJoint {
        joint: 7,
        joints: 3,
    });
    assert_eq!(solver.set_stiffness(7, 1.0), refused);
    assert_eq!(solver.set_slide_stiffness(7, 1.0), refused);
    let model = skeleton.rest_model();
    assert_eq!(model.frame(0, 3), None);
    assert_eq!(model.frame(3, 0), None);
    assert_eq!(model.frame(3, 3), None);
}

#[test]
fn lanes_that_a_crowd_does_not_have() {
    let skeleton = chain(3);
    let mut crowd = Crowd::new(&skeleton);
    assert_eq!(crowd.get(16, 0), None);
    assert_eq!(crowd.get(0, 3), None);
    let refused = Err(CrowdError::NoSuchLane { lane: 16 });
    assert_eq!(crowd.set(16, skeleton.rest()), refused);
    assert!(crowd.set(0, chain(2).rest()).is_err());
}

#[test]
fn poses_of_another_skeleton() {
    let (three, two) = (chain(3), chain(2));
    let (short, long) = (two.rest(), three.rest());
    let mismatch = |e: PoseMismatch| (e.found, e.expected);

    let mut model = three.rest_model();
    let before = model.clone();
    let (tree, root) = (three.hierarchy(), Affine::IDENTITY);
    let refused = model.update(tree, short, &root).map_err(mismatch);
    assert_eq!(refused, Err((2, 3)));
    assert!(model.update_below(0, tree, short, &root).is_err());
    assert!(model.update_below(9, tree, long, &root).is_ok());
    assert!(model.update_from_affines(tree, &[root; 2]).is_err());
    let mut never = ModelPose::identity(1);
    assert!(never.update_below(0, tree, long, &root).is_err());
    assert_eq!((model, never.len()), (before, 1));

    let mut pose = short.clone();
    assert!(three.clamp(&mut pose).is_err());
    assert!(AdditivePose::between(long, short).is_err());
    let mut inertia = Inertia::new(3);
    let started = inertia.start([long, short], [long, long], 0.01, 1.0);
    assert_eq!(started.map_err(mismatch), Err((2, 3)));
    assert!(inertia.is_done());
    assert_eq!(pose, *short);

    let skin = Skin::bound_at(three.rest_model().as_slice());
    let (rest, other) = (three.rest_model(), two.rest_model());
    let mut palette = Palette::default();
    let refused = Err(SkinError::SkinJoint {
        joint: 2,
        joints: 2,
    });
    assert_eq!(palette.update(&skin, other.as_slice()), refused);
    let uneven = Skin {
        joint_from_model: vec![Affine::IDENTITY; 2],
        ..skin.clone()
    };
    assert!(palette.update(&uneven, rest.as_slice()).is_err());
    assert!(palette.as_slice().is_empty());
    assert!(DualQuatPalette::new(tree, other.as_slice(), &skin).is_err());
    assert!(DualQuatPalette::new(two.hierarchy(), rest.as_slice(), &skin).is_err());
    assert!(DualQuatPalette::new(tree, rest.as_slice(), &uneven).is_err());
    assert!(DualQuatPalette::from_matrices(&[root], &[]).is_err());
    let mut palette = DualQuatPalette::new(tree, rest.as_slice(), &skin).expect("of one skeleton");
    let before = palette.clone();
    for other in [other, ModelPose::identity(4)] {
        assert!(palette.update(other.as_slice()).is_err());
    }
    assert_eq!(palette, before);
}

#[test]
fn tracks_of_another_width() {
    let angle = Track::new(vec![0.0], vec![1.0], 1, Interpolation::Linear).expect("a number");
    assert_eq!(angle.sample_rotation(0.0), None);
    assert_eq!(angle.sample_vector(0.0), None);
    assert!(angle.sample(0.0, &mut []).is_err());
    let skeleton = chain(1);
    let mut clip = Clip::new("odd");
    clip.joint_mut(0).rotation = Some(angle.clone());
    clip.joint_mut(0).scale = Some(angle);
    let mut pose = skeleton.rest().clone();
    sample(&clip, &skeleton, 0.0, &mut pose).unwrap();
    assert_eq!(pose, *skeleton.rest());
}

#[test]
fn placements_about_different_axes() {
    let (y, z) = (Placement::identity(Axis::Y), Placement::identity(Axis::Z));
    assert!(y.then(&z).heading_rad.is_nan());
    assert!(Placement::blend(Axis::Y, [(z, 1.0)]).heading_rad.is_nan());
    assert_eq!(y.then(&y), y);
}

#[test]
fn a_frame_without_all_markers() {
    let mut trial = Trial::new(100.0, vec!["a".into(), "b".into()]);
    assert!(trial.push(&[None]).is_err());
    assert_eq!(trial.frames(), 0);
}
