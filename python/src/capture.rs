//! Motion capture: markers or positions of joints to a character with a clip.

use crate::character::Character;
use crate::convert::arrays::{Numbers, array};
use crate::convert::source::Source;
use crate::error::{free, raise, wrong};
use glam::Vec3;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::markers::{Sighting, Trial};
use sinew_io::c3d;
use sinew_rig::mocap::{Capture, Marker, MarkerSet, from_positions};
use sinew_rig::template::Biped;

/// Fits a skeleton and its motion to markers. ``source`` is the path or the bytes of a C3D file.
/// ``onto`` is the template skeleton; without it, a person. ``markers`` maps each label to a joint
/// and a position in its frame, in metres; without it, the labels of Plug-in Gait and of plates
/// are known. Returns a character with the bones and the motion of the subject, and a dictionary
/// with ``rms_m``, ``frame_rms_m``, ``size`` and ``unknown_labels``.
#[pyfunction]
#[pyo3(signature = (source, *, onto = None, markers = None, still = None, symmetric = false))]
pub fn mocap<'py>(
    py: Python<'py>,
    source: Source,
    onto: Option<&Character>,
    markers: Option<Vec<(String, String, [f32; 3])>>,
    still: Option<Source>,
    symmetric: bool,
) -> PyResult<(Character, Bound<'py, PyDict>)> {
    let read = |source: &Source| {
        let import = free(py, || match source {
            Source::Path(path) => c3d::import(path),
            Source::Bytes(bytes) => c3d::import_bytes(bytes),
        });
        import.map(|import| import.trial)
    };
    let trial = read(&source)?;
    let still = still.as_ref().map(read).transpose()?;
    fit(py, &trial, still.as_ref(), onto, markers, symmetric)
}

/// As ``mocap``, from an array of markers, T×M×3 in metres with y up. NaN stands for a marker that
/// was not seen. ``labels`` are the M labels.
#[pyfunction]
#[pyo3(signature = (points, labels, rate_hz, *, onto = None, markers = None, symmetric = false))]
pub fn mocap_arrays<'py>(
    py: Python<'py>,
    points: &Bound<'py, PyAny>,
    labels: Vec<String>,
    rate_hz: f64,
    onto: Option<&Character>,
    markers: Option<Vec<(String, String, [f32; 3])>>,
    symmetric: bool,
) -> PyResult<(Character, Bound<'py, PyDict>)> {
    let points = Numbers::<f32>::of(points, "points")?;
    let count = labels.len();
    let (_, rows) = points.rows::<[f32; 3]>(&[count, 3])?;
    let mut trial = Trial::new(rate_hz, labels);
    for frame in rows.chunks(count.max(1)) {
        let seen = frame.iter().map(|point| {
            let position = Vec3::from_array(*point);
            position.is_finite().then_some(Sighting {
                position,
                residual: 0.0,
            })
        });
        trial.push(&seen.collect::<Vec<_>>()).map_err(raise)?;
    }
    fit(py, &trial, None, onto, markers, symmetric)
}

fn fit<'py>(
    py: Python<'py>,
    trial: &Trial,
    still: Option<&Trial>,
    onto: Option<&Character>,
    markers: Option<Vec<(String, String, [f32; 3])>>,
    symmetric: bool,
) -> PyResult<(Character, Bound<'py, PyDict>)> {
    let skeleton = match onto {
        Some(character) => character.now().character.skeleton.clone(),
        None => Biped::default().template().skeleton().map_err(raise)?,
    };
    let markers = markers.map_or_else(MarkerSet::standard, |markers| MarkerSet {
        markers: markers
            .into_iter()
            .map(|(label, joint, offset)| Marker {
                label,
                joint,
                offset: offset.into(),
            })
            .collect(),
    });
    let capture = Capture {
        still,
        symmetric,
        ..Capture::new(&skeleton, &markers, trial)
    };
    let fit = free(py, || capture.fit(|_| ()))?;
    let report = PyDict::new(py);
    report.set_item("rms_m", fit.report.rms_m)?;
    let errors = fit.report.frame_rms_m;
    report.set_item("frame_rms_m", array(py, &[errors.len()], errors)?)?;
    report.set_item("size", fit.report.size)?;
    report.set_item("unknown_labels", fit.report.unknown_labels)?;
    let mut character = sinew::Character::from_skeleton(fit.skeleton);
    character.clips.push(fit.clip);
    Ok((Character::made(character), report))
}

#[pymethods]
impl Character {
    /// Clip from positions of joints, T×J×3 in model space, such as those of a pose estimator. Adds
    /// it to the character.
    #[pyo3(signature = (positions, rate_hz, name = "positions"))]
    fn add_positions(
        &self,
        py: Python<'_>,
        positions: &Bound<'_, PyAny>,
        rate_hz: f64,
        name: &str,
    ) -> PyResult<()> {
        let skeleton = self.skeleton();
        let positions = Numbers::<f32>::of(positions, "positions")?;
        let (lead, rows) = positions.rows::<[f32; 3]>(&[skeleton.len(), 3])?;
        if lead.len() != 1 {
            return Err(wrong(
                "positions must have three dimensions: frames, joints and 3",
            ));
        }
        let frames = rows.chunks(skeleton.len());
        let frames: Vec<Vec<Vec3>> = frames
            .map(|frame| frame.iter().map(|p| Vec3::from_array(*p)).collect())
            .collect();
        let mut clip = free(py, || from_positions(&skeleton, &frames, rate_hz))?;
        name.clone_into(&mut clip.name);
        self.change(|character| character.clips.push(clip));
        Ok(())
    }
}
