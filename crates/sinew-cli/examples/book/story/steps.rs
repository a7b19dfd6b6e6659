//! Walking to a stop and off again, without sliding feet.
//!
//! The phase follows the distance, so feet hold at any speed. The walk stops with the left foot flat under the hips,
//! while the right one lands beside it and the walk blends into the idle. `ik::two_bone` holds standing feet.

use super::RATE;
use super::posing::{Body, Limb, ease, mirrored, mixed};
use glam::{Quat, Vec3};
use sinew::clip::Clip;
use sinew::ik::IkError;
use sinew::transform::quat;
use sinew::{LocalPose, Transform, sample};

/// Phase at the start and at the stop, in cycles of the walk from a landing of the left foot.
const START: f32 = 0.3;
const STOP: f32 = 2.2;
/// Phase at which a foot lies flat, in its own cycle.
const FLAT: f32 = 0.2;
/// Phases between which the ball of a foot is on the ground, in its own cycle.
const TREADS: [f32; 2] = [0.09, 0.60];
/// Durations of slowing down, and of the idle's blend before and after the stop.
const SLOWING_SECS: f32 = 1.1;
const FADE_SECS: [f32; 2] = [0.5, 0.15];
/// Phases at which the left and the right foot land.
const LATE: [f32; 2] = [0.0, 0.5];

/// The walk to the table, the stand and the walk off.
pub struct Steps<'a> {
    body: &'a Body,
    walk: &'a Clip,
    idle: &'a Clip,
    stride: f32,
    speed: f32,
    /// First and last second of the stand.
    pub stands_secs: [f32; 2],
    /// `world_from_foot` of the left and the right foot while standing.
    stand: [Transform; 2],
    /// Positions of the balls of flat feet in the walk on the spot.
    treads: [Vec3; 2],
}

impl<'a> Steps<'a> {
    /// Prepares a walk that stands for `stand_secs`.
    pub fn new(body: &'a Body, walk: &'a Clip, idle: &'a Clip, stand_secs: f32) -> Self {
        let travel = &walk.curves[0].track;
        let stride = *travel.values().last().expect("a walk goes somewhere");
        let speed = stride / walk.duration_secs;
        let slowing = 0.5 * speed * SLOWING_SECS;
        let stops = ((STOP - START) * stride - slowing) / speed + SLOWING_SECS;
        let mut steps = Self {
            body,
            walk,
            idle,
            stride,
            speed,
            stands_secs: [stops, stops + stand_secs],
            stand: [Transform::IDENTITY; 2],
            treads: [Vec3::ZERO; 2],
        };
        steps.treads = [0, 1].map(|foot| {
            let phase = FLAT + LATE[foot];
            let pose = steps.walking(phase);
            body.place(&pose, body.legs[foot].toes) - steps.way(phase)
        });
        let pose = steps.walking(STOP);
        let left = body.frame(&pose, body.legs[0].end);
        let at = left.translation;
        let right = Vec3::new(-at.x, at.y, at.z);
        let right = Transform::from_rotation_translation(mirrored(left.rotation), right);
        steps.stand = [left, right];
        steps
    }

    /// Duration of the walk there, the stand and an equally long walk off.
    pub fn duration_secs(&self) -> f32 {
        let [from, to] = self.stands_secs;
        to + from
    }

    /// Phase of the walk in cycles.
    pub fn phase(&self, secs: f32) -> f32 {
        let [from, to] = self.stands_secs;
        let (away, sign) = match secs < 0.5 * (from + to) {
            true => (from - secs, -1.0),
            false => (secs - to, 1.0),
        };
        let t = (away / SLOWING_SECS).clamp(0.0, 1.0);
        // The integral of a smooth step.
        let slow = SLOWING_SECS * (t * t * t - 0.5 * t * t * t * t);
        let metres = self.speed * (slow + (away - SLOWING_SECS).max(0.0));
        STOP + sign * metres / self.stride
    }

    /// Weight of the idle in [0, 1].
    pub fn idles(&self, secs: f32) -> f32 {
        let [from, to] = self.stands_secs;
        let [early, late] = FADE_SECS;
        let comes = ease((secs - (from - early)) / (early + late));
        let goes = ease((secs - (to - late)) / (early + late));
        comes - goes
    }

    /// Displacement from the position of the stand.
    pub fn way(&self, phase: f32) -> Vec3 {
        Vec3::Z * (phase - STOP) * self.stride
    }

    /// Intervals in seconds in which the ball of a foot stands.
    pub fn contacts(&self, foot: usize, step_secs: f32) -> Vec<[f32; 2]> {
        let frames = (self.duration_secs() / step_secs) as usize;
        let mut found: Vec<[f32; 2]> = Vec::new();
        let mut open = false;
        for secs in (0..=frames).map(|f| f as f32 * step_secs) {
            let stands = self.treads_at(foot, secs);
            match (open, stands, found.last_mut()) {
                (true, true, Some(last)) => last[1] = secs,
                (false, true, _) => found.push([secs, secs]),
                _ => {}
            }
            open = stands;
        }
        found
    }

    fn treads_at(&self, foot: usize, secs: f32) -> bool {
        let own = (self.phase(secs) - LATE[foot]).rem_euclid(1.0);
        let walks = (TREADS[0]..=TREADS[1]).contains(&own);
        match self.idles(secs) {
            1.0 => true,
            // The left foot stays while the right one comes and goes.
            0.0 => walks,
            _ => walks && foot == 0,
        }
    }

    /// Times at which feet land, with the foot.
    pub fn landings(&self) -> Vec<(f32, usize)> {
        let frames = (self.duration_secs() * RATE) as usize;
        let mut found = Vec::new();
        for frame in 1..=frames {
            let [before, now] = [frame - 1, frame].map(|f| self.phase(f as f32 / RATE));
            for foot in 0..2 {
                if (before - LATE[foot]).floor() < (now - LATE[foot]).floor() {
                    found.push((frame as f32 / RATE, foot));
                }
            }
        }
        let [from, _] = self.stands_secs;
        found.push((from + FADE_SECS[1], 1));
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found
    }

    /// The walk at a phase. The right arm has no sword, so it mirrors the left one half a cycle later.
    fn walking(&self, phase: f32) -> LocalPose {
        let at = |phase: f32| {
            let secs = phase.rem_euclid(1.0) * self.walk.duration_secs;
            let mut pose = self.body.skeleton.rest().clone();
            sample(self.walk, &self.body.skeleton, f64::from(secs), &mut pose).unwrap();
            pose
        };
        let mut pose = at(phase);
        self.body.mirror_left_arm(&at(phase + 0.5), &mut pose);
        let hips = pose.get(0).translation + self.way(phase);
        pose.set_translation(0, hips);
        pose
    }

    fn idling(&self, secs: f32) -> LocalPose {
        let mut pose = self.body.skeleton.rest().clone();
        let time = f64::from(secs.rem_euclid(self.idle.duration_secs));
        sample(self.idle, &self.body.skeleton, time, &mut pose).unwrap();
        let own = pose.clone();
        self.body.mirror_left_arm(&own, &mut pose);
        let rest = self.body.skeleton.rest_model();
        let from = rest.get(self.body.legs[0].end).translation();
        let shift = Vec3::Z * (self.stand[0].translation.z - from.z);
        pose.set_translation(0, pose.get(0).translation + shift);
        pose
    }

    /// Pose of the whole body at a time, with free hands.
    pub fn pose(&self, secs: f32) -> Result<LocalPose, IkError> {
        let (phase, idles) = (self.phase(secs), self.idles(secs));
        let walking = self.walking(phase);
        let mut pose = mixed(
            &self.body.skeleton,
            &walking,
            &self.idling(secs),
            idles,
            None,
        );
        for foot in 0..2 {
            let leg = &self.body.legs[foot];
            let goal = self.foot(foot, &walking, phase, idles);
            let toes = walking.get(leg.toes).rotation;
            let rest = self.body.skeleton.rest().get(leg.toes).rotation;
            pose.set_rotation(leg.toes, quat::slerp(toes, rest, idles));
            self.tread(&mut pose, leg, &goal)?;
        }
        Ok(pose)
    }

    fn foot(&self, foot: usize, walking: &LocalPose, phase: f32, idles: f32) -> Transform {
        let leg = &self.body.legs[foot];
        let walks = self.body.frame(walking, leg.end);
        // Feet move a little between the walk's keys. The correction fades as a foot lands or rises.
        let since = (phase - LATE[foot]).rem_euclid(1.0);
        let [landed, rises] = TREADS;
        let nearest = match since > 0.5 * (rises + landed + 1.0) {
            true => landed + 1.0,
            false => since.clamp(landed, rises),
        };
        let fades = 1.0 - ease((since - nearest).abs() / 0.06);
        let off = match fades > 0.0 {
            true => self.amiss(foot, phase - since + nearest) * fades,
            false => Vec3::ZERO,
        };
        let stands = self.stand[foot];
        Transform::from_rotation_translation(
            quat::slerp(walks.rotation, stands.rotation, idles),
            (walks.translation + off).lerp(stands.translation, idles),
        )
    }

    /// Offset from the walk's ball of a treading foot to its fixed position.
    fn amiss(&self, foot: usize, phase: f32) -> Vec3 {
        let cycle = (phase - LATE[foot]).floor();
        let tread = self.treads[foot] + self.way(cycle + FLAT + LATE[foot]);
        tread
            - self
                .body
                .place(&self.walking(phase), self.body.legs[foot].toes)
    }

    fn tread(&self, pose: &mut LocalPose, leg: &Limb, goal: &Transform) -> Result<(), IkError> {
        self.body.reach(pose, leg, goal.translation)?;
        let above: Quat = self.body.frame(pose, leg.lower).rotation;
        let local = quat::mul(quat::conjugate(above), goal.rotation);
        self.body.turn(pose, leg.end, local);
        Ok(())
    }
}
