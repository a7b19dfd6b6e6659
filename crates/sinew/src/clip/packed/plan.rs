//! Which channels stand still, which are packed and which are kept as they were.

use super::frames::{self, Local};
use crate::clip::{Clip, JointTracks, Track};
use crate::skeleton::Skeleton;
use crate::transform::quat_f64::QuatF64;

/// A channel that moves by less than this part of the bound stands still.
const STILL: f64 = 0.01;

/// What a channel is to become.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Plan {
    Rest,
    Constant,
    Pack,
    Raw,
}

/// What a joint's channels are to become.
#[derive(Clone, Debug)]
pub(super) struct JointPlan {
    pub translation: Plan,
    pub rotation: Plan,
    pub scale: Plan,
    /// How far from the joint what hangs on it reaches.
    pub reach: f64,
    /// The largest factor by which scales above it stretch it.
    pub stretch: f64,
}

impl JointPlan {
    /// Every channel that has a track.
    fn tracked(&mut self, tracks: Option<&JointTracks>) -> impl Iterator<Item = &mut Plan> {
        let has = |track: Option<&Option<Track>>| track.is_some_and(Option::is_some);
        let channels = [
            (has(tracks.map(|t| &t.translation)), &mut self.translation),
            (has(tracks.map(|t| &t.rotation)), &mut self.rotation),
            (has(tracks.map(|t| &t.scale)), &mut self.scale),
        ];
        channels
            .into_iter()
            .filter_map(|(has, plan)| has.then_some(plan))
    }
}

/// What to plan for.
pub(super) struct Planner<'c> {
    pub skeleton: &'c Skeleton,
    pub clip: &'c Clip,
    /// Of the frames that tracks may be packed at.
    pub times: &'c [f32],
    /// Every joint at every instant.
    pub locals: &'c [Local],
    pub shell: f64,
    pub bound: f64,
}

impl Planner<'_> {
    fn own(&self, joint: usize) -> &[Local] {
        let instants = self.locals.len() / self.skeleton.len();
        &self.locals[joint * instants..][..instants]
    }

    /// A plan a joint.
    pub fn plans(&self) -> Vec<JointPlan> {
        let count = self.skeleton.len();
        let mut reach = vec![self.shell; count];
        let mut stretch = vec![1.0_f64; count];
        for joint in (1..count).rev() {
            if let Some(parent) = self.skeleton.parent(joint) {
                let arms = self
                    .own(joint)
                    .iter()
                    .map(|l| frames::distance(l.translation, [0.0; 3]));
                reach[parent] = f64::max(reach[parent], arms.fold(0.0, f64::max) + reach[joint]);
            }
        }
        let above =
            |stretch: &[f64], joint| self.skeleton.parent(joint).map_or(1.0, |p| stretch[p]);
        for joint in 0..count {
            let own = self.own(joint).iter().flat_map(|l| l.scale).map(f64::abs);
            stretch[joint] = above(&stretch, joint) * own.fold(0.0, f64::max).max(1e-6);
        }
        let plan = |joint| self.plan(joint, reach[joint], stretch[joint], above(&stretch, joint));
        (0..count).map(plan).collect()
    }

    fn plan(&self, joint: usize, reach: f64, stretch: f64, above: f64) -> JointPlan {
        let tracks = self.clip.joint(joint);
        let rest = Local::of(&self.skeleton.rest().get(joint));
        let own = self.own(joint);
        let moves = STILL * self.bound / above;
        let turns = STILL * self.bound / (reach * stretch);
        let vector = |track: Option<&Track>, of: fn(&Local) -> [f64; 3], still: f64| {
            let far = |from: [f64; 3]| {
                let off = own.iter().map(|l| frames::distance(of(l), from));
                off.fold(0.0, f64::max) <= still
            };
            self.plan_channel(track, far(of(&rest)), far(of(&own[0])))
        };
        let near = |from: QuatF64| own.iter().all(|l| l.rotation.angle_to(from) <= turns);
        JointPlan {
            translation: vector(
                tracks.and_then(|t| t.translation.as_ref()),
                |l| l.translation,
                moves,
            ),
            rotation: self.plan_channel(
                tracks.and_then(|t| t.rotation.as_ref()),
                near(rest.rotation),
                near(own[0].rotation),
            ),
            scale: vector(
                tracks.and_then(|t| t.scale.as_ref()),
                |l| l.scale,
                moves / reach,
            ),
            reach,
            stretch: above,
        }
    }

    fn plan_channel(&self, track: Option<&Track>, at_rest: bool, is_constant: bool) -> Plan {
        let Some(track) = track else {
            return Plan::Rest;
        };
        let is_frame = |t: &f32| self.times.binary_search_by(|f| f.total_cmp(t)).is_ok();
        let on_frames =
            track.keys() == 1 || frames::is_straight(track) && track.times().iter().all(is_frame);
        match (on_frames, at_rest, is_constant) {
            (false, ..) => Plan::Raw,
            (_, true, _) => Plan::Rest,
            (.., true) => Plan::Constant,
            _ if self.times.len() < 2 => Plan::Raw,
            _ => Plan::Pack,
        }
    }
}

/// Whether anything is left that could be kept as it was.
pub(super) fn is_lossy(plans: &[JointPlan], clip: &Clip) -> bool {
    let mut plans = plans.iter().cloned().enumerate();
    plans.any(|(joint, mut plan)| plan.tracked(clip.joint(joint)).any(|p| *p != Plan::Raw))
}

/// Keeps a joint and all above it as they were; everything, when they already are.
pub(super) fn keep_raw(plans: &mut [JointPlan], clip: &Clip, skeleton: &Skeleton, joint: usize) {
    let mut keep = |joint: usize| {
        let mut changed = false;
        for plan in plans[joint].tracked(clip.joint(joint)) {
            changed |= *plan != Plan::Raw;
            *plan = Plan::Raw;
        }
        changed
    };
    let chain = skeleton.hierarchy().ancestors(joint);
    if chain.fold(false, |changed, joint| keep(joint) | changed) {
        return;
    }
    for joint in 0..skeleton.len() {
        keep(joint);
    }
}
