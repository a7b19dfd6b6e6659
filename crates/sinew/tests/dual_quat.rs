//! Dual quaternions: formulas of Xu et al. (`docs/references.md`), and distance from a screw.

use glam::{Quat, Vec3};
use sinew::transform::quat;
use sinew::{Affine, DualQuat, Transform};

fn turn(axis: Vec3, degrees: f32) -> Quat {
    quat::from_axis_angle(axis, degrees.to_radians())
}

fn blend(parts: &[(f32, DualQuat)]) -> DualQuat {
    let sum = parts
        .iter()
        .fold(DualQuat::ZERO, |sum, (w, q)| sum.add_scaled(q, *w));
    sum.normalized().expect("does not cancel")
}

fn angle_about_x(q: Quat) -> f32 {
    2.0 * q.x.atan2(q.w).to_degrees()
}

#[test]
fn rotation_and_translation_go_in_and_come_out() {
    let (q, t) = (
        turn(Vec3::new(1.0, 2.0, 3.0), 110.0),
        Vec3::new(1.0, -2.0, 0.5),
    );
    let motion = DualQuat::new(q, t);
    let matrix = Transform::from_rotation_translation(q, t).to_affine();
    assert!(motion.translation().distance(t) < 1e-6);
    assert!(motion.to_affine().max_difference(&matrix) < 1e-6);
    let p = Vec3::new(0.3, 0.7, -1.1);
    assert!(
        motion
            .transform_point(p)
            .distance(matrix.transform_point(p))
            < 1e-6
    );
    let half = quat::scaled(quat::mul(Quat::from_xyzw(t.x, t.y, t.z, 0.0), q), 0.5);
    assert_eq!(motion.dual, half);
}

#[test]
fn motions_compose_and_come_back() {
    let a = DualQuat::new(turn(Vec3::X, 40.0), Vec3::new(1.0, 0.0, 2.0));
    let b = DualQuat::new(
        turn(Vec3::new(0.0, 1.0, 1.0), -75.0),
        Vec3::new(0.0, 3.0, 0.0),
    );
    let p = Vec3::new(0.3, 0.7, -1.1);
    let both = a.compose(&b);
    assert!(
        both.transform_point(p)
            .distance(a.transform_point(b.transform_point(p)))
            < 1e-5
    );
    assert!(
        a.conjugate()
            .transform_point(a.transform_point(p))
            .distance(p)
            < 1e-6
    );
}

#[test]
fn a_sum_must_be_divided_by_its_length() {
    let there = DualQuat::new(turn(Vec3::Z, 120.0), Vec3::ZERO);
    let sum = DualQuat::ZERO
        .add_scaled(&DualQuat::IDENTITY, 0.5)
        .add_scaled(&there, 0.5);
    assert!((quat::dot(sum.real, sum.real).sqrt() - 0.866_025_4).abs() < 1e-6);
    let good = sum.normalized().expect("does not cancel");
    assert!((good.transform_point(Vec3::X).length() - 1.0).abs() < 1e-6);
    let undivided = sum.transform_point(Vec3::X) - good.transform_point(Vec3::X);
    let error = undivided.abs().max_element();
    assert!((error - 0.216_506_35).abs() < 1e-6, "{error}");
}

#[test]
fn a_blend_need_not_be_a_motion_and_moves_points_all_the_same() {
    let there = DualQuat::new(turn(Vec3::Z, 120.0), Vec3::new(1.0, 2.0, 3.0));
    let good = blend(&[(0.3, DualQuat::IDENTITY), (0.7, there)]);
    // The two parts are orthogonal for a rigid motion, but not for a blend.
    let along = quat::dot(good.real, good.dual);
    assert!(along.abs() > 0.1, "{along}");
    let motion = DualQuat {
        dual: quat::add_scaled(good.dual, good.real, -along),
        ..good
    };
    assert!(quat::dot(motion.real, motion.dual).abs() < 1e-6);
    assert!(motion.to_affine().max_difference(&good.to_affine()) < 1e-6);
}

#[test]
fn the_printed_pivot_depends_on_the_order() {
    let joints = [0.0, 130.0, -130.0].map(|d| DualQuat::new(turn(Vec3::X, d), Vec3::ZERO));
    let by_pivot = |pivot: usize| {
        let parts = joints.map(|q| (1.0 / 3.0, q.aligned(joints[pivot].real)));
        angle_about_x(blend(&parts).real).rem_euclid(360.0)
    };
    assert!(by_pivot(0) < 1e-3 || by_pivot(0) > 359.999);
    assert!((by_pivot(1) - 122.229_93).abs() < 1e-3);
    assert!((by_pivot(2) - 237.770_07).abs() < 1e-3);
}

#[test]
fn without_a_hierarchy_a_blend_flips_at_a_relative_half_turn() {
    for (degrees, wanted) in [
        (179.0, 89.5),
        (179.9, 89.95),
        (180.1, -89.95),
        (181.0, -89.5),
    ] {
        let there = DualQuat::new(turn(Vec3::X, degrees), Vec3::ZERO).aligned(Quat::IDENTITY);
        let half = blend(&[(0.5, DualQuat::IDENTITY), (0.5, there)]);
        let found = angle_about_x(half.real);
        let found = if found > 180.0 { found - 360.0 } else { found };
        assert!((found - wanted).abs() < 1e-2, "{degrees}: {found}");
    }
}

#[test]
fn a_blend_stays_close_to_the_screw_motion() {
    let wanted = [
        (30.0, 0.033_089),
        (60.0, 0.267_480),
        (90.0, 0.918_815),
        (120.0, 2.233_973),
        (150.0, 4.514_012),
        (179.0, 8.000_983),
    ];
    for (degrees, wanted) in wanted {
        let there = DualQuat::new(turn(Vec3::X, degrees), Vec3::ZERO);
        let mut worst = 0.0_f32;
        for step in 0..=1000 {
            let t = step as f32 / 1000.0;
            let blended = blend(&[(1.0 - t, DualQuat::IDENTITY), (t, there)]);
            worst = worst.max((angle_about_x(blended.real) - t * degrees).abs());
        }
        assert!((worst - wanted).abs() < 1e-3, "{degrees}: {worst}");
    }
}

#[test]
fn what_cancels_out_is_not_a_motion() {
    let there = DualQuat::new(turn(Vec3::X, 360.0), Vec3::ZERO);
    let sum = DualQuat::ZERO
        .add_scaled(&DualQuat::IDENTITY, 0.5)
        .add_scaled(&there, 0.5);
    assert!(sum.normalized().is_none());
}

#[test]
fn palette_sizes() {
    assert_eq!(20 * size_of::<Affine>(), 960);
    assert_eq!(20 * size_of::<DualQuat>(), 640);
    assert_eq!(20 * size_of::<glam::Mat4>(), 1280);
}
