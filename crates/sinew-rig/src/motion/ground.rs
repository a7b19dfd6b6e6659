//! Measures of feet, hands and floor.

use super::report::{GroundReport, PartContacts, SlideReport};
use super::stage::{Part, Stage};
use super::support::supports;
use super::take::Take;
use crate::retarget::body::model_pose::ModelPoseF64;
use crate::retarget::feet::contact::{Contact, low};
use glam::DVec3;

/// Time at each end of a contact that does not count as standing, in seconds.
const ARRIVAL_SECS: f64 = 1.0 / 30.0;
/// Depth below the floor that counts, in metres.
const DEEP: f64 = 0.01;
/// Height above the floor that counts, in metres.
const HIGH: f64 = 0.02;

/// `floor` is the height of the floor in metres, or `None` to find it.
pub(crate) fn ground(
    stage: &Stage<'_>,
    take: &Take<'_>,
    models: &[ModelPoseF64],
    metres: f64,
    floor: Option<f64>,
) -> GroundReport {
    let contacts = supports(stage, take, models, &|_, _| 0.0);
    let lowest = |model: &ModelPoseF64| {
        let heights = (0..take.skeleton.len()).map(|j| model.position(j).dot(stage.up));
        metres * heights.fold(f64::INFINITY, f64::min)
    };
    let lowest: Vec<f64> = models.iter().map(lowest).collect();
    let floor = floor.unwrap_or_else(|| found_floor(stage, &contacts, &lowest));
    let share = |is: &dyn Fn(f64) -> bool| {
        lowest.iter().filter(|height| is(**height - floor)).count() as f64 / lowest.len() as f64
    };
    let far = lowest.iter().map(|height| 100.0 * (height - floor));
    let parts = stage.points.iter().zip(contacts);
    let parts: Vec<PartContacts> = parts
        .map(|(point, contacts)| {
            let path: Vec<DVec3> = models
                .iter()
                .map(|m| metres * m.position(point.joint))
                .collect();
            let standing: usize = contacts.iter().map(|c| c.last - c.first + 1).sum();
            PartContacts {
                part: point.part,
                joint: point.joint,
                contacts,
                share: standing as f64 / models.len() as f64,
                heights: path.iter().map(|p| p.dot(stage.up) - floor).collect(),
                speeds: level_speeds(&take.times, &path, stage.up),
            }
        })
        .collect();
    GroundReport {
        slide: slide(&take.times, feet(&parts).map(|p| (&p.contacts, &p.speeds))),
        contacts: parts,
        floor,
        penetration_share: share(&|height| height < -DEEP),
        penetration_max_cm: far.clone().fold(0.0, |most, height| most.max(-height)),
        floating_share: share(&|height| height > HIGH),
        floating_max_cm: far.fold(0.0, f64::max),
    }
}

pub(crate) fn feet(parts: &[PartContacts]) -> impl Iterator<Item = &PartContacts> {
    let is_foot = |part: &&PartContacts| matches!(part.part, Part::Foot(_));
    parts.iter().filter(is_foot)
}

/// Low height of the lowest joint while a foot stands, or in the whole clip if none stands.
fn found_floor(stage: &Stage<'_>, contacts: &[Vec<Contact>], lowest: &[f64]) -> f64 {
    let feet = stage.points.iter().zip(contacts);
    let feet = feet.filter(|(point, _)| matches!(point.part, Part::Foot(_)));
    let standing: Vec<f64> = feet
        .flat_map(|(_, contacts)| contacts)
        .flat_map(|c| lowest[c.first..=c.last].iter().copied())
        .collect();
    low(if standing.is_empty() {
        lowest
    } else {
        &standing
    })
}

/// Speed along the floor from each frame to the next. The last frame repeats the one before.
fn level_speeds(times: &[f32], path: &[DVec3], up: DVec3) -> Vec<f64> {
    let step = |frame: usize| {
        let way = path[frame + 1] - path[frame];
        let secs = f64::from(times[frame + 1]) - f64::from(times[frame]);
        (way - up * way.dot(up)).length() / secs
    };
    let mut speeds: Vec<f64> = (0..path.len() - 1).map(step).collect();
    speeds.push(speeds[speeds.len() - 1]);
    speeds
}

/// Slide of feet from their contacts and their speeds per frame.
pub(crate) fn slide<'a>(
    times: &[f32],
    feet: impl Iterator<Item = (&'a Vec<Contact>, &'a Vec<f64>)>,
) -> Option<SlideReport> {
    let (mut way, mut secs) = (0.0, 0.0);
    let (mut steps, mut fast, mut long) = (0, 0, 0);
    for (contacts, speeds) in feet {
        for contact in contacts {
            let stands = |frame: usize| {
                let [first, last] = [contact.first, contact.last].map(|f| f64::from(times[f]));
                f64::from(times[frame]) >= first + ARRIVAL_SECS - 1e-4
                    && f64::from(times[frame + 1]) <= last - ARRIVAL_SECS + 1e-4
            };
            for frame in (contact.first..contact.last).filter(|f| stands(*f)) {
                let step_secs = f64::from(times[frame + 1]) - f64::from(times[frame]);
                way += speeds[frame] * step_secs;
                secs += step_secs;
                steps += 1;
                fast += usize::from(speeds[frame] > 0.01);
                long += usize::from(speeds[frame] * step_secs > 0.01);
            }
        }
    }
    let share = |count: usize| count as f64 / steps as f64;
    (steps > 0).then(|| SlideReport {
        mean_cm_s: 100.0 * way / secs,
        share_over_1_cm_s: share(fast),
        share_over_1_cm_frame: share(long),
        standing_secs: secs,
    })
}
