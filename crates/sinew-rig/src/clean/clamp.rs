//! Brings rotations within the limits of joints.

use super::report::ClampReport;
use crate::motion::joints::limited;
use crate::motion::take::Take;
use glam::Quat;
use sinew::transform::quat::angle_between;

/// Angle beyond a limit, in degrees, and max share of frames with more, of a joint to which its
/// limits apply.
const BEYOND_DEG: f64 = 1.0;
const OFTEN: f64 = 0.05;

/// `None` if no joint has limits.
pub(super) fn clamp(take: &mut Take<'_>) -> Option<ClampReport> {
    let skeleton = limited(take.skeleton)?;
    let mut report = ClampReport::default();
    for joint in 0..skeleton.len() {
        let (freedom, rest) = (skeleton.freedom(joint), skeleton.rest().get(joint).rotation);
        if !freedom.rotation.is_limited() {
            continue;
        }
        let allowed = take.frames.iter().map(|frame| {
            let now = frame[joint].rotation.as_quat();
            let allowed = freedom.clamp_rotation(rest, now);
            (allowed, f64::from(angle_between(allowed, now)).to_degrees())
        });
        let allowed: Vec<(Quat, f64)> = allowed.collect();
        let beyond = allowed.iter().filter(|(_, deg)| *deg > BEYOND_DEG).count();
        if beyond as f64 > OFTEN * allowed.len() as f64 {
            report.left.push(skeleton.name(joint).to_owned());
            continue;
        }
        for (frame, (allowed, deg)) in take.frames.iter_mut().zip(allowed) {
            if deg > 0.0 {
                frame[joint].rotation = allowed.as_dquat().normalize();
                report.keys += 1;
                report.worst_deg = report.worst_deg.max(deg);
            }
        }
    }
    Some(report)
}
