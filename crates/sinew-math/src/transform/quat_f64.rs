//! Unit quaternions in `f64`.

use super::axis::Axis;
use glam::{Quat, Vec3};

/// Vector part and scalar part.
#[derive(Clone, Copy, Debug)]
pub struct QuatF64 {
    pub v: [f64; 3],
    pub w: f64,
}

impl QuatF64 {
    pub const IDENTITY: Self = Self {
        v: [0.0; 3],
        w: 1.0,
    };

    #[inline(always)]
    pub fn from_quat(q: Quat) -> Self {
        let [x, y, z, w] = q.to_array();
        Self {
            v: [f64::from(x), f64::from(y), f64::from(z)],
            w: f64::from(w),
        }
    }

    #[inline(always)]
    pub fn to_quat(self) -> Quat {
        let [x, y, z] = self.v;
        Quat::from_xyzw(x as f32, y as f32, z as f32, self.w as f32)
    }

    /// Rotation about a unit axis, by an angle in radians.
    pub fn from_axis_angle(axis: [f64; 3], angle_rad: f64) -> Self {
        let (s, w) = libm::sincos(0.5 * angle_rad);
        Self {
            v: scaled(axis, s),
            w,
        }
    }

    /// Product `self · b`: applies `b` first, then `self`.
    #[inline(always)]
    #[expect(
        clippy::should_implement_trait,
        reason = "chained calls read in the order of operations"
    )]
    pub fn mul(self, b: Self) -> Self {
        let ([ax, ay, az], [bx, by, bz]) = (self.v, b.v);
        Self {
            v: [
                self.w * bx + ax * b.w + ay * bz - az * by,
                self.w * by - ax * bz + ay * b.w + az * bx,
                self.w * bz + ax * by - ay * bx + az * b.w,
            ],
            w: self.w * b.w - ax * bx - ay * by - az * bz,
        }
    }

    /// Component-wise negation: the same rotation.
    #[inline(always)]
    pub fn negated(self) -> Self {
        let [x, y, z] = self.v;
        Self {
            v: [-x, -y, -z],
            w: -self.w,
        }
    }

    #[inline(always)]
    pub fn conjugate(self) -> Self {
        let [x, y, z] = self.v;
        Self {
            v: [-x, -y, -z],
            w: self.w,
        }
    }

    /// `q · v · q⁻¹` for a unit quaternion.
    #[inline(always)]
    pub fn rotate(self, v: [f64; 3]) -> [f64; 3] {
        let t = add_scaled(cross(self.v, v), v, self.w);
        add_scaled(v, cross(self.v, t), 2.0)
    }

    /// Rotation about a unit axis, given sine and cosine of the angle times any positive factor.
    #[inline(always)]
    pub fn from_sine_cosine(axis: [f64; 3], sine: f64, cosine: f64) -> Self {
        let length = (sine * sine + cosine * cosine).sqrt();
        if length == 0.0 {
            return Self::IDENTITY;
        }
        // Half-angle formulas. Each branch uses the sum that does not cancel.
        let (s, w) = if cosine >= 0.0 {
            let sum = length + cosine;
            let scale = 1.0 / (2.0 * length * sum).sqrt();
            (sine * scale, sum * scale)
        } else {
            let sum = length - cosine;
            let scale = 1.0 / (2.0 * length * sum).sqrt();
            let side = if sine < 0.0 { -scale } else { scale };
            (sum * side, sine * side)
        };
        Self {
            v: scaled(axis, s),
            w,
        }
    }

    /// Shortest rotation from direction `from` to direction `to`. Opposite directions give 180°
    /// about the unit vector `spare`, orthogonal to `from`. A zero vector gives the identity.
    #[inline(always)]
    pub fn arc(from: [f64; 3], to: [f64; 3], spare: impl FnOnce() -> [f64; 3]) -> Self {
        let lengths = (dot(from, from) * dot(to, to)).sqrt();
        let w = lengths + dot(from, to);
        // Below this, the cross product would be only rounding.
        if w <= 1e-12 * lengths {
            return if lengths > 0.0 {
                Self { v: spare(), w: 0.0 }
            } else {
                Self::IDENTITY
            };
        }
        // |from × to|² + w² = 2 w · lengths
        let scale = 1.0 / (2.0 * w * lengths).sqrt();
        Self {
            v: scaled(cross(from, to), scale),
            w: w * scale,
        }
    }

    /// Rotation that maps two orthogonal vectors to the directions of two others.
    #[inline(always)]
    pub fn between_frames([a, b]: [[f64; 3]; 2], [c, d]: [[f64; 3]; 2]) -> Self {
        let unit = |v: [f64; 3]| {
            let scale = 1.0 / dot(v, v).sqrt();
            scaled(v, scale)
        };
        let (a, b, c, d) = (unit(a), unit(b), unit(c), unit(d));
        let (e, f) = (cross(a, b), cross(c, d));
        let row = |i: usize| {
            let (c, d, f) = (c[i], d[i], f[i]);
            [
                c * a[0] + d * b[0] + f * e[0],
                c * a[1] + d * b[1] + f * e[1],
                c * a[2] + d * b[2] + f * e[2],
            ]
        };
        let m = [row(0), row(1), row(2)];
        // Shepperd 1978: the largest of the four components first.
        let (xx, yy, zz) = (m[0][0], m[1][1], m[2][2]);
        let [x, y, z, w] = if zz < 0.0 {
            if xx > yy {
                let s = 1.0 + xx - yy - zz;
                [s, m[1][0] + m[0][1], m[0][2] + m[2][0], m[2][1] - m[1][2]]
            } else {
                let s = 1.0 - xx + yy - zz;
                [m[1][0] + m[0][1], s, m[2][1] + m[1][2], m[0][2] - m[2][0]]
            }
        } else if xx < -yy {
            let s = 1.0 - xx - yy + zz;
            [m[0][2] + m[2][0], m[2][1] + m[1][2], s, m[1][0] - m[0][1]]
        } else {
            let s = 1.0 + xx + yy + zz;
            [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], s]
        };
        let scale = 1.0 / (x * x + y * y + z * z + w * w).sqrt();
        Self {
            v: [x * scale, y * scale, z * scale],
            w: w * scale,
        }
    }

    /// Normalises a quaternion of nearly unit length by a Newton step instead of a root.
    #[inline(always)]
    pub fn straightened(self) -> Self {
        let scale = 1.5 - 0.5 * (dot(self.v, self.v) + self.w * self.w);
        Self {
            v: scaled(self.v, scale),
            w: self.w * scale,
        }
    }

    /// Unit quaternion. `None` if this one is zero or not finite.
    #[inline(always)]
    pub fn normalized(self) -> Option<Self> {
        let length = (dot(self.v, self.v) + self.w * self.w).sqrt();
        (length > 0.0 && length.is_finite()).then(|| Self {
            v: self.v.map(|c| c / length),
            w: self.w / length,
        })
    }

    /// Angle between two unit quaternions of either sign, in radians in `[0, π]`.
    #[inline]
    pub fn angle_to(self, other: Self) -> f64 {
        let between = self.conjugate().mul(other);
        2.0 * libm::atan2(dot(between.v, between.v).sqrt(), between.w.abs())
    }

    /// Angle of the nearest rotation about a unit axis, in radians in `[−2π, 2π]`. 0 if ambiguous.
    #[inline]
    pub fn angle_about(self, axis: [f64; 3]) -> f64 {
        2.0 * libm::atan2(dot(self.v, axis), self.w)
    }

    /// Angles of rotations about two axes, in radians in `[−2π, 2π]`, whose product is nearest to
    /// this rotation.
    ///
    /// A closed form: the nearest product of (cos, sin) pairs is a rank-one fit of a 2×2 matrix.
    #[inline]
    pub fn angles_about_pair(self, [outer, inner]: [Axis; 2]) -> [f64; 2] {
        let (i, j) = (outer.index(), inner.index());
        let k = (6 - i - j) % 3;
        let third = if (j + 3 - i) % 3 == 1 {
            self.v[k]
        } else {
            -self.v[k]
        };
        let half_sum = libm::atan2(self.v[i] + self.v[j], self.w - third);
        let half_difference = libm::atan2(self.v[i] - self.v[j], self.w + third);
        [half_sum + half_difference, half_sum - half_difference]
    }

    /// Rotation matrix of a unit quaternion, by rows.
    #[inline]
    pub fn to_rows(self) -> [[f64; 3]; 3] {
        let ([x, y, z], w) = (self.v, self.w);
        [
            [
                1.0 - 2.0 * (y * y + z * z),
                2.0 * (x * y - w * z),
                2.0 * (x * z + w * y),
            ],
            [
                2.0 * (x * y + w * z),
                1.0 - 2.0 * (x * x + z * z),
                2.0 * (y * z - w * x),
            ],
            [
                2.0 * (x * z - w * y),
                2.0 * (y * z + w * x),
                1.0 - 2.0 * (x * x + y * y),
            ],
        ]
    }
}

impl Axis {
    /// Rotation about this axis in `f64`, by an angle in radians.
    #[inline]
    pub fn rotation_f64(self, angle_rad: f64) -> QuatF64 {
        QuatF64::from_axis_angle(self.unit_f64(), angle_rad)
    }
}

#[inline(always)]
pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// `v · s`. The products are written out because closures in array methods are not always inlined.
#[inline(always)]
pub fn scaled(v: [f64; 3], s: f64) -> [f64; 3] {
    [v[0] * s, v[1] * s, v[2] * s]
}

/// `a + b · s`
#[inline(always)]
pub fn add_scaled(a: [f64; 3], b: [f64; 3], s: f64) -> [f64; 3] {
    [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s]
}

/// Unit vector orthogonal to a vector of any length, from the axis of its smallest component.
pub fn across(v: [f64; 3]) -> [f64; 3] {
    let least = (1..3).fold(0, |i, k| if v[k].abs() < v[i].abs() { k } else { i });
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let across = cross(v, axis);
    let length = dot(across, across).sqrt();
    if length > 0.0 {
        across.map(|c| c / length)
    } else {
        [1.0, 0.0, 0.0]
    }
}

/// Unit vector in the direction of `axis`. `None` if `axis` is zero or not finite.
#[inline]
pub fn unit(axis: Vec3) -> Option<[f64; 3]> {
    let v = axis.to_array().map(f64::from);
    let length = dot(v, v).sqrt();
    (length > 0.0 && length.is_finite()).then(|| v.map(|c| c / length))
}
