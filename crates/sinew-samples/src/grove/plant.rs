//! Parts of bamboo and trees: stalks along a curve, and leaves of two triangles.

use super::dice::Dice;
use glam::{Vec3, Vec4};
use sinew::mesh::Primitive;
use sinew::transform::quat;
use std::sync::Arc;

#[derive(Default)]
pub(super) struct Growth {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    colors: Vec<Vec4>,
    indices: Vec<u32>,
}

#[derive(Clone, Copy)]
pub(super) struct Ring {
    pub center: Vec3,
    pub radius: f32,
    pub color: Vec3,
}

impl Growth {
    /// Adds a stalk: a tube through `rings` with `sides` faces around it.
    pub fn stalk(&mut self, rings: &[Ring], sides: u32) {
        let first = self.positions.len() as u32;
        for (k, ring) in rings.iter().enumerate() {
            let before = rings[k.saturating_sub(1)].center;
            let after = rings[(k + 1).min(rings.len() - 1)].center;
            let (across, other) = across((after - before).normalize_or(Vec3::Y));
            for side in 0..sides {
                let angle = std::f32::consts::TAU * side as f32 / sides as f32;
                let (sin, cos) = libm::sincosf(angle);
                let out = across * cos + other * sin;
                self.positions.push(ring.center + out * ring.radius);
                self.normals.push(out);
                self.colors.push(ring.color.extend(1.0));
            }
        }
        for row in 0..rings.len().saturating_sub(1) as u32 {
            for side in 0..sides {
                let next = (side + 1) % sides;
                let (low, high) = (first + row * sides, first + (row + 1) * sides);
                let [a, b, c, d] = [low + side, low + next, high + side, high + next];
                self.indices.extend([a, b, c, b, d, c]);
            }
        }
    }

    /// Adds a leaf, pointed at both ends and slightly folded. `along` is the vector from `stem` to
    /// its tip, `up` the normal of its upper side, `width` half its width.
    pub fn leaf(&mut self, stem: Vec3, along: Vec3, up: Vec3, width: f32, color: Vec3) {
        let first = self.positions.len() as u32;
        let side = along.cross(up).normalize_or(Vec3::X);
        let up = side.cross(along).normalize_or(Vec3::Y);
        let middle = stem + along * 0.42;
        let sag = Vec3::NEG_Y * along.length() * 0.12;
        let corners = [
            (stem, up),
            (middle + side * width, up + side * 0.5),
            (middle - side * width, up - side * 0.5),
            (stem + along + sag, up),
        ];
        for (corner, normal) in corners {
            self.positions.push(corner);
            self.normals.push(normal.normalize_or(up));
            self.colors.push(color.extend(1.0));
        }
        self.indices
            .extend([0, 1, 2, 1, 3, 2].map(|corner| first + corner));
    }

    pub fn build(self) -> Primitive {
        Primitive {
            positions: Arc::new(self.positions),
            normals: Some(Arc::new(self.normals)),
            colors: vec![Arc::new(self.colors)],
            indices: Some(Arc::new(self.indices)),
            ..Primitive::default()
        }
    }
}

/// Two unit vectors that form a right-handed orthogonal frame with `along`.
fn across(along: Vec3) -> (Vec3, Vec3) {
    let hint = if along.y.abs() > 0.9 {
        Vec3::X
    } else {
        Vec3::Y
    };
    let first = hint.cross(along).normalize_or(Vec3::X);
    (first, along.cross(first))
}

/// Random direction at an angle of at most `angle_rad` from `direction`.
pub(super) fn near(dice: &mut Dice, direction: Vec3, angle_rad: f32) -> Vec3 {
    let (first, second) = across(direction.normalize_or(Vec3::Y));
    let (sin, cos) = libm::sincosf(dice.within(0.0, std::f32::consts::TAU));
    let axis = first * cos + second * sin;
    let angle = angle_rad * dice.part();
    quat::rotate(quat::from_axis_angle(axis, angle), direction)
}
