//! Feet that stay where they stand between keys, too.
//!
//! From key to key hips go straight and joints turn evenly, which takes a standing foot off its place. So the
//! turns of a leg become cubics whose tangents, on either side of a key, are those of the motion that holds
//! the foot. What is amiss then goes by the fourth power of the time between keys, not by the second. Where
//! the foot does not stand the tangents are those of an even turn. Steps in which that is not enough, as those
//! of a leg that is all but straight, are halved.

use super::contact::Contact;
use super::feet::{Chain, Ground, Leg};
use super::stance::{Local, Stance};
use glam::DQuat;
use std::collections::BTreeMap;

/// By joint: of every key the change of its turn a second, before and after it.
pub(super) type Tangents = BTreeMap<usize, Vec<[DQuat; 2]>>;

/// How far from a key, in parts of a step, its slope is looked for.
const NEAR: f64 = 1e-4;
/// A foot that moves by less from key to key is held; in hip heights.
const STILL: f64 = 1e-6;

/// Halvings of a step, and how fast a foot may be that should stand; in hip heights a second.
pub(super) const MOST_HALVINGS: usize = 6;
const FASTEST: f64 = 0.003;

impl Ground<'_> {
    /// The poses in the middle of steps in which a held foot would leave its place, with the number of the
    /// step.
    pub fn middles(
        &self,
        legs: &[Leg],
        frames: &[Vec<Local>],
        tangents: &Tangents,
    ) -> Vec<(usize, Vec<Local>)> {
        let chains: Vec<(&Leg, Chain)> = (legs.iter())
            .filter_map(|leg| Some((leg, self.chain(leg)?)))
            .filter(|(_, chain)| tangents.contains_key(&chain.joints[0]))
            .collect();
        let steps = 0..frames.len().saturating_sub(1);
        let middle = |f: usize| {
            let keys = [&frames[f][..], &frames[f + 1]];
            let ends = keys.map(|k| Stance::of_locals(self.target.skeleton, k));
            let secs = f64::from(self.times[f + 1] - self.times[f]);
            let held = |leg: &Leg, chain: &Chain| self.holds(leg, chain, f, &ends);
            let strays = |leg: &Leg, chain: &Chain| {
                let mut locals = even(keys, 0.5);
                for joint in chain.joints {
                    let [(_, after), (before, _)] = [f, f + 1].map(|f| tangents[&joint][f].into());
                    locals[joint].turn =
                        halfway(keys.map(|k| k[joint].turn), [after, before], secs);
                }
                let now = Stance::of_locals(self.target.skeleton, &locals).place(chain.ball);
                let off = now.distance(ends[0].place(chain.ball));
                held(leg, chain) && 8.0 * off > FASTEST * self.hip_height * secs
            };
            if !chains.iter().any(|(leg, chain)| strays(leg, chain)) {
                return None;
            }
            let mut locals = even(keys, 0.5);
            for (leg, chain) in &chains {
                let own = self.near(chain, keys, [&ends[0], &ends[1]], 0.5, held(leg, chain));
                chain.joints.iter().for_each(|&j| locals[j] = own[j]);
            }
            Some((f, locals))
        };
        steps.filter_map(middle).collect()
    }

    /// Whether a foot stands from this key to the next.
    fn holds(&self, leg: &Leg, chain: &Chain, frame: usize, ends: &[Stance; 2]) -> bool {
        let [a, b] = ends.each_ref().map(|s| s.place(chain.ball));
        let within = |c: &Contact| (c.first..c.last).contains(&frame);
        leg.contacts.iter().any(within) && a.distance(b) < STILL * self.hip_height
    }

    /// Of those legs whose feet are held at all.
    pub fn tangents(&self, legs: &[Leg], frames: &[Vec<Local>]) -> Tangents {
        let mut tangents = Tangents::new();
        let stances: Vec<Stance> = (frames.iter())
            .map(|f| Stance::of_locals(self.target.skeleton, f))
            .collect();
        for leg in legs {
            let Some(chain) = self.chain(leg) else {
                continue;
            };
            let held: Vec<bool> = (stances.windows(2).enumerate())
                .map(|(f, ends)| self.holds(leg, &chain, f, &[ends[0].clone(), ends[1].clone()]))
                .collect();
            if !held.contains(&true) {
                continue;
            }
            let mut of_joints = chain
                .joints
                .map(|_| vec![[DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0); 2]; frames.len()]);
            for (f, &held) in held.iter().enumerate() {
                let secs = f64::from(self.times[f + 1] - self.times[f]);
                for (key, along, side) in [(f, NEAR, 1), (f + 1, 1.0 - NEAR, 0)] {
                    let ends = [&stances[f], &stances[f + 1]];
                    let near = self.near(&chain, [&frames[f], &frames[f + 1]], ends, along, held);
                    for (tangents, &joint) in of_joints.iter_mut().zip(&chain.joints) {
                        let here = frames[key][joint].turn;
                        let there = near[joint].turn;
                        let there = if there.dot(here) < 0.0 { -there } else { there };
                        let way = if side == 1 { NEAR } else { -NEAR } * secs;
                        tangents[key][side] = (there - here) * (1.0 / way);
                    }
                }
            }
            tangents.extend(chain.joints.into_iter().zip(of_joints));
        }
        tangents
    }

    /// The pose some way from one key to the next, with the foot in its place if it is held.
    fn near(
        &self,
        chain: &Chain,
        [from, to]: [&[Local]; 2],
        [before, after]: [&Stance; 2],
        along: f64,
        held: bool,
    ) -> Vec<Local> {
        let even = even([from, to], along);
        if !held {
            return even;
        }
        let [_, _, foot] = chain.joints;
        let mut stance = Stance::of_locals(self.target.skeleton, &even);
        stance.turns[foot] = before.turns[foot].slerp(after.turns[foot], along);
        let ball = |s: &Stance| s.turns[foot].inverse() * (s.place(chain.ball) - s.place(foot));
        let ball = stance.turns[foot] * ball(before).lerp(ball(after), along);
        let stands = before
            .place(chain.ball)
            .lerp(after.place(chain.ball), along);
        let mut locals = even.clone();
        match self.reach(chain, stands - ball, &stance, &mut locals, 0.0) {
            true => locals,
            false => even,
        }
    }
}

/// The pose some way from one key to the next, as joints turn evenly.
fn even([from, to]: [&[Local]; 2], along: f64) -> Vec<Local> {
    let between = |(a, b): (&Local, &Local)| Local {
        turn: a.turn.slerp(b.turn, along),
        place: a.place.lerp(b.place, along),
        scale: a.scale.lerp(b.scale, along),
    };
    from.iter().zip(to).map(between).collect()
}

/// In the middle of a cubic between two turns, with the tangents after the one and before the other.
fn halfway([a, b]: [DQuat; 2], [after, before]: [DQuat; 2], secs: f64) -> DQuat {
    let (b, before) = if a.dot(b) < 0.0 {
        (-b, -before)
    } else {
        (b, before)
    };
    ((a + b) * 0.5 + (after - before) * (secs / 8.0)).normalize()
}

/// Puts frames between others, and moves contacts along.
pub(super) fn insert(
    middles: Vec<(usize, Vec<Local>)>,
    times: &mut Vec<f32>,
    frames: &mut Vec<Vec<Local>>,
    legs: &mut [Leg],
) {
    let steps: Vec<usize> = middles.iter().map(|(f, _)| *f).collect();
    for (f, locals) in middles.into_iter().rev() {
        times.insert(f + 1, 0.5 * (times[f] + times[f + 1]));
        frames.insert(f + 1, locals);
    }
    for contact in legs.iter_mut().flat_map(|leg| &mut leg.contacts) {
        for frame in [&mut contact.first, &mut contact.last] {
            *frame += steps.partition_point(|step| *step < *frame);
        }
    }
}
