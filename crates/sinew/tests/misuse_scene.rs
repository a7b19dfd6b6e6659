//! Wrong arguments to scenes, meshes and shapes give a typed error or the documented result.

use glam::{Vec3, Vec4};
use sinew::mesh::{Deltas, Mesh, Morph, Topology, shapes, volume};
use sinew::scene::{Content, NodeId, PrototypeId, Scene, SceneError, SceneNode};
use sinew::transform::Axis;
use sinew::{Affine, Primitive};
use std::panic::catch_unwind;
use std::sync::Arc;

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;

fn scene() -> (Scene, NodeId, PrototypeId) {
    let mut scene = Scene::new();
    let ball = scene.add_geometry(shapes::sphere(1.0, 4, 4));
    let pair = scene.create_prototype("pair").expect("room");
    let drawn = scene.create(pair.root(), SceneNode::shape("ball", ball));
    drawn.expect("it is there");
    let gone = scene.create(scene.root(), SceneNode::group("gone"));
    let gone = gone.expect("room");
    scene.delete(gone).expect("it was there");
    (scene, gone, pair)
}

#[test]
fn nodes_that_are_gone_are_refused_by_every_call() {
    let (mut scene, gone, _) = scene();
    let (root, len) = (scene.root(), scene.len());
    let stale = || SceneError::StaleNode { id: gone };
    assert_eq!(scene.get(gone).map(|_| ()), Err(stale()));
    assert_eq!(scene.parent(gone), Err(stale()));
    assert_eq!(scene.children(gone).map(|_| ()), Err(stale()));
    assert_eq!(scene.world_from_node(gone), Err(stale()));
    assert_eq!(scene.create(gone, SceneNode::group("x")), Err(stale()));
    assert_eq!(scene.delete(gone), Err(stale()));
    assert_eq!(scene.reparent(gone, root), Err(stale()));
    assert_eq!(scene.reparent(root, gone), Err(stale()));
    assert_eq!(scene.set_transform(gone, Affine::IDENTITY), Err(stale()));
    assert_eq!(scene.set_color(gone, None), Err(stale()));
    assert_eq!(scene.set_material(gone, None), Err(stale()));
    assert_eq!(scene.set_content(gone, None), Err(stale()));
    assert_eq!(scene.len(), len);
}

#[test]
fn what_another_scene_has_is_refused() {
    let (mut scene, _, pair) = scene();
    let (root, len) = (scene.root(), scene.len());
    let mut other = Scene::new();
    other.add_geometry(Primitive::default());
    let strange = other.add_geometry(Primitive::default());
    (0..8).for_each(|_| drop(other.create_prototype("other")));
    let foreign = other.create_prototype("foreign").expect("room");
    let no_geometry = Err(SceneError::NoSuchGeometry {
        geometry: strange,
        len: 1,
    });
    let made = scene.create(root, SceneNode::shape("x", strange));
    assert_eq!(made.map(|_| ()), no_geometry);
    let set = scene.set_content(root, Some(Content::Geometry(strange)));
    assert_eq!(set, no_geometry);
    let no_prototype = |node: &str| {
        let node = node.to_owned();
        Err(SceneError::NoSuchPrototype { node })
    };
    let made = scene.create(root, SceneNode::instance("x", foreign));
    assert_eq!(made.map(|_| ()), no_prototype("x"));
    let set = scene.set_content(root, Some(Content::Instance(foreign)));
    assert_eq!(set, no_prototype("scene"));
    let itself = scene.create(pair.root(), SceneNode::instance("x", pair));
    assert!(matches!(itself, Err(SceneError::PrototypeCycle { .. })));
    assert!(matches!(scene.delete(root), Err(SceneError::Root { .. })));
    let moved = scene.reparent(pair.root(), root);
    assert!(matches!(moved, Err(SceneError::Root { .. })), "{moved:?}");
    assert_eq!(scene.len(), len);
}

#[test]
fn places_and_colours_that_are_no_numbers() {
    let (mut scene, _, _) = scene();
    let (root, len) = (scene.root(), scene.len());
    let before = scene.get(root).expect("the root").clone();
    let refused = |node: &str, what| {
        let node = node.to_owned();
        Err(SceneError::NotFinite { node, what })
    };
    for bad in [NAN, INF, -INF] {
        let mut place = Affine::IDENTITY;
        place.rows[1][3] = bad;
        let set = scene.set_transform(root, place);
        assert_eq!(set, refused("scene", "transform"));
        let node = SceneNode {
            parent_from_node: place,
            ..SceneNode::group("x")
        };
        let made = scene.create(root, node).map(|_| ());
        assert_eq!(made, refused("x", "transform"));
        let color = [1.0, bad, 1.0, 1.0];
        assert_eq!(
            scene.set_color(root, Some(color)),
            refused("scene", "colour")
        );
        let made = scene.create(root, SceneNode::group("x").colored(color));
        assert_eq!(made.map(|_| ()), refused("x", "colour"));
    }
    assert_eq!((scene.get(root), scene.len()), (Ok(&before), len));
    assert_eq!(scene.set_material(root, Some(usize::MAX)), Ok(()));
}

#[test]
fn primitives_whose_arrays_do_not_fit() {
    let primitive = |indices: Option<Vec<u32>>, topology| Primitive {
        positions: Arc::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y]),
        indices: indices.map(Arc::new),
        topology,
        ..Primitive::default()
    };
    let rows = [
        (Some(vec![0, 1, 2]), Topology::Triangles, 1),
        (Some(vec![0, 1, 3, 2, 1, 0]), Topology::Triangles, 1),
        (Some(vec![u32::MAX; 3]), Topology::Triangles, 0),
        (Some(vec![0, 1]), Topology::Triangles, 0),
        (Some(vec![]), Topology::Triangles, 0),
        (None, Topology::Triangles, 1),
        (None, Topology::Lines, 0),
        (None, Topology::Points, 0),
    ];
    for (indices, topology, wanted) in rows {
        let primitive = primitive(indices, topology);
        assert_eq!(primitive.triangles().count(), wanted, "{primitive:?}");
        assert_eq!(volume(&primitive.positions, primitive.triangles()), 0.0);
    }
    let outside = || volume(&[Vec3::ZERO], [[0, 0, 1]].into_iter());
    assert!(catch_unwind(outside).is_err(), "as a slice");
    let nothing = Mesh::default();
    assert_eq!((nothing.morph_targets(), nothing.bytes()), (0, 0));
}

#[test]
fn differences_of_vertices_that_do_not_exist() {
    let deltas = |vertices: Option<Vec<u32>>, values: usize| Deltas {
        vertices: vertices.map(Arc::new),
        values: Arc::new(vec![Vec3::ONE; values]),
    };
    let rows = [
        (deltas(None, 0), [0.0, 0.0]),
        (deltas(None, 1), [1.0, 0.0]),
        (deltas(None, 9), [1.0, 1.0]),
        (deltas(Some(vec![1, 2, u32::MAX]), 3), [0.0, 1.0]),
        (deltas(Some(vec![0, 1]), 1), [1.0, 0.0]),
        (deltas(Some(vec![1]), 5), [0.0, 1.0]),
    ];
    for (deltas, wanted) in rows {
        let mut out = [Vec3::ZERO; 2];
        deltas.add_to(1.0, &mut out);
        assert_eq!(out, wanted.map(Vec3::splat), "{deltas:?}");
        deltas.add_to(1.0, &mut []);
    }
    // NaN weights reach the vertices. `deform` rejects them.
    let mut out = [Vec3::ZERO];
    deltas(None, 1).add_to(NAN, &mut out);
    assert!(out[0].is_nan());
    assert_eq!(Morph::default().positions, None);
}

#[test]
fn shapes_of_senseless_counts_and_powers() {
    let finite = |primitive: &Primitive| {
        let normals = primitive.normals.as_ref().expect("shapes have normals");
        assert_eq!(normals.len(), primitive.len());
        let mut all = primitive.positions.iter().chain(normals.iter());
        assert!(all.all(|v| v.is_finite()));
        let indices = primitive.indices.as_ref().expect("shapes have indices");
        assert!(indices.iter().all(|&i| (i as usize) < primitive.len()));
    };
    for power in [
        NAN,
        -INF,
        0.0,
        1.0,
        2.0,
        128.0,
        129.0,
        1e4,
        1e30,
        f32::MAX,
        INF,
    ] {
        let shape = shapes::superellipsoid(Vec3::ONE, power, 7, 8);
        finite(&shape);
        let largest = shape.positions.iter().map(|p| p.abs().max_element());
        assert!(largest.fold(0.0, f32::max) <= 1.0001, "{power}");
    }
    for count in [0, 1, usize::MAX] {
        finite(&shapes::sphere(1.0, count, 3));
        finite(&shapes::sphere(1.0, 1, count));
        let tube = shapes::Cylinder {
            rings: count,
            sectors: 3,
            ..shapes::Cylinder::default()
        };
        finite(&tube.build());
    }
    for radii in [[0.0; 2], [0.0, -1.0], [1e-30, 1e30]] {
        let tube = shapes::Cylinder {
            radii,
            length: 0.0,
            ..shapes::Cylinder::default()
        };
        finite(&tube.build());
    }
    finite(&shapes::ellipsoid(Vec3::ZERO, 2, 3));
    finite(&shapes::cuboid(Vec3::ZERO));
    finite(&shapes::merged(&[]));
    finite(&shapes::lathe(Axis::X, &[], 3));
    finite(&shapes::lathe(Axis::X, &[&[]], 3));
    let flat = Affine {
        rows: [[0.0; 4]; 3],
    };
    finite(&shapes::merged(&[(Primitive::default(), flat, Vec4::ONE)]));
    finite(&shapes::merged(&[(
        shapes::cuboid(Vec3::ONE),
        flat,
        Vec4::ONE,
    )]));
    for size in [NAN, INF] {
        assert!(!shapes::sphere(size, 2, 3).positions[0].is_finite());
        assert!(!shapes::cuboid(Vec3::splat(size)).positions[0].is_finite());
    }
}
