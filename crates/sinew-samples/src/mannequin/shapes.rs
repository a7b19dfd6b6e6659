//! Shapes of the figure, and the list of them.

use super::solid::{Join, Loft, Section, Shape};
use glam::Vec3;

/// Shapes in the order of their joins.
#[derive(Default)]
pub struct Parts(pub Vec<(Shape, Join)>);

impl Parts {
    pub fn push(&mut self, shape: Shape, join: Join) {
        self.0.push((shape, join));
    }
}

/// Loft of upright sections: height, half width, and z of front and back.
pub fn upright(table: &[[f32; 4]], flat: bool, caps: [f32; 2]) -> Shape {
    let sections: Vec<Section> = table
        .iter()
        .map(|&[along, wide, front, back]| {
            let deep = 0.5 * (front - back);
            Section {
                along,
                middle: [0.0, 0.5 * (front + back)],
                reach: [wide, wide, deep, deep],
            }
        })
        .collect();
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    Shape::Loft(Loft::new(Vec3::ZERO, axes, &sections, flat, caps))
}

/// Loft along a bone: distance, and reach outward, inward, to the front and to the back.
pub fn limb(
    from: Vec3,
    to: Vec3,
    front: Vec3,
    table: &[[f32; 5]],
    flat: bool,
    caps: [f32; 2],
) -> Shape {
    let along = (to - from).normalize();
    let front = (front - along * front.dot(along)).normalize();
    // Outward is +x on the left for all directions of the bone.
    let out = along.cross(front);
    let out = if out.x < 0.0 || (out.x == 0.0 && out.y < 0.0) {
        -out
    } else {
        out
    };
    let sections: Vec<Section> = table
        .iter()
        .map(|&[along, out, inward, front, back]| Section {
            along,
            middle: [0.0; 2],
            reach: [out, inward, front, back],
        })
        .collect();
    Shape::Loft(Loft::new(from, [out, along, front], &sections, flat, caps))
}

pub fn ball(center: [f32; 3], radii: [f32; 3]) -> Shape {
    Shape::Ellipsoid {
        center: center.into(),
        axes: Vec3::AXES,
        radii: radii.into(),
    }
}

pub fn cone(from: [f32; 3], to: [f32; 3], radii: [f32; 2]) -> Shape {
    Shape::RoundCone {
        from: from.into(),
        to: to.into(),
        radii,
    }
}

/// Mirror image, for shapes that cross the plane x = 0.
pub fn mirrored(shape: &Shape) -> Shape {
    let flip = |v: Vec3| Vec3::new(-v.x, v.y, v.z);
    match shape.clone() {
        Shape::Ellipsoid {
            center,
            axes,
            radii,
        } => Shape::Ellipsoid {
            center: flip(center),
            axes: axes.map(flip),
            radii,
        },
        Shape::RoundCone { from, to, radii } => Shape::RoundCone {
            from: flip(from),
            to: flip(to),
            radii,
        },
        loft @ Shape::Loft(_) => loft,
    }
}
