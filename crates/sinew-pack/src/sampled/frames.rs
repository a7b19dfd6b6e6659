//! Joints in `f64`, at the frames of a row and midway between them.

use sinew_math::transform::Transform;
use sinew_math::transform::quat_f64::QuatF64;

/// Max difference from unit length that counts as rounding.
const ROUNDED: f64 = 1e-5;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub translation: [f64; 3],
    pub rotation: QuatF64,
    pub scale: [f64; 3],
}

impl Local {
    pub fn of(transform: &Transform) -> Self {
        Self {
            translation: transform.translation.to_array().map(f64::from),
            rotation: unit(QuatF64::from_quat(transform.rotation)),
            scale: transform.scale.to_array().map(f64::from),
        }
    }

    /// Keeps the rotation at its stored length, as forward kinematics does.
    pub fn as_it_is(transform: &Transform) -> Self {
        let own = QuatF64::from_quat(transform.rotation);
        let [x, y, z] = own.v;
        let off = (x * x + y * y + z * z + own.w * own.w).sqrt() - 1.0;
        Self {
            rotation: if off.abs() < ROUNDED { own } else { unit(own) },
            ..Self::of(transform)
        }
    }
}

pub(crate) fn unit(q: QuatF64) -> QuatF64 {
    q.normalized().unwrap_or(QuatF64::IDENTITY)
}

pub(crate) fn near_side(q: QuatF64, reference: QuatF64) -> QuatF64 {
    if reference.conjugate().mul(q).w < 0.0 {
        q.negated()
    } else {
        q
    }
}

/// Map `model_from_joint`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Map {
    pub linear: [[f64; 3]; 3],
    pub origin: [f64; 3],
}

impl Map {
    pub const IDENTITY: Self = Self {
        linear: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        origin: [0.0; 3],
    };

    pub fn point(&self, p: [f64; 3]) -> [f64; 3] {
        let row = |r: usize| {
            let m = &self.linear[r];
            m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + self.origin[r]
        };
        [row(0), row(1), row(2)]
    }

    /// This map times a joint's local transform.
    pub fn with(&self, local: &Local) -> Self {
        let rotation = local.rotation.to_rows();
        let mut linear = [[0.0; 3]; 3];
        for r in 0..3 {
            for c in 0..3 {
                let m = &self.linear[r];
                let sum = m[0] * rotation[0][c] + m[1] * rotation[1][c] + m[2] * rotation[2][c];
                linear[r][c] = sum * local.scale[c];
            }
        }
        Self {
            linear,
            origin: self.point(local.translation),
        }
    }

    /// Point that maps to `p`. `None` if the map is singular.
    pub fn point_before(&self, p: [f64; 3]) -> Option<[f64; 3]> {
        let m = &self.linear;
        let d = [0, 1, 2].map(|r| p[r] - self.origin[r]);
        solve3(*m, d)
    }
}

pub(crate) fn shell_error(a: &Map, b: &Map, shell: f64) -> f64 {
    let mut worst = 0.0_f64;
    for axis in 0..3 {
        let mut p = [0.0; 3];
        p[axis] = shell;
        worst = worst.max(distance(a.point(p), b.point(p)));
    }
    worst
}

pub(crate) fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub(crate) fn rotate(q: QuatF64, v: [f64; 3]) -> [f64; 3] {
    let twice = cross(q.v, v).map(|c| 2.0 * c);
    let again = cross(q.v, twice);
    [0, 1, 2].map(|c| v[c] + q.w * twice[c] + again[c])
}

/// Times of frames and of the midpoints between them, in order.
pub(crate) fn instants(times: &[f32]) -> Vec<f64> {
    let mut all = Vec::with_capacity(2 * times.len());
    for (frame, &time) in times.iter().enumerate() {
        if frame > 0 {
            all.push(0.5 * (f64::from(times[frame - 1]) + f64::from(time)));
        }
        all.push(f64::from(time));
    }
    all
}

/// Solves a 3×3 system by Cramer's rule. `None` if it is singular.
pub(crate) fn solve3(m: [[f64; 3]; 3], b: [f64; 3]) -> Option<[f64; 3]> {
    let determinant = |m: &[[f64; 3]; 3]| {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
            - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let whole = determinant(&m);
    let mut solution = [0.0; 3];
    for (column, x) in solution.iter_mut().enumerate() {
        let mut replaced = m;
        for row in 0..3 {
            replaced[row][column] = b[row];
        }
        *x = determinant(&replaced) / whole;
    }
    solution.iter().all(|x| x.is_finite()).then_some(solution)
}
