//! Class `Clip`: keys, and arrays of its poses.

use crate::character::{Character, joint_index};
use crate::convert::arrays::Numbers;
use crate::convert::forms::Form;
use crate::convert::frames::{Wanted, arguments, sampled};
use crate::convert::lent::lend;
use crate::error::{free, wrong};
use crate::packed::PackedClip;
use pyo3::prelude::*;
use sinew::skeleton::Skeleton;
use sinew_pack::PackOptions;
use std::sync::Arc;

/// Motion of a skeleton. Channels without keys are at rest.
#[pyclass(frozen, module = "sinew")]
pub struct Clip {
    clip: sinew::Clip,
    skeleton: Arc<Skeleton>,
}

impl Clip {
    pub fn new(clip: sinew::Clip, skeleton: Arc<Skeleton>) -> Self {
        Self { clip, skeleton }
    }

    pub fn clip(&self) -> &sinew::Clip {
        &self.clip
    }
}

#[pymethods]
impl Clip {
    /// Name of the clip.
    #[getter]
    fn name(&self) -> &str {
        &self.clip.name
    }

    /// Duration in seconds.
    #[getter]
    fn duration_secs(&self) -> f32 {
        self.clip.duration_secs
    }

    /// Events: time in seconds and name, ascending in time.
    #[getter]
    fn events(&self) -> Vec<(f32, String)> {
        let events = self.clip.events.iter();
        events
            .map(|event| (event.time_secs, event.name.clone()))
            .collect()
    }

    /// Same motion under another name.
    fn renamed(&self, name: &str) -> Self {
        let clip = sinew::Clip {
            name: name.to_owned(),
            ..self.clip.clone()
        };
        Self::new(clip, self.skeleton.clone())
    }

    /// Times (K) and values (K×3 or K×4; with tangents 3·K rows) of a track, or ``None``. The
    /// channel is ``"translation"``, ``"rotation"`` or ``"scale"``. The arrays are read-only and are
    /// not copied.
    fn track(
        &self,
        py: Python<'_>,
        joint: &str,
        channel: &str,
    ) -> PyResult<Option<(Py<PyAny>, Py<PyAny>)>> {
        let joint = joint_index(&self.skeleton, joint)?;
        let Some(tracks) = self.clip.joint(joint) else {
            return Ok(None);
        };
        let track = match channel {
            "translation" => &tracks.translation,
            "rotation" => &tracks.rotation,
            "scale" => &tracks.scale,
            _ => {
                return Err(wrong(format!(
                    "there is no channel \"{channel}\"; use \"translation\", \"rotation\" or \"scale\""
                )));
            }
        };
        let Some(track) = track else {
            return Ok(None);
        };
        let times = lend(py, track.times(), 0, "<f4")?;
        let values = lend(py, track.values(), 0, "<f4")?;
        let values = values.call_method1(py, "reshape", (-1, track.width()))?;
        Ok(Some((times, values)))
    }

    /// Poses at times in seconds, in any order, as ``Frames``. Times outside the clip count as its
    /// start or end. ``form`` is that of the rotations (see ``convert_rotations``).
    #[pyo3(signature = (times, *, form = "quat", order = "zxy", scales = false))]
    fn sample(
        &self,
        py: Python<'_>,
        times: &Bound<'_, PyAny>,
        form: &str,
        order: &str,
        scales: bool,
    ) -> PyResult<Py<PyAny>> {
        let form = Form::parse(form, order)?;
        let times = Numbers::<f64>::of(times, "times")?;
        sampled(
            py,
            &self.clip,
            &self.skeleton,
            times.slice()?,
            Wanted { form, scales },
        )
    }

    /// Poses at even times from the start to the end of the clip, as ``Frames``: T×J×4 quaternions
    /// (or another form) and T×J×3 translations.
    ///
    /// >>> import sinew
    /// >>> body = sinew.load(b'''HIERARCHY
    /// ... ROOT hips { OFFSET 0 0 0 CHANNELS 1 Yrotation End Site { OFFSET 0 1 0 } }
    /// ... MOTION Frames: 2 Frame Time: 0.5
    /// ... 0
    /// ... 90''')
    /// >>> frames = body.clips[0].to_arrays(fps=4)
    /// >>> frames.times.tolist(), frames.rotations.shape, frames.translations.shape
    /// ([0.0, 0.25, 0.5], (3, 2, 4), (3, 2, 3))
    #[pyo3(signature = (fps = 30.0, *, form = "quat", order = "zxy", scales = false))]
    fn to_arrays(
        &self,
        py: Python<'_>,
        fps: f64,
        form: &str,
        order: &str,
        scales: bool,
    ) -> PyResult<Py<PyAny>> {
        let form = Form::parse(form, order)?;
        let duration = f64::from(self.clip.duration_secs);
        let times = free(py, || sinew::measure::frame_times(duration, fps))?;
        sampled(
            py,
            &self.clip,
            &self.skeleton,
            &times,
            Wanted { form, scales },
        )
    }

    /// Clip from arrays with a key per frame: T×J×4 quaternions (or another form), and translations
    /// that are T×J×3, T×3 (only the root moves) or ``None`` (all at rest). ``times`` ascend, in
    /// seconds; without them the frames are ``1 / fps`` apart.
    #[staticmethod]
    #[pyo3(signature = (
        character, rotations, translations = None, *, times = None, fps = 30.0, scales = None,
        form = "quat", order = "zxy", name = "clip"
    ))]
    #[expect(clippy::too_many_arguments, reason = "options with names in Python")]
    fn from_arrays(
        py: Python<'_>,
        character: &Character,
        rotations: &Bound<'_, PyAny>,
        translations: Option<&Bound<'_, PyAny>>,
        times: Option<&Bound<'_, PyAny>>,
        fps: f64,
        scales: Option<&Bound<'_, PyAny>>,
        form: &str,
        order: &str,
        name: &str,
    ) -> PyResult<Self> {
        let skeleton = character.skeleton();
        let form = Form::parse(form, order)?;
        let given = arguments(&skeleton, form, rotations, translations, scales)?;
        let count = given.count(&skeleton)?;
        let times = match times {
            Some(times) => Numbers::<f32>::of(times, "times")?.slice()?.to_vec(),
            None if fps > 0.0 && fps.is_finite() => (0..count)
                .map(|frame| (frame as f64 / fps) as f32)
                .collect(),
            None => return Err(wrong(format!("fps is {fps}; use a number above 0"))),
        };
        let clip = given.with(py, |frames| {
            sinew::Clip::from_frames(name, times, skeleton.len(), frames)
        })?;
        Ok(Self::new(clip, skeleton))
    }

    /// Packed copy, whose measured error is at most ``max_error`` in the unit of the skeleton.
    #[pyo3(signature = (max_error = 1e-4))]
    fn compress(&self, py: Python<'_>, max_error: f32) -> PyResult<PackedClip> {
        let options = PackOptions::new().max_error(max_error);
        let packed = free(py, || {
            sinew_pack::pack(&self.skeleton, &self.clip, &options)
        })?;
        Ok(PackedClip::new(packed.clip, self.skeleton.clone()))
    }

    fn __repr__(&self) -> String {
        format!(
            "<sinew.Clip '{}' of {} s>",
            self.clip.name, self.clip.duration_secs
        )
    }
}
