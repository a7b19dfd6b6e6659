//! Holds standing feet, and moves the hips to suit.
//!
//! If both the body and a standing foot drift, the hips drift. So the hips move along the floor
//! against the drift of standing feet: the path of corrections makes feet as still as possible, yet
//! returns to 0 over [`RETURN_SECS`], so that it does not add up. Then hip and knee bend so that
//! each foot stays at the mean of its positions (`retarget::feet::ground`).

use super::report::HoldReport;
use crate::motion::low_pass::{LowPass, low_pass};
use crate::motion::stage::{Part, Point, Stage};
use crate::motion::support::{UNKNOWN, steady, supports};
use crate::motion::take::Take;
use crate::retarget::body::model_pose::Local;
use crate::retarget::body::model_pose::ModelPoseF64;
use crate::retarget::feet::contact::{Contact, speeds};
use crate::retarget::feet::ground::{Chain, Ground, Leg, LegTree, fade};
use glam::DVec3;
use sinew::Clip;
use sinew::skeleton::Role;

/// Number of times that contacts are found and held.
const ROUNDS: usize = 3;
/// Time on each side over which noise is measured, in seconds.
const NEAR_SECS: f64 = 0.05;
/// Time over which the correction of the hips returns to 0, in seconds.
const RETURN_SECS: f64 = 0.3;
/// Speed, in hip heights per second, of a standing foot that does not move the hips. A slower one does
/// the more, so that a foot that rolls or rotates does not.
const ROLLING: f64 = 0.4;
/// Weight of steps without a standing foot, in which the correction should not change.
const FLIGHT: f64 = 0.05;
/// Cut-off of the filter for the correction of the hips, in hertz.
const CUTOFF_HZ: f64 = 3.0;
/// Time at each end of a contact that does not move the hips, in seconds.
const ARRIVAL_SECS: f64 = 1.0 / 30.0;

/// `None` if the skeleton is not a person.
pub(super) fn hold(
    take: &mut Take<'_>,
    clip: &Clip,
    raw: &[ModelPoseF64],
    floor: Option<f64>,
) -> Option<HoldReport> {
    let stage = Stage::new(take, clip)?;
    let noise = noise(&stage, take, raw);
    let mut report = HoldReport::default();
    // A held foot can stand longer than before. So contacts are found again.
    for round in 0..ROUNDS {
        let noise = if round == 0 { &noise[..] } else { &[] };
        hold_once(&stage, take, noise, floor, &mut report);
    }
    Some(report)
}

/// Distances of joints from where they were before cleaning, as a mean over [`NEAR_SECS`]: large in
/// noise, and [`UNKNOWN`] in gaps.
fn noise(stage: &Stage<'_>, take: &Take<'_>, raw: &[ModelPoseF64]) -> Vec<(usize, Vec<f64>)> {
    let models = take.models();
    let half = ((NEAR_SECS * take.fps) as usize).max(1);
    let of = |point: &Point| {
        let joint = point.joint;
        let moved = models.iter().zip(raw);
        let moved = moved.map(|(now, raw)| now.position(joint).distance(raw.position(joint)));
        let moved: Vec<f64> = moved.collect();
        let mean = |frame: usize| {
            let near = &moved[frame.saturating_sub(half)..(frame + half + 1).min(moved.len())];
            (near.iter().sum::<f64>() / near.len() as f64).min(UNKNOWN * stage.hip_height)
        };
        (joint, (0..moved.len()).map(mean).collect())
    };
    stage.points.iter().map(of).collect()
}

fn hold_once(
    stage: &Stage<'_>,
    take: &mut Take<'_>,
    noise: &[(usize, Vec<f64>)],
    floor: Option<f64>,
    report: &mut HoldReport,
) {
    let models = take.models();
    let noise = |point: &Point, frame: usize| {
        let of = noise.iter().find(|(joint, _)| *joint == point.joint);
        of.map_or(0.0, |(_, noise)| noise[frame])
    };
    let contacts = supports(stage, take, &models, &noise);
    let is_foot = |point: &Point| matches!(point.part, Part::Foot(_));
    let feet: Vec<(Point, Vec<Contact>)> = (stage.points.iter().copied().zip(contacts))
        .filter(|(point, contacts)| is_foot(point) && !contacts.is_empty())
        .collect();
    report.contacts = feet.iter().map(|(_, contacts)| contacts.len()).sum();
    let moved = hips_path(stage, take, &models, &feet);
    report.hips_moved = farthest(&moved).max(report.hips_moved);
    move_hips(stage, take, &models, &moved);
    let models = take.models();
    let ground = Ground {
        target: &stage.body,
        legs: LegTree::new(take.skeleton, 0..take.skeleton.len()),
        up: stage.up,
        floor: 0.0,
        hip_height: stage.hip_height,
    };
    let mut moves: Vec<(Chain, Vec<DVec3>)> = Vec::new();
    for (point, contacts) in feet {
        let Part::Foot(side) = point.part else {
            continue;
        };
        let leg = Leg {
            side,
            contacts,
            standing: point.joint,
        };
        if let Some(chain) = ground.chain(&leg) {
            let mut moved = held(stage, &point, &leg.contacts, &models, floor);
            fade(&leg.contacts, &take.times, &mut moved);
            report.foot_moved = farthest(&moved).max(report.foot_moved);
            moves.push((chain, moved));
        }
    }
    let mut rows: Vec<&mut [Local]> = take.frames.iter_mut().map(Vec::as_mut_slice).collect();
    let done = ground.apply(&moves, &take.times, &mut rows);
    report.hips_lowered = done.lowered.max(report.hips_lowered);
    report.unreached_frames = done.unreached;
}

fn farthest(moved: &[DVec3]) -> f64 {
    moved.iter().map(|m| m.length()).fold(0.0, f64::max)
}

/// Moves of a foot per frame that keep it at its mean position during each contact.
fn held(
    stage: &Stage<'_>,
    point: &Point,
    contacts: &[Contact],
    models: &[ModelPoseF64],
    floor: Option<f64>,
) -> Vec<DVec3> {
    let mut moved = vec![DVec3::ZERO; models.len()];
    let ball = |frame: usize| models[frame].position(point.joint);
    for contact in contacts {
        let frames = contact.first..=contact.last;
        let count = (contact.last - contact.first + 1) as f64;
        let mut position = frames.clone().map(ball).sum::<DVec3>() / count;
        if let Some(floor) = floor {
            let below = floor + point.clearance - position.dot(stage.up);
            position += stage.up * below.max(0.0);
        }
        for frame in frames {
            moved[frame] = position - ball(frame);
        }
    }
    moved
}

/// Corrections of the hips per frame, along the floor.
fn hips_path(
    stage: &Stage<'_>,
    take: &Take<'_>,
    models: &[ModelPoseF64],
    feet: &[(Point, Vec<Contact>)],
) -> Vec<DVec3> {
    let steps = models.len() - 1;
    let mut weights = vec![FLIGHT; steps];
    let mut ways = vec![DVec3::ZERO; steps];
    let secs = |frame: usize| f64::from(take.times[frame]);
    for (point, contacts) in feet {
        let speeds = speeds(&take.times, &steady(models, point.joint, take.fps));
        for contact in contacts {
            let [from, to] = [contact.first, contact.last].map(secs);
            let stands =
                |f: &usize| secs(*f) >= from + ARRIVAL_SECS && secs(*f + 1) <= to - ARRIVAL_SECS;
            for frame in (contact.first..contact.last).filter(stands) {
                let [a, b] = [frame, frame + 1].map(|f| models[f].position(point.joint));
                let way = b - a;
                let speed = speeds[frame].max(speeds[frame + 1]);
                let weight = 1.0 - (speed / (ROLLING * stage.hip_height)).powi(2);
                let weight = weight.max(0.0);
                weights[frame] += weight;
                ways[frame] += weight * (way - stage.up * way.dot(stage.up));
            }
        }
    }
    let back = (1.0 / (take.fps * RETURN_SECS)).powi(2);
    let path = steady_path(&weights, &ways, back);
    let mut rows: Vec<[f64; 3]> = path.iter().map(DVec3::to_array).collect();
    low_pass(&LowPass::new(CUTOFF_HZ, take.fps), &mut rows);
    rows.into_iter().map(DVec3::from_array).collect()
}

/// Path `p` with the least sum of `weight · |p[t + 1] − p[t] + way / weight|² + back · |p[t]|²`,
/// by elimination in a tridiagonal system.
fn steady_path(weights: &[f64], ways: &[DVec3], back: f64) -> Vec<DVec3> {
    let count = weights.len() + 1;
    let before = |frame: usize| frame.checked_sub(1).map_or(0.0, |f| weights[f]);
    let after = |frame: usize| weights.get(frame).copied().unwrap_or(0.0);
    let way = |frame: Option<usize>| frame.and_then(|f| ways.get(f)).copied().unwrap_or_default();
    let mut pivots: Vec<f64> = Vec::with_capacity(count);
    let mut sums: Vec<DVec3> = Vec::with_capacity(count);
    for frame in 0..count {
        let mut pivot = back + before(frame) + after(frame);
        let mut sum = way(Some(frame)) - way(frame.checked_sub(1));
        if let Some(above) = frame.checked_sub(1) {
            let ratio = before(frame) / pivots[above];
            pivot -= ratio * before(frame);
            sum += ratio * sums[above];
        }
        pivots.push(pivot);
        sums.push(sum);
    }
    let mut path = vec![DVec3::ZERO; count];
    for frame in (0..count).rev() {
        let next = path.get(frame + 1).copied().unwrap_or_default();
        path[frame] = (sums[frame] + after(frame) * next) / pivots[frame];
    }
    path
}

fn move_hips(stage: &Stage<'_>, take: &mut Take<'_>, models: &[ModelPoseF64], moved: &[DVec3]) {
    let Some(hips) = stage.body.roles.joint(Role::Hips) else {
        return;
    };
    let parent = take.skeleton.parent(hips);
    for ((frame, model), moved) in take.frames.iter_mut().zip(models).zip(moved) {
        let position = model.position(hips) + *moved;
        frame[hips].translation = match parent {
            Some(parent) => model.maps[parent].inverse().transform_point3(position),
            None => position,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_undoes_a_drift_and_returns_to_zero() {
        // A foot drifts by 1 per step in the first half and stands still in the second.
        let ways: Vec<DVec3> = (0..40)
            .map(|f| DVec3::X * f64::from(u8::from(f < 20)))
            .collect();
        let path = steady_path(&[1.0; 40], &ways, 1e-9);
        for f in 0..20 {
            assert!((path[f + 1] - path[f] + DVec3::X).length() < 1e-3, "{f}");
        }
        let mean = path.iter().sum::<DVec3>() / 41.0;
        assert!(mean.length() < 1e-3, "{mean}");
        // A strong return keeps the path near 0.
        let path = steady_path(&[1.0; 40], &ways, 1e6);
        assert!(path.iter().all(|p| p.length() < 1e-5));
    }
}
