use glam::Quat;
use sinew::clip::{JointTracks, Track};
use sinew::transform::{Axis, product_of_rotations, quat};
use sinew::{Interpolation, TrackError};
use std::sync::Arc;

use super::channel::Channel;
use super::hierarchy::{Hierarchy, Joint, repaired};
use crate::report::FileReport;

/// Keys of three numbers. Each number comes from a column of the frame or from the rest pose.
struct Vectors {
    columns: [Option<usize>; 3],
    rest: [f64; 3],
    keys: Vec<f32>,
}

impl Vectors {
    fn new(rest: [f64; 3]) -> Self {
        Self {
            columns: [None; 3],
            rest,
            keys: Vec::new(),
        }
    }

    fn push(&mut self, row: &[f64]) {
        let key = |axis: usize| self.columns[axis].map_or(self.rest[axis], |column| row[column]);
        let key = [key(0), key(1), key(2)].map(|number| number as f32);
        self.keys.extend_from_slice(&key);
    }
}

/// Keys of rotations. Columns of the frame give the angles. The first rotation is outermost.
#[derive(Default)]
struct Rotations {
    rotations: Vec<(Axis, usize)>,
    keys: Vec<f32>,
}

impl Rotations {
    /// Adds a rotation. Its sign is nearest to the key before, or to the rest pose.
    fn push(&mut self, row: &[f64]) {
        // A quaternion repeats after 720°. The remainder of a division is exact for any angle, and
        // slow, so small angles do without.
        let angle_rad = |column: usize| match row[column] {
            angle if angle.abs() < 720.0 => angle.to_radians(),
            angle => (angle % 720.0).to_radians(),
        };
        let rotations = self.rotations.iter();
        let rotation =
            product_of_rotations(rotations.map(|&(axis, column)| (axis, angle_rad(column))));
        let before = self.keys.last_chunk::<4>();
        let before = before.map_or(Quat::IDENTITY, |key| Quat::from_array(*key));
        self.keys
            .extend_from_slice(&quat::aligned(rotation, before).to_array());
    }
}

pub(super) struct JointKeys {
    joint: usize,
    translation: Option<Vectors>,
    rotation: Option<Rotations>,
    scale: Option<Vectors>,
}

impl JointKeys {
    fn new(joint: usize) -> Self {
        Self {
            joint,
            translation: None,
            rotation: None,
            scale: None,
        }
    }

    pub(super) fn push(&mut self, row: &[f64]) {
        for vectors in [&mut self.translation, &mut self.scale] {
            vectors.iter_mut().for_each(|vectors| vectors.push(row));
        }
        self.rotation.iter_mut().for_each(|turns| turns.push(row));
    }

    pub(super) fn bytes_per_frame(&self) -> usize {
        let has = [self.translation.is_some(), self.scale.is_some()];
        let vectors = has.into_iter().filter(|has| *has).count();
        (3 * vectors + 4 * usize::from(self.rotation.is_some())) * size_of::<f32>()
    }

    pub(super) fn reserve(&mut self, frames: usize) {
        for vectors in [&mut self.translation, &mut self.scale] {
            vectors
                .iter_mut()
                .for_each(|vectors| vectors.keys.reserve_exact(3 * frames));
        }
        self.rotation
            .iter_mut()
            .for_each(|turns| turns.keys.reserve_exact(4 * frames));
    }

    pub(super) fn into_tracks(self, times: &Arc<Vec<f32>>) -> Result<JointTracks, TrackError> {
        let track = |mut keys: Vec<f32>, width, interpolation| {
            keys.shrink_to_fit();
            Track::new(Arc::clone(times), keys, width, interpolation)
        };
        let vectors = |vectors: Option<Vectors>| {
            let track = vectors.map(|vectors| track(vectors.keys, 3, Interpolation::Linear));
            track.transpose()
        };
        let turns = self.rotation;
        let rotation = turns.map(|turns| track(turns.keys, 4, Interpolation::Slerp));
        Ok(JointTracks {
            joint: self.joint,
            translation: vectors(self.translation)?,
            rotation: rotation.transpose()?,
            scale: vectors(self.scale)?,
        })
    }
}

/// Empty keys for every joint with channels, in ascending order, and the values of the rest pose.
pub(super) fn keys(hierarchy: &Hierarchy, report: &mut FileReport) -> (Vec<JointKeys>, Vec<f64>) {
    let mut all: Vec<Option<JointKeys>> = Vec::new();
    all.resize_with(hierarchy.joints.len(), || None);
    let mut rest_row = Vec::with_capacity(hierarchy.channels.len());
    for (column, &(joint, channel)) in hierarchy.channels.iter().enumerate() {
        let Joint { offset, .. } = hierarchy.joints[joint];
        let slot = &mut all[joint];
        if channel != Channel::Unknown && slot.is_none() {
            *slot = Some(JointKeys::new(joint));
        }
        let (rest, earlier) = match (channel, slot) {
            (Channel::Rotation(axis), Some(keys)) => {
                let rotations = keys.rotation.get_or_insert_default();
                rotations.rotations.push((axis, column));
                (0.0, None)
            }
            (Channel::Position(axis), Some(keys)) => {
                let translation = &mut keys.translation;
                let vectors = translation.get_or_insert_with(|| Vectors::new(offset));
                let earlier = vectors.columns[axis.index()].replace(column);
                (offset[axis.index()], earlier)
            }
            (Channel::Scale(axis), Some(keys)) => {
                let vectors = keys.scale.get_or_insert_with(|| Vectors::new([1.0; 3]));
                (1.0, vectors.columns[axis.index()].replace(column))
            }
            _ => (0.0, None),
        };
        rest_row.push(rest);
        if earlier.is_some() {
            let Joint { name, line, .. } = &hierarchy.joints[joint];
            let message = format_args!("{name:?} has a channel twice; the last was used");
            repaired(report, "SECOND_CHANNEL", *line, message);
        }
    }
    (all.into_iter().flatten().collect(), rest_row)
}
