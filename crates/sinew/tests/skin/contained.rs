//! A NaN in a matrix, a weight or a position affects only its own vertices, in all kernels.

use super::scale::{Kind, Rig};
use super::*;
use sinew::simd::Level;
use sinew::skin::{PaletteRef, SkinJob, SkinPlan, Streams, WeightFormat};

const BAD: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

#[derive(Clone, Copy)]
struct Mesh<'a> {
    influences: &'a Influences,
    positions: &'a [Vec3],
}

/// Positions and normals from the scalar loop and from every kernel.
fn all_ways(rig: &Rig, pose: &ModelPose, mesh: &Mesh<'_>, method: Method) -> Vec<[Vec<Vec3>; 2]> {
    let mut matrices = Palette::default();
    matrices
        .update(&rig.skin, pose.as_slice())
        .expect("of this skeleton");
    let rest = rig.skeleton.rest_model();
    let mut dual = DualQuatPalette::new(rig.skeleton.hierarchy(), rest.as_slice(), &rig.skin)
        .expect("of this skeleton");
    dual.update(pose.as_slice()).expect("of this skeleton");
    let normals = vec![Vec3::Y; mesh.positions.len()];
    let vertices = Vertices {
        positions: mesh.positions,
        normals: Some(&normals),
        tangents: None,
    };
    let mut scalar = [mesh.positions.to_vec(), normals.clone()];
    let [positions, turned] = &mut scalar;
    let mut out = VerticesMut {
        positions,
        normals: Some(turned),
        tangents: None,
    };
    let palette = match method {
        Method::DualQuat => {
            dual_quat(&dual, mesh.influences, &vertices, &mut out).expect("fits");
            PaletteRef::DualQuat(&dual)
        }
        _ => {
            linear(matrices.as_slice(), mesh.influences, &vertices, &mut out).expect("fits");
            PaletteRef::Linear(matrices.as_slice())
        }
    };
    let mut ways = vec![scalar];
    let plan = SkinPlan::new(mesh.influences, WeightFormat::F32);
    let bind = Streams::gather(&plan, &vertices).expect("fits");
    for level in Level::all() {
        let job = SkinJob {
            level,
            ..SkinJob::new(&plan, palette, &bind)
        };
        let mut moved = bind.clone();
        job.run(&mut moved).expect("fits");
        let mut out = [mesh.positions.to_vec(), normals.clone()];
        moved.scatter_positions(&plan, &mut out[0]);
        moved.scatter_normals(&plan, &mut out[1]);
        ways.push(out);
    }
    ways
}

/// Other vertices differ only by the rounding of another loop.
#[track_caller]
fn assert_harms_only(
    good: &[[Vec<Vec3>; 2]],
    bad: &[[Vec<Vec3>; 2]],
    is_harmed: impl Fn(usize) -> bool,
    what: &str,
) {
    for (way, (good, bad)) in good.iter().zip(bad).enumerate() {
        let size = good[0].iter().map(|p| p.length()).fold(1.0, f32::max);
        for vertex in (0..good[0].len()).filter(|&vertex| !is_harmed(vertex)) {
            let moved = good[0][vertex].distance(bad[0][vertex]);
            let turned = good[1][vertex].distance(bad[1][vertex]);
            assert!(
                moved <= 1e-5 * size && turned <= 1e-4,
                "{what}, way {way}, vertex {vertex}: {moved}, {turned}"
            );
        }
    }
}

#[test]
fn a_joints_bad_number_harms_the_vertices_of_that_joint_alone() {
    for kind in [Kind::Rigid, Kind::Uniform, Kind::Axes] {
        let rig = Rig::new(41, kind);
        let mesh = Mesh {
            influences: &rig.influences,
            positions: &rig.bind,
        };
        for method in [Method::Linear, Method::DualQuat] {
            let good = all_ways(&rig, &rig.pose, &mesh, method);
            for (joint, value) in (0..8).flat_map(|joint| BAD.map(|value| (joint, value))) {
                for (row, column) in [(0, 0), (1, 2), (2, 1), (0, 3), (2, 3)] {
                    let mut pose = rig.pose.clone();
                    pose.as_mut_slice()[joint].rows[row][column] = value;
                    let bad = all_ways(&rig, &pose, &mesh, method);
                    let touches = |vertex| rig.influences.get(vertex).any(|(j, _)| j == joint);
                    let what =
                        format!("{kind:?}, {method:?}, {value} in {joint} at {row}, {column}");
                    assert_harms_only(&good, &bad, touches, &what);
                    for (way, bad) in bad.iter().enumerate() {
                        let seen = (0..rig.bind.len()).filter(|v| !bad[0][*v].is_finite());
                        assert!(seen.count() > 0, "{what}, way {way}: nobody sees it");
                    }
                }
            }
        }
    }
}

#[test]
fn a_vertexs_bad_position_harms_that_vertex_alone() {
    let rig = Rig::new(43, Kind::Axes);
    for method in [Method::Linear, Method::DualQuat] {
        let whole = Mesh {
            influences: &rig.influences,
            positions: &rig.bind,
        };
        let good = all_ways(&rig, &rig.pose, &whole, method);
        for (harmed, value) in [0, 17, 59].into_iter().flat_map(|v| BAD.map(|b| (v, b))) {
            let mut positions = rig.bind.clone();
            positions[harmed].y = value;
            let mesh = Mesh {
                positions: &positions,
                ..whole
            };
            let bad = all_ways(&rig, &rig.pose, &mesh, method);
            let what = format!("{method:?}, {value} at {harmed}");
            for (good, bad) in good.iter().zip(&bad) {
                assert!(!bad[0][harmed].is_finite(), "{what}: it is not hidden");
                assert_eq!(good[1], bad[1], "{what}");
                let others = (0..rig.bind.len()).filter(|&v| v != harmed);
                others.for_each(|v| assert_eq!(good[0][v], bad[0][v], "{what}: {v}"));
            }
        }
    }
}

#[test]
fn a_vertexs_bad_weight_is_left_out_counted_and_harms_no_other() {
    let rig = Rig::new(47, Kind::Axes);
    let lists = |harmed: Option<(usize, f32)>| {
        let list = |vertex: usize| {
            let list = rig.influences.get(vertex);
            let mut list: Vec<_> = list.map(|(joint, weight)| (joint as u16, weight)).collect();
            if let Some((_, value)) = harmed.filter(|(harmed, _)| *harmed == vertex) {
                list[0].1 = value;
            }
            list
        };
        let lists: Vec<_> = (0..rig.bind.len()).map(list).collect();
        Influences::from_lists(&lists, 8).expect("few")
    };
    let (whole, repairs) = lists(None);
    assert_eq!(repairs.bad_weight, 0);
    for method in [Method::Linear, Method::DualQuat] {
        let mesh = Mesh {
            influences: &whole,
            positions: &rig.bind,
        };
        let good = all_ways(&rig, &rig.pose, &mesh, method);
        let bad_weights = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.5];
        for (harmed, value) in [3, 31]
            .into_iter()
            .flat_map(|v| bad_weights.map(|b| (v, b)))
        {
            let (influences, repairs) = lists(Some((harmed, value)));
            assert_eq!(repairs.bad_weight, 1, "{value}");
            let sum: f32 = influences.get(harmed).map(|(_, weight)| weight).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{value}: {sum}");
            let mesh = Mesh {
                influences: &influences,
                ..mesh
            };
            let bad = all_ways(&rig, &rig.pose, &mesh, method);
            let what = format!("{method:?}, {value} at {harmed}");
            assert_harms_only(&good, &bad, |vertex| vertex == harmed, &what);
            let finite = |way: &[Vec<Vec3>; 2]| way.iter().flatten().all(|v| v.is_finite());
            assert!(bad.iter().all(finite), "{what}");
        }
    }
}

#[test]
fn an_inverse_bind_near_singular_has_its_joint_at_the_origin() {
    let bound = |size: f32| Skin {
        joints: vec![0],
        joint_from_model: vec![Affine::from_axes(
            Vec3::X * size,
            Vec3::Y * size,
            Vec3::Z * size,
            Vec3::new(0.5, 1.0, 0.0),
        )],
        ..Skin::default()
    };
    for size in [1e-6, 0.01, 1.0, 100.0] {
        let position = bound(size).bind_position(0);
        let expected = Vec3::new(-0.5, -1.0, 0.0) / size;
        assert!((position - expected).length() <= 1e-5 * expected.length());
    }
    for size in [4e-38, 1e-17, 0.0] {
        assert_eq!(bound(size).bind_position(0), Vec3::ZERO, "{size}");
    }
}
