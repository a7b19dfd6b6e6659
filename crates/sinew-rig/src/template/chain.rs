//! A chain of joints for snakes, tentacles and tails.

use super::error::TemplateError;
use super::joints::{Template, TemplateJoint};
use glam::Vec3;
use sinew::skeleton::limits::{AngleRange, Freedom, Turn};

/// A template of joints in a row, named `NAME_1` and so on; the first one is the root and moves freely.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneChain {
    /// The name of its joints.
    pub name: String,
    /// The number of joints, at least one; more than 65536, which influences can name, are taken as so many.
    pub joints: usize,
    /// The position of the first one.
    pub from: Vec3,
    /// The end of the last bone.
    pub to: Vec3,
    /// The direction of its joints' z axes: the back of a snake.
    pub front: Vec3,
    /// The max bend of each in any direction, in degrees.
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
    /// The joints, evenly along the line.
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
                    turn: Turn::Free,
                    slides: [true; 3],
                },
                _ => Freedom {
                    turn: Turn::Ball {
                        axis: Vec3::Y,
                        swing_rad: self.bend_deg.to_radians(),
                        twist: AngleRange::degrees(-30.0, 30.0),
                    },
                    slides: [false; 3],
                },
            },
        };
        Template {
            joints: (0..count).map(joint).collect(),
        }
    }

    /// The same chain through the middle of a box, along its longest side.
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
