//! Holds standing feet in position.
//! While a foot of the source stands, the foot of the target would slide. Hip and knee bend so that
//! the ball of the foot stays at the mean of its sliding positions. The foot keeps its rotation.
//! The correction fades in and out. If a leg is too short, the hips go down smoothly. A motion that
//! needs no correction, as on the same body, stays bit-identical.

use super::contact::Contact;
use crate::retarget::body::frames::Frames;
use crate::retarget::body::model_pose::{Local, ModelPoseF64};
use crate::retarget::body::standing::{Body, shortest};
use glam::{DQuat, DVec3};
use sinew::skeleton::{Role, Side};
use sinew::{Hierarchy, Skeleton};
use std::collections::BTreeSet;

/// Time over which a correction fades, in seconds.
const FADE_SECS: f64 = 0.15;
/// Max length of a bent leg, relative to the straight leg, so that the knee does not snap straight.
pub(crate) const REACH: f64 = 0.998;
/// Max height difference of a level floor, in hip heights.
const LEVEL: f64 = 0.05;
/// Fraction by which the plane of a leg rotates toward the plane in which the knee bends.
const AS_KNEES_DO: f64 = 0.02;
/// Max distance from the path of the source that needs no correction, in hip heights.
const ENOUGH: f64 = 1e-4;

pub(crate) struct Leg {
    pub side: Side,
    pub contacts: Vec<Contact>,
    /// Joint of the target that stands: the ball of the foot, or the ankle if a body has no ball.
    pub standing: usize,
}

impl Leg {
    /// True for a front leg of an animal, which stands on a hand or a joint below it.
    pub fn is_front(&self, body: &Body<'_>) -> bool {
        let hand = body.roles.joint(Role::Hand(self.side));
        let mut above = body.skeleton.hierarchy().ancestors(self.standing);
        hand.is_some_and(|hand| above.any(|joint| joint == hand))
    }
}

/// Joints that carry feet, parents first, as a tree of its own.
pub(crate) struct LegTree {
    pub joints: Vec<usize>,
    pub tree: Hierarchy,
}

impl LegTree {
    /// Joints from the roots to each of `ends`.
    pub fn new(skeleton: &Skeleton, ends: impl IntoIterator<Item = usize>) -> Self {
        let hierarchy = skeleton.hierarchy();
        let above = ends.into_iter().flat_map(|end| hierarchy.ancestors(end));
        let joints: Vec<usize> = above.collect::<BTreeSet<usize>>().into_iter().collect();
        let place = |joint: usize| joints.binary_search(&joint).ok();
        let parents = joints.iter().map(|&joint| place(hierarchy.parent(joint)?));
        let parents: Vec<Option<usize>> = parents.collect();
        let tree = Hierarchy::sort(&parents).expect("ancestors of a joint are a tree");
        Self {
            tree: tree.hierarchy,
            joints,
        }
    }

    /// Index in `joints` of a joint of the skeleton.
    pub fn place(&self, joint: usize) -> Option<usize> {
        self.joints.binary_search(&joint).ok()
    }

    /// Positions of the standing joint of each leg, per frame.
    pub fn places(&self, legs: &[Leg], frames: &Frames) -> Vec<Vec<DVec3>> {
        let mut paths = vec![Vec::with_capacity(frames.len()); legs.len()];
        let standing: Vec<Option<usize>> = legs.iter().map(|l| self.place(l.standing)).collect();
        let mut model = ModelPoseF64::default();
        for row in frames.rows() {
            model.set(&self.tree, row);
            for (path, place) in paths.iter_mut().zip(&standing) {
                path.extend(place.map(|place| model.position(place)));
            }
        }
        paths
    }
}

/// Frames have only the joints of `legs`, and a chain has indices into `legs`.
pub(crate) struct Ground<'a> {
    pub target: &'a Body<'a>,
    pub legs: LegTree,
    pub up: DVec3,
    pub floor: f64,
    pub hip_height: f64,
    /// Max length of a leg, relative to the straight leg, above which the hips go down.
    pub reach: f64,
}

pub(crate) struct Chain {
    pub joints: [usize; 3],
    pub ball: usize,
    /// Joints from the root to the foot and the ball, parents first.
    pub path: Vec<usize>,
}

/// Roles of the joints that move a foot: of a hind leg, or of the arm that is a front leg.
pub(crate) fn leg_roles(side: Side, is_front: bool) -> [Role; 3] {
    match is_front {
        true => [Role::UpperArm(side), Role::LowerArm(side), Role::Hand(side)],
        false => [Role::UpperLeg(side), Role::LowerLeg(side), Role::Foot(side)],
    }
}

#[derive(Default)]
pub(crate) struct Done {
    /// Max distance that the hips were lowered.
    pub lowered: f64,
    /// Number of frames in which a foot did not reach its position.
    pub unreached: usize,
}

impl Ground<'_> {
    pub fn chain(&self, leg: &Leg) -> Option<Chain> {
        let joint = |role| self.legs.place(self.target.roles.joint(role)?);
        let [upper, lower, foot] = leg_roles(leg.side, leg.is_front(self.target));
        let joints = [joint(upper)?, joint(lower)?, joint(foot)?];
        let ball = self.legs.place(leg.standing)?;
        let tree = &self.legs.tree;
        let ends = joints.into_iter().chain([ball]);
        let path: BTreeSet<usize> = ends.flat_map(|end| tree.ancestors(end)).collect();
        let path = path.into_iter().collect();
        Some(Chain { joints, ball, path })
    }

    /// Corrects the frames. `expected` has the foot position of the source per leg and frame, in the
    /// space and scale of the target, and the second path the position of the foot of the target.
    /// If `steps` is true, feet take the expected positions in all frames, not only in contacts.
    pub fn correct(
        &self,
        legs: &[Leg],
        [expected, places]: [&[Vec<DVec3>]; 2],
        times: &[f32],
        frames: &mut Frames,
        steps: bool,
    ) -> Done {
        let mut moves: Vec<(Chain, Vec<DVec3>)> = Vec::new();
        for (leg, (expected, places)) in legs.iter().zip(expected.iter().zip(places)) {
            if let Some(chain) = self.chain(leg) {
                let mut moved = vec![DVec3::ZERO; places.len()];
                let own = if steps { expected } else { places };
                let held = self.hold_contacts(leg, [expected, own], &mut moved, steps);
                fade(&held, times, &mut moved);
                if steps {
                    let ways = expected.iter().zip(places).map(|(to, from)| to - from);
                    moved
                        .iter_mut()
                        .zip(ways)
                        .for_each(|(moved, way)| *moved += way);
                }
                moves.push((chain, moved));
            }
        }
        let mut rows: Vec<&mut [Local]> = frames.rows_mut().collect();
        self.apply(&moves, times, &mut rows)
    }

    /// Moves the ankles by `moves`, per leg and frame, and lowers the hips where a leg is too short.
    pub fn apply(
        &self,
        moves: &[(Chain, Vec<DVec3>)],
        times: &[f32],
        frames: &mut [&mut [Local]],
    ) -> Done {
        let drops = self.drops(moves, times, frames);
        let mut done = Done::default();
        let (mut before, mut lowered) = (ModelPoseF64::default(), ModelPoseF64::default());
        for (frame, locals) in frames.iter_mut().enumerate() {
            let drop = drops[frame];
            let still = moves.iter().all(|(_, moved)| moved[frame] == DVec3::ZERO);
            if drop == 0.0 && still {
                continue;
            }
            done.lowered = done.lowered.max(drop);
            before.set(&self.legs.tree, locals);
            self.lower(drop, &before, locals);
            lowered.set(&self.legs.tree, locals);
            let mut reached = true;
            for (chain, moved) in moves {
                let goal = before.position(chain.joints[2]) + moved[frame];
                reached &= self.reach(chain, goal, &lowered, locals, AS_KNEES_DO);
            }
            done.unreached += usize::from(!reached);
        }
        done
    }

    /// Writes the shift of the ankle per frame. Returns the contacts that need a shift.
    fn hold_contacts(
        &self,
        leg: &Leg,
        [expected, places]: [&[DVec3]; 2],
        moves: &mut [DVec3],
        every: bool,
    ) -> Vec<Contact> {
        let ball = |frame: usize| places[frame];
        let heights = |c: &Contact| {
            let expected = &expected[c.first..=c.last];
            expected.iter().map(|p| p.dot(self.up)).sum::<f64>() / expected.len() as f64
        };
        let lowest = leg
            .contacts
            .iter()
            .map(heights)
            .fold(f64::INFINITY, f64::min);
        let sole = self.target.sole(self.up).unwrap_or(0.0);
        let rest_height = self.target.rest.position(leg.standing).dot(self.up) - sole;
        let mut held = Vec::new();
        for contact in &leg.contacts {
            let frames = contact.first..=contact.last;
            let off = frames
                .clone()
                .map(|f| ball(f).distance(expected[f]))
                .fold(0.0, f64::max);
            if !every && off <= ENOUGH * self.hip_height {
                continue;
            }
            let middle = frames.clone().map(ball).sum::<DVec3>() / frames.clone().count() as f64;
            let step = heights(contact) - lowest;
            let step = if step < LEVEL * self.hip_height {
                0.0
            } else {
                step
            };
            let height = self.floor + rest_height + step;
            let position = middle + self.up * (height - middle.dot(self.up));
            frames.for_each(|f| moves[f] = position - ball(f));
            held.push(*contact);
        }
        held
    }

    /// Distance that the hips go down in each frame: the max of the needs in nearby frames,
    /// averaged over as many frames. So it is smooth and never below the need.
    fn drops(
        &self,
        moves: &[(Chain, Vec<DVec3>)],
        times: &[f32],
        frames: &[&mut [Local]],
    ) -> Vec<f64> {
        let mut needs = vec![0.0_f64; frames.len()];
        let mut model = ModelPoseF64::default();
        for (chain, moved) in moves {
            for ((locals, need), moved) in frames.iter().zip(&mut needs).zip(moved) {
                if *moved != DVec3::ZERO {
                    model.set_some(&self.legs.tree, chain.path.iter().copied(), locals);
                    *need = need.max(self.need(chain, &model, *moved));
                }
            }
        }
        if needs.iter().all(|n| *n == 0.0) {
            return needs;
        }
        let secs = f64::from(times[times.len() - 1] - times[0]).max(1e-6);
        let half = (FADE_SECS * 0.5 * times.len() as f64 / secs).ceil() as usize;
        let around = |frame: usize| frame.saturating_sub(half)..(frame + half + 1).min(needs.len());
        let most: Vec<f64> = (0..needs.len())
            .map(|f| needs[around(f)].iter().copied().fold(0.0, f64::max))
            .collect();
        let mean = |f: usize| most[around(f)].iter().sum::<f64>() / around(f).len() as f64;
        (0..needs.len()).map(mean).collect()
    }

    fn need(&self, chain: &Chain, model: &ModelPoseF64, moved: DVec3) -> f64 {
        let [hip, knee, ankle] = chain.joints.map(|j| model.position(j));
        let reach = self.reach * (hip.distance(knee) + knee.distance(ankle));
        let to = ankle + moved - hip;
        if to.length() <= reach {
            return 0.0;
        }
        let height = to.dot(self.up);
        let across_squared = to.length_squared() - height * height;
        // The leg just reaches the goal at a height of −√(reach² − aside²) relative to the hip.
        let expected = (reach * reach - across_squared).max(0.0).sqrt();
        (-height - expected).max(0.0)
    }

    fn lower(&self, drop: f64, model: &ModelPoseF64, locals: &mut [Local]) {
        let hips = self.target.roles.joint(Role::Hips);
        let Some(hips) = hips.and_then(|hips| self.legs.place(hips)) else {
            return;
        };
        let position = model.position(hips) - self.up * drop;
        locals[hips].translation = match self.legs.tree.parent(hips) {
            Some(parent) => model.maps[parent].inverse().transform_point3(position),
            None => position,
        };
    }

    /// Moves the ankle to the goal by hip and knee. False if it cannot. The knee stays in its
    /// plane, blended by `as_knees_do` toward the plane of a knee. The foot keeps its rotation.
    pub fn reach(
        &self,
        chain: &Chain,
        goal: DVec3,
        model: &ModelPoseF64,
        locals: &mut [Local],
        as_knees_do: f64,
    ) -> bool {
        let [hip, knee, ankle] = chain.joints.map(|j| model.position(j));
        if goal == ankle {
            return true;
        }
        let (upper, lower) = (knee - hip, ankle - knee);
        let (a, b) = (upper.length(), lower.length());
        let far = (goal - hip).length();
        // From folded to straight. Empty for a leg without thigh or shin.
        let [nearest, farthest] = [(a - b).abs() + 1e-9 * (a + b), (a + b) * (1.0 - 1e-9)];
        let (Some(thigh), Some(shin)) = (upper.try_normalize(), lower.try_normalize()) else {
            return false;
        };
        if !(nearest <= farthest && far.is_finite()) {
            return false;
        }
        let distance = far.clamp(nearest, farthest);
        let cosine = ((distance * distance - a * a - b * b) / (2.0 * a * b)).clamp(-1.0, 1.0);
        // A straight leg has no plane. It bends about the left direction of the body, as knees do.
        let rest = self.target.rest.rotations[self.legs.joints[chain.joints[0]]];
        let from_rest = model.rotations[chain.joints[0]] * rest.inverse();
        let left = from_rest * (self.target.frame * DVec3::X);
        let axis = thigh.cross(shin) + left * as_knees_do;
        let axis = (axis - thigh * axis.dot(thigh)).normalize_or(thigh.any_orthonormal_vector());
        let bent = thigh * cosine + axis.cross(thigh) * (1.0 - cosine * cosine).sqrt();
        let bend = shortest(shin, bent, axis);
        let reached = upper + bent * b;
        let swing = match (reached.try_normalize(), (goal - hip).try_normalize()) {
            (Some(from), Some(to)) => shortest(from, to, axis),
            _ => return false,
        };
        self.set_turns(chain, [swing, swing * bend], model, locals);
        (far - distance).abs() < 1e-6 * (a + b)
    }

    fn set_turns(
        &self,
        chain: &Chain,
        rotations: [DQuat; 2],
        model: &ModelPoseF64,
        locals: &mut [Local],
    ) {
        let parent = |joint: usize| {
            let parent = self.legs.tree.parent(joint);
            parent.map_or(DQuat::IDENTITY, |p| model.rotations[p])
        };
        let [thigh, shin, foot] = chain.joints;
        let [swing, both] = rotations;
        locals[thigh].rotation =
            (parent(thigh).inverse() * swing * model.rotations[thigh]).normalize();
        locals[shin].rotation =
            ((swing * parent(shin)).inverse() * both * model.rotations[shin]).normalize();
        locals[foot].rotation =
            ((both * parent(foot)).inverse() * model.rotations[foot]).normalize();
    }
}

/// Fades the moves of held contacts in and out, in the frames between contacts.
pub(crate) fn fade(held: &[Contact], times: &[f32], moves: &mut [DVec3]) {
    let time = |frame: usize| f64::from(times[frame]);
    let end = moves.len() - 1;
    for (index, contact) in held.iter().enumerate() {
        let after = held.get(index + 1).map_or(moves.len(), |next| next.first);
        let duration = (time(after.min(end)) - time(contact.last)).min(FADE_SECS);
        let value = moves[contact.last];
        for frame in contact.last + 1..after {
            moves[frame] += value * (1.0 - ease((time(frame) - time(contact.last)) / duration));
        }
        let before = index
            .checked_sub(1)
            .map_or(0, |before| held[before].last + 1);
        let from = before.saturating_sub(1);
        let duration = (time(contact.first) - time(from)).min(FADE_SECS);
        let value = moves[contact.first];
        for frame in before..contact.first {
            moves[frame] += value * (1.0 - ease((time(contact.first) - time(frame)) / duration));
        }
    }
}

fn ease(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
