//! What only code can get wrong: an index past the end panics, and the message has both numbers.

use glam::Vec3;
use sinew::ik::Dls;
use sinew::skin::{DualQuatPalette, Palette, Skin};
use sinew::{Crowd, Joint, ModelPose, Skeleton, Transform};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn chain(joints: usize) -> Skeleton {
    let joint = |n: usize| {
        let up = Transform::from_translation(Vec3::Y);
        Joint::new(format!("joint {n}"), n.checked_sub(1), up)
    };
    let joints = (0..joints).map(joint).collect();
    Skeleton::new(joints).expect("a chain").0
}

/// What a call panics with.
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
    assert_eq!(message(|| solver.set_stiffness(7, 1.0)), "joint 7 of 3");
    assert_eq!(
        message(|| solver.set_slide_stiffness(7, 1.0)),
        "joint 7 of 3"
    );
}

#[test]
fn places_that_a_crowd_does_not_have() {
    let skeleton = chain(3);
    let crowd = Crowd::new(&skeleton);
    assert_eq!(message(|| crowd.get(16, 0)), "lane 16 of 16");
    assert_eq!(message(|| crowd.get(0, 3)), "joint 3 of 3");
}

#[test]
fn poses_of_another_skeleton() {
    let (three, two) = (chain(3), chain(2).rest_model());
    let skin = Skin::bound_at(&three.rest_model());
    let mut palette = Palette::default();
    assert_eq!(message(|| palette.update(&skin, &two)), "joint 2 of 2");
    let mut palette = DualQuatPalette::new(three.hierarchy(), &three.rest_model(), &skin);
    for other in [two, ModelPose::identity(4)] {
        let said = message(|| palette.update(&other));
        assert!(said.contains("pose and skeleton differ"), "{said}");
    }
}
