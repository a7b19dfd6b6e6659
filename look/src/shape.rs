use glam::Vec3;
use std::f32::consts::{PI, TAU};

/// Vertices and triangles.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Positions of the vertices.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals of the vertices.
    pub normals: Vec<[f32; 3]>,
    /// Sets of texture coordinates, with the origin at the upper left.
    pub uvs: Vec<Vec<[f32; 2]>>,
    /// Tangents with handedness. Can be empty.
    pub tangents: Vec<[f32; 4]>,
    /// Linear colours. Can be empty.
    pub colors: Vec<[f32; 4]>,
    /// Three indices per triangle, counterclockwise from outside.
    pub indices: Vec<u32>,
}

/// Sphere. u runs around it with the seam at the back, v from top to bottom.
pub fn sphere(radius: f32) -> Shape {
    grid([64, 32], |u, v| {
        let (sin_a, cos_a) = (TAU * u - PI).sin_cos();
        let (sin_b, cos_b) = (PI * v).sin_cos();
        let normal = Vec3::new(sin_a * sin_b, cos_b, cos_a * sin_b);
        (normal * radius, normal, Vec3::new(cos_a, 0.0, -sin_a))
    })
}

/// Square that faces +z. `half` is half its width.
pub fn pane(half: f32) -> Shape {
    grid([1, 1], |u, v| {
        let position = Vec3::new(2.0 * u - 1.0, 1.0 - 2.0 * v, 0.0) * half;
        (position, Vec3::Z, Vec3::X)
    })
}

fn grid([columns, rows]: [u32; 2], at: impl Fn(f32, f32) -> (Vec3, Vec3, Vec3)) -> Shape {
    let mut shape = Shape {
        uvs: vec![Vec::new()],
        ..Shape::default()
    };
    for row in 0..=rows {
        for column in 0..=columns {
            let (u, v) = (column as f32 / columns as f32, row as f32 / rows as f32);
            let (position, normal, tangent) = at(u, v);
            shape.positions.push(position.to_array());
            shape.normals.push(normal.to_array());
            shape.tangents.push(tangent.extend(1.0).to_array());
            shape.uvs[0].push([u, v]);
        }
    }
    for row in 0..rows {
        for column in 0..columns {
            let a = row * (columns + 1) + column;
            let (b, c, d) = (a + 1, a + columns + 1, a + columns + 2);
            shape.indices.extend([a, c, d, a, d, b]);
        }
    }
    shape
}

impl Shape {
    /// Multiplies the texture coordinates, so that a texture repeats.
    pub fn with_uv_scale(mut self, scale: [f32; 2]) -> Self {
        for uv in self.uvs.iter_mut().flatten() {
            *uv = [uv[0] * scale[0], uv[1] * scale[1]];
        }
        self
    }

    /// Adds a second set of texture coordinates, computed from the first.
    pub fn with_second_uv(mut self, map: impl Fn([f32; 2]) -> [f32; 2]) -> Self {
        let second = self.uvs[0].iter().map(|&uv| map(uv)).collect();
        self.uvs.push(second);
        self
    }

    /// Sets vertex colours, computed from texture coordinates.
    pub fn with_colors(mut self, color: impl Fn([f32; 2]) -> [f32; 4]) -> Self {
        self.colors = self.uvs[0].iter().map(|&uv| color(uv)).collect();
        self
    }

    /// Removes the tangents, so that each renderer computes them.
    pub fn without_tangents(mut self) -> Self {
        self.tangents.clear();
        self
    }
}
