//! Every joint of a clip to its code, parents first, each on top of what its ancestors decode to.

use crate::compensation::{Compensation, FreeJoints};
use crate::decoded::Decoded;
use crate::encoder::{Encoder, Row};
use crate::frames::{Local, unit};
use crate::motion_chunk::{Coded, CodedJoint};
use crate::plan::Plan;
use crate::quantise::RotationJob;
use crate::vectors::{VectorTrack, vector_track};
use glam::{Quat, Vec3};
use sinew::clip::Track;
use sinew_math::transform::quat_f64::QuatF64;

/// The step of a translation, over the bound.
const SLIDE_STEP: f64 = 0.2;
/// How much finer a parent is turned for a child's sake, at most.
const LEAST_CARE: f64 = 0.05;
/// How many joints above one are done again for its sake.
const CARED_FOR: usize = 4;

impl Encoder<'_> {
    /// Every joint, parents first.
    pub fn encode(&mut self, bound: f64, passed_on: f64) -> Vec<CodedJoint> {
        let count = self.skeleton.len();
        let free = FreeJoints {
            skeleton: self.skeleton,
            turns: self.plans.iter().map(|p| p.rotation.is_packed()).collect(),
            slides: self
                .plans
                .iter()
                .map(|p| p.translation.is_packed())
                .collect(),
            still: (0..count).map(|joint| self.own(joint)[0]).collect(),
        };
        let mut coded: Vec<CodedJoint> = Vec::with_capacity(count);
        let mut decoded = Decoded::default();
        let mut care = vec![1.0; count];
        while coded.len() < count {
            let joint = coded.len();
            let above = decoded.of(self.skeleton.parent(joint), self.instants);
            let mut compensation = match free.turns[joint] {
                true => Compensation::new(joint, &free, self.shell, bound, passed_on),
                false => Compensation::default(),
            };
            compensation.care = care[joint];
            let (joint_code, locals, even) = self.encode_joint(joint, bound, &above, &compensation);
            if let (Coded::Raw(_), Plan::Pack(row)) =
                (&joint_code.rotation, self.plans[joint].rotation)
            {
                // What finer frames above it are off by, it can only make good at such frames itself.
                if let Some(finer) = self.finest_above(joint).filter(|&above| above > row) {
                    self.plans[joint].rotation = Plan::Pack(finer);
                    self.plans[joint].own_row.get_or_insert(row);
                    continue;
                }
                // Where a joint turns fast, it cannot make good half way between frames what those above it
                // are off by at them; so one of them is done again, more carefully.
                if let Some(again) = self.careless(joint, &care) {
                    care[again] *= 0.5;
                    coded.truncate(again);
                    decoded.truncate(again * self.instants);
                    continue;
                }
            }
            for (instant, local) in locals.iter().enumerate() {
                decoded.maps.push(above.maps[instant].with(local));
                decoded
                    .turns
                    .push(unit(above.turns[instant].mul(local.rotation)));
            }
            if self.is_even {
                let maps = above.even.iter().zip(&even);
                decoded
                    .even
                    .extend(maps.map(|(above, local)| above.with(local)));
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
        let packed = above.filter(|&j| self.plans[j].rotation.is_packed());
        let mut found: Option<usize> = None;
        for joint in packed.take(CARED_FOR).filter(|&j| care[j] > LEAST_CARE) {
            if found.is_none_or(|f| care[joint] > care[f]) {
                found = Some(joint);
            }
        }
        found
    }

    /// One joint on top of its decoded parent, and what it decodes to, sampled and unpacked.
    fn encode_joint(
        &self,
        joint: usize,
        bound: f64,
        above: &Decoded,
        compensation: &Compensation,
    ) -> (CodedJoint, Vec<Local>, Vec<Local>) {
        let (parents, parent_turns) = (&above.maps, &above.turns);
        let plan = &self.plans[joint];
        let tracks = self.clip.joint(joint);
        let rest = self.skeleton.rest().get(joint);
        let range = joint * self.instants..(joint + 1) * self.instants;
        let truths = &self.truths[range.clone()];
        let mut locals = self.own(joint).to_vec();
        let mut even_turns: Option<Vec<QuatF64>> = None;

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

        let is_rigid = self.is_rigid[joint] && !plan.scale.is_packed();
        let true_turns = &self.turns[range];
        let rotation = match (plan.rotation, tracks.and_then(|t| t.rotation.as_ref())) {
            (Plan::Rest, _) | (_, None) => {
                let turn = unit(QuatF64::from_quat(rest.rotation));
                locals.iter_mut().for_each(|l| l.rotation = turn);
                Coded::Rest
            }
            (Plan::Constant, Some(track)) => {
                let value = key_quat(track);
                let turn = unit(QuatF64::from_quat(value));
                locals.iter_mut().for_each(|l| l.rotation = turn);
                Coded::Constant(value)
            }
            (Plan::Raw(_), Some(track)) => Coded::Raw(track.clone()),
            (Plan::Pack(row), Some(track)) => {
                let Row {
                    times, apart, fits, ..
                } = &self.rows[row];
                let mut targets: Vec<QuatF64> = Vec::with_capacity(times.len());
                for instant in (0..self.instants).step_by(*apart) {
                    let mut target = locals[instant].rotation;
                    if is_rigid {
                        let origin = parents[instant].point(locals[instant].translation);
                        let error = [0, 1, 2].map(|c| origin[c] - truths[instant].origin[c]);
                        let wanted = compensation.corrected(true_turns[instant], error);
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
                    apart: *apart,
                    looked_at: self.looked_at(joint),
                    targets: &targets,
                    parents,
                    locals: &locals,
                    truths,
                    turns: is_rigid.then_some((parent_turns.as_slice(), true_turns)),
                    even_parents: self.is_even.then_some(above.even.as_slice()),
                    compensation,
                };
                match job.encode(fits) {
                    Some((packed, decoded)) => {
                        for (local, turn) in locals.iter_mut().zip(&decoded) {
                            local.rotation = turn[0];
                        }
                        even_turns = Some(decoded.iter().map(|turn| turn[1]).collect());
                        Coded::Packed(row, packed)
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
        let mut even = locals.clone();
        for (local, turn) in even.iter_mut().zip(even_turns.into_iter().flatten()) {
            local.rotation = turn;
        }
        (coded, locals, even)
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
                let value = key_vector(track);
                set_all(locals, value);
                Coded::Constant(value)
            }
            Plan::Raw(_) => Coded::Raw(track.clone()),
            Plan::Pack(row) => {
                let Row { apart, fits, .. } = &self.rows[row];
                let frames = (0..self.instants).step_by(*apart);
                let targets: Vec<[f64; 3]> = frames.map(|i| target(i, &locals[i])).collect();
                let Some((packed, decoded)) = vector_track(&targets, step, fits) else {
                    return Coded::Raw(track.clone());
                };
                for (instant, local) in locals.iter_mut().enumerate() {
                    let (frame, past) = (instant / apart, instant % apart);
                    let along = past as f64 / *apart as f64;
                    let a = decoded[frame];
                    let b = decoded[(frame + 1).min(decoded.len() - 1)];
                    *of(local) = [0, 1, 2].map(|c| (1.0 - along) * a[c] + along * b[c]);
                }
                Coded::Packed(row, packed)
            }
        }
    }
}

fn key_quat(track: &Track) -> Quat {
    let key = track.key(0);
    Quat::from_xyzw(key[0], key[1], key[2], key[3])
}

fn key_vector(track: &Track) -> Vec3 {
    let key = track.key(0);
    Vec3::new(key[0], key[1], key[2])
}
