//! Reference blend of scaling motions in `f64`.
#![allow(dead_code, reason = "each program of tests uses some of it")]

use glam::{DMat3, DQuat, DVec3};

pub const NOTHING: DQuat = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);

/// Motion of a joint: x ↦ R S (x − c) + d.
pub struct Motion {
    pub turn: DQuat,
    pub stretch: DMat3,
    /// Cube root of the determinant.
    pub scale: f64,
    pub bound: DVec3,
    pub now: DVec3,
}

/// Dual part ½ t q of x ↦ R x + t.
pub fn dual(turn: DQuat, t: DVec3) -> DQuat {
    DQuat::from_xyzw(t.x, t.y, t.z, 0.0) * turn * 0.5
}

/// Point moved by a sum of dual quaternions.
pub fn moved(real: DQuat, dual: DQuat, p: DVec3) -> DVec3 {
    let length = real.length();
    let (real, dual) = (real * (1.0 / length), dual * (1.0 / length));
    let t = dual * real.conjugate() * 2.0;
    real * p + DVec3::new(t.x, t.y, t.z)
}

/// Point moved by weighted joints.
pub fn by_formula(motions: &[Motion], joints: &[(usize, f64)], p: DVec3) -> DVec3 {
    let scale: f64 = joints.iter().map(|&(j, w)| w * motions[j].scale).sum();
    let mut stretched = DVec3::ZERO;
    let (mut real, mut other) = (NOTHING, NOTHING);
    for &(j, weight) in joints {
        let m = &motions[j];
        stretched += (m.stretch * (p - m.bound) + m.bound * scale) * weight;
        real += m.turn * weight;
        other += dual(m.turn, m.now - m.turn * (m.bound * scale)) * weight;
    }
    moved(real, other, stretched)
}
