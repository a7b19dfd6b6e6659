//! A joint's angles with the frame that its limits are stated in, where that is not the joint's own.

use super::angles::{Angles, JacobianAxes, State};
use super::frame::Vec3F64;
use crate::skeleton::limits::Turn;
use crate::skeleton::turn::WideFrame;
use sinew_math::transform::quat_f64::QuatF64;

/// [`Angles`] whose states are the joint's turns from rest, whatever its limits are measured about.
#[derive(Clone, Debug)]
pub(super) struct FramedAngles {
    angles: Angles,
    /// What `angles` were made of.
    limits: Turn,
    frame: Option<WideFrame>,
}

impl FramedAngles {
    pub fn new(turn: &Turn) -> Self {
        let (limits, frame) = match turn {
            Turn::Framed(framed) => (&framed.turn, Some(framed.frame.wide())),
            turn => (turn, None),
        };
        Self {
            angles: Angles::new(limits),
            limits: limits.clone(),
            frame,
        }
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        self.angles.count()
    }

    /// The allowed state nearest to a turn.
    pub fn nearest(&self, turn: QuatF64) -> State {
        match &self.frame {
            None => self.angles.nearest(&self.limits, turn),
            Some(frame) => {
                let stated = self.angles.nearest(&self.limits, frame.stated(turn));
                outward(frame, stated)
            }
        }
    }

    /// Moves a state by a step of its [`JacobianAxes`].
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

    /// The state near to `state` that turns `from`, carried by the joint, as nearly as allowed towards
    /// `to`, in the frame of its rest: never farther than it was.
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

    /// Allowed states far from this one, by their number; `None` where that is no other state.
    pub fn restart(&self, state: &State, nth: usize) -> Option<State> {
        match &self.frame {
            None => self.angles.restart(state, nth),
            Some(frame) => {
                let state = self.angles.restart(&inward(frame, state), nth);
                state.map(|state| outward(frame, state))
            }
        }
    }

    /// Any allowed state, from three numbers in [0, 1).
    pub fn random(&self, parts: [f64; 3]) -> State {
        let state = self.angles.random(parts);
        match &self.frame {
            None => state,
            Some(frame) => outward(frame, state),
        }
    }

    /// Whether a limit is as far as it goes.
    pub fn is_at_limit(&self, state: &State) -> bool {
        self.angles.is_at_limit(state)
    }
}

fn inward(frame: &WideFrame, state: &State) -> State {
    State {
        turn: frame.stated(state.turn),
        ..*state
    }
}

fn outward(frame: &WideFrame, state: State) -> State {
    State {
        turn: frame.turn(state.turn),
        ..state
    }
}
