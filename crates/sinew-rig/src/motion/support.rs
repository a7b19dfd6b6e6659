//! Contacts of feet and hands on any floor, stairs included.
//!
//! A part stands while it is slow. A contact starts only where the part is also the lowest of the
//! body, or nearly: so a raised foot does not stand, and a foot on a higher step does. From there
//! it extends both ways, with a higher limit of speed, while the part keeps its height. Positions
//! are filtered first, so that noise neither hides nor splits a contact.

use super::low_pass::{LowPass, low_pass};
use super::stage::{Point, Stage};
use super::take::Take;
use crate::retarget::body::model_pose::ModelPoseF64;
use crate::retarget::feet::contact::{Contact, speeds};
use glam::DVec3;

/// Cut-off of the filter for positions, in hertz.
const CUTOFF_HZ: f64 = 8.0;
/// Max speed at which a contact starts, and at which it goes on, in hip heights per second.
const SPEED: [f64; 2] = [0.3, 0.5];
/// Max height above the lowest joint where a contact starts, beyond that of a flat foot, and max
/// change of height within a contact, in hip heights.
const HEIGHT: [f64; 2] = [0.06, 0.06];
/// Min duration of a contact, in seconds. A foot at the top of a jump is slow for just under 0.1 s.
const SHORTEST_SECS: f64 = 0.1;
/// Max time between two contacts at one position that are one contact, in seconds.
const SPLIT_SECS: f64 = 0.06;

/// Contacts of each point of the stage.
pub(crate) fn supports(
    stage: &Stage<'_>,
    take: &Take<'_>,
    models: &[ModelPoseF64],
) -> Vec<Vec<Contact>> {
    let filter = LowPass::new(CUTOFF_HZ, take.fps);
    let lowest = lowest_heights(stage, models, &filter);
    let points = stage.points.iter();
    points
        .map(|point| {
            let positions = models.iter().map(|m| m.position(point.joint).to_array());
            let mut positions: Vec<[f64; 3]> = positions.collect();
            low_pass(&filter, &mut positions);
            let positions: Vec<DVec3> = positions.into_iter().map(DVec3::from_array).collect();
            contacts(stage, point, &take.times, &positions, &lowest)
        })
        .collect()
}

fn lowest_heights(stage: &Stage<'_>, models: &[ModelPoseF64], filter: &LowPass) -> Vec<f64> {
    let mut lowest = vec![f64::INFINITY; models.len()];
    for joint in 0..stage.body.skeleton.len() {
        let heights = models.iter().map(|m| m.position(joint).dot(stage.up));
        let mut heights: Vec<f64> = heights.collect();
        filter.apply(&mut heights);
        for (low, height) in lowest.iter_mut().zip(heights) {
            *low = low.min(height);
        }
    }
    lowest
}

fn contacts(
    stage: &Stage<'_>,
    point: &Point,
    times: &[f32],
    positions: &[DVec3],
    lowest: &[f64],
) -> Vec<Contact> {
    let size = stage.hip_height;
    let speeds = speeds(times, positions);
    let height = |frame: usize| positions[frame].dot(stage.up);
    let starts = |frame: usize| {
        speeds[frame] < SPEED[0] * size
            && height(frame) - lowest[frame] < point.clearance + HEIGHT[0] * size
    };
    let mut found: Vec<Contact> = Vec::new();
    let mut frame = 0;
    while frame < positions.len() {
        if !starts(frame) {
            frame += 1;
            continue;
        }
        let goes_on = |f: &usize| {
            speeds[*f] < SPEED[1] * size && (height(*f) - height(frame)).abs() < HEIGHT[1] * size
        };
        let after_last = found.last().map_or(0, |c| c.last + 1);
        let first = (after_last..frame).rev().take_while(goes_on).last();
        let last = (frame..positions.len()).take_while(goes_on).last();
        let contact = Contact {
            first: first.unwrap_or(frame),
            last: last.unwrap_or(frame),
        };
        frame = contact.last + 1;
        found.push(contact);
    }
    let secs = |a: usize, b: usize| f64::from(times[b]) - f64::from(times[a]);
    let mut merged: Vec<Contact> = Vec::new();
    for contact in found {
        match merged.last_mut() {
            Some(before)
                if secs(before.last, contact.first) < SPLIT_SECS
                    && positions[before.last].distance(positions[contact.first])
                        < HEIGHT[1] * size =>
            {
                before.last = contact.last;
            }
            _ => merged.push(contact),
        }
    }
    merged.retain(|c| secs(c.first, c.last) >= SHORTEST_SECS);
    merged
}
