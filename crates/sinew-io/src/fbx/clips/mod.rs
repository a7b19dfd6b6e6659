mod bake;

use super::error::FbxError;
use super::load::{Memory, bounded};
use super::meshes::morphs;
use super::nodes::Tree;
use super::plain;
use crate::report::{FileReport, Severity};
use bake::{Moment, Signal, bytes_of_key};
use sinew::clip::MorphTrack;
use sinew::{Clip, Track};
use std::collections::HashMap;
use ufbx::{
    Anim, AnimCurve, AnimStack, BakeOpts, BakeStepHandling, BakedAnimRoot, BakedKeyFlags,
    BlendChannel, Element, ExtrapolationMode, Mesh, Scene,
};

/// Max error between keys: radians for rotations, a fraction of the scene size for positions.
const TOLERANCE: f64 = 3e-6;

/// Max number of segments that `ufbx` makes of the span between two keys.
const MAX_SEGMENTS: usize = 1024;

/// Max number of evenly spaced samples of a take with extrapolated curves.
const MAX_FRAMES: usize = 20_000;

/// Bytes of a track without its numbers: its entry in the joint, and two shared lists.
const BYTES_OF_TRACK: usize = 2 * size_of::<Track>() + 2 * (size_of::<Vec<f32>>() + 16);

/// A take as baked by `ufbx`, with its time range.
pub(super) struct Take<'a> {
    stack: &'a AnimStack,
    baked: BakedAnimRoot,
    begin: f64,
    end: f64,
    /// Time in the file at clip time 0, in seconds.
    offset: f64,
    /// Sample times for extrapolated curves, in seconds of the file.
    frames: Vec<f64>,
}

/// Takes in the order of the scene. Omits takes that are too large or move nothing.
pub(super) fn takes<'a>(
    scene: &'a Scene,
    memory_limit: usize,
    memory: &mut Memory,
    report: &mut FileReport,
) -> Vec<Take<'a>> {
    let rate = frames_per_second(scene);
    let mut takes = Vec::new();
    for stack in &scene.anim_stacks {
        let pointer = format_args!("take `{}`", &*stack.element.name);
        let options = BakeOpts {
            temp_allocator: bounded(memory_limit),
            result_allocator: bounded(memory_limit),
            resample_rate: rate,
            minimum_sample_rate: 0.65 * rate,
            max_keyframe_segments: MAX_SEGMENTS,
            step_handling: BakeStepHandling::IdenticalTime,
            ..BakeOpts::default()
        };
        // `ufbx` never gets past such a key.
        let baked = if curves(&stack.anim).any(has_invalid_time) {
            Err("the time of a key is not finite".to_owned())
        } else {
            ufbx::bake_anim(scene, &stack.anim, options)
                .map_err(|error| error.description.to_string())
        };
        let baked = match baked {
            Ok(baked) => baked,
            Err(why) => {
                let message = format_args!("the take was left out: {why}");
                report.add(Severity::Ignored, "FBX_TAKE_LEFT_OUT", pointer, message);
                continue;
            }
        };
        if baked.nodes.is_empty() && baked.elements.is_empty() {
            report.add(
                Severity::Note,
                "FBX_EMPTY_TAKE",
                pointer,
                "the take has no motion and was left out",
            );
            continue;
        }
        let take = Take::new(stack, baked, rate);
        match memory.take(size_of_val(&*take.frames)) {
            Ok(()) => takes.push(take),
            Err(error) => take.leave_out(&error, report),
        }
    }
    takes
}

/// Frame rate of the file in frames per second, clamped to [1, 240]; 30 if it is invalid.
fn frames_per_second(scene: &Scene) -> f64 {
    let rate = scene.settings.frames_per_second;
    if rate.is_finite() && rate > 0.0 {
        rate.clamp(1.0, 240.0)
    } else {
        30.0
    }
}

impl<'a> Take<'a> {
    fn new(stack: &'a AnimStack, baked: BakedAnimRoot, rate: f64) -> Self {
        let (mut begin, mut end) = (stack.time_begin, stack.time_end);
        let (first, last) = (baked.key_time_min, baked.key_time_max);
        if !(begin.is_finite() && end.is_finite() && end > begin) {
            (begin, end) = (first, last);
        }
        // Some exporters count frames from 1, so the take starts before 0 and before its first key.
        if begin < 0.0 && first >= 0.0 {
            begin = 0.0_f64.min(end);
        }
        let goes_on = goes_on(&stack.anim);
        let frames = if goes_on && end > begin {
            let count = ((end - begin) * rate).ceil().min(MAX_FRAMES as f64) as usize;
            let step = (end - begin) / count as f64;
            (0..=count)
                .map(|frame| begin + frame as f64 * step)
                .collect()
        } else {
            Vec::new()
        };
        Self {
            stack,
            baked,
            begin,
            end,
            offset: begin.min(0.0),
            frames,
        }
    }

    pub(super) fn leave_out(&self, why: &FbxError, report: &mut FileReport) {
        let pointer = format_args!("take `{}`", &*self.stack.element.name);
        let message = format_args!("the take was left out: {why}");
        report.add(Severity::Ignored, "FBX_TAKE_LEFT_OUT", pointer, message);
    }

    pub(super) fn mark_joints(&self, moving: &mut [bool]) {
        for node in &self.baked.nodes {
            if let Some(moving) = moving.get_mut(node.typed_id as usize) {
                *moving = true;
            }
        }
    }

    /// Times that need a key: keys, start and end of the take, and samples outside of the keys.
    fn moments(&self, keys: impl Iterator<Item = (f64, BakedKeyFlags)>) -> Vec<Moment> {
        let plain = |time: f64| Moment {
            time,
            jumps_before: false,
            jumps_after: false,
        };
        let mut moments: Vec<Moment> = keys
            .filter(|(time, _)| time.is_finite())
            .map(|(time, flags)| Moment {
                time,
                jumps_before: flags.has_any(BakedKeyFlags::STEP_LEFT),
                jumps_after: flags.has_any(BakedKeyFlags::STEP_RIGHT),
            })
            .collect();
        let (first, last) = moments.iter().fold((f64::MAX, f64::MIN), |(a, b), m| {
            (a.min(m.time), b.max(m.time))
        });
        let ends = [self.begin, self.end]
            .into_iter()
            .filter(|time| *time > first && *time < last);
        moments.extend(ends.map(plain));
        let past = self
            .frames
            .iter()
            .copied()
            .filter(|time| *time < first || *time > last);
        moments.extend(past.map(plain));
        moments.retain(|moment| moment.time >= self.begin && moment.time <= self.end);
        if moments.is_empty() {
            moments.push(plain(self.begin));
        }
        moments.sort_by(|a, b| a.time.total_cmp(&b.time));
        moments.dedup_by(|later, kept| {
            let same = later.time == kept.time;
            if same {
                kept.jumps_before |= later.jumps_before;
                kept.jumps_after |= later.jumps_after;
            }
            same
        });
        moments
    }
}

/// True if a curve of these layers changes before its first key or after its last key.
fn goes_on(anim: &Anim) -> bool {
    let is_moving = |curve: &AnimCurve| {
        [&curve.pre_extrapolation, &curve.post_extrapolation]
            .iter()
            .any(|past| past.mode != ExtrapolationMode::Constant)
    };
    curves(anim).any(is_moving)
}

fn has_invalid_time(curve: &AnimCurve) -> bool {
    curve.keyframes.iter().any(|key| !key.time.is_finite())
}

fn curves(anim: &Anim) -> impl Iterator<Item = &AnimCurve> {
    let layers = anim.layers.into_iter();
    let values = layers.flat_map(|layer| layer.anim_values.into_iter());
    let curves = values.flat_map(|value| value.curves.iter().flatten());
    curves.map(|curve| &**curve)
}

pub(super) fn clip(
    scene: &Scene,
    tree: &Tree,
    take: &Take<'_>,
    extent: f64,
    memory: &mut Memory,
) -> Result<Clip, FbxError> {
    let mut clip = Clip::new(&*take.stack.element.name);
    let anim = &*take.stack.anim;
    for baked in &take.baked.nodes {
        let node = &scene.nodes[baked.typed_id as usize];
        let Some(joint) = tree.joint_of[baked.typed_id as usize] else {
            continue;
        };
        let above = node.parent.as_ref().map_or(1.0, |parent| {
            let size = ufbx::matrix_determinant(&parent.node_to_world).abs().cbrt();
            if size.is_finite() && size > 0.0 {
                size
            } else {
                1.0
            }
        });
        let at = |time: f64| ufbx::evaluate_transform(anim, node, time);
        let vector = |v: ufbx::Vec3| vec![v.x, v.y, v.z];
        let translation = Signal {
            value: |time| vector(at(time).translation),
            offset_secs: take.offset,
            is_rotation: false,
            tolerance: TOLERANCE * extent / above,
        };
        let rotation = Signal {
            value: |time| {
                let q = ufbx::quat_normalize(at(time).rotation);
                let q = [q.x, q.y, q.z, q.w];
                if q.iter().all(|part| part.is_finite()) {
                    q.to_vec()
                } else {
                    vec![0.0, 0.0, 0.0, 1.0]
                }
            },
            offset_secs: take.offset,
            is_rotation: true,
            tolerance: TOLERANCE,
        };
        let scale = Signal {
            value: |time| vector(at(time).scale),
            offset_secs: take.offset,
            is_rotation: false,
            tolerance: TOLERANCE,
        };
        let times = |keys: &ufbx::List<ufbx::BakedVec3>, is_constant: bool| {
            let count = if is_constant { 1 } else { keys.count };
            take.moments(keys.iter().take(count).map(|key| (key.time, key.flags)))
        };
        let tracks = clip.joint_mut(joint);
        tracks.translation = baked_track(
            &translation,
            &times(&baked.translation_keys, baked.constant_translation),
            memory,
        )?;
        let count = if baked.constant_rotation {
            1
        } else {
            baked.rotation_keys.count
        };
        let rotations = baked.rotation_keys.iter().take(count);
        let rotations = rotations.map(|key| (key.time, key.flags));
        tracks.rotation = baked_track(&rotation, &take.moments(rotations), memory)?;
        tracks.scale = baked_track(
            &scale,
            &times(&baked.scale_keys, baked.constant_scale),
            memory,
        )?;
    }
    morph_tracks(scene, tree, take, memory, &mut clip)?;
    clip.fit_duration();
    let end = plain::number(take.end - take.offset);
    clip.duration_secs = clip.duration_secs.max(end);
    Ok(clip)
}

fn morph_tracks(
    scene: &Scene,
    tree: &Tree,
    take: &Take<'_>,
    memory: &mut Memory,
    clip: &mut Clip,
) -> Result<(), FbxError> {
    let mut baked: HashMap<u32, &[ufbx::BakedProp]> = HashMap::new();
    for element in &take.baked.elements {
        baked.insert(element.element_id, &element.props);
    }
    let anim = &*take.stack.anim;
    for mesh in &scene.meshes {
        let keys = |channel: &BlendChannel| {
            let (element, name) = driver(&channel.element, "DeformPercent");
            let props = baked.get(&element.element_id)?;
            props.iter().find(|prop| *prop.name == *name)
        };
        if !morphs::channels(mesh).any(|channel| keys(channel).is_some()) {
            continue;
        }
        let times = morphs::channels(mesh).filter_map(keys);
        let times = times.flat_map(|prop| prop.keys.iter().map(|key| (key.time, key.flags)));
        let weights = Signal {
            value: |time| weights_at(anim, mesh, time),
            offset_secs: take.offset,
            is_rotation: false,
            tolerance: TOLERANCE,
        };
        let Some(track) = baked_track(&weights, &take.moments(times), memory)? else {
            continue;
        };
        for node in &mesh.element.instances {
            if let Some(node) = tree.node_of[node.element.typed_id as usize] {
                memory.take(2 * size_of::<MorphTrack>())?;
                clip.morphs.push(MorphTrack {
                    node,
                    weights: track.clone(),
                });
            }
        }
    }
    Ok(())
}

/// Follows up to four connections from a property to the property that has keys.
fn driver<'a>(element: &'a Element, name: &'a str) -> (&'a Element, &'a str) {
    let (mut element, mut name) = (element, name);
    for _ in 0..4 {
        let mut connections = element.connections_dst.iter();
        let connection = connections.find(|connection| {
            let is_property = !connection.src_prop.is_empty();
            is_property && *connection.dst_prop == *name
        });
        let Some(connection) = connection else { break };
        (element, name) = (&connection.src, &connection.src_prop);
    }
    (element, name)
}

fn weights_at(anim: &Anim, mesh: &Mesh, time: f64) -> Vec<f64> {
    let channels = morphs::channels(mesh);
    let weights = channels.flat_map(|channel| {
        let weight = ufbx::evaluate_blend_weight(anim, channel, time);
        morphs::share(channel, weight)
    });
    weights.collect()
}

/// Track of the keys. `None` if a number is not finite or there are no keys.
fn baked_track<F: Fn(f64) -> Vec<f64>>(
    signal: &Signal<F>,
    moments: &[Moment],
    memory: &mut Memory,
) -> Result<Option<Track>, FbxError> {
    let width = (signal.value)(moments.first().map_or(0.0, |moment| moment.time)).len();
    // A jump takes up to three keys. More keys are added while memory allows.
    let keys_at = |moment: &Moment| {
        if moment.jumps_before || moment.jumps_after {
            3
        } else {
            1
        }
    };
    let min_keys: usize = moments.iter().map(keys_at).sum();
    let a_key = bytes_of_key(width);
    let left = memory.left().saturating_sub(size_of_val(moments));
    let max_keys = (left / a_key).clamp(min_keys, 16 * moments.len() + 256);
    let meanwhile = max_keys.saturating_mul(a_key) + size_of_val(moments);
    memory.take(meanwhile)?;
    let track = signal.bake(moments, max_keys).ok();
    memory.give_back(meanwhile);
    if let Some(track) = &track {
        let numbers = track.times().len() + track.values().len();
        memory.take(size_of::<f32>() * numbers + BYTES_OF_TRACK)?;
    }
    Ok(track)
}
