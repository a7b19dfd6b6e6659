//! Holds standing feet, and moves the hips to suit.
//!
//! If both the body and a standing foot drift, the hips drift. So the hips move against the drift of
//! standing feet ([`super::drift`]). Then hip and knee bend so that each foot stays at the mean of its
//! positions (`retarget::feet::ground`). Where the leg is too short, the foot rises, because hips
//! that went down would move the whole body.

use super::drift::{Standing, correction};
use super::report::HoldReport;
use crate::motion::stage::{Part, Point, Stage};
use crate::motion::support::{UNKNOWN, steady, supports};
use crate::motion::take::Take;
use crate::retarget::body::model_pose::{Local, ModelPoseF64};
use crate::retarget::feet::contact::{Contact, speeds};
use crate::retarget::feet::ground::{Chain, Ground, Leg, LegTree, REACH};
use glam::DVec3;
use sinew::Clip;
use sinew::skeleton::{Role, Side};

/// Number of times that contacts are found and held.
const ROUNDS: usize = 2;
/// Noise of a foot that is held, in hip heights.
const HELD: f64 = 1e-6;
/// Time on each side over which noise is measured, in seconds.
const NEAR_SECS: f64 = 0.05;
/// Speed, in hip heights per second, of a foot that arrives or leaves: it does not count. A slower
/// one counts the more.
const ROLLING: f64 = 0.4;
/// Height, in hip heights, that a standing foot may rise where the leg is too short. A foot that must
/// rise higher does not stand there yet, or no more.
const RISE: f64 = 0.03;
/// Time over which a move starts and ends between contacts, in seconds.
const RELEASE_SECS: f64 = 0.1;

/// A foot with its contacts.
struct Foot {
    side: Side,
    point: Point,
    contacts: Vec<Contact>,
    steps: Vec<Standing>,
}

/// `None` if the skeleton is not a person.
pub(super) fn hold(
    take: &mut Take<'_>,
    clip: &Clip,
    raw: &[ModelPoseF64],
    floor: Option<f64>,
) -> Option<HoldReport> {
    let stage = Stage::new(take, clip)?;
    let mut report = HoldReport::default();
    let mut noise = noise(&stage, take, raw);
    for _ in 0..ROUNDS {
        hold_once(&stage, take, &noise, floor, &mut report);
        // A held foot can stand longer than before. So contacts are found again, in hardly any noise.
        for noise in noise.iter_mut().flat_map(|(_, noise)| noise) {
            *noise = noise.min(HELD * stage.hip_height);
        }
    }
    Some(report)
}

fn hold_once(
    stage: &Stage<'_>,
    take: &mut Take<'_>,
    noise: &[(usize, Vec<f64>)],
    floor: Option<f64>,
    report: &mut HoldReport,
) {
    let models = take.models();
    let feet = feet(stage, take, &models, noise);
    let steps: Vec<&Standing> = feet.iter().flat_map(|foot| &foot.steps).collect();
    let hips = correction(&steps, models.len(), take.fps);
    report.contacts = steps.len();
    report.hips_moved = farthest(&hips).max(report.hips_moved);
    move_hips(stage, take, &models, &hips);
    let models = take.models();
    let ground = Ground {
        target: &stage.body,
        legs: LegTree::new(take.skeleton, 0..take.skeleton.len()),
        up: stage.up,
        floor: 0.0,
        hip_height: stage.hip_height,
        reach: 1.0,
    };
    let mut moves: Vec<(Chain, Vec<DVec3>)> = Vec::new();
    for mut foot in feet {
        let leg = Leg {
            side: foot.side,
            contacts: Vec::new(),
            standing: foot.point.joint,
        };
        let Some(chain) = ground.chain(&leg) else {
            continue;
        };
        let positions = foot.steps.iter().map(|step| {
            let position = step.mean(&hips);
            let above = position.dot(stage.up) - foot.point.clearance;
            position + stage.up * floor.map_or(0.0, |floor| (floor - above).max(0.0))
        });
        let mut moved = held(stage, &chain, &mut foot.contacts, positions, &models);
        release(&foot.contacts, &take.times, &mut moved);
        report.foot_moved = farthest(&moved).max(report.foot_moved);
        moves.push((chain, moved));
    }
    let mut rows: Vec<&mut [Local]> = take.frames.iter_mut().map(Vec::as_mut_slice).collect();
    let done = ground.apply(&moves, &take.times, &mut rows);
    report.hips_lowered = done.lowered.max(report.hips_lowered);
    report.unreached_frames = done.unreached;
}

/// Feet that stand somewhere.
fn feet(
    stage: &Stage<'_>,
    take: &Take<'_>,
    models: &[ModelPoseF64],
    noise: &[(usize, Vec<f64>)],
) -> Vec<Foot> {
    let noise = |point: &Point, frame: usize| {
        let of = noise.iter().find(|(joint, _)| *joint == point.joint);
        of.map_or(0.0, |(_, noise)| noise[frame])
    };
    let contacts = supports(stage, take, models, &noise);
    let foot = |(point, contacts): (&Point, Vec<Contact>)| {
        let Part::Foot(side) = point.part else {
            return None;
        };
        let speeds = speeds(&take.times, &steady(models, point.joint, take.fps));
        let step = |contact: &Contact| standing(stage, point, contact, models, &speeds);
        Some(Foot {
            side,
            point: *point,
            steps: contacts.iter().map(step).collect(),
            contacts,
        })
    };
    stage.points.iter().zip(contacts).filter_map(foot).collect()
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

fn standing(
    stage: &Stage<'_>,
    point: &Point,
    contact: &Contact,
    models: &[ModelPoseF64],
    speeds: &[f64],
) -> Standing {
    let frames = contact.first..=contact.last;
    let weight = |speed: &f64| 1.0 - (speed / (ROLLING * stage.hip_height)).powi(2);
    let positions = models[frames.clone()].iter();
    Standing {
        first: contact.first,
        positions: positions.map(|m| m.position(point.joint)).collect(),
        weights: speeds[frames].iter().map(|s| weight(s).max(0.0)).collect(),
    }
}

fn farthest(moved: &[DVec3]) -> f64 {
    moved.iter().map(|m| m.length()).fold(0.0, f64::max)
}

/// Moves of a foot per frame that keep it at one position during each contact. Shortens contacts at
/// whose ends the leg is too short.
fn held(
    stage: &Stage<'_>,
    chain: &Chain,
    contacts: &mut [Contact],
    positions: impl Iterator<Item = DVec3>,
    models: &[ModelPoseF64],
) -> Vec<DVec3> {
    let mut moved = vec![DVec3::ZERO; models.len()];
    let (up, most) = (stage.up, RISE * stage.hip_height);
    for (contact, position) in contacts.iter_mut().zip(positions) {
        let way = |frame: usize| position - models[frame].position(chain.ball);
        let rise = |frame: usize| rise(chain, &models[frame], way(frame), up);
        while contact.first < contact.last && rise(contact.first) > most {
            contact.first += 1;
        }
        while contact.first < contact.last && rise(contact.last) > most {
            contact.last -= 1;
        }
        for frame in contact.first..=contact.last {
            moved[frame] = way(frame) + up * rise(frame).min(most);
        }
    }
    moved
}

/// Height that a foot must rise after a move for its leg to reach it, at most as straight as it was.
fn rise(chain: &Chain, model: &ModelPoseF64, moved: DVec3, up: DVec3) -> f64 {
    let [hip, knee, ankle] = chain.joints.map(|joint| model.position(joint));
    let straight = hip.distance(knee) + knee.distance(ankle);
    let reach = ankle.distance(hip).max(REACH * straight);
    let to = ankle + moved - hip;
    let height = to.dot(up);
    let across_squared = to.length_squared() - height * height;
    (-height - (reach * reach - across_squared).max(0.0).sqrt()).max(0.0)
}

/// Continues the moves of contacts into the frames between them, to 0. Speeds are continuous, so a
/// foot that arrives or leaves does not jerk.
fn release(contacts: &[Contact], times: &[f32], moved: &mut [DVec3]) {
    let mut before = 0;
    for (index, contact) in contacts.iter().enumerate() {
        let after = contacts
            .get(index + 1)
            .map_or(moved.len(), |next| next.first);
        let inner = (contact.first + 1).min(contact.last);
        run_out(
            [contact.first, inner],
            (before..contact.first).rev(),
            times,
            moved,
        );
        let inner = contact.last.saturating_sub(1).max(contact.first);
        run_out([contact.last, inner], contact.last + 1..after, times, moved);
        before = contact.last + 1;
    }
}

/// Adds a cubic to the moves of frames, from the move of the frame beside them, at its speed since
/// the `inner` frame, to 0.
fn run_out(
    [end, inner]: [usize; 2],
    frames: impl ExactSizeIterator<Item = usize>,
    times: &[f32],
    moved: &mut [DVec3],
) {
    let secs = |frame: usize| (f64::from(times[frame]) - f64::from(times[end])).abs();
    let step = (f64::from(times[times.len() - 1]) - f64::from(times[0])) / (times.len() - 1) as f64;
    let span = RELEASE_SECS.min(step * (frames.len() + 1) as f64);
    let value = moved[end];
    let slope = match end == inner {
        true => DVec3::ZERO,
        false => (value - moved[inner]) / secs(inner),
    };
    for frame in frames {
        let t = secs(frame) / span;
        if t >= 1.0 {
            break;
        }
        let left = 1.0 - t;
        moved[frame] += left * left * ((1.0 + 2.0 * t) * value + t * span * slope);
    }
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
    fn a_foot_is_released_at_its_speed() {
        // Held against a steady drift in frames 20 to 40.
        let times: Vec<f32> = (0..60).map(|f| f as f32 / 60.0).collect();
        let contact = Contact {
            first: 20,
            last: 40,
        };
        let mut moved = vec![DVec3::ZERO; 60];
        for (frame, moved) in moved.iter_mut().enumerate().take(41).skip(20) {
            *moved = DVec3::X * (frame as f64 - 28.0);
        }
        release(&[contact], &times, &mut moved);
        // The drift is 1 per frame. Moves that start and end at rest would step by -0.6 and -0.9.
        let steps = [20, 41].map(|f| (moved[f] - moved[f - 1]).x);
        assert!(steps.iter().all(|step| *step > -0.3), "{steps:?}");
        assert_eq!(moved[10], DVec3::ZERO);
        assert_eq!(moved[50], DVec3::ZERO);
    }
}
