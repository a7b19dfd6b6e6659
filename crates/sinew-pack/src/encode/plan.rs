//! Plans for channels: constant, packed, or kept unchanged.

use crate::sampled::frames;
use crate::sampled::frames::{Local, near_side};
use crate::sampled::rows::is_on;
use crate::sampled::source::{arc, rotation_at, vector_at};
use sinew::clip::{Clip, Interpolation, JointTracks, Track};
use sinew::skeleton::Skeleton;
use sinew_math::transform::quat_f64::QuatF64;

/// Fraction of the bound below which the movement of a channel counts as constant.
const STILL: f64 = 0.01;
/// Number of checks from one key or frame to the next.
const PARTS: usize = 4;

/// Reason why a track is stored unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The track has stepped keys. Their jumps keep their times.
    Steps,
    /// No smaller encoding keeps to the error bound.
    Bound,
    /// The packed track would take more bytes.
    Size,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Plan {
    Rest,
    Constant,
    /// Index of the row of frames.
    Pack(usize),
    Raw(Kept),
}

impl Plan {
    pub fn is_packed(self) -> bool {
        matches!(self, Self::Pack(_))
    }

    pub fn row(self) -> Option<usize> {
        match self {
            Self::Pack(row) => Some(row),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct JointPlan {
    pub translation: Plan,
    pub rotation: Plan,
    pub scale: Plan,
    /// Row that fits the rotation, if finer frames of an ancestor moved the joint to a finer row.
    pub own_row: Option<usize>,
    /// Max distance from the joint to any point that moves with it.
    pub reach: f64,
    /// Max factor by which the scales of ancestors stretch `reach`.
    pub stretch: f64,
}

impl JointPlan {
    /// Translation, rotation and scale, with their tracks.
    pub fn channels<'p, 't>(
        &'p mut self,
        tracks: Option<&'t JointTracks>,
    ) -> [(&'p mut Plan, Option<&'t Track>); 3] {
        [
            (
                &mut self.translation,
                tracks.and_then(|t| t.translation.as_ref()),
            ),
            (&mut self.rotation, tracks.and_then(|t| t.rotation.as_ref())),
            (&mut self.scale, tracks.and_then(|t| t.scale.as_ref())),
        ]
    }

    /// Translation, rotation and scale.
    pub fn all(&self) -> [Plan; 3] {
        [self.translation, self.rotation, self.scale]
    }
}

pub(crate) struct Planner<'c> {
    pub skeleton: &'c Skeleton,
    pub clip: &'c Clip,
    /// Frame times of the available rows, coarsest first.
    pub rows: &'c [Vec<f32>],
    /// Local transform of every joint at every instant of the coarsest row.
    pub locals: &'c [Local],
    pub shell: f64,
    pub bound: f64,
    /// Max distance between a track and the lines of its row, as a fraction of the bound.
    pub strays: f64,
}

impl Planner<'_> {
    fn own(&self, joint: usize) -> &[Local] {
        let instants = self.locals.len() / self.skeleton.len();
        &self.locals[joint * instants..][..instants]
    }

    /// One plan per joint.
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
        let vector = |track: Option<&Track>, of: fn(&Local) -> [f64; 3], max_error: f64| {
            let Some(track) = track else {
                return Plan::Rest;
            };
            let channel = Moving {
                track,
                at: |time| vector_at(track, time),
                apart: frames::distance,
                between: line,
                max_error,
            };
            self.plan_channel(&channel, of(&rest), own.iter().map(of))
        };
        let max_error = self.bound / above;
        JointPlan {
            translation: vector(
                tracks.and_then(|t| t.translation.as_ref()),
                |l| l.translation,
                max_error,
            ),
            rotation: tracks
                .and_then(|t| t.rotation.as_ref())
                .map_or(Plan::Rest, |track| {
                    let channel = Moving {
                        track,
                        at: |time| rotation_at(track, time),
                        apart: QuatF64::angle_to,
                        between: short_arc,
                        max_error: self.bound / (reach * stretch),
                    };
                    self.plan_channel(&channel, rest.rotation, own.iter().map(|l| l.rotation))
                }),
            scale: vector(
                tracks.and_then(|t| t.scale.as_ref()),
                |l| l.scale,
                max_error / reach,
            ),
            own_row: None,
            reach,
            stretch: above,
        }
    }

    fn plan_channel<V: Copy, A: Fn(f64) -> V>(
        &self,
        channel: &Moving<'_, V, A>,
        rest: V,
        own: impl Iterator<Item = V> + Clone,
    ) -> Plan {
        let track = channel.track;
        let is_on = is_on(track, &self.rows[0]);
        let first = (channel.at)(f64::from(track.times()[0]));
        let stands = |at: V| {
            let near = |v: V| (channel.apart)(v, at) <= STILL * channel.max_error;
            if is_on {
                own.clone().all(near)
            } else {
                moments(track).all(|time| near((channel.at)(time)))
            }
        };
        if stands(rest) {
            Plan::Rest
        } else if stands(first) {
            Plan::Constant
        } else if track.interpolation() == Interpolation::Step {
            Plan::Raw(Kept::Steps)
        } else if self.rows[0].len() > 1 && is_on {
            Plan::Pack(0)
        } else {
            let mut rows = self.rows.iter();
            match rows.position(|times| times.len() > 1 && holds(times, channel, self.strays)) {
                Some(row) if row > 0 && self.rows[row].len() > raw_bytes(track) => {
                    Plan::Raw(Kept::Size)
                }
                Some(row) => Plan::Pack(row),
                None => Plan::Raw(Kept::Bound),
            }
        }
    }
}

/// Bytes of an unchanged track with its own key times.
pub(crate) fn raw_bytes(track: &Track) -> usize {
    4 * (track.values().len() + track.keys())
}

/// True if the lines between the frames of a row are near enough to the channel.
fn holds<V: Copy, A: Fn(f64) -> V>(times: &[f32], channel: &Moving<'_, V, A>, strays: f64) -> bool {
    let (first, last) = (times[0], times[times.len() - 1]);
    let near = |time: f64| {
        let at = time.clamp(f64::from(first), f64::from(last));
        let after = times.partition_point(|&t| f64::from(t) <= at);
        let after = after.clamp(1, times.len() - 1);
        let [from, to] = [after - 1, after].map(|f| f64::from(times[f]));
        let [a, b, truth] = [from, to, time].map(&channel.at);
        let found = (channel.between)(a, b, (at - from) / (to - from));
        (channel.apart)(truth, found) <= strays * channel.max_error
    };
    let mut between = times.windows(2).flat_map(|pair| parts([pair[0], pair[1]]));
    between.all(near) && moments(channel.track).all(near)
}

struct Moving<'t, V, A: Fn(f64) -> V> {
    track: &'t Track,
    at: A,
    apart: fn(V, V) -> f64,
    between: fn(V, V, f64) -> V,
    max_error: f64,
}

fn moments(track: &Track) -> impl Iterator<Item = f64> {
    let between = track.times().windows(2);
    between
        .flat_map(|pair| parts([pair[0], pair[1]]))
        .chain([f64::from(track.end_secs())])
}

fn parts(pair: [f32; 2]) -> impl Iterator<Item = f64> {
    let [a, b] = pair.map(f64::from);
    (0..PARTS).map(move |k| a + (b - a) * k as f64 / PARTS as f64)
}

fn line(a: [f64; 3], b: [f64; 3], along: f64) -> [f64; 3] {
    [0, 1, 2].map(|c| a[c] + (b[c] - a[c]) * along)
}

fn short_arc(a: QuatF64, b: QuatF64, along: f64) -> QuatF64 {
    arc(a, near_side(b, a), along)
}

pub(crate) fn is_lossy(plans: &[JointPlan], clip: &Clip) -> bool {
    let mut plans = plans.iter().cloned().enumerate();
    plans.any(|(joint, mut plan)| {
        let channels = plan.channels(clip.joint(joint)).into_iter();
        let mut tracked = channels.filter(|c| c.1.is_some());
        tracked.any(|(plan, _)| !matches!(plan, Plan::Raw(_)))
    })
}

/// Marks tracks to be stored unchanged: first the packed channels of a joint and its ancestors, in
/// a later call their other channels, and finally all channels of all joints.
pub(crate) fn keep_raw(plans: &mut [JointPlan], clip: &Clip, skeleton: &Skeleton, joint: usize) {
    let mut keep = |joint: usize, is_packed: bool| {
        let mut changed = false;
        for (plan, track) in plans[joint].channels(clip.joint(joint)) {
            let is_kept = matches!(plan, Plan::Raw(_)) || is_packed && !plan.is_packed();
            if track.is_some() && !is_kept {
                *plan = Plan::Raw(Kept::Bound);
                changed = true;
            }
        }
        changed
    };
    for is_packed in [true, false] {
        let chain = skeleton.hierarchy().ancestors(joint);
        if chain.fold(false, |changed, joint| keep(joint, is_packed) | changed) {
            return;
        }
    }
    for joint in 0..skeleton.len() {
        keep(joint, false);
    }
}
