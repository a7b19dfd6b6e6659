//! Generated tangents compared with the original code by Mikkelsen, as a crate.

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use proptest::prelude::*;
use sinew::Primitive;
use sinew::glam::{Vec2, Vec3, Vec4};
use sinew::mesh::shapes;
use std::sync::Arc;

struct Original<'a> {
    primitive: &'a Primitive,
    triangles: Vec<[usize; 3]>,
    corners: Vec<[Option<Vec4>; 3]>,
}

impl Geometry for Original<'_> {
    fn num_faces(&self) -> usize {
        self.triangles.len()
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.primitive.positions[self.triangles[face][corner]].to_array()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        let normals = self.primitive.normals.as_ref().expect("normals");
        normals[self.triangles[face][corner]].to_array()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        self.primitive.texcoords[0][self.triangles[face][corner]].to_array()
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        let space = space.map(|s| Vec4::from(s.tangent_encoded()));
        self.corners[face][corner] = space.map(|s| s.truncate().extend(-s.w));
    }
}

/// Number of vertices, and number of vertices whose tangent matches no corner of the original.
fn compare(primitive: &Primitive) -> (usize, usize) {
    let ours = primitive
        .tangents_from_texcoord(0)
        .expect("a surface with a texture");
    let triangles: Vec<_> = primitive.triangles().collect();
    let mut original = Original {
        primitive,
        corners: vec![[None; 3]; triangles.len()],
        triangles,
    };
    generate_tangents(&mut original).expect("tangents");
    let mut theirs = vec![Vec::new(); primitive.len()];
    for (triangle, corners) in original.triangles.iter().zip(&original.corners) {
        for (&vertex, corner) in triangle.iter().zip(corners) {
            theirs[vertex].extend(*corner);
        }
    }
    let is_one_of =
        |(ours, theirs): &(&Vec4, &Vec<Vec4>)| theirs.iter().any(|t| ours.distance(*t) < 2e-3);
    let others = ours.iter().zip(&theirs).filter(|pair| !is_one_of(pair));
    (primitive.len(), others.count())
}

fn textured(mut primitive: Primitive, uv: impl Fn(Vec3) -> Vec2) -> Primitive {
    let uvs: Vec<Vec2> = primitive.positions.iter().map(|&p| uv(p)).collect();
    primitive.texcoords = vec![Arc::new(uvs)];
    primitive
}

#[test]
fn tangents_of_smooth_surfaces_are_mikktspace_s() {
    for (name, surface) in [
        ("sphere", shapes::sphere(0.7, 24, 12)),
        ("box", shapes::cuboid(Vec3::new(0.5, 1.0, 2.0))),
    ] {
        let sheared = textured(surface, |p| {
            Vec2::new(p.x + 0.3 * p.y, p.y - 0.4 * p.z + 0.1 * p.x)
        });
        let (vertices, others) = compare(&sheared);
        assert_eq!(others, 0, "{name}: of {vertices} vertices");
    }
}

#[test]
fn a_surface_without_texture_or_normals_has_none() {
    let bare = shapes::sphere(1.0, 8, 4);
    assert_eq!(bare.tangents_from_texcoord(0), None);
    let mut flat = textured(bare, |p| p.truncate());
    flat.normals = None;
    assert_eq!(flat.tangents_from_texcoord(0), None);
}

#[test]
fn a_texture_without_area_still_gives_unit_tangents_across_the_normal() {
    let flat = textured(shapes::sphere(1.0, 8, 4), |_| Vec2::splat(0.5));
    let normals = flat.normals.clone().expect("normals");
    for (tangent, normal) in flat
        .tangents_from_texcoord(0)
        .expect("tangents")
        .iter()
        .zip(normals.iter())
    {
        assert!((tangent.truncate().length() - 1.0).abs() < 1e-5);
        assert!(tangent.truncate().dot(*normal).abs() < 1e-5);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn tangents_of_any_sheet_are_mikktspace_s(
        heights in prop::collection::vec(-0.4_f32..0.4, 49),
        shifts in prop::collection::vec((-0.2_f32..0.2, -0.2_f32..0.2), 49),
        mirrored in any::<bool>(),
    ) {
        let at = |k: usize| Vec3::new((k % 7) as f32, heights[k], (k / 7) as f32);
        let mut sheet = Primitive {
            positions: Arc::new((0..49).map(at).collect()),
            normals: Some(Arc::new(heights.iter().map(|&h| Vec3::new(h, 2.0, -h).normalize()).collect())),
            indices: Some(Arc::new((0..42).filter(|k| k % 7 < 6).flat_map(|k: u32| [k, k + 7, k + 1, k + 1, k + 7, k + 8]).collect())),
            ..Primitive::default()
        };
        let flip = if mirrored { -1.0 } else { 1.0 };
        let uv = |k: usize| Vec2::new(flip * ((k % 7) as f32 + shifts[k].0), (k / 7) as f32 + shifts[k].1);
        sheet.texcoords = vec![Arc::new((0..49).map(uv).collect())];
        prop_assert_eq!(compare(&sheet), (49, 0));
    }
}
