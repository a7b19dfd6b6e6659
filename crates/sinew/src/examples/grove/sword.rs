//! A sword: a tapering blade of four faces, a guard, a grip and a pommel. Its hand holds it at the
//! origin, and its blade points up y with its edge toward z.

use super::super::painted;
use crate::mesh::Primitive;
use crate::mesh::shapes::{self, Cylinder};
use glam::{Vec3, Vec4};
use std::sync::Arc;

const BLADE: f32 = 0.78;
const STEEL: [f32; 3] = [0.75, 0.77, 0.8];
const BRASS: [f32; 3] = [0.7, 0.45, 0.12];
const CORD: [f32; 3] = [0.05, 0.02, 0.02];

/// The blade alone, which is of metal, and the rest.
pub(super) fn sword() -> (Primitive, Primitive) {
    let guard = Cylinder {
        length: 0.014,
        radii: [0.042; 2],
        sectors: 8,
        ..Cylinder::default()
    };
    let grip = Cylinder {
        length: 0.2,
        radii: [0.013, 0.015],
        sectors: 6,
        capped: false,
        ..Cylinder::default()
    };
    let pommel = shapes::sphere(0.019, 1, 5);
    let hilt = shapes::merged(&[
        painted(guard.build(), Vec3::Y * 0.085, BRASS),
        painted(grip.build(), Vec3::Y * -0.11, CORD),
        painted(pommel, Vec3::Y * -0.12, BRASS),
    ]);
    (blade(), hilt)
}

/// Seven sections of a rhombus and a point.
fn blade() -> Primitive {
    const SECTIONS: u32 = 7;
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    let curve = |part: f32| Vec3::new(0.0, 0.1 + BLADE * part, -0.05 * part * part);
    for section in 0..SECTIONS {
        let part = section as f32 / SECTIONS as f32;
        let (thick, broad) = (0.0045, 0.019 * (1.0 - 0.45 * part));
        for (x, z) in [(thick, 0.0), (0.0, broad), (-thick, 0.0), (0.0, -broad)] {
            positions.push(curve(part) + Vec3::new(x, 0.0, z));
            normals.push(Vec3::new(x / thick, 0.0, z / broad * 0.4).normalize_or(Vec3::X));
        }
    }
    positions.push(curve(1.0) + Vec3::Z * 0.006);
    normals.push(Vec3::Y);
    let mut indices = Vec::new();
    for section in 0..SECTIONS {
        for side in 0..4 {
            let (here, next) = (4 * section + side, 4 * section + (side + 1) % 4);
            match section + 1 < SECTIONS {
                true => indices.extend([here, here + 4, next, next, here + 4, next + 4]),
                false => indices.extend([here, 4 * SECTIONS, next]),
            }
        }
    }
    Primitive {
        colors: vec![Arc::new(vec![
            Vec4::new(STEEL[0], STEEL[1], STEEL[2], 1.0);
            positions.len()
        ])],
        positions: Arc::new(positions),
        normals: Some(Arc::new(normals)),
        indices: Some(Arc::new(indices)),
        ..Primitive::default()
    }
}
