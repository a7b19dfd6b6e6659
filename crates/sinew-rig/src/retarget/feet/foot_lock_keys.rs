//! Holds standing feet between keys.
//! Between keys, the hips move in a straight line and joints rotate at constant speed, which shifts
//! a standing foot. So the rotations of a leg become cubics. Their tangents at each key follow the
//! motion that holds the foot. The error then falls with the fourth power of the step instead of
//! the second. Without contact, the tangents are those of a rotation at constant speed. Steps that
//! still shift the foot, as with an almost straight leg, are halved, for legs only.

use super::contact::Contact;
use super::ground::{Chain, Ground, Leg};
use crate::retarget::body::frames::Frames;
use crate::retarget::body::model_pose::{Local, ModelPoseF64};
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;

/// Rates of change of the rotation of each joint before and after every key, per second.
pub(crate) type Tangents = BTreeMap<usize, Vec<[DQuat; 2]>>;

/// Distance from a key at which its tangent is measured, as a fraction of a step.
const NEAR: f64 = 1e-4;
/// Max movement of a held foot from key to key, in hip heights.
const STILL: f64 = 1e-6;

/// Max number of halvings of a step, and max speed of a standing foot, in hip heights per second.
const MAX_HALVINGS: usize = 6;
const FASTEST: f64 = 0.003;

const ZERO: DQuat = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);

struct Middle {
    after: usize,
    secs: f32,
    locals: Vec<Local>,
}

/// A leg, with what is known of each step from a key to the next. New steps have no values yet.
struct SteppedLeg<'a> {
    leg: &'a mut Leg,
    chain: Chain,
    /// Position of the standing joint per key.
    places: Vec<DVec3>,
    /// True if the foot is held in the step.
    held: Vec<Option<bool>>,
    /// Tangents after the first key and before the second, for each joint of the chain.
    tangents: Vec<Option<[[DQuat; 2]; 3]>>,
    /// True if the foot is held in some step. Other legs need no tangents.
    stands: bool,
}

/// Poses of both ends of a step, and memory for a pose between them.
#[derive(Default)]
struct Work {
    step: Option<usize>,
    ends: [ModelPoseF64; 2],
    locals: Vec<Local>,
    model: ModelPoseF64,
}

impl Ground<'_> {
    /// Inserts frames for feet that tangents alone do not hold, up to `max_frames`, and shifts
    /// contacts. Returns the tangents of joints of the skeleton. Only these need the new frames.
    pub fn hold_between(
        &self,
        legs: &mut [Leg],
        times: &mut Vec<f32>,
        frames: &mut Frames,
        max_frames: usize,
    ) -> Tangents {
        let mut legs = self.stepped(legs, frames);
        let mut work = Work::default();
        for round in 0..=MAX_HALVINGS {
            let max_count = match round {
                MAX_HALVINGS => 0,
                _ => max_frames.saturating_sub(frames.len()),
            };
            let middles = self.round(&mut legs, times, frames, max_count, &mut work);
            if middles.is_empty() {
                break;
            }
            self.insert(&middles, times, frames, &mut legs);
        }
        self.tangents(&legs, frames.len())
    }

    fn stepped<'l>(&self, legs: &'l mut [Leg], frames: &Frames) -> Vec<SteppedLeg<'l>> {
        let places = self.legs.places(legs, frames);
        let steps = frames.len().saturating_sub(1);
        let legs = legs.iter_mut().zip(places);
        let legs = legs.filter_map(|(leg, places)| {
            Some(SteppedLeg {
                chain: self.chain(leg)?,
                leg,
                places,
                held: vec![None; steps],
                tangents: vec![None; steps],
                stands: false,
            })
        });
        legs.collect()
    }

    /// Computes tangents of new steps. Returns up to `max_count` frames for steps that need halves.
    fn round(
        &self,
        legs: &mut [SteppedLeg<'_>],
        times: &[f32],
        frames: &Frames,
        max_count: usize,
        work: &mut Work,
    ) -> Vec<Middle> {
        work.step = None;
        for leg in legs.iter_mut() {
            for step in 0..leg.held.len() {
                leg.held[step] = leg.held[step].or_else(|| Some(self.holds(leg, step)));
            }
            leg.stands = leg.held.contains(&Some(true));
        }
        let mut middles = Vec::new();
        for step in 0..frames.len().saturating_sub(1) {
            let is_new = |leg: &SteppedLeg<'_>| leg.stands && leg.tangents[step].is_none();
            if !legs.iter().any(is_new) {
                continue;
            }
            let keys = [frames.row(step), frames.row(step + 1)];
            work.set_ends(self, step, keys);
            let secs = f64::from(times[step + 1] - times[step]);
            for leg in legs.iter_mut().filter(|leg| is_new(leg)) {
                leg.tangents[step] = Some(self.step_tangents(leg, step, keys, secs, work));
            }
            if middles.len() < max_count {
                let ends = [times[step], times[step + 1]];
                middles.extend(self.middle(legs, step, keys, ends, work));
            }
        }
        middles
    }

    fn holds(&self, leg: &SteppedLeg<'_>, step: usize) -> bool {
        let within = |c: &Contact| (c.first..c.last).contains(&step);
        leg.leg.contacts.iter().any(within)
            && leg.places[step].distance(leg.places[step + 1]) < STILL * self.hip_height
    }

    fn step_tangents(
        &self,
        leg: &SteppedLeg<'_>,
        step: usize,
        keys: [&[Local]; 2],
        secs: f64,
        work: &mut Work,
    ) -> [[DQuat; 2]; 3] {
        let held = leg.held[step] == Some(true);
        let mut tangents = [[ZERO; 2]; 3];
        let sides = [(keys[0], NEAR, NEAR), (keys[1], 1.0 - NEAR, -NEAR)];
        for (side, (key, along, way)) in sides.into_iter().enumerate() {
            let near = self.near(&leg.chain, keys, along, held, work);
            for ((tangents, &joint), near) in tangents.iter_mut().zip(&leg.chain.joints).zip(near) {
                let here = key[joint].rotation;
                let there = near.rotation;
                let there = if there.dot(here) < 0.0 { -there } else { there };
                tangents[side] = (there - here) * (1.0 / (way * secs));
            }
        }
        tangents
    }

    /// Frame in the middle of a step, if a held foot would move too fast without it.
    fn middle(
        &self,
        legs: &[SteppedLeg<'_>],
        step: usize,
        keys: [&[Local]; 2],
        [from, to]: [f32; 2],
        work: &mut Work,
    ) -> Option<Middle> {
        let secs = from + 0.5 * (to - from);
        // Keys of a cut are adjacent floats without a value between them.
        if !(from < secs && secs < to) {
            return None;
        }
        let step_secs = f64::from(to - from);
        let held = |leg: &SteppedLeg<'_>| leg.held[step] == Some(true);
        let mut strays = |leg: &&SteppedLeg<'_>| {
            held(leg) && {
                let off = self.strays(leg, step, keys, step_secs, work);
                8.0 * off > FASTEST * self.hip_height * step_secs
            }
        };
        let standing = || legs.iter().filter(|leg| leg.stands);
        standing().find(|leg| strays(leg))?;
        let along = f64::from(secs - from) / step_secs;
        let between = keys[0].iter().zip(keys[1]);
        let mut locals: Vec<Local> = between.map(|(a, b)| even(a, b, along)).collect();
        for leg in standing().filter(|leg| held(leg)) {
            let own = self.near(&leg.chain, keys, along, true, work);
            for (&joint, own) in leg.chain.joints.iter().zip(own) {
                locals[joint] = own;
            }
        }
        Some(Middle {
            after: step,
            secs,
            locals,
        })
    }

    /// Distance of a foot from its position in the middle of a step.
    fn strays(
        &self,
        leg: &SteppedLeg<'_>,
        step: usize,
        keys: [&[Local]; 2],
        secs: f64,
        work: &mut Work,
    ) -> f64 {
        let chain = &leg.chain;
        work.set_even(chain, keys, 0.5);
        let tangents = leg.tangents[step].unwrap_or([[ZERO; 2]; 3]);
        for (&joint, tangents) in chain.joints.iter().zip(tangents) {
            work.locals[joint].rotation = halfway(keys.map(|k| k[joint].rotation), tangents, secs);
        }
        work.pose(self, chain);
        let now = work.model.position(chain.ball);
        now.distance(work.ends[0].position(chain.ball))
    }

    /// Joints of a chain between two keys, so that a held foot stays.
    fn near(
        &self,
        chain: &Chain,
        keys: [&[Local]; 2],
        along: f64,
        held: bool,
        work: &mut Work,
    ) -> [Local; 3] {
        if !held {
            return chain.joints.map(|j| even(&keys[0][j], &keys[1][j], along));
        }
        work.set_even(chain, keys, along);
        work.pose(self, chain);
        let Work {
            ends: [before, after],
            locals,
            model,
            ..
        } = work;
        let [_, _, foot] = chain.joints;
        model.rotations[foot] = before.rotations[foot].slerp(after.rotations[foot], along);
        let ball = |s: &ModelPoseF64| {
            s.rotations[foot].inverse() * (s.position(chain.ball) - s.position(foot))
        };
        let ball = model.rotations[foot] * ball(before).lerp(ball(after), along);
        let stands = before
            .position(chain.ball)
            .lerp(after.position(chain.ball), along);
        let even = chain.joints.map(|joint| locals[joint]);
        if self.reach(chain, stands - ball, model, locals, 0.0) {
            chain.joints.map(|joint| locals[joint])
        } else {
            even
        }
    }

    fn insert(
        &self,
        middles: &[Middle],
        times: &mut Vec<f32>,
        frames: &mut Frames,
        legs: &mut [SteppedLeg<'_>],
    ) {
        let mut all = Frames::new(self.legs.joints.len(), frames.len() + middles.len());
        let mut first = 0;
        for middle in middles {
            (first..=middle.after).for_each(|f| all.push(frames.row(f).iter().copied()));
            all.push(middle.locals.iter().copied());
            first = middle.after + 1;
        }
        (first..frames.len()).for_each(|f| all.push(frames.row(f).iter().copied()));
        *frames = all;
        insert(times, middles, |middle| middle.secs);
        let mut model = ModelPoseF64::default();
        for leg in legs {
            for contact in &mut leg.leg.contacts {
                for frame in [&mut contact.first, &mut contact.last] {
                    *frame += middles.partition_point(|middle| middle.after < *frame);
                }
            }
            for middle in middles {
                (leg.held[middle.after], leg.tangents[middle.after]) = (None, None);
            }
            insert(&mut leg.held, middles, |_| None);
            insert(&mut leg.tangents, middles, |_| None);
            insert(&mut leg.places, middles, |middle| {
                model.set(&self.legs.tree, &middle.locals);
                model.position(leg.chain.ball)
            });
        }
    }

    fn tangents(&self, legs: &[SteppedLeg<'_>], frames: usize) -> Tangents {
        let mut tangents = Tangents::new();
        for leg in legs.iter().filter(|leg| leg.stands) {
            for (k, &joint) in leg.chain.joints.iter().enumerate() {
                let mut of_joint = vec![[ZERO; 2]; frames];
                for (step, of_step) in leg.tangents.iter().enumerate() {
                    let [after, before] = of_step.map_or([ZERO; 2], |of_step| of_step[k]);
                    (of_joint[step][1], of_joint[step + 1][0]) = (after, before);
                }
                tangents.insert(self.legs.joints[joint], of_joint);
            }
        }
        tangents
    }
}

impl Work {
    fn set_ends(&mut self, ground: &Ground<'_>, step: usize, keys: [&[Local]; 2]) {
        self.locals.resize(keys[0].len(), keys[0][0]);
        let goes_on = self.step.is_some_and(|before| before + 1 == step);
        self.step = Some(step);
        if goes_on {
            self.ends.swap(0, 1);
        } else {
            self.ends[0].set(&ground.legs.tree, keys[0]);
        }
        self.ends[1].set(&ground.legs.tree, keys[1]);
    }

    fn set_even(&mut self, chain: &Chain, keys: [&[Local]; 2], along: f64) {
        for &joint in &chain.path {
            self.locals[joint] = even(&keys[0][joint], &keys[1][joint], along);
        }
    }

    fn pose(&mut self, ground: &Ground<'_>, chain: &Chain) {
        let path = chain.path.iter().copied();
        self.model.set_some(&ground.legs.tree, path, &self.locals);
    }
}

/// Inserts a value after the frame, or the step, before each middle.
fn insert<T>(values: &mut Vec<T>, middles: &[Middle], mut of: impl FnMut(&Middle) -> T) {
    let mut all = Vec::with_capacity(values.len() + middles.len());
    let mut middles = middles.iter().peekable();
    for (index, value) in std::mem::take(values).into_iter().enumerate() {
        all.push(value);
        all.extend(middles.next_if(|m| m.after == index).map(&mut of));
    }
    *values = all;
}

fn even(a: &Local, b: &Local, along: f64) -> Local {
    Local {
        rotation: a.rotation.slerp(b.rotation, along),
        translation: a.translation.lerp(b.translation, along),
        scale: a.scale.lerp(b.scale, along),
    }
}

/// Midpoint of a cubic between rotations, with tangents `after` the first, `before` the second.
fn halfway([a, b]: [DQuat; 2], [after, before]: [DQuat; 2], secs: f64) -> DQuat {
    let (b, before) = if a.dot(b) < 0.0 {
        (-b, -before)
    } else {
        (b, before)
    };
    ((a + b) * 0.5 + (after - before) * (secs / 8.0)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retarget::body::model_pose::locals;
    use crate::retarget::body::standing::Body;
    use crate::retarget::feet::ground::{LegTree, REACH};
    use crate::retarget::roles::find_roles::find_roles;
    use crate::template::Biped;
    use sinew::skeleton::{Role, Side};

    #[test]
    fn steps_are_halved_where_feet_leave_their_places_and_never_to_more_frames_than_asked_for() {
        let skeleton = Biped::default().template().skeleton().unwrap();
        let rest = ModelPoseF64::of_pose(&skeleton, skeleton.rest());
        let target = Body::new(&skeleton, find_roles(&skeleton), rest.clone()).unwrap();
        let ground = Ground {
            target: &target,
            legs: LegTree::new(&skeleton, 0..skeleton.len()),
            up: DVec3::Y,
            floor: 0.0,
            hip_height: 1.0,
            reach: REACH,
        };
        let standing = Side::ALL.map(|side| target.roles.joint(Role::Toes(side)).unwrap());
        let held = |max_frames: usize| {
            let contact = Contact { first: 1, last: 3 };
            let mut legs = [0, 1].map(|k| Leg {
                side: Side::ALL[k],
                contacts: vec![contact],
                standing: standing[k],
            });
            let mut times: Vec<f32> = (0..5).map(|f| f as f32 / 8.0).collect();
            let mut frames = Frames::new(skeleton.len(), 5);
            (0..5).for_each(|_| frames.push(locals(skeleton.rest())));
            for (f, frame) in frames.rows_mut().enumerate() {
                frame[target.roles.joint(Role::Hips).unwrap()].translation.y -= 0.05 * f as f64;
            }
            let expected = standing.map(|joint| vec![rest.position(joint); 5]);
            let places = ground.legs.places(&legs, &frames);
            ground.correct(&legs, [&expected, &places], &times, &mut frames, false);
            let before = times.clone();
            let tangents = ground.hold_between(&mut legs, &mut times, &mut frames, max_frames);
            assert_eq!(times.len(), frames.len());
            assert!(before.iter().all(|time| times.contains(time)), "{times:?}");
            assert!(tangents.values().all(|keys| keys.len() == frames.len()));
            assert!(times.is_sorted_by(|a, b| a < b), "{times:?}");
            for leg in &legs {
                let Contact { first, last } = leg.contacts[0];
                assert_eq!([times[first], times[last]], [0.125, 0.375]);
                let position = |f: usize| {
                    ModelPoseF64::of_locals(&skeleton, frames.row(f)).position(leg.standing)
                };
                let positions: Vec<DVec3> = (first..=last).map(position).collect();
                let off = positions.iter().map(|p| p.distance(positions[0]));
                assert!(off.clone().all(|off| off < 1e-9), "{off:?}");
            }
            frames.len()
        };
        for (most, frames) in [(3, 5), (5, 5), (6, 6), (100, 7)] {
            assert_eq!(held(most), frames, "of {most}");
        }
    }
}
