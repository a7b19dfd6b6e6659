//! Angles of a joint whose limits are stated in another frame.

use super::angles::{Angles, JacobianAxes, State};
use super::frame::Vec3F64;
use crate::skeleton::limits::RotationLimit;
use crate::skeleton::rotation_limit::WideFrame;
use sinew_math::transform::quat_f64::QuatF64;

/// [`Angles`] for limits in any frame. Its states are rotations relative to rest.
#[derive(Clone, Debug)]
pub(super) struct FramedAngles {
    angles: Angles,
    limits: RotationLimit,
    frame: Option<WideFrame>,
}

impl FramedAngles {
    pub fn new(rotation: &RotationLimit) -> Self {
        let (limits, frame) = match rotation {
            RotationLimit::Framed(framed) => (&framed.rotation, Some(framed.frame.wide())),
            rotation => (rotation, None),
        };
        Self {
            angles: Angles::new(limits),
            limits: limits.clone(),
            frame,
        }
    }

    /// Number of coordinates.
    pub fn count(&self) -> usize {
        self.angles.count()
    }

    /// Allowed state nearest to a rotation.
    pub fn nearest(&self, rotation: QuatF64) -> State {
        match &self.frame {
            None => self.angles.nearest(&self.limits, rotation),
            Some(frame) => {
                let stated = self.angles.nearest(&self.limits, frame.stated(rotation));
                outward(frame, stated)
            }
        }
    }

    /// Moves a state by a step along its [`JacobianAxes`].
    pub fn step(&self, state: &State, step: [f64; 3]) -> State {
        match &self.frame {
            None => self.angles.step(state, step),
            Some(frame) => outward(frame, self.angles.step(&inward(frame, state), step)),
        }
    }

    pub fn jacobian_axes(&self, state: &State) -> JacobianAxes {
        match &self.frame {
            None => self.angles.jacobian_axes(state),
            Some(frame) => {
                let jacobian_axes = self.angles.jacobian_axes(&inward(frame, state));
                JacobianAxes {
                    axes: jacobian_axes.axes.map(|axis| frame.zero.rotate(axis)),
                    ..jacobian_axes
                }
            }
        }
    }

    /// See [`Angles::align`].
    pub fn align(&self, state: &State, from: Vec3F64, to: Vec3F64) -> State {
        match &self.frame {
            None => self.angles.align(&self.limits, state, from, to),
            Some(frame) => {
                let from = frame.axes.conjugate().rotate(from);
                let to = frame.zero.conjugate().rotate(to);
                let stated = inward(frame, state);
                outward(frame, self.angles.align(&self.limits, &stated, from, to))
            }
        }
    }

    /// See [`Angles::restart`].
    pub fn restart(&self, state: &State, nth: usize) -> Option<State> {
        match &self.frame {
            None => self.angles.restart(state, nth),
            Some(frame) => {
                let state = self.angles.restart(&inward(frame, state), nth);
                state.map(|state| outward(frame, state))
            }
        }
    }

    /// Random allowed state, from three numbers in [0, 1).
    pub fn random(&self, parts: [f64; 3]) -> State {
        let state = self.angles.random(parts);
        match &self.frame {
            None => state,
            Some(frame) => outward(frame, state),
        }
    }

    /// True if a coordinate is at a limit.
    pub fn is_at_limit(&self, state: &State) -> bool {
        self.angles.is_at_limit(state)
    }
}

fn inward(frame: &WideFrame, state: &State) -> State {
    State {
        rotation: frame.stated(state.rotation),
        ..*state
    }
}

fn outward(frame: &WideFrame, state: State) -> State {
    State {
        rotation: frame.rotation(state.rotation),
        ..state
    }
}
