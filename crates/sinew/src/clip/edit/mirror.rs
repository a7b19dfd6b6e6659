//! Mirroring of clips. `A` and `B` are the rest rotations in model space of the parent of a joint
//! and of the joint. `A'` and `B'` are the same for the partner of the joint, and `m` is the
//! mirror. A rotation `q` becomes `A'⁻¹ m(A q B⁻¹) B'`, a product with constants. Each key and
//! tangent therefore converts alone, without resampling.

use crate::clip::keyed::{Clip, ClipSpace, JointTracks};
use crate::clip::track::Track;
use crate::skeleton::Skeleton;
use glam::{Quat, Vec3};
use sinew_math::transform::{Axis, quat};

/// Factors this close to −1, 0 or 1 are rounded, so that mirroring twice restores the bits.
const NEAR: f32 = 1e-6;

impl Clip {
    /// Same motion mirrored along an axis of the model. `partner` maps each joint to its partner on
    /// the other side of the body, or to itself. Joints whose partner is not in the skeleton are
    /// omitted. Morph weights, curves and events do not change. Mirroring twice restores the clip.
    /// The bits are the same if the rest frames of partners are mirror images.
    pub fn mirrored(&self, skeleton: &Skeleton, partner: &[usize], across: Axis) -> Self {
        let rest = skeleton.rest_model();
        let orientations = orientations(skeleton);
        let orientation =
            |joint: Option<usize>| joint.map_or(Quat::IDENTITY, |joint| orientations[joint]);
        let mut joints: Vec<JointTracks> = Vec::new();
        for tracks in &self.joints {
            let joint = tracks.joint;
            let other = partner.get(joint).copied();
            let Some(other) = other.filter(|&o| o < skeleton.len() && joint < skeleton.len())
            else {
                continue;
            };
            let parents = match self.space {
                ClipSpace::Local => [joint, other].map(|j| orientation(skeleton.parent(j))),
                ClipSpace::Model => [Quat::IDENTITY; 2],
            };
            let turn = MirrorMap::new(
                parents,
                [joint, other].map(|j| orientation(Some(j))),
                across,
            );
            let places = match self.space {
                ClipSpace::Local => [joint, other].map(|j| skeleton.rest().get(j).translation),
                ClipSpace::Model => [joint, other].map(|j| rest.get(j).translation()),
            };
            joints.push(JointTracks {
                joint: other,
                translation: tracks
                    .translation
                    .as_ref()
                    .map(|t| turn.translation(t, places)),
                rotation: tracks.rotation.as_ref().map(|t| turn.rotation(t)),
                scale: tracks.scale.clone(),
            });
        }
        joints.sort_by_key(|tracks| tracks.joint);
        joints.dedup_by_key(|tracks| tracks.joint);
        Self {
            joints,
            ..self.clone()
        }
    }
}

/// Rotation of each joint at rest, in model space.
pub(in crate::clip) fn orientations(skeleton: &Skeleton) -> Vec<Quat> {
    let mut orientations: Vec<Quat> = Vec::with_capacity(skeleton.len());
    for joint in 0..skeleton.len() {
        let own = skeleton.rest().get(joint).rotation;
        let parent = skeleton.parent(joint).map(|p| orientations[p]);
        let whole = parent.map_or(own, |parent| quat::mul(parent, own));
        orientations.push(quat::normalized(whole));
    }
    orientations
}

/// Linear maps of the rotations and vectors of a joint to those of its partner.
pub(in crate::clip) struct MirrorMap {
    rotation: [[f32; 4]; 4],
    vector: [[f32; 3]; 3],
}

impl MirrorMap {
    pub fn new([a, a_other]: [Quat; 2], [b, b_other]: [Quat; 2], across: Axis) -> Self {
        let flipped = |v: Vec3| {
            let mut v = v.to_array();
            v[across.index()] = -v[across.index()];
            Vec3::from_array(v)
        };
        // The mirror keeps rotations about the flipped axis and inverts rotations about other axes.
        let mirrored = |q: Quat| {
            let axis = -flipped(Vec3::new(q.x, q.y, q.z));
            Quat::from_xyzw(axis.x, axis.y, axis.z, q.w)
        };
        let turned = |q: Quat| {
            let whole = quat::mul(quat::mul(a, q), b.conjugate());
            quat::mul(quat::mul(a_other.conjugate(), mirrored(whole)), b_other)
        };
        let moved = |v: Vec3| quat::rotate(a_other.conjugate(), flipped(quat::rotate(a, v)));
        let unit = |k: usize| {
            let mut unit = [0.0; 4];
            unit[k] = 1.0;
            Quat::from_array(unit)
        };
        Self {
            rotation: [0, 1, 2, 3].map(|k| turned(unit(k)).to_array().map(snapped)),
            vector: [Vec3::X, Vec3::Y, Vec3::Z].map(|v| moved(v).to_array().map(snapped)),
        }
    }

    pub fn rotation(&self, track: &Track) -> Track {
        track.map_elements(|_, v| {
            let key = [v[0], v[1], v[2], v[3]];
            v.copy_from_slice(&times(&self.rotation, key));
        })
    }

    pub fn translation(&self, track: &Track, [from, to]: [Vec3; 2]) -> Track {
        let [from, to] = [from, to].map(|v| v.to_array());
        // For mirrored rest positions, the value maps directly, which is more exact.
        let place = times(&self.vector, from);
        let is_mirrored = place
            .iter()
            .zip(to)
            .all(|(a, b)| (a - b).abs() <= NEAR * (1.0 + b.abs()));
        track.map_elements(|is_tangent, v| {
            let key = [v[0], v[1], v[2]];
            let moved = match is_tangent || is_mirrored {
                true => times(&self.vector, key),
                false => {
                    let beyond = [0, 1, 2].map(|k| key[k] - from[k]);
                    let beyond = times(&self.vector, beyond);
                    [0, 1, 2].map(|k| to[k] + beyond[k])
                }
            };
            v.copy_from_slice(&moved);
        })
    }
}

fn times<const N: usize>(columns: &[[f32; N]; N], v: [f32; N]) -> [f32; N] {
    std::array::from_fn(|row| (0..N).map(|k| columns[k][row] * v[k]).sum())
}

fn snapped(factor: f32) -> f32 {
    let whole = factor.round();
    if (factor - whole).abs() < NEAR {
        whole
    } else {
        factor
    }
}
