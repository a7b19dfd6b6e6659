//! Forms of rotations by name: quaternions, six numbers, matrices, Euler angles.

use crate::convert::arrays::{Numbers, array, zeros};
use crate::error::{free, wrong};
use bytemuck::{cast_slice, cast_slice_mut};
use pyo3::prelude::*;
use sinew::batch::rotations::{from_euler, from_matrices, from_six, to_euler, to_matrices, to_six};
use sinew::transform::{Axis, EulerOrder};

#[derive(Clone, Copy)]
pub enum Form {
    Quaternion,
    Six,
    Matrix,
    Euler(EulerOrder),
}

impl Form {
    pub fn parse(form: &str, order: &str) -> PyResult<Self> {
        match form {
            "quat" => Ok(Self::Quaternion),
            "6d" => Ok(Self::Six),
            "matrix" => Ok(Self::Matrix),
            "euler" => Ok(Self::Euler(parse_order(order)?)),
            _ => Err(wrong(format!(
                "there is no form \"{form}\" of rotations; use \"quat\", \"6d\", \"matrix\" or \"euler\""
            ))),
        }
    }

    /// Dimensions of one rotation.
    pub fn tail(self) -> &'static [usize] {
        match self {
            Self::Quaternion => &[4],
            Self::Six => &[6],
            Self::Matrix => &[3, 3],
            Self::Euler(_) => &[3],
        }
    }

    /// Numbers of this form for quaternions.
    pub fn of_quaternions(self, py: Python<'_>, quaternions: Vec<[f32; 4]>) -> PyResult<Vec<f32>> {
        let width: usize = self.tail().iter().product();
        let mut out: Vec<f32> = match self {
            Self::Quaternion => return Ok(quaternions.into_flattened()),
            _ => zeros(quaternions.len().checked_mul(width))?,
        };
        free(py, || match self {
            Self::Quaternion => Ok(()),
            Self::Six => to_six(&quaternions, cast_slice_mut(&mut out)),
            Self::Matrix => to_matrices(&quaternions, cast_slice_mut(&mut out)),
            Self::Euler(order) => to_euler(&quaternions, order, cast_slice_mut(&mut out)),
        })?;
        Ok(out)
    }

    /// Quaternions for numbers of this form.
    pub fn to_quaternions(self, py: Python<'_>, numbers: &[f32]) -> PyResult<Vec<[f32; 4]>> {
        let width: usize = self.tail().iter().product();
        let mut out: Vec<[f32; 4]> = zeros(Some(numbers.len() / width))?;
        free(py, || match self {
            Self::Quaternion => {
                out.copy_from_slice(cast_slice(numbers));
                Ok(())
            }
            Self::Six => from_six(cast_slice(numbers), &mut out),
            Self::Matrix => from_matrices(cast_slice(numbers), &mut out),
            Self::Euler(order) => from_euler(cast_slice(numbers), order, &mut out),
        })?;
        Ok(out)
    }
}

fn parse_order(order: &str) -> PyResult<EulerOrder> {
    let axis = |letter: char| match letter {
        'x' | 'X' => Some(Axis::X),
        'y' | 'Y' => Some(Axis::Y),
        'z' | 'Z' => Some(Axis::Z),
        _ => None,
    };
    let axes: Option<Vec<Axis>> = order.chars().map(axis).collect();
    let axes = axes.and_then(|axes| <[Axis; 3]>::try_from(axes).ok());
    axes.and_then(EulerOrder::new).ok_or_else(|| {
        wrong(format!(
            "\"{order}\" is no order of Euler angles; use three axes such as \"zxy\", of which neighbours differ"
        ))
    })
}

/// Converts rotations between forms. The forms are ``"quat"`` (x, y, z, w), ``"6d"`` (the first
/// column of the matrix, then the second), ``"matrix"`` (3×3) and ``"euler"`` (radians, in the
/// order of the axes, the first outermost). Dimensions before those of a rotation are kept.
///
/// >>> import sinew
/// >>> sinew.convert_rotations([0.0, 0.0, 0.0, 1.0], "quat", "6d").tolist()
/// [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
#[pyfunction]
#[pyo3(signature = (rotations, source, target, order = "zxy"))]
pub fn convert_rotations(
    py: Python<'_>,
    rotations: &Bound<'_, PyAny>,
    source: &str,
    target: &str,
    order: &str,
) -> PyResult<Py<PyAny>> {
    let (source, target) = (Form::parse(source, order)?, Form::parse(target, order)?);
    let numbers = Numbers::<f32>::of(rotations, "rotations")?;
    let (lead, values) = numbers.rows::<f32>(source.tail())?;
    let out = target.of_quaternions(py, source.to_quaternions(py, values)?)?;
    array(py, &[lead, target.tail()].concat(), out)
}
