//! Scratch memory of players. It holds no state of a player between calls.

#[cfg(doc)]
use super::parameters::Parameters;
use crate::blend::{AdditivePose, Inertia};
use crate::graph::checked::{CheckedLayer, CheckedMode, Shared};
use crate::pose::{JointSet, LocalPose};
use std::sync::Arc;

/// Scratch memory for one player at a time: [`Graph::workspace`](crate::graph::Graph::workspace).
#[derive(Clone, Debug)]
pub struct Workspace {
    pub(super) graph: Arc<Shared>,
    pub(super) samples: Samples,
    /// Poses at a transition: shown a step ago and now, and the new motion now and a step ahead.
    pub(super) switch: [LocalPose; 4],
    /// Pose of one layer, and pose of all layers below it. Empty for a graph with one layer.
    pub(super) layer: LocalPose,
    pub(super) below: LocalPose,
    /// Parameters ([`Parameters::pairs`]): before all layers, as a layer sees them, and after all.
    pub(super) start: Vec<f32>,
    pub(super) seen: Vec<f32>,
    pub(super) left: Vec<f32>,
    pub(super) values: Vec<f32>,
    /// Inertia that no player currently uses.
    pub(super) spare: Vec<Inertia>,
}

#[derive(Clone, Debug)]
pub(super) struct Samples {
    pub poses: Vec<LocalPose>,
    /// Difference of an additive clip. Empty without additive layers.
    pub difference: AdditivePose,
    /// Joints that clips move. `None` means all joints.
    pub moved: Option<Arc<JointSet>>,
}

impl Workspace {
    pub(super) fn new(graph: &Arc<Shared>) -> Self {
        let rest = graph.skeleton.rest();
        let states = graph.layers.iter().flat_map(|layer| &layer.states);
        let max_clips = states.map(|state| state.space.max_clips()).max();
        let is_additive = |layer: &CheckedLayer| !matches!(layer.mode, CheckedMode::Override);
        let layered = match graph.layers.len() {
            1 => LocalPose::identity(0),
            _ => rest.clone(),
        };
        let curves = graph.clips.iter().flat_map(|clip| clip.curves());
        let morphs = graph.clips.iter().flat_map(|clip| clip.morphs());
        let widths = curves.map(|curve| curve.track.width());
        let widths = widths.chain(morphs.map(|morph| morph.weights.width()));
        let pairs = vec![0.0; 2 * graph.parameters.len()];
        let inertia = |_| Inertia::new(rest.len());
        Self {
            graph: Arc::clone(graph),
            samples: Samples {
                poses: vec![rest.clone(); 2 * max_clips.unwrap_or(1)],
                difference: if graph.layers.iter().any(is_additive) {
                    AdditivePose::none(rest.len())
                } else {
                    AdditivePose::none(0)
                },
                moved: None,
            },
            switch: [(); 4].map(|_| rest.clone()),
            layer: layered.clone(),
            below: layered,
            start: pairs.clone(),
            seen: pairs.clone(),
            left: pairs,
            values: vec![0.0; widths.max().unwrap_or(0)],
            spare: graph.layers.iter().map(inertia).collect(),
        }
    }
}
