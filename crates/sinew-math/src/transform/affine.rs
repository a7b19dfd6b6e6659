//! 3×4 affine maps by rows, as in model poses, palettes and GPU buffers.

use bytemuck::{Pod, Zeroable};
use glam::{Affine3A, Mat4, Vec3};
use std::ops::Mul;

/// Affine map `a_from_b`. Points map to `linear · p + translation`, vectors to `linear · v`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[doc(alias = "matrix")]
#[doc(alias = "mat4")]
pub struct Affine {
    /// Three rows of four; the last column is the translation.
    pub rows: [[f32; 4]; 3],
}

impl Affine {
    /// Map that changes nothing.
    pub const IDENTITY: Self = Self::from_rows([
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
    ]);

    /// Map of every point to the origin, the start of weighted sums.
    pub const ZERO: Self = Self::from_rows([[0.0; 4]; 3]);

    /// Map from three rows.
    #[inline]
    pub const fn from_rows(rows: [[f32; 4]; 3]) -> Self {
        Self { rows }
    }

    /// Map from the axes (of any length and angle) and origin of a frame in its parent, as columns.
    ///
    /// ```
    /// use glam::Vec3;
    /// use sinew_math::Affine;
    /// let f_from_g = Affine::from_axes(
    ///     Vec3::new(2.0, 1.0, 0.0),
    ///     Vec3::new(-1.0, 2.0, 0.0),
    ///     Vec3::Z,
    ///     Vec3::new(4.0, 2.0, 0.0),
    /// );
    /// assert_eq!(f_from_g.transform_point(Vec3::new(1.0, 2.0, 0.0)), Vec3::new(4.0, 7.0, 0.0));
    /// ```
    #[inline]
    pub const fn from_axes(x: Vec3, y: Vec3, z: Vec3, origin: Vec3) -> Self {
        Self::from_rows([
            [x.x, y.x, z.x, origin.x],
            [x.y, y.y, z.y, origin.y],
            [x.z, y.z, z.z, origin.z],
        ])
    }

    /// Pure translation.
    #[inline]
    pub const fn from_translation(t: Vec3) -> Self {
        Self::from_axes(Vec3::X, Vec3::Y, Vec3::Z, t)
    }

    /// Map from a column-major 4×4 matrix, as in files. Ignores the last row of the matrix.
    #[inline]
    pub const fn from_cols_array(m: &[f32; 16]) -> Self {
        Self::from_rows([
            [m[0], m[4], m[8], m[12]],
            [m[1], m[5], m[9], m[13]],
            [m[2], m[6], m[10], m[14]],
        ])
    }

    /// Column-major 4×4 matrix.
    #[inline]
    pub const fn to_cols_array(&self) -> [f32; 16] {
        let r = &self.rows;
        [
            r[0][0], r[1][0], r[2][0], 0.0, r[0][1], r[1][1], r[2][1], 0.0, r[0][2], r[1][2],
            r[2][2], 0.0, r[0][3], r[1][3], r[2][3], 1.0,
        ]
    }

    /// Position of the frame's origin.
    #[inline]
    pub const fn translation(&self) -> Vec3 {
        Vec3::new(self.rows[0][3], self.rows[1][3], self.rows[2][3])
    }

    /// `linear · p + translation`.
    #[inline]
    pub fn transform_point(&self, p: Vec3) -> Vec3 {
        let row = |r: &[f32; 4]| r[0] * p.x + r[1] * p.y + r[2] * p.z + r[3];
        Vec3::new(row(&self.rows[0]), row(&self.rows[1]), row(&self.rows[2]))
    }

    /// Linear part times `v`, for directions and differences of points.
    #[inline]
    pub fn transform_vector(&self, v: Vec3) -> Vec3 {
        let row = |r: &[f32; 4]| r[0] * v.x + r[1] * v.y + r[2] * v.z;
        Vec3::new(row(&self.rows[0]), row(&self.rows[1]), row(&self.rows[2]))
    }

    /// Cofactor matrix of the linear part times `n`, for areas and normals, even of singular maps.
    #[inline]
    pub fn transform_area(&self, n: Vec3) -> Vec3 {
        let c = self.cofactors();
        let row = |r: &[f32; 3]| r[0] * n.x + r[1] * n.y + r[2] * n.z;
        Vec3::new(row(&c[0]), row(&c[1]), row(&c[2]))
    }

    #[inline]
    fn cofactors(&self) -> [[f32; 3]; 3] {
        let [a, b, c] = &self.rows;
        let cross = |u: &[f32; 4], v: &[f32; 4]| {
            [
                u[1] * v[2] - u[2] * v[1],
                u[2] * v[0] - u[0] * v[2],
                u[0] * v[1] - u[1] * v[0],
            ]
        };
        [cross(b, c), cross(c, a), cross(a, b)]
    }

    /// Determinant of the linear part: the factor on volumes, negative for a mirror.
    #[inline]
    pub fn determinant(&self) -> f32 {
        let c = self.cofactors();
        self.rows[0][0] * c[0][0] + self.rows[0][1] * c[0][1] + self.rows[0][2] * c[0][2]
    }

    /// Inverse, computed in `f64`; `None` if singular or not finite.
    #[inline]
    pub fn inverse(&self) -> Option<Self> {
        let m = self.rows.map(|r| r.map(f64::from));
        let cross = |u: &[f64; 4], v: &[f64; 4]| {
            [
                u[1] * v[2] - u[2] * v[1],
                u[2] * v[0] - u[0] * v[2],
                u[0] * v[1] - u[1] * v[0],
            ]
        };
        let c = [
            cross(&m[1], &m[2]),
            cross(&m[2], &m[0]),
            cross(&m[0], &m[1]),
        ];
        let det = m[0][0] * c[0][0] + m[0][1] * c[0][1] + m[0][2] * c[0][2];
        let mut rows = [[0.0; 4]; 3];
        for (i, row) in rows.iter_mut().enumerate() {
            let inv = [c[0][i] / det, c[1][i] / det, c[2][i] / det];
            let t = -(inv[0] * m[0][3] + inv[1] * m[1][3] + inv[2] * m[2][3]);
            *row = [inv[0] as f32, inv[1] as f32, inv[2] as f32, t as f32];
        }
        let inverse = Self { rows };
        inverse.is_finite().then_some(inverse)
    }

    /// Linear part in `f64`, by rows.
    #[inline]
    pub fn linear_f64(&self) -> [[f64; 3]; 3] {
        self.rows
            .map(|r| [f64::from(r[0]), f64::from(r[1]), f64::from(r[2])])
    }

    /// True if every element is finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.rows.iter().flatten().all(|x| x.is_finite())
    }

    /// Adds `other · weight`, element by element.
    #[inline]
    pub fn add_scaled(&mut self, other: &Self, weight: f32) {
        for (row, o) in self.rows.iter_mut().zip(&other.rows) {
            for (x, y) in row.iter_mut().zip(o) {
                *x += y * weight;
            }
        }
    }

    /// Max absolute difference of elements. NaN if an element is NaN.
    #[inline]
    pub fn max_difference(&self, other: &Self) -> f32 {
        let pairs = self.rows.iter().flatten().zip(other.rows.iter().flatten());
        let differences = pairs.map(|(a, b)| (a - b).abs());
        differences.fold(
            0.0,
            |most, d| if most.is_nan() || d <= most { most } else { d },
        )
    }
}

impl Mul for Affine {
    type Output = Self;

    /// `a_from_b · b_from_c = a_from_c`.
    #[inline]
    fn mul(self, b: Self) -> Self {
        let mut rows = [[0.0; 4]; 3];
        for (row, a) in rows.iter_mut().zip(&self.rows) {
            // Two sums of two terms have a lower latency than one sum of four.
            for (k, x) in row.iter_mut().enumerate() {
                let last = a[2] * b.rows[2][k];
                let last = if k == 3 { last + a[3] } else { last };
                *x = (a[0] * b.rows[0][k] + a[1] * b.rows[1][k]) + last;
            }
        }
        Self { rows }
    }
}

impl Default for Affine {
    #[inline]
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl From<Affine3A> for Affine {
    #[inline]
    fn from(a: Affine3A) -> Self {
        let m = a.matrix3;
        Self::from_axes(
            m.x_axis.into(),
            m.y_axis.into(),
            m.z_axis.into(),
            a.translation.into(),
        )
    }
}

impl From<Affine> for Affine3A {
    #[inline]
    fn from(a: Affine) -> Self {
        Self::from_mat4(Mat4::from_cols_array(&a.to_cols_array()))
    }
}
