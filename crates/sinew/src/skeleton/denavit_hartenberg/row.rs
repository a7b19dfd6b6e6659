//! Conversion of one row to a joint, and of a joint to a row.

use super::{Moves, Row};
use crate::pose::LocalPose;
use crate::skeleton::limits::{AngleRange, Freedom, RotationLimit, SlideRange};
use glam::Vec3;
use sinew_math::transform::quat_f64::{QuatF64, add_scaled, dot};
use sinew_math::transform::{Axis, Transform};
use std::f64::consts::TAU;

/// Max error of a row, in radians or relative to the length of the chain.
pub(super) const CLOSE: f32 = 1e-6;

impl Row {
    /// Offset along z before the next joint: all of d for a hinge, nothing for a slide.
    pub(super) fn link(self) -> Self {
        match self.moves {
            Moves::Theta(_) => self,
            Moves::D { .. } => Self { d: 0.0, ..self },
        }
    }

    fn slid(&self) -> f32 {
        match self.moves {
            Moves::Theta(_) => 0.0,
            Moves::D { .. } => self.d,
        }
    }

    pub(super) fn freedom(&self, alpha_before_rad: f32) -> Freedom {
        match self.moves {
            Moves::Theta(range) => Freedom {
                rotation: RotationLimit::Hinge {
                    axis: Vec3::Z,
                    range: if range.ends() {
                        AngleRange {
                            min_rad: range.min_rad - self.theta_rad,
                            max_rad: range.max_rad - self.theta_rad,
                        }
                    } else {
                        AngleRange::FULL
                    },
                },
                ..Freedom::default()
            },
            Moves::D { min, max } => Freedom {
                slide_range: Some(SlideRange {
                    axis: vector(z_of(Axis::X.rotation_f64(f64::from(alpha_before_rad)))),
                    min: min - self.d,
                    max: max - self.d,
                }),
                ..fixed()
            },
        }
    }

    /// Reads the first joint: its angle about z and its slide. Returns the rest of its transform.
    pub(super) fn read_first(&mut self, now: &Transform) -> Transform {
        let (swing, theta_rad) = swing(now);
        self.theta_rad = theta_rad as f32;
        let at = now.translation.to_array().map(f64::from);
        if let Moves::D { .. } = self.moves {
            self.d = dot(at, z_of(swing)) as f32;
        }
        let origin = add_scaled(at, z_of(swing), -f64::from(self.slid()));
        Transform {
            scale: now.scale,
            ..Transform::from_rotation_translation(swing.to_quat(), vector(origin))
        }
    }

    /// Reads the angle and the slide of a joint, and the link before it, which it returns. Moves
    /// the row before by this link.
    pub(super) fn read(&mut self, before: &mut Self, now: &Transform) -> Self {
        let angles = QuatF64::from_quat(now.rotation).angles_about_pair([Axis::X, Axis::Z]);
        let [alpha_rad, theta_rad] = angles.map(|a| libm::remainder(a, TAU) as f32);
        self.theta_rad = theta_rad;
        (before.a, before.alpha_rad) = (now.translation.x, alpha_rad);
        let mut d = now.translation.z;
        if let Moves::D { .. } = self.moves {
            let (sine, cosine) = libm::sincos(f64::from(alpha_rad));
            let (y, z) = (f64::from(now.translation.y), f64::from(d));
            let is_parallel = sine.abs() < 1e-6;
            let slid = if is_parallel { z * cosine } else { y / -sine };
            self.d = slid as f32;
            d = if is_parallel {
                0.0
            } else {
                (z - slid * cosine) as f32
            };
        }
        let link = Self { d, ..*before };
        before.d = d + before.slid();
        if let Moves::D { min, max } = &mut before.moves {
            (*min, *max) = (*min + d, *max + d);
        }
        link
    }

    /// Sets the range from limits, which count from rest. `None` if the axis of a slide is not z.
    pub(super) fn set_range(
        &mut self,
        freedom: &Freedom,
        frame: QuatF64,
        rest: &Transform,
        now: &Transform,
    ) -> Option<()> {
        match (&freedom.rotation, &freedom.slide_range) {
            (RotationLimit::Hinge { range, .. }, None) if range.ends() => {
                let rest = QuatF64::from_quat(rest.rotation).conjugate();
                let turn = rest.mul(QuatF64::from_quat(now.rotation));
                let zero = f64::from(self.theta_rad) - turn.angle_about(Axis::Z.unit_f64());
                let ends = [range.min_rad, range.max_rad].map(|end| (f64::from(end) + zero) as f32);
                let [min_rad, max_rad] = ends;
                self.moves = Moves::Theta(AngleRange { min_rad, max_rad });
            }
            (RotationLimit::Hinge { .. }, None) => self.moves = Moves::default(),
            (_, Some(slide)) => {
                let off = difference(vector(slide.direction()), vector(z_of(frame)));
                if largest(off) > CLOSE {
                    return None;
                }
                let moved = slide.distance_f64(rest.translation, now.translation);
                let zero = f64::from(self.d) - moved;
                let [min, max] = [slide.min, slide.max].map(|end| (f64::from(end) + zero) as f32);
                self.moves = Moves::D { min, max };
            }
            _ => return None,
        }
        Some(())
    }
}

pub(super) fn fixed() -> Freedom {
    Freedom {
        rotation: RotationLimit::Fixed,
        ..Freedom::default()
    }
}

/// Row of a joint that moves as a row does, without numbers.
pub(super) fn kind(freedom: &Freedom) -> Option<Row> {
    let is_still = freedom.slides == [false; 3];
    let moves = match (&freedom.rotation, &freedom.slide_range) {
        (RotationLimit::Hinge { axis, .. }, None) if *axis == Vec3::Z && is_still => {
            Moves::default()
        }
        (RotationLimit::Fixed, Some(_)) => Moves::D { min: 0.0, max: 0.0 },
        _ => return None,
    };
    Some(Row {
        moves,
        ..Row::default()
    })
}

/// Rest transform of a joint after the link of `before`.
pub(super) fn stand(before: &Row, own: &Row) -> Transform {
    let alpha = Axis::X.rotation_f64(f64::from(before.alpha_rad));
    let rotation = alpha.mul(Axis::Z.rotation_f64(f64::from(own.theta_rad)));
    let link = [before.a, 0.0, before.d].map(f64::from);
    let at = add_scaled(link, z_of(alpha), f64::from(own.slid()));
    Transform::from_rotation_translation(rotation.to_quat(), vector(at))
}

/// Rotation without its part about z, and the angle of this part.
pub(super) fn swing(now: &Transform) -> (QuatF64, f64) {
    let rotation = QuatF64::from_quat(now.rotation);
    let angle = libm::remainder(rotation.angle_about(Axis::Z.unit_f64()), TAU);
    let back = QuatF64::from_axis_angle(Axis::Z.unit_f64(), -angle);
    (rotation.mul(back), angle)
}

fn z_of(rotation: QuatF64) -> [f64; 3] {
    rotation.rotate([0.0, 0.0, 1.0])
}

fn vector(v: [f64; 3]) -> Vec3 {
    Vec3::from_array(v.map(|c| c as f32))
}

/// Difference of the scale of a frame from 1.
pub(super) fn uneven(frame: &Transform) -> f32 {
    largest(difference(frame.scale, Vec3::ONE))
}

pub(super) fn length(pose: &LocalPose) -> f32 {
    pose.iter().map(|t| largest(t.translation)).sum()
}
pub(super) fn distance(a: &Transform, b: &Transform, length: f32) -> f32 {
    let way = largest(difference(a.translation, b.translation));
    let angle = QuatF64::from_quat(a.rotation).angle_to(QuatF64::from_quat(b.rotation));
    let part = if way > 0.0 { way / length } else { 0.0 };
    part.max(angle as f32)
        .max(largest(difference(a.scale, b.scale)))
}

fn difference(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(a.x - b.x, a.y - b.y, a.z - b.z)
}

fn largest(v: Vec3) -> f32 {
    v.x.abs().max(v.y.abs()).max(v.z.abs())
}
