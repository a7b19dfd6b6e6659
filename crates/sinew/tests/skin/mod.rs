mod blend_f64;
mod contained;
mod palette;
mod random;
mod refused;
mod scale;
mod scale_in_f64;
mod units;
mod worked_examples;

use glam::{Quat, Vec3, Vec4};
use proptest::prelude::*;
use sinew::skin::{
    self, DualQuatPalette, Palette, SkinError, Vertices, VerticesMut, dual_quat, linear, rigid,
};
use sinew::transform::quat;
use sinew::{Affine, Influences, Joint, LocalPose, Method, ModelPose, Skeleton, Skin, Transform};

const METHODS: [Method; 3] = [Method::Rigid, Method::Linear, Method::DualQuat];

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
    pose.update(skeleton.hierarchy(), local, &Affine::IDENTITY)
        .expect("of this skeleton");
    pose
}

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
            let mut palette =
                DualQuatPalette::new(skeleton.hierarchy(), skeleton.rest_model().as_slice(), skin)
                    .expect("of this skeleton");
            palette.update(pose.as_slice()).expect("of this skeleton");
            dual_quat(&palette, influences, &vertices, &mut out)
        }
        _ => {
            let mut palette = Palette::default();
            palette
                .update(skin, pose.as_slice())
                .expect("of this skeleton");
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

fn one_by(
    weights: &[f32],
    p: Vec3,
    job: impl FnOnce(&Influences, &Vertices<'_>, &mut VerticesMut<'_>) -> Result<(), SkinError>,
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
    let palette = DualQuatPalette::from_matrices(palette, &vec![Vec3::ZERO; palette.len()])
        .expect("of this skeleton");
    one_by(weights, p, |influences, bind, out| {
        dual_quat(&palette, influences, bind, out)
    })
}

#[test]
fn a_palette_is_one_matrix_a_joint_from_bind_to_pose() {
    let skeleton = chain(20, 0.5);
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
    let mut local = skeleton.rest().clone();
    let bend = turn(Vec3::Z, 10.0);
    (0..20).for_each(|joint| local.set_rotation(joint, bend));
    let pose = posed(&skeleton, &local);
    let mut palette = Palette::default();
    palette
        .update(&skin, pose.as_slice())
        .expect("of this skeleton");
    assert_eq!(palette.as_slice().len(), 20);
    assert_eq!(size_of_val(palette.as_slice()), 960);
    let bind = skeleton.rest_model();
    for (joint, map) in palette.as_slice().iter().enumerate() {
        let p = Vec3::new(1.0, 2.0, 3.0);
        let in_joint = bind.get(joint).inverse().unwrap().transform_point(p);
        let wanted = pose.get(joint).transform_point(in_joint);
        assert!(map.transform_point(p).distance(wanted) < 1e-5);
        if joint > 0 {
            // The printed formula lacks the inverse.
            let printed = *pose.get(joint) * *bind.get(joint);
            assert!(printed.transform_point(p).distance(wanted) > 0.1);
        }
    }
    palette
        .update(&skin, bind.as_slice())
        .expect("of this skeleton");
    for map in palette.as_slice() {
        assert!(map.max_difference(&Affine::IDENTITY) < 1e-6);
    }
}

#[test]
fn a_vertex_names_joints_of_its_skin_in_any_order() {
    let skeleton = chain(3, 1.0);
    let rest = Skin::bound_at(skeleton.rest_model().as_slice());
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
fn motions_that_cancel_out_give_no_nan() {
    let joints = vec![
        Joint::new("pelvis", None, Transform::IDENTITY),
        Joint::new("left", Some(0), Transform::IDENTITY),
        Joint::new("right", Some(0), Transform::IDENTITY),
    ];
    let skeleton = Skeleton::new(joints).expect("a tree").0;
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
    let weights = influences(&[vec![(1, 0.5), (2, 0.5)], vec![(0, 0.5), (1, 0.5)]]);
    let bind = [Vec3::new(0.3, 1.0, 0.0); 2];
    for nudge in [-1e-3, -1e-5, 0.0, 1e-5, 1e-3] {
        let mut local = skeleton.rest().clone();
        local.set_rotation(1, turn(Vec3::X, 180.0 + nudge));
        local.set_rotation(2, turn(Vec3::X, -180.0 - nudge));
        let pose = posed(&skeleton, &local);
        let (p, n) = skinned(&skeleton, &skin, &pose, &weights, &bind, Method::DualQuat);
        if nudge == 0.0 {
            // The blend cancels, and the first of two equal joints decides.
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
fn influences_are_put_right_and_counted() {
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
fn dual_quaternions_keep_scale_along_any_axis_about_the_joint() {
    // One joint, scaled across the axes of the model and rotated, gives exactly its own matrix.
    let skeleton = chain(2, 3.0);
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
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
        let skin = Skin::bound_at(skeleton.rest_model().as_slice());
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
    // Thighs at ±100° are 200° apart, and each is well within 180° of the pelvis.
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
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
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

    // A reference sign per vertex tears the mesh.
    let mut palette = Palette::default();
    palette
        .update(&skin, pose.as_slice())
        .expect("of this skeleton");
    let binds: Vec<_> = (0..3).map(|j| skin.bind_position(j)).collect();
    let bare =
        DualQuatPalette::from_matrices(palette.as_slice(), &binds).expect("of this skeleton");
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
fn direct_quaternion_blending_twists_well_and_bends_off_its_joint() {
    let skeleton = chain(2, 5.0);
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
    let weights = influences(&[vec![(0, 0.5), (1, 0.5)]]);
    let at_joint = |turned: Quat, method| {
        let mut local = skeleton.rest().clone();
        local.set_rotation(1, turned);
        let pose = posed(&skeleton, &local);
        let mut palette = DualQuatPalette::new(
            skeleton.hierarchy(),
            skeleton.rest_model().as_slice(),
            &skin,
        )
        .expect("of this skeleton");
        palette.update(pose.as_slice()).expect("of this skeleton");
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
    linear(&palette, &influences(&[vec![(0, 1.0)]]), &bind, &mut out).expect("fits");
    assert!(t[0].distance(Vec4::new(0.0, 0.0, 1.0, -1.0)) < 1e-6);
    // A scale of 3 along x makes the normal lean away from x.
    assert!(n[0].distance(Vec3::new(1.0, 0.0, 3.0).normalize()) < 1e-6);
}
