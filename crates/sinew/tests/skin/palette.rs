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

fn models(skeleton: &Skeleton, local: &LocalPose) -> Vec<DAffine3> {
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

fn affine(map: &DAffine3) -> Affine {
    let row = |i: usize| {
        let linear = map.matrix3.row(i);
        [linear.x, linear.y, linear.z, map.translation[i]].map(|x| x as f32)
    };
    Affine::from_rows([row(0), row(1), row(2)])
}

fn wide(map: &Affine) -> DAffine3 {
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
        // The bind pose differs from rest and from the current pose.
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
                let wanted = now[skin.joints[slot]] * wide(&skin.joint_from_model[slot]);
                for p in [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE] {
                    let wanted = wanted.transform_point3(p);
                    let found = wide(map).transform_point3(p);
                    let off = found.distance(wanted) / wanted.length().max(1.0);
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
            wanted: 3
        })
    ));
}

/// K(x) = R S (x − c) + d, with R a rotation, S symmetric and σ³ the determinant.
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
        let wanted = linear.determinant();
        assert!(
            (volume / wanted - 1.0).abs() < 1e-4,
            "{nth}: {volume}, {wanted}"
        );
        assert!((joint.rotation.length() - 1.0).abs() < 1e-6, "{nth}");
        let rows = joint.stretch.rows;
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            assert!((rows[i][j] - rows[j][i]).abs() < 1e-5, "{nth}: {rows:?}");
        }
        for p in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, bound] {
            let found = joint.rotation * joint.stretch.transform_point(p) + joint.position;
            let wanted = map.transform_point3(p.as_dvec3());
            let off = found.as_dvec3().distance(wanted);
            assert!(off < 3e-5, "{nth}: {scale} takes {p} {off} off");
        }
    }
}
