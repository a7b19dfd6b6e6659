//! Measures of all joints: jerk, speed, limits, distance from a reference.

use super::ground::{feet, slide};
use super::report::{GroundReport, LimitReport, ReferenceReport};
use super::take::Take;
use crate::retarget::body::model_pose::ModelPoseF64;
use crate::retarget::limits::with_biped_limits;
use sinew::Skeleton;
use sinew::transform::quat::angle_between;

/// Speed relative to the hips that no joint of a person reaches, in m/s.
const FASTEST: f64 = 12.0;
/// Angle beyond a limit that counts, in degrees.
const BEYOND_DEG: f64 = 1.0;

/// Mean jerk of all joints per frame, in m/s³.
pub(crate) fn jerks(take: &Take<'_>, models: &[ModelPoseF64], metres: f64) -> Vec<f64> {
    let joints = take.skeleton.len();
    let mut jerks = vec![0.0; models.len()];
    for (frame, four) in models.windows(4).enumerate() {
        let third = |joint: usize| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k: usize| four[k].position(joint));
            (d - a + 3.0 * (b - c)).length()
        };
        let sum: f64 = (0..joints).map(third).sum();
        jerks[frame + 2] = metres * take.fps.powi(3) * sum / joints as f64;
    }
    jerks
}

/// Mean of jerks per frame, without the ends.
pub(crate) fn mean_jerk(jerks: &[f64]) -> f64 {
    let count = jerks.len().saturating_sub(3).max(1);
    jerks.iter().sum::<f64>() / count as f64
}

/// Max speed relative to a joint, in m/s, and the share of frames with a faster joint than people have.
pub(crate) fn speeds(
    take: &Take<'_>,
    models: &[ModelPoseF64],
    hips: usize,
    metres: f64,
) -> [f64; 2] {
    let (mut most, mut spikes) = (0.0_f64, 0);
    for two in models.windows(2) {
        let from_hips =
            |model: &ModelPoseF64, joint: usize| model.position(joint) - model.position(hips);
        let way = |joint| from_hips(&two[1], joint).distance(from_hips(&two[0], joint));
        let fastest = (0..take.skeleton.len()).map(way).fold(0.0, f64::max);
        let fastest = metres * take.fps * fastest;
        most = most.max(fastest);
        spikes += usize::from(fastest > FASTEST);
    }
    [most, spikes as f64 / models.len() as f64]
}

/// Skeleton with limits: its own, or those of a person.
pub(crate) fn limited(skeleton: &Skeleton) -> Option<Skeleton> {
    let is_limited = |s: &Skeleton| (0..s.len()).any(|j| s.freedom(j).rotation.is_limited());
    if is_limited(skeleton) {
        return Some(skeleton.clone());
    }
    let limits = with_biped_limits(skeleton)?.skeleton;
    is_limited(&limits).then_some(limits)
}

pub(crate) fn limits(take: &Take<'_>) -> Option<LimitReport> {
    let skeleton = limited(take.skeleton)?;
    let joints: Vec<usize> = (0..skeleton.len())
        .filter(|&j| skeleton.freedom(j).rotation.is_limited())
        .collect();
    let mut report = LimitReport {
        share: 0.0,
        worst_deg: 0.0,
        worst_joint: None,
    };
    let mut count = 0;
    for &joint in &joints {
        let (freedom, rest) = (skeleton.freedom(joint), skeleton.rest().get(joint).rotation);
        for frame in &take.frames {
            let now = frame[joint].rotation.as_quat();
            let allowed = freedom.clamp_rotation(rest, now);
            let beyond = f64::from(angle_between(allowed, now)).to_degrees();
            count += usize::from(beyond > BEYOND_DEG);
            if beyond > report.worst_deg.max(BEYOND_DEG) {
                (report.worst_deg, report.worst_joint) = (beyond, Some(joint));
            }
        }
    }
    report.share = count as f64 / (joints.len() * take.frames.len()).max(1) as f64;
    Some(report)
}

/// A motion with its joints in model space and the measures of its feet and hands.
pub(crate) struct Measured<'a> {
    pub take: &'a Take<'a>,
    pub models: &'a [ModelPoseF64],
    pub ground: Option<&'a GroundReport>,
    pub metres: f64,
}

/// Differences from the reference. `None` if no joints have the same name.
pub(crate) fn differences(own: &Measured<'_>, other: &Measured<'_>) -> Option<ReferenceReport> {
    let (skeleton, reference) = (own.take.skeleton, other.take.skeleton);
    let is_same = skeleton.len() == reference.len()
        && (0..skeleton.len()).all(|j| skeleton.name(j) == reference.name(j));
    let pair = |joint: usize| {
        let there = if is_same {
            Some(joint)
        } else {
            reference.find(skeleton.name(joint))
        };
        there.map(|there| [joint, there])
    };
    let pairs: Vec<[usize; 2]> = (0..skeleton.len()).filter_map(pair).collect();
    if pairs.is_empty() {
        return None;
    }
    let ends: Vec<usize> = own
        .ground
        .iter()
        .flat_map(|g| g.contacts.iter().map(|c| c.joint))
        .collect();
    let (mut sum, mut most, mut ends_sum, mut ends_count) = (0.0, 0.0_f64, 0.0, 0);
    for (model, there) in own.models.iter().zip(other.models) {
        for [a, b] in &pairs {
            let off = (own.metres * model.position(*a)).distance(other.metres * there.position(*b));
            (sum, most) = (sum + off, most.max(off));
            if ends.contains(a) {
                (ends_sum, ends_count) = (ends_sum + off, ends_count + 1);
            }
        }
    }
    let jerks = jerks(other.take, other.models, other.metres);
    Some(ReferenceReport {
        joints: pairs.len(),
        error_mean_cm: 100.0 * sum / (pairs.len() * own.models.len()) as f64,
        error_max_cm: 100.0 * most,
        error_ends_cm: (ends_count > 0).then(|| 100.0 * ends_sum / f64::from(ends_count)),
        contact_kept: contact_kept(own.ground, other.ground),
        slide_mean_cm_s: slide_there(own, other),
        jerk_mean: mean_jerk(&jerks),
    })
}

fn contact_kept(own: Option<&GroundReport>, other: Option<&GroundReport>) -> Option<f64> {
    let (mut kept, mut all) = (0_u32, 0_u32);
    for there in &other?.contacts {
        let here = own?.contacts.iter().find(|c| c.part == there.part);
        let stands = |frame: usize| {
            let mut contacts = here.iter().flat_map(|c| &c.contacts);
            contacts.any(|c| (c.first..=c.last).contains(&frame))
        };
        for frame in there.contacts.iter().flat_map(|c| c.first..=c.last) {
            all += 1;
            kept += u32::from(stands(frame));
        }
    }
    (all > 0).then(|| f64::from(kept) / f64::from(all))
}

/// Slide of the feet of this motion during the contacts of the reference.
fn slide_there(own: &Measured<'_>, other: &Measured<'_>) -> Option<f64> {
    let (here, there) = (&own.ground?.contacts, &other.ground?.contacts);
    let of = |part| here.iter().find(|c| c.part == part);
    let feet = feet(there).filter_map(|there| Some((&there.contacts, &of(there.part)?.speeds)));
    slide(&own.take.times, feet).map(|slide| slide.mean_cm_s)
}
