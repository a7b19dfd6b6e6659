use super::shared::{CurveInfo, Shared};
use crate::clip::Playable;
use crate::graph::error::GraphError;
use crate::root_motion::{RootAxes, RootMotion};
use crate::skeleton::Skeleton;
use std::sync::Arc;

/// Checked state machine with its clips and skeleton. Clones share the data.
#[derive(Clone, Debug)]
pub struct Graph {
    pub(in crate::graph) shared: Arc<Shared>,
}

impl Graph {
    /// Same graph with the root motion of a joint removed from its poses, for all clips. See
    /// [`Graph::with_root_motion`].
    ///
    /// # Errors
    /// If there is no such joint, or if a clip moves a joint above it.
    pub fn with_root_joint(self, joint: &str, axes: RootAxes) -> Result<Self, GraphError> {
        let skeleton = &*self.shared.skeleton;
        let names = (0..skeleton.len()).map(|index| skeleton.name(index));
        let found = skeleton.find(joint);
        let index = found
            .ok_or_else(|| GraphError::unknown("root motion".to_owned(), "joint", joint, names))?;
        let motion = |clip: &Arc<dyn Playable>| {
            let motion = RootMotion::of_clip(&**clip, skeleton, index, axes);
            motion.map_err(|source| GraphError::RootJoint {
                clip: clip.name().to_owned(),
                source,
            })
        };
        let motions = self
            .shared
            .clips
            .iter()
            .map(motion)
            .collect::<Result<_, _>>()?;
        self.with_root_motion(motions)
    }

    /// Same graph with root motion removed from its poses. `motions` has one [`RootMotion`] per
    /// clip, all with the same joint and axes. Only the base layer moves the character.
    ///
    /// # Errors
    /// If there is not one root motion per clip, or if their joints or axes do not match.
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

    /// Clips that the graph can play.
    pub fn clips(&self) -> &[Arc<dyn Playable>] {
        &self.shared.clips
    }

    /// Skeleton that the graph poses.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.shared.skeleton
    }

    /// Names of the parameters, in the order of their indices.
    pub fn parameters(&self) -> impl ExactSizeIterator<Item = &str> {
        self.shared.parameters.iter().map(|p| p.name.as_str())
    }

    /// Index of a parameter, for [`GraphPlayer::set_index`](crate::graph::GraphPlayer::set_index).
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.parameters().position(|parameter| parameter == name)
    }

    /// Names of the states of the base layer.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &str> {
        self.shared.layers[0].states.iter().map(|s| s.name.as_str())
    }

    /// Names of the layers above the base layer.
    pub fn layers(&self) -> impl ExactSizeIterator<Item = &str> {
        self.shared.layers[1..].iter().map(|l| l.name.as_str())
    }

    /// Curves of the clips that the graph plays.
    pub fn curves(&self) -> &[CurveInfo] {
        &self.shared.curves
    }
}
