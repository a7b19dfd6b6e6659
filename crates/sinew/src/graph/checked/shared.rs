use super::blend_space::BlendSpace;
use crate::blend::Mask;
use crate::clip::{Playable, Wrap};
use crate::graph::machine::{EventPayload, Parameter, Start, TransitionKind};
use crate::pose::LocalPose;
use crate::root_motion::RootMotion;
use crate::skeleton::Skeleton;
use sinew_math::transform::Axis;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(in crate::graph) struct Shared {
    pub skeleton: Arc<Skeleton>,
    pub clips: Vec<Arc<dyn Playable>>,
    pub parameters: Vec<Parameter>,
    /// Layers, the base layer first.
    pub layers: Vec<CheckedLayer>,
    pub payloads: Vec<EventPayload>,
    pub curves: Vec<CurveInfo>,
    /// Parameters that follow curves.
    pub bound: Vec<BoundParameter>,
    /// Root motions, one per clip. Empty without root motion.
    pub root_motions: Vec<RootMotion>,
}

/// Curve of at least one clip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurveInfo {
    /// Name of the curve.
    pub name: String,
    /// Number of values per key.
    pub width: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::graph) struct BoundParameter {
    pub parameter: usize,
    pub curve: String,
}

#[derive(Clone, Debug)]
pub(in crate::graph) struct CheckedLayer {
    /// Name of the layer. Empty for the base layer.
    pub name: String,
    pub states: Vec<CheckedState>,
    pub transitions: Vec<CheckedTransition>,
    pub weight: f32,
    pub weight_parameter: Option<usize>,
    /// Mask of the layer and its inverse.
    pub mask: Option<[Mask; 2]>,
    pub mode: CheckedMode,
}

#[derive(Clone, Debug)]
pub(in crate::graph) enum CheckedMode {
    Override,
    Additive(References),
}

#[derive(Clone, Debug)]
pub(in crate::graph) enum References {
    Rest,
    One(ReferencePose),
    /// Reference poses, sorted by clip.
    PerClip(Vec<ReferencePose>),
}

#[derive(Clone, Debug)]
pub(in crate::graph) struct ReferencePose {
    pub clip: usize,
    pub time_secs: f64,
    pub pose: LocalPose,
}

#[derive(Clone, Debug)]
pub(in crate::graph) struct CheckedState {
    pub name: String,
    pub space: BlendSpace,
    pub speed: f64,
    pub wrap: Wrap,
}

#[derive(Clone, Debug)]
pub(in crate::graph) struct CheckedTransition {
    pub from: Option<usize>,
    pub to: usize,
    pub when: Vec<CheckedCondition>,
    pub duration_secs: f32,
    pub kind: TransitionKind,
    pub start: Start,
}

#[derive(Clone, Debug)]
pub(in crate::graph) enum CheckedCondition {
    Above(usize, f32),
    Below(usize, f32),
    Triggered(usize),
    Ended,
    After(f64),
}

impl Shared {
    /// Up axis of the root motion. Y if there is no root motion.
    pub fn up(&self) -> Axis {
        let first = self.root_motions.first();
        first.map_or(Axis::Y, |motion| motion.axes().up)
    }
}

impl CheckedLayer {
    /// Transitions that leave `state`.
    pub fn leading_away(&self, state: usize) -> impl Iterator<Item = &CheckedTransition> {
        self.transitions.iter().filter(move |t| match t.from {
            Some(from) => from == state,
            None => t.to != state,
        })
    }

    /// Weight of the layer in [0, 1], for parameters after smoothing.
    pub fn weight(&self, parameters: &[f32]) -> f32 {
        match self.weight_parameter {
            Some(parameter) => self.weight * parameters[parameter].clamp(0.0, 1.0),
            None => self.weight,
        }
    }

    /// Pose that a clip of an additive layer is relative to. `None` means the rest pose.
    pub fn reference(&self, clip: usize) -> Option<&ReferencePose> {
        match &self.mode {
            CheckedMode::Override | CheckedMode::Additive(References::Rest) => None,
            CheckedMode::Additive(References::One(reference)) => Some(reference),
            CheckedMode::Additive(References::PerClip(references)) => {
                let index = references.binary_search_by_key(&clip, |r| r.clip).ok()?;
                Some(&references[index])
            }
        }
    }

    /// All reference poses other than the rest pose.
    pub fn references_mut(&mut self) -> &mut [ReferencePose] {
        match &mut self.mode {
            CheckedMode::Override | CheckedMode::Additive(References::Rest) => &mut [],
            CheckedMode::Additive(References::One(reference)) => std::slice::from_mut(reference),
            CheckedMode::Additive(References::PerClip(references)) => references,
        }
    }
}
