use super::*;

#[test]
fn a_worked_elbow() {
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
fn a_seam_shrinks_by_the_cosine_and_dual_quaternions_do_not() {
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
fn candy_wrapper_radius() {
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
fn limb_volume_with_linear_weights() {
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
        // Mean of r² along the limb, by the midpoint rule.
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
fn rigid_skinning_follows_the_heaviest_joint_and_cracks() {
    let skeleton = chain(2, 1.0);
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
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
fn a_weight_table_reads_back() {
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
