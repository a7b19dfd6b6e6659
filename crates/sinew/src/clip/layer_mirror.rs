//! Mirroring of layers over clips.

use super::edit::mirror::{MirrorMap, orientations};
use super::keyed::{Clip, JointTracks};
use super::layers::ClipLayer;
use crate::skeleton::Skeleton;
use glam::{Quat, Vec3};
use sinew_math::transform::Axis;

impl ClipLayer {
    /// Same layer mirrored along an axis of the model, over a clip mirrored by [`Clip::mirrored`] with the same partners.
    /// Joints whose partner is not in the skeleton are omitted.
    pub fn mirrored(&self, skeleton: &Skeleton, partner: &[usize], across: Axis) -> Self {
        let other = |joint: usize| {
            let other = partner.get(joint).copied();
            other.filter(|&other| other < skeleton.len() && joint < skeleton.len())
        };
        let mut joints: Vec<usize> = self.joints.iter().filter_map(|&j| other(j)).collect();
        joints.sort_unstable();
        joints.dedup();
        let tracks = if self.additive {
            self.mirrored_differences(skeleton, other, across)
        } else {
            let mut clip = Clip::default();
            clip.joints.clone_from(&self.tracks);
            clip.mirrored(skeleton, partner, across).joints
        };
        Self {
            joints,
            tracks,
            ..self.clone()
        }
    }

    /// Tracks of an additive layer: offsets in the frame of the parent, rotations in the frame of the joint.
    fn mirrored_differences(
        &self,
        skeleton: &Skeleton,
        other: impl Fn(usize) -> Option<usize>,
        across: Axis,
    ) -> Vec<JointTracks> {
        let orientations = orientations(skeleton);
        let mirrored = |tracks: &JointTracks| {
            let pair = [tracks.joint, other(tracks.joint)?];
            let own = pair.map(|joint| orientations[joint]);
            let parents = pair.map(|joint| {
                let parent = skeleton.parent(joint);
                parent.map_or(Quat::IDENTITY, |parent| orientations[parent])
            });
            let offset = MirrorMap::new(parents, own, across);
            let own_map = MirrorMap::new(own, own, across);
            let translation = tracks.translation.as_ref();
            Some(JointTracks {
                joint: pair[1],
                translation: translation.map(|t| offset.translation(t, [Vec3::ZERO; 2])),
                rotation: tracks.rotation.as_ref().map(|t| own_map.rotation(t)),
                scale: tracks.scale.clone(),
            })
        };
        let mut tracks: Vec<JointTracks> = self.tracks.iter().filter_map(mirrored).collect();
        tracks.sort_by_key(|tracks| tracks.joint);
        tracks.dedup_by_key(|tracks| tracks.joint);
        tracks
    }
}
