//! Arrays of many poses: arguments as `Frames` of the library, and samples as `Frames` of Python.

use crate::convert::arrays::{Numbers, Output, array, zeros};
use crate::convert::forms::Form;
use crate::error::{free, wrong};
use bytemuck::cast_slice;
use pyo3::prelude::*;
use pyo3::types::PyAny;
use sinew::batch::{BatchError, Frames, FramesMut, Translations, forward_kinematics, sample_times};
use sinew::skeleton::Skeleton;
use sinew::{Affine, Playable};

/// Form of sampled rotations, and whether scales are sampled.
#[derive(Clone, Copy)]
pub struct Wanted {
    pub form: Form,
    pub scales: bool,
}

/// Samples as the named tuple `sinew.Frames`.
pub fn sampled<C: Playable + ?Sized>(
    py: Python<'_>,
    clip: &C,
    skeleton: &Skeleton,
    times: &[f64],
    wanted: Wanted,
) -> PyResult<Py<PyAny>> {
    let (frames, joints) = (times.len(), skeleton.len());
    let count = frames.checked_mul(joints);
    let mut rotations: Vec<[f32; 4]> = zeros(count)?;
    let mut translations: Vec<[f32; 3]> = zeros(count)?;
    let mut scales: Vec<[f32; 3]> = zeros(if wanted.scales { count } else { Some(0) })?;
    free(py, || {
        let out = FramesMut {
            rotations: &mut rotations,
            translations: Some(&mut translations),
            scales: wanted.scales.then_some(&mut scales),
        };
        sample_times(clip, skeleton, times, out)
    })?;
    let rotations = wanted.form.of_quaternions(py, rotations)?;
    let shape = [&[frames, joints], wanted.form.tail()].concat();
    let vectors = |values: Vec<[f32; 3]>| array(py, &[frames, joints, 3], values.into_flattened());
    let scales = wanted.scales.then(|| vectors(scales)).transpose()?;
    let times = array(py, &[frames], times.to_vec())?;
    let made = (
        times,
        array(py, &shape, rotations)?,
        vectors(translations)?,
        scales,
    );
    let class = py.import("sinew")?.getattr("Frames")?;
    Ok(class.call1(made)?.unbind())
}

/// Arrays of local poses that a caller gives.
pub struct Given<'py> {
    rotations: Numbers<'py, f32>,
    form: Form,
    translations: Option<(Numbers<'py, f32>, bool)>,
    scales: Option<Numbers<'py, f32>>,
    /// Dimensions before those of a pose.
    pub lead: Vec<usize>,
}

/// Checks that the shapes of arrays of poses agree.
pub fn arguments<'py>(
    skeleton: &Skeleton,
    form: Form,
    rotations: &Bound<'py, PyAny>,
    translations: Option<&Bound<'py, PyAny>>,
    scales: Option<&Bound<'py, PyAny>>,
) -> PyResult<Given<'py>> {
    let joints = skeleton.len();
    let rotations = Numbers::<f32>::of(rotations, "rotations")?;
    let tail = [&[joints], form.tail()].concat();
    let lead = rotations.rows::<f32>(&tail)?.0.to_vec();
    let every = [&lead[..], &[joints, 3]].concat();
    let root = [&lead[..], &[3]].concat();
    let other = |what: &str, found: &[usize], root: bool| {
        let root = if root {
            format!(
                ", or {root:?} for the root alone",
                root = [&lead[..], &[3]].concat()
            )
        } else {
            String::new()
        };
        wrong(format!(
            "{what} has the shape {found:?}; with these rotations it must be {every:?}{root}"
        ))
    };
    let translations = match translations {
        None => None,
        Some(values) => {
            let values = Numbers::<f32>::of(values, "translations")?;
            let only_root = values.shape() == root;
            if !only_root && values.shape() != every {
                return Err(other("translations", values.shape(), true));
            }
            Some((values, only_root))
        }
    };
    let scales = match scales {
        None => None,
        Some(values) => {
            let values = Numbers::<f32>::of(values, "scales")?;
            if values.shape() != every {
                return Err(other("scales", values.shape(), false));
            }
            Some(values)
        }
    };
    Ok(Given {
        rotations,
        form,
        translations,
        scales,
        lead,
    })
}

impl Given<'_> {
    /// Number of frames.
    pub fn count(&self, skeleton: &Skeleton) -> PyResult<usize> {
        let width: usize = self.form.tail().iter().product();
        Ok(self.rotations.slice()?.len() / (width * skeleton.len()))
    }

    /// Calls a function of the library without the GIL.
    pub fn with<T: Send>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&Frames<'_>) -> Result<T, BatchError> + Send,
    ) -> PyResult<T> {
        let (numbers, form) = (self.rotations.slice()?, self.form);
        let translations = match &self.translations {
            None => Translations::Rest,
            Some((values, true)) => Translations::Root(cast_slice(values.slice()?)),
            Some((values, false)) => Translations::All(cast_slice(values.slice()?)),
        };
        let scales = self.scales.as_ref().map(Numbers::slice).transpose()?;
        let converted = match form {
            Form::Quaternion => None,
            _ => Some(form.to_quaternions(py, numbers)?),
        };
        free(py, || {
            call(&Frames {
                rotations: converted.as_deref().unwrap_or_else(|| cast_slice(numbers)),
                translations,
                scales: scales.map(cast_slice),
            })
        })
    }
}

/// Forward kinematics as an array …×J×3×4.
pub fn forward(
    py: Python<'_>,
    skeleton: &Skeleton,
    given: &Given<'_>,
    out: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let shape = [&given.lead[..], &[skeleton.len(), 3, 4]].concat();
    let mut out = Output::of(py, out, &shape)?;
    let maps: &mut [Affine] = out.slice()?;
    given.with(py, |frames| forward_kinematics(skeleton, frames, maps))?;
    Ok(out.done())
}
