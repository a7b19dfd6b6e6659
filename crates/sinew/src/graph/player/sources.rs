//! Playing clips and their blended poses. Only this file of the graph samples joints.

use super::workspace::Samples;
use crate::blend::{Addition, BlendJob, Layer};
use crate::clip::events::{crossed, length_secs};
use crate::clip::{Event, Playable, Wrap};
use crate::graph::checked::{CheckedLayer, MAX_CLIPS, Shared};
use crate::pose::LocalPose;
use crate::root_motion::Placement;
use sinew_math::simd::Level;
use sinew_math::transform::Transform;

pub(super) struct LayerContext<'a> {
    pub graph: &'a Shared,
    pub layer: &'a CheckedLayer,
    /// Parameters after smoothing.
    pub parameters: &'a [f32],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub clip: usize,
    /// Weight in [0, 1]. 0 if the clip does not play.
    pub weight: f32,
    /// Cycles played, without wrapping.
    pub phase: f64,
    pub wrap: Wrap,
}

/// Clips of the current state, followed by clips of the state that fades out.
pub(super) type Sources = [Source; 2 * MAX_CLIPS];

impl Source {
    /// Time in the clip in seconds, and the cycle.
    pub fn time_secs(&self, clip: &dyn Playable) -> (f64, f64) {
        let (part, cycle) = self.wrap.fold(self.phase, 1.0);
        (part * length_secs(clip), cycle)
    }

    fn unwrapped_secs(&self, duration: f64) -> f64 {
        match self.wrap {
            Wrap::Clamp => self.phase.clamp(0.0, 1.0) * duration,
            Wrap::Loop | Wrap::PingPong => self.phase * duration,
        }
    }
}

/// Blends sources and inertia, without root motion. An additive clip is rest plus its difference.
pub(super) fn mix_pose(
    context: &LayerContext<'_>,
    level: Level,
    sources: &Sources,
    inertia: Option<[Addition<'_>; 2]>,
    scratch: &mut Samples,
    out: &mut LocalPose,
) {
    let graph = context.graph;
    let rest = graph.skeleton.rest();
    let mut weights = [0.0; 2 * MAX_CLIPS];
    let mut playing = 0;
    for source in sources.iter().filter(|source| source.weight > 0.0) {
        let (clip, pose) = (&graph.clips[source.clip], &mut scratch.poses[playing]);
        let (time_secs, cycle) = source.time_secs(clip);
        // `Graph` rejects clips that do not fit the skeleton.
        let _ = match &scratch.moved {
            None => clip.sample_into(&graph.skeleton, time_secs, pose),
            Some(moved) => {
                pose.copy_from(rest);
                clip.sample_joints_into(&graph.skeleton, time_secs, moved, pose)
            }
        };
        // A custom `Playable` may resize the pose.
        pose.resize(rest.len());
        if let Some(motion) = graph.root_motions.get(source.clip) {
            motion.take_out(cycle, pose);
        }
        if let Some(reference) = context.layer.reference(source.clip) {
            let set = scratch.difference.set_between(level, &reference.pose, pose);
            set.expect("poses of the graph's own skeleton");
            let job = BlendJob {
                rest,
                layers: &mut [],
                additions: &mut [Addition::new(&scratch.difference, 1.0)],
                level,
            };
            job.run(pose).expect("both have the skeleton's joints");
        }
        weights[playing] = source.weight;
        playing += 1;
    }
    let pose = |n: usize| scratch.poses.get(n).unwrap_or(rest);
    let mut layers: [Layer<'_>; 2 * MAX_CLIPS] =
        std::array::from_fn(|n| Layer::new(pose(n), weights[n]));
    let mut inertia: Option<[Addition<'_>; 2]> = inertia;
    let job = BlendJob {
        rest,
        layers: &mut layers[..playing],
        additions: inertia.as_mut().map_or(&mut [], |both| &mut both[..]),
        level,
    };
    job.run(out).expect("weights and sizes are the graph's own");
}

pub(super) fn fire<'g>(
    graph: &'g Shared,
    before: &Sources,
    after: &Sources,
    mut fire: impl FnMut(&'g Event, usize, f32),
) {
    for (before, after, weight) in playing_between(before, after) {
        let clip = &graph.clips[after.clip];
        let duration = length_secs(clip);
        let [from, to] = [before, after].map(|source| source.unwrapped_secs(duration));
        let fire = |event| fire(event, after.clip, weight);
        crossed(clip.events(), duration, after.wrap, from, to, fire);
    }
}

fn playing_between<'s>(
    before: &'s Sources,
    after: &'s Sources,
) -> impl Iterator<Item = (&'s Source, &'s Source, f32)> {
    let sources = before.iter().zip(after);
    let sources =
        sources.map(|(before, after)| (before, after, 0.5 * (before.weight + after.weight)));
    sources.filter(|(_, _, weight)| *weight > 0.0)
}

pub(super) fn root_step(
    context: &LayerContext<'_>,
    before: &Sources,
    after: &Sources,
) -> Placement {
    let motions = &context.graph.root_motions;
    let steps = playing_between(before, after).filter_map(|(before, after, weight)| {
        let motion = motions.get(after.clip)?;
        let clip = &context.graph.clips[after.clip];
        let at = |source: &Source| -> (f64, Transform) {
            let (time_secs, cycle) = source.time_secs(clip);
            let local = clip.sample_joint_at(&context.graph.skeleton, motion.joint(), time_secs);
            (cycle, local)
        };
        let (from, to) = (at(before), at(after));
        let step = motion.step((from.0, &from.1), (to.0, &to.1));
        Some((step, f64::from(weight)))
    });
    Placement::blend(context.graph.up(), steps)
}
