//! Skinning: refusals, the documents' numbers, and what must hold for every method.

use glam::{Quat, Vec3, Vec4};
use proptest::prelude::*;
use sinew::skin::{
    self, DualQuatPalette, Palette, SkinError, Vertices, VerticesMut, dual_quat, linear, rigid,
};
use sinew::transform::quat;
use sinew::{Affine, Influences, Joint, LocalPose, Method, ModelPose, Skeleton, Skin, Transform};

fn turn(axis: Vec3, degrees: f32) -> Quat {
    quat::from_axis_angle(axis, degrees.to_radians())
}

fn influences(lists: &[Vec<(u16, f32)>]) -> Influences {
    Influences::from_lists(lists, 64).expect("few").0
}

fn about(pivot: Vec3, rotation: Quat) -> Affine {
    Affine::from_translation(pivot)
        * Transform::from_rotation(rotation).to_affine()
        * Affine::from_translation(-pivot)
}

/// A chain of joints `step` apart along x.
fn chain(joints: usize, step: f32) -> Skeleton {
    let joints = (0..joints)
        .map(|j| {
            let along = if j == 0 { 0.0 } else { step };
            let rest = Transform::from_translation(Vec3::X * along);
            Joint::new(j.to_string(), j.checked_sub(1), rest)
        })
        .collect();
    Skeleton::new(joints).expect("a chain").0
}

fn posed(skeleton: &Skeleton, local: &LocalPose) -> ModelPose {
    let mut pose = ModelPose::identity(0);
    pose.update(skeleton, local, &Affine::IDENTITY);
    pose
}

/// Positions and normals by a method.
fn skinned(
    skeleton: &Skeleton,
    skin: &Skin,
    pose: &ModelPose,
    influences: &Influences,
    bind: &[Vec3],
    method: Method,
) -> (Vec<Vec3>, Vec<Vec3>) {
    let input_normals = vec![Vec3::Y; bind.len()];
    let vertices = Vertices {
        positions: bind,
        normals: Some(&input_normals),
        tangents: None,
    };
    let (mut positions, mut normals) = (bind.to_vec(), input_normals.clone());
    let mut out = VerticesMut {
        positions: &mut positions,
        normals: Some(&mut normals),
        tangents: None,
    };
    match method {
        Method::DualQuat => {
            let mut palette = DualQuatPalette::new(skeleton, skin);
            palette.update(pose);
            dual_quat(&palette, influences, &vertices, &mut out)
        }
        _ => {
            let mut palette = Palette::default();
            palette.update(skin, pose);
            let job = if method == Method::Rigid {
                rigid
            } else {
                linear
            };
            job(palette.as_slice(), influences, &vertices, &mut out)
        }
    }
    .expect("everything fits");
    (positions, normals)
}

/// One vertex by a skinning function.
fn one_by(
    weights: &[f32],
    p: Vec3,
    job: impl FnOnce(&Influences, &Vertices, &mut VerticesMut) -> Result<(), SkinError>,
) -> Vec3 {
    let joints = weights.iter().enumerate();
    let list = joints.map(|(j, &w)| (j as u16, w)).collect();
    let mut positions = [Vec3::ZERO];
    let mut out = VerticesMut {
        positions: &mut positions,
        normals: None,
        tangents: None,
    };
    let bind = Vertices {
        positions: &[p],
        normals: None,
        tangents: None,
    };
    job(&influences(&[list]), &bind, &mut out).expect("fits");
    positions[0]
}

fn one(palette: &[Affine], weights: &[f32], p: Vec3) -> Vec3 {
    one_by(weights, p, |influences, bind, out| {
        linear(palette, influences, bind, out)
    })
}

fn one_dual(palette: &[Affine], weights: &[f32], p: Vec3) -> Vec3 {
    let palette = DualQuatPalette::from_matrices(palette, &vec![Vec3::ZERO; palette.len()]);
    one_by(weights, p, |influences, bind, out| {
        dual_quat(&palette, influences, bind, out)
    })
}

#[test]
fn what_skinning_refuses_before_touching_the_output() {
    let palette = [Affine::IDENTITY; 2];
    let weights = influences(&[vec![(0, 1.0)], vec![(1, 1.0)]]);
    let bind = [Vec3::X; 2];
    let run = |palette: &[Affine], bind: &Vertices, out: &mut VerticesMut| {
        linear(palette, &weights, bind, out).expect_err("must be refused")
    };
    let positions_only = Vertices {
        positions: &bind,
        normals: None,
        tangents: None,
    };
    let (mut two, mut three, mut normals) = ([Vec3::ZERO; 2], [Vec3::ZERO; 3], [Vec3::ZERO; 2]);
    let mut tangents = [Vec4::ZERO; 2];
    fn out(positions: &mut [Vec3]) -> VerticesMut<'_> {
        VerticesMut {
            positions,
            normals: None,
            tangents: None,
        }
    }
    let length = |e| matches!(e, SkinError::Length { .. });
    assert!(length(run(&palette, &positions_only, &mut out(&mut three))));
    let one_vertex = Vertices {
        positions: &bind[..1],
        ..positions_only
    };
    assert!(length(run(&palette, &one_vertex, &mut out(&mut two[..1]))));
    assert_eq!(
        run(&palette[..1], &positions_only, &mut out(&mut two)),
        SkinError::NoSuchJoint { joint: 1, len: 1 }
    );
    let mut wants_normals = VerticesMut {
        normals: Some(&mut normals),
        ..out(&mut two)
    };
    assert_eq!(
        run(&palette, &positions_only, &mut wants_normals),
        SkinError::Missing { what: "normals" }
    );
    let mut wants_tangents = VerticesMut {
        tangents: Some(&mut tangents),
        ..out(&mut two)
    };
    assert_eq!(
        run(&palette, &positions_only, &mut wants_tangents),
        SkinError::Missing { what: "tangents" }
    );
    let short_normals = Vertices {
        normals: Some(&bind[..1]),
        ..positions_only
    };
    assert!(length(run(&palette, &short_normals, &mut out(&mut two))));
    assert_eq!(two, [Vec3::ZERO; 2]);
}

#[test]
fn spec_68_71_to_73_a_palette_is_one_matrix_a_joint_from_bind_to_pose() {
    let skeleton = chain(20, 0.5);
    let skin = Skin::at_rest(&skeleton);
    let mut local = skeleton.rest().clone();
    let bend = turn(Vec3::Z, 10.0);
    (0..20).for_each(|joint| local.set_rotation(joint, bend));
    let pose = posed(&skeleton, &local);
    let mut palette = Palette::default();
    palette.update(&skin, &pose);
    assert_eq!(palette.as_slice().len(), 20);
    assert_eq!(size_of_val(palette.as_slice()), 960);
    let bind = skeleton.rest_model();
    for (joint, map) in palette.as_slice().iter().enumerate() {
        // Back along the pose, each vertex is where it was bound.
        let p = Vec3::new(1.0, 2.0, 3.0);
        let in_joint = bind.get(joint).inverse().unwrap().transform_point(p);
        let wanted = pose.get(joint).transform_point(in_joint);
        assert!(map.transform_point(p).distance(wanted) < 1e-5);
        if joint > 0 {
            // As printed, without the inverse.
            let printed = *pose.get(joint) * *bind.get(joint);
            assert!(printed.transform_point(p).distance(wanted) > 0.1);
        }
    }
    // The next frame reads the same inverse binds.
    palette.update(&skin, &bind);
    for map in palette.as_slice() {
        assert!(map.max_difference(&Affine::IDENTITY) < 1e-6);
    }
}

#[test]
fn spec_8_57_58_a_vertex_names_joints_of_its_skin_in_any_order() {
    let skeleton = chain(3, 1.0);
    let rest = Skin::at_rest(&skeleton);
    // The skin lists the last joint first and leaves the root out.
    let skin = Skin {
        joints: vec![skeleton.find("2").unwrap(), skeleton.find("1").unwrap()],
        joint_from_model: vec![rest.joint_from_model[2], rest.joint_from_model[1]],
        ..Skin::default()
    };
    let mut local = skeleton.rest().clone();
    local.set_rotation(2, turn(Vec3::Z, 90.0));
    let pose = posed(&skeleton, &local);
    let bind = [Vec3::new(3.0, 0.0, 0.0); 2];
    let weights = influences(&[vec![(0, 1.0)], vec![(1, 1.0)]]);
    for method in METHODS {
        let (p, n) = skinned(&skeleton, &skin, &pose, &weights, &bind, method);
        assert!(p[0].distance(Vec3::new(2.0, 1.0, 0.0)) < 1e-6, "{method:?}");
        assert!(n[0].distance(Vec3::NEG_X) < 1e-6, "{method:?}");
        assert!(p[1].distance(bind[1]) < 1e-6 && n[1].distance(Vec3::Y) < 1e-6);
    }
}

#[test]
fn spec_82_motions_that_cancel_out_give_no_nan() {
    let joints = vec![
        Joint::new("pelvis", None, Transform::IDENTITY),
        Joint::new("left", Some(0), Transform::IDENTITY),
        Joint::new("right", Some(0), Transform::IDENTITY),
    ];
    let skeleton = Skeleton::new(joints).expect("a tree").0;
    let skin = Skin::at_rest(&skeleton);
    let weights = influences(&[vec![(1, 0.5), (2, 0.5)], vec![(0, 0.5), (1, 0.5)]]);
    let bind = [Vec3::new(0.3, 1.0, 0.0); 2];
    for nudge in [-1e-3, -1e-5, 0.0, 1e-5, 1e-3] {
        let mut local = skeleton.rest().clone();
        local.set_rotation(1, turn(Vec3::X, 180.0 + nudge));
        local.set_rotation(2, turn(Vec3::X, -180.0 - nudge));
        let pose = posed(&skeleton, &local);
        let (p, n) = skinned(&skeleton, &skin, &pose, &weights, &bind, Method::DualQuat);
        if nudge == 0.0 {
            // Nothing is left of the blend, so the first of two equal joints takes it.
            assert!(p[0].distance(Vec3::new(0.3, -1.0, 0.0)) < 1e-5, "{}", p[0]);
        }
        for (p, n) in p.iter().zip(&n) {
            assert!(
                (p.x - 0.3).abs() < 1e-5 && (p.y.hypot(p.z) - 1.0).abs() < 1e-5,
                "{p}"
            );
            assert!((n.length() - 1.0).abs() < 1e-5, "{n}");
        }
    }
}

#[test]
fn spec_69_the_lectures_elbow() {
    let elbow = Vec3::new(4.0, 0.0, 0.0);
    let palette = [Affine::IDENTITY, about(elbow, turn(Vec3::Z, 90.0))];
    let v = Vec3::new(3.5, 0.5, 0.0);
    assert!(
        palette[1]
            .transform_point(v)
            .distance(Vec3::new(3.5, -0.5, 0.0))
            < 1e-6
    );
    let blended = one(&palette, &[0.75, 0.25], v);
    assert!(blended.distance(Vec3::new(3.5, 0.25, 0.0)) < 1e-6);
    let shoulder = about(Vec3::ZERO, turn(Vec3::Z, -45.0));
    let both = [shoulder, shoulder * palette[1]];
    let blended = one(&both, &[0.75, 0.25], v);
    assert!(blended.distance(Vec3::new(2.651_650_4, -2.298_097, 0.0)) < 2e-6);
}

#[test]
fn spec_69_87_a_seam_shrinks_by_the_cosine_and_dual_quaternions_do_not() {
    let elbow = Vec3::new(4.0, 0.0, 0.0);
    let v = Vec3::new(4.0, 1.0, 0.0);
    for degrees in [0.0_f32, 30.0, 45.0, 60.0, 90.0, 120.0, 150.0, 180.0] {
        let palette = [Affine::IDENTITY, about(elbow, turn(Vec3::Z, degrees))];
        let bent = one(&palette, &[0.5, 0.5], v);
        let cosine = (degrees.to_radians() / 2.0).cos();
        assert!((bent.distance(elbow) - cosine).abs() < 1e-6, "{degrees}");
        if degrees < 180.0 {
            let half = degrees.to_radians() / 2.0;
            let wanted = elbow + Vec3::new(-half.sin(), half.cos(), 0.0);
            let bulged = one_dual(&palette, &[0.5, 0.5], v);
            assert!(bulged.distance(wanted) < 1e-5, "{degrees}: {bulged}");
        }
    }
}

#[test]
fn spec_74_87_candy_wrapper_radius() {
    for degrees in [0.0_f32, 30.0, 60.0, 90.0, 120.0, 150.0, 179.0] {
        let palette = [Affine::IDENTITY, about(Vec3::ZERO, turn(Vec3::X, degrees))];
        let radius = |p: Vec3| p.length();
        let lbs = radius(one(&palette, &[0.5, 0.5], Vec3::Y));
        assert!((lbs - (degrees.to_radians() / 2.0).cos()).abs() < 1e-6);
        let dqs = radius(one_dual(&palette, &[0.5, 0.5], Vec3::Y));
        assert!((dqs - 1.0).abs() < 1e-6, "{degrees}: {dqs}");
    }
}

#[test]
fn spec_74_limb_volume_with_linear_weights() {
    let wanted = [
        (30.0, 0.955_341_8),
        (60.0, 0.833_333_3),
        (90.0, 0.666_666_7),
        (120.0, 0.5),
        (150.0, 0.377_991_5),
        (180.0, 0.333_333_3),
    ];
    for (degrees, wanted) in wanted {
        let palette = [Affine::IDENTITY, about(Vec3::ZERO, turn(Vec3::X, degrees))];
        // The mean of r² along the limb, by the midpoint rule.
        let steps = 2000;
        let mean_square = |skin: &dyn Fn(&[f32; 2]) -> Vec3| {
            let sum: f64 = (0..steps)
                .map(|i| {
                    let w = (i as f32 + 0.5) / steps as f32;
                    f64::from(skin(&[1.0 - w, w]).length_squared())
                })
                .sum();
            sum / f64::from(steps)
        };
        let lbs = mean_square(&|w| one(&palette, w, Vec3::Y));
        assert!((lbs - wanted).abs() < 1e-5, "{degrees}: {lbs}");
        if degrees < 180.0 {
            let dqs = mean_square(&|w| one_dual(&palette, w, Vec3::Y));
            assert!((dqs - 1.0).abs() < 1e-5, "{degrees}: {dqs}");
        }
    }
}

#[test]
fn spec_67_rigid_skinning_follows_the_heaviest_joint_and_cracks() {
    let skeleton = chain(2, 1.0);
    let skin = Skin::at_rest(&skeleton);
    let mut local = skeleton.rest().clone();
    local.set_rotation(1, turn(Vec3::Z, 90.0));
    let pose = posed(&skeleton, &local);
    let bind = [Vec3::new(1.0, 0.2, 0.0); 3];
    let weights = influences(&[
        vec![(0, 0.51), (1, 0.49)],
        vec![(0, 0.49), (1, 0.51)],
        vec![(1, 0.5), (0, 0.5)],
    ]);
    let (p, _) = skinned(&skeleton, &skin, &pose, &weights, &bind, Method::Rigid);
    assert_eq!(p[0], bind[0]);
    assert!(
        p[1].distance(Vec3::new(0.8, 0.0, 0.0)) < 1e-6,
        "a crack of {}",
        p[0].distance(p[1])
    );
    assert_eq!(p[2], bind[2], "ties go to the lowest joint");
}

#[test]
fn spec_60_the_slides_weight_table_reads_back() {
    let table = [
        vec![(0, 0.7), (1, 0.3)],
        vec![(0, 0.5), (1, 0.5)],
        vec![(0, 0.3), (1, 0.7)],
    ];
    let weights = influences(&table);
    for (vertex, row) in table.iter().enumerate() {
        let found: Vec<_> = weights.get(vertex).map(|(j, w)| (j as u16, w)).collect();
        assert_eq!(&found, row);
    }
}

#[test]
fn spec_57_influences_are_put_right_and_counted() {
    let joints = [0, 1, 0, 9, 2, 1, 3, 3, 1, 0];
    let weights = [0.5, 0.5, 0.0, 0.5, -1.0, 0.25, 0.0, 0.0, 0.3, 0.7];
    let (found, repairs) = Influences::from_padded(&joints, &weights, 2, 5).expect("pairs up");
    assert_eq!(found.get(0).collect::<Vec<_>>(), [(0, 0.5), (1, 0.5)]);
    assert_eq!(
        found.get(1).collect::<Vec<_>>(),
        [(0, 1.0)],
        "joint 9 is none of five"
    );
    assert_eq!(found.get(2).collect::<Vec<_>>(), [(1, 1.0)]);
    assert_eq!(
        found.get(3).collect::<Vec<_>>(),
        [(3, 1.0)],
        "no weight: the first joint"
    );
    assert_eq!(found.get(4).collect::<Vec<_>>(), [(0, 0.7), (1, 0.3)]);
    assert_eq!(repairs.joint_out_of_range, 1);
    assert_eq!(repairs.bad_weight, 1);
    assert_eq!(repairs.unweighted, 2);
    assert_eq!(repairs.renormalized, 1);
    assert!(Influences::from_padded(&joints, &weights[..8], 2, 5).is_err());
    assert!(Influences::from_padded(&joints, &weights, 3, 5).is_err());
    assert!(Influences::from_padded(&joints, &weights, 0, 5).is_err());
    let huge = vec![(0, f32::MAX), (1, f32::MAX)];
    assert_eq!(
        influences(&[huge]).get(0).collect::<Vec<_>>(),
        [(0, 0.5), (1, 0.5)]
    );
}

#[test]
fn spec_84_85_dual_quaternions_keep_scale_along_any_axis_about_the_joint() {
    // One joint, scaled across the model's axes and turned: exactly its own matrix.
    let skeleton = chain(2, 3.0);
    let skin = Skin::at_rest(&skeleton);
    let shapes = [
        Vec3::new(2.0, 1.0, 1.0),
        Vec3::new(0.5, 3.0, 1.5),
        Vec3::new(-1.0, 1.0, 1.0),
        Vec3::new(-2.0, -0.5, -1.0),
        Vec3::new(0.0, 1.0, 1.0),
    ];
    for scale in shapes {
        let mut local = skeleton.rest().clone();
        local.set(
            1,
            Transform {
                translation: Vec3::new(3.0, 0.5, 0.0),
                rotation: turn(Vec3::new(1.0, 2.0, 3.0), 100.0),
                scale,
            },
        );
        let pose = posed(&skeleton, &local);
        let bind = [Vec3::new(3.5, 0.4, -0.3)];
        let weights = influences(&[vec![(1, 1.0)]]);
        let (dqs, dqs_n) = skinned(&skeleton, &skin, &pose, &weights, &bind, Method::DualQuat);
        let (lbs, lbs_n) = skinned(&skeleton, &skin, &pose, &weights, &bind, Method::Linear);
        assert!(
            dqs[0].distance(lbs[0]) < 2e-6,
            "{scale}: {} {}",
            dqs[0],
            lbs[0]
        );
        assert!(
            dqs_n[0].distance(lbs_n[0]) < 2e-5,
            "{scale}: {} {}",
            dqs_n[0],
            lbs_n[0]
        );
    }
}

#[test]
fn moving_mesh_bind_and_pose_together_moves_the_result() {
    let far = Vec3::new(10.0, -10.0, 10.0);
    let build = |offset: Vec3| {
        let root = Transform::from_translation(offset);
        let joints = vec![
            Joint::new("a", None, root),
            Joint::new("b", Some(0), Transform::from_translation(Vec3::X * 0.5)),
        ];
        let skeleton = Skeleton::new(joints).expect("a chain").0;
        let skin = Skin::at_rest(&skeleton);
        let mut local = skeleton.rest().clone();
        let bent = Transform {
            translation: Vec3::X * 0.5,
            rotation: turn(Vec3::Z, 80.0),
            scale: Vec3::new(2.0, 2.0, 1.0),
        };
        local.set(1, bent);
        let pose = posed(&skeleton, &local);
        let bind: Vec<Vec3> = (0..20)
            .map(|i| Vec3::new(i as f32 * 0.05, 0.1, -0.05) + offset)
            .collect();
        let lists: Vec<_> = (0..20)
            .map(|i| vec![(0, 1.0 - i as f32 / 19.0), (1, i as f32 / 19.0)])
            .collect();
        skinned(
            &skeleton,
            &skin,
            &pose,
            &influences(&lists),
            &bind,
            Method::DualQuat,
        )
        .0
    };
    for (near, moved) in build(Vec3::ZERO).iter().zip(build(far)) {
        assert!(
            (moved - far).distance(*near) < 1e-5,
            "{near} {}",
            moved - far
        );
    }
}

#[test]
fn signs_come_from_the_pose_so_a_pelvis_does_not_tear() {
    // Thighs at ±100°: 200° apart, each well under a half turn from the pelvis.
    let joints = vec![
        Joint::new("pelvis", None, Transform::IDENTITY),
        Joint::new("left", Some(0), Transform::from_translation(Vec3::X * 0.1)),
        Joint::new(
            "right",
            Some(0),
            Transform::from_translation(Vec3::X * -0.1),
        ),
    ];
    let skeleton = Skeleton::new(joints).expect("a tree").0;
    let skin = Skin::at_rest(&skeleton);
    let mut local = skeleton.rest().clone();
    local.set_rotation(1, turn(Vec3::X, 100.0));
    local.set_rotation(2, turn(Vec3::X, -100.0));
    let pose = posed(&skeleton, &local);
    let n = 2001;
    let bind: Vec<Vec3> = (0..n).map(|_| Vec3::new(0.0, -0.2, 0.0)).collect();
    let lists: Vec<_> = (0..n)
        .map(|i| {
            let u = i as f32 / (n - 1) as f32;
            vec![(0, 0.2), (1, 0.8 * u), (2, 0.8 * (1.0 - u))]
        })
        .collect();
    let (p, _) = skinned(
        &skeleton,
        &skin,
        &pose,
        &influences(&lists),
        &bind,
        Method::DualQuat,
    );
    let step = p
        .windows(2)
        .map(|w| w[0].distance(w[1]))
        .fold(0.0, f32::max);
    assert!(step < 0.002, "neighbours differ by {step}");

    // A reference chosen per vertex tears.
    let mut palette = Palette::default();
    palette.update(&skin, &pose);
    let binds: Vec<_> = (0..3).map(|j| skin.bind_position(j)).collect();
    let bare = DualQuatPalette::from_matrices(palette.as_slice(), &binds);
    let mut torn = bind.clone();
    let mut out = VerticesMut {
        positions: &mut torn,
        normals: None,
        tangents: None,
    };
    let input = Vertices {
        positions: &bind,
        normals: None,
        tangents: None,
    };
    dual_quat(&bare, &influences(&lists), &input, &mut out).expect("fits");
    let step = torn
        .windows(2)
        .map(|w| w[0].distance(w[1]))
        .fold(0.0, f32::max);
    assert!(step > 0.05, "tears by {step}");
}

#[test]
fn spec_86_direct_quaternion_blending_twists_well_and_bends_off_its_joint() {
    let skeleton = chain(2, 5.0);
    let skin = Skin::at_rest(&skeleton);
    let weights = influences(&[vec![(0, 0.5), (1, 0.5)]]);
    let at_joint = |turned: Quat, method| {
        let mut local = skeleton.rest().clone();
        local.set_rotation(1, turned);
        let pose = posed(&skeleton, &local);
        let mut palette = DualQuatPalette::new(&skeleton, &skin);
        palette.update(&pose);
        let bind = [Vec3::new(5.0, 1.0, 0.0)];
        let input = Vertices {
            positions: &bind,
            normals: None,
            tangents: None,
        };
        let mut positions = bind;
        let mut out = VerticesMut {
            positions: &mut positions,
            normals: None,
            tangents: None,
        };
        match method {
            Method::Quaternion => skin::quaternion(&palette, &weights, &input, &mut out),
            _ => dual_quat(&palette, &weights, &input, &mut out),
        }
        .expect("fits");
        positions[0]
    };
    let joint = Vec3::X * 5.0;
    let twisted = at_joint(turn(Vec3::X, 120.0), Method::Quaternion);
    assert!(
        (twisted.distance(joint) - 1.0).abs() < 1e-5,
        "a twist keeps the radius"
    );
    let bent = |method| at_joint(turn(Vec3::Z, 90.0), method).distance(joint);
    assert!((bent(Method::DualQuat) - 1.0).abs() < 1e-5);
    assert!(
        (bent(Method::Quaternion) - 1.0).abs() > 0.5,
        "{}",
        bent(Method::Quaternion)
    );
}

#[test]
fn tangents_keep_their_handedness_and_normals_stay_unit() {
    let stretch = Affine::from_axes(Vec3::X * 3.0, Vec3::Y, Vec3::Z, Vec3::ZERO);
    let palette = [about(Vec3::ONE, turn(Vec3::X, 90.0)) * stretch];
    let tangents = [Vec4::new(0.0, 1.0, 0.0, -1.0)];
    let normals = [Vec3::new(1.0, 1.0, 0.0).normalize()];
    let bind = Vertices {
        positions: &[Vec3::ZERO],
        normals: Some(&normals),
        tangents: Some(&tangents),
    };
    let (mut p, mut n, mut t) = ([Vec3::ZERO], [Vec3::ZERO], [Vec4::ZERO]);
    let mut out = VerticesMut {
        positions: &mut p,
        normals: Some(&mut n),
        tangents: Some(&mut t),
    };
    skin::linear(&palette, &influences(&[vec![(0, 1.0)]]), &bind, &mut out).expect("fits");
    assert!(t[0].distance(Vec4::new(0.0, 0.0, 1.0, -1.0)) < 1e-6);
    // Scaled 3 along x, so the normal leans away from x.
    assert!(n[0].distance(Vec3::new(1.0, 0.0, 3.0).normalize()) < 1e-6);
}

const METHODS: [Method; 3] = [Method::Rigid, Method::Linear, Method::DualQuat];

/// Sums within 1e-5 of one are left as they are, so vertices would be off by as much of their place: more
/// than is asked for below.
fn is_normalised(list: &[(u16, f32)]) -> bool {
    let sum: f32 = list.iter().map(|(_, weight)| weight).sum();
    (sum - 1.0).abs() > 2e-5
}

fn vertex_lists() -> impl Strategy<Value = Vec<Vec<(u16, f32)>>> {
    let influence = (0_u16..5, 0.01_f32..1.0);
    let list = prop::collection::vec(influence, 1..7)
        .prop_filter("almost one", |list| is_normalised(list));
    prop::collection::vec(list, 1..20)
}

fn angles() -> impl Strategy<Value = Vec<[f32; 3]>> {
    prop::collection::vec(prop::array::uniform3(-1.5_f32..1.5), 5)
}

fn bent(skeleton: &Skeleton, angles: &[[f32; 3]]) -> LocalPose {
    let mut local = skeleton.rest().clone();
    for (joint, [x, y, z]) in angles.iter().enumerate() {
        let axis = Vec3::new(*x, *y, *z);
        local.set_rotation(joint, quat::from_axis_angle(axis, axis.length()));
    }
    local
}

fn bind_points(n: usize) -> Vec<Vec3> {
    (0..n)
        .map(|i| Vec3::new(i as f32 * 0.3, 0.5 - (i % 3) as f32 * 0.4, 0.2))
        .collect()
}

/// The same in f64, straight from the formula.
fn linear_f64(palette: &[Affine], influences: &Influences, bind: &[Vec3]) -> Vec<[f64; 3]> {
    let place = |(vertex, p): (usize, &Vec3)| {
        let p = [p.x, p.y, p.z, 1.0].map(f64::from);
        [0, 1, 2].map(|row| {
            let parts = influences.get(vertex).map(|(joint, weight)| {
                let r = palette[joint].rows[row].map(f64::from);
                f64::from(weight) * (r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3] * p[3])
            });
            parts.sum()
        })
    };
    bind.iter().enumerate().map(place).collect()
}

proptest! {
    #[test]
    fn bind_pose_skins_to_itself(lists in vertex_lists()) {
        let skeleton = chain(5, 0.7);
        let skin = Skin::at_rest(&skeleton);
        let bind = bind_points(lists.len());
        for method in METHODS {
            let pose = skeleton.rest_model();
            let (p, n) = skinned(&skeleton, &skin, &pose, &influences(&lists), &bind, method);
            for (found, wanted) in p.iter().zip(&bind) {
                prop_assert!(found.distance(*wanted) < 2e-6, "{method:?}");
            }
            prop_assert!(n.iter().all(|n| n.distance(Vec3::Y) < 2e-6));
        }
    }

    #[test]
    fn a_rigid_motion_of_the_root_moves_every_vertex_rigidly(lists in vertex_lists(), angles in angles()) {
        let skeleton = chain(5, 0.7);
        let skin = Skin::at_rest(&skeleton);
        let bind = bind_points(lists.len());
        let mut local = bent(&skeleton, &angles);
        let before = posed(&skeleton, &local);
        let motion = Transform::from_rotation_translation(turn(Vec3::new(1.0, -1.0, 2.0), 200.0), Vec3::new(1.0, 2.0, -3.0));
        let root = local.get(0);
        local.set(0, Transform {
            translation: motion.to_affine().transform_point(root.translation),
            rotation: quat::mul(motion.rotation, root.rotation),
            scale: root.scale,
        });
        let after = posed(&skeleton, &local);
        for method in METHODS {
            let (p0, n0) = skinned(&skeleton, &skin, &before, &influences(&lists), &bind, method);
            let (p1, n1) = skinned(&skeleton, &skin, &after, &influences(&lists), &bind, method);
            for ((p0, n0), (p1, n1)) in p0.iter().zip(&n0).zip(p1.iter().zip(&n1)) {
                prop_assert!(motion.to_affine().transform_point(*p0).distance(*p1) < 2e-5, "{method:?}");
                prop_assert!(quat::rotate(motion.rotation, *n0).distance(*n1) < 2e-4, "{method:?}");
            }
        }
    }

    #[test]
    fn permuting_influences_changes_no_bit(lists in vertex_lists(), angles in angles(), rotate in 0_usize..6) {
        let skeleton = chain(5, 0.7);
        let skin = Skin::at_rest(&skeleton);
        let bind = bind_points(lists.len());
        let pose = posed(&skeleton, &bent(&skeleton, &angles));
        let mut permuted = lists.clone();
        for list in &mut permuted {
            let n = list.len();
            list.rotate_left(rotate % n);
            list.reverse();
        }
        for method in METHODS {
            let a = skinned(&skeleton, &skin, &pose, &influences(&lists), &bind, method);
            let b = skinned(&skeleton, &skin, &pose, &influences(&permuted), &bind, method);
            prop_assert_eq!(a, b);
        }
    }

    #[test]
    fn scaling_the_weights_changes_nothing_to_speak_of(lists in vertex_lists(), angles in angles(), factor in 0.1_f32..10.0) {
        let skeleton = chain(5, 0.7);
        let skin = Skin::at_rest(&skeleton);
        let bind = bind_points(lists.len());
        let pose = posed(&skeleton, &bent(&skeleton, &angles));
        let scaled: Vec<Vec<_>> = lists.iter().map(|l| l.iter().map(|&(j, w)| (j, w * factor)).collect()).collect();
        prop_assume!(scaled.iter().all(|list| is_normalised(list)));
        for method in [Method::Linear, Method::DualQuat] {
            let (a, _) = skinned(&skeleton, &skin, &pose, &influences(&lists), &bind, method);
            let (b, _) = skinned(&skeleton, &skin, &pose, &influences(&scaled), &bind, method);
            for (a, b) in a.iter().zip(&b) {
                // The chain is about ten long.
                prop_assert!(a.distance(*b) < 1e-6 * 10.0, "{method:?} {a} {b}");
            }
        }
    }

    #[test]
    fn linear_agrees_with_the_formula_in_f64(lists in vertex_lists(), angles in angles()) {
        let skeleton = chain(5, 0.7);
        let skin = Skin::at_rest(&skeleton);
        let bind = bind_points(lists.len());
        let pose = posed(&skeleton, &bent(&skeleton, &angles));
        let mut palette = Palette::default();
        palette.update(&skin, &pose);
        let weights = influences(&lists);
        let exact = linear_f64(palette.as_slice(), &weights, &bind);
        let (found, _) = skinned(&skeleton, &skin, &pose, &weights, &bind, Method::Linear);
        for (found, exact) in found.iter().zip(exact) {
            let found = found.to_array().map(f64::from);
            for (f, e) in found.iter().zip(exact) {
                prop_assert!((f - e).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn weights_whose_sum_overflows_still_follow_their_joints() {
    let huge = vec![(0, f32::MAX), (0, f32::MAX), (1, f32::MAX)];
    let (influences, _) = Influences::from_lists(&[huge], 2).unwrap();
    let kept: Vec<_> = influences.get(0).collect();
    assert_eq!(kept.len(), 2);
    assert!(
        (kept.iter().map(|k| k.1).sum::<f32>() - 1.0).abs() < 1e-6,
        "{kept:?}"
    );
}

#[test]
fn normals_turn_at_any_scale() {
    let rotation = turn(Vec3::Z, 90.0);
    for scale in [1e-12_f32, 1e12] {
        let scale = Vec3::splat(scale);
        let map = Transform {
            scale,
            ..Transform::from_rotation(rotation)
        }
        .to_affine();
        let bind = Vertices {
            positions: &[Vec3::X],
            normals: Some(&[Vec3::X]),
            tangents: None,
        };
        let (mut positions, mut normals) = ([Vec3::ZERO], [Vec3::ZERO]);
        let mut out = VerticesMut {
            positions: &mut positions,
            normals: Some(&mut normals),
            tangents: None,
        };
        linear(&[map], &influences(&[vec![(0, 1.0)]]), &bind, &mut out).unwrap();
        assert!(normals[0].distance(Vec3::Y) < 1e-6, "{}", normals[0]);
    }
}
