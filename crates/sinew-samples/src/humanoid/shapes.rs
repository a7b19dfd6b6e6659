//! Surfaces of the parts of the humanoid: ellipsoids and cylinders in the frames of their joints.

use super::part::HumanoidPart;
use crate::parts::painted;
use glam::{Vec3, Vec4};
use sinew::mesh::Primitive;
use sinew::mesh::shapes::{self, Cylinder};
use sinew::transform::Affine;

const SKIN: [f32; 3] = [0.6, 0.33, 0.22];
const HAIR: [f32; 3] = [0.05, 0.025, 0.012];
const SHIRT: [f32; 3] = [0.03, 0.24, 0.33];
const TROUSERS: [f32; 3] = [0.05, 0.06, 0.11];
const SHOES: [f32; 3] = [0.25, 0.06, 0.03];
const LIPS: [f32; 3] = [0.35, 0.12, 0.1];
const EYES: [f32; 3] = [0.01, 0.01, 0.012];

type Painted = (Primitive, Affine, Vec4);

pub(super) fn surface(part: HumanoidPart) -> Primitive {
    use HumanoidPart::*;
    shapes::merged(&match part {
        Torso => torso(),
        Head => head(),
        LeftUpperArm | RightUpperArm => upper_arm(),
        LeftLowerArm | RightLowerArm => lower_arm(),
        LeftUpperLeg | RightUpperLeg => upper_leg(),
        LeftLowerLeg | RightLowerLeg => lower_leg(),
    })
}

fn ellipsoid(center: [f32; 3], radii: [f32; 3], color: [f32; 3]) -> Painted {
    let radii = Vec3::from_array(radii);
    let (rings, sectors) = if radii.max_element() > 0.03 {
        (15, 24)
    } else {
        (9, 14)
    };
    let shape = shapes::ellipsoid(radii, rings, sectors);
    painted(shape, Vec3::from_array(center), color)
}

/// Cylinder between two heights on the y axis. `depth` is its extent in z relative to x.
fn cylinder(heights: [f32; 2], radii: [f32; 2], depth: f32, color: [f32; 3]) -> Painted {
    let shape = Cylinder {
        length: heights[1] - heights[0],
        radii,
        rings: 13,
        sectors: 24,
        capped: false,
        ..Cylinder::default()
    };
    let transform = Affine::from_axes(Vec3::X, Vec3::Y, Vec3::Z * depth, Vec3::Y * heights[0]);
    (
        shape.build(),
        transform,
        Vec3::from_array(color).extend(1.0),
    )
}

fn torso() -> Vec<Painted> {
    vec![
        ellipsoid([0.0, 0.0, 0.0], [0.162, 0.115, 0.115], TROUSERS),
        ellipsoid([0.0, 0.24, 0.0], [0.168, 0.3, 0.116], SHIRT),
        ellipsoid([0.0, 0.33, 0.002], [0.178, 0.19, 0.119], SHIRT),
        ellipsoid([0.0, 0.435, -0.01], [0.198, 0.062, 0.076], SHIRT),
        ellipsoid([0.0, 0.475, -0.008], [0.11, 0.05, 0.068], SHIRT),
    ]
}

fn head() -> Vec<Painted> {
    vec![
        cylinder([-0.05, 0.1], [0.056, 0.052], 1.0, SKIN),
        ellipsoid([0.0, 0.152, 0.008], [0.077, 0.108, 0.096], SKIN),
        ellipsoid([0.0, 0.1, 0.016], [0.061, 0.062, 0.079], SKIN),
        ellipsoid([0.0, 0.19, -0.006], [0.083, 0.08, 0.104], HAIR),
        ellipsoid([0.0, 0.14, 0.103], [0.012, 0.024, 0.018], SKIN),
        ellipsoid([0.078, 0.14, 0.0], [0.01, 0.027, 0.017], SKIN),
        ellipsoid([-0.078, 0.14, 0.0], [0.01, 0.027, 0.017], SKIN),
        ellipsoid([0.03, 0.163, 0.092], [0.011, 0.009, 0.008], EYES),
        ellipsoid([-0.03, 0.163, 0.092], [0.011, 0.009, 0.008], EYES),
        ellipsoid([0.0, 0.092, 0.091], [0.024, 0.005, 0.005], LIPS),
    ]
}

fn upper_arm() -> Vec<Painted> {
    vec![
        ellipsoid([0.0, -0.02, 0.0], [0.055, 0.072, 0.06], SHIRT),
        cylinder([-0.29, -0.02], [0.041, 0.054], 1.0, SHIRT),
        ellipsoid([0.0, -0.29, 0.0], [0.041, 0.041, 0.041], SHIRT),
    ]
}

fn lower_arm() -> Vec<Painted> {
    vec![
        ellipsoid([0.0, 0.0, 0.0], [0.037, 0.037, 0.037], SKIN),
        cylinder([-0.26, 0.0], [0.026, 0.037], 1.0, SKIN),
        ellipsoid([0.0, -0.085, 0.0], [0.04, 0.095, 0.04], SKIN),
        ellipsoid([0.0, -0.335, 0.004], [0.02, 0.092, 0.042], SKIN),
        ellipsoid([0.0, -0.305, 0.038], [0.014, 0.045, 0.016], SKIN),
    ]
}

fn upper_leg() -> Vec<Painted> {
    vec![
        ellipsoid([0.0, 0.0, 0.0], [0.085, 0.1, 0.1], TROUSERS),
        cylinder([-0.43, 0.0], [0.057, 0.085], 1.08, TROUSERS),
        ellipsoid([0.0, -0.43, 0.0], [0.057, 0.057, 0.06], TROUSERS),
    ]
}

fn lower_leg() -> Vec<Painted> {
    let sole = shapes::superellipsoid(Vec3::new(0.047, 0.042, 0.13), 2.8, 15, 24);
    vec![
        ellipsoid([0.0, 0.0, 0.0], [0.055, 0.055, 0.058], TROUSERS),
        cylinder([-0.41, 0.0], [0.045, 0.055], 1.05, TROUSERS),
        ellipsoid([0.0, -0.13, -0.014], [0.055, 0.125, 0.058], TROUSERS),
        ellipsoid([0.0, -0.41, 0.0], [0.044, 0.045, 0.05], SHOES),
        painted(sole, Vec3::new(0.0, -0.438, 0.052), SHOES),
    ]
}
