//! Character of a pane on the GPU, uploaded in the background.

use crate::document::{FileId, OpenFile, Outcome, Task};
use crate::session::{self, Session};
use crate::state::{Selection, State, Surface};
use glam::Vec3;
use sinew::character::Driven;
use sinew::{
    Affine, Character, DeformError, Deformed, ModelPose, Playable, SkinnedBy, deform_pose,
};
use sinew_gpu::{
    Gpu, GpuCharacter, Lamp, Paint, RenderError, StageCurves, WeightColors, driven_lamps,
};
use std::sync::Arc;

/// Values that a figure depends on. If they change, the pane needs another figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origin {
    file: FileId,
    version: u32,
    by: SkinnedBy,
}

#[derive(Debug)]
pub(super) struct Figure {
    origin: Origin,
    /// Last figure that is ready. The next figure replaces it.
    ready: Option<Box<Ready>>,
    coming: Option<Task<Result<Ready, String>>>,
    problem: Option<String>,
}

#[derive(Debug)]
struct Ready {
    origin: Origin,
    character: GpuCharacter,
    driven: Driven,
    curves: StageCurves,
    paint: Paint,
    extent: Extent,
}

#[derive(Clone, Copy, Debug)]
struct Extent {
    low: Vec3,
    high: Vec3,
}

impl Figure {
    pub fn new(gpu: &Arc<Gpu>, file: &OpenFile, by: SkinnedBy) -> Self {
        let mut figure = Self {
            origin: origin(file, by),
            ready: None,
            coming: None,
            problem: None,
        };
        figure.prepare(gpu, file);
        figure
    }

    /// Starts or finishes the preparation. True if the picture changes.
    pub fn update(&mut self, gpu: &Arc<Gpu>, file: &OpenFile, by: SkinnedBy) -> bool {
        let wanted = origin(file, by);
        if self.origin != wanted {
            self.origin = wanted;
            self.prepare(gpu, file);
        }
        let Some(coming) = &mut self.coming else {
            return false;
        };
        match coming.poll() {
            Outcome::Working => return false,
            Outcome::Done(outcome) => self.take(outcome),
            Outcome::Lost => self.take(Err("the preparation stopped".to_owned())),
        }
        true
    }

    fn take(&mut self, outcome: Result<Ready, String>) {
        self.coming = None;
        match outcome {
            Ok(ready) => {
                self.ready = Some(Box::new(ready));
                self.problem = None;
            }
            Err(why) => {
                self.ready = None;
                self.problem = Some(why);
            }
        }
    }

    fn prepare(&mut self, gpu: &Arc<Gpu>, file: &OpenFile) {
        let (gpu, character, origin) = (gpu.clone(), file.character.clone(), self.origin);
        self.coming = Some(Task::work(async move |_| {
            prepared(&gpu, &character, origin).await
        }));
    }

    pub fn is_preparing(&self) -> bool {
        self.coming.is_some()
    }

    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Character on the GPU, if it is the one that the pane shows.
    pub fn ready(&self) -> Option<&GpuCharacter> {
        let ready = self.ready.as_ref()?;
        (ready.origin.file == self.origin.file).then_some(&ready.character)
    }

    /// True if there are triangles to draw.
    pub fn has_surface(&self) -> bool {
        self.ready().is_some_and(|c| c.bounds().is_some())
    }

    fn extent(&self) -> Extent {
        let unit = Extent {
            low: Vec3::new(-0.5, 0.0, -0.5),
            high: Vec3::new(0.5, 1.8, 0.5),
        };
        self.ready.as_ref().map_or(unit, |ready| ready.extent)
    }

    /// Offset that moves the lowest point of the figure to the floor.
    pub fn on_floor(&self) -> Vec3 {
        Vec3::Y * -self.extent().low.y
    }

    pub fn middle(&self) -> Vec3 {
        let Extent { low, high } = self.extent();
        (low + high) / 2.0
    }

    /// Half the diagonal of the bounding box.
    pub fn radius(&self) -> f32 {
        let Extent { low, high } = self.extent();
        ((high - low).length() / 2.0).max(1e-3)
    }

    /// Applies the current pose of the session. Has no effect while another character is prepared.
    pub fn pose(
        &mut self,
        gpu: &Gpu,
        session: &mut Session,
        pane: usize,
    ) -> Result<(), RenderError> {
        let lift = Affine::from_translation(self.on_floor());
        let Some(ready) = &mut self.ready else {
            return Ok(());
        };
        let normals = session.state().look.normals;
        let Some(mut figure) = session.figure(pane) else {
            return Ok(());
        };
        let method = figure.method;
        let by = SkinnedBy { method, normals };
        let posed = Origin {
            file: figure.file,
            version: figure.version,
            by,
        };
        if ready.origin != posed {
            return Ok(());
        }
        ready.character.place(gpu, &lift);
        match ready.character.is_skinned_on_cpu() {
            true => ready.character.show(gpu, &deformed(&mut figure, by)?),
            false => ready.character.pose_actor(gpu, figure.actor),
        }
    }

    /// Applies the curves of a clip at a time to materials, lights and visibility.
    pub fn drive(&mut self, gpu: &Gpu, file: &OpenFile, playing: Option<(&dyn Playable, f64)>) {
        let Some(ready) = self.ready.as_mut().filter(|own| own.origin == self.origin) else {
            return;
        };
        let (clip, time_secs) = playing.unzip();
        let time_secs = time_secs.unwrap_or(0.0);
        ready.driven.update(clip, time_secs);
        ready.curves = StageCurves::new(&file.character.bindings, clip, time_secs);
        ready
            .character
            .show_materials(gpu, &ready.driven, &ready.curves);
    }

    /// Lamps of the file in the current pose. Empty if the file has no lights.
    pub fn lamps(&self, file: &OpenFile, pose: &ModelPose, world_from_model: &Affine) -> Vec<Lamp> {
        let ready = self.ready.as_ref().filter(|own| own.origin == self.origin);
        let character = &file.character;
        let lit = ready.filter(|_| !character.lights.is_empty());
        lit.map_or(Vec::new(), |own| {
            driven_lamps(character, &own.driven, pose, world_from_model, &own.curves)
        })
    }

    /// Applies the surface colours of the current state.
    pub fn paint(&mut self, gpu: &Gpu, file: &OpenFile, state: &State) -> Result<(), RenderError> {
        let Some(ready) = &mut self.ready else {
            return Ok(());
        };
        let driven = &ready.driven;
        let is_hidden =
            |node: usize| state.hidden.contains(&(file.id, node)) || driven.is_hidden(node);
        ready.character.hide_nodes(is_hidden);
        let paint = match state.look.surface {
            Surface::Materials | Surface::Hidden => Paint::Materials,
            Surface::JointWeight => match state.selection {
                Selection::Joint(joint) => Paint::Weights(WeightColors::Joint(joint)),
                _ => Paint::Weights(WeightColors::Every),
            },
            Surface::AllWeights => Paint::Weights(WeightColors::Every),
            Surface::DominantJoint => Paint::Weights(WeightColors::Dominant),
            Surface::Normals => Paint::Normals,
            Surface::UvChecker => Paint::UvChecker,
        };
        if ready.paint != paint && ready.origin == self.origin {
            ready.character.set_paint(gpu, &file.character, paint)?;
            ready.paint = paint;
        }
        Ok(())
    }
}

/// Deforms the vertices on the CPU: the rig and the GPU support neither the quaternion method nor
/// exact normals.
pub(super) fn deformed(
    figure: &mut session::Figure<'_>,
    by: SkinnedBy,
) -> Result<Deformed, DeformError> {
    let (actor, character) = (&mut *figure.actor, figure.character);
    let pose = actor.pose().clone();
    let weigh = |node: usize, weights: &mut [f32]| {
        let part = actor.rig().parts().iter().position(|p| p.node == node);
        let now = part.map_or(&[][..], |part| actor.morph_weights(part));
        for (weight, now) in weights.iter_mut().zip(now) {
            *weight = *now;
        }
    };
    deform_pose(character, &pose, weigh, by)
}

fn origin(file: &OpenFile, by: SkinnedBy) -> Origin {
    Origin {
        file: file.id,
        version: file.version,
        by,
    }
}

async fn prepared(gpu: &Gpu, character: &Character, origin: Origin) -> Result<Ready, String> {
    let figure = GpuCharacter::new_in_steps(gpu, character, origin.by).await;
    let figure = figure.map_err(|error| error.to_string())?;
    let rest = character.skeleton.rest_model();
    let joints = rest.as_slice().iter().map(Affine::translation);
    let points: Vec<Vec3> = match figure.bounds() {
        Some(bounds) => bounds.to_vec(),
        None => joints.collect(),
    };
    let finite = points.into_iter().filter(|p| p.is_finite());
    let around = finite
        .map(|p| [p; 2])
        .reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
    let [low, high] = around.unwrap_or([Vec3::ZERO; 2]);
    Ok(Ready {
        origin,
        character: figure,
        driven: Driven::new(character),
        curves: StageCurves::default(),
        paint: Paint::Materials,
        extent: Extent { low, high },
    })
}
