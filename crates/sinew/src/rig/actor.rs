//! One playing character: a pose, and what follows from it.

use super::Rig;
use super::part::{Mover, Part};
use super::play::ClipPlayer;
use crate::clip::sample::morph_weights;
use crate::graph::PlayError;
use crate::ik::{Aim, AimReport, IkError, TwoBone, TwoBoneReport, aim, two_bone};
use crate::pose::{LocalPose, ModelPose};
use crate::skeleton::Skeleton;
use glam::{Vec3, Vec4};
use sinew_math::transform::Affine;
use sinew_skin::{
    DualQuatPalette, Layout, Method, Palette, PaletteRef, SkinError, SkinJob, Streams, Vertices,
};
use std::sync::Arc;
use thiserror::Error;

/// Why an actor did not do what it was told; it is as it was.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ActorError {
    /// A player or pose of another rig.
    #[error("it plays another rig: {found} joints where this actor has {wanted}")]
    OtherRig {
        /// Its joints.
        found: usize,
        /// The actor's joints.
        wanted: usize,
    },
    /// A graph that refuses to pose it.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A buffer or layout that does not fit.
    #[error(transparent)]
    Skin(#[from] SkinError),
    /// A goal that cannot be solved for.
    #[error(transparent)]
    Ik(#[from] IkError),
}

/// What an actor can be told to reach for: [`TwoBone`], [`Aim`].
pub trait Solve {
    /// How it went.
    type Report;

    /// The joint that turns first, nearest to the body.
    fn first_joint(&self) -> Option<usize>;

    /// Turns joints of a pose; `model_from_parent` is where the parent of the first one stands.
    ///
    /// # Errors
    /// [`IkError`] when the job does not fit the skeleton; the pose is then as it was.
    fn solve(
        &self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model_from_parent: &Affine,
    ) -> Result<Self::Report, IkError>;
}

impl Solve for TwoBone {
    type Report = TwoBoneReport;

    fn first_joint(&self) -> Option<usize> {
        Some(self.upper)
    }

    fn solve(
        &self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model_from_parent: &Affine,
    ) -> Result<TwoBoneReport, IkError> {
        two_bone(skeleton, pose, model_from_parent, self)
    }
}

impl Solve for Aim<'_> {
    type Report = AimReport;

    fn first_joint(&self) -> Option<usize> {
        self.shares.first().map(|share| share.joint)
    }

    fn solve(
        &self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model_from_parent: &Affine,
    ) -> Result<AimReport, IkError> {
        aim(skeleton, pose, model_from_parent, self)
    }
}

/// One who plays a [`Rig`]: its pose, its palettes, and room to work in.
#[derive(Clone, Debug)]
pub struct Actor {
    rig: Rig,
    local: LocalPose,
    model: ModelPose,
    palettes: Vec<SkinPalette>,
    shapes: Vec<Shape>,
    model_is_stale: bool,
    palettes_are_stale: bool,
}

#[derive(Clone, Debug)]
enum SkinPalette {
    Matrices(Palette),
    DualQuats(Box<DualQuatPalette>),
}

/// The shape of a part that has morph targets.
#[derive(Clone, Debug, Default)]
struct Shape {
    weights: Vec<f32>,
    /// Weights of what `bind` holds.
    shown: Vec<f32>,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
    /// Room for the differences of tangents.
    vectors: Vec<Vec3>,
    bind: Streams,
}

impl Actor {
    pub(super) fn new(rig: Rig) -> Self {
        let skeleton = rig.skeleton();
        let rest = skeleton.rest_model();
        let palette = |skin| match rig.method() {
            Method::DualQuat => {
                let palette = DualQuatPalette::new(skeleton.hierarchy(), &rest, skin);
                SkinPalette::DualQuats(Box::new(palette))
            }
            _ => {
                let mut palette = Palette::default();
                palette.update(skin, &rest);
                SkinPalette::Matrices(palette)
            }
        };
        Self {
            local: skeleton.rest().clone(),
            palettes: rig.shared.skins.iter().map(palette).collect(),
            shapes: rig.parts().iter().map(Shape::new).collect(),
            model: rest,
            model_is_stale: false,
            palettes_are_stale: false,
            rig,
        }
    }

    /// What it plays.
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// Plays another rig from now on, in the pose that it has: joints of the same name stay as they are, others come
    /// to rest.
    pub fn change_rig(&mut self, rig: &Rig) {
        let mut next = rig.actor();
        let (old, new) = (self.rig.skeleton(), rig.skeleton());
        for joint in 0..new.len() {
            if let Some(same) = old.find(new.name(joint)) {
                next.local.set(joint, self.local.get(same));
            }
        }
        next.model_is_stale = true;
        *self = next;
    }

    pub(super) fn check(&self, rig: &Rig) -> Result<(), ActorError> {
        if Arc::ptr_eq(&self.rig.shared, &rig.shared) {
            return Ok(());
        }
        Err(ActorError::OtherRig {
            found: rig.skeleton().len(),
            wanted: self.local.len(),
        })
    }

    /// Poses it as its player's clip is now, morph targets too.
    ///
    /// # Errors
    /// When the player is of another rig.
    pub fn sample(&mut self, player: &ClipPlayer) -> Result<(), ActorError> {
        self.check(player.rig())?;
        let (clip, time_secs) = (player.clip(), player.clip_time_secs());
        clip.sample_into(self.rig.skeleton(), time_secs, &mut self.local);
        self.model_is_stale = true;
        self.set_morph_weights(|node, rest, out| {
            let track = clip.morphs().iter().find(|track| track.node == node);
            morph_weights(track, time_secs, rest, out);
        });
        Ok(())
    }

    /// Writes the morph weights of every part, given its node and its weights at rest.
    pub(super) fn set_morph_weights(&mut self, mut write: impl FnMut(usize, &[f32], &mut [f32])) {
        for (part, shape) in self.rig.shared.parts.iter().zip(&mut self.shapes) {
            write(part.node, &part.rest_weights, &mut shape.weights);
        }
    }

    /// `parent_from_joint` of every joint.
    pub fn pose(&self) -> &LocalPose {
        &self.local
    }

    /// The same to be written: by a blend job, or by hand. It must keep its number of joints.
    pub fn pose_mut(&mut self) -> &mut LocalPose {
        self.model_is_stale = true;
        &mut self.local
    }

    /// `model_from_joint` of every joint.
    pub fn model_pose(&mut self) -> &ModelPose {
        if self.model_is_stale {
            let hierarchy = self.rig.shared.skeleton.hierarchy();
            self.local.resize(hierarchy.len());
            self.model.update(hierarchy, &self.local, &Affine::IDENTITY);
            self.model_is_stale = false;
            self.palettes_are_stale = true;
        }
        &self.model
    }

    /// Where a joint is: the place of a sword, a lamp, a sound. `None` when there is no joint of that name.
    pub fn socket(&mut self, joint: &str) -> Option<Affine> {
        let joint = self.rig.skeleton().find(joint)?;
        Some(*self.model_pose().get(joint))
    }

    /// Makes the pose reach for something.
    ///
    /// # Errors
    /// [`IkError`] when the job does not fit the skeleton; the pose is then as it was.
    pub fn solve<J: Solve>(&mut self, job: &J) -> Result<J::Report, ActorError> {
        self.model_pose();
        let skeleton = &self.rig.shared.skeleton;
        let first = job.first_joint().filter(|&joint| joint < skeleton.len());
        let parent = first.and_then(|joint| skeleton.parent(joint));
        let model_from_parent = parent.map_or(Affine::IDENTITY, |p| *self.model.get(p));
        let report = job.solve(skeleton, &mut self.local, &model_from_parent)?;
        if let Some(first) = first {
            let (model, local) = (&mut self.model, &self.local);
            model.update_below(first, skeleton.hierarchy(), local, &Affine::IDENTITY);
        }
        self.palettes_are_stale = true;
        Ok(report)
    }

    /// Writes the vertices of all parts, one part after the other, into an interleaved buffer of
    /// [`Rig::vertices`]; what is between the parts of a vertex stays as it is.
    ///
    /// # Errors
    /// When the layout or the buffer does not fit, or asks for what a part does not have.
    pub fn skin_into(&mut self, buffer: &mut [f32], layout: &Layout) -> Result<(), ActorError> {
        let needed = self.rig.vertices().checked_mul(layout.stride);
        if needed.is_none_or(|needed| needed > buffer.len()) {
            let why = "the buffer is shorter than the vertices of the rig";
            return Err(SkinError::Layout { why }.into());
        }
        self.update_palettes();
        for (part, shape) in self.rig.shared.parts.iter().zip(&mut self.shapes) {
            let node_map;
            let palette = match part.mover {
                Mover::Skin(skin) => match &self.palettes[skin] {
                    SkinPalette::Matrices(palette) => PaletteRef::Linear(palette.as_slice()),
                    SkinPalette::DualQuats(palette) => PaletteRef::DualQuat(palette),
                },
                Mover::Node {
                    joint,
                    joint_from_node,
                } => {
                    let model_from_joint = joint.map_or(Affine::IDENTITY, |j| *self.model.get(j));
                    node_map = [model_from_joint * joint_from_node];
                    PaletteRef::Linear(&node_map)
                }
            };
            let range = part.vertices();
            let own = &mut buffer[range.start * layout.stride..range.end * layout.stride];
            let bind = shape.bind(part)?;
            SkinJob::new(&part.plan, palette, bind).run_interleaved(own, layout)?;
        }
        Ok(())
    }

    fn update_palettes(&mut self) {
        self.model_pose();
        if !self.palettes_are_stale {
            return;
        }
        for (palette, skin) in self.palettes.iter_mut().zip(&self.rig.shared.skins) {
            match palette {
                SkinPalette::Matrices(palette) => palette.update(skin, &self.model),
                SkinPalette::DualQuats(palette) => palette.update(&self.model),
            }
        }
        self.palettes_are_stale = false;
    }
}

impl Shape {
    fn new(part: &Part) -> Self {
        if part.source.morphs.is_empty() {
            return Self::default();
        }
        Self {
            weights: part.rest_weights.clone(),
            // No weight is NaN, so the first frame fills it.
            shown: vec![f32::NAN; part.rest_weights.len()],
            positions: part.source.positions.to_vec(),
            normals: part
                .source
                .normals
                .iter()
                .flat_map(|n| n.to_vec())
                .collect(),
            tangents: part
                .source
                .tangents
                .iter()
                .flat_map(|t| t.to_vec())
                .collect(),
            vectors: vec![Vec3::ZERO; part.source.tangents.as_ref().map_or(0, |t| t.len())],
            bind: part.bind.clone(),
        }
    }

    /// What is skinned: the part as it was bound, or with its morph targets.
    fn bind<'a>(&'a mut self, part: &'a Part) -> Result<&'a Streams, SkinError> {
        if self.weights.is_empty() {
            return Ok(&part.bind);
        }
        if self.shown != self.weights {
            self.add_morphs(part);
            let vertices = Vertices {
                positions: &self.positions,
                normals: part.source.normals.is_some().then_some(&*self.normals),
                tangents: part.source.tangents.is_some().then_some(&*self.tangents),
            };
            self.bind.update(&part.plan, &vertices)?;
            self.shown.copy_from_slice(&self.weights);
        }
        Ok(&self.bind)
    }

    fn add_morphs(&mut self, part: &Part) {
        let source = &part.source;
        self.positions.copy_from_slice(&source.positions);
        if let Some(normals) = &source.normals {
            self.normals.copy_from_slice(normals);
        }
        for (vector, tangent) in self
            .vectors
            .iter_mut()
            .zip(source.tangents.iter().flat_map(|t| t.iter()))
        {
            *vector = tangent.truncate();
        }
        for (morph, &weight) in source.morphs.iter().zip(&self.weights) {
            if weight == 0.0 {
                continue;
            }
            let targets = [
                (&morph.positions, &mut self.positions),
                (&morph.normals, &mut self.normals),
                (&morph.tangents, &mut self.vectors),
            ];
            for (deltas, out) in targets {
                if let Some(deltas) = deltas {
                    deltas.add_to(weight, out);
                }
            }
        }
        for (tangent, vector) in self.tangents.iter_mut().zip(&self.vectors) {
            *tangent = vector.extend(tangent.w);
        }
    }
}
