//! Limits that are stated about other axes than the joint's own, or from another pose than its rest.

use super::limits::Turn;
use glam::Quat;
use sinew_math::transform::quat;
use sinew_math::transform::quat_f64::QuatF64;

/// What a limit's angles are measured about and from, where that is not the joint's own axes and its rest: a
/// template's limits on a file's joint, whose axes and rest pose someone else chose.
///
/// A joint's turn from its rest is `axes · rest⁻¹ · stated · axes⁻¹`, and the limits are on `stated`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnFrame {
    /// `joint_from_axes`, of unit length.
    pub axes: Quat,
    /// What the joint's rest pose is when it is stated in these axes; of unit length.
    pub rest: Quat,
}

/// A turn in a frame of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct FramedTurn {
    /// What angles are measured about and from.
    pub frame: TurnFrame,
    /// What is stated there; not framed once more.
    pub turn: Turn,
}

impl TurnFrame {
    pub(super) fn is_unit(&self) -> bool {
        // Of no number that is not finite is this true.
        let is_unit = |q: Quat| (quat::dot(q, q) - 1.0).abs() <= 1e-3;
        is_unit(self.axes) && is_unit(self.rest)
    }

    pub(crate) fn wide(&self) -> WideFrame {
        let unit = |q: Quat| {
            let unit = QuatF64::from_quat(q).normalized();
            unit.unwrap_or(QuatF64::IDENTITY)
        };
        let axes = unit(self.axes);
        WideFrame {
            axes,
            zero: axes.mul(unit(self.rest).conjugate()),
        }
    }
}

/// A [`TurnFrame`] to compute with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WideFrame {
    pub axes: QuatF64,
    /// `axes · rest⁻¹`: turns directions of what is stated into the frame of the joint's rest.
    pub zero: QuatF64,
}

impl WideFrame {
    /// What is stated of a joint's turn.
    pub fn stated(&self, turn: QuatF64) -> QuatF64 {
        self.zero.conjugate().mul(turn).mul(self.axes)
    }

    /// The joint's turn of what is stated.
    pub fn turn(&self, stated: QuatF64) -> QuatF64 {
        self.zero.mul(stated).mul(self.axes.conjugate())
    }
}
