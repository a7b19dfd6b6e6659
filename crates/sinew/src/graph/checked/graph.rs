//! The graph itself, shared by all who play it.

use super::shared::{CurveInfo, Shared};
use crate::clip::Playable;
use crate::graph::error::GraphError;
use crate::root_motion::RootMotion;
use crate::skeleton::Skeleton;
use std::sync::Arc;

/// A checked state machine with the clips and the skeleton that it plays. Clones share all of it.
#[derive(Clone, Debug)]
pub struct Graph {
    pub(in crate::graph) shared: Arc<Shared>,
}

impl Graph {
    /// The same graph, with root motion taken out of its poses: one [`RootMotion`] per clip, all of the same
    /// joint and axes. The base layer moves the character; the others play in place.
    ///
    /// # Errors
    /// When there is not one for each clip, or one is of another joint, of other axes or of no joint of the skeleton.
    pub fn with_root_motion(mut self, motions: Vec<RootMotion>) -> Result<Self, GraphError> {
        let clips = self.shared.clips.len();
        let joints = self.shared.skeleton.len();
        let fits = |m: &RootMotion| {
            let is_same = m.joint() == motions[0].joint() && m.axes() == motions[0].axes();
            is_same && m.joint() < joints
        };
        let odd = motions.iter().position(|m| !fits(m));
        if odd.is_some() || motions.len() != clips {
            return Err(GraphError::RootMotion {
                index: odd.unwrap_or(motions.len().min(clips)),
                found: motions.len(),
                clips,
            });
        }
        let shared = Arc::make_mut(&mut self.shared);
        let references = shared.layers.iter_mut();
        for reference in references.flat_map(|layer| layer.references_mut()) {
            motions[reference.clip].take_out(0.0, &mut reference.pose);
        }
        shared.root_motions = motions;
        Ok(self)
    }

    /// The clips that it plays.
    pub fn clips(&self) -> &[Arc<dyn Playable>] {
        &self.shared.clips
    }

    /// The skeleton that it poses.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.shared.skeleton
    }

    /// The names of its parameters, in the order of their indices.
    pub fn parameters(&self) -> impl ExactSizeIterator<Item = &str> {
        self.shared.parameters.iter().map(|p| p.name.as_str())
    }

    /// The index of a parameter, for [`GraphPlayer::set_index`](crate::graph::GraphPlayer::set_index).
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.parameters().position(|parameter| parameter == name)
    }

    /// The names of the states of the base layer.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &str> {
        self.shared.layers[0].states.iter().map(|s| s.name.as_str())
    }

    /// The names of the layers on top of the base layer.
    pub fn layers(&self) -> impl ExactSizeIterator<Item = &str> {
        self.shared.layers[1..].iter().map(|l| l.name.as_str())
    }

    /// The curves of the clips that it plays.
    pub fn curves(&self) -> &[CurveInfo] {
        &self.shared.curves
    }
}
