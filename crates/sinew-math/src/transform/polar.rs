//! Polar decomposition of a 3×3 map into a proper rotation and a symmetric stretch.
//!
//! The one-sided Jacobi SVD in `f64` (Hestenes 1958) needs only roots and divisions and is accurate
//! for singular maps. Mirrored maps give rotation −U and stretch −P (Shoemake and Duff 1992).

use super::quat;
use glam::Quat;

/// Decomposition `linear = rotation · stretch`.
#[derive(Clone, Copy, Debug)]
pub struct Polar {
    /// Proper rotation, by rows.
    pub rotation: [[f64; 3]; 3],
    /// Symmetric stretch, by rows. Negative definite for a mirrored map.
    pub stretch: [[f64; 3]; 3],
}

impl Polar {
    /// Rotation as a unit quaternion.
    #[inline]
    pub fn rotation_quat(&self) -> Quat {
        quat::from_rows(&self.rotation)
    }
}

type Columns = [[f64; 3]; 3];

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Decomposes `linear`, given by rows. Non-finite values give the identity and a zero stretch.
pub fn decompose(linear: [[f64; 3]; 3]) -> Polar {
    let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let largest = linear.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    if largest == 0.0 || !linear.iter().flatten().all(|x| x.is_finite()) {
        return Polar {
            rotation: identity,
            stretch: [[0.0; 3]; 3],
        };
    }
    // Scaled to unit size, so that squares neither overflow nor vanish.
    let mut a: Columns = [[0.0; 3]; 3];
    for (k, column) in a.iter_mut().enumerate() {
        for (i, x) in column.iter_mut().enumerate() {
            *x = linear[i][k] / largest;
        }
    }
    let mut v: Columns = identity;
    for _ in 0..30 {
        if !sweep(&mut a, &mut v) {
            break;
        }
    }
    let sigma = [0, 1, 2].map(|k| dot(&a[k], &a[k]).sqrt());
    let u = complete(&a, &sigma, &v);

    // R = U Vᵀ and P = V Σ Vᵀ, with columns u_k and v_k.
    let (mut rotation, mut stretch) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
    for i in 0..3 {
        for j in 0..3 {
            rotation[i][j] = u[0][i] * v[0][j] + u[1][i] * v[1][j] + u[2][i] * v[2][j];
            let p = sigma[0] * v[0][i] * v[0][j]
                + sigma[1] * v[1][i] * v[1][j]
                + sigma[2] * v[2][i] * v[2][j];
            stretch[i][j] = p * largest;
        }
    }
    let det = dot(&rotation[0], &cross(&rotation[1], &rotation[2]));
    if det < 0.0 {
        for x in rotation.iter_mut().chain(stretch.iter_mut()).flatten() {
            *x = -*x;
        }
    }
    Polar { rotation, stretch }
}

/// Makes each pair of columns orthogonal. False if all pairs already were.
fn sweep(a: &mut Columns, v: &mut Columns) -> bool {
    let mut turned = false;
    for (p, q) in [(0, 1), (0, 2), (1, 2)] {
        let (alpha, beta) = (dot(&a[p], &a[p]), dot(&a[q], &a[q]));
        let gamma = dot(&a[p], &a[q]);
        if gamma.abs() <= 1e-15 * (alpha * beta).sqrt() || gamma == 0.0 {
            continue;
        }
        turned = true;
        let zeta = (beta - alpha) / (2.0 * gamma);
        let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
        let c = 1.0 / (1.0 + t * t).sqrt();
        let s = c * t;
        for m in [&mut *a, &mut *v] {
            let (mp, mq) = (m[p], m[q]);
            m[p] = [0, 1, 2].map(|i| c * mp[i] - s * mq[i]);
            m[q] = [0, 1, 2].map(|i| s * mp[i] + c * mq[i]);
        }
    }
    turned
}

/// Left singular vectors. For a zero singular value, the axis of a proper and small rotation.
fn complete(a: &Columns, sigma: &[f64; 3], v: &Columns) -> Columns {
    let largest = sigma[0].max(sigma[1]).max(sigma[2]);
    let kept = sigma.map(|s| s > 1e-12 * largest);
    let mut u = [[0.0; 3]; 3];
    for k in (0..3).filter(|&k| kept[k]) {
        u[k] = a[k].map(|x| x / sigma[k]);
    }
    for k in (0..3).filter(|&k| !kept[k]) {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let sign = dot(&v[k], &cross(&v[i], &v[j])).signum();
        let have = |n: usize| dot(&u[n], &u[n]) > 0.5;
        u[k] = if have(i) && have(j) {
            cross(&u[i], &u[j]).map(|x| x * sign)
        } else {
            orthogonal_unit(if have(i) { &u[i] } else { &u[j] }, &v[k])
        };
    }
    u
}

fn orthogonal_unit(axis: &[f64; 3], wish: &[f64; 3]) -> [f64; 3] {
    let candidates = [*wish, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for w in candidates {
        let along = dot(axis, &w);
        let rest = [0, 1, 2].map(|i| w[i] - along * axis[i]);
        let length = dot(&rest, &rest).sqrt();
        if length > 0.1 {
            return rest.map(|x| x / length);
        }
    }
    [1.0, 0.0, 0.0]
}
