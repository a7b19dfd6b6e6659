use crate::clip::keyed::{Clip, ClipSpace, JointTracks};
use crate::clip::track::Track;
use crate::skeleton::JointMap;
use glam::{Quat, Vec3};
use sinew_math::transform::{Transform, quat};

impl Clip {
    /// Same motion for an edited skeleton. Keys of a joint with a new parent become relative to
    /// that parent. Motion between keys is exact. Tracks of merged or unknown joints are dropped.
    pub fn remapped(&self, map: &JointMap) -> Self {
        let mut joints: Vec<_> = self
            .joints
            .iter()
            .filter_map(|tracks| {
                let joint = map.get(tracks.joint)?;
                let frame = map.parent_from_old_parent(tracks.joint)?;
                let tracks = match self.space {
                    ClipSpace::Local if frame != Transform::IDENTITY => relative_to(&frame, tracks),
                    _ => tracks.clone(),
                };
                Some(JointTracks { joint, ..tracks })
            })
            .collect();
        joints.sort_by_key(|tracks| tracks.joint);
        Self {
            joints,
            ..self.clone()
        }
    }
}

/// Computes `parent_from_old_parent · key` for every key. The frame has a uniform scale, so each
/// channel maps alone: values by an affine map, tangents by its linear part.
fn relative_to(frame: &Transform, tracks: &JointTracks) -> JointTracks {
    let (s, t) = (frame.scale, frame.translation);
    let translation = |track: &Track| {
        track.map_elements(|is_tangent, v| {
            let scaled = Vec3::new(s.x * v[0], s.y * v[1], s.z * v[2]);
            let rotated = quat::rotate(frame.rotation, scaled).to_array();
            for (v, (rotated, offset)) in v.iter_mut().zip(rotated.into_iter().zip(t.to_array())) {
                *v = if is_tangent {
                    rotated
                } else {
                    rotated + offset
                };
            }
        })
    };
    let rotation = |track: &Track| {
        track.map_elements(|_, v| {
            let key = Quat::from_xyzw(v[0], v[1], v[2], v[3]);
            v.copy_from_slice(&quat::mul(frame.rotation, key).to_array());
        })
    };
    let scale = |track: &Track| {
        track.map_elements(|_, v| {
            for (v, s) in v.iter_mut().zip(s.to_array()) {
                *v *= s;
            }
        })
    };
    JointTracks {
        joint: tracks.joint,
        translation: tracks.translation.as_ref().map(translation),
        rotation: tracks.rotation.as_ref().map(rotation),
        scale: tracks.scale.as_ref().map(scale),
    }
}
