//! Neck, head, face and hair.

use super::figure::{ball, cone, mirrored, upright};
use super::solid::{Join, Shape, Solid};
use glam::Vec3;

pub fn add(solid: &mut Solid) {
    // Neck, a little forward at the top.
    solid.push(
        cone([0.0, 1.455, -0.032], [0.0, 1.600, -0.010], [0.062, 0.053]),
        Join::Add(0.035),
    );
    skull_and_jaw(solid);
    face(solid);
    hair(solid);
}

fn skull_and_jaw(solid: &mut Solid) {
    let head = upright(
        &[
            [1.556, 0.027, 0.088, 0.030],
            [1.566, 0.036, 0.094, 0.006],
            [1.584, 0.047, 0.094, -0.024],
            [1.606, 0.055, 0.092, -0.050],
            [1.634, 0.062, 0.091, -0.078],
            [1.662, 0.068, 0.091, -0.096],
            [1.690, 0.072, 0.093, -0.105],
            [1.716, 0.073, 0.094, -0.106],
            [1.738, 0.069, 0.087, -0.098],
            [1.756, 0.058, 0.070, -0.082],
            [1.766, 0.045, 0.050, -0.064],
        ],
        2.2,
        [0.010, 0.010],
    );
    solid.push(head, Join::Add(0.018));
}

fn face(solid: &mut Solid) {
    let both = |solid: &mut Solid, shape: Shape, join: Join| {
        solid.push(mirrored(&shape), join);
        solid.push(shape, join);
    };
    // Sockets, then what stands before them.
    let socket = ball([0.033, 1.681, 0.101], [0.021, 0.0115, 0.014]);
    both(solid, socket, Join::Carve(0.012));
    let brow = cone(
        [0.012, 1.6975, 0.0885],
        [0.046, 1.700, 0.0735],
        [0.0080, 0.0070],
    );
    both(solid, brow, Join::Add(0.012));
    let cheekbone = ball([0.044, 1.652, 0.066], [0.022, 0.015, 0.020]);
    both(solid, cheekbone, Join::Add(0.022));
    let eye = ball([0.031, 1.681, 0.0765], [0.0145, 0.0120, 0.0125]);
    both(solid, eye, Join::Add(0.005));
    // Nose: bridge, tip and wings.
    let bridge = cone([0.0, 1.690, 0.091], [0.0, 1.647, 0.1085], [0.0070, 0.0098]);
    solid.push(bridge, Join::Add(0.010));
    let wing = ball([0.0095, 1.6435, 0.1015], [0.0070, 0.0065, 0.0080]);
    both(solid, wing, Join::Add(0.006));
    // Lips, with the line between them, and the chin.
    let upper = ball([0.0, 1.6085, 0.0895], [0.023, 0.0058, 0.0085]);
    solid.push(upper, Join::Add(0.006));
    let lower = ball([0.0, 1.5965, 0.0885], [0.019, 0.0062, 0.0085]);
    solid.push(lower, Join::Add(0.006));
    let chin = ball([0.0, 1.565, 0.080], [0.022, 0.015, 0.017]);
    solid.push(chin, Join::Add(0.016));
    let jaw = cone([0.050, 1.596, 0.004], [0.026, 1.570, 0.062], [0.012, 0.011]);
    both(solid, jaw, Join::Add(0.022));
    let ear = Shape::Ellipsoid {
        center: Vec3::new(0.0765, 1.664, -0.008),
        axes: [
            Vec3::new(0.94, 0.10, 0.33).normalize(),
            Vec3::new(-0.06, 0.97, -0.22).normalize(),
            Vec3::new(-0.34, 0.18, 0.92).normalize(),
        ],
        radii: Vec3::new(0.0070, 0.0300, 0.0170),
    };
    solid.push(ear, Join::Add(0.006));
}

fn hair(solid: &mut Solid) {
    // A cap from the hairline to the nape, and a knot behind.
    let crown = ball([0.0, 1.700, -0.016], [0.0815, 0.0900, 0.0985]);
    solid.push(crown, Join::Add(0.004));
    let nape = ball([0.0, 1.645, -0.058], [0.066, 0.060, 0.056]);
    solid.push(nape, Join::Add(0.012));
    let fringe = cone([0.012, 1.757, 0.052], [0.066, 1.716, 0.030], [0.018, 0.016]);
    solid.push(fringe, Join::Add(0.014));
    let knot = ball([0.0, 1.752, -0.112], [0.036, 0.034, 0.034]);
    solid.push(knot, Join::Add(0.007));
}
