//! Weights at a joint from the nearest point of a curve along its two bones.
//! Equations (1) and (2) of Xu et al. (`docs/references.md`): a quadratic Bézier curve from the
//! middle of one bone to the middle of the other, with the joint as control point, B(w) = w² B₀ + 2
//! w (1 − w) J + (1 − w)² B₁. The parameter of the point nearest to a vertex is its weight for the
//! first bone. Equation (2) limits the curve to a radius around the joint. The printed equation
//! omits the joint position, and the condition that the shortest line is normal to the curve.

use glam::DVec3;

/// A curve over a joint, between two bones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BezierCurve {
    /// End on the first bone. The weight of the first bone is 1 there.
    pub first: DVec3,
    /// Position of the joint.
    pub joint: DVec3,
    /// End on the second bone. The weight of the first bone is 0 there.
    pub second: DVec3,
}

/// Point of a curve that is nearest to a given point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestPoint {
    /// Weight of the first bone at the nearest point, in [0, 1].
    pub weight: f64,
    /// Distance from the given point.
    pub distance: f64,
}

impl BezierCurve {
    /// Equation (1), for snakes and fish: a blend from the middle of one bone to that of the other.
    ///
    /// ```
    /// use glam::DVec3;
    /// use sinew_rig::weights::BezierCurve;
    /// let limb = BezierCurve::wide(DVec3::X * -4.0, DVec3::ZERO, DVec3::X * 4.0);
    /// assert!((limb.nearest(DVec3::new(-2.0, 1.0, 0.0)).weight - 0.75).abs() < 1e-9);
    /// ```
    pub fn wide(first: DVec3, joint: DVec3, second: DVec3) -> Self {
        Self {
            first,
            joint,
            second,
        }
    }

    /// Equation (2), for limbs: a blend within `radius` of the joint, up to the middles of the
    /// bones. A negative or NaN radius counts as 0.
    pub fn narrow(first: DVec3, joint: DVec3, second: DVec3, radius: f64) -> Self {
        let within = |end: DVec3| joint + (end - joint).clamp_length_max(radius.max(0.0));
        Self {
            first: within(first),
            joint,
            second: within(second),
        }
    }

    /// Point at which the first bone has the given weight.
    pub fn at(&self, weight: f64) -> DVec3 {
        let rest = 1.0 - weight;
        self.first * (weight * weight)
            + self.joint * (2.0 * weight * rest)
            + self.second * (rest * rest)
    }

    /// Nearest point of the curve, ends included: the global minimum of the distance.
    pub fn nearest(&self, point: DVec3) -> NearestPoint {
        let feet = self.feet(point);
        let mut best = feet.minima[0];
        for foot in &feet.minima[1..feet.count] {
            if foot.distance < best.distance {
                best = *foot;
            }
        }
        best
    }

    /// Distance of the nearest point, with a smooth weight. On the inner side of a bent joint, two
    /// points of the curve can be equally near, and the weight of the nearest point would jump. So
    /// the weight approaches the mean of both as their distances become equal. With a single
    /// minimum, the result equals [`BezierCurve::nearest`].
    pub fn smooth(&self, point: DVec3) -> NearestPoint {
        let feet = self.feet(point);
        if feet.count == 1 {
            return feet.minima[0];
        }
        let [a, b] = [feet.minima[0], feet.minima[1]];
        let (near, far) = if a.distance <= b.distance {
            (a, b)
        } else {
            (b, a)
        };
        // Depth of the farther minimum. A new minimum starts at depth 0.
        let depth = (feet.ridge - far.distance).max(0.0);
        let behind = far.distance - near.distance;
        let share = if depth > 0.0 {
            0.5 * depth / (depth + behind)
        } else {
            0.0
        };
        NearestPoint {
            weight: near.weight + (far.weight - near.weight) * share,
            distance: near.distance,
        }
    }

    /// Local minima of the distance: roots of its derivative in intervals where that is monotone.
    /// The derivative is 2|a|² w³ + 3 a·b w² + (2 a·c + |b|²) w + b·c.
    fn feet(&self, point: DVec3) -> Feet {
        let a = self.first - 2.0 * self.joint + self.second;
        let b = 2.0 * (self.joint - self.second);
        let c = self.second - point;
        let cubic = [
            b.dot(c),
            2.0 * a.dot(c) + b.length_squared(),
            3.0 * a.dot(b),
            2.0 * a.length_squared(),
        ];
        let slope = |w: f64| cubic[0] + w * (cubic[1] + w * (cubic[2] + w * cubic[3]));
        let foot = |w: f64| NearestPoint {
            weight: w,
            distance: ((a * w + b) * w + c).length(),
        };
        let (extremes, turn_count) = turning_points(&cubic);
        let mut feet = Feet::default();
        let mut from = 0.0;
        if slope(0.0) >= 0.0 {
            feet.add(foot(0.0));
        }
        for nth in 0..=turn_count {
            let to = if nth < turn_count { extremes[nth] } else { 1.0 };
            let (low, high) = (slope(from), slope(to));
            if low < 0.0 && high >= 0.0 {
                feet.add(foot(root(&cubic, from, to)));
            } else if low > 0.0 && high < 0.0 {
                feet.ridge = foot(root(&cubic, from, to)).distance;
            }
            from = to;
        }
        if slope(1.0) < 0.0 {
            feet.add(foot(1.0));
        }
        if feet.count == 0 {
            // Only for a curve of one point, or NaN.
            feet.add(foot(0.5));
        }
        feet
    }
}

#[derive(Default)]
struct Feet {
    minima: [NearestPoint; 2],
    count: usize,
    ridge: f64,
}

impl Default for NearestPoint {
    fn default() -> Self {
        Self {
            weight: 0.5,
            distance: f64::INFINITY,
        }
    }
}

impl Feet {
    fn add(&mut self, foot: NearestPoint) {
        if self.count < 2 {
            self.minima[self.count] = foot;
            self.count += 1;
        }
    }
}

fn turning_points(cubic: &[f64; 4]) -> ([f64; 2], usize) {
    let (a, half_b, c) = (3.0 * cubic[3], cubic[2], cubic[1]);
    let mut extremes = [0.0; 2];
    let mut count = 0;
    let discriminant = half_b * half_b - a * c;
    if discriminant <= 0.0 {
        return (extremes, 0);
    }
    // This form avoids the difference of nearly equal numbers.
    let q = -(half_b + discriminant.sqrt().copysign(half_b));
    let mut both = [q / a, c / q];
    if both[0] > both[1] {
        both.swap(0, 1);
    }
    for at in both {
        if at > 0.0 && at < 1.0 {
            extremes[count] = at;
            count += 1;
        }
    }
    (extremes, count)
}

/// Root of a cubic between two points where it is monotone and its signs differ. Newton's method,
/// with bisection if a step leaves the interval.
fn root(cubic: &[f64; 4], mut from: f64, mut to: f64) -> f64 {
    let value = |w: f64| cubic[0] + w * (cubic[1] + w * (cubic[2] + w * cubic[3]));
    let slope = |w: f64| cubic[1] + w * (2.0 * cubic[2] + w * 3.0 * cubic[3]);
    let rises = value(from) < 0.0;
    let mut at = 0.5 * (from + to);
    for _ in 0..64 {
        let height = value(at);
        if (height < 0.0) == rises {
            from = at;
        } else {
            to = at;
        }
        let step = height / slope(at);
        let next = at - step;
        let next = if next > from && next < to {
            next
        } else {
            0.5 * (from + to)
        };
        let moved = (next - at).abs();
        at = next;
        if moved <= 1e-12 {
            break;
        }
    }
    at
}
