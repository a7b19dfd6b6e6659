use super::clip_player::ClipPlayer;
use super::error::ActorError;
use super::palette::{SkinPalette, palette_of};
use super::shape::Shape;
use super::shared::Rig;
use super::solve::Solve;
use crate::binding::curve_value;
use crate::clip::sample::morph_weights;
use crate::ik::{Dls, DlsJob, DlsOptions, DlsReport, Feet, Foot, FootPlacement, FootReport, Goal};
use crate::names;
use crate::pose::{LocalPose, ModelPose, PoseMismatch};
use glam::Vec3;
use sinew_math::transform::Affine;
use sinew_skin::{Bounds, PaletteRef, Previous, SkinError, SkinJob, VertexLayout, VertexSink};

/// Playing instance of a [`Rig`]: a pose, palettes and working memory.
#[derive(Clone, Debug)]
#[doc(alias = "animator")]
#[doc(alias = "animation player")]
#[doc(alias = "skeletal mesh component")]
pub struct Actor {
    rig: Rig,
    local: LocalPose,
    model: ModelPose,
    palettes: Vec<SkinPalette>,
    node_maps: Vec<Affine>,
    shapes: Vec<Shape>,
    previous: Vec<Vec3>,
    model_is_stale: bool,
    palettes_are_stale: bool,
}

impl Rig {
    /// Actor of this rig, at rest.
    pub fn actor(&self) -> Actor {
        Actor::new(self.clone())
    }
}

impl Actor {
    fn new(rig: Rig) -> Self {
        let skeleton = rig.skeleton();
        Self {
            local: skeleton.rest().clone(),
            model: skeleton.rest_model(),
            palettes: rig.shared.palettes.clone(),
            node_maps: vec![Affine::IDENTITY; rig.parts().len()],
            shapes: rig.parts().iter().map(Shape::new).collect(),
            previous: Vec::new(),
            model_is_stale: false,
            palettes_are_stale: true,
            rig,
        }
    }

    /// Rig of this actor.
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// Changes to another rig. Joints with the same name keep their transforms. Others go to rest.
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
        if self.rig.is_same(rig) {
            return Ok(());
        }
        Err(ActorError::OtherRig {
            found: rig.skeleton().len(),
            expected: self.local.len(),
        })
    }

    /// Samples the clip of a player at its time. Sets the pose and the morph weights.
    ///
    /// # Errors
    /// If the player belongs to another rig.
    pub fn sample(&mut self, player: &ClipPlayer) -> Result<(), ActorError> {
        self.check(player.rig())?;
        let (clip, time_secs) = (player.clip(), player.clip_time_secs());
        clip.sample_into(self.rig.skeleton(), time_secs, &mut self.local)?;
        self.model_is_stale = true;
        self.set_morph_weights(|node, rest, out| {
            let track = clip.morphs().iter().find(|track| track.node == node);
            morph_weights(track, time_secs, rest, out);
        });
        self.bind_morphs(|curve| {
            let value = curve_value(clip, curve, time_secs)?;
            <[f32; 1]>::try_from(&*value).ok().map(|[weight]| weight)
        });
        Ok(())
    }

    /// Overwrites morph weights with values of bound curves. `value` is `None` for missing curves.
    pub fn bind_morphs(&mut self, mut value: impl FnMut(&str) -> Option<f32>) {
        let shared = &self.rig.shared;
        for (part, shape) in shared.parts.iter().zip(&mut self.shapes) {
            shared.drivers.bind(part.mesh, &mut shape.given, &mut value);
        }
    }

    /// Sets morph weights. `write` gets the node of each part, its weights at rest and the output.
    /// Skinning adds the weights of correctives.
    pub fn set_morph_weights(&mut self, mut write: impl FnMut(usize, &[f32], &mut [f32])) {
        for (part, shape) in self.rig.shared.parts.iter().zip(&mut self.shapes) {
            write(part.node, &part.rest_weights, &mut shape.given);
        }
    }

    /// Transform `parent_from_joint` of every joint.
    pub fn pose(&self) -> &LocalPose {
        &self.local
    }

    /// Pose for the program to write. If the number of joints changes, later calls return an error.
    #[doc(alias = "ragdoll")]
    #[doc(alias = "physics")]
    pub fn pose_mut(&mut self) -> &mut LocalPose {
        self.model_is_stale = true;
        &mut self.local
    }

    /// Map `model_from_joint` of every joint.
    ///
    /// # Errors
    /// If the pose has the wrong number of joints.
    pub fn model_pose(&mut self) -> Result<&ModelPose, PoseMismatch> {
        if self.model_is_stale {
            let hierarchy = self.rig.shared.skeleton.hierarchy();
            self.model
                .update(hierarchy, &self.local, &Affine::IDENTITY)?;
            self.model_is_stale = false;
            self.palettes_are_stale = true;
        }
        Ok(&self.model)
    }

    /// Map `model_from_joint` of a joint by name, for example to attach a sword or a lamp.
    ///
    /// # Errors
    /// If there is no joint with this name.
    #[doc(alias = "attachment")]
    #[doc(alias = "attach")]
    #[doc(alias = "bone attachment")]
    pub fn socket(&mut self, joint: &str) -> Result<Affine, ActorError> {
        let skeleton = self.rig.skeleton();
        let found = skeleton.find(joint);
        let index = found.ok_or_else(|| ActorError::NoSuchJoint {
            name: joint.to_owned(),
            hint: names::hint(joint, (0..skeleton.len()).map(|j| skeleton.name(j))),
        })?;
        Ok(*self.model_pose()?.get(index))
    }

    /// Applies a job of inverse kinematics, for example `&TwoBone::new(…)` or `Ccd::new(…)`.
    ///
    /// # Errors
    /// [`IkError`](crate::ik::IkError) if the job does not fit. The pose is then unchanged.
    #[doc(alias = "ik")]
    pub fn solve<J: Solve>(&mut self, job: J) -> Result<J::Report, ActorError> {
        self.model_pose()?;
        // Even an error may leave an update half done.
        self.model_is_stale = true;
        let skeleton = &self.rig.shared.skeleton;
        let report = job.solve(skeleton, &mut self.local, &mut self.model)?;
        self.model_is_stale = false;
        self.palettes_are_stale = true;
        Ok(report)
    }

    /// Solves many goals of the whole body, within limits. `solver` must be for this skeleton.
    ///
    /// # Errors
    /// As [`Actor::solve`].
    #[doc(alias = "full body ik")]
    pub fn solve_body<'s>(
        &mut self,
        solver: &'s mut Dls,
        goals: &[Goal],
        options: &DlsOptions,
    ) -> Result<DlsReport<'s>, ActorError> {
        self.solve(DlsJob::new(solver, goals).options(*options))
    }

    /// Puts feet on the ground. Returns the rise of the pelvis. `reports` gets one entry per foot.
    ///
    /// # Errors
    /// As [`Actor::solve`].
    #[doc(alias = "foot ik")]
    pub fn place_feet(
        &mut self,
        placement: &FootPlacement,
        feet: &[Foot],
        reports: &mut [FootReport],
    ) -> Result<f32, ActorError> {
        self.solve(Feet::new(*placement, feet, reports))
    }

    /// Writes the vertices of all parts, in order, to an interleaved buffer of [`Rig::vertices`]
    /// vertices: floats, bytes or write-only memory ([`VertexSink`]). Floats outside the layout
    /// stay unchanged. Returns the bounding box, or `None` without vertices.
    ///
    /// # Errors
    /// If the layout or the buffer does not fit, or if a part lacks a requested attribute. Nothing
    /// is written then.
    pub fn skin_into<B: VertexSink + ?Sized>(
        &mut self,
        buffer: &mut B,
        layout: impl Into<VertexLayout>,
    ) -> Result<Option<Bounds>, ActorError> {
        self.write_vertices(buffer, &layout.into(), None)
    }

    /// As [`Actor::skin_into`], and also writes the previous positions, for motion vectors.
    /// `offset` is their position in each vertex, in floats. The first call, and the first call
    /// after [`Actor::change_rig`], writes the new positions as previous positions and allocates.
    ///
    /// # Errors
    /// As [`Actor::skin_into`].
    pub fn skin_into_with_previous<B: VertexSink + ?Sized>(
        &mut self,
        buffer: &mut B,
        layout: impl Into<VertexLayout>,
        offset: usize,
    ) -> Result<Option<Bounds>, ActorError> {
        let layout = &layout.into();
        if self.previous.is_empty() {
            self.previous.resize(self.rig.vertices(), Vec3::ZERO);
            let written = self.write_vertices(buffer, layout, Some(offset));
            written.inspect_err(|_| self.previous.clear())?;
        }
        self.write_vertices(buffer, layout, Some(offset))
    }

    /// Palette of a part ([`Rig::parts`]) in this pose, for other skinning code or for the GPU.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn palette(&mut self, part: usize) -> Result<PaletteRef<'_>, ActorError> {
        self.update_palettes()?;
        let parts = self.rig.parts();
        let found = parts.get(part).ok_or(ActorError::NoSuchPart {
            part,
            parts: parts.len(),
        })?;
        Ok(palette_of(found, &self.palettes, &self.node_maps[part]))
    }

    /// Morph weights of a part in this pose. Empty without morph targets or out of range.
    pub fn morph_weights(&mut self, part: usize) -> &[f32] {
        self.correct(part);
        let shape = self.shapes.get(part);
        shape.map_or(&[], |shape| &shape.weights)
    }

    fn correct(&mut self, part: usize) {
        let shared = &self.rig.shared;
        if let (Some(shape), Some(part)) = (self.shapes.get_mut(part), shared.parts.get(part)) {
            let Shape { given, weights, .. } = shape;
            weights.copy_from_slice(given);
            let (skeleton, pose) = (&shared.skeleton, &self.local);
            shared.drivers.correct(part.mesh, skeleton, pose, weights);
        }
    }

    fn write_vertices<B: VertexSink + ?Sized>(
        &mut self,
        buffer: &mut B,
        layout: &VertexLayout,
        previous: Option<usize>,
    ) -> Result<Option<Bounds>, ActorError> {
        let needed = self.rig.vertices().checked_mul(layout.stride());
        if needed.is_none_or(|needed| needed > buffer.floats()) {
            let why = "the buffer is shorter than the vertices of the rig";
            return Err(SkinError::Layout { why }.into());
        }
        self.update_palettes()?;
        (0..self.shapes.len()).for_each(|part| self.correct(part));
        let parts = &self.rig.shared.parts;
        for (part, shape) in parts.iter().zip(&mut self.shapes) {
            shape.update(part)?;
        }
        let job = |index: usize| {
            let part = &parts[index];
            let palette = palette_of(part, &self.palettes, &self.node_maps[index]);
            SkinJob::new(&part.plan, palette, self.shapes[index].bind(part))
        };
        // First all checks, then all vertices, so that an error leaves the buffer unchanged.
        for (index, part) in parts.iter().enumerate() {
            let first = part.vertices().start;
            job(index).check_interleaved_at(buffer.floats(), *layout, first, previous)?;
        }
        let mut bounds: Option<Bounds> = None;
        for (index, part) in parts.iter().enumerate() {
            let vertices = part.vertices();
            let first = vertices.start;
            let positions = self.previous.get_mut(vertices).unwrap_or_default();
            let previous = previous.map(|offset| Previous { offset, positions });
            let found = job(index).run_interleaved_at(buffer, *layout, first, previous)?;
            bounds = match (bounds, found) {
                (Some(a), Some(b)) => Some(a.union(&b)),
                (a, b) => a.or(b),
            };
        }
        Ok(bounds)
    }

    fn update_palettes(&mut self) -> Result<(), ActorError> {
        self.model_pose()?;
        if !self.palettes_are_stale {
            return Ok(());
        }
        for (palette, skin) in self.palettes.iter_mut().zip(&self.rig.shared.skins) {
            palette.update(skin, self.model.as_slice())?;
        }
        for (part, map) in self.rig.shared.parts.iter().zip(&mut self.node_maps) {
            part.mover.follow(self.model.as_slice(), map);
        }
        self.palettes_are_stale = false;
        Ok(())
    }
}
