//! Binding never fails: every vertex of any mesh gets valid weights.

use glam::Vec3;
use proptest::prelude::*;
use sinew::HierarchyError;
use sinew_rig::weights::{BindError, BindMethod, BindOptions, Bones, Surface, bind};

const METHODS: [BindMethod; 5] = [
    BindMethod::Auto,
    BindMethod::Bezier,
    BindMethod::BezierWide,
    BindMethod::Heat,
    BindMethod::Rigid,
];

#[derive(Clone, Debug)]
struct Ugly {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    bones: Bones,
}

fn grid_point() -> impl Strategy<Value = Vec3> {
    // Few positions, so that vertices coincide, triangles have no area and joints overlap.
    let free = [-1.0_f32..1.0, -1.0..1.0, -1.0..1.0].prop_map(Vec3::from_array);
    let round = [-2_i8..3, -2_i8..3, -2_i8..3];
    prop_oneof![
        free,
        round.prop_map(|p| Vec3::from_array(p.map(|c| f32::from(c) * 0.5)))
    ]
}

prop_compose! {
    fn ugly()(
        points in proptest::collection::vec(grid_point(), 1..60),
        corners in proptest::collection::vec([0_u32..70, 0_u32..70, 0_u32..70], 0..90),
        closed in any::<bool>(),
        inside_out in any::<bool>(),
        twice in any::<bool>(),
        joints in proptest::collection::vec((grid_point(), 0_usize..20, any::<bool>()), 1..14),
        far in any::<bool>(),
        scale in -4_i32..5,
        deforms in proptest::collection::vec(0_u8..8, 14),
    ) -> Ugly {
        let mut positions = points;
        let mut triangles = corners;
        if closed {
            let first = positions.len() as u32;
            for corner in 0..8 {
                let side = |bit: i32| if corner >> bit & 1 == 1 { 1.5 } else { -1.5 };
                positions.push(Vec3::new(side(0), side(1), side(2)));
            }
            let quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
            for [a, b, c, d] in quads {
                triangles.push([first + a, first + c, first + b]);
                triangles.push([first + a, first + d, first + c]);
            }
        }
        if inside_out {
            triangles.iter_mut().for_each(|t| t.swap(0, 1));
        }
        if twice {
            triangles.extend_from_within(..);
        }
        let scale = 10.0_f32.powi(scale);
        positions.iter_mut().for_each(|p| *p *= scale);
        let away = if far { Vec3::splat(7.0) } else { Vec3::ZERO };
        let parents = joints.iter().enumerate().map(|(joint, &(_, parent, root))| {
            (joint > 0 && !root).then(|| parent % joint.max(1))
        });
        let heads = joints.iter().map(|(head, _, _)| (*head + away) * scale);
        let mut bones = Bones::new(parents.collect(), heads.collect());
        for (joint, deforms) in deforms.into_iter().take(bones.len()).enumerate() {
            bones.deforms[joint] = joint == 0 || deforms > 0;
        }
        Ugly { positions, triangles, bones }
    }
}

fn check(mesh: &Ugly, method: BindMethod, influences: usize) {
    let surface = Surface {
        positions: &mesh.positions,
        triangles: &mesh.triangles,
    };
    let options = BindOptions::default().method(method).influences(influences);
    let bound = bind(&surface, &mesh.bones, &options).unwrap();
    assert_eq!(bound.len(), mesh.positions.len());
    for vertex in 0..bound.len() {
        let row: Vec<_> = bound.get(vertex).collect();
        assert!(!row.is_empty() && row.len() <= influences.max(1), "{row:?}");
        let sum: f32 = row.iter().map(|r| r.1).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{row:?}");
        let valid = |&(joint, weight): &(usize, f32)| {
            joint < mesh.bones.len() && weight > 0.0 && weight <= 1.0 + 1e-5
        };
        assert!(row.iter().all(valid), "{row:?}");
        assert!(row.iter().all(|r| mesh.bones.deforms[r.0]), "{row:?}");
    }
    for (vertex, position) in mesh.positions.iter().enumerate() {
        let same = mesh.positions.iter().position(|p| p == position).unwrap();
        assert!(bound.get(vertex).eq(bound.get(same)), "a seam opens");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn ugly_meshes_get_valid_weights(mesh in ugly(), influences in 1_usize..7) {
        for method in METHODS {
            check(&mesh, method, influences);
        }
    }
}

#[test]
fn numbers_that_are_none_do_no_harm() {
    let mut bones = Bones::new(vec![None, Some(0)], vec![Vec3::ZERO, Vec3::Y]);
    let positions = vec![
        Vec3::NAN,
        Vec3::new(f32::INFINITY, 0.0, 0.0),
        Vec3::new(0.0, 0.5, 0.1),
        Vec3::splat(f32::MAX),
        Vec3::splat(f32::MIN),
    ];
    let mut mesh = Ugly {
        positions,
        triangles: vec![[0, 1, 2], [2, 2, 2], [0, 9, 1], [2, 3, 4]],
        bones: bones.clone(),
    };
    let valid = |mesh: &Ugly| {
        for method in METHODS {
            let surface = Surface {
                positions: &mesh.positions,
                triangles: &mesh.triangles,
            };
            let options = BindOptions::default().method(method);
            let bound = bind(&surface, &mesh.bones, &options).unwrap();
            for vertex in 0..bound.len() {
                let sum: f32 = bound.get(vertex).map(|r| r.1).sum();
                assert!((sum - 1.0).abs() < 1e-5);
            }
        }
    };
    valid(&mesh);
    bones.heads[1] = Vec3::NAN;
    mesh.bones = bones;
    valid(&mesh);
    mesh.positions.clear();
    mesh.triangles.clear();
    valid(&mesh);
}

#[test]
fn only_bones_that_are_none_or_no_tree_are_refused() {
    let surface = Surface {
        positions: &[Vec3::ZERO],
        triangles: &[],
    };
    let refused = |bones: &Bones| bind(&surface, bones, &BindOptions::default()).unwrap_err();
    assert_eq!(refused(&Bones::default()), BindError::NoJoints);
    let mut bones = Bones::new(vec![None], vec![Vec3::ZERO]);
    bones.deforms[0] = false;
    assert_eq!(refused(&bones), BindError::NoJoints);
    bones.tails.clear();
    let mismatch = BindError::Mismatch { heads: 1, other: 0 };
    assert_eq!(refused(&bones), mismatch);
    let many = Bones::new(vec![None; 70_000], vec![Vec3::ZERO; 70_000]);
    assert_eq!(refused(&many), BindError::TooManyJoints(70_000));
    let two = |parents| Bones::new(parents, vec![Vec3::ZERO, Vec3::Y]);
    let (node, parent, len) = (1, 2, 2);
    let missing = HierarchyError::NoSuchParent { node, parent, len };
    assert_eq!(
        refused(&two(vec![None, Some(2)])),
        BindError::Parents(missing)
    );
    for parents in [vec![Some(1), Some(0)], vec![None, Some(1)]] {
        let cycle = refused(&two(parents));
        assert!(
            matches!(cycle, BindError::Parents(HierarchyError::Cycle { .. })),
            "{cycle}"
        );
    }
}
