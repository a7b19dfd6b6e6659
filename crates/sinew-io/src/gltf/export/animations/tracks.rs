//! An animation from the tracks of a clip.

use super::keys::{in_local_space, keys};
use super::pointers::Moved;
use crate::gltf::check::shapes::Walk;
use crate::gltf::document::format::ElementType;
use crate::gltf::document::json::Rest;
use crate::gltf::document::schema::{self, Channel, ChannelTarget, Sampler, TargetPath};
use crate::gltf::export::buffer::Purpose;
use crate::gltf::export::error::{ExportError, check_count};
use crate::gltf::export::exporter::{Exporter, name};
use crate::gltf::export::meshes::WrittenMesh;
use crate::gltf::export::plan::Plan;
use crate::gltf::export::shared::{WrittenTrack, track_key};
use crate::gltf::extras::motion::write_tangents;
use crate::report::{FileReport, Severity};
use sinew::clip::JointTracks;
use sinew::{Clip, Interpolation, Track};
use std::collections::{HashMap, HashSet};

/// An animation, and the names of the curves that its channels hold.
pub(super) fn animation(
    exporter: &mut Exporter<'_>,
    clip: &Clip,
    source: &schema::Animation,
    location: &str,
    (plan, meshes): (&Plan, &[Option<WrittenMesh>]),
) -> Result<(schema::Animation, HashSet<String>), ExportError> {
    check_widths(clip, location)?;
    let not_finite = |_| ExportError::not_finite(location);
    let local = in_local_space(clip, &exporter.character.skeleton).map_err(not_finite)?;
    let mut writer = ClipWriter {
        exporter,
        location,
        source,
        source_channels: source.channels.iter().filter_map(with_property).collect(),
        targets: HashSet::new(),
        written: schema::Animation {
            name: name(&clip.name),
            rest: source.rest.clone(),
            ..schema::Animation::default()
        },
    };
    writer.joints(&local, plan)?;
    writer.morphs(&local, meshes)?;
    let pointed = writer.curves(clip)?;
    writer.keep_unheld(meshes)?;
    Ok((writer.written, pointed))
}

/// Checks the number of values per key, which sampling relies on.
fn check_widths(clip: &Clip, location: &str) -> Result<(), ExportError> {
    for (_, track, element) in clip.joints.iter().flat_map(paths) {
        let width = track.as_ref().map_or(element.components(), Track::width);
        check_count(width, element.components(), || location.to_owned())?;
    }
    Ok(())
}

fn paths(tracks: &JointTracks) -> [(TargetPath, &Option<Track>, ElementType); 3] {
    let (translation, scale) = (&tracks.translation, &tracks.scale);
    [
        (TargetPath::Translation, translation, ElementType::Vec3),
        (TargetPath::Rotation, &tracks.rotation, ElementType::Vec4),
        (TargetPath::Scale, scale, ElementType::Vec3),
    ]
}

fn with_property(channel: &Channel) -> Option<((u32, TargetPath), &Channel)> {
    let target = channel.target.as_ref()?;
    Some(((target.node?, target.path?), channel))
}

pub(super) struct ClipWriter<'w, 'a> {
    pub(super) exporter: &'w mut Exporter<'a>,
    pub(super) location: &'w str,
    pub(super) source: &'w schema::Animation,
    source_channels: HashMap<(u32, TargetPath), &'w Channel>,
    targets: HashSet<(usize, TargetPath)>,
    pub(super) written: schema::Animation,
}

impl ClipWriter<'_, '_> {
    fn joints(&mut self, clip: &Clip, plan: &Plan) -> Result<(), ExportError> {
        for tracks in &clip.joints {
            let Some(node) = plan.node_of_joint.get(tracks.joint).copied().flatten() else {
                self.exporter.leave_out(
                    self.location,
                    "a track of a joint that the skeleton does not have",
                );
                continue;
            };
            for (path, track, element) in paths(tracks) {
                if let Some(track) = track {
                    self.track(node, path, track, element)?;
                }
            }
        }
        Ok(())
    }

    fn morphs(&mut self, clip: &Clip, meshes: &[Option<WrittenMesh>]) -> Result<(), ExportError> {
        for morph in &clip.morphs {
            let node = self.exporter.character.nodes.get(morph.node);
            let mesh = node.and_then(|node| meshes.get(node.mesh?)?.as_ref());
            if mesh.is_none_or(|mesh| mesh.targets != morph.weights.width()) {
                let message = "a track of morph weights that does not fit the node's mesh";
                self.exporter.leave_out(self.location, message);
                continue;
            }
            self.track(
                morph.node,
                TargetPath::Weights,
                &morph.weights,
                ElementType::Scalar,
            )?;
        }
        Ok(())
    }

    fn track(
        &mut self,
        node: usize,
        path: TargetPath,
        track: &Track,
        element: ElementType,
    ) -> Result<(), ExportError> {
        if !self.targets.insert((node, path)) {
            return Ok(());
        }
        let time_secs = track.times()[0];
        if time_secs < 0.0 {
            let location = self.location.to_owned();
            return Err(ExportError::NegativeTime {
                location,
                time_secs,
            });
        }
        let is_rotation = path == TargetPath::Rotation;
        if is_rotation && track.interpolation() == Interpolation::Linear && track.keys() > 1 {
            let message = "glTF interpolates rotations at constant angular speed; the speed of this track varies slightly, and this variation was lost";
            self.exporter
                .report
                .add(Severity::Note, "ROTATION_CHORD", self.location, message);
        }
        let written = self.written_track(path, track, element)?;
        let (channel_rest, target_rest, mut sampler_rest) = self.source_members(node, path);
        if !write_tangents(track, &mut sampler_rest)? {
            let what = "tangents of a single key, because extras of its sampler is not an object";
            self.exporter.leave_out(self.location, what);
        }
        self.written.channels.push(Channel {
            sampler: Some(self.written.samplers.len() as u32),
            target: Some(ChannelTarget {
                node: Some(node as u32),
                path: Some(path),
                rest: target_rest,
            }),
            rest: channel_rest,
        });
        self.written.samplers.push(Sampler {
            input: Some(written.input),
            interpolation: match written.interpolation {
                schema::Interpolation::Linear => None,
                other => Some(other),
            },
            output: Some(written.output),
            rest: sampler_rest,
        });
        Ok(())
    }

    fn written_track(
        &mut self,
        path: TargetPath,
        track: &Track,
        element: ElementType,
    ) -> Result<WrittenTrack, ExportError> {
        let key = track_key(track, path);
        if let Some(known) = self.exporter.shared.tracks.get(&key) {
            return Ok(known.clone());
        }
        let keys = keys(track, path == TargetPath::Rotation);
        let buffer = &mut self.exporter.buffer;
        let not_finite = || ExportError::not_finite(self.location);
        let input = buffer.floats(Purpose::Times, ElementType::Scalar, track.times());
        let output = match path {
            TargetPath::Rotation => buffer.rotations(&keys.values, keys.are_unit()),
            _ => buffer.floats(Purpose::Keys, element, &keys.values),
        };
        let written = WrittenTrack {
            input: input.ok_or_else(not_finite)?,
            output: output.ok_or_else(not_finite)?,
            interpolation: keys.interpolation,
            _track: track.clone(),
        };
        self.exporter.shared.tracks.insert(key, written.clone());
        Ok(written)
    }

    /// Unknown members of the channel, target and sampler for the same property in the source.
    fn source_members(&self, node: usize, path: TargetPath) -> (Rest, Rest, Rest) {
        let same = self.source_channels.get(&(node as u32, path));
        let same = same.and_then(|channel| channel.target.as_ref().map(|t| (channel, t)));
        let Some((channel, target)) = same else {
            return Default::default();
        };
        let sampler = channel
            .sampler
            .and_then(|s| self.source.samplers.get(s as usize));
        let sampler_rest = sampler
            .map(|sampler| sampler.rest.clone())
            .unwrap_or_default();
        (channel.rest.clone(), target.rest.clone(), sampler_rest)
    }

    fn keep_unheld(&mut self, meshes: &[Option<WrittenMesh>]) -> Result<(), ExportError> {
        if !self.exporter.keeps_buffers() {
            return Ok(());
        }
        for channel in &self.source.channels {
            let targets = self.exporter.source_targets.as_ref();
            if targets.is_some_and(|own| own.held(self.source, channel).is_ok()) {
                continue;
            }
            let target = channel.target.as_ref();
            let is_unheld = target.is_some_and(|target| {
                let mut found = FileReport::default();
                let mut walk = Walk::alone(&mut found);
                for (name, text) in target.rest.extensions() {
                    walk.extension(&name, text, "target", "");
                }
                let has_extension = walk.met.as_ref().is_some_and(|met| !met.is_empty());
                target.node.is_none()
                    && target.path.is_some()
                    && has_extension
                    && walk.faults() == 0
            });
            let sampler = channel
                .sampler
                .and_then(|s| self.source.samplers.get(s as usize));
            let (true, Some(sampler)) = (is_unheld, sampler) else {
                continue;
            };
            let buffer = &mut self.exporter.buffer;
            let has_keys = sampler
                .output
                .is_some_and(|output| buffer.serves_as_keys(output))
                && sampler
                    .input
                    .is_some_and(|input| buffer.serves_as_times(input));
            let cameras = &self.exporter.cameras;
            let moved = Moved { cameras, meshes };
            let mut target = channel.target.clone();
            let is_there = target.as_mut().map_or(Ok(true), |t| moved.point(t))?;
            if !has_keys || !is_there {
                let what = if has_keys {
                    "a channel whose target was left out"
                } else {
                    "a channel whose keys cannot be read"
                };
                self.exporter.leave_out(self.location, what);
            } else {
                self.written.channels.push(Channel {
                    sampler: Some(self.written.samplers.len() as u32),
                    target,
                    ..channel.clone()
                });
                self.written.samplers.push(sampler.clone());
            }
        }
        Ok(())
    }
}
