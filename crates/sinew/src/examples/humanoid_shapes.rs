//! The ten parts of the humanoid as ellipsoids and cylinders, each in its own joint's frame.

use super::humanoid::HumanoidPart;
use super::painted;
use crate::mesh::Primitive;
use crate::mesh::shapes::{self, Cylinder};
use crate::transform::Affine;
use glam::{Vec3, Vec4};

const SKIN: [f32; 3] = [0.6, 0.33, 0.22];
const HAIR: [f32; 3] = [0.05, 0.025, 0.012];
const SHIRT: [f32; 3] = [0.03, 0.24, 0.33];
const TROUSERS: [f32; 3] = [0.05, 0.06, 0.11];
const SHOES: [f32; 3] = [0.25, 0.06, 0.03];
const LIPS: [f32; 3] = [0.35, 0.12, 0.1];
const EYES: [f32; 3] = [0.01, 0.01, 0.012];

type Painted = (Primitive, Affine, Vec4);

/// How many rings and sectors surfaces have, over what the fine ones do.
#[derive(Clone, Copy)]
pub(super) struct Detail(f32);

impl Detail {
    /// Round from near by: 15,160 vertices for the whole figure.
    pub const FINE: Self = Self(1.0);
    /// Round from a few metres away: about a third of them.
    pub const COARSE: Self = Self(0.56);

    fn of(self, count: usize) -> usize {
        (count as f32 * self.0).round() as usize
    }
}

/// A part's surface, with vertex colours.
pub(super) fn surface(part: HumanoidPart) -> Primitive {
    Detail::FINE.surface(part)
}

impl Detail {
    /// The same, as fine as it says.
    pub fn surface(self, part: HumanoidPart) -> Primitive {
        use HumanoidPart::*;
        shapes::merged(&match part {
            Torso => self.torso(),
            Head => self.head(),
            LeftUpperArm | RightUpperArm => self.upper_arm(),
            LeftLowerArm | RightLowerArm => self.lower_arm(),
            LeftUpperLeg | RightUpperLeg => self.upper_leg(),
            LeftLowerLeg | RightLowerLeg => self.lower_leg(),
        })
    }

    fn ellipsoid(self, center: [f32; 3], radii: [f32; 3], color: [f32; 3]) -> Painted {
        let radii = Vec3::from_array(radii);
        let (rings, sectors) = if radii.max_element() > 0.03 {
            (15, 24)
        } else {
            (9, 14)
        };
        let shape = shapes::ellipsoid(radii, self.of(rings), self.of(sectors));
        painted(shape, Vec3::from_array(center), color)
    }

    /// From one height on the y axis up to another, `depth` times as deep as wide.
    fn cylinder(self, heights: [f32; 2], radii: [f32; 2], depth: f32, color: [f32; 3]) -> Painted {
        let shape = Cylinder {
            length: heights[1] - heights[0],
            radii,
            rings: self.of(13),
            sectors: self.of(24),
            capped: false,
            ..Cylinder::default()
        };
        let place = Affine::from_axes(Vec3::X, Vec3::Y, Vec3::Z * depth, Vec3::Y * heights[0]);
        (shape.build(), place, Vec3::from_array(color).extend(1.0))
    }

    fn torso(self) -> Vec<Painted> {
        vec![
            self.ellipsoid([0.0, 0.0, 0.0], [0.162, 0.115, 0.115], TROUSERS),
            self.ellipsoid([0.0, 0.24, 0.0], [0.168, 0.3, 0.116], SHIRT),
            self.ellipsoid([0.0, 0.33, 0.002], [0.178, 0.19, 0.119], SHIRT),
            self.ellipsoid([0.0, 0.435, -0.01], [0.198, 0.062, 0.076], SHIRT),
            self.ellipsoid([0.0, 0.475, -0.008], [0.11, 0.05, 0.068], SHIRT),
        ]
    }

    fn head(self) -> Vec<Painted> {
        vec![
            self.cylinder([-0.05, 0.1], [0.056, 0.052], 1.0, SKIN),
            self.ellipsoid([0.0, 0.152, 0.008], [0.077, 0.108, 0.096], SKIN),
            self.ellipsoid([0.0, 0.1, 0.016], [0.061, 0.062, 0.079], SKIN),
            self.ellipsoid([0.0, 0.19, -0.006], [0.083, 0.08, 0.104], HAIR),
            self.ellipsoid([0.0, 0.14, 0.103], [0.012, 0.024, 0.018], SKIN),
            self.ellipsoid([0.078, 0.14, 0.0], [0.01, 0.027, 0.017], SKIN),
            self.ellipsoid([-0.078, 0.14, 0.0], [0.01, 0.027, 0.017], SKIN),
            self.ellipsoid([0.03, 0.163, 0.092], [0.011, 0.009, 0.008], EYES),
            self.ellipsoid([-0.03, 0.163, 0.092], [0.011, 0.009, 0.008], EYES),
            self.ellipsoid([0.0, 0.092, 0.091], [0.024, 0.005, 0.005], LIPS),
        ]
    }

    fn upper_arm(self) -> Vec<Painted> {
        vec![
            self.ellipsoid([0.0, -0.02, 0.0], [0.055, 0.072, 0.06], SHIRT),
            self.cylinder([-0.29, -0.02], [0.041, 0.054], 1.0, SHIRT),
            self.ellipsoid([0.0, -0.29, 0.0], [0.041, 0.041, 0.041], SHIRT),
        ]
    }

    fn lower_arm(self) -> Vec<Painted> {
        vec![
            self.ellipsoid([0.0, 0.0, 0.0], [0.037, 0.037, 0.037], SKIN),
            self.cylinder([-0.26, 0.0], [0.026, 0.037], 1.0, SKIN),
            self.ellipsoid([0.0, -0.085, 0.0], [0.04, 0.095, 0.04], SKIN),
            self.ellipsoid([0.0, -0.335, 0.004], [0.02, 0.092, 0.042], SKIN),
            self.ellipsoid([0.0, -0.305, 0.038], [0.014, 0.045, 0.016], SKIN),
        ]
    }

    fn upper_leg(self) -> Vec<Painted> {
        vec![
            self.ellipsoid([0.0, 0.0, 0.0], [0.085, 0.1, 0.1], TROUSERS),
            self.cylinder([-0.43, 0.0], [0.057, 0.085], 1.08, TROUSERS),
            self.ellipsoid([0.0, -0.43, 0.0], [0.057, 0.057, 0.06], TROUSERS),
        ]
    }

    fn lower_leg(self) -> Vec<Painted> {
        let sole =
            shapes::superellipsoid(Vec3::new(0.047, 0.042, 0.13), 2.8, self.of(15), self.of(24));
        vec![
            self.ellipsoid([0.0, 0.0, 0.0], [0.055, 0.055, 0.058], TROUSERS),
            self.cylinder([-0.41, 0.0], [0.045, 0.055], 1.05, TROUSERS),
            self.ellipsoid([0.0, -0.13, -0.014], [0.055, 0.125, 0.058], TROUSERS),
            self.ellipsoid([0.0, -0.41, 0.0], [0.044, 0.045, 0.05], SHOES),
            painted(sole, Vec3::new(0.0, -0.438, 0.052), SHOES),
        ]
    }
}
