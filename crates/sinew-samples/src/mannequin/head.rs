use super::shapes::{Parts, ball, cone, mirrored, upright};
use super::solid::{Join, Shape};
use glam::Vec3;

pub fn add(solid: &mut Parts) {
    solid.push(
        cone([0.0, 1.455, -0.032], [0.0, 1.600, -0.010], [0.062, 0.053]),
        Join::Add(0.035),
    );
    skull_and_jaw(solid);
    face(solid);
    hair(solid);
}

fn skull_and_jaw(solid: &mut Parts) {
    let head = upright(
        &[
            [1.558, 0.026, 0.087, 0.028],
            [1.568, 0.036, 0.092, 0.004],
            [1.586, 0.048, 0.0925, -0.026],
            [1.608, 0.0575, 0.092, -0.052],
            [1.634, 0.0640, 0.0905, -0.078],
            [1.660, 0.0680, 0.0895, -0.096],
            [1.684, 0.0715, 0.0895, -0.104],
            [1.704, 0.0735, 0.0945, -0.106],
            [1.722, 0.0730, 0.0940, -0.104],
            [1.740, 0.0685, 0.0870, -0.097],
            [1.757, 0.058, 0.070, -0.082],
            [1.767, 0.045, 0.050, -0.064],
        ],
        false,
        [0.010, 0.010],
    );
    solid.push(head, Join::Add(0.018));
}

fn face(solid: &mut Parts) {
    let both = |solid: &mut Parts, shape: Shape, join: Join| {
        solid.push(mirrored(&shape), join);
        solid.push(shape, join);
    };
    let socket = ball([0.034, 1.6815, 0.0960], [0.0225, 0.0095, 0.0150]);
    both(solid, socket, Join::Carve(0.010));
    let brow = cone(
        [0.013, 1.6985, 0.0875],
        [0.047, 1.7005, 0.0715],
        [0.0065, 0.0055],
    );
    both(solid, brow, Join::Add(0.012));
    let cheekbone = ball([0.040, 1.648, 0.052], [0.018, 0.018, 0.021]);
    both(solid, cheekbone, Join::Add(0.034));
    // Eyeball, mostly hidden by the lids.
    let eye = ball([0.0325, 1.6805, 0.0715], [0.0165, 0.0105, 0.0140]);
    both(solid, eye, Join::Add(0.006));
    let bridge = cone([0.0, 1.690, 0.0875], [0.0, 1.650, 0.1040], [0.0075, 0.0115]);
    solid.push(bridge, Join::Add(0.012));
    let wings = ball([0.0, 1.6445, 0.0990], [0.0150, 0.0062, 0.0095]);
    solid.push(wings, Join::Add(0.008));
    let upper = ball([0.0, 1.6080, 0.0860], [0.0195, 0.0060, 0.0085]);
    solid.push(upper, Join::Add(0.008));
    let lower = ball([0.0, 1.5960, 0.0850], [0.0165, 0.0065, 0.0085]);
    solid.push(lower, Join::Add(0.008));
    let below = ball([0.0, 1.5835, 0.0995], [0.018, 0.0050, 0.0080]);
    solid.push(below, Join::Carve(0.010));
    let chin = ball([0.0, 1.567, 0.0775], [0.022, 0.014, 0.017]);
    solid.push(chin, Join::Add(0.018));
    let jaw = cone([0.049, 1.598, 0.002], [0.027, 1.572, 0.060], [0.012, 0.011]);
    both(solid, jaw, Join::Add(0.024));
    let ear = Shape::Ellipsoid {
        center: Vec3::new(0.0735, 1.662, -0.008),
        axes: [
            Vec3::new(0.94, 0.10, 0.33).normalize(),
            Vec3::new(-0.06, 0.97, -0.22).normalize(),
            Vec3::new(-0.34, 0.18, 0.92).normalize(),
        ],
        radii: Vec3::new(0.0095, 0.0285, 0.0165),
    };
    solid.push(ear, Join::Add(0.010));
}

fn hair(solid: &mut Parts) {
    let crown = ball([0.0, 1.698, -0.018], [0.0805, 0.0880, 0.0975]);
    solid.push(crown, Join::Add(0.004));
    let nape = ball([0.0, 1.648, -0.060], [0.066, 0.056, 0.052]);
    solid.push(nape, Join::Add(0.014));
    // Hair, combed back to a knot.
    let sweep = ball([0.0, 1.727, -0.030], [0.066, 0.052, 0.088]);
    solid.push(sweep, Join::Add(0.020));
    let knot = ball([0.0, 1.748, -0.118], [0.034, 0.032, 0.031]);
    solid.push(knot, Join::Add(0.006));
}
