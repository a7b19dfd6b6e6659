//! The clip that scales joints: a breath, and a hand that grows.

use crate::mannequin::{PERSON, body};
use glam::Vec3;
use sinew::pose::ModelPose;
use sinew::{Affine, Method, deform, sample};
use sinew_samples::mannequin::grow;

#[test]
fn a_clip_that_scales_joints_makes_the_hand_grow_and_the_chest_swell() {
    let mut person = PERSON.clone();
    person.clips = vec![grow(&person.skeleton)];
    let half = f64::from(person.clips[0].duration_secs) / 2.0;
    let bind = body(&person);
    let influences = bind.influences.as_ref().expect("weights");
    let extent = |joint: &str, positions: &[Vec3]| {
        let joint = person.skeleton.find(joint).expect("a joint");
        let slot = person.skins[0].joints.iter().position(|&j| j == joint);
        let slot = slot.expect("in the skin");
        let own = |v: usize| influences.get(v).all(|(j, w)| j == slot || w < 1e-3);
        let own: Vec<Vec3> = (0..positions.len())
            .filter(|&v| own(v))
            .map(|v| positions[v])
            .collect();
        assert!(own.len() > 3, "{} vertices", own.len());
        let apart = |a: &Vec3| own.iter().map(|b| a.distance(*b)).fold(0.0, f32::max);
        own.iter().map(apart).fold(0.0, f32::max)
    };
    for method in [Method::Linear, Method::DualQuat] {
        let moved = deform(&person, Some(0), half, method).expect("deformed");
        let moved = &moved.primitives[0].positions;
        for (joint, wanted) in [("left_hand", 1.9), ("right_hand", 1.0), ("chest", 1.12)] {
            let grown = extent(joint, moved) / extent(joint, &bind.positions);
            assert!((grown - wanted).abs() < 0.01, "{method:?}: {joint} {grown}");
        }
    }
    // The figure stands at the start and at the end. In the middle, it raises an arm with an open
    // palm.
    let posed = |part: f64| {
        let mut pose = person.skeleton.rest().clone();
        sample(
            &person.clips[0],
            &person.skeleton,
            2.0 * half * part,
            &mut pose,
        )
        .unwrap();
        let mut model = ModelPose::identity(person.skeleton.len());
        let tree = person.skeleton.hierarchy();
        model
            .update(tree, &pose, &Affine::IDENTITY)
            .expect("a pose");
        model
    };
    let joint = |name: &str| person.skeleton.find(name).expect("a joint");
    let position = |model: &ModelPose, name: &str| model.get(joint(name)).translation();
    let (rest, shown) = (posed(0.0), posed(0.5));
    let open = |model: &ModelPose| {
        let [hand, first, tip] =
            ["left_hand", "left_middle_1", "left_middle_3"].map(|n| position(model, n));
        (first - hand).normalize().dot((tip - first).normalize())
    };
    assert!(
        open(&shown) > 0.96 && open(&rest) < open(&shown) - 0.1,
        "{} {}",
        open(&rest),
        open(&shown)
    );
    assert!(position(&rest, "left_hand").y < position(&rest, "spine_1").y);
    for step in 0..=20 {
        let model = posed(f64::from(step) / 20.0);
        assert_eq!(
            step % 20 == 0,
            position(&model, "left_hand").distance(position(&rest, "left_hand")) < 1e-3
        );
        let hips = position(&model, "hips");
        for name in ["left_lower_arm", "left_hand"] {
            let aside = (position(&model, name) - hips).with_y(0.0).length();
            assert!(
                aside > 0.2 && position(&model, name).x > 0.15,
                "{name} at {step}: {aside}"
            );
        }
        let [elbow, hand] = ["left_lower_arm", "left_hand"].map(|name| position(&model, name));
        assert!(hand.z > elbow.z + 0.02, "in front of it at {step}");
    }
    let [shoulder, elbow, hand] =
        ["left_upper_arm", "left_lower_arm", "left_hand"].map(|name| position(&shown, name));
    assert!(elbow.y < shoulder.y - 0.03 && elbow.z > shoulder.z && hand.y > shoulder.y + 0.1);
    let [first, last] = ["left_index_1", "left_little_1"].map(|name| position(&shown, name) - hand);
    let palm = last.cross(first).normalize();
    assert!(palm.z > 0.8, "{palm}");
    let idle = PERSON.clips.iter().find(|clip| clip.name == "idle");
    let mut pose = person.skeleton.rest().clone();
    sample(idle.expect("a clip"), &person.skeleton, 0.0, &mut pose).unwrap();
    for name in ["left_upper_arm", "left_lower_arm", "left_hand"] {
        let mut now = person.skeleton.rest().clone();
        sample(&person.clips[0], &person.skeleton, 0.0, &mut now).unwrap();
        let [a, b] = [&pose, &now].map(|pose| pose.get(joint(name)).rotation);
        assert!(a.angle_between(b) < 0.1, "{name}: {}", a.angle_between(b));
    }
}
