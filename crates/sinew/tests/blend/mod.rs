mod bits;
mod refused;
mod transitions;

use glam::{DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use sinew::blend::{
    Addition, AdditivePose, BlendError, BlendJob, CrossFade, Ease, Inertia, Layer, LayerKind, Mask,
    MaskError,
};
use sinew::simd::Level;
use sinew::transform::quat;
use sinew::{LocalPose, Transform};
use std::f32::consts::PI;

fn turn(axis: Vec3, degrees: f32) -> Quat {
    quat::from_axis_angle(axis, degrees.to_radians())
}

fn turned(rotations: &[Quat]) -> LocalPose {
    let transforms: Vec<_> = rotations
        .iter()
        .map(|q| Transform::from_rotation(*q))
        .collect();
    LocalPose::from_transforms(&transforms)
}

fn blended(rest: &LocalPose, layers: &[Layer<'_>], additions: &[Addition<'_>]) -> LocalPose {
    blended_on(Level::best(), rest, layers, additions)
}

fn blended_on(
    level: Level,
    rest: &LocalPose,
    layers: &[Layer<'_>],
    additions: &[Addition<'_>],
) -> LocalPose {
    let mut out = LocalPose::identity(0);
    let job = BlendJob {
        rest,
        layers: &mut layers.to_vec(),
        additions: &mut additions.to_vec(),
        level,
    };
    job.run(&mut out).expect("fits");
    out
}

/// Accepts quaternions that are not exactly of unit length.
fn radians(a: Quat, b: Quat) -> f64 {
    let q = a.as_dquat() * b.as_dquat().conjugate();
    2.0 * DVec3::new(q.x, q.y, q.z).length().atan2(q.w.abs())
}

fn degrees(a: Quat, b: Quat) -> f32 {
    quat::angle_between(a, b).to_degrees()
}

#[test]
fn three_turns_120_degrees_apart_come_to_rest_when_rest_is_one_of_them() {
    let poses = [0.0, 120.0, 240.0].map(|d| turned(&[turn(Vec3::X, d); 3]));
    let third = 1.0 / 3.0;
    let layers = [0, 1, 2].map(|n| Layer::new(&poses[n], third));
    for (n, at_rest) in [0.0, 120.0, 240.0].into_iter().enumerate() {
        let out = blended(&poses[n], &layers, &[]);
        assert!(degrees(out.get(0).rotation, turn(Vec3::X, at_rest)) < 1e-4);
    }
}

#[test]
fn half_turns_that_cancel_out_leave_the_rest_rotation() {
    let axis = |d: f32| Vec3::new(d.to_radians().cos(), d.to_radians().sin(), 0.0);
    let poses = [0.0, 120.0, 240.0].map(|d| {
        let half = axis(d);
        turned(&[Quat::from_xyzw(half.x, half.y, half.z, 0.0)])
    });
    let layers = [0, 1, 2].map(|n| Layer::new(&poses[n], 1.0));
    // With another rest pose, the rotations are in one hemisphere and do not cancel.
    for (rest, vanishes) in [(0.0, true), (30.0, false)] {
        let rest = turned(&[turn(Vec3::Y, rest)]);
        let out = blended(&rest, &layers, &[]).get(0).rotation;
        assert_eq!(degrees(out, rest.get(0).rotation) < 1e-4, vanishes);
        assert!((quat::dot(out, out) - 1.0).abs() < 5e-7);
        for order in [[2, 1, 0], [1, 2, 0]] {
            let again = blended(&rest, &order.map(|n| layers[n]), &[]);
            assert_eq!(again.get(0).rotation, out);
        }
    }
}

#[test]
fn weights_below_one_leave_the_rest_to_rest_and_above_one_are_shared() {
    let rest = turned(&[turn(Vec3::X, 10.0); 9]);
    let mut a = turned(&[turn(Vec3::X, 50.0); 9]);
    a.set_translation(3, Vec3::Y * 4.0);
    let at = |weight| blended(&rest, &[Layer::new(&a, weight)], &[]);
    assert_eq!(at(0.0).get(3).translation, Vec3::ZERO);
    assert_eq!(at(0.25).get(3).translation, Vec3::Y);
    for weight in [1.0, 2.0, 1e6] {
        assert_eq!(at(weight).get(3).translation, Vec3::Y * 4.0);
        assert!(degrees(at(weight).get(3).rotation, turn(Vec3::X, 50.0)) < 1e-4);
    }
    assert!(degrees(at(0.5).get(0).rotation, turn(Vec3::X, 30.0)) < 1e-3);
    assert_eq!(
        blended(&rest, &[], &[]).get(8).translation,
        rest.get(8).translation
    );
    let mut before = at(0.9);
    for step in 1..=2000 {
        let now = at(0.9 + 1e-4 * step as f32);
        assert!((now.get(3).translation - before.get(3).translation).length() < 5e-4);
        before = now;
    }
}

#[test]
fn a_mask_keeps_a_layer_off_a_joint_to_the_bit() {
    let rest = turned(&[Quat::IDENTITY; 20]);
    let (a, b) = (
        turned(&[turn(Vec3::X, 40.0); 20]),
        turned(&[turn(Vec3::Y, 70.0); 20]),
    );
    let weights: Vec<f32> = (0..20).map(|j| if j < 11 { 1.0 } else { 0.0 }).collect();
    let mask = Mask::new(&weights).unwrap();
    let others = mask.inverted();
    let layers = [
        Layer::new(&a, 1.0).masked(&mask),
        Layer::new(&b, 1.0).masked(&others),
    ];
    let out = blended(&rest, &layers, &[]);
    let (only_a, only_b) = (
        blended(&rest, &[Layer::new(&a, 1.0)], &[]),
        blended(&rest, &[Layer::new(&b, 1.0)], &[]),
    );
    for joint in 0..20 {
        let wanted = if joint < 11 { &only_a } else { &only_b };
        assert_eq!(out.get(joint), wanted.get(joint));
    }
}

#[test]
fn no_joints_blend_to_none() {
    let none = LocalPose::identity(0);
    let mask = Mask::new(&[]).unwrap();
    let out = blended(&none, &[Layer::new(&none, 1.0).masked(&mask)], &[]);
    assert!(out.is_empty());
}

fn unit(v: [f32; 4]) -> Quat {
    quat::normalized(Quat::from_xyzw(v[0], v[1], v[2], v[3]))
}

fn pose_of(joints: usize) -> impl Strategy<Value = LocalPose> {
    let number = -1.0_f32..1.0;
    let joint = prop::array::uniform10(number).prop_map(|n| Transform {
        translation: Vec3::new(n[0], n[1], n[2]),
        rotation: unit([n[3], n[4], n[5], n[6]]),
        scale: Vec3::new(
            1.0 + 0.5 * n[7],
            1.0 + 0.5 * n[8],
            n[9] + 0.1_f32.copysign(n[9]),
        ),
    });
    prop::collection::vec(joint, joints).prop_map(|joints| LocalPose::from_transforms(&joints))
}

fn weight_and_mask(joints: usize) -> impl Strategy<Value = (f32, Option<Mask>)> {
    let weight = prop_oneof![Just(0.0), Just(0.25), Just(1.0), 0.0_f32..1.5];
    let mask = prop::collection::vec(0.0_f32..=1.0, joints);
    let mask = mask.prop_map(|weights| Mask::new(&weights).unwrap());
    (weight, prop::option::of(mask))
}

type Weighted = (LocalPose, (f32, Option<Mask>));

fn layers_of(layers: &[Weighted]) -> Vec<Layer<'_>> {
    layers
        .iter()
        .map(|(pose, (weight, mask))| Layer {
            pose,
            weight: *weight,
            mask: mask.as_ref(),
        })
        .collect()
}

fn additions_of<'a>(poses: &'a [AdditivePose], like: &'a [Weighted]) -> Vec<Addition<'a>> {
    let weighted = poses.iter().zip(like);
    weighted
        .map(|(pose, (_, (weight, mask)))| Addition {
            pose,
            weight: 0.7 - weight,
            mask: mask.as_ref(),
        })
        .collect()
}

const JOINTS: usize = 11;

proptest! {
    #[test]
    fn the_order_of_layers_changes_no_bit(
        rest in pose_of(JOINTS),
        mut layers in prop::collection::vec((pose_of(JOINTS), weight_and_mask(JOINTS)), 0..7),
        swaps in prop::collection::vec((0_usize..7, 0_usize..7), 1..9),
        same in any::<bool>(),
    ) {
        if same && layers.len() > 2 {
            let first = layers[0].clone();
            for (n, layer) in layers.iter_mut().enumerate() {
                *layer = first.clone();
                layer.0.set_translation(JOINTS - 1, Vec3::splat(1.0 / (n as f32 + 3.0)));
            }
        }
        let additive: Vec<_> = layers.iter().map(|l| AdditivePose::between(&rest, &l.0).expect("of this skeleton")).collect();
        let (mut mixed, mut added) = (layers_of(&layers), additions_of(&additive, &layers));
        let before = blended(&rest, &mixed, &added);
        for (a, b) in swaps {
            if a < mixed.len() && b < mixed.len() {
                mixed.swap(a, b);
                added.swap(b, (a + b) % layers.len());
            }
        }
        let after = blended(&rest, &mixed, &added);
        for joint in 0..JOINTS {
            let bits = |pose: &LocalPose| pose.get(joint).rotation.to_array().map(f32::to_bits);
            prop_assert_eq!(bits(&before), bits(&after));
        }
        prop_assert_eq!(before, after);
    }

    #[test]
    fn a_blend_is_the_weighted_mean_of_unit_rotations_on_the_side_of_rest(
        rest in pose_of(JOINTS),
        layers in prop::collection::vec((pose_of(JOINTS), weight_and_mask(JOINTS)), 0..5),
    ) {
        let out = blended(&rest, &layers_of(&layers), &[]);
        for joint in 0..JOINTS {
            let at_rest = rest.get(joint);
            let rest_rotation = at_rest.rotation.as_dquat();
            let (mut translation, mut scale, mut total) = (DVec3::ZERO, DVec3::ZERO, 0.0);
            let mut rotation = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
            for (pose, (weight, mask)) in &layers {
                let weight = f64::from(weight * mask.as_ref().map_or(1.0, |m| m.get(joint)));
                let (t, q) = (pose.get(joint), pose.get(joint).rotation.as_dquat());
                let sign = if q.dot(rest_rotation) < 0.0 { -1.0 } else { 1.0 };
                prop_assume!(q.dot(rest_rotation).abs() > 1e-5);
                translation += t.translation.as_dvec3() * weight;
                scale += t.scale.as_dvec3() * weight;
                rotation += q * (sign * weight);
                total += weight;
            }
            let left = (1.0 - total).max(0.0);
            let sum = total.max(1.0);
            translation = (translation + at_rest.translation.as_dvec3() * left) / sum;
            scale = (scale + at_rest.scale.as_dvec3() * left) / sum;
            rotation += rest_rotation * left;
            let found = out.get(joint);
            prop_assert!((found.translation.as_dvec3() - translation).length() < 2e-6);
            prop_assert!((found.scale.as_dvec3() - scale).length() < 2e-6);
            prop_assert!((quat::dot(found.rotation, found.rotation) - 1.0).abs() < 5e-7);
            // A short sum magnifies the rounding of its parts.
            let tolerance = 1e-6 * sum / rotation.length().max(1e-6);
            let wanted = rotation.normalize();
            let off = (found.rotation.as_dquat() - wanted).length();
            prop_assert!(off < tolerance, "joint {joint}: off by {off}");
        }
    }

    /// Two layers, because more layers of equal weight may be summed in another order.
    #[test]
    fn the_sign_of_a_quaternion_changes_no_bit(
        rest in pose_of(JOINTS),
        mut layers in prop::collection::vec((pose_of(JOINTS), weight_and_mask(JOINTS)), 1..3),
    ) {
        let before = blended(&rest, &layers_of(&layers), &[]);
        for (n, layer) in layers.iter_mut().enumerate() {
            for joint in (n..JOINTS).step_by(2) {
                let q = layer.0.get(joint).rotation;
                prop_assume!(quat::dot(q, rest.get(joint).rotation) != 0.0);
                layer.0.set_rotation(joint, quat::negate(q));
            }
        }
        prop_assert_eq!(before, blended(&rest, &layers_of(&layers), &[]));
    }

    #[test]
    fn a_small_change_of_weights_is_a_small_change_of_pose(
        rest in pose_of(JOINTS),
        layers in prop::collection::vec((pose_of(JOINTS), weight_and_mask(JOINTS)), 2..5),
    ) {
        // Within 80° of rest, no sum is near zero.
        let mut near = layers.clone();
        for (pose, _) in &mut near {
            for joint in 0..JOINTS {
                let to_pose = Transform::from_rotation(rest.get(joint).rotation)
                    .interpolate(&pose.get(joint), 80.0 / 180.0);
                pose.set_rotation(joint, quat::normalized(to_pose.rotation));
            }
        }
        let before = blended(&rest, &layers_of(&near), &[]);
        for (_, (weight, _)) in &mut near {
            *weight += 1e-3;
        }
        let after = blended(&rest, &layers_of(&near), &[]);
        for joint in 0..JOINTS {
            prop_assert!(degrees(before.get(joint).rotation, after.get(joint).rotation) < 1.5);
        }
    }
}

#[test]
fn turns_about_one_axis_add_up_and_stop_at_a_full_turn() {
    let rest = turned(&[turn(Vec3::Z, 25.0)]);
    let base = turned(&[turn(Vec3::X, 20.0)]);
    let more = turned(&[quat::mul(turn(Vec3::X, 70.0), turn(Vec3::Z, 25.0))]);
    let quarter = AdditivePose::between(&rest, &more).expect("of this skeleton");
    for (weight, degrees_in_all) in [(0.5, 90.0), (1.0, 160.0), (1.5, 230.0), (3.0, 20.0)] {
        let twice = [Addition::new(&quarter, weight); 2];
        let out = blended(&rest, &[Layer::new(&base, 1.0)], &twice);
        let wanted = turn(Vec3::X, degrees_in_all);
        assert!(degrees(out.get(0).rotation, wanted) < 1e-4, "{weight}");
    }
}

#[test]
fn a_reference_of_no_size_adds_no_size() {
    let mut flat = LocalPose::identity(1);
    flat.set_scale(0, Vec3::new(1.0, 0.0, 2.0));
    let mut grown = LocalPose::identity(1);
    grown.set_scale(0, Vec3::splat(3.0));
    let growth = AdditivePose::between(&flat, &grown).expect("of this skeleton");
    assert_eq!(growth.growth(0), Vec3::new(2.0, 0.0, 0.5));
    let out = blended(&grown, &[], &[Addition::new(&growth, 1.0)]);
    assert_eq!(out.get(0).scale, Vec3::new(9.0, 3.0, 4.5));
}
