use super::scale::Random;
use super::*;
use glam::{DAffine3, DMat3, DVec3};

const JOINTS: usize = 20;

fn tree(random: &mut Random) -> Skeleton {
    let joints = (0..JOINTS).map(|j| {
        let parent = (j > 0).then(|| random.below(j));
        Joint::new(j.to_string(), parent, transform(random))
    });
    Skeleton::new(joints.collect()).expect("a tree").0
}

fn transform(random: &mut Random) -> Transform {
    Transform {
        rotation: random.turn(180.0),
        translation: random.vector(),
        scale: random.vector().map(|x| 1.25_f32.powf(x)),
    }
}

pub(super) fn models(skeleton: &Skeleton, local: &LocalPose) -> Vec<DAffine3> {
    let mut models: Vec<DAffine3> = Vec::new();
    for (joint, local) in local.iter().enumerate() {
        let local = DAffine3::from_scale_rotation_translation(
            local.scale.as_dvec3(),
            local.rotation.as_dquat().normalize(),
            local.translation.as_dvec3(),
        );
        let parent = skeleton.parent(joint).map(|parent| models[parent]);
        models.push(parent.map_or(local, |parent| parent * local));
    }
    models
}

pub(super) fn affine(map: &DAffine3) -> Affine {
    let row = |i: usize| {
        let linear = map.matrix3.row(i);
        [linear.x, linear.y, linear.z, map.translation[i]].map(|x| x as f32)
    };
    Affine::from_rows([row(0), row(1), row(2)])
}

pub(super) fn wide(map: &Affine) -> DAffine3 {
    let linear = DMat3::from_cols_array_2d(&map.linear_f64()).transpose();
    DAffine3::from_mat3_translation(linear, map.translation().as_dvec3())
}

#[test]
fn a_palette_is_pose_times_inverse_bind_in_the_skins_order() {
    for seed in 0..20 {
        let mut random = Random(977 * seed + 1);
        let skeleton = tree(&mut random);
        let mut local = skeleton.rest().clone();
        (0..JOINTS).for_each(|joint| local.set(joint, transform(&mut random)));
        let mut bind = skeleton.rest().clone();
        (0..JOINTS).for_each(|joint| bind.set_rotation(joint, random.turn(90.0)));
        let (bound, now) = (models(&skeleton, &bind), models(&skeleton, &local));
        let some = [11, 3, 19, 0, 7, 3];
        for joints in [(0..JOINTS).collect::<Vec<_>>(), some.to_vec()] {
            let inverse_binds = joints.iter().map(|&joint| affine(&bound[joint].inverse()));
            let skin = Skin {
                name: String::new(),
                joint_from_model: inverse_binds.collect(),
                joints,
            };
            let mut palette = Palette::default();
            let pose = posed(&skeleton, &local);
            palette
                .update(&skin, pose.as_slice())
                .expect("of this skeleton");
            assert_eq!(palette.as_slice().len(), skin.joints.len());
            assert_eq!(size_of_val(palette.as_slice()), 48 * skin.joints.len());
            for (slot, map) in palette.as_slice().iter().enumerate() {
                let expected = now[skin.joints[slot]] * wide(&skin.joint_from_model[slot]);
                for p in [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE] {
                    let expected = expected.transform_point3(p);
                    let found = wide(map).transform_point3(p);
                    let off = found.distance(expected) / expected.length().max(1.0);
                    assert!(off < 1e-5, "seed {seed}, slot {slot}: {off}");
                }
            }
        }
    }
}

#[test]
fn a_skin_is_refused_for_any_joint_that_the_pose_has_not() {
    let skeleton = chain(3, 1.0);
    let pose = skeleton.rest_model();
    let skin = |joints: [usize; 3]| Skin {
        joints: joints.to_vec(),
        ..Skin::bound_at(pose.as_slice())
    };
    let mut palette = Palette::default();
    palette
        .update(&skin([2, 0, 1]), pose.as_slice())
        .expect("it has all");
    let before = palette.clone();
    for (joints, joint) in [([0, 3, 1], 3), ([7, 0, 0], 7), ([1, 2, 3], 3)] {
        let refused = SkinError::SkinJoint { joint, joints: 3 };
        assert_eq!(palette.update(&skin(joints), pose.as_slice()), Err(refused));
        assert_eq!(palette, before, "nothing is changed");
        let dual = DualQuatPalette::new(skeleton.hierarchy(), pose.as_slice(), &skin(joints));
        assert_eq!(dual, Err(refused));
    }
    let short = Skin {
        joint_from_model: vec![Affine::IDENTITY; 2],
        ..skin([0, 1, 2])
    };
    let refused = palette.update(&short, pose.as_slice());
    assert!(matches!(
        refused,
        Err(SkinError::InverseBinds {
            found: 2,
            expected: 3
        })
    ));
}

/// K(x) = R S (x − c) + d, where R is a rotation, S is symmetric and σ³ is the determinant.
#[test]
fn the_parts_of_a_joint_make_its_map_again() {
    use sinew::skin::DualQuatJoint;
    let mut random = Random(7331);
    for nth in 0..300 {
        let (turn, factor) = (random.turn(180.0), 3_f32.powf(random.signed()));
        let (scale, is_uniform) = match nth % 6 {
            0 => (Vec3::ONE, true),
            1 => (Vec3::splat(factor), true),
            2 => (Vec3::splat(-factor), true),
            3 => (random.vector().map(|x| 3_f32.powf(x)), false),
            4 => (Vec3::new(factor, factor, 1.01 * factor), false),
            _ => (Vec3::new(factor, -factor, 0.5), false),
        };
        let axes = random.turn(180.0);
        let stretch = DMat3::from_quat(axes.as_dquat().normalize());
        let stretch = stretch * DMat3::from_diagonal(scale.as_dvec3()) * stretch.transpose();
        let linear = DMat3::from_quat(turn.as_dquat().normalize()) * stretch;
        let map = DAffine3::from_mat3_translation(linear, random.vector().as_dvec3());
        let bound = random.vector();
        let joint = DualQuatJoint::new(&affine(&map), bound, Quat::IDENTITY);
        assert_eq!(joint.is_uniform, is_uniform, "{nth}: {scale}");
        let volume = f64::from(joint.scale).powi(3);
        let expected = linear.determinant();
        assert!(
            (volume / expected - 1.0).abs() < 1e-4,
            "{nth}: {volume}, {expected}"
        );
        assert!((joint.rotation.length() - 1.0).abs() < 1e-6, "{nth}");
        let rows = joint.stretch.rows;
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            assert!((rows[i][j] - rows[j][i]).abs() < 1e-5, "{nth}: {rows:?}");
        }
        for p in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, bound] {
            let found = joint.rotation * joint.stretch.transform_point(p) + joint.position;
            let expected = map.transform_point3(p.as_dvec3());
            let off = found.as_dvec3().distance(expected);
            assert!(off < 3e-5, "{nth}: {scale} takes {p} {off} off");
        }
    }
}

/// Every kind of map that a joint can have, and a map that is not finite.
fn kinds_of_maps(random: &mut Random) -> Vec<Affine> {
    let mut maps = Vec::new();
    for nth in 0..161 {
        let factor = 100_f32.powf(random.signed());
        let scale = match nth % 8 {
            0 => Vec3::ONE,
            1 => Vec3::splat(factor),
            2 => Vec3::splat(-factor),
            3 => (Vec3::ONE + 0.024 * random.vector()) * factor,
            4 => random.vector().map(|x| 4_f32.powf(x)),
            5 => Vec3::new(factor, -factor, 0.5 * factor),
            6 => Vec3::new(1.0, 0.0, 1.0),
            _ => random.vector().map(|x| 300_f32.powf(x)),
        };
        let axes = DMat3::from_quat(random.turn(180.0).as_dquat().normalize());
        let stretch = axes * DMat3::from_diagonal(scale.as_dvec3()) * axes.transpose();
        let linear = DMat3::from_quat(random.turn(180.0).as_dquat().normalize()) * stretch;
        let moved = random.vector().as_dvec3();
        maps.push(affine(&DAffine3::from_mat3_translation(linear, moved)));
    }
    maps
}

#[test]
fn joints_in_lanes_are_split_as_one_alone_in_f64() {
    use sinew::skin::DualQuatJoint;
    let mut random = Random(4177);
    let maps = kinds_of_maps(&mut random);
    let bound: Vec<Vec3> = maps.iter().map(|_| random.vector()).collect();
    let palette = DualQuatPalette::from_matrices(&maps, &bound).expect("as many");
    assert_eq!((palette.len(), palette.is_empty()), (161, false));
    let mut worst = [0.0_f32; 2];
    for (index, found) in palette.joints().enumerate() {
        let expected = DualQuatJoint::new(&maps[index], bound[index], Quat::IDENTITY);
        assert_eq!(found.is_uniform, expected.is_uniform, "{index}");
        assert_eq!(found.position, expected.position, "{index}");
        assert_eq!(found.bind_position, expected.bind_position, "{index}");
        let size = expected
            .stretch
            .rows
            .iter()
            .flatten()
            .fold(0.0_f32, |m, x| m.max(x.abs()));
        let turned = (found.rotation - quat::aligned(expected.rotation, found.rotation)).length();
        let off = found.stretch.max_difference(&expected.stretch) / size;
        let off = off.max((found.scale - expected.scale).abs() / size);
        worst = [worst[0].max(turned), worst[1].max(off)];
        assert!(turned < 1e-6, "{index}: {turned}");
        assert!(off < 1e-6, "{index}: {off}");
        // The parts give the map up to a few roundings, even if it is almost flat.
        for p in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
            let again = found.rotation * found.stretch.transform_point(p) + found.position;
            let off = again.distance(maps[index].transform_point(p)) / (size + 1.0);
            assert!(off < 3e-6, "{index}: {p} is {off} off");
        }
    }
    println!(
        "rotations within {}, stretches within {}",
        worst[0], worst[1]
    );
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    use sinew::simd::Level;
    for seed in 0..20 {
        let mut random = Random(977 * seed + 1);
        let skeleton = tree(&mut random);
        let rest = skeleton.rest_model();
        let skin = Skin {
            name: String::new(),
            joints: vec![11, 3, 19, 0, 7, 3, 12, 13, 14, 15, 16, 17, 18, 1, 2, 9, 8],
            joint_from_model: vec![Affine::IDENTITY; 17],
        };
        let palette =
            DualQuatPalette::new(skeleton.hierarchy(), rest.as_slice(), &skin).expect("fits");
        let first = 8 * random.below(18);
        let maps = kinds_of_maps(&mut random);
        let mut pose = maps[first..first + JOINTS].to_vec();
        if seed % 4 == 0 {
            pose = maps.iter().step_by(8).take(JOINTS).copied().collect();
        }
        let bits = |level: Level| {
            let mut palette = palette.clone();
            palette.update_at(level, &pose).expect("of this skeleton");
            let mut numbers: Vec<f32> = palette.motions().as_flattened().to_vec();
            numbers.extend(palette.rows().as_flattened());
            assert_eq!(palette.common_scale().is_some(), seed % 4 == 0);
            for joint in palette.joints() {
                numbers.extend(joint.rotation.to_array());
                numbers.extend(joint.stretch.rows.as_flattened());
                numbers.extend(joint.position.to_array());
                numbers.push(joint.scale);
            }
            numbers.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        let best = bits(Level::best());
        for level in Level::all() {
            assert_eq!(bits(level), best, "seed {seed}, {level}");
        }
    }
}
