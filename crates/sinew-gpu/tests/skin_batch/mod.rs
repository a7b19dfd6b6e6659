//! Batches: errors, and a separate pose for every instance.

mod contained;
mod refused;

use crate::common;

use common::posed::{in_mesh_order, read_vertices};
use common::with_gpu;
use glam::{Quat, Vec3};
use sinew::mesh::{Deltas, Morph, shapes};
use sinew::skin::{self, DualQuatPalette, Order, Palette, PaletteRef, Skin, Vertices, VerticesMut};
use sinew::{
    Affine, Influences, Joint, LocalPose, Method, ModelPose, Primitive, Skeleton, Transform,
};
use sinew_gpu::{
    Gpu, PaletteSlot, SkinBatch, SkinInstance, SkinMesh, SkinOptions, SkinnedVertex, Skinner,
};
use sinew_samples::SkinLoad;
use std::sync::Arc;

fn primitive(load: &SkinLoad) -> Primitive {
    Primitive {
        positions: Arc::new(load.positions.clone()),
        normals: Some(Arc::new(load.normals.clone())),
        tangents: Some(Arc::new(load.tangents.clone())),
        influences: Some(Arc::new(load.influences.clone())),
        ..Primitive::default()
    }
}

/// Pose with a rotated chain, different for each instance.
fn pose_of(load: &SkinLoad, instance: usize) -> ModelPose {
    let rotation = Quat::from_rotation_y(0.37 * instance as f32);
    let stand = Transform {
        translation: Vec3::new((instance % 5) as f32, 0.5, 0.0),
        rotation,
        scale: Vec3::ONE,
    };
    let stand = stand.to_affine();
    let mut pose = load.pose.clone();
    for model_from_joint in pose.as_mut_slice() {
        *model_from_joint = stand * *model_from_joint;
    }
    pose
}

fn palettes_of(load: &SkinLoad, pose: &ModelPose) -> (Palette, DualQuatPalette) {
    let mut linear = Palette::default();
    linear
        .update(&load.skin, pose.as_slice())
        .expect("of this skeleton");
    let mut dual = DualQuatPalette::new(
        load.skeleton.hierarchy(),
        load.skeleton.rest_model().as_slice(),
        &load.skin,
    )
    .expect("of this skeleton");
    dual.update(pose.as_slice()).expect("of this skeleton");
    (linear, dual)
}

fn on_cpu(load: &SkinLoad, pose: &ModelPose, method: Method) -> (Vec<Vec3>, Vec<Vec3>) {
    let count = load.positions.len();
    let (mut positions, mut normals) = (vec![Vec3::ZERO; count], vec![Vec3::ZERO; count]);
    let bind = Vertices {
        tangents: None,
        ..load.vertices()
    };
    let mut out = VerticesMut {
        positions: &mut positions,
        normals: Some(&mut normals),
        tangents: None,
    };
    let (linear, dual) = palettes_of(load, pose);
    match method {
        Method::DualQuat => skin::dual_quat(&dual, &load.influences, &bind, &mut out),
        Method::Rigid => skin::rigid(linear.as_slice(), &load.influences, &bind, &mut out),
        _ => skin::linear(linear.as_slice(), &load.influences, &bind, &mut out),
    }
    .unwrap();
    (positions, normals)
}

fn skinned(gpu: &Gpu, batch: &mut SkinBatch) {
    let mut encoder = gpu.encoder();
    batch.encode(gpu, &mut encoder, None).unwrap();
    gpu.submit(encoder);
}

fn assert_alike(found: &[SkinnedVertex], wanted: &(Vec<Vec3>, Vec<Vec3>), what: &str) {
    assert_eq!(found.len(), wanted.0.len(), "{what}");
    for (vertex, found) in found.iter().enumerate() {
        let off = (Vec3::from(found.position) - wanted.0[vertex]).length();
        assert!(off < 1e-5 * 6.7, "{what}: vertex {vertex} is off by {off}");
        let off = (Vec3::from(found.normal) - wanted.1[vertex]).length();
        assert!(off < 1e-4, "{what}: normal {vertex} is off by {off}");
    }
}

#[test]
fn every_instance_of_every_mesh_gets_its_own_pose() {
    with_gpu(|gpu| {
        // Few and many influences, with and without stretches, sizes that fill no workgroup.
        let loads = [
            SkinLoad::new(1000, 4, false),
            SkinLoad::new(77, 1, false),
            SkinLoad::new(333, 16, true),
            SkinLoad::new(130, 2, true),
        ];
        let meshes: Vec<_> = loads
            .iter()
            .map(|load| SkinMesh::new(&primitive(load), Method::Linear, Order::Plan).unwrap())
            .collect();
        for is_staged in [true, false] {
            let mut skinner = Skinner::new(gpu, &meshes).unwrap();
            if !is_staged {
                skinner = skinner.without_staging();
            }
            let method = |i: usize| match i % 3 {
                0 => Method::Linear,
                _ => Method::DualQuat,
            };
            let palettes: Vec<_> = (0..120)
                .map(|i| PaletteSlot {
                    method: method(i),
                    joints: 67,
                })
                .collect();
            let instances: Vec<_> = (0..120)
                .map(|i| SkinInstance {
                    mesh: (i * 7 / 3) % 4,
                    palette: i,
                })
                .collect();
            let options = SkinOptions::default();
            let mut batch = SkinBatch::new(gpu, &skinner, &palettes, &instances, options).unwrap();
            for (i, instance) in instances.iter().enumerate() {
                let load = &loads[instance.mesh];
                let (linear, dual) = palettes_of(load, &pose_of(load, i));
                let palette = match method(i) {
                    Method::DualQuat => PaletteRef::DualQuat(&dual),
                    _ => PaletteRef::Linear(linear.as_slice()),
                };
                batch.set_palette(i, palette).unwrap();
            }
            skinned(gpu, &mut batch);
            for (i, instance) in instances.iter().enumerate() {
                let load = &loads[instance.mesh];
                let found = read_vertices(gpu, &batch, i);
                let found = in_mesh_order(&meshes[instance.mesh], &found);
                let wanted = on_cpu(load, &pose_of(load, i), method(i));
                assert_alike(
                    &found,
                    &wanted,
                    &format!("instance {i}, staged: {is_staged}"),
                );
            }
        }
    });
}

fn posed(
    gpu: &Gpu,
    batch: &mut SkinBatch,
    mesh: &SkinMesh,
    load: &SkinLoad,
    pose: &ModelPose,
    method: Method,
) -> Vec<SkinnedVertex> {
    let (linear, dual) = palettes_of(load, pose);
    let palette = match method {
        Method::DualQuat => PaletteRef::DualQuat(&dual),
        _ => PaletteRef::Linear(linear.as_slice()),
    };
    batch.set_palette(0, palette).unwrap();
    skinned(gpu, batch);
    in_mesh_order(mesh, &read_vertices(gpu, batch, 0))
}

#[test]
fn any_number_of_influences_in_either_order() {
    with_gpu(|gpu| {
        let mut skinner = Skinner::new(gpu, &[]).unwrap();
        for influences in 1..=16 {
            let load = SkinLoad::new(150, influences, false);
            for (method, order) in [
                (Method::Rigid, Order::Plan),
                (Method::Linear, Order::Mesh),
                (Method::Linear, Order::Plan),
                (Method::DualQuat, Order::Mesh),
            ] {
                let mesh = SkinMesh::new(&primitive(&load), method, order).unwrap();
                if order == Order::Mesh {
                    assert!(mesh.slot_from_mesh().iter().copied().eq(0..150));
                }
                skinner
                    .set_meshes(gpu, std::slice::from_ref(&mesh))
                    .unwrap();
                let mut batch = one(gpu, &skinner, method);
                let found = posed(gpu, &mut batch, &mesh, &load, &load.pose, method);
                let wanted = on_cpu(&load, &load.pose, method);
                let what = format!("{influences} influences, {method:?}, {order:?}");
                assert_alike(&found, &wanted, &what);
            }
        }
    });
}

fn one(gpu: &Gpu, skinner: &Skinner, method: Method) -> SkinBatch {
    let palettes = [PaletteSlot { method, joints: 67 }];
    let instances = [SkinInstance {
        mesh: 0,
        palette: 0,
    }];
    SkinBatch::new(gpu, skinner, &palettes, &instances, SkinOptions::default()).unwrap()
}

#[test]
fn stretches_come_and_go() {
    with_gpu(|gpu| {
        let still = SkinLoad::new(300, 4, false);
        let scaled = SkinLoad::new(300, 4, true);
        let mesh = SkinMesh::new(&primitive(&still), Method::DualQuat, Order::Plan).unwrap();
        let skinner = Skinner::new(gpu, std::slice::from_ref(&mesh)).unwrap();
        let mut batch = one(gpu, &skinner, Method::DualQuat);
        for load in [&still, &scaled, &still] {
            let (_, dual) = palettes_of(load, &load.pose);
            batch.set_palette(0, PaletteRef::DualQuat(&dual)).unwrap();
            skinned(gpu, &mut batch);
            let found = in_mesh_order(&mesh, &read_vertices(gpu, &batch, 0));
            assert_alike(
                &found,
                &on_cpu(load, &load.pose, Method::DualQuat),
                "a frame",
            );
        }
    });
}

/// Pose with one joint, or all joints, scaled about their positions.
fn scaled_pose(load: &SkinLoad, joint: Option<usize>, scale: Vec3) -> ModelPose {
    let mut pose = load.pose.clone();
    let maps = pose.as_mut_slice();
    let pivot = joint.map_or(Vec3::ZERO, |j| maps[j].translation());
    let scale = Transform {
        scale,
        ..Transform::IDENTITY
    };
    let about =
        Affine::from_translation(pivot) * scale.to_affine() * Affine::from_translation(-pivot);
    for (index, map) in maps.iter_mut().enumerate() {
        if joint.is_none_or(|j| j == index) {
            *map = about * *map;
        }
    }
    pose
}

#[test]
fn units_mirrors_and_joints_scaled_to_nothing_are_as_on_the_cpu() {
    with_gpu(|gpu| {
        for influences in [1, 4, 8] {
            let load = SkinLoad::new(300, influences, false);
            let mesh = SkinMesh::new(&primitive(&load), Method::DualQuat, Order::Plan).unwrap();
            let skinner = Skinner::new(gpu, std::slice::from_ref(&mesh)).unwrap();
            let mut batch = one(gpu, &skinner, Method::DualQuat);
            let one_joint = load.skin.joints.get(3).copied();
            for (joint, scale) in [
                (None, Vec3::splat(0.01)),
                (None, Vec3::splat(-0.01)),
                (None, Vec3::new(-1.0, 1.0, 1.0)),
                (None, Vec3::splat(100.0)),
                (None, Vec3::ONE),
                (one_joint, Vec3::splat(3.0)),
                (one_joint, Vec3::new(-1.0, 1.0, 1.0)),
                (one_joint, Vec3::ZERO),
                (None, Vec3::splat(0.5)),
            ] {
                let pose = scaled_pose(&load, joint, scale);
                let (_, dual) = palettes_of(&load, &pose);
                batch.set_palette(0, PaletteRef::DualQuat(&dual)).unwrap();
                skinned(gpu, &mut batch);
                let found = in_mesh_order(&mesh, &read_vertices(gpu, &batch, 0));
                let (wanted, normals) = on_cpu(&load, &pose, Method::DualQuat);
                let far = wanted.iter().map(|p| p.length()).fold(0.0, f32::max);
                for (vertex, found) in found.iter().enumerate() {
                    let off = Vec3::from(found.position).distance(wanted[vertex]);
                    assert!(
                        off <= 5e-6 * far,
                        "{joint:?} by {scale}: {vertex} is off by {off}"
                    );
                    let off = Vec3::from(found.normal).distance(normals[vertex]);
                    assert!(off < 1e-3, "{joint:?} by {scale}: {vertex} is off by {off}");
                }
            }
        }
    });
}

#[test]
fn until_palettes_are_set_vertices_stay_where_they_are() {
    with_gpu(|gpu| {
        let load = SkinLoad::new(100, 3, false);
        for method in [Method::Linear, Method::DualQuat] {
            let mesh = SkinMesh::new(&primitive(&load), method, Order::Plan).unwrap();
            let skinner = Skinner::new(gpu, std::slice::from_ref(&mesh)).unwrap();
            let mut batch = one(gpu, &skinner, method);
            skinned(gpu, &mut batch);
            let found = in_mesh_order(&mesh, &read_vertices(gpu, &batch, 0));
            let wanted = (load.positions.clone(), load.normals.clone());
            assert_alike(&found, &wanted, "at rest");
        }
    });
}

#[test]
fn the_frame_before_is_kept() {
    with_gpu(|gpu| {
        let load = SkinLoad::new(100, 2, false);
        let mesh = SkinMesh::new(&primitive(&load), Method::Linear, Order::Plan).unwrap();
        let skinner = Skinner::new(gpu, std::slice::from_ref(&mesh)).unwrap();
        let palettes = [PaletteSlot {
            method: Method::Linear,
            joints: 67,
        }];
        let instances = [SkinInstance {
            mesh: 0,
            palette: 0,
        }];
        let options = SkinOptions::new().tangents(false).previous(true);
        let mut batch = SkinBatch::new(gpu, &skinner, &palettes, &instances, options).unwrap();
        let mut before: Option<Vec<SkinnedVertex>> = None;
        for frame in 0..4 {
            let (linear, _) = palettes_of(&load, &pose_of(&load, frame));
            let palette = PaletteRef::Linear(linear.as_slice());
            batch.set_palette(0, palette).unwrap();
            skinned(gpu, &mut batch);
            let now = read_vertices(gpu, &batch, 0);
            let bytes = batch.vertex_bytes(0);
            let previous = batch.previous_vertices().unwrap();
            let read = gpu.read(previous, bytes.start, bytes.end - bytes.start);
            let previous: Vec<SkinnedVertex> = bytemuck::pod_collect_to_vec(&read.unwrap());
            assert_eq!(previous, before.unwrap_or_else(|| now.clone()));
            let found = in_mesh_order(&mesh, &now);
            let wanted = on_cpu(&load, &pose_of(&load, frame), Method::Linear);
            assert_alike(&found, &wanted, &format!("frame {frame}"));
            before = Some(now);
        }
    });
}

#[test]
fn morph_targets_come_before_the_skin() {
    with_gpu(|gpu| {
        let load = SkinLoad::new(200, 4, false);
        let mut base = primitive(&load);
        // Five targets, whose weights take two vectors: one dense, one sparse, three empty.
        let dense: Vec<Vec3> = (0..200)
            .map(|v| Vec3::new(0.0, v as f32 * 1e-3, 0.1))
            .collect();
        let sparse: Vec<u32> = (0..200).step_by(3).collect();
        let bump = vec![Vec3::new(0.3, -0.2, 0.1); sparse.len()];
        let deltas = |vertices: Option<Vec<u32>>, values: Vec<Vec3>| {
            Some(Deltas {
                vertices: vertices.map(Arc::new),
                values: Arc::new(values),
            })
        };
        base.morphs = vec![Morph::default(); 5];
        base.morphs[1].positions = deltas(None, dense.clone());
        base.morphs[4].positions = deltas(Some(sparse.clone()), bump.clone());
        base.morphs[4].normals = deltas(Some(sparse.clone()), bump.clone());
        let mesh = SkinMesh::new(&base, Method::Linear, Order::Plan).unwrap();
        let skinner = Skinner::new(gpu, std::slice::from_ref(&mesh)).unwrap();
        let slot = PaletteSlot {
            method: Method::Linear,
            joints: 67,
        };
        let all = [vec![0.0, 0.5, 0.0, 0.0, 2.0], vec![], vec![0.0, -1.0]];
        let instances = [0, 0, 0].map(|palette| SkinInstance { mesh: 0, palette });
        let options = SkinOptions::default();
        let mut batch = SkinBatch::new(gpu, &skinner, &[slot], &instances, options).unwrap();
        let (linear, _) = palettes_of(&load, &load.pose);
        batch
            .set_palette(0, PaletteRef::Linear(linear.as_slice()))
            .unwrap();
        for (instance, weights) in all.iter().enumerate() {
            batch.set_morph_weights(instance, weights).unwrap();
        }
        skinned(gpu, &mut batch);
        for (instance, weights) in all.iter().enumerate() {
            let weight = |target: usize| weights.get(target).copied().unwrap_or(0.0);
            let mut morphed = load.clone();
            for (vertex, delta) in dense.iter().enumerate() {
                morphed.positions[vertex] += *delta * weight(1);
            }
            for (&vertex, delta) in sparse.iter().zip(&bump) {
                morphed.positions[vertex as usize] += *delta * weight(4);
                morphed.normals[vertex as usize] += *delta * weight(4);
            }
            let found = in_mesh_order(&mesh, &read_vertices(gpu, &batch, instance));
            let wanted = on_cpu(&morphed, &load.pose, Method::Linear);
            assert_alike(&found, &wanted, &format!("weights {weights:?}"));
        }
    });
}

/// Chain of four joints at the origin, and a vertex with equal weights on the first and last joint.
fn full_rotation() -> (Skeleton, Skin, Primitive) {
    let joint = |j: usize| Joint::new(j.to_string(), j.checked_sub(1), Transform::IDENTITY);
    let (skeleton, _) = Skeleton::new((0..4).map(joint).collect()).unwrap();
    let lists = vec![vec![(0, 0.5), (3, 0.5)]];
    let (influences, _) = Influences::from_lists(&lists, 4).unwrap();
    let primitive = Primitive {
        positions: Arc::new(vec![Vec3::new(1.0, 2.0, 3.0)]),
        normals: Some(Arc::new(vec![Vec3::X])),
        influences: Some(Arc::new(influences)),
        ..Primitive::default()
    };
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
    (skeleton, skin, primitive)
}

#[test]
fn motions_that_cancel_out_leave_the_heaviest() {
    with_gpu(|gpu| {
        let (skeleton, skin, primitive) = full_rotation();
        let mut local: LocalPose = skeleton.rest().clone();
        // After 360° in three steps, the last quaternion is the negative of the first.
        for joint in 1..4 {
            let third = Quat::from_rotation_z(std::f32::consts::TAU / 3.0);
            local.set_rotation(joint, third);
        }
        // Of equal weights, the first joint counts. It has not moved.
        local.set_translation(3, Vec3::Y);
        let mut pose = ModelPose::identity(4);
        pose.update(skeleton.hierarchy(), &local, &Affine::IDENTITY)
            .expect("of this skeleton");
        let mut palette = DualQuatPalette::new(
            skeleton.hierarchy(),
            skeleton.rest_model().as_slice(),
            &skin,
        )
        .expect("of this skeleton");
        palette.update(pose.as_slice()).expect("of this skeleton");
        let real = |joint: usize| palette.joint(joint).rotation;
        assert!((real(0) + real(3)).length() < 1e-6);
        let mesh = SkinMesh::new(&primitive, Method::DualQuat, Order::Plan).unwrap();
        let skinner = Skinner::new(gpu, std::slice::from_ref(&mesh)).unwrap();
        let slot = PaletteSlot {
            method: Method::DualQuat,
            joints: 4,
        };
        let instances = [SkinInstance {
            mesh: 0,
            palette: 0,
        }];
        let options = SkinOptions::default();
        let mut batch = SkinBatch::new(gpu, &skinner, &[slot], &instances, options).unwrap();
        batch
            .set_palette(0, PaletteRef::DualQuat(&palette))
            .unwrap();
        skinned(gpu, &mut batch);
        let found = read_vertices(gpu, &batch, 0)[0];
        let mut out = [Vec3::ZERO];
        let mut cpu = VerticesMut {
            positions: &mut out,
            normals: None,
            tangents: None,
        };
        let bind = Vertices {
            positions: &primitive.positions,
            normals: None,
            tangents: None,
        };
        let influences = primitive.influences.as_ref().unwrap();
        skin::dual_quat(&palette, influences, &bind, &mut cpu).unwrap();
        assert!((out[0] - primitive.positions[0]).length() < 1e-5);
        assert!((Vec3::from(found.position) - out[0]).length() < 1e-5);
        assert!((Vec3::from(found.normal) - Vec3::X).length() < 1e-5);
    });
}

#[test]
fn a_mesh_without_normals_gets_those_of_its_triangles() {
    with_gpu(|gpu| {
        let mut ball = shapes::sphere(2.0, 24, 24);
        let wanted = ball.normals.take().unwrap();
        ball.influences = None;
        let mesh = SkinMesh::new(&ball, Method::Linear, Order::Plan).unwrap();
        let skinner = Skinner::new(gpu, std::slice::from_ref(&mesh)).unwrap();
        let slot = PaletteSlot {
            method: Method::Linear,
            joints: 1,
        };
        let instances = [SkinInstance {
            mesh: 0,
            palette: 0,
        }];
        let options = SkinOptions::default();
        let mut batch = SkinBatch::new(gpu, &skinner, &[slot], &instances, options).unwrap();
        let up = Affine::from_translation(Vec3::Y);
        batch.set_palette(0, PaletteRef::Linear(&[up])).unwrap();
        skinned(gpu, &mut batch);
        let found = in_mesh_order(&mesh, &read_vertices(gpu, &batch, 0));
        for (vertex, found) in found.iter().enumerate() {
            let position = ball.positions[vertex] + Vec3::Y;
            assert!((Vec3::from(found.position) - position).length() < 1e-5);
            assert!(Vec3::from(found.normal).angle_between(wanted[vertex]) < 0.1);
        }
    });
}

#[test]
fn nothing_at_all_is_skinned_to_nothing() {
    with_gpu(|gpu| {
        let empty = Primitive::default();
        let mesh = SkinMesh::new(&empty, Method::Linear, Order::Plan).unwrap();
        assert!(mesh.is_empty());
        let skinner = Skinner::new(gpu, &[mesh]).unwrap();
        let slot = PaletteSlot {
            method: Method::Linear,
            joints: 0,
        };
        let instance = SkinInstance {
            mesh: 0,
            palette: 0,
        };
        for instances in [vec![], vec![instance]] {
            let options = SkinOptions::new().tangents(true).previous(true);
            let mut batch = SkinBatch::new(gpu, &skinner, &[slot], &instances, options).unwrap();
            skinned(gpu, &mut batch);
            assert_eq!(batch.vertex_bytes(0), 0..0);
            assert_eq!(batch.written_bytes(), 0);
        }
    });
}

#[test]
fn instances_begin_at_whole_lines() {
    with_gpu(|gpu| {
        let load = SkinLoad::new(101, 3, false);
        let mesh = SkinMesh::new(&primitive(&load), Method::Linear, Order::Plan).unwrap();
        let slots = mesh.len() as u64;
        let skinner = Skinner::new(gpu, &[mesh]).unwrap();
        let slot = PaletteSlot {
            method: Method::Linear,
            joints: 67,
        };
        let instances = [SkinInstance {
            mesh: 0,
            palette: 0,
        }; 3];
        let options = SkinOptions::default();
        let batch = SkinBatch::new(gpu, &skinner, &[slot], &instances, options).unwrap();
        for instance in 0..3 {
            let bytes = batch.vertex_bytes(instance);
            assert!(bytes.start.is_multiple_of(128));
            assert_eq!(bytes.end - bytes.start, slots * 24);
        }
    });
}
