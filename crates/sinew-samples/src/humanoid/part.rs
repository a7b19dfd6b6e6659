//! Parts of the humanoid: their hierarchy, joints and angles.

use glam::{Quat, Vec3};
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};
use sinew::transform::{Axis, Transform, quat};

/// Part of the humanoid.
#[doc(alias = "bone")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the description")]
pub enum HumanoidPart {
    Torso,
    Head,
    LeftUpperArm,
    LeftLowerArm,
    RightUpperArm,
    RightLowerArm,
    LeftUpperLeg,
    LeftLowerLeg,
    RightUpperLeg,
    RightLowerLeg,
}

use HumanoidPart::*;

/// Angle between arms and body at rest, in radians, so that they do not touch.
const ARM_LEAN_RAD: f32 = 0.12;

impl HumanoidPart {
    /// All parts, parents first.
    pub const ALL: [Self; 10] = [
        Torso,
        Head,
        LeftUpperArm,
        LeftLowerArm,
        RightUpperArm,
        RightLowerArm,
        LeftUpperLeg,
        LeftLowerLeg,
        RightUpperLeg,
        RightLowerLeg,
    ];

    /// Index of the part in [`HumanoidPart::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Name of the node and the joint of the part.
    pub const fn name(self) -> &'static str {
        match self {
            Torso => "torso",
            Head => "head",
            LeftUpperArm => "left_upper_arm",
            LeftLowerArm => "left_lower_arm",
            RightUpperArm => "right_upper_arm",
            RightLowerArm => "right_lower_arm",
            LeftUpperLeg => "left_upper_leg",
            LeftLowerLeg => "left_lower_leg",
            RightUpperLeg => "right_upper_leg",
            RightLowerLeg => "right_lower_leg",
        }
    }

    /// Parent part. `None` for the torso.
    pub const fn parent(self) -> Option<Self> {
        match self {
            Torso => None,
            Head | LeftUpperArm | RightUpperArm | LeftUpperLeg | RightUpperLeg => Some(Torso),
            LeftLowerArm => Some(LeftUpperArm),
            RightLowerArm => Some(RightUpperArm),
            LeftLowerLeg => Some(LeftUpperLeg),
            RightLowerLeg => Some(RightUpperLeg),
        }
    }

    /// Transform relative to the parent with all angles 0. Limbs point along −y.
    pub fn rest(self) -> Transform {
        let (lean, x, y) = match self {
            Torso => (0.0, 0.0, 0.95),
            Head => (0.0, 0.0, 0.53),
            LeftUpperArm => (ARM_LEAN_RAD, 0.188, 0.435),
            RightUpperArm => (-ARM_LEAN_RAD, -0.188, 0.435),
            LeftLowerArm | RightLowerArm => (0.0, 0.0, -0.29),
            LeftUpperLeg => (0.0, 0.088, -0.04),
            RightUpperLeg => (0.0, -0.088, -0.04),
            LeftLowerLeg | RightLowerLeg => (0.0, 0.0, -0.43),
        };
        Transform::from_rotation_translation(Axis::Z.rotation(lean), Vec3::new(x, y, 0.0))
    }

    /// Degrees of freedom and limits: two angles for the head, one angle for each other part. The
    /// torso also moves up and down.
    pub fn freedom(self) -> Freedom {
        let hinge = |axis, min, max| RotationLimit::Hinge {
            axis,
            range: AngleRange::degrees(min, max),
        };
        let turn = match self {
            Torso => hinge(Vec3::Y, -180.0, 180.0),
            Head => RotationLimit::Saddle {
                axes: [Axis::Y, Axis::X],
                ranges: [
                    AngleRange::degrees(-80.0, 80.0),
                    AngleRange::degrees(-50.0, 60.0),
                ],
            },
            LeftUpperArm | RightUpperArm => hinge(Vec3::NEG_X, -60.0, 180.0),
            LeftLowerArm | RightLowerArm => hinge(Vec3::NEG_X, 0.0, 150.0),
            LeftUpperLeg | RightUpperLeg => hinge(Vec3::NEG_X, -30.0, 120.0),
            LeftLowerLeg | RightLowerLeg => hinge(Vec3::X, 0.0, 150.0),
        };
        Freedom {
            rotation: turn,
            slides: [false, self == Torso, false],
            ..Freedom::default()
        }
    }

    /// Transform relative to the parent, for these angles.
    pub fn parent_from_part(self, angles: &HumanoidAngles) -> Transform {
        let rest = self.rest();
        Transform {
            rotation: quat::mul(rest.rotation, angles.rotation(self)),
            ..rest
        }
    }
}

/// Angles of the humanoid, in radians. Default 0: it stands straight with its arms down. Positive
/// angles move arms, forearms and thighs forward, and shins backward.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[expect(missing_docs, reason = "each is named for its part")]
pub struct HumanoidAngles {
    /// Rotation of the whole figure about y.
    pub torso_rad: f32,
    /// Rotation about x. Positive is down, toward the chest.
    pub head_nod_rad: f32,
    /// Rotation about y. Positive is to the left.
    pub head_yaw_rad: f32,
    pub left_upper_arm_rad: f32,
    pub left_lower_arm_rad: f32,
    pub right_upper_arm_rad: f32,
    pub right_lower_arm_rad: f32,
    pub left_upper_leg_rad: f32,
    pub left_lower_leg_rad: f32,
    pub right_upper_leg_rad: f32,
    pub right_lower_leg_rad: f32,
}

impl HumanoidAngles {
    /// Rotation of a part relative to rest, in its own frame.
    pub fn rotation(&self, part: HumanoidPart) -> Quat {
        let forward = |angle: f32| Axis::X.rotation(-angle);
        match part {
            Torso => Axis::Y.rotation(self.torso_rad),
            Head => quat::mul(
                Axis::Y.rotation(self.head_yaw_rad),
                Axis::X.rotation(self.head_nod_rad),
            ),
            LeftUpperArm => forward(self.left_upper_arm_rad),
            LeftLowerArm => forward(self.left_lower_arm_rad),
            RightUpperArm => forward(self.right_upper_arm_rad),
            RightLowerArm => forward(self.right_lower_arm_rad),
            LeftUpperLeg => forward(self.left_upper_leg_rad),
            LeftLowerLeg => forward(-self.left_lower_leg_rad),
            RightUpperLeg => forward(self.right_upper_leg_rad),
            RightLowerLeg => forward(-self.right_lower_leg_rad),
        }
    }
}
