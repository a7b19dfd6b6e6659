//! Tools on characters: retargeting, binding, measuring.

use crate::character::{Character, find_clip};
use crate::clip::Clip;
use crate::convert::arrays::array;
use crate::error::{free, wrong};
use crate::play::rig::method;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::measure::{FrameReport, frame_times, measure};
use sinew_rig::retarget::{NameMap, RetargetOptions, pair_joints, pairs_from_names, retarget};
use sinew_rig::weights::{BindMethod, BindOptions, bind_character, bind_to_skeleton, unbind};

#[pymethods]
impl Character {
    /// Transfers a clip of another body to this one and adds it. ``feet`` keeps feet on the ground
    /// while the feet of the source stand, ``hands`` moves the hands to the positions of the
    /// source. ``scale`` is the factor of lengths; without it, the ratio of hip heights. ``pairs``
    /// maps names of source joints to names of joints here, or to ``None``; without it, joints are
    /// paired by role and name. ``rest_secs`` is a time at which the source is at rest.
    #[pyo3(signature = (source, clip, *, feet = true, hands = false, scale = None, rest_secs = None, pairs = None))]
    #[expect(clippy::too_many_arguments, reason = "options with names in Python")]
    fn retarget(
        &self,
        py: Python<'_>,
        source: &Self,
        clip: &str,
        feet: bool,
        hands: bool,
        scale: Option<f32>,
        rest_secs: Option<f64>,
        pairs: Option<NameMap>,
    ) -> PyResult<Clip> {
        let (from, onto) = (source.now(), self.now());
        let (from, onto) = (&from.character, &onto.character);
        let clip = &from.clips[find_clip(from, clip)?];
        let options = RetargetOptions::new().feet(feet).hands(hands);
        let options = options.scale(scale).rest_secs(rest_secs);
        let done = free(py, || {
            let pairs = match &pairs {
                Some(names) => pairs_from_names(&from.skeleton, &onto.skeleton, names)?,
                None => pair_joints(&from.skeleton, &onto.skeleton)?,
            };
            retarget(&from.skeleton, clip, &onto.skeleton, &pairs, &options)
        })?;
        self.change(|character| character.clips.push(done.clip.clone()));
        Ok(Clip::new(done.clip, self.skeleton()))
    }

    /// Computes weights for the meshes: to the skeleton of another character, or to the own skin.
    /// ``method`` is ``"auto"``, ``"bezier"``, ``"bezier_wide"``, ``"heat"`` or ``"rigid"``.
    /// ``replace`` removes existing weights first, ``correct`` keeps them except near joints.
    /// Returns the number of vertices and joints that were bound.
    #[pyo3(signature = (skeleton = None, *, method = "auto", influences = 4, correct = false, replace = false))]
    fn bind(
        &self,
        py: Python<'_>,
        skeleton: Option<&Self>,
        method: &str,
        influences: usize,
        correct: bool,
        replace: bool,
    ) -> PyResult<(usize, usize)> {
        let method = match method {
            "auto" => BindMethod::Auto,
            "bezier" => BindMethod::Bezier,
            "bezier_wide" => BindMethod::BezierWide,
            "heat" => BindMethod::Heat,
            "rigid" => BindMethod::Rigid,
            _ => {
                return Err(wrong(format!(
                    "there is no method \"{method}\"; use \"auto\", \"bezier\", \"bezier_wide\", \"heat\" or \"rigid\""
                )));
            }
        };
        let options = BindOptions::new()
            .method(method)
            .influences(influences)
            .correct(correct);
        let other = skeleton.map(Self::now);
        let before = self.now();
        let mut character = before.character.clone();
        let report = free(py, || {
            if replace {
                unbind(&mut character);
            }
            match &other {
                Some(other) => bind_to_skeleton(&mut character, &other.character, &options),
                None => bind_character(&mut character, &options),
            }
        })?;
        self.replace(before, character)?;
        Ok((report.vertices, report.joints_used))
    }

    /// Measures how well the character deforms over a clip: for each method a dictionary of arrays
    /// with a value per frame. ``volume`` and ``stretch_max`` (of
    /// edges) are relative to the rest pose, ``flipped`` counts triangles, ``step`` is the largest
    /// movement of a vertex since the frame before, in extents of the rest pose.
    #[pyo3(signature = (clip = None, *, fps = 30.0, methods = vec!["lbs".to_owned(), "dqs".to_owned()]))]
    fn measure<'py>(
        &self,
        py: Python<'py>,
        clip: Option<&str>,
        fps: f64,
        methods: Vec<String>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let import = self.now();
        let character = &import.character;
        let clip = clip.map(|name| find_clip(character, name)).transpose()?;
        let kinds = methods
            .iter()
            .map(|name| method(name))
            .collect::<PyResult<Vec<_>>>()?;
        let found = free(py, || {
            let duration = clip.map_or(0.0, |clip| f64::from(character.clips[clip].duration_secs));
            measure(character, clip, &frame_times(duration, fps)?, &kinds)
        })?;
        let out = PyDict::new(py);
        for (name, report) in methods.iter().zip(&found.methods) {
            let of = |value: &dyn Fn(&FrameReport) -> f64| {
                let values: Vec<f64> = report.frames.iter().map(value).collect();
                array(py, &[values.len()], values)
            };
            let figures = PyDict::new(py);
            figures.set_item(
                "time_secs",
                array(py, &[found.times_secs.len()], found.times_secs.clone())?,
            )?;
            figures.set_item("volume", of(&|frame| frame.volume.unwrap_or(f64::NAN))?)?;
            figures.set_item("stretch_max", of(&|frame| frame.stretch.max)?)?;
            figures.set_item("flipped", of(&|frame| frame.flipped as f64)?)?;
            figures.set_item(
                "normal_error_deg_max",
                of(&|frame| frame.normal_error_deg.max)?,
            )?;
            figures.set_item("step", of(&|frame| frame.step)?)?;
            out.set_item(name, figures)?;
        }
        Ok(out)
    }
}
