//! Positions of joints (`marks`) from limbs and trunk, and from hints.

mod arms;
pub(crate) mod biped;
pub(crate) mod fingers;
mod fitted;
mod hanging;
pub(crate) mod hints;
mod legs;
pub(crate) mod marks;
pub(crate) mod quadruped;
mod trunk;
