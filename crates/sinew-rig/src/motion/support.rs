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
/// Speed of an uncertain position, relative to its uncertainty, per second. Faster frames belong to a
/// contact up to a distance from its last slow frame, in hip heights.
const NOISE_RATE: f64 = 20.0;
const NOISE_WAY: f64 = 0.04;
/// Max distance of an uncertain position from the mean of its contact so far, beyond its uncertainty,
/// in hip heights.
const ASIDE: f64 = 0.03;
/// Max noise that counts, in hip heights: the position is unknown, as in a gap.
pub(crate) const UNKNOWN: f64 = 0.05;
/// Max height above the lowest joint where a contact starts, beyond that of a flat foot, and max
/// change of height within a contact, in hip heights.
const HEIGHT: [f64; 2] = [0.06, 0.06];
/// Min duration of a contact, in seconds. A foot at the top of a jump is slow for just under 0.1 s.
const SHORTEST_SECS: f64 = 0.1;
/// Max time between two contacts at one position that are one contact, in seconds.
const SPLIT_SECS: f64 = 0.06;
/// The same where positions are uncertain. A foot does not step away and back in this time.
const UNCERTAIN_SPLIT_SECS: f64 = 0.15;

/// Contacts of each point of the stage. `noise` is the uncertainty of its position per frame, in units
/// of the file: limits are that much wider.
pub(crate) fn supports(
    stage: &Stage<'_>,
    take: &Take<'_>,
    models: &[ModelPoseF64],
    noise: &dyn Fn(&Point, usize) -> f64,
) -> Vec<Vec<Contact>> {
    let lowest = lowest_heights(stage, models, &LowPass::new(CUTOFF_HZ, take.fps));
    let points = stage.points.iter();
    points
        .map(|point| {
            let positions = steady(models, point.joint, take.fps);
            let path = Path {
                size: stage.hip_height,
                times: &take.times,
                speeds: speeds(&take.times, &positions),
                heights: positions.iter().map(|p| p.dot(stage.up)).collect(),
                noise: (0..positions.len()).map(|f| noise(point, f)).collect(),
                positions,
            };
            path.contacts(&lowest, point.clearance)
        })
        .collect()
}

/// Positions of a joint, filtered.
pub(crate) fn steady(models: &[ModelPoseF64], joint: usize, fps: f64) -> Vec<DVec3> {
    let positions = models.iter().map(|m| m.position(joint).to_array());
    let mut positions: Vec<[f64; 3]> = positions.collect();
    low_pass(&LowPass::new(CUTOFF_HZ, fps), &mut positions);
    positions.into_iter().map(DVec3::from_array).collect()
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

/// Path of a point, with its speed, height and noise per frame.
struct Path<'a> {
    size: f64,
    times: &'a [f32],
    positions: Vec<DVec3>,
    speeds: Vec<f64>,
    heights: Vec<f64>,
    noise: Vec<f64>,
}

impl Path<'_> {
    fn contacts(&self, lowest: &[f64], clearance: f64) -> Vec<Contact> {
        let is_low = |frame: usize| {
            let above = self.heights[frame] - lowest[frame] - clearance;
            above < HEIGHT[0] * self.size + self.noise[frame]
        };
        let mut found: Vec<Contact> = Vec::new();
        let mut frame = 0;
        while frame < self.positions.len() {
            if !(is_low(frame) && self.starts(frame)) {
                frame += 1;
                continue;
            }
            let after_last = found.last().map_or(0, |c| c.last + 1);
            let contact = Contact {
                first: self.end(frame, (after_last..frame).rev()),
                last: self.end(frame, frame + 1..self.positions.len()),
            };
            frame = contact.last + 1;
            found.push(contact);
        }
        let mut merged: Vec<Contact> = Vec::new();
        for contact in found {
            match merged.last_mut() {
                Some(before) if self.is_one(before, &contact) => before.last = contact.last,
                _ => merged.push(contact),
            }
        }
        merged.retain(|c| self.secs(c.first, c.last) >= SHORTEST_SECS);
        merged
    }

    fn secs(&self, a: usize, b: usize) -> f64 {
        f64::from(self.times[b]) - f64::from(self.times[a])
    }

    /// True if the point is slow, or in noise as slow as it gets for a while.
    fn starts(&self, frame: usize) -> bool {
        let speed = self.speeds[frame];
        let limit = SPEED[0] * self.size;
        if speed < limit || self.noise[frame] == 0.0 {
            return speed < limit;
        }
        let is_near = |f: &usize| self.secs(*f.min(&frame), *f.max(&frame)) <= SHORTEST_SECS;
        let before = (0..frame).rev().take_while(is_near);
        let after = (frame + 1..self.speeds.len()).take_while(is_near);
        speed < limit + NOISE_RATE * self.noise[frame]
            && before.chain(after).all(|f| speed <= self.speeds[f])
    }

    /// Last of the frames up to which a contact goes on that starts in a frame.
    fn end(&self, start: usize, frames: impl Iterator<Item = usize>) -> usize {
        let (mut end, mut slow) = (start, start);
        let (mut sum, mut count) = (self.positions[start], 1.0);
        for frame in frames {
            let noise = self.noise[frame];
            let risen = (self.heights[frame] - self.heights[start]).abs();
            let way = self.positions[frame].distance(self.positions[slow]);
            let aside = self.positions[frame].distance(sum / count);
            if risen >= HEIGHT[1] * self.size + noise
                || noise > 0.0 && aside >= ASIDE * self.size + noise
            {
                break;
            }
            (sum, count) = (sum + self.positions[frame], count + 1.0);
            if self.speeds[frame] < SPEED[1] * self.size {
                slow = frame;
            } else if self.speeds[frame] >= SPEED[1] * self.size + NOISE_RATE * noise
                || way >= NOISE_WAY * self.size + 0.5 * noise
            {
                break;
            }
            end = frame;
        }
        end
    }

    /// True if two contacts are one. The time in which the position is unknown does not count.
    fn is_one(&self, before: &Contact, after: &Contact) -> bool {
        let ends = [before.last, after.first];
        let known = (before.last..after.first).filter(|f| self.noise[*f] < UNKNOWN * self.size);
        let secs: f64 = known.map(|f| self.secs(f, f + 1)).sum();
        let noise = 0.5 * (self.noise[ends[0]] + self.noise[ends[1]]);
        let [a, b] = ends.map(|f| self.positions[f]);
        let longest = match noise > 0.0 {
            true => UNCERTAIN_SPLIT_SECS,
            false => SPLIT_SECS,
        };
        secs < longest && a.distance(b) < HEIGHT[1] * self.size + noise
    }
}
