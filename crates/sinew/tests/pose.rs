//! Frames and forward kinematics: worked examples in the plane z = 0, and their misprints.

use glam::{Quat, Vec3};
use sinew::transform::quat;
use sinew::{Affine, Hierarchy, Joint, LocalPose, ModelPose, Skeleton, Skin, Transform};

/// Map of space from a 3×3 matrix of the plane.
fn plane(rows: [[f32; 3]; 2]) -> Affine {
    Affine::from_rows([
        [rows[0][0], rows[0][1], 0.0, rows[0][2]],
        [rows[1][0], rows[1][1], 0.0, rows[1][2]],
        [0.0, 0.0, 1.0, 0.0],
    ])
}

fn rot(degrees: f32) -> Quat {
    quat::from_axis_angle(Vec3::Z, degrees.to_radians())
}

fn rot_affine(degrees: f32) -> Affine {
    Transform::from_rotation(rot(degrees)).to_affine()
}

fn at(x: f32, y: f32) -> Vec3 {
    Vec3::new(x, y, 0.0)
}

#[track_caller]
fn assert_near(found: Vec3, wanted: Vec3) {
    let tolerance = 1e-6 * wanted.length().max(1.0) * 4.0;
    assert!(
        found.distance(wanted) <= tolerance,
        "{found} is not {wanted}"
    );
}

#[track_caller]
fn assert_map(found: &Affine, wanted: &Affine) {
    let size = wanted
        .rows
        .iter()
        .flatten()
        .fold(1.0_f32, |m, x| m.max(x.abs()));
    let error = found.max_difference(wanted);
    assert!(error <= 2e-6 * size, "{found:?} is not {wanted:?}: {error}");
}

fn arm() -> Skeleton {
    let elbow = Transform::from_rotation_translation(rot(90.0), at(3.0, 0.0));
    let joints = vec![
        Joint::new("shoulder", None, Transform::IDENTITY),
        Joint::new("elbow", Some(0), elbow),
        Joint::new("hand", Some(1), Transform::from_translation(at(4.0, 0.0))),
    ];
    Skeleton::new(joints).expect("a chain").0
}

#[test]
fn change_of_coordinates_of_frames_that_are_not_orthonormal() {
    let f_from_g = Affine::from_axes(at(2.0, 1.0), at(-1.0, 2.0), Vec3::Z, at(4.0, 2.0));
    assert_eq!(f_from_g, plane([[2.0, -1.0, 4.0], [1.0, 2.0, 2.0]]));
    let g_from_f = f_from_g.inverse().expect("invertible");
    assert_map(&g_from_f, &plane([[0.4, 0.2, -2.0], [-0.2, 0.4, 0.0]]));
    assert_map(&(f_from_g * g_from_f), &Affine::IDENTITY);
    assert!((f_from_g.determinant() - 5.0).abs() < 1e-6);
    assert_eq!(f_from_g.transform_point(at(1.0, 2.0)), at(4.0, 7.0));
    assert_eq!(f_from_g.transform_vector(at(1.0, 2.0)), at(0.0, 5.0));
    assert!((f_from_g.transform_vector(Vec3::X).length() - 2.236_068).abs() < 1e-6);
}

#[test]
fn frames_between_any_two_joints() {
    let arm = arm();
    let rest = arm.rest_model();
    let (i, j, k) = (0, 1, 2);
    let frame = |to, from| rest.frame(to, from).expect("nothing is flattened");
    assert_map(&frame(j, k), &plane([[1.0, 0.0, 4.0], [0.0, 1.0, 0.0]]));
    assert_map(&frame(i, j), &plane([[0.0, -1.0, 3.0], [1.0, 0.0, 0.0]]));
    // The text calls this matrix T[k<-i], but it is T[i<-k].
    let i_from_k = plane([[0.0, -1.0, 3.0], [1.0, 0.0, 4.0]]);
    assert_map(&frame(i, k), &i_from_k);
    assert!(frame(k, i).max_difference(&i_from_k) > 1.0);
    assert_map(&frame(j, i), &plane([[0.0, 1.0, 0.0], [-1.0, 0.0, 3.0]]));
    assert_map(&frame(k, i), &plane([[0.0, 1.0, -4.0], [-1.0, 0.0, 3.0]]));
    assert_near(frame(j, k).transform_point(at(2.0, 0.0)), at(6.0, 0.0));
    assert_near(frame(i, j).transform_point(at(6.0, 0.0)), at(3.0, 6.0));
    assert_near(frame(i, k).transform_point(at(2.0, 0.0)), at(3.0, 6.0));
    assert_eq!(frame(k, k), Affine::IDENTITY);
}

#[test]
fn poses_to_the_root_and_their_inverses() {
    let joints = vec![
        Joint::new("upper arm", None, Transform::IDENTITY),
        Joint::new(
            "forearm",
            Some(0),
            Transform::from_translation(at(4.0, 0.0)),
        ),
        Joint::new("hand", Some(1), Transform::from_translation(at(3.0, 0.0))),
    ];
    let (arm, _) = Skeleton::new(joints).expect("a chain");
    let rest = arm.rest_model();
    assert_near(rest.get(1).transform_point(at(2.0, 0.0)), at(6.0, 0.0));
    let forearm_from_hand = rest.frame(1, 2).expect("invertible");
    assert_near(
        forearm_from_hand.transform_point(at(1.0, 0.0)),
        at(4.0, 0.0),
    );
    assert_near(rest.get(2).transform_point(at(1.0, 0.0)), at(8.0, 0.0));

    // Character to bone, parents first: M_d^-1 = M_p^-1 · (M_d of the parent)^-1.
    let arm = self::arm();
    let rest = arm.rest_model();
    let local = arm.rest().get(2).to_affine();
    let character_from_hand = *rest.get(2);
    let hand_from_character = character_from_hand.inverse().expect("invertible");
    let elbow_from_character = rest.get(1).inverse().expect("invertible");
    let product = local.inverse().expect("invertible") * elbow_from_character;
    assert_map(&product, &hand_from_character);
    // As printed, M_d = M_p · (M_d of the parent)^-1.
    let printed = local * elbow_from_character;
    assert!(printed.max_difference(&character_from_hand) > 1.0);
}

#[test]
fn a_branching_tree_needs_the_parent_and_not_the_joint_before() {
    let step = Transform::from_translation(at(1.0, 0.0));
    let joints = vec![
        Joint::new("chest", None, step),
        Joint::new("left", Some(0), step),
        Joint::new("right", Some(0), step),
    ];
    let (tree, _) = Skeleton::new(joints).expect("a tree");
    assert_eq!(tree.rest_model().get(2).translation(), at(2.0, 0.0));
}

fn turned(skeleton: &Skeleton, turns: &[(usize, f32)]) -> ModelPose {
    let mut local = skeleton.rest().clone();
    for &(joint, degrees) in turns {
        let rest = skeleton.rest().get(joint);
        local.set_rotation(joint, quat::mul(rest.rotation, rot(degrees)));
    }
    let mut model = ModelPose::identity(0);
    model
        .update(skeleton.hierarchy(), &local, &Affine::IDENTITY)
        .expect("of this skeleton");
    model
}

#[test]
fn elbow_and_shoulder_top_down_equals_bottom_up() {
    let arm = arm();
    let rest = arm.rest_model();
    let i_from_j = rest.frame(0, 1).expect("invertible");
    let j_from_i = rest.frame(1, 0).expect("invertible");
    let v = at(3.0, 6.0);

    let elbow = i_from_j * rot_affine(30.0) * j_from_i;
    let after_elbow = elbow.transform_point(v);
    assert_near(after_elbow, at(0.0, 5.196_152_4));
    let after_both = rot_affine(-45.0).transform_point(after_elbow);
    assert_near(after_both, at(3.674_234_6, 3.674_234_6));
    let s = std::f32::consts::FRAC_1_SQRT_2;
    assert_map(&rot_affine(-45.0), &plane([[s, s, 0.0], [-s, s, 0.0]]));

    let posed = turned(&arm, &[(1, 30.0), (0, -45.0)]);
    assert_near(posed.get(2).transform_point(at(2.0, 0.0)), after_both);
    let elbow_palette = *posed.get(1) * rest.get(1).inverse().expect("invertible");
    let k_j = plane([
        [0.965_925_8, 0.258_819_05, -0.776_457_13],
        [-0.258_819_05, 0.965_925_8, -1.344_863_2],
    ]);
    assert_map(&elbow_palette, &k_j);

    // The printed Rot(-45) has the wrong sign.
    let misprint = rot_affine(45.0).transform_point(after_elbow);
    assert_near(misprint, at(-3.674_234_6, 3.674_234_6));
    assert!(misprint.distance(after_both) > 7.0);
    // Shoulder first, with the old frame of the elbow.
    let stale = elbow.transform_point(rot_affine(-45.0).transform_point(v));
    assert_near(stale, at(4.852_615_5, 3.519_097_8));
    assert!(stale.distance(after_both) > 1.0);
}

#[test]
fn solar_system() {
    let joints = vec![
        Joint::new("sun", None, Transform::IDENTITY),
        Joint::new(
            "planet",
            Some(0),
            Transform::from_translation(at(50.0, 0.0)),
        ),
        Joint::new("moon", Some(1), Transform::from_translation(at(10.0, 0.0))),
    ];
    let (system, _) = Skeleton::new(joints).expect("a chain");
    let rest = system.rest_model();
    let p_in_moon = at(2.0, 1.0);
    let b_from_c = rest.frame(1, 2).expect("invertible");
    let a_from_c = rest.frame(0, 2).expect("invertible");
    assert_near(b_from_c.transform_point(p_in_moon), at(12.0, 1.0));
    assert_near(a_from_c.transform_point(p_in_moon), at(62.0, 1.0));

    let posed = turned(&system, &[(0, -20.0), (1, 30.0), (2, 45.0)]);
    let c_from_a = rest.frame(2, 0).expect("invertible");
    let moved = *posed.get(2) * c_from_a;
    let wanted = plane([
        [0.573_576_4, -0.819_152_04, 22.418_122],
        [0.819_152_04, 0.573_576_4, -64.513_65],
    ]);
    assert_map(&moved, &wanted);
    assert_near(
        moved.transform_point(at(62.0, 1.0)),
        at(57.160_71, -13.152_645),
    );
}

#[test]
fn a_vertex_turned_in_its_bones_frame() {
    let m_5l = rot_affine(90.0);
    assert_map(&m_5l, &plane([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0]]));
    // The second printed matrix is a mirror.
    assert!(plane([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]).determinant() < 0.0);
    assert!(m_5l.determinant() > 0.0);
    let joints = vec![
        Joint::new("bone 4", None, Transform::IDENTITY),
        Joint::new("bone 5", Some(0), Transform::from_translation(at(4.0, 0.0))),
    ];
    let (chain, _) = Skeleton::new(joints).expect("a chain");
    assert_near(m_5l.transform_point(at(2.0, 0.0)), at(0.0, 2.0));
    let posed = turned(&chain, &[(1, 90.0)]);
    assert_near(posed.get(1).transform_point(at(2.0, 0.0)), at(4.0, 2.0));
    let posed = turned(&chain, &[(0, 30.0), (1, 90.0)]);
    assert_near(
        posed.get(1).transform_point(at(2.0, 0.0)),
        at(2.464_101_6, 3.732_050_8),
    );
}

#[test]
fn bind_pose_palette_is_the_identity() {
    let arm = arm();
    let skin = Skin::bound_at(arm.rest_model().as_slice());
    let mut palette = sinew::skin::Palette::default();
    palette
        .update(&skin, arm.rest_model().as_slice())
        .expect("of this skeleton");
    for map in palette.as_slice() {
        assert_map(map, &Affine::IDENTITY);
    }
}

#[test]
fn moving_a_joint_moves_all_descendants_and_nothing_else() {
    let arm = arm();
    let rest = arm.rest_model();
    let posed = turned(&arm, &[(1, 10.0)]);
    assert_eq!(posed.get(0), rest.get(0));
    assert!(posed.get(2).max_difference(rest.get(2)) > 0.1);
}

#[test]
fn any_affine_local_survives_with_its_shear() {
    let shear = plane([[1.0, 0.5, 0.0], [0.0, 1.0, 0.0]]);
    let step = plane([[0.0, -2.0, 3.0], [1.0, 0.0, 1.0]]);
    let tree = Hierarchy::sort(&[None, Some(0)])
        .expect("a chain")
        .hierarchy;
    let mut pose = ModelPose::identity(0);
    pose.update_from_affines(&tree, &[shear, step])
        .expect("of this skeleton");
    assert_eq!(*pose.get(1), shear * step);
    let (_, left_out) = Transform::from_affine(&shear);
    assert!(left_out > 0.1, "shear does not fit T R S: {left_out}");
}

#[test]
fn each_rotation_once_and_the_root_counts() {
    let arm = arm();
    let posed = turned(&arm, &[(1, 30.0), (0, -45.0)]);
    let t = |joint: usize| arm.rest().get(joint).to_affine();
    let r = [rot_affine(-45.0), rot_affine(30.0), Affine::IDENTITY];
    let once = t(0) * r[0] * t(1) * r[1] * t(2) * r[2];
    assert_map(posed.get(2), &once);
    let twice = t(0) * r[0] * r[0] * t(1) * r[1] * r[1] * t(2) * r[2];
    assert!(twice.max_difference(posed.get(2)) > 1.0);
    let rootless = t(1) * r[1] * t(2) * r[2];
    assert!(rootless.max_difference(posed.get(2)) > 1.0);
    let mut moved = ModelPose::identity(0);
    let away = Affine::from_translation(at(7.0, 0.0));
    moved
        .update(arm.hierarchy(), arm.rest(), &away)
        .expect("of this skeleton");
    assert_eq!(moved.get(0).translation(), at(7.0, 0.0));
}

#[test]
fn a_recursion_of_four_steps_gives_the_same_palette() {
    let arm = arm();
    let rest = arm.rest_model();
    let posed = turned(&arm, &[(0, -45.0), (1, 30.0), (2, 70.0)]);
    let turns = [-45.0, 30.0, 70.0];
    let mut k = Affine::IDENTITY;
    for (joint, degrees) in turns.into_iter().enumerate() {
        let bind = *rest.get(joint);
        k = k * bind * rot_affine(degrees) * bind.inverse().expect("invertible");
        let ours = *posed.get(joint) * bind.inverse().expect("invertible");
        assert_map(&ours, &k);
    }
}

#[test]
fn matrix_and_translation_quaternion_convert_both_ways() {
    let transform = Transform {
        translation: Vec3::new(1.0, -2.0, 3.0),
        rotation: quat::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 2.5),
        scale: Vec3::new(0.5, 2.0, 3.0),
    };
    let (back, shear) = Transform::from_affine(&transform.to_affine());
    assert!(shear < 1e-6);
    assert!(quat::angle_between(back.rotation, transform.rotation) < 1e-6);
    assert!(back.scale.distance(transform.scale) < 1e-6);
    assert_eq!(back.translation, transform.translation);
}

#[test]
fn blocks_hold_what_was_set_and_pad_with_the_identity() {
    let transforms: Vec<_> = (0..19)
        .map(|i| Transform::from_translation(Vec3::splat(i as f32)))
        .collect();
    let pose = LocalPose::from_transforms(&transforms);
    assert_eq!(pose.iter().collect::<Vec<_>>(), transforms);
    assert_eq!(pose.blocks().len(), 2);
    assert_eq!(pose.blocks()[1].rotation[3], [1.0; 16]);
    assert_eq!(pose.blocks()[1].translation[0][3], 0.0);
    assert_eq!(align_of_val(&pose.blocks()[0]), 64);
}
