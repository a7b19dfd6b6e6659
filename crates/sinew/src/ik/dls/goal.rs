use crate::ik::error::IkError;
use crate::ik::frame::{Above, Vec3F64, check_joint, name, not_finite, wide};
use crate::skeleton::Skeleton;
use glam::{Quat, Vec3};
use sinew_math::transform::quat_f64::{QuatF64, unit};
use sinew_math::transform::{Affine, polar};

/// Kind of a goal, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GoalKind {
    /// Moves a point of the joint to a position.
    Position {
        /// Point in the frame of the joint.
        offset: Vec3,
        /// Position in model space.
        at: Vec3,
    },
    /// Gives the joint an orientation.
    Orientation {
        /// Rotation `model_from_joint`, without scale.
        rotation: Quat,
    },
    /// Looks at a position.
    LookAt {
        /// Start of the line of sight, in the frame of the joint.
        offset: Vec3,
        /// Direction of the line of sight, in the frame of the joint.
        axis: Vec3,
        /// Position in model space.
        at: Vec3,
    },
}

/// Goal of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Index of the joint.
    pub joint: usize,
    /// Kind and target of the goal.
    pub kind: GoalKind,
    /// Importance in [0, 1e6] if not all goals can be met. Usually 1. An error of one radian counts
    /// as much as a distance of a third of the longest chain.
    pub weight: f32,
}

impl Goal {
    /// Goal that moves the origin of the joint to a position in model space.
    pub const fn position(joint: usize, at: Vec3) -> Self {
        Self {
            joint,
            kind: GoalKind::Position {
                offset: Vec3::ZERO,
                at,
            },
            weight: 1.0,
        }
    }

    /// Goal that gives the joint a rotation in model space.
    pub const fn orientation(joint: usize, rotation: Quat) -> Self {
        Self {
            joint,
            kind: GoalKind::Orientation { rotation },
            weight: 1.0,
        }
    }

    /// Goal that aims an axis, from the origin of the joint, at a position in model space.
    pub const fn look_at(joint: usize, axis: Vec3, at: Vec3) -> Self {
        Self {
            joint,
            kind: GoalKind::LookAt {
                offset: Vec3::ZERO,
                axis,
                at,
            },
            weight: 1.0,
        }
    }

    pub(super) fn check(&self, skeleton: &Skeleton) -> Result<(), IkError> {
        let joint = self.joint;
        check_joint(skeleton, joint)?;
        let refuse = |what| Err(not_finite(skeleton, joint, what));
        if !(self.weight >= 0.0 && self.weight <= 1e6) {
            return Err(IkError::OutOfRange {
                joint: name(skeleton, joint),
                what: "weight",
                max: 1e6,
            });
        }
        match self.kind {
            GoalKind::Position { offset, at } => {
                if !offset.is_finite() || !at.is_finite() {
                    return refuse("goal");
                }
            }
            GoalKind::Orientation { rotation } => {
                if QuatF64::from_quat(rotation).normalized().is_none() {
                    return refuse("orientation");
                }
            }
            GoalKind::LookAt { offset, axis, at } => {
                if !offset.is_finite() || !at.is_finite() {
                    return refuse("goal");
                }
                if unit(axis).is_none() {
                    return Err(IkError::NoDirection {
                        joint: name(skeleton, joint),
                        what: "line of sight",
                    });
                }
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub joint: usize,
    pub point: Vec3F64,
    pub axis: Vec3F64,
    pub at: Vec3F64,
    pub rotation: QuatF64,
    pub kind: Kind,
    /// Factor of the error before squaring.
    pub weight: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Position,
    Orientation,
    LookAt,
}

impl Target {
    pub fn new(goal: &Goal, above: &Above, model_from_root: &Affine) -> Self {
        let rotated = |rotation: Quat| {
            let root = polar::decompose(model_from_root.linear_f64()).rotation_quat();
            let root = QuatF64::from_quat(root).conjugate();
            let rotated = root.mul(QuatF64::from_quat(rotation));
            rotated.normalized().unwrap_or(QuatF64::IDENTITY)
        };
        let mut target = Self {
            joint: goal.joint,
            point: [0.0; 3],
            axis: [0.0; 3],
            at: [0.0; 3],
            rotation: QuatF64::IDENTITY,
            kind: Kind::Position,
            weight: f64::from(goal.weight),
        };
        match goal.kind {
            GoalKind::Position { offset, at } => {
                target.point = wide(offset);
                target.at = above.point(at);
            }
            GoalKind::Orientation { rotation } => {
                target.kind = Kind::Orientation;
                target.rotation = rotated(rotation);
            }
            GoalKind::LookAt { offset, axis, at } => {
                target.kind = Kind::LookAt;
                target.point = wide(offset);
                target.axis = unit(axis).unwrap_or([0.0; 3]);
                target.at = above.point(at);
            }
        }
        target
    }
}
