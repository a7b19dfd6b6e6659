use glam::{Quat, Vec3};
use proptest::prelude::*;
use sinew::transform::{TransformError, polar, quat};
use sinew::{Affine, Transform};

fn unit_quat() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0_f32..1.0)
        .prop_filter("has a direction", |v| {
            v.iter().map(|x| x * x).sum::<f32>() > 0.01
        })
        .prop_map(|v| quat::normalized(Quat::from_array(v)))
}

#[test]
fn slerp_keeps_its_speed_where_nlerp_and_matrices_do_not() {
    let turn = quat::from_axis_angle(Vec3::Z, std::f32::consts::FRAC_PI_2);
    let quarter = quat::slerp(Quat::IDENTITY, turn, 0.25);
    assert!((quarter.z - 0.195_090_32).abs() < 1e-7 && (quarter.w - 0.980_785_3).abs() < 1e-7);
    let half = quat::slerp(Quat::IDENTITY, turn, 0.5);
    assert!((half.z - 0.382_683_43).abs() < 1e-7 && (half.w - 0.923_879_5).abs() < 1e-7);
    let angle = |q| quat::angle_between(Quat::IDENTITY, q).to_degrees();
    assert!((angle(quarter) - 22.5).abs() < 1e-4);
    let chord = quat::nlerp(Quat::IDENTITY, turn, 0.25);
    assert!((angle(chord) - 21.598_16).abs() < 1e-4);
    let mut middle = Affine::ZERO;
    middle.add_scaled(&Affine::IDENTITY, 0.5);
    middle.add_scaled(&Transform::from_rotation(turn).to_affine(), 0.5);
    assert!((middle.determinant() - 0.5).abs() < 1e-6);
}

#[test]
fn a_quaternion_of_angle_phi_turns_by_twice_phi() {
    let phi = 0.4_f32;
    let q = Quat::from_xyzw(0.0, 0.0, phi.sin(), phi.cos());
    let turned = quat::rotate(q, Vec3::X);
    assert!(turned.distance(Vec3::new((2.0 * phi).cos(), (2.0 * phi).sin(), 0.0)) < 1e-6);
}

#[test]
fn mirrors_flattening_and_shear_split_into_a_proper_rotation() {
    let mirror = Affine::from_axes(Vec3::X * -2.0, Vec3::Y, Vec3::Z, Vec3::ZERO);
    let (split, shear) = Transform::from_affine(&mirror);
    assert_eq!(shear, 0.0);
    assert!(split.to_affine().max_difference(&mirror) < 1e-6);
    assert_eq!(split.scale, Vec3::new(-2.0, -1.0, -1.0));
    let flat = Affine::from_axes(Vec3::ZERO, Vec3::Y, Vec3::Z, Vec3::ONE);
    let (split, _) = Transform::from_affine(&flat);
    assert_eq!(split.scale, Vec3::new(0.0, 1.0, 1.0));
    assert!(split.to_affine().max_difference(&flat) < 1e-6);
    let nothing = Affine::from_axes(Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, Vec3::ONE);
    assert_eq!(Transform::from_affine(&nothing).0.scale, Vec3::ZERO);
    let line = Affine::from_axes(Vec3::ZERO, Vec3::ZERO, Vec3::Y * 3.0, Vec3::ZERO);
    let (split, _) = Transform::from_affine(&line);
    assert!(split.to_affine().max_difference(&line) < 1e-6, "{split:?}");
    let broken = Affine::from_axes(Vec3::NAN, Vec3::Y, Vec3::Z, Vec3::ZERO);
    assert_eq!(Transform::from_affine(&broken).0.rotation, Quat::IDENTITY);
}

#[test]
fn matrix_to_quaternion_is_exact_at_half_turns() {
    let axis = Vec3::new(1.0, 2.0, 3.0).normalize();
    for degrees in [179.0_f64, 179.9, 179.99, 179.999, 180.0] {
        let (s, c) = (degrees.to_radians() / 2.0).sin_cos();
        let true_quat = [axis.x, axis.y, axis.z].map(|a| (f64::from(a) * s) as f32);
        let q = Quat::from_xyzw(true_quat[0], true_quat[1], true_quat[2], c as f32);
        let rows = quat::to_rows(q).map(|r| r.map(f64::from));
        let back = quat::from_rows(&rows);
        let back = quat::aligned(back, q);
        let error = (back - q)
            .to_array()
            .into_iter()
            .fold(0.0_f32, |m, x| m.max(x.abs()));
        assert!(error < 3e-7, "{degrees}: {error}");

        // As printed: w from the trace, and the rest divided by w. Good only for small angles.
        let m = quat::to_rows(q);
        let w = (m[0][0] + m[1][1] + m[2][2] + 1.0).max(0.0).sqrt() / 2.0;
        let printed = (m[2][1] - m[1][2]) / (4.0 * w);
        if degrees >= 179.9 {
            assert!(
                printed.is_nan() || (printed - q.x).abs() > 1e-4,
                "{degrees}: {printed}"
            );
        }
    }
    // The trace is that of the 4×4 matrix, not of the 3×3 matrix.
    let q = quat::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.7);
    let m = quat::to_rows(q);
    let trace = m[0][0] + m[1][1] + m[2][2];
    assert!(((trace + 1.0).sqrt() / 2.0 - q.w).abs() < 1e-6);
    assert!((trace.sqrt() / 2.0 - q.w).abs() > 0.1);
}

#[test]
fn a_scale_across_the_axes_needs_the_polar_split() {
    // Bone frame at (1, 2, 0), rotated 45° about z and scaled 2 along its own x.
    let b = Transform::from_rotation_translation(
        quat::from_axis_angle(Vec3::Z, std::f32::consts::FRAC_PI_4),
        Vec3::new(1.0, 2.0, 0.0),
    )
    .to_affine();
    let scale = Affine::from_axes(Vec3::X * 2.0, Vec3::Y, Vec3::Z, Vec3::ZERO);
    let k = b * scale * b.inverse().expect("invertible");
    let wanted = Affine::from_rows([
        [1.5, 0.5, 0.0, -1.5],
        [0.5, 1.5, 0.0, -1.5],
        [0.0, 0.0, 1.0, 0.0],
    ]);
    assert!(k.max_difference(&wanted) < 1e-6);
    let split = polar::decompose(k.linear_f64());
    let stretch = [[1.5, 0.5, 0.0], [0.5, 1.5, 0.0], [0.0, 0.0, 1.0]];
    for i in 0..3 {
        for j in 0..3 {
            let identity = f64::from(u8::from(i == j));
            assert!((split.rotation[i][j] - identity).abs() < 1e-6);
            assert!((split.stretch[i][j] - stretch[i][j]).abs() < 1e-6);
        }
    }
    // The printed columns divided by their lengths are not a rotation.
    let column = |j: usize| Vec3::new(k.rows[0][j], k.rows[1][j], k.rows[2][j]);
    assert!((column(0).length() - 1.581_138_8).abs() < 1e-6);
    let gram = column(0).normalize().dot(column(1).normalize());
    assert!((gram - 0.6).abs() < 1e-6);
}

#[test]
fn inverse_refuses_what_has_none() {
    assert!(Affine::ZERO.inverse().is_none());
    let flat = Affine::from_axes(Vec3::X, Vec3::X, Vec3::Z, Vec3::ZERO);
    assert!(flat.inverse().is_none());
    let mut nan = Affine::IDENTITY;
    nan.rows[1][3] = f32::NAN;
    assert!(nan.inverse().is_none());
}

#[test]
fn a_row_major_map_and_glam_agree() {
    let transform = Transform {
        translation: Vec3::new(1.0, 2.0, 3.0),
        rotation: quat::from_axis_angle(Vec3::new(0.3, -1.0, 0.2), 1.1),
        scale: Vec3::new(1.0, 2.0, -0.5),
    };
    let ours = transform.to_affine();
    let theirs = glam::Affine3A::from_scale_rotation_translation(
        transform.scale,
        transform.rotation,
        transform.translation,
    );
    assert!(ours.max_difference(&theirs.into()) < 1e-6);
    assert_eq!(Affine::from_cols_array(&ours.to_cols_array()), ours);
    let there_and_back: Affine = glam::Affine3A::from(ours).into();
    assert_eq!(there_and_back, ours);
}

proptest! {
    #[test]
    fn polar_puts_any_map_together_again(rows in prop::array::uniform3(prop::array::uniform3(-3.0_f64..3.0))) {
        let split = polar::decompose(rows);
        for i in 0..3 {
            for j in 0..3 {
                let product: f64 = (0..3).map(|k| split.rotation[i][k] * split.stretch[k][j]).sum();
                prop_assert!((product - rows[i][j]).abs() < 1e-12);
                let gram: f64 = (0..3).map(|k| split.rotation[k][i] * split.rotation[k][j]).sum();
                prop_assert!((gram - f64::from(u8::from(i == j))).abs() < 1e-12);
                prop_assert!((split.stretch[i][j] - split.stretch[j][i]).abs() < 1e-12);
            }
        }
        let r = split.rotation;
        let det = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1])
            - r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0])
            + r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
        prop_assert!((det - 1.0).abs() < 1e-9);
    }

    #[test]
    fn matrices_and_quaternions_convert_both_ways(q in unit_quat()) {
        let rows = quat::to_rows(q).map(|r| r.map(f64::from));
        let back = quat::from_rows(&rows);
        prop_assert!(quat::angle_between(back, q) < 2e-6);
    }

    #[test]
    fn slerp_divides_the_angle(a in unit_quat(), b in unit_quat(), t in 0.0_f32..1.0) {
        let whole = quat::angle_between(a, b);
        // At 180°, there are two shortest arcs.
        prop_assume!(whole < 3.1);
        let q = quat::slerp(a, b, t);
        prop_assert!((quat::dot(q, q) - 1.0).abs() < 1e-6);
        prop_assert!((quat::angle_between(a, q) - whole * t).abs() < 2e-5);
        prop_assert_eq!(quat::slerp(a, b, 0.0).abs_diff_eq(a, 1e-6), true);
    }

    #[test]
    fn rotating_by_a_product_is_rotating_twice(a in unit_quat(), b in unit_quat()) {
        let v = Vec3::new(0.3, -0.7, 1.1);
        let once = quat::rotate(quat::mul(a, b), v);
        let twice = quat::rotate(a, quat::rotate(b, v));
        prop_assert!(once.distance(twice) < 2e-6);
        prop_assert!(quat::rotate(quat::conjugate(a), quat::rotate(a, v)).distance(v) < 2e-6);
    }
}

#[test]
fn an_axis_of_any_length_turns_by_the_same_angle() {
    let wanted = quat::from_axis_angle(Vec3::X, 1.0);
    for length in [1e-30, 1e-20, 1e20, 1e30, f32::MAX] {
        assert_eq!(
            quat::from_axis_angle(Vec3::X * length, 1.0),
            wanted,
            "{length}"
        );
    }
    assert_eq!(quat::from_axis_angle(Vec3::ZERO, 1.0), Quat::IDENTITY);
}

#[test]
fn what_is_not_a_number_is_not_near_anything() {
    let mut broken = Affine::IDENTITY;
    broken.rows[1][2] = f32::NAN;
    assert!(broken.max_difference(&Affine::IDENTITY).is_nan());
}

#[test]
fn transforms_of_a_pose_are_finite_with_unit_rotations() {
    let good = Transform {
        translation: Vec3::new(1e30, -2.0, 0.0),
        rotation: Quat::from_xyzw(0.6, 0.0, 0.0, -0.8),
        scale: Vec3::new(0.0, -1.0, 3.0),
    };
    assert_eq!(good.checked(), Ok(good));
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let translation = Vec3::new(0.0, bad, 0.0);
        let rotation = Quat::from_xyzw(0.0, 0.0, bad, 1.0);
        let scale = Vec3::new(1.0, 1.0, bad);
        for wrong in [
            Transform {
                translation,
                ..good
            },
            Transform { rotation, ..good },
            Transform { scale, ..good },
        ] {
            assert_eq!(wrong.checked(), Err(TransformError::NotFinite));
        }
    }
    for length in [0.0, 0.98, 1.02, 1e30] {
        let rotation = Quat::from_xyzw(0.0, length, 0.0, 0.0);
        let wrong = Transform { rotation, ..good };
        assert_eq!(wrong.checked(), Err(TransformError::NotUnit), "{length}");
    }
}
