//! Compares a fit with the truth of its synthetic capture.

use super::{models, place};
use glam::Quat;
use sinew::transform::quat;
use sinew::{LocalPose, Skeleton, sample};
use sinew_rig::mocap::{Fit, Trial};

/// Poses of a fit at the frames of its trial.
pub fn poses(fit: &Fit, frames: usize, rate: f64) -> Vec<LocalPose> {
    let pose = |frame: usize| {
        let mut pose = fit.skeleton.rest().clone();
        sample(&fit.clip, &fit.skeleton, frame as f64 / rate, &mut pose).unwrap();
        pose
    };
    (0..frames).map(pose).collect()
}

fn swing_and_twist_deg(q: Quat) -> [f64; 2] {
    let [x, y, z, w] = q.to_array().map(f64::from);
    let twist = 2.0 * y.atan2(w);
    let swing = 2.0 * (x * x + z * z).sqrt().atan2((y * y + w * w).sqrt());
    let turn = std::f64::consts::TAU;
    [swing, twist - (twist / turn).round() * turn].map(f64::to_degrees)
}

/// Errors of a fit.
#[derive(Debug)]
pub struct Off {
    pub positions_mm: f64,
    pub worst_bone: (String, f64),
    pub swing_deg: f64,
    pub twist_deg: f64,
    pub filled_mm: f64,
    pub worst_joint: (String, f64),
}

/// Compares a fit with the captured motion and subject.
pub fn compare(
    truth: &Skeleton,
    moved: &[LocalPose],
    seen: &Trial,
    clean: &Trial,
    fit: &Fit,
) -> Off {
    let found = poses(fit, moved.len(), seen.rate_hz);
    let (there, here) = (models(truth, moved), models(&fit.skeleton, &found));
    let told: Vec<usize> = fit.clip.joints.iter().map(|j| j.joint).collect();
    let rms = |sum: f64, count: usize| (sum / count as f64).sqrt();
    let (mut place_sum, mut swing, mut twist) = (0.0, 0.0, 0.0);
    let mut worst_joint = (String::new(), 0.0);
    for &joint in &told {
        let mut own = [0.0; 3];
        for frame in 0..moved.len() {
            let off = place(&there[frame], joint).distance(place(&here[frame], joint));
            let turns = [&moved[frame], &found[frame]].map(|p| p.get(joint).rotation);
            let between = quat::mul(quat::conjugate(turns[0]), turns[1]);
            let [s, t] = swing_and_twist_deg(between);
            own[0] += f64::from(off * off);
            own[1] += s * s;
            own[2] += t * t;
        }
        let own_mm = 1e3 * rms(own[0], moved.len());
        if own_mm > worst_joint.1 {
            worst_joint = (truth.name(joint).to_owned(), own_mm);
        }
        (place_sum, swing, twist) = (place_sum + own[0], swing + own[1], twist + own[2]);
    }
    let mut worst_bone = (String::new(), 0.0);
    for bone in &fit.report.bones {
        let joint = truth.find(&bone.joint).expect("a joint");
        let length = f64::from(truth.rest().get(joint).translation.length());
        let off = (bone.length_m / length - 1.0).abs();
        if off > worst_bone.1 {
            worst_bone = (bone.joint.clone(), off);
        }
    }
    let mut filled_mm: f64 = 0.0;
    for marker in 0..fit.filled.labels().len() {
        let column = seen.find(&fit.filled.labels()[marker]).expect("a label");
        for frame in (0..seen.frames()).filter(|&f| seen.position(f, column).is_none()) {
            let was = clean.position(frame, column).expect("it is known");
            let is = fit.filled.position(frame, marker).expect("filled");
            filled_mm = filled_mm.max(1e3 * f64::from(was.distance(is)));
        }
    }
    let count = told.len() * moved.len();
    Off {
        positions_mm: 1e3 * rms(place_sum, count),
        worst_bone,
        swing_deg: rms(swing, count),
        twist_deg: rms(twist, count),
        filled_mm,
        worst_joint,
    }
}
