//! State of a clip while it is encoded: exact values at each instant, a plan for each channel, and
//! rows. A row is a list of frame times.

use super::fit::Fit;
use super::motion_chunk::{CodedJoint, Part, motion_bytes};
use super::plan::{JointPlan, Plan, Planner};
use super::quantise::Misses;
use crate::options::PackOptions;
use crate::sampled::frames::{Local, Map, unit};
use crate::sampled::rows::Rows;
use crate::sampled::{frames, rows, source};
use sinew::clip::Clip;
use sinew::clip::packed::format::{Head, Spacing, UNEVEN};
use sinew::skeleton::Skeleton;
use sinew_math::transform::quat_f64::QuatF64;
use std::ops::Range;

pub(crate) struct Row {
    pub times: Vec<f32>,
    /// Number of instants from one frame to the next.
    pub apart: usize,
    pub fits: Vec<Fit>,
}

pub(crate) struct Encoder<'c> {
    pub skeleton: &'c Skeleton,
    pub clip: &'c Clip,
    pub shell: f64,
    /// Rows that tracks need, coarsest first.
    pub rows: Vec<Row>,
    /// True if the chunks must list the times of their frames.
    pub is_uneven: bool,
    /// Number of instants: frames of the finest row and the midpoints between them.
    pub instants: usize,
    /// Local transforms, indexed `joint * instants + instant`.
    pub locals: Vec<Local>,
    pub truths: Vec<Map>,
    /// Products of the rotations from the root to the joint, without scale and translation.
    pub rotations: Vec<QuatF64>,
    /// True for joints that have scale 1 and whose ancestors all have scale 1.
    pub is_rigid: Vec<bool>,
    pub plans: Vec<JointPlan>,
    /// True if the unpacked clip must also be checked against the bound.
    pub is_even: bool,
    /// Rotations that missed the bound so far.
    pub misses: Vec<Misses>,
    /// True for a bound that is hardly coarser than the clip's own numbers. Then the care of the first try is kept,
    /// and rotations that need too many bits are not tried again.
    pub is_hasty: bool,
    /// Factor on the rotation steps of each joint, at which encoding begins.
    pub care: Vec<f64>,
}

impl<'c> Encoder<'c> {
    /// State before encoding. `strays` is the max distance of a track from the lines between
    /// frames, as a fraction of the bound.
    pub fn new(
        skeleton: &'c Skeleton,
        clip: &'c Clip,
        Rows {
            times: rows,
            are_uneven,
        }: &Rows,
        options: &PackOptions,
        strays: f64,
    ) -> Self {
        let [shell, bound] = [options.shell, options.max_error].map(f64::from);
        let count = skeleton.len();
        let instant_times = |row: &[f32]| {
            if row.is_empty() {
                vec![0.0]
            } else {
                frames::instants(row)
            }
        };
        let mut locals = source::locals(clip, skeleton, &instant_times(&rows[0]));
        let planner = Planner {
            skeleton,
            clip,
            rows,
            locals: &locals,
            shell,
            bound,
            strays,
        };
        let mut plans = planner.plans();
        let needed = needed(&mut plans, rows.len());
        let finest = &rows[needed[needed.len() - 1]];
        let instant_times = instant_times(finest);
        let instants = instant_times.len();
        if finest.len() != rows[0].len() {
            locals = source::locals(clip, skeleton, &instant_times);
        }
        let rows = needed.iter().map(|&row| {
            let times = rows[row].clone();
            let finer = (finest.len().max(2) - 1) / (times.len().max(2) - 1);
            let mut fits = Vec::new();
            if times.len() > 1 {
                fits.extend(Spacing::all().map(|spacing| Fit::new(spacing, &times, *are_uneven)));
            }
            Row {
                times,
                apart: 2 * finer,
                fits,
            }
        });
        let rows: Vec<Row> = rows.collect();
        let is_several = rows.len() > 1;
        let mut truths = Vec::with_capacity(locals.len());
        let mut rotations: Vec<QuatF64> = Vec::with_capacity(locals.len());
        let mut is_rigid = Vec::new();
        for joint in 0..count {
            let own = &locals[joint * instants..][..instants];
            let parent = skeleton.parent(joint);
            for (instant, local) in own.iter().enumerate() {
                let (map, rotation) = match parent {
                    Some(parent) => (
                        truths[parent * instants + instant],
                        rotations[parent * instants + instant],
                    ),
                    None => (Map::IDENTITY, QuatF64::IDENTITY),
                };
                truths.push(map.with(local));
                rotations.push(unit(rotation.mul(local.rotation)));
            }
            let is_one = own.iter().all(|l| l.scale == [1.0; 3]);
            is_rigid.push(is_one && parent.is_none_or(|p| is_rigid[p]));
        }
        Self {
            skeleton,
            clip,
            shell,
            rows,
            is_uneven: *are_uneven,
            instants,
            locals,
            truths,
            rotations,
            is_rigid,
            plans,
            // Between keys that are not on frames, the unpacked clip follows an arc, the sampled
            // clip a chord.
            is_even: is_several,
            is_hasty: false,
            misses: vec![Misses::default(); count],
            care: vec![1.0; count],
        }
    }

    /// Error that `f32` may add: the last bits of the largest coordinate.
    pub fn rounding(&self) -> f64 {
        let far = self.truths.iter().flat_map(|m| m.origin).map(f64::abs);
        let reach = self.plans.iter().map(|p| p.reach);
        (far.fold(0.0, f64::max) + reach.fold(0.0, f64::max)) * f64::from(f32::EPSILON)
    }

    /// Motion chunks: the main chunk, and one chunk for each finer row that has tracks.
    pub fn chunks(
        &self,
        options: &PackOptions,
        measured_error: f32,
        joints: &[CodedJoint],
    ) -> Vec<Vec<u8>> {
        let mut rows: Vec<usize> = (0..self.rows.len())
            .filter(|&row| joints.iter().any(|j| j.is_on(row)))
            .collect();
        if rows.is_empty() {
            rows.push(0);
        }
        let chunk = |&row: &usize| {
            let is_main = row == rows[0];
            let times = &self.rows[row].times;
            let mut head = self.head(times, options, measured_error);
            if self.is_uneven && joints.iter().any(|j| j.is_on(row)) {
                head.flags |= UNEVEN;
            }
            motion_bytes(&head, times, joints, Part { row, is_main })
        };
        rows.iter().map(chunk).collect()
    }

    fn head(&self, times: &[f32], options: &PackOptions, measured_error: f32) -> Head {
        let fitted = rows::fitted(times).filter(|_| self.is_even);
        let row = fitted.or_else(|| rows::row_of(times));
        let (start_secs, step) = row.unwrap_or((0.0, 1.0));
        Head {
            joints: self.skeleton.len(),
            frames: times.len(),
            start_secs,
            frames_per_sec: 1.0 / step,
            duration_secs: self.clip.duration_secs.max(0.0),
            shell: options.shell,
            max_error: options.max_error,
            measured_error,
            flags: 0,
        }
    }

    /// Finest row that moves a joint or any of its ancestors.
    pub fn finest_above(&self, joint: usize) -> Option<usize> {
        let chain = self.skeleton.hierarchy().ancestors(joint);
        let plans = chain.flat_map(|joint| self.plans[joint].all());
        plans.filter_map(Plan::row).max()
    }

    /// Number of instants from one check of a joint to the next. Checks are at the frames of its
    /// finest row and midway between them.
    pub fn looked_at(&self, joint: usize) -> usize {
        let row = self.finest_above(joint);
        row.map_or(1, |row| self.rows[row].apart / 2)
    }

    /// Range of the values of a joint in `locals`, `truths` and `rotations`.
    pub fn range(&self, joint: usize) -> Range<usize> {
        joint * self.instants..(joint + 1) * self.instants
    }

    pub fn own(&self, joint: usize) -> &[Local] {
        &self.locals[self.range(joint)]
    }
}

/// Indices of the rows with packed tracks, or only the first row if no track is packed. Renumbers
/// the rows of `plans`.
fn needed(plans: &mut [JointPlan], rows: usize) -> Vec<usize> {
    let is_needed = |row: &usize| {
        let mut all = plans.iter().flat_map(JointPlan::all);
        all.any(|plan| plan == Plan::Pack(*row))
    };
    let mut needed: Vec<usize> = (0..rows).filter(is_needed).collect();
    if needed.is_empty() {
        needed.push(0);
    }
    for plan in plans {
        for channel in [&mut plan.translation, &mut plan.rotation, &mut plan.scale] {
            if let Plan::Pack(row) = channel {
                *row = needed.iter().position(|n| n == row).unwrap_or(0);
            }
        }
    }
    needed
}
