//! A chain of joints for snakes, tentacles and tails.

use super::error::TemplateError;
use super::joints::{Template, TemplateJoint};
use glam::Vec3;
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};

/// Chain of joints `NAME_1`, `NAME_2` and so on. The first is the root and moves freely.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneChain {
    /// Prefix of the joint names. Default `chain`.
    pub name: String,
    /// Number of joints, clamped to 1..=65536. Default 8.
    pub joints: usize,
    /// Position of the first joint, in model space. Default: the origin.
    pub from: Vec3,
    /// End of the last bone, in model space. Default: (0, 1, 0).
    pub to: Vec3,
    /// Direction of the z axes of the joints, such as the back of a snake. Default: +z.
    pub front: Vec3,
    /// Max bend of each joint in any direction, in degrees. Default 60.
    pub bend_deg: f32,
}

impl Default for BoneChain {
    fn default() -> Self {
        Self {
            name: "chain".to_owned(),
            joints: 8,
            from: Vec3::ZERO,
            to: Vec3::Y,
            front: Vec3::Z,
            bend_deg: 60.0,
        }
    }
}

impl BoneChain {
    /// Creates joints at equal distances from `from` toward `to`.
    ///
    /// ```
    /// use sinew_rig::template::BoneChain;
    /// let tail = BoneChain { name: "tail".to_owned(), joints: 5, ..BoneChain::default() };
    /// assert_eq!(tail.template().joints()[4].name, "tail_5");
    /// ```
    pub fn template(&self) -> Template {
        let count = self.joints.clamp(1, usize::from(u16::MAX) + 1);
        let at = |k: usize| self.from + (self.to - self.from) * (k as f32 / count as f32);
        let joint = |k: usize| TemplateJoint {
            name: format!("{}_{}", self.name, k + 1),
            parent: k.checked_sub(1),
            position: at(k),
            points_at: (k + 1 < count).then_some(k + 1),
            tip: self.to,
            front: self.front,
            freedom: match k {
                0 => Freedom {
                    rotation: RotationLimit::Free,
                    slides: [true; 3],
                    ..Freedom::default()
                },
                _ => Freedom {
                    rotation: RotationLimit::Ball {
                        axis: Vec3::Y,
                        swing_rad: self.bend_deg.to_radians(),
                        twist: AngleRange::degrees(-30.0, 30.0),
                    },
                    ..Freedom::default()
                },
            },
        };
        Template {
            joints: (0..count).map(joint).collect(),
        }
    }

    /// Creates the chain through the middle of a box, along its longest side.
    pub fn fitted(&self, min: Vec3, max: Vec3) -> Result<Template, TemplateError> {
        let size = max - min;
        let longest = size.max_element();
        if !(longest > 0.0 && size.is_finite() && size.min_element() >= 0.0) {
            return Err(TemplateError::EmptyBox);
        }
        let middle = (min + max) * 0.5;
        let axis = Vec3::AXES[size.max_position()];
        let chain = Self {
            from: middle - axis * (longest * 0.5),
            to: middle + axis * (longest * 0.5),
            ..self.clone()
        };
        Ok(chain.template())
    }
}
