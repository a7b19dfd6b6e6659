//! Encodes every joint of a clip, parents first, relative to its decoded ancestors.

use super::compensation::{Compensation, FreeJoints};
use super::decoded::Decoded;
use super::encoder::{Encoder, Row};
use super::lines::RotationTrack;
use super::motion_chunk::{Coded, CodedJoint};
use super::plan::{Kept, Plan};
use super::quantise::RotationJob;
use super::vectors::{VectorTrack, vector_track};
use crate::sampled::frames::{Local, near_side, unit};
use glam::{Quat, Vec3};
use sinew::clip::Track;
use sinew_math::transform::quat_f64::QuatF64;

/// Step of a translation, as a fraction of the bound.
const SLIDE_STEP: f64 = 0.2;
/// Min care of a joint: a factor on its rotation steps that reduces the errors of its descendants.
const MIN_CARE: f64 = 0.05;
/// Max number of packed ancestors that may be encoded again for one joint.
const CARED_FOR: usize = 4;

impl Encoder<'_> {
    /// Encodes every joint, parents first.
    pub fn encode(&mut self, bound: f64, passed_on: f64) -> Vec<CodedJoint> {
        let count = self.skeleton.len();
        let free = FreeJoints {
            skeleton: self.skeleton,
            rotates: self.plans.iter().map(|p| p.rotation.is_packed()).collect(),
            slides: self
                .plans
                .iter()
                .map(|p| p.translation.is_packed())
                .collect(),
            still: (0..count).map(|joint| self.own(joint)[0]).collect(),
        };
        let mut coded: Vec<Option<CodedJoint>> = vec![None; count];
        let mut decoded = Decoded::new(count, self.instants, self.is_even);
        let mut care = self.care.clone();
        let mut joint = 0;
        while joint < count {
            if coded[joint].is_some() {
                joint += 1;
                continue;
            }
            let above = decoded.of(self.skeleton.parent(joint), self.instants);
            let mut compensation = if free.rotates[joint] {
                Compensation::new(joint, &free, self.shell, bound, passed_on)
            } else {
                Compensation::default()
            };
            compensation.care = care[joint];
            let (joint_code, locals, even) = self.encode_joint(joint, bound, &above, &compensation);
            if let (Coded::Raw(_), Plan::Pack(row)) =
                (&joint_code.rotation, self.plans[joint].rotation)
            {
                // Errors of ancestors on finer frames can be corrected only at such frames.
                if let Some(finer) = self.finest_above(joint).filter(|&above| above > row) {
                    self.plans[joint].rotation = Plan::Pack(finer);
                    self.plans[joint].own_row.get_or_insert(row);
                    continue;
                }
                // A joint that rotates fast cannot correct errors of its ancestors between frames.
                // So one ancestor is encoded again with more care.
                if let Some(again) = self.to_refine(joint, &care) {
                    care[again] *= 0.5;
                    coded[again] = None;
                    for below in again + 1..joint {
                        let parent = self.skeleton.parent(below);
                        if parent.is_some_and(|parent| coded[parent].is_none()) {
                            coded[below] = None;
                        }
                    }
                    joint = again;
                    continue;
                }
                // Later tries hardly make such a track fit, and would take long.
                if self.is_hasty && self.misses[joint].are_cramped.get() {
                    self.plans[joint].rotation = Plan::Raw(Kept::Bound);
                }
            }
            for (instant, local) in locals.iter().enumerate() {
                let at = joint * self.instants + instant;
                decoded.maps[at] = above.maps[instant].with(local);
                decoded.rotations[at] = unit(above.rotations[instant].mul(local.rotation));
                if self.is_even {
                    decoded.even[at] = above.even[instant].with(&even[instant]);
                }
            }
            coded[joint] = Some(joint_code);
        }
        if self.is_hasty && self.misses.iter().any(|misses| misses.are_cramped.get()) {
            self.care = care;
        }
        coded.into_iter().flatten().collect()
    }

    /// Nearest of the packed ancestors with the largest care factor that can still be reduced.
    fn to_refine(&self, joint: usize, care: &[f64]) -> Option<usize> {
        let above = self
            .skeleton
            .hierarchy()
            .ancestors(joint)
            .filter(|&j| j != joint);
        let packed = above.filter(|&j| self.plans[j].rotation.is_packed());
        let mut found: Option<usize> = None;
        for joint in packed.take(CARED_FOR).filter(|&j| care[j] > MIN_CARE) {
            if found.is_none_or(|f| care[joint] > care[f]) {
                found = Some(joint);
            }
        }
        found
    }

    /// Encodes a joint relative to its decoded parent. Also returns sampled and unpacked values.
    fn encode_joint(
        &self,
        joint: usize,
        bound: f64,
        above: &Decoded,
        compensation: &Compensation,
    ) -> (CodedJoint, Vec<Local>, Vec<Local>) {
        let plan = &self.plans[joint];
        let tracks = self.clip.joint(joint);
        let rest = self.skeleton.rest().get(joint);
        let truths = &self.truths[self.range(joint)];
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
                let before = above.maps[instant].point_before(truths[instant].origin);
                before.unwrap_or(local.translation)
            },
            |local| &mut local.translation,
            &mut locals,
        );
        let track = tracks.and_then(|t| t.rotation.as_ref());
        let (rotation, even_rotations) =
            self.code_rotation(joint, track, above, compensation, &mut locals);
        let coded = CodedJoint {
            translation,
            rotation,
            scale,
        };
        let mut even = locals.clone();
        for (local, rotation) in even.iter_mut().zip(even_rotations) {
            local.rotation = rotation;
        }
        (coded, locals, even)
    }

    /// Encodes a rotation, writes its decoded values to `locals` and returns any unpacked values.
    fn code_rotation(
        &self,
        joint: usize,
        track: Option<&Track>,
        above: &Decoded,
        compensation: &Compensation,
        locals: &mut [Local],
    ) -> (Coded<Quat, RotationTrack>, Vec<QuatF64>) {
        let set_all = |locals: &mut [Local], value: Quat| {
            let rotation = unit(QuatF64::from_quat(value));
            locals.iter_mut().for_each(|l| l.rotation = rotation);
        };
        let coded = match (self.plans[joint].rotation, track) {
            (Plan::Rest, _) | (_, None) => {
                set_all(locals, self.skeleton.rest().get(joint).rotation);
                Coded::Rest
            }
            (Plan::Constant, Some(track)) => {
                let value = key_quat(track);
                set_all(locals, value);
                Coded::Constant(value)
            }
            (Plan::Raw(_), Some(track)) => Coded::Raw(track.clone()),
            (Plan::Pack(row), Some(track)) => {
                let packed = self.pack_rotation(joint, row, above, compensation, locals);
                let Some((packed, decoded)) = packed else {
                    return (Coded::Raw(track.clone()), Vec::new());
                };
                for (local, [sampled, _]) in locals.iter_mut().zip(&decoded) {
                    local.rotation = *sampled;
                }
                let even_rotations = decoded.iter().map(|[_, even]| *even).collect();
                return (Coded::Packed(row, packed), even_rotations);
            }
        };
        (coded, Vec::new())
    }

    /// Packs a rotation at the frames of a row. Also returns the sampled and the unpacked value at
    /// every instant. `None` if no track keeps to the bound.
    fn pack_rotation(
        &self,
        joint: usize,
        row: usize,
        above: &Decoded,
        compensation: &Compensation,
        locals: &[Local],
    ) -> Option<(RotationTrack, Vec<[QuatF64; 2]>)> {
        let is_rigid = self.is_rigid[joint] && !self.plans[joint].scale.is_packed();
        let truths = &self.truths[self.range(joint)];
        let true_rotations = &self.rotations[self.range(joint)];
        let Row { apart, fits, .. } = &self.rows[row];
        let mut targets: Vec<QuatF64> = Vec::with_capacity(self.rows[row].times.len());
        for instant in (0..self.instants).step_by(*apart) {
            let local = &locals[instant];
            let mut target = local.rotation;
            if is_rigid {
                let origin = above.maps[instant].point(local.translation);
                let error = [0, 1, 2].map(|c| origin[c] - truths[instant].origin[c]);
                let expected = compensation.corrected(true_rotations[instant], error);
                target = unit(above.rotations[instant].conjugate().mul(expected));
            }
            if let Some(&before) = targets.last() {
                target = near_side(target, before);
            }
            targets.push(target);
        }
        let job = RotationJob {
            apart: *apart,
            looked_at: self.looked_at(joint),
            targets: &targets,
            parents: &above.maps,
            locals,
            truths,
            rotations: is_rigid.then_some((above.rotations.as_slice(), true_rotations)),
            even_parents: self.is_even.then_some(above.even.as_slice()),
            compensation,
            misses: &self.misses[joint],
        };
        job.encode(fits)
    }

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
