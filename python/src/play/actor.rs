//! Class `Actor`: one playing character.

use crate::convert::arrays::{Numbers, Output, array, vector};
use crate::error::{raise, wrong};
use crate::play::player::Player;
use crate::play::pose::Pose;
use crate::play::rig::layout;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sinew::blend::{BlendJob, Layer, Mask};
use sinew::skin::PaletteRef;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Playing instance of a rig: a pose, and what follows from it.
#[pyclass(frozen, module = "sinew")]
pub struct Actor {
    actor: Mutex<sinew::Actor>,
}

impl Actor {
    pub fn new(actor: sinew::Actor) -> Self {
        Self {
            actor: Mutex::new(actor),
        }
    }

    fn lock(&self) -> MutexGuard<'_, sinew::Actor> {
        self.actor.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on the actor without the GIL. The lock is never held while waiting for the GIL.
    pub fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut sinew::Actor) -> T + Send,
    ) -> T {
        py.detach(|| work(&mut self.lock()))
    }
}

#[pymethods]
impl Actor {
    /// Samples the clip of a player at its time.
    fn sample(&self, py: Python<'_>, player: &Player) -> PyResult<()> {
        let player = player.now();
        self.work(py, |actor| actor.sample(&player)).map_err(raise)
    }

    /// Pose of the actor, as a copy.
    fn pose(&self) -> Pose {
        let actor = self.lock();
        Pose::new(actor.rig().clone(), actor.pose().clone())
    }

    /// Replaces the pose of the actor.
    fn set_pose(&self, pose: &Pose) -> PyResult<()> {
        let now = pose.now();
        let mut actor = self.lock();
        if !actor.rig().is_same(pose.rig()) {
            return Err(wrong(
                "the pose belongs to another rig; make the actor and the pose from one rig",
            ));
        }
        actor.pose_mut().copy_from(&now);
        Ok(())
    }

    /// Blends poses: a list of ``(pose, weight)`` or ``(pose, weight, mask)`` with a weight per
    /// joint in [0, 1]. If the weights sum to less than 1, the rest pose gets the remainder.
    fn blend(&self, py: Python<'_>, layers: Vec<Bound<'_, PyTuple>>) -> PyResult<()> {
        let mut parts = Vec::new();
        for layer in &layers {
            let pose = layer.get_item(0)?.cast::<Pose>()?.get().now();
            let weight: f32 = layer.get_item(1)?.extract()?;
            let mask = match layer.len() {
                2 => None,
                3 => {
                    let mask = Numbers::<f32>::of(&layer.get_item(2)?, "mask")?;
                    Some(Mask::new(mask.slice()?).map_err(raise)?)
                }
                _ => return Err(wrong("a layer is (pose, weight) or (pose, weight, mask)")),
            };
            parts.push((pose, weight, mask));
        }
        self.work(py, |actor| {
            let rig = actor.rig().clone();
            let mut layers: Vec<Layer<'_>> = parts
                .iter()
                .map(|(pose, weight, mask)| Layer {
                    pose,
                    weight: *weight,
                    mask: mask.as_ref(),
                })
                .collect();
            BlendJob::new(rig.skeleton().rest(), &mut layers).run(actor.pose_mut())
        })
        .map_err(raise)
    }

    /// Maps from the frame of each joint to model space, J×3×4, as a copy.
    #[getter]
    fn model(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let maps = self.work(py, |actor| {
            let model = actor.model_pose().map(|model| model.as_slice().to_vec());
            model.map(bytemuck::cast_vec::<_, [f32; 12]>)
        });
        let maps = maps.map_err(raise)?;
        array(py, &[maps.len(), 3, 4], maps.into_flattened())
    }

    /// Vertices, V×6 (position, normal), or V×3 without normals. ``out`` receives the result if it
    /// is given.
    #[pyo3(signature = (*, normals = true, out = None))]
    fn skin(
        &self,
        py: Python<'_>,
        normals: bool,
        out: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let layout = layout(normals);
        let vertices = self.lock().rig().vertices();
        let mut out = Output::of(py, out, &[vertices, layout.stride])?;
        let slice: &mut [f32] = out.slice()?;
        self.work(py, |actor| actor.skin_into(slice, &layout))
            .map_err(raise)?;
        Ok(out.done())
    }

    /// Maps from the bind pose to the pose of each joint of a part, N×3×4, for other skinning code.
    /// Only for rigs with the methods ``"lbs"`` and ``"rigid"``.
    #[pyo3(signature = (part = 0))]
    fn palette(&self, py: Python<'_>, part: usize) -> PyResult<Py<PyAny>> {
        let maps = self.work(py, |actor| match actor.palette(part).map_err(raise)? {
            PaletteRef::Linear(maps) => Ok(maps.to_vec()),
            PaletteRef::DualQuat(_) => Err(wrong(
                "a palette of matrices needs a rig with the method \"lbs\" or \"rigid\"",
            )),
        })?;
        let maps = bytemuck::cast_vec::<_, [f32; 12]>(maps);
        array(py, &[maps.len(), 3, 4], maps.into_flattened())
    }

    /// Map from the frame of a joint to model space, 3×4, for example to attach a sword.
    fn socket(&self, py: Python<'_>, joint: &str) -> PyResult<Py<PyAny>> {
        let map = self.work(py, |actor| actor.socket(joint)).map_err(raise)?;
        array(py, &[3, 4], map.rows.as_flattened().to_vec())
    }

    fn __repr__(&self) -> String {
        format!("<sinew.Actor with {} joints>", self.lock().pose().len())
    }
}

/// Joint by name or index.
#[derive(FromPyObject)]
pub enum Joint {
    Index(usize),
    Name(String),
}

impl Joint {
    pub fn index(&self, skeleton: &sinew::Skeleton) -> PyResult<usize> {
        match self {
            Self::Index(index) => Ok(*index),
            Self::Name(name) => crate::character::joint_index(skeleton, name),
        }
    }
}

/// Position with an optional pole.
pub fn optional(value: Option<[f32; 3]>) -> Option<glam::Vec3> {
    value.map(vector)
}
