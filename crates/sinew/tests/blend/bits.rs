use super::*;

/// Reference blend in scalar code. All bits must agree if layers are in the order of summation.
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

    pub fn blend(
        rest: &LocalPose,
        layers: &[Layer<'_>],
        additions: &[Addition<'_>],
    ) -> Vec<Transform> {
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
                    turn[n] += layer.pose.rotation_rad(joint)[n] * 0.5 * weight;
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
            layer.1.0 = 0.8 / (n as f32 + 1.0);
        }
        let mut additive = vec![AdditivePose::none(JOINTS); 2];
        let mut sets = vec![additive.clone(); Level::all().len()];
        for (level, set) in Level::all().into_iter().zip(&mut sets) {
            set[0].set_between(level, &rest, &layers[0].0).expect("of this skeleton");
            let poses = [&layers[0].0, &rest];
            let mut inertia = Inertia::new(JOINTS);
            inertia.start_on(level, [&rest, &layers[0].0], poses, 0.01, 0.3).expect("of this skeleton");
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
        let difference = AdditivePose::between(&reference, &pose).expect("of this skeleton");
        let at = |weight| blended(&reference, &[], &[Addition::new(&difference, weight)]);
        for joint in 0..JOINTS {
            let (from, to) = (reference.get(joint), pose.get(joint));
            let whole = at(1.0).get(joint);
            prop_assert!((whole.translation - to.translation).length() < 5e-7);
            let grown = (whole.scale - to.scale) / to.scale.abs().max(from.scale.abs());
            prop_assert!(grown.length() < 1e-6);
            let angle = radians(from.rotation, to.rotation);
            let part = at(weight).get(joint).rotation;
            // Two products and a logarithm round quaternions by 1e-7 each, and angles by 2e-7.
            for (what, off) in [
                ("all of the way", radians(whole.rotation, to.rotation)),
                ("the rotation itself", f64::from(difference.rotation_rad(joint).length()) - angle),
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
