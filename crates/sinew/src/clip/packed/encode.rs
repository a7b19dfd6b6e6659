//! From a clip to a packed one whose error has been measured.
//!
//! Joints are encoded parents first, each on top of what its ancestors decode to. How much of the error
//! a joint may pass on to its children is tried out, and the result is decoded and measured. When it
//! misses the bound, it is done again more carefully, and in the end with the worst tracks as they were.

use super::aim::{Aim, Freedoms};
use super::basis::Basis;
use super::extras::Extras;
use super::fit::Fit;
use super::frames::{self, Local, Map, unit};
use super::motion::{Head, MOST_FRAMES, Motion};
use super::quantise::{RotationJob, RotationTrack, VectorTrack, vector_track};
use super::write::{Coded, CodedJoint, motion_bytes};
use super::{PackError, PackedClip, measure};
use crate::clip::{Clip, ClipSpace, Track};
use crate::skeleton::Skeleton;
use crate::transform::quat_f64::QuatF64;
use glam::{Quat, Vec3};
use std::borrow::Cow;

/// What is left for `f32` arithmetic in the decoder.
const MARGIN: f64 = 0.997;
/// Parts of the bound that a joint may hand down, tried in turn.
const PASSED_ON: [f64; 3] = [0.38, 0.52, 0.68];
/// A channel that moves by less than this part of the bound stands still.
const STILL: f64 = 0.01;
/// The step of a translation, over the bound.
const SLIDE_STEP: f64 = 0.2;

/// How much finer a parent is turned for a child's sake, at most.
const LEAST_CARE: f64 = 0.05;
/// How many joints above one are done again for its sake.
const CARED_FOR: usize = 4;

/// How small, and measured how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackOptions {
    /// The largest displacement in object space, in the unit of the skeleton: a tenth of a millimetre by
    /// default, for skeletons in metres.
    pub max_error: f32,
    /// How far from a joint its points are, along each axis: three centimetres by default.
    pub shell: f32,
}

impl Default for PackOptions {
    fn default() -> Self {
        Self {
            max_error: 1e-4,
            shell: 0.03,
        }
    }
}

/// A packed clip and how it was got.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The clip.
    pub clip: PackedClip<'static>,
    /// What it took.
    pub report: PackReport,
}

/// What packing came to.
#[derive(Clone, Debug, PartialEq)]
pub struct PackReport {
    /// The motion chunk: tracks, ranges and times.
    pub motion_bytes: usize,
    /// The chunk of the skeleton and its names.
    pub skeleton_bytes: usize,
    /// The chunk of the clip's name, events, curves and morph weights.
    pub extras_bytes: usize,
    /// Forty bytes a joint a frame: translation, rotation and scale as they are.
    pub raw_bytes: usize,
    /// What was asked for.
    pub max_error: f32,
    /// What was measured; see [`super::object_space_error`]. At most `max_error`, unless that is below
    /// what `f32` can tell apart.
    pub measured_error: f32,
    /// Channels at rest, constant, packed, and kept as they were.
    pub channels: [usize; 4],
    /// Joints with a channel that was kept as it was.
    pub raw_joints: Vec<usize>,
}

/// Packs a clip for its skeleton: the smallest that strays by at most `options.max_error` anywhere.
///
/// Tracks that are not joined by straight lines or arcs (steps, cubics), whose keys stand on no regular
/// row of frames, or that the bound leaves no other choice for, are kept as they are.
pub fn pack(skeleton: &Skeleton, clip: &Clip, options: &PackOptions) -> Result<Packed, PackError> {
    check(skeleton, clip, options)?;
    let shell = f64::from(options.shell);
    let bound = f64::from(options.max_error);
    let mut encoder = Encoder::new(skeleton, clip, shell, bound);
    let mut careful = MARGIN;
    let mut tries = 0;
    loop {
        let mut best: Option<(usize, Vec<CodedJoint>)> = None;
        for passed_on in PASSED_ON {
            let joints = encoder.encode(bound * careful, passed_on);
            let size = motion_bytes(&encoder.head(options, 0.0), &joints).len();
            if best.as_ref().is_none_or(|b| size < b.0) {
                best = Some((size, joints));
            }
            if !encoder.has_tracks() {
                break;
            }
        }
        let joints = best.map(|b| b.1).unwrap_or_default();
        let mut packed = build(skeleton, clip, &encoder.head(options, 0.0), &joints)?;
        let (error, worst_joint) = measure::worst(skeleton, clip, &packed, options.shell);
        if error <= bound || !encoder.has_tracks() {
            // Rounded up, so that what the file says holds.
            let measured = (error as f32)
                .next_up()
                .min(options.max_error.max(error as f32));
            packed = build(skeleton, clip, &encoder.head(options, measured), &joints)?;
            let report = report(skeleton, &packed, &joints, options);
            return Ok(Packed {
                clip: packed,
                report,
            });
        }
        tries += 1;
        if tries < 3 {
            careful *= 0.97;
        } else {
            encoder.keep_raw(worst_joint);
        }
    }
}

fn check(skeleton: &Skeleton, clip: &Clip, options: &PackOptions) -> Result<(), PackError> {
    for (what, found) in [("bound", options.max_error), ("shell", options.shell)] {
        if !(found > 0.0 && found.is_finite()) {
            return Err(PackError::NotALength { what, found });
        }
    }
    if clip.space == ClipSpace::Model {
        return Err(PackError::ModelSpace);
    }
    let joints = skeleton.len();
    for tracks in &clip.joints {
        let joint = tracks.joint;
        if joint >= joints {
            return Err(PackError::NoSuchJoint { joint, joints });
        }
        let channels = [
            (&tracks.translation, 3),
            (&tracks.rotation, 4),
            (&tracks.scale, 3),
        ];
        for (track, wanted) in channels {
            let found = track.as_ref().map_or(wanted, Track::width);
            if found != wanted {
                return Err(PackError::Width {
                    joint,
                    wanted,
                    found,
                });
            }
        }
    }
    Ok(())
}

fn build(
    skeleton: &Skeleton,
    clip: &Clip,
    head: &Head,
    joints: &[CodedJoint],
) -> Result<PackedClip<'static>, PackError> {
    let bytes = Cow::Owned(motion_bytes(head, joints));
    // Only counts over four gigabytes do not come back as they were written.
    let motion = Motion::from_bytes(bytes, 0, skeleton.rest()).map_err(|_| PackError::TooLarge)?;
    Ok(PackedClip::new(motion, Extras::of(clip)))
}

fn report(
    skeleton: &Skeleton,
    packed: &PackedClip<'_>,
    joints: &[CodedJoint],
    options: &PackOptions,
) -> PackReport {
    let mut extras = Vec::new();
    packed.extras.write(&mut extras);
    let mut channels = [0; 4];
    for kind in packed.motion.kinds.iter().flatten() {
        channels[*kind as usize] += 1;
    }
    let is_raw = |joint: &CodedJoint| {
        matches!(joint.translation, Coded::Raw(_))
            || matches!(joint.rotation, Coded::Raw(_))
            || matches!(joint.scale, Coded::Raw(_))
    };
    PackReport {
        motion_bytes: packed.motion_bytes(),
        skeleton_bytes: super::file::skeleton_bytes(skeleton).len(),
        extras_bytes: extras.len(),
        raw_bytes: 40 * joints.len() * packed.frames().max(1),
        max_error: options.max_error,
        measured_error: packed.measured_error(),
        channels,
        raw_joints: (0..joints.len()).filter(|&j| is_raw(&joints[j])).collect(),
    }
}

/// What stays the same from one try to the next.
struct Encoder<'c> {
    skeleton: &'c Skeleton,
    clip: &'c Clip,
    shell: f64,
    times: Vec<f32>,
    fits: Vec<Fit>,
    /// Frames and half way between.
    instants: usize,
    /// `joint * instants + instant`.
    locals: Vec<Local>,
    truths: Vec<Map>,
    /// Product of rotations alone.
    turns: Vec<QuatF64>,
    /// Whether no scale but 1 is met on the way to a joint and at it.
    is_rigid: Vec<bool>,
    plans: Vec<JointPlan>,
}

/// What a joint's channels are to become.
#[derive(Clone, Debug)]
struct JointPlan {
    translation: Plan,
    rotation: Plan,
    scale: Plan,
    /// How far from the joint what hangs on it reaches, at rest.
    reach: f64,
    /// The largest factor by which scales above it stretch it.
    stretch: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Plan {
    Rest,
    Constant,
    Pack,
    Raw,
}

impl<'c> Encoder<'c> {
    fn new(skeleton: &'c Skeleton, clip: &'c Clip, shell: f64, bound: f64) -> Self {
        let mut times = frames::frame_times(clip);
        if times.len() > MOST_FRAMES {
            times.clear();
        }
        let count = skeleton.len();
        // A clip without frames is one instant.
        let instant_times = match times.is_empty() {
            true => vec![0.0],
            false => frames::instants(&times),
        };
        let instants = instant_times.len();
        let locals = frames::locals(clip, skeleton, &instant_times);
        let mut truths = Vec::with_capacity(locals.len());
        let mut turns: Vec<QuatF64> = Vec::with_capacity(locals.len());
        let mut is_rigid = Vec::new();
        for joint in 0..count {
            let own = &locals[joint * instants..][..instants];
            let parent = skeleton.parent(joint);
            for (instant, local) in own.iter().enumerate() {
                let (map, turn) = match parent {
                    Some(parent) => (
                        truths[parent * instants + instant],
                        turns[parent * instants + instant],
                    ),
                    None => (Map::IDENTITY, QuatF64::IDENTITY),
                };
                truths.push(map.with(local));
                turns.push(unit(turn.mul(local.rotation)));
            }
            let is_one = own.iter().all(|l| l.scale == [1.0; 3]);
            is_rigid.push(is_one && parent.is_none_or(|p| is_rigid[p]));
        }
        let fits = if times.len() > 1 {
            let bases = (0..16).filter_map(Basis::from_bits);
            // A cubic with a knot a frame holds nothing that a linear one does not.
            let useful = bases.filter(|b| b.is_linear || b.log2_spacing > 0);
            useful.map(|basis| Fit::new(basis, times.len())).collect()
        } else {
            Vec::new()
        };
        let mut encoder = Self {
            skeleton,
            clip,
            shell,
            times,
            fits,
            instants,
            locals,
            truths,
            turns,
            is_rigid,
            plans: Vec::new(),
        };
        encoder.plans = encoder.plan(bound);
        encoder
    }

    /// The front of the chunk.
    fn head(&self, options: &super::PackOptions, measured_error: f32) -> Head {
        let (start_secs, step) = frames::row_of(&self.times).unwrap_or((0.0, 1.0));
        Head {
            joints: self.skeleton.len(),
            frames: self.times.len(),
            start_secs,
            frames_per_sec: 1.0 / step,
            duration_secs: self.clip.duration_secs.max(0.0),
            shell: options.shell,
            max_error: options.max_error,
            measured_error,
            flags: 0,
        }
    }

    fn plan(&self, bound: f64) -> Vec<JointPlan> {
        let count = self.skeleton.len();
        let mut reach = vec![self.shell; count];
        let mut stretch = vec![1.0_f64; count];
        for joint in (1..count).rev() {
            if let Some(parent) = self.skeleton.parent(joint) {
                let longest = self
                    .own(joint)
                    .iter()
                    .map(|l| frames::distance(l.translation, [0.0; 3]));
                let arm = longest.fold(0.0, f64::max);
                reach[parent] = f64::max(reach[parent], arm + reach[joint]);
            }
        }
        for joint in 0..count {
            let own = self.own(joint).iter().flat_map(|l| l.scale).map(f64::abs);
            let above = self.skeleton.parent(joint).map_or(1.0, |p| stretch[p]);
            stretch[joint] = above * own.fold(0.0, f64::max).max(1e-6);
        }
        (0..count)
            .map(|joint| {
                let tracks = self.clip.joint(joint);
                let rest = Local::of(&self.skeleton.rest().get(joint));
                let above = self.skeleton.parent(joint).map_or(1.0, |p| stretch[p]);
                let moves = STILL * bound / above;
                let turns = moves / (reach[joint] * stretch[joint] / above);
                let own = self.own(joint);
                let vector = |track: Option<&Track>, of: fn(&Local) -> [f64; 3], still: f64| {
                    let far = |from: [f64; 3]| {
                        own.iter()
                            .map(|l| frames::distance(of(l), from))
                            .fold(0.0, f64::max)
                    };
                    self.plan_channel(track, far(of(&rest)) <= still, far(of(&own[0])) <= still)
                };
                let angle = |from: QuatF64| {
                    own.iter()
                        .map(|l| l.rotation.angle_to(from))
                        .fold(0.0, f64::max)
                };
                JointPlan {
                    translation: vector(
                        tracks.and_then(|t| t.translation.as_ref()),
                        |l| l.translation,
                        moves,
                    ),
                    rotation: self.plan_channel(
                        tracks.and_then(|t| t.rotation.as_ref()),
                        angle(rest.rotation) <= turns,
                        angle(own[0].rotation) <= turns,
                    ),
                    scale: vector(
                        tracks.and_then(|t| t.scale.as_ref()),
                        |l| l.scale,
                        moves / reach[joint],
                    ),
                    reach: reach[joint],
                    stretch: above,
                }
            })
            .collect()
    }

    fn plan_channel(&self, track: Option<&Track>, at_rest: bool, is_constant: bool) -> Plan {
        let Some(track) = track else {
            return Plan::Rest;
        };
        let on_frames = track.keys() == 1
            || frames::is_straight(track)
                && track
                    .times()
                    .iter()
                    .all(|t| self.times.binary_search_by(|f| f.total_cmp(t)).is_ok());
        match (on_frames, at_rest, is_constant) {
            (false, ..) => Plan::Raw,
            (_, true, _) => Plan::Rest,
            (.., true) => Plan::Constant,
            _ if self.fits.is_empty() => Plan::Raw,
            _ => Plan::Pack,
        }
    }

    fn own(&self, joint: usize) -> &[Local] {
        &self.locals[joint * self.instants..][..self.instants]
    }

    /// Whether anything is left that could be kept as it was.
    fn has_tracks(&self) -> bool {
        let is_raw = |plan: Plan| matches!(plan, Plan::Raw | Plan::Rest);
        let lossy = |joint: (usize, &JointPlan)| {
            let tracks = self.clip.joint(joint.0);
            let channel = |track: Option<&Track>, plan| track.is_some() && plan != Plan::Raw;
            let _ = is_raw;
            channel(
                tracks.and_then(|t| t.translation.as_ref()),
                joint.1.translation,
            ) || channel(tracks.and_then(|t| t.rotation.as_ref()), joint.1.rotation)
                || channel(tracks.and_then(|t| t.scale.as_ref()), joint.1.scale)
        };
        self.plans.iter().enumerate().any(lossy)
    }

    /// Keeps a joint and all above it as they were; everything, when they already are.
    fn keep_raw(&mut self, joint: usize) {
        let mut chain: Vec<usize> = self.skeleton.hierarchy().ancestors(joint).collect();
        chain.push(joint);
        let mut changed = false;
        for pass in 0..2 {
            let joints = if pass == 0 {
                chain.clone()
            } else {
                (0..self.plans.len()).collect()
            };
            for joint in joints {
                let tracks = self.clip.joint(joint);
                let plan = &mut self.plans[joint];
                let channels = [
                    (
                        tracks.and_then(|t| t.translation.as_ref()),
                        &mut plan.translation,
                    ),
                    (tracks.and_then(|t| t.rotation.as_ref()), &mut plan.rotation),
                    (tracks.and_then(|t| t.scale.as_ref()), &mut plan.scale),
                ];
                for (track, plan) in channels {
                    if track.is_some() && *plan != Plan::Raw {
                        *plan = Plan::Raw;
                        changed = true;
                    }
                }
            }
            if changed {
                return;
            }
        }
    }

    /// Every joint, parents first.
    fn encode(&self, bound: f64, passed_on: f64) -> Vec<CodedJoint> {
        let count = self.skeleton.len();
        let freedoms = Freedoms {
            skeleton: self.skeleton,
            turns: self
                .plans
                .iter()
                .map(|p| p.rotation == Plan::Pack)
                .collect(),
            slides: self
                .plans
                .iter()
                .map(|p| p.translation == Plan::Pack)
                .collect(),
            still: (0..count).map(|joint| self.own(joint)[0]).collect(),
        };
        let mut coded: Vec<CodedJoint> = Vec::with_capacity(count);
        let mut maps: Vec<Map> = Vec::with_capacity(self.truths.len());
        let mut turns: Vec<QuatF64> = Vec::with_capacity(self.turns.len());
        let mut care = vec![1.0; count];
        while coded.len() < count {
            let joint = coded.len();
            let above = match self.skeleton.parent(joint) {
                Some(parent) => {
                    let range = parent * self.instants..(parent + 1) * self.instants;
                    (maps[range.clone()].to_vec(), turns[range].to_vec())
                }
                None => (
                    vec![Map::IDENTITY; self.instants],
                    vec![QuatF64::IDENTITY; self.instants],
                ),
            };
            let mut aim = Aim::new(joint, &freedoms, self.shell, bound, passed_on);
            aim.care = care[joint];
            let (joint_code, locals) = self.encode_joint(joint, bound, &above, &aim);
            // Where a joint turns fast, it cannot make good half way between frames what those above it
            // are off by at them; so one of them is done again, more carefully.
            if let (Coded::Raw(_), Plan::Pack) = (&joint_code.rotation, self.plans[joint].rotation)
                && let Some(again) = self.careless(joint, &care)
            {
                care[again] *= 0.5;
                coded.truncate(again);
                maps.truncate(again * self.instants);
                turns.truncate(again * self.instants);
                continue;
            }
            for (instant, local) in locals.iter().enumerate() {
                maps.push(above.0[instant].with(local));
                turns.push(unit(above.1[instant].mul(local.rotation)));
            }
            coded.push(joint_code);
        }
        coded
    }

    /// The nearest of the joints above that has been done with the least care.
    fn careless(&self, joint: usize, care: &[f64]) -> Option<usize> {
        let above = self
            .skeleton
            .hierarchy()
            .ancestors(joint)
            .filter(|&j| j != joint);
        let packed = above.filter(|&j| self.plans[j].rotation == Plan::Pack);
        let mut found: Option<usize> = None;
        for joint in packed.take(CARED_FOR).filter(|&j| care[j] > LEAST_CARE) {
            if found.is_none_or(|f| care[joint] > care[f]) {
                found = Some(joint);
            }
        }
        found
    }

    /// One joint on top of its decoded parent, and what it decodes to.
    fn encode_joint(
        &self,
        joint: usize,
        bound: f64,
        (parents, parent_turns): &(Vec<Map>, Vec<QuatF64>),
        aim: &Aim,
    ) -> (CodedJoint, Vec<Local>) {
        let plan = &self.plans[joint];
        let tracks = self.clip.joint(joint);
        let rest = self.skeleton.rest().get(joint);
        let range = joint * self.instants..(joint + 1) * self.instants;
        let truths = &self.truths[range.clone()];
        let mut locals = self.own(joint).to_vec();

        let scale = self.code_vector(
            plan.scale,
            tracks.and_then(|t| t.scale.as_ref()),
            rest.scale,
            SLIDE_STEP * bound / (plan.reach * plan.stretch),
            |_, local| local.scale,
            |local| &mut local.scale,
            &mut locals,
        );
        let translation = self.code_vector(
            plan.translation,
            tracks.and_then(|t| t.translation.as_ref()),
            rest.translation,
            SLIDE_STEP * bound / plan.stretch,
            |instant, local| {
                let truth = truths[instant].origin;
                parents[instant]
                    .point_before(truth)
                    .unwrap_or(local.translation)
            },
            |local| &mut local.translation,
            &mut locals,
        );

        let is_rigid = self.is_rigid[joint] && plan.scale != Plan::Pack;
        let true_turns = &self.turns[range];
        let rotation = match (plan.rotation, tracks.and_then(|t| t.rotation.as_ref())) {
            (Plan::Rest, _) | (_, None) => {
                let turn = unit(QuatF64::from_quat(rest.rotation));
                locals.iter_mut().for_each(|l| l.rotation = turn);
                Coded::Rest
            }
            (Plan::Constant, Some(track)) => {
                let value = Quat::from_slice(track.key(0));
                let turn = unit(QuatF64::from_quat(value));
                locals.iter_mut().for_each(|l| l.rotation = turn);
                Coded::Constant(value)
            }
            (Plan::Raw, Some(track)) => Coded::Raw(track.clone()),
            (Plan::Pack, Some(track)) => {
                let mut targets: Vec<QuatF64> = Vec::with_capacity(self.times.len());
                for instant in (0..self.instants).step_by(2) {
                    let mut target = locals[instant].rotation;
                    if is_rigid {
                        let origin = parents[instant].point(locals[instant].translation);
                        let error = [0, 1, 2].map(|c| origin[c] - truths[instant].origin[c]);
                        let wanted = aim.corrected(true_turns[instant], error);
                        target = unit(parent_turns[instant].conjugate().mul(wanted));
                    }
                    if let Some(before) = targets.last()
                        && before.conjugate().mul(target).w < 0.0
                    {
                        target = QuatF64 {
                            v: target.v.map(|c| -c),
                            w: -target.w,
                        };
                    }
                    targets.push(target);
                }
                let job = RotationJob {
                    targets: &targets,
                    parents,
                    locals: &locals,
                    truths,
                    turns: is_rigid.then_some((parent_turns.as_slice(), true_turns)),
                    aim,
                };
                let packed: Option<(RotationTrack, Vec<QuatF64>)> = job.encode(&self.fits);
                match packed {
                    Some((packed, decoded)) => {
                        for (local, turn) in locals.iter_mut().zip(decoded) {
                            local.rotation = turn;
                        }
                        Coded::Packed(packed)
                    }
                    None => Coded::Raw(track.clone()),
                }
            }
        };
        let coded = CodedJoint {
            translation,
            rotation,
            scale,
        };
        (coded, locals)
    }

    /// A translation or scale, and what it decodes to in `locals`.
    #[expect(clippy::too_many_arguments, reason = "one call each for two channels")]
    fn code_vector(
        &self,
        plan: Plan,
        track: Option<&Track>,
        rest: Vec3,
        step: f64,
        target: impl Fn(usize, &Local) -> [f64; 3],
        of: fn(&mut Local) -> &mut [f64; 3],
        locals: &mut [Local],
    ) -> Coded<Vec3, VectorTrack> {
        let set_all = |locals: &mut [Local], value: Vec3| {
            let value = value.to_array().map(f64::from);
            locals.iter_mut().for_each(|l| *of(l) = value);
        };
        let Some(track) = track else {
            return Coded::Rest;
        };
        match plan {
            Plan::Rest => {
                set_all(locals, rest);
                Coded::Rest
            }
            Plan::Constant => {
                let value = Vec3::from_slice(track.key(0));
                set_all(locals, value);
                Coded::Constant(value)
            }
            Plan::Raw => Coded::Raw(track.clone()),
            Plan::Pack => {
                let frames = (0..self.instants).step_by(2);
                let targets: Vec<[f64; 3]> = frames.map(|i| target(i, &locals[i])).collect();
                let Some((packed, decoded)) = vector_track(&targets, step, &self.fits) else {
                    return Coded::Raw(track.clone());
                };
                for (instant, local) in locals.iter_mut().enumerate() {
                    let (a, b) = (decoded[instant / 2], decoded[instant.div_ceil(2)]);
                    *of(local) = [0, 1, 2].map(|c| 0.5 * (a[c] + b[c]));
                }
                Coded::Packed(packed)
            }
        }
    }
}
