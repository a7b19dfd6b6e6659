use glam::{Vec3, Vec4};
use sinew::mesh::shapes::{self, Cylinder};
use sinew::mesh::volume;
use sinew::skin::{Vertices, VerticesMut, linear};
use sinew::transform::Axis;
use sinew::{Affine, Primitive, Transform};
use std::collections::HashMap;
use std::f64::consts::PI;

#[test]
fn senseless_counts_are_brought_into_range() {
    let shapes = [
        shapes::sphere(1.0, 0, 0),
        shapes::superellipsoid(Vec3::ONE, f32::NAN, 0, 1),
        shapes::superellipsoid(Vec3::ZERO, 2.0, 2, 3),
        Cylinder {
            rings: 0,
            sectors: 0,
            ..Cylinder::default()
        }
        .build(),
        shapes::cuboid(Vec3::ZERO),
        shapes::lathe(Axis::Z, &[], 5),
        shapes::merged(&[]),
    ];
    for shape in shapes {
        assert_eq!(shape.normals.as_ref().unwrap().len(), shape.len());
        assert!(shape.positions.iter().all(|p| p.is_finite()));
        assert!(shape.normals.unwrap().iter().all(|n| n.is_finite()));
    }
}

/// Number of each directed edge, with vertices identified by position.
fn edges(shape: &Primitive) -> HashMap<[[u32; 3]; 2], usize> {
    let key = |v: usize| (shape.positions[v] + 0.0).to_array().map(f32::to_bits);
    let mut edges = HashMap::new();
    for [a, b, c] in shape.triangles() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *edges.entry([key(from), key(to)]).or_insert(0) += 1;
        }
    }
    edges
}

fn is_closed(shape: &Primitive) -> bool {
    let edges = edges(shape);
    let paired = |(&[from, to], &count): (&[[u32; 3]; 2], &usize)| {
        from != to && count == 1 && edges.get(&[to, from]) == Some(&1)
    };
    edges.iter().all(paired)
}

/// True if normals are unit vectors on the side of their triangles.
fn normals_agree(shape: &Primitive) -> bool {
    let normals = shape.normals.as_ref().unwrap();
    let with_triangles = shape.triangles().all(|t| {
        let [a, b, c] = t.map(|v| shape.positions[v]);
        let facing = (b - a).cross(c - a);
        t.iter().all(|&v| normals[v].dot(facing) > 0.0)
    });
    with_triangles && normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-5)
}

fn size(shape: &Primitive) -> f64 {
    volume(&shape.positions, shape.triangles())
}

#[test]
fn closed_shapes_are_closed_and_of_their_volume() {
    let cylinder = |axis, radii| {
        Cylinder {
            axis,
            radii,
            length: 2.0,
            rings: 5,
            sectors: 128,
            ..Cylinder::default()
        }
        .build()
    };
    let cone_frustum = PI * 2.0 / 3.0 * (1.0 + 0.5 + 0.25);
    let table = [
        ("ball", shapes::sphere(1.0, 127, 128), 4.0 / 3.0 * PI),
        (
            "ellipsoid",
            shapes::ellipsoid(Vec3::new(1.0, 2.0, 0.5), 127, 128),
            4.0 / 3.0 * PI,
        ),
        ("box", shapes::cuboid(Vec3::new(1.0, 2.0, 3.0)), 6.0),
        ("x", cylinder(Axis::X, [1.0, 1.0]), 2.0 * PI),
        ("y", cylinder(Axis::Y, [1.0, 1.0]), 2.0 * PI),
        ("z", cylinder(Axis::Z, [1.0, 1.0]), 2.0 * PI),
        ("frustum", cylinder(Axis::Y, [1.0, 0.5]), cone_frustum),
        ("cone", cylinder(Axis::Y, [1.0, 0.0]), 2.0 / 3.0 * PI),
        ("cone down", cylinder(Axis::Y, [0.0, 1.0]), 2.0 / 3.0 * PI),
    ];
    for (name, shape, wanted) in table {
        assert!(is_closed(&shape), "{name} is not closed");
        assert!(
            normals_agree(&shape),
            "{name} has normals on the wrong side"
        );
        let ratio = size(&shape) / wanted;
        assert!((0.998..=1.000001).contains(&ratio), "{name}: {ratio}");
    }
}

#[test]
fn superellipsoids_lie_between_ellipsoid_and_box() {
    let radii = Vec3::new(1.0, 0.5, 0.25);
    let sizes = [2.0, 3.0, 6.0, 20.0].map(|n| {
        let shape = shapes::superellipsoid(radii, n, 63, 64);
        assert!(is_closed(&shape) && normals_agree(&shape), "n = {n}");
        size(&shape)
    });
    assert!(sizes.is_sorted());
    assert!(sizes[3] < 1.0 && sizes[3] > 0.93);
}

#[test]
fn an_open_tube_has_two_borders() {
    let tube = Cylinder {
        rings: 8,
        sectors: 24,
        capped: false,
        ..Cylinder::default()
    }
    .build();
    assert_eq!(tube.len(), 8 * 24);
    let edges = edges(&tube);
    let alone = edges.keys().filter(|e| !edges.contains_key(&[e[1], e[0]]));
    assert_eq!(alone.count(), 2 * 24);
}

#[test]
fn merging_places_paints_and_keeps_outward() {
    let ball = shapes::sphere(1.0, 31, 32);
    let mirrored = Transform {
        translation: Vec3::new(5.0, 0.0, 0.0),
        scale: Vec3::new(-2.0, 1.0, 1.0),
        ..Transform::IDENTITY
    };
    let red = Vec4::new(1.0, 0.0, 0.0, 1.0);
    let both = shapes::merged(&[
        (ball.clone(), Affine::IDENTITY, Vec4::ONE),
        (ball.clone(), mirrored.to_affine(), red),
    ]);
    assert!(is_closed(&both) && normals_agree(&both));
    assert!((size(&both) / size(&ball) - 3.0).abs() < 1e-5);
    assert_eq!(both.colors[0][ball.len() - 1], Vec4::ONE);
    assert_eq!(both.colors[0][ball.len()], red);
}

#[test]
fn bend_test_cylinder_has_the_stated_size() {
    let cylinder = shapes::bend_test_cylinder();
    assert_eq!(cylinder.len(), 4098);
    assert_eq!(cylinder.triangles().count(), 8192);
    assert!(is_closed(&cylinder));
    assert!((size(&cylinder) / 3.136548490546 - 1.0).abs() < 1e-6);

    let (ring, sector) = (17, 16);
    let p = cylinder.positions[64 * ring + sector];
    assert!(p.distance(Vec3::new(-2.0 + 4.0 * 17.0 / 63.0, 0.0, 0.5)) < 1e-6);
    assert_eq!(cylinder.positions[4096], Vec3::new(-2.0, 0.0, 0.0));
    assert_eq!(cylinder.positions[4097], Vec3::new(2.0, 0.0, 0.0));
    let [a, b, c, d] = [64, 65, 128, 129];
    let all: Vec<_> = cylinder.triangles().collect();
    assert!(all.contains(&[a, b, c]) && all.contains(&[b, d, c]));

    let mut posed = vec![Vec3::ZERO; cylinder.len()];
    let turn = Transform::from_rotation(Axis::X.rotation(45.0_f32.to_radians()));
    let bind = Vertices {
        positions: &cylinder.positions,
        normals: None,
        tangents: None,
    };
    let mut out = VerticesMut {
        positions: &mut posed,
        normals: None,
        tangents: None,
    };
    let influences = cylinder.influences.as_ref().unwrap();
    linear(
        &[Affine::IDENTITY, turn.to_affine()],
        influences,
        &bind,
        &mut out,
    )
    .unwrap();
    let left = volume(&posed, cylinder.triangles()) / size(&cylinder);
    assert!((left - 0.951313).abs() < 2e-6, "{left}");
}
