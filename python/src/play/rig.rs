//! Class `Rig`: a character ready to play.

use crate::convert::arrays::{Numbers, Output, array};
use crate::convert::forms::Form;
use crate::convert::frames::{Wanted, arguments, forward, sampled};
use crate::error::{free, raise, wrong};
use crate::play::actor::Actor;
use crate::play::graph::Graph;
use crate::play::player::Player;
use crate::play::pose::Pose;
use pyo3::prelude::*;
use sinew::Method;
use sinew::batch::skin_frames;
use sinew::graph::StateMachine;
use sinew::skin::{Layout, Order};

/// Character ready to play. Any number of actors and players share it.
#[pyclass(frozen, module = "sinew")]
pub struct Rig {
    pub rig: sinew::Rig,
}

impl Rig {
    pub fn new(rig: sinew::Rig) -> Self {
        Self { rig }
    }
}

/// Skinning method by name, or the method of the character.
pub fn chosen_method(name: Option<&str>, character: &sinew::Character) -> PyResult<Method> {
    name.map_or(Ok(character.method()), method)
}

/// Skinning method by name.
pub fn method(name: &str) -> PyResult<Method> {
    match name {
        "dqs" => Ok(Method::DualQuat),
        "lbs" => Ok(Method::Linear),
        "rigid" => Ok(Method::Rigid),
        _ => Err(wrong(format!(
            "there is no skinning method \"{name}\"; use \"dqs\", \"lbs\" or \"rigid\""
        ))),
    }
}

/// Position and, if requested, normal of each vertex.
pub fn layout(normals: bool) -> Layout {
    Layout {
        stride: if normals { 6 } else { 3 },
        position: 0,
        normal: normals.then_some(3),
        tangent: None,
        order: Order::Mesh,
    }
}

#[pymethods]
impl Rig {
    /// Names of the clips.
    #[getter]
    fn clip_names(&self) -> Vec<String> {
        self.rig
            .clips()
            .iter()
            .map(|clip| clip.name().to_owned())
            .collect()
    }

    /// Number of joints.
    #[getter]
    fn joint_count(&self) -> usize {
        self.rig.skeleton().len()
    }

    /// Number of vertices that skinning writes.
    #[getter]
    fn vertex_count(&self) -> usize {
        self.rig.vertices()
    }

    /// Triangles of all parts as vertex indices, N×3, uint32.
    #[getter]
    fn triangles(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let indices = self.rig.indices();
        array(py, &[indices.len() / 3, 3], indices)
    }

    /// Actor at rest.
    fn actor(&self) -> Actor {
        Actor::new(self.rig.actor())
    }

    /// Pose at rest, for blends.
    fn pose(&self) -> Pose {
        Pose::new(self.rig.clone(), self.rig.skeleton().rest().clone())
    }

    /// Looping player at the start of a clip, by name or by number as text.
    fn player(&self, clip: &str) -> PyResult<Player> {
        Ok(Player::new(self.rig.player(clip).map_err(raise)?))
    }

    /// Poses of a clip at times in seconds, in any order, as ``Frames``.
    #[pyo3(signature = (clip, times, *, form = "quat", order = "zxy", scales = false))]
    fn sample(
        &self,
        py: Python<'_>,
        clip: &str,
        times: &Bound<'_, PyAny>,
        form: &str,
        order: &str,
        scales: bool,
    ) -> PyResult<Py<PyAny>> {
        let form = Form::parse(form, order)?;
        let player = self.rig.player(clip).map_err(raise)?;
        let times = Numbers::<f64>::of(times, "times")?;
        let wanted = Wanted { form, scales };
        sampled(
            py,
            player.clip(),
            self.rig.skeleton(),
            times.slice()?,
            wanted,
        )
    }

    /// Forward kinematics, as ``Character.fk``.
    #[pyo3(signature = (rotations, translations = None, *, scales = None, form = "quat", order = "zxy", out = None))]
    #[expect(clippy::too_many_arguments, reason = "options with names in Python")]
    fn fk(
        &self,
        py: Python<'_>,
        rotations: &Bound<'_, PyAny>,
        translations: Option<&Bound<'_, PyAny>>,
        scales: Option<&Bound<'_, PyAny>>,
        form: &str,
        order: &str,
        out: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let form = Form::parse(form, order)?;
        let skeleton = self.rig.skeleton();
        let given = arguments(skeleton, form, rotations, translations, scales)?;
        forward(py, skeleton, &given, out)
    }

    /// Vertices of many poses, with the shape …×V×6 (position, normal) for rotations …×J×4, or
    /// …×V×3 without normals. ``out`` receives the result if it is given.
    #[pyo3(signature = (
        rotations, translations = None, *, scales = None, form = "quat", order = "zxy", normals = true, out = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "options with names in Python")]
    fn skin(
        &self,
        py: Python<'_>,
        rotations: &Bound<'_, PyAny>,
        translations: Option<&Bound<'_, PyAny>>,
        scales: Option<&Bound<'_, PyAny>>,
        form: &str,
        order: &str,
        normals: bool,
        out: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let form = Form::parse(form, order)?;
        let skeleton = self.rig.skeleton();
        let given = arguments(skeleton, form, rotations, translations, scales)?;
        let layout = layout(normals);
        let shape = [&given.lead[..], &[self.rig.vertices(), layout.stride]].concat();
        let mut out = Output::of(py, out, &shape)?;
        let vertices: &mut [f32] = out.slice()?;
        given.with(py, |frames| {
            skin_frames(&self.rig, frames, &layout, vertices)
        })?;
        Ok(out.done())
    }

    /// State machine over the clips of the rig, from its text in JSON. ``root`` names the joint
    /// whose motion over the ground is taken out of the poses, as ``GraphPlayer.root_step``.
    #[pyo3(signature = (json, root = None))]
    fn graph(&self, py: Python<'_>, json: &str, root: Option<&str>) -> PyResult<Graph> {
        let machine = free(py, || StateMachine::from_json(json))?;
        let graph = free(py, || machine.build(&self.rig))?;
        Graph::new(graph, root)
    }

    fn __repr__(&self) -> String {
        let (joints, clips) = (self.rig.skeleton().len(), self.rig.clips().len());
        format!("<sinew.Rig with {joints} joints and {clips} clips>")
    }
}
