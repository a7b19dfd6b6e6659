use super::*;

/// Sums within 1e-5 of 1 are not normalised, which exceeds the tolerance below.
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
        let skin = Skin::bound_at(skeleton.rest_model().as_slice());
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
        let skin = Skin::bound_at(skeleton.rest_model().as_slice());
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
        let skin = Skin::bound_at(skeleton.rest_model().as_slice());
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
        let skin = Skin::bound_at(skeleton.rest_model().as_slice());
        let bind = bind_points(lists.len());
        let pose = posed(&skeleton, &bent(&skeleton, &angles));
        let scaled: Vec<Vec<_>> = lists.iter().map(|l| l.iter().map(|&(j, w)| (j, w * factor)).collect()).collect();
        prop_assume!(scaled.iter().all(|list| is_normalised(list)));
        for method in [Method::Linear, Method::DualQuat] {
            let (a, _) = skinned(&skeleton, &skin, &pose, &influences(&lists), &bind, method);
            let (b, _) = skinned(&skeleton, &skin, &pose, &influences(&scaled), &bind, method);
            for (a, b) in a.iter().zip(&b) {
                // The chain is about ten units long.
                prop_assert!(a.distance(*b) < 1e-6 * 10.0, "{method:?} {a} {b}");
            }
        }
    }

    #[test]
    fn linear_agrees_with_the_formula_in_f64(lists in vertex_lists(), angles in angles()) {
        let skeleton = chain(5, 0.7);
        let skin = Skin::bound_at(skeleton.rest_model().as_slice());
        let bind = bind_points(lists.len());
        let pose = posed(&skeleton, &bent(&skeleton, &angles));
        let mut palette = Palette::default();
        palette.update(&skin, pose.as_slice()).expect("of this skeleton");
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
