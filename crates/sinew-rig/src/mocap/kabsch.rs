//! Least-squares rigid motion between two sets of points.
//! The rotation is the eigenvector of the largest eigenvalue of a symmetric 4 × 4 matrix (Horn
//! 1987, *Closed-form solution of absolute orientation using unit quaternions*). It equals the
//! rotation of Kabsch (1976), who uses a singular value decomposition. It is never a reflection.

use glam::{DQuat, DVec3};
use thiserror::Error;

/// Rigid motion between two sets of points, with the error of the fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidFit {
    /// Rotation from the first set to the second.
    pub rotation: DQuat,
    /// Translation, applied after the rotation.
    pub translation: DVec3,
    /// Root mean square of the remaining distances, in the unit of the points.
    pub rms: f64,
}

/// Reason why points do not determine a rigid motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RigidFitError {
    /// Fewer than three points.
    #[error("{points} points do not define a rotation; at least three are needed")]
    TooFew {
        /// Number of points.
        points: usize,
    },
    /// All points are on one line, or at one position.
    #[error(
        "the points lie on one line, so the rotation about that line is unknown; move one of them off the line"
    )]
    OnOneLine,
    /// A coordinate, or its square, is not finite.
    #[error("a point is not finite, or too far away to compute with")]
    NotFinite,
}

/// Min relative gap between the two largest eigenvalues. Below it, rounding decides the rotation.
const MIN_GAP: f64 = 1e-6;

/// Rigid motion that best maps the first point of each pair to the second, by least squares.
///
/// ```
/// use glam::DVec3;
/// use sinew_rig::mocap::rigid_fit;
/// let body = [DVec3::X, DVec3::Y, DVec3::Z];
/// let seen = body.map(|p| p + DVec3::splat(2.0));
/// let pairs: Vec<_> = body.into_iter().zip(seen).collect();
/// let fit = rigid_fit(&pairs)?;
/// assert!((fit.translation - DVec3::splat(2.0)).length() < 1e-12);
/// # Ok::<(), sinew_rig::mocap::RigidFitError>(())
/// ```
pub fn rigid_fit(pairs: &[(DVec3, DVec3)]) -> Result<RigidFit, RigidFitError> {
    if !pairs.iter().all(|(a, b)| a.is_finite() && b.is_finite()) {
        return Err(RigidFitError::NotFinite);
    }
    if pairs.len() < 3 {
        return Err(RigidFitError::TooFew {
            points: pairs.len(),
        });
    }
    let count = pairs.len() as f64;
    let from = pairs.iter().map(|p| p.0).sum::<DVec3>() / count;
    let to = pairs.iter().map(|p| p.1).sum::<DVec3>() / count;
    let mut s = [[0.0; 3]; 3];
    let mut size = 0.0;
    for (a, b) in pairs {
        let (a, b) = ((*a - from).to_array(), (*b - to).to_array());
        for i in 0..3 {
            size += 0.5 * (a[i] * a[i] + b[i] * b[i]);
            for j in 0..3 {
                s[i][j] += a[i] * b[j];
            }
        }
    }
    let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = s;
    let (values, vectors) = eigen([
        [xx + yy + zz, yz - zy, zx - xz, xy - yx],
        [yz - zy, xx - yy - zz, xy + yx, zx + xz],
        [zx - xz, xy + yx, yy - xx - zz, yz + zy],
        [xy - yx, zx + xz, yz + zy, zz - xx - yy],
    ]);
    let mut order = [0, 1, 2, 3];
    order.sort_by(|&i, &j| values[j].total_cmp(&values[i]));
    let gap = values[order[0]] - values[order[1]];
    if !(gap.is_finite() && size.is_finite()) {
        return Err(RigidFitError::NotFinite);
    }
    if gap <= MIN_GAP * size {
        return Err(RigidFitError::OnOneLine);
    }
    let [w, x, y, z] = vectors.map(|row| row[order[0]]);
    let rotation = DQuat::from_xyzw(x, y, z, w).normalize();
    let translation = to - rotation * from;
    let left: f64 = pairs
        .iter()
        .map(|(a, b)| (rotation * *a + translation - *b).length_squared())
        .sum();
    Ok(RigidFit {
        rotation,
        translation,
        rms: (left / count).sqrt(),
    })
}

/// Eigenvalues, and eigenvectors as columns, by Jacobi rotations.
fn eigen(mut a: [[f64; 4]; 4]) -> ([f64; 4], [[f64; 4]; 4]) {
    let mut v = [[0.0; 4]; 4];
    for i in 0..4 {
        v[i][i] = 1.0;
    }
    // Converges quadratically: five or six sweeps reach the last bit.
    for _ in 0..16 {
        for p in 0..3 {
            for q in p + 1..4 {
                if a[p][q] == 0.0 {
                    continue;
                }
                let ratio = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = ratio.signum() / (ratio.abs() + (ratio * ratio + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..4 {
                    (a[k][p], a[k][q]) = (c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]);
                }
                for k in 0..4 {
                    (a[p][k], a[q][k]) = (c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]);
                    (v[k][p], v[k][q]) = (c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]);
                }
            }
        }
    }
    ([0, 1, 2, 3].map(|i| a[i][i]), v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirrored_body_is_met_by_a_turn() {
        let body = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ZERO];
        let pairs = body.map(|p| (p, DVec3::new(-p.x, p.y, p.z)));
        let fit = rigid_fit(&pairs).expect("it is somewhere");
        assert!((fit.rotation.length() - 1.0).abs() < 1e-12);
        assert!(fit.rms > 0.1, "a reflection would leave nothing");
    }

    #[test]
    fn what_does_not_say_how_a_body_is_turned_is_refused() {
        let line = [0.0, 1.0, 2.5].map(|x| (DVec3::X * x, DVec3::Y * x));
        assert_eq!(rigid_fit(&line), Err(RigidFitError::OnOneLine));
        assert_eq!(rigid_fit(&[line[0]; 5]), Err(RigidFitError::OnOneLine));
        assert_eq!(
            rigid_fit(&line[..2]),
            Err(RigidFitError::TooFew { points: 2 })
        );
        let nan = [(DVec3::NAN, DVec3::X); 3];
        assert_eq!(rigid_fit(&nan), Err(RigidFitError::NotFinite));
    }
}
