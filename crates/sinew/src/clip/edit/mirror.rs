//! A clip with left and right exchanged.
//!
//! The motion of a joint beyond its rest pose is done, mirrored, by its partner. With rest orientations `A` of the parent and
//! `B` of the joint in model space, a partner's `A'` and `B'`, and `m` the mirror, a rotation `q` of the joint becomes
//! `A'⁻¹ m(A q B⁻¹) B'`: a product with constants on both sides, so keys and their tangents go one by one and nothing is
//! sampled anew.

use crate::clip::keyed::{Clip, ClipSpace, JointTracks};
use crate::clip::track::Track;
use crate::skeleton::Skeleton;
use glam::{Quat, Vec3};
use sinew_math::transform::{Axis, quat};

/// A factor so near to −1, 0 or 1 is that: frames that are mirrored exactly but for their rounding make motion that comes
/// back to the bit.
const NEAR: f32 = 1e-6;

impl Clip {
    /// The same motion by the other side: `partner` names for every joint the one on the other side, or itself. The mirror
    /// is across an axis of the model. Clips of model space are mirrored likewise. Morph weights, curves and events stay.
    /// Twice gives the clip back, to the bit where the frames of partners are mirrored along axes.
    ///
    /// Joints that are not in the skeleton, or whose partner is not, are left out.
    pub fn mirrored(&self, skeleton: &Skeleton, partner: &[usize], across: Axis) -> Self {
        let rest = skeleton.rest_model();
        let mut orientations: Vec<Quat> = Vec::with_capacity(skeleton.len());
        for joint in 0..skeleton.len() {
            let own = skeleton.rest().get(joint).rotation;
            let parent = skeleton.parent(joint).map(|p| orientations[p]);
            let whole = parent.map_or(own, |parent| quat::mul(parent, own));
            orientations.push(quat::normalized(whole));
        }
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
            let turn = Turn::new(
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

/// The two linear maps from a joint to its partner.
struct Turn {
    /// Of the numbers of a quaternion.
    rotation: [[f32; 4]; 4],
    /// Of a vector in the parent's frame.
    vector: [[f32; 3]; 3],
}

impl Turn {
    fn new([a, a_other]: [Quat; 2], [b, b_other]: [Quat; 2], across: Axis) -> Self {
        let flipped = |v: Vec3| {
            let mut v = v.to_array();
            v[across.index()] = -v[across.index()];
            Vec3::from_array(v)
        };
        // A turn about the axis that is flipped keeps its sense; about the others it changes.
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

    fn rotation(&self, track: &Track) -> Track {
        track.map_elements(|_, v| {
            let key = [v[0], v[1], v[2], v[3]];
            v.copy_from_slice(&times(&self.rotation, key));
        })
    }

    fn translation(&self, track: &Track, [from, to]: [Vec3; 2]) -> Track {
        let [from, to] = [from, to].map(|v| v.to_array());
        // Where rest places are mirrored, numbers themselves are, without the detour over their difference.
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

/// A linear map, given by what becomes of each axis.
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
