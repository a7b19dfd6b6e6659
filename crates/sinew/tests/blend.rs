//! Poses mixed and added: refusals first, then the mean, its signs and its bits, differences, and
//! transitions.

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

#[test]
fn what_a_blend_refuses() {
    let (rest, shorter) = (LocalPose::identity(9), LocalPose::identity(8));
    let (fits, short_mask) = (Mask::new(&[1.0; 9]).unwrap(), Mask::new(&[1.0; 8]).unwrap());
    let (nothing, less) = (AdditivePose::none(9), AdditivePose::none(8));
    let good = Layer::new(&rest, 0.5).masked(&fits);
    let (layer, addition) = (LayerKind::Layer, LayerKind::Addition);
    let (found, wanted) = (8, 9);
    let weight = |kind, weight| BlendError::Weight {
        kind,
        index: 1,
        weight,
    };
    let joints = |kind| BlendError::Joints {
        kind,
        index: 1,
        found,
        wanted,
    };
    let mask = |kind| BlendError::MaskJoints {
        kind,
        index: 1,
        found,
        wanted,
    };
    let table: [(Layer, Addition, BlendError); 8] = [
        (
            Layer::new(&shorter, 0.5),
            Addition::new(&nothing, 1.0),
            joints(layer),
        ),
        (
            Layer::new(&rest, 0.5).masked(&short_mask),
            Addition::new(&nothing, 1.0),
            mask(layer),
        ),
        (
            Layer::new(&rest, -0.1),
            Addition::new(&nothing, 1.0),
            weight(layer, -0.1),
        ),
        (
            Layer::new(&rest, 2e6),
            Addition::new(&nothing, 1.0),
            weight(layer, 2e6),
        ),
        (good, Addition::new(&less, 1.0), joints(addition)),
        (
            good,
            Addition::new(&nothing, 1.0).masked(&short_mask),
            mask(addition),
        ),
        (good, Addition::new(&nothing, -2e6), weight(addition, -2e6)),
        (
            good,
            Addition::new(&nothing, f32::INFINITY),
            weight(addition, f32::INFINITY),
        ),
    ];
    let untouched = LocalPose::identity(3);
    for (bad_layer, bad_addition, error) in table {
        let mut out = untouched.clone();
        let mut layers = [good, bad_layer];
        let job = BlendJob {
            additions: &mut [Addition::new(&nothing, 1.0), bad_addition],
            ..BlendJob::new(&rest, &mut layers)
        };
        assert_eq!(job.run(&mut out), Err(error));
        assert_eq!(out, untouched);
    }
    let nan = BlendJob::new(&rest, &mut [Layer::new(&rest, f32::NAN)]).run(&mut untouched.clone());
    let message = nan.unwrap_err().to_string();
    assert_eq!(message, "NaN is no weight for layer 0");
}

#[test]
fn what_a_mask_refuses() {
    for weight in [-0.01, 1.01, f32::INFINITY] {
        assert_eq!(
            Mask::new(&[0.0, weight]),
            Err(MaskError { joint: 1, weight })
        );
    }
    assert!(Mask::new(&[f32::NAN]).is_err());
    assert!(Mask::new(&[]).unwrap().is_empty());
}

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

fn blended(rest: &LocalPose, layers: &[Layer], additions: &[Addition]) -> LocalPose {
    blended_on(Level::best(), rest, layers, additions)
}

fn blended_on(
    level: Level,
    rest: &LocalPose,
    layers: &[Layer],
    additions: &[Addition],
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

/// The angle between two rotations, of quaternions whose length is off by what `f32` leaves.
fn radians(a: Quat, b: Quat) -> f64 {
    let q = a.as_dquat() * b.as_dquat().conjugate();
    2.0 * DVec3::new(q.x, q.y, q.z).length().atan2(q.w.abs())
}

/// Degrees between two rotations.
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
    // Seen from any other rest, they lie on one side or the other and do not cancel out.
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
    // And nothing jumps where the one becomes the other.
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

/// Weights that are often equal, or 0, and masks that are often absent.
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
            // All alike but for the last joint.
            let first = layers[0].clone();
            for (n, layer) in layers.iter_mut().enumerate() {
                *layer = first.clone();
                layer.0.set_translation(JOINTS - 1, Vec3::splat(1.0 / (n as f32 + 3.0)));
            }
        }
        let additive: Vec<_> = layers.iter().map(|l| AdditivePose::between(&rest, &l.0)).collect();
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

    /// For two layers; equals among more may then be summed in another order.
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

    /// Whatever the weights do, a joint near rest goes nowhere near the far side.
    #[test]
    fn a_small_change_of_weights_is_a_small_change_of_pose(
        rest in pose_of(JOINTS),
        layers in prop::collection::vec((pose_of(JOINTS), weight_and_mask(JOINTS)), 2..5),
    ) {
        // Within 80° of rest, where no sum comes near vanishing.
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

/// The blend again, one joint at a time in plain arithmetic of the same order. With layers in the order
/// in which they are summed, every bit must agree.
mod plain {
    use super::*;

    type Q = [f32; 4];

    fn dot(a: Q, b: Q) -> f32 {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    }

    fn polynomial(x: f32, c: &[f64]) -> f32 {
        let c: Vec<f32> = c.iter().map(|c| (1.0 / c) as f32).collect();
        let last = c[c.len() - 1];
        c[..c.len() - 1]
            .iter()
            .rev()
            .fold(last, |sum, c| sum * x + c)
    }

    fn exp(turn: [f32; 3]) -> Quat {
        let [x, y, z] = turn;
        let square = x * x + y * y + z * z;
        let hold = if square > PI * PI {
            PI / square.sqrt()
        } else {
            1.0
        };
        let quarter = square * (hold * hold) * 0.25;
        let factorials = |first: u32| {
            let mut n = f64::from(first);
            let mut next = f64::from(first);
            (0..7).map(move |_| {
                let now = n;
                n *= -(next + 1.0) * (next + 2.0);
                next += 2.0;
                now
            })
        };
        let (sine, cosine): (Vec<f64>, Vec<f64>) = (
            factorials(1).collect(),
            [
                1.0,
                -2.0,
                24.0,
                -720.0,
                40_320.0,
                -3_628_800.0,
                479_001_600.0,
            ]
            .to_vec(),
        );
        let (sinc, cos) = (polynomial(quarter, &sine), polynomial(quarter, &cosine));
        let along = sinc * cos * hold;
        Quat::from_xyzw(x * along, y * along, z * along, cos * cos * 2.0 - 1.0)
    }

    pub fn blend(rest: &LocalPose, layers: &[Layer], additions: &[Addition]) -> Vec<Transform> {
        let at = |weight: f32, mask: Option<&Mask>, joint| match mask {
            Some(mask) => weight * mask.get(joint),
            None => weight,
        };
        let joint = |joint: usize| {
            let at_rest = rest.get(joint);
            let total = layers
                .iter()
                .fold(0.0, |sum, l| sum + at(l.weight, l.mask, joint));
            let is_short = total < 1.0 - 1e-6;
            let share = if is_short { 1.0 } else { 1.0 / total };
            let (mut t, mut q, mut s) = ([0.0; 3], [0.0; 4], [0.0; 3]);
            let mut add = |from: &Transform, weight: f32, turned: f32| {
                for n in 0..3 {
                    t[n] += from.translation[n] * weight;
                    s[n] += from.scale[n] * weight;
                }
                for n in 0..4 {
                    q[n] += from.rotation.to_array()[n] * turned;
                }
            };
            for layer in layers {
                let (weight, pose) = (
                    at(layer.weight, layer.mask, joint) * share,
                    layer.pose.get(joint),
                );
                let side = dot(pose.rotation.to_array(), at_rest.rotation.to_array());
                add(&pose, weight, weight.copysign(side));
            }
            if is_short {
                add(&at_rest, 1.0 - total, 1.0 - total);
            }
            if dot(q, q) < 1e-12 {
                q = at_rest.rotation.to_array();
            }
            let scale = 1.0 / dot(q, q).sqrt();
            let mut rotation = Quat::from_array(q.map(|c| c * scale));
            let (mut moved, mut turn, mut growth) = ([0.0; 3], [0.0; 3], [0.0; 3]);
            for layer in additions {
                let weight = at(layer.weight, layer.mask, joint);
                for n in 0..3 {
                    moved[n] += layer.pose.translation(joint)[n] * weight;
                    // Halving is exact.
                    turn[n] += layer.pose.turn_rad(joint)[n] * 0.5 * weight;
                    growth[n] += layer.pose.growth(joint)[n] * weight;
                }
            }
            if !additions.is_empty() {
                rotation = quat::mul(exp(turn), rotation);
                for n in 0..3 {
                    t[n] += moved[n];
                    s[n] *= growth[n] + 1.0;
                }
            }
            Transform {
                translation: Vec3::from_array(t),
                rotation,
                scale: Vec3::from_array(s),
            }
        };
        (0..rest.len()).map(joint).collect()
    }
}

proptest! {
    #[test]
    fn every_instruction_set_gives_the_bits_of_plain_arithmetic(
        rest in pose_of(JOINTS),
        mut layers in prop::collection::vec((pose_of(JOINTS), weight_and_mask(JOINTS)), 1..5),
    ) {
        for (n, layer) in layers.iter_mut().enumerate() {
            // Heaviest first, which is how they are summed.
            layer.1.0 = 0.8 / (n as f32 + 1.0);
        }
        let mut additive = vec![AdditivePose::none(JOINTS); 2];
        let mut sets = vec![additive.clone(); Level::all().len()];
        for (level, set) in Level::all().into_iter().zip(&mut sets) {
            set[0].set_between(level, &rest, &layers[0].0);
            let poses = [&layers[0].0, &rest];
            let mut inertia = Inertia::new(JOINTS);
            inertia.start_on(level, [&rest, &layers[0].0], poses, 0.01, 0.3);
            inertia.advance(0.1);
            set[1] = inertia.additions()[1].pose.clone();
        }
        additive.clone_from(&sets[0]);
        for set in &sets {
            prop_assert_eq!(set, &additive);
        }
        let (mixed, added) = (layers_of(&layers), additions_of(&additive, &layers));
        for added in [&added[..0], &added[..]] {
            let wanted = plain::blend(&rest, &mixed, added);
            for level in Level::all() {
                let out = blended_on(level, &rest, &mixed, added);
                for (joint, wanted) in wanted.iter().enumerate() {
                    prop_assert_eq!(&out.get(joint), wanted, "{} joint {}", level, joint);
                }
                prop_assert_eq!(out, LocalPose::from_transforms(&wanted), "padding");
            }
        }
    }

    #[test]
    fn what_takes_one_pose_to_another_does(
        reference in pose_of(JOINTS),
        pose in pose_of(JOINTS),
        weight in -1.0_f32..1.0,
    ) {
        let difference = AdditivePose::between(&reference, &pose);
        let at = |weight| blended(&reference, &[], &[Addition::new(&difference, weight)]);
        for joint in 0..JOINTS {
            let (from, to) = (reference.get(joint), pose.get(joint));
            let whole = at(1.0).get(joint);
            prop_assert!((whole.translation - to.translation).length() < 5e-7);
            let grown = (whole.scale - to.scale) / to.scale.abs().max(from.scale.abs());
            prop_assert!(grown.length() < 1e-6);
            let angle = radians(from.rotation, to.rotation);
            let part = at(weight).get(joint).rotation;
            // Two products and a logarithm round quaternions by 1e-7 each, and angles are twice that.
            for (what, off) in [
                ("all of the way", radians(whole.rotation, to.rotation)),
                ("the turn itself", f64::from(difference.turn_rad(joint).length()) - angle),
                ("part of the way", radians(from.rotation, part) - f64::from(weight).abs() * angle),
                ("what is left", match weight > 0.0 {
                    true => radians(part, to.rotation) - f64::from(1.0 - weight) * angle,
                    false => 0.0,
                }),
            ] {
                prop_assert!(off.abs() < 2e-6, "{} is off by {}", what, off);
            }
        }
    }
}

#[test]
fn turns_about_one_axis_add_up_and_stop_at_a_full_turn() {
    let rest = turned(&[turn(Vec3::Z, 25.0)]);
    let base = turned(&[turn(Vec3::X, 20.0)]);
    let more = turned(&[quat::mul(turn(Vec3::X, 70.0), turn(Vec3::Z, 25.0))]);
    let quarter = AdditivePose::between(&rest, &more);
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
    let growth = AdditivePose::between(&flat, &grown);
    assert_eq!(growth.growth(0), Vec3::new(2.0, 0.0, 0.5));
    let out = blended(&grown, &[], &[Addition::new(&growth, 1.0)]);
    assert_eq!(out.get(0).scale, Vec3::new(9.0, 3.0, 4.5));
}

#[test]
fn easing_goes_from_none_to_all() {
    for ease in [Ease::Linear, Ease::Smooth, Ease::Smoother] {
        assert_eq!((ease.at(-1.0), ease.at(0.0), ease.at(0.5)), (0.0, 0.0, 0.5));
        assert_eq!((ease.at(1.0), ease.at(7.0)), (1.0, 1.0));
        for step in 0..100 {
            let t = step as f32 / 100.0;
            assert!(ease.at(t) < ease.at(t + 0.01), "{ease:?}");
            assert!((ease.at(t) + ease.at(1.0 - t) - 1.0).abs() < 1e-6);
        }
    }
    for secs in [0.0, -1.0, f32::NAN] {
        let fade = CrossFade::new(secs, Ease::Smooth);
        assert!(fade.is_done() && fade.weight() == 1.0, "{secs}");
    }
    let mut fade = CrossFade::new(1.0, Ease::Linear);
    fade.advance(f64::NAN);
    fade.advance(-0.5);
    assert_eq!(fade.weight(), 0.0);
}

/// A few joints that swing about their own axes, each in its own time.
fn swinging(seed: f64, time: f64) -> LocalPose {
    let joint = |j: usize| {
        let phase = |k: f64| (seed * 3.1 + j as f64 * 1.7 + time * k).sin() as f32;
        Transform {
            translation: Vec3::new(phase(3.0), phase(2.0), phase(4.0)),
            rotation: quat::mul(
                turn(Vec3::X, 70.0 * phase(3.5)),
                turn(Vec3::Z, 60.0 * phase(2.5)),
            ),
            scale: Vec3::splat(1.0 + 0.2 * phase(3.0)),
        }
    };
    LocalPose::from_transforms(&[0, 1, 2, 3].map(joint))
}

/// How far two poses are apart: the largest difference of any number, rotations on the same side.
fn apart(a: &LocalPose, b: &LocalPose) -> f32 {
    let joints = a.iter().zip(b.iter());
    joints.fold(0.0, |most, (a, b)| {
        let turned = quat::add_scaled(a.rotation, quat::aligned(b.rotation, a.rotation), -1.0);
        let most = most.max((a.translation - b.translation).abs().max_element());
        let most = most.max((a.scale - b.scale).abs().max_element());
        most.max(quat::dot(turned, turned).sqrt())
    })
}

/// The largest jump in place and in speed over transitions that interrupt one another, and the largest
/// speed by itself; and how far the last one is from its motion in the end.
fn jumps(inertial: bool, pause_secs: f64) -> (f32, f32, f32) {
    const DT: f64 = 1.0 / 240.0;
    let rest = LocalPose::identity(4);
    let mut inertia = Inertia::new(4);
    let mut shown: Vec<LocalPose> = Vec::new();
    let (mut motion, mut since) = (0.0, 0.0);
    for frame in 0..2400 {
        let time = f64::from(frame) * DT;
        if since >= pause_secs {
            since = 0.0;
            if inertial {
                let last = &shown[shown.len() - 2..];
                let next = [time - DT, time].map(|t| swinging(motion + 1.0, t));
                inertia.start([&last[0], &last[1]], [&next[0], &next[1]], DT, 0.4);
            }
            motion += 1.0;
        }
        since += DT;
        inertia.advance(DT);
        let pose = swinging(motion, time);
        shown.push(blended(
            &rest,
            &[Layer::new(&pose, 1.0)],
            &inertia.additions(),
        ));
    }
    let speeds: Vec<f32> = shown
        .windows(2)
        .map(|w| apart(&w[0], &w[1]) / DT as f32)
        .collect();
    let change = |w: &[LocalPose]| {
        let expected = AdditivePose::between(&w[0], &w[1]);
        let on = blended(&w[1], &[], &[Addition::new(&expected, 1.0)]);
        apart(&on, &w[2]) / DT as f32
    };
    let jerk = shown.windows(3).map(change).fold(0.0, f32::max);
    let speed = speeds.iter().copied().fold(0.0, f32::max);
    let end = apart(shown.last().unwrap(), &swinging(motion, 2399.0 * DT));
    (speed, jerk, end)
}

/// The numbers are in units (or radians, halved) a second; frames are 1/240 s apart.
#[test]
fn spec_56_transitions_that_interrupt_one_another_jump_neither_in_place_nor_in_speed() {
    let alone = jumps(false, f64::INFINITY);
    assert!(alone.0 < 4.1 && alone.1 < 0.07, "{alone:?}");
    // Cut, a joint is somewhere else a frame later.
    let cut = jumps(false, 0.25);
    assert!(cut.0 > 300.0 && cut.1 > 300.0, "{cut:?}");
    // Every quarter of a second, in the middle of a transition of 0.4 s.
    let smooth = jumps(true, 0.25);
    assert!(smooth.0 < 20.0, "{smooth:?}");
    assert!(smooth.1 < 1.5, "{smooth:?}");
    // Left alone, a transition ends on the motion itself.
    let done = jumps(true, 3.0);
    assert!(done.2 < 1e-6, "{done:?}");
}

#[test]
fn spec_56_a_cross_fade_goes_from_one_motion_to_the_other_without_a_jump() {
    let rest = LocalPose::identity(4);
    let dt = 1.0 / 240.0;
    let mut fade = CrossFade::new(0.5, Ease::Smooth);
    let mut before = swinging(0.0, 0.0);
    let mut fastest = 0.0_f32;
    for frame in 1..=130 {
        fade.advance(dt);
        let time = f64::from(frame) * dt;
        let (from, to) = (swinging(0.0, time), swinging(1.0, time));
        let weight = fade.weight();
        let layers = [Layer::new(&from, 1.0 - weight), Layer::new(&to, weight)];
        let now = blended(&rest, &layers, &[]);
        fastest = fastest.max(apart(&before, &now) / dt as f32);
        before = now;
    }
    assert!(fade.is_done() && apart(&before, &swinging(1.0, 130.0 * dt)) < 1e-6);
    assert!(fastest < 12.0, "{fastest}");
}

#[test]
fn inertia_begins_where_it_was_and_as_fast_and_stops() {
    let rest = LocalPose::identity(4);
    let at = |inertia: &Inertia, time: f64| {
        let pose = swinging(5.0, time);
        blended(&rest, &[Layer::new(&pose, 1.0)], &inertia.additions())
    };
    let h = 1e-3;
    let shown = [swinging(0.0, 1.0 - h), swinging(0.0, 1.0)];
    let target = [swinging(5.0, 1.0), swinging(5.0, 1.0 + h)];
    let mut inertia = Inertia::new(4);
    inertia.start([&shown[0], &shown[1]], [&target[0], &target[1]], h, 0.3);
    assert!(apart(&at(&inertia, 1.0), &shown[1]) < 1e-6);
    inertia.advance(h);
    let next = at(&inertia, 1.0 + h);
    let onward = AdditivePose::between(&shown[0], &shown[1]);
    let expected = blended(&shown[1], &[], &[Addition::new(&onward, 1.0)]);
    let off = apart(&next, &expected) / h as f32;
    assert!(off < 0.05, "speed is off by {off} a second");
    inertia.advance(0.3);
    assert!(inertia.is_done());
    assert!(apart(&at(&inertia, 1.3), &swinging(5.0, 1.3)) < 1e-6);
    for (step, duration) in [(0.0, 0.3), (h, 0.0), (f64::NAN, 0.3), (h, f64::INFINITY)] {
        inertia.start(
            [&shown[0], &shown[1]],
            [&target[0], &target[1]],
            step,
            duration,
        );
        assert!(inertia.is_done(), "{step} {duration}");
        assert_eq!(inertia.additions().map(|a| a.weight), [0.0; 2]);
    }
}

/// Half a turn apart, the way round is decided once, and no speed comes of it.
#[test]
fn inertia_across_half_a_turn_does_not_spin() {
    let rest = turned(&[Quat::IDENTITY]);
    let target = turned(&[Quat::IDENTITY]);
    let shown = [179.9, 180.1].map(|d| turned(&[turn(Vec3::X, d)]));
    let mut inertia = Inertia::new(1);
    inertia.start([&shown[0], &shown[1]], [&target, &target], 0.01, 0.5);
    let mut before = shown[1].clone();
    for _ in 0..50 {
        inertia.advance(0.01);
        let now = blended(&rest, &[Layer::new(&target, 1.0)], &inertia.additions());
        let turned = degrees(before.get(0).rotation, now.get(0).rotation);
        assert!(turned < 8.0, "{turned}° in a hundredth of a second");
        before = now;
    }
    assert!(degrees(before.get(0).rotation, Quat::IDENTITY) < 1e-3);
}
