//! Holds standing feet between keys.
//! Between keys, the hips move in a straight line and joints rotate at constant speed, which shifts
//! a standing foot. So the rotations of a leg become cubics. Their tangents at each key follow the
//! motion that holds the foot. The error then falls with the fourth power of the step instead of
//! the second. Without contact, the tangents are those of a rotation at constant speed. Steps that
//! still shift the foot, as with an almost straight leg, are halved, for legs only.

use super::contact::Contact;
use super::ground::{Chain, Ground, Leg};
use crate::retarget::body::model_pose::{Local, ModelPoseF64};
use glam::DQuat;
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

struct Middle {
    after: usize,
    secs: f32,
    locals: Vec<Local>,
}

impl Ground<'_> {
    /// Inserts frames for feet that tangents alone do not hold, up to `max_frames`, and shifts
    /// contacts. Returns true for inserted frames. Only joints with tangents need a key there.
    pub fn hold_between(
        &self,
        legs: &mut [Leg],
        times: &mut Vec<f32>,
        frames: &mut Vec<Vec<Local>>,
        max_frames: usize,
    ) -> (Tangents, Vec<bool>) {
        let mut is_between = vec![false; frames.len()];
        for _ in 0..MAX_HALVINGS {
            let tangents = self.tangents(legs, times, frames);
            let max_count = max_frames.saturating_sub(frames.len());
            let middles = self.middles(legs, times, frames, &tangents);
            let middles: Vec<Middle> = middles.take(max_count).collect();
            if middles.is_empty() {
                return (tangents, is_between);
            }
            for (count, middle) in middles.iter().enumerate() {
                is_between.insert(middle.after + 1 + count, true);
            }
            insert(middles, times, frames, legs);
        }
        (self.tangents(legs, times, frames), is_between)
    }

    fn middles<'a>(
        &'a self,
        legs: &'a [Leg],
        times: &'a [f32],
        frames: &'a [Vec<Local>],
        tangents: &'a Tangents,
    ) -> impl Iterator<Item = Middle> + 'a {
        let chains: Vec<(&Leg, Chain)> = (legs.iter())
            .filter_map(|leg| Some((leg, self.chain(leg)?)))
            .filter(|(_, chain)| tangents.contains_key(&chain.joints[0]))
            .collect();
        let steps = 0..frames.len().saturating_sub(1);
        let middle = move |f: usize| {
            let [from, to] = [times[f], times[f + 1]];
            let secs = from + 0.5 * (to - from);
            // Keys of a cut are adjacent floats without a value between them.
            if !(from < secs && secs < to) {
                return None;
            }
            let keys = [&frames[f][..], &frames[f + 1]];
            let ends = keys.map(|k| ModelPoseF64::of_locals(self.target.skeleton, k));
            let ends = ends.each_ref();
            let step_secs = f64::from(to - from);
            let held = |leg: &Leg, chain: &Chain| self.holds(leg, chain, f, ends);
            let strays = |leg: &Leg, chain: &Chain| {
                let mut locals = even(keys, 0.5);
                for joint in chain.joints {
                    let [(_, after), (before, _)] = [f, f + 1].map(|f| tangents[&joint][f].into());
                    locals[joint].rotation =
                        halfway(keys.map(|k| k[joint].rotation), [after, before], step_secs);
                }
                let now =
                    ModelPoseF64::of_locals(self.target.skeleton, &locals).position(chain.ball);
                let off = now.distance(ends[0].position(chain.ball));
                held(leg, chain) && 8.0 * off > FASTEST * self.hip_height * step_secs
            };
            if !chains.iter().any(|(leg, chain)| strays(leg, chain)) {
                return None;
            }
            let along = f64::from(secs - from) / step_secs;
            let mut locals = even(keys, along);
            for (leg, chain) in &chains {
                let own = self.near(chain, keys, ends, along, held(leg, chain));
                chain.joints.iter().for_each(|&j| locals[j] = own[j]);
            }
            Some(Middle {
                after: f,
                secs,
                locals,
            })
        };
        steps.filter_map(middle)
    }

    fn holds(&self, leg: &Leg, chain: &Chain, frame: usize, ends: [&ModelPoseF64; 2]) -> bool {
        let [a, b] = ends.map(|s| s.position(chain.ball));
        let within = |c: &Contact| (c.first..c.last).contains(&frame);
        leg.contacts.iter().any(within) && a.distance(b) < STILL * self.hip_height
    }

    fn tangents(&self, legs: &[Leg], times: &[f32], frames: &[Vec<Local>]) -> Tangents {
        let mut tangents = Tangents::new();
        let models: Vec<ModelPoseF64> = (frames.iter())
            .map(|f| ModelPoseF64::of_locals(self.target.skeleton, f))
            .collect();
        for leg in legs {
            let Some(chain) = self.chain(leg) else {
                continue;
            };
            let held: Vec<bool> = (models.windows(2).enumerate())
                .map(|(f, ends)| self.holds(leg, &chain, f, [&ends[0], &ends[1]]))
                .collect();
            if !held.contains(&true) {
                continue;
            }
            let mut of_joints = chain
                .joints
                .map(|_| vec![[DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0); 2]; frames.len()]);
            for (f, &held) in held.iter().enumerate() {
                let secs = f64::from(times[f + 1] - times[f]);
                for (key, along, side) in [(f, NEAR, 1), (f + 1, 1.0 - NEAR, 0)] {
                    let ends = [&models[f], &models[f + 1]];
                    let near = self.near(&chain, [&frames[f], &frames[f + 1]], ends, along, held);
                    for (tangents, &joint) in of_joints.iter_mut().zip(&chain.joints) {
                        let here = frames[key][joint].rotation;
                        let there = near[joint].rotation;
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

    fn near(
        &self,
        chain: &Chain,
        [from, to]: [&[Local]; 2],
        [before, after]: [&ModelPoseF64; 2],
        along: f64,
        held: bool,
    ) -> Vec<Local> {
        let even = even([from, to], along);
        if !held {
            return even;
        }
        let [_, _, foot] = chain.joints;
        let mut model = ModelPoseF64::of_locals(self.target.skeleton, &even);
        model.rotations[foot] = before.rotations[foot].slerp(after.rotations[foot], along);
        let ball = |s: &ModelPoseF64| {
            s.rotations[foot].inverse() * (s.position(chain.ball) - s.position(foot))
        };
        let ball = model.rotations[foot] * ball(before).lerp(ball(after), along);
        let stands = before
            .position(chain.ball)
            .lerp(after.position(chain.ball), along);
        let mut locals = even.clone();
        if self.reach(chain, stands - ball, &model, &mut locals, 0.0) {
            locals
        } else {
            even
        }
    }
}

fn even([from, to]: [&[Local]; 2], along: f64) -> Vec<Local> {
    let between = |(a, b): (&Local, &Local)| Local {
        rotation: a.rotation.slerp(b.rotation, along),
        translation: a.translation.lerp(b.translation, along),
        scale: a.scale.lerp(b.scale, along),
    };
    from.iter().zip(to).map(between).collect()
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

fn insert(
    middles: Vec<Middle>,
    times: &mut Vec<f32>,
    frames: &mut Vec<Vec<Local>>,
    legs: &mut [Leg],
) {
    for contact in legs.iter_mut().flat_map(|leg| &mut leg.contacts) {
        for frame in [&mut contact.first, &mut contact.last] {
            *frame += middles.partition_point(|middle| middle.after < *frame);
        }
    }
    let count = frames.len() + middles.len();
    let before = std::mem::replace(frames, Vec::with_capacity(count));
    let before_times = std::mem::replace(times, Vec::with_capacity(count));
    let mut middles = middles.into_iter().peekable();
    for (f, (secs, locals)) in before_times.into_iter().zip(before).enumerate() {
        times.push(secs);
        frames.push(locals);
        if let Some(middle) = middles.next_if(|middle| middle.after == f) {
            times.push(middle.secs);
            frames.push(middle.locals);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retarget::body::model_pose::locals;
    use crate::retarget::body::standing::Body;
    use crate::retarget::feet::contact::Contact;
    use crate::retarget::roles::find_roles::find_roles;
    use crate::template::Biped;
    use glam::DVec3;
    use sinew::skeleton::{Role, Side};

    #[test]
    fn steps_are_halved_where_feet_leave_their_places_and_never_to_more_frames_than_asked_for() {
        let skeleton = Biped::default().template().skeleton().unwrap();
        let rest = ModelPoseF64::of_pose(&skeleton, skeleton.rest());
        let target = Body::new(&skeleton, find_roles(&skeleton), rest.clone()).unwrap();
        let ground = Ground {
            target: &target,
            up: DVec3::Y,
            floor: 0.0,
            hip_height: 1.0,
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
            let mut frames = vec![locals(skeleton.rest()); 5];
            for (f, frame) in frames.iter_mut().enumerate() {
                frame[target.roles.joint(Role::Hips).unwrap()].translation.y -= 0.05 * f as f64;
            }
            let expected = standing.map(|joint| vec![rest.position(joint); 5]);
            ground.correct(&legs, &expected, &times, &mut frames);
            let (tangents, is_between) =
                ground.hold_between(&mut legs, &mut times, &mut frames, max_frames);
            assert_eq!(times.len(), frames.len());
            let kept = times.iter().zip(&is_between).filter(|f| !f.1);
            let kept: Vec<f32> = kept.map(|f| *f.0).collect();
            assert_eq!(kept, [0.0, 0.125, 0.25, 0.375, 0.5]);
            assert!(tangents.values().all(|keys| keys.len() == frames.len()));
            assert!(times.is_sorted_by(|a, b| a < b), "{times:?}");
            for leg in &legs {
                let Contact { first, last } = leg.contacts[0];
                assert_eq!([times[first], times[last]], [0.125, 0.375]);
                let position =
                    |f: &Vec<Local>| ModelPoseF64::of_locals(&skeleton, f).position(leg.standing);
                let positions: Vec<DVec3> = frames[first..=last].iter().map(position).collect();
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
