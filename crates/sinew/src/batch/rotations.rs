//! Conversion of many rotations from quaternions x, y, z, w to 3×3 matrices by rows, six numbers or
//! Euler angles, and back.
//!
//! Six numbers are the first column of the matrix and then the second (Zhou et al. 2019). They are
//! continuous, so networks learn them better than quaternions.

use super::error::BatchError;
use glam::Quat;
use sinew_math::transform::quat_f64::{QuatF64, add_scaled, cross, dot, scaled};
use sinew_math::transform::{EulerOrder, polar, quat};

type Matrix = [[f32; 3]; 3];

/// Writes the matrix of each quaternion.
///
/// # Errors
/// If the arrays differ in length.
pub fn to_matrices(quaternions: &[[f32; 4]], out: &mut [Matrix]) -> Result<(), BatchError> {
    each(quaternions, out, |q| {
        Some(quat::to_rows(Quat::from_array(*q)))
    })
}

/// Writes the nearest rotation of each matrix.
///
/// ```
/// use sinew::batch::rotations::{from_matrices, to_matrices};
/// let spin = [[0.0, 0.6, 0.0, 0.8]];
/// let mut matrices = [[[0.0; 3]; 3]];
/// to_matrices(&spin, &mut matrices)?;
/// assert!((matrices[0][0][2] - 0.96).abs() < 1e-6);
/// let mut back = [[0.0; 4]];
/// from_matrices(&matrices, &mut back)?;
/// assert!((back[0][1] - 0.6).abs() < 1e-6);
/// # Ok::<(), sinew::batch::BatchError>(())
/// ```
///
/// # Errors
/// If the arrays differ in length, or a matrix is singular, mirrors or is not finite.
pub fn from_matrices(matrices: &[Matrix], out: &mut [[f32; 4]]) -> Result<(), BatchError> {
    each(matrices, out, |rows| {
        let rows = rows.map(|row| row.map(f64::from));
        let volume = dot(rows[0], cross(rows[1], rows[2]));
        let is_rotation = volume > 0.0 && volume.is_finite();
        is_rotation.then(|| polar::decompose(rows).rotation_quat().to_array())
    })
}

/// Writes the first two columns of the matrix of each quaternion.
///
/// # Errors
/// If the arrays differ in length.
pub fn to_six(quaternions: &[[f32; 4]], out: &mut [[f32; 6]]) -> Result<(), BatchError> {
    each(quaternions, out, |q| {
        let [x, y, z] = quat::to_rows(Quat::from_array(*q));
        Some([x[0], y[0], z[0], x[1], y[1], z[1]])
    })
}

/// Writes the rotation of each pair of columns. The first gives the direction of the x axis, and
/// both the plane of x and y, so the columns may have any length.
///
/// # Errors
/// If the arrays differ in length, or columns are zero, parallel or not finite.
pub fn from_six(columns: &[[f32; 6]], out: &mut [[f32; 4]]) -> Result<(), BatchError> {
    each(columns, out, |&[x0, x1, x2, y0, y1, y2]| {
        let x = unit([x0, x1, x2].map(f64::from), 0.0)?;
        let y = unit([y0, y1, y2].map(f64::from), 0.0)?;
        let y = unit(add_scaled(y, x, -dot(x, y)), PARALLEL)?;
        let z = cross(x, y);
        let rows = std::array::from_fn(|i| [x[i], y[i], z[i]]);
        Some(quat::from_rows(&rows).to_array())
    })
}

/// Writes the Euler angles of each quaternion, in radians, in the order of the axes.
///
/// # Errors
/// If the arrays differ in length, or a quaternion is zero or not finite.
pub fn to_euler(
    quaternions: &[[f32; 4]],
    order: EulerOrder,
    out: &mut [[f32; 3]],
) -> Result<(), BatchError> {
    each(quaternions, out, |q| {
        let rotation = QuatF64::from_quat(Quat::from_array(*q)).normalized()?;
        Some(order.angles(rotation).map(|angle| angle as f32))
    })
}

/// Writes the rotation of each three Euler angles, in radians, in the order of the axes.
///
/// # Errors
/// If the arrays differ in length, or an angle is not finite.
pub fn from_euler(
    angles_rad: &[[f32; 3]],
    order: EulerOrder,
    out: &mut [[f32; 4]],
) -> Result<(), BatchError> {
    each(angles_rad, out, |&angles| {
        let is_finite = angles.iter().all(|angle| angle.is_finite());
        is_finite.then(|| order.to_quat(angles).to_array())
    })
}

fn each<A, B>(
    from: &[A],
    out: &mut [B],
    convert: impl Fn(&A) -> Option<B>,
) -> Result<(), BatchError> {
    BatchError::check("the output", out.len(), from.len(), "one per rotation")?;
    for (index, (from, out)) in from.iter().zip(out).enumerate() {
        *out = convert(from).ok_or(BatchError::NoRotation { index })?;
    }
    Ok(())
}

/// Sine of the smallest angle between two columns that still gives a plane.
const PARALLEL: f64 = 1e-6;

fn unit(v: [f64; 3], min_length: f64) -> Option<[f64; 3]> {
    let length = dot(v, v).sqrt();
    (length > min_length && length.is_finite()).then(|| scaled(v, 1.0 / length))
}
