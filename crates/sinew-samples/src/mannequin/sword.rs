//! Straight sword with two edges: grip at the origin, blade along +y, flat sides toward ±x.

use glam::{Vec3, Vec4};
use sinew::Affine;
use sinew::mesh::Primitive;
use sinew::mesh::shapes::{self, Cylinder};
use sinew::transform::{Axis, Transform, quat};
use std::sync::Arc;

const BLADE: f32 = 0.74;
const STEEL: [f32; 3] = [0.74, 0.77, 0.80];
const BRASS: [f32; 3] = [0.62, 0.42, 0.13];
const CORD: [f32; 3] = [0.25, 0.030, 0.022];

/// Angle of the blade from the thumb side of the hand toward the fingers, in degrees.
pub const LEAN_DEG: f32 = 22.0;

/// Transform of the sword in the right hand.
pub fn hand_from_sword() -> Transform {
    // The x axis of the hand points to the thumb side.
    let across = quat::mul(
        Axis::Z.rotation((LEAN_DEG - 90.0).to_radians()),
        Axis::Y.rotation(std::f32::consts::FRAC_PI_2),
    );
    Transform::from_rotation_translation(across, Vec3::new(0.0, 0.080, 0.031))
}

/// Metal blade and hilt.
pub fn sword() -> (Primitive, Primitive) {
    let rod = |length: f32, radii: [f32; 2], sectors: usize, capped: bool| {
        Cylinder {
            length,
            radii,
            sectors,
            capped,
            ..Cylinder::default()
        }
        .build()
    };
    let painted = |shape: Primitive, center: Vec3, color: [f32; 3]| {
        let color = Vec3::from_array(color).extend(1.0);
        (shape, Affine::from_translation(center), color)
    };
    let hilt = shapes::merged(&[
        painted(rod(0.016, [0.040, 0.026], 8, true), Vec3::Y * 0.058, BRASS),
        painted(
            rod(0.136, [0.0125, 0.0135], 6, false),
            Vec3::Y * -0.078,
            CORD,
        ),
        painted(shapes::sphere(0.021, 2, 6), Vec3::Y * -0.090, BRASS),
    ]);
    (blade(), hilt)
}

fn blade() -> Primitive {
    const SECTIONS: u32 = 6;
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for section in 0..SECTIONS {
        let part = section as f32 / SECTIONS as f32;
        let (thick, broad) = (0.0042 * (1.0 - 0.4 * part), 0.0185 * (1.0 - 0.38 * part));
        for (x, z) in [(thick, 0.0), (0.0, broad), (-thick, 0.0), (0.0, -broad)] {
            positions.push(Vec3::new(x, 0.07 + BLADE * part, z));
            normals.push(Vec3::new(x / thick, 0.0, z / broad * 0.35).normalize_or(Vec3::X));
        }
    }
    positions.push(Vec3::Y * (0.07 + BLADE));
    normals.push(Vec3::Y);
    let mut indices = Vec::new();
    for section in 0..SECTIONS {
        for side in 0..4 {
            let (here, next) = (4 * section + side, 4 * section + (side + 1) % 4);
            if section + 1 < SECTIONS {
                indices.extend([here, here + 4, next, next, here + 4, next + 4]);
            } else {
                indices.extend([here, 4 * SECTIONS, next]);
            }
        }
    }
    let steel = Vec4::new(STEEL[0], STEEL[1], STEEL[2], 1.0);
    Primitive {
        colors: vec![Arc::new(vec![steel; positions.len()])],
        positions: Arc::new(positions),
        normals: Some(Arc::new(normals)),
        indices: Some(Arc::new(indices)),
        ..Primitive::default()
    }
}
