//! Solids as functions that are negative inside, and their smooth union (the smooth minimum of
//! Quilez). Near the surface, values approximate distances in metres.

use glam::{IVec3, Vec3};

/// Closed shape.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Cross-sections along an axis: a limb or a trunk.
    Loft(Loft),
    /// Convex hull of two balls.
    RoundCone {
        from: Vec3,
        to: Vec3,
        radii: [f32; 2],
    },
    /// Ellipsoid with radii along three unit axes.
    Ellipsoid {
        center: Vec3,
        axes: [Vec3; 3],
        radii: Vec3,
    },
}

/// Cross-section: position along the axis, centre, and distances from it to +x, −x, +z and −z.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    pub along: f32,
    pub middle: [f32; 2],
    pub reach: [f32; 4],
}

/// Cross-sections, interpolated by monotone cubics (Fritsch and Carlson 1980).
#[derive(Clone, Debug)]
pub struct Loft {
    origin: Vec3,
    /// Axes of the frame: x, y (along the loft) and z.
    axes: [Vec3; 3],
    along: Vec<f32>,
    /// Centre and distances of every section. `slopes` has their slopes.
    values: Vec<[f32; 6]>,
    slopes: Vec<[f32; 6]>,
    /// True for superellipses of power 2.5, whose sides are flatter than those of an ellipse.
    flat: bool,
    /// Lengths of the rounded ends beyond the first and the last section.
    caps: [f32; 2],
}

impl Loft {
    /// Loft through sections in ascending order.
    pub fn new(
        origin: Vec3,
        axes: [Vec3; 3],
        sections: &[Section],
        flat: bool,
        caps: [f32; 2],
    ) -> Self {
        let along: Vec<f32> = sections.iter().map(|s| s.along).collect();
        let values: Vec<[f32; 6]> = sections
            .iter()
            .map(|s| {
                let [a, b, c, d] = s.reach;
                [s.middle[0], s.middle[1], a, b, c, d]
            })
            .collect();
        let slopes = (0..values.len())
            .map(|k| std::array::from_fn(|c| monotone_slope(&along, &values, k, c)))
            .collect();
        Self {
            origin,
            axes,
            along,
            values,
            slopes,
            flat,
            caps,
        }
    }

    fn section(&self, along: f32) -> [f32; 6] {
        let last = self.along.len() - 1;
        let k = self.along[1..last].iter().filter(|&&a| a <= along).count();
        let span = self.along[k + 1] - self.along[k];
        let t = ((along - self.along[k]) / span).clamp(0.0, 1.0);
        let (t2, t3) = (t * t, t * t * t);
        let (b, c) = (t3 - 2.0 * t2 + t, t3 - t2);
        let e = 3.0 * t2 - 2.0 * t3;
        std::array::from_fn(|i| {
            (1.0 - e) * self.values[k][i]
                + e * self.values[k + 1][i]
                + span * (b * self.slopes[k][i] + c * self.slopes[k + 1][i])
        })
    }

    fn distance(&self, p: Vec3) -> f32 {
        let local = p - self.origin;
        let [x, y, z] = self.axes.map(|a| a.dot(local));
        let (low, high) = (self.along[0], self.along[self.along.len() - 1]);
        let within = y.clamp(low, high);
        let [mx, mz, right, left, front, back] = self.section(within);
        let (x, y, z) = (x - mx, y - within, z - mz);
        let qx = (x / if x > 0.0 { right } else { left }).abs();
        let qz = (z / if z > 0.0 { front } else { back }).abs();
        let around = if self.flat {
            libm::powf(qx * qx * qx.sqrt() + qz * qz * qz.sqrt(), 0.8)
        } else {
            qx * qx + qz * qz
        };
        let qy = y / if y > 0.0 { self.caps[1] } else { self.caps[0] };
        let q = (around + qy * qy).sqrt();
        if q < 1e-4 {
            return -right.min(left).min(front).min(back);
        }
        (x * x + y * y + z * z).sqrt() * (1.0 - 1.0 / q)
    }

    fn bounds(&self) -> [Vec3; 2] {
        let mut bounds = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        let last = self.along.len() - 1;
        for (k, value) in self.values.iter().enumerate() {
            let [mx, mz, right, left, front, back] = *value;
            for x in [mx - left, mx + right] {
                for z in [mz - back, mz + front] {
                    let mut ys = [self.along[k]; 2];
                    if k == 0 {
                        ys[0] -= self.caps[0];
                    }
                    if k == last {
                        ys[1] += self.caps[1];
                    }
                    for y in ys {
                        let [ax, ay, az] = self.axes;
                        include(&mut bounds, self.origin + ax * x + ay * y + az * z);
                    }
                }
            }
        }
        bounds
    }
}

fn include(bounds: &mut [Vec3; 2], p: Vec3) {
    *bounds = [bounds[0].min(p), bounds[1].max(p)];
}

fn monotone_slope(along: &[f32], values: &[[f32; 6]], k: usize, channel: usize) -> f32 {
    let slope =
        |a: usize| (values[a + 1][channel] - values[a][channel]) / (along[a + 1] - along[a]);
    if k == 0 || k + 1 == along.len() {
        return 0.0;
    }
    let (before, after) = (slope(k - 1), slope(k));
    if before * after <= 0.0 {
        return 0.0;
    }
    // The weighted harmonic mean prevents overshoot of the cubic.
    let (h0, h1) = (along[k] - along[k - 1], along[k + 1] - along[k]);
    let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
    (w0 + w1) / (w0 / before + w1 / after)
}

impl Shape {
    fn distance(&self, p: Vec3) -> f32 {
        match self {
            Self::Loft(loft) => loft.distance(p),
            Self::RoundCone { from, to, radii } => {
                let (along, from) = (*to - *from, p - *from);
                let t = (from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
                // Precise enough for slight tapers, such as the taper of a finger.
                let e = t * t * (3.0 - 2.0 * t) * 0.3 + t * 0.7;
                (from - along * t).length() - (radii[0] + (radii[1] - radii[0]) * e)
            }
            Self::Ellipsoid {
                center,
                axes,
                radii,
            } => {
                let local = p - *center;
                let q = Vec3::from_array(axes.map(|a| a.dot(local))) / *radii;
                let (k0, k1) = (q.length(), (q / *radii).length());
                if k1 < 1e-6 {
                    -radii.min_element()
                } else {
                    k0 * (k0 - 1.0) / k1
                }
            }
        }
    }

    fn bounds(&self) -> [Vec3; 2] {
        match self {
            Self::Loft(loft) => loft.bounds(),
            Self::RoundCone { from, to, radii } => {
                let r = Vec3::splat(radii[0].max(radii[1]));
                [from.min(*to) - r, from.max(*to) + r]
            }
            Self::Ellipsoid {
                center,
                axes,
                radii,
            } => {
                let [x, y, z] = axes.map(|a| a.abs());
                let r = x * radii.x + y * radii.y + z * radii.z;
                [*center - r, *center + r]
            }
        }
    }
}

/// Operation that combines a shape with the shapes before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Join {
    /// Union, with a fillet of this width in metres.
    Add(f32),
    /// Subtraction, with a fillet of this width in metres.
    Carve(f32),
}

#[derive(Clone, Debug)]
struct Part {
    shape: Shape,
    join: Join,
    bounds: [Vec3; 2],
}

/// Shapes that are combined one after another.
#[derive(Clone, Debug)]
pub struct Solid {
    parts: Vec<Part>,
    /// Grid of blocks: lowest corner, number of blocks along each axis, and parts near each block.
    origin: Vec3,
    size: IVec3,
    blocks: Vec<Vec<u16>>,
}

const BLOCK: f32 = 0.05;
/// Max distance at which a part has an effect, in metres: the widest join, plus a margin.
const FELT: f32 = 0.07;

impl Solid {
    /// Joins shapes in order.
    pub fn new(shapes: Vec<(Shape, Join)>) -> Self {
        let parts: Vec<Part> = shapes
            .into_iter()
            .map(|(shape, join)| Part {
                bounds: shape.bounds(),
                shape,
                join,
            })
            .collect();
        let mut all = [Vec3::ZERO; 2];
        for part in &parts {
            include(&mut all, part.bounds[0]);
            include(&mut all, part.bounds[1]);
        }
        let size = ((all[1] - all[0]) / BLOCK).ceil().as_ivec3() + 1;
        let mut blocks = Vec::new();
        for z in 0..size.z {
            for y in 0..size.y {
                for x in 0..size.x {
                    let low = all[0] + IVec3::new(x, y, z).as_vec3() * BLOCK;
                    let felt = parts.iter().enumerate().filter(|(_, part)| {
                        let apart = (part.bounds[0] - low - BLOCK).max(low - part.bounds[1]);
                        apart.max_element() < FELT
                    });
                    blocks.push(felt.map(|(index, _)| index as u16).collect());
                }
            }
        }
        Self {
            parts,
            origin: all[0],
            size,
            blocks,
        }
    }

    /// Signed distance, negative inside. Valid within [`FELT`] of the surface.
    pub fn distance(&self, p: Vec3) -> f32 {
        let block = ((p - self.origin) / BLOCK).floor().as_ivec3();
        let block = block.clamp(IVec3::ZERO, self.size - 1);
        let block = (block.z * self.size.y + block.y) * self.size.x + block.x;
        let mut all = FELT;
        for &index in &self.blocks[block as usize] {
            let part = &self.parts[index as usize];
            let [min, max] = part.bounds;
            let outside = (min - p).max(p - max).max(Vec3::ZERO).length();
            match part.join {
                Join::Add(width) if outside <= all + width => {
                    all = smooth_min(all, part.shape.distance(p), width);
                }
                Join::Carve(width) if outside <= width => {
                    all = -smooth_min(-all, part.shape.distance(p), width);
                }
                _ => {}
            }
        }
        -smooth_min(-all, p.y, 0.006)
    }

    fn slope(&self, p: Vec3) -> (Vec3, f32) {
        const STEP: f32 = 1e-3;
        // The gradient comes from the four corners of a tetrahedron.
        let corners = [
            Vec3::new(1.0, -1.0, -1.0),
            Vec3::new(-1.0, -1.0, 1.0),
            Vec3::new(-1.0, 1.0, -1.0),
            Vec3::new(1.0, 1.0, 1.0),
        ];
        let values = corners.map(|c| self.distance(p + c * STEP));
        let sum: Vec3 = corners.iter().zip(values).map(|(&c, v)| c * v).sum();
        (sum / (4.0 * STEP), values.iter().sum::<f32>() * 0.25)
    }

    /// Outward unit normal at a point of the surface.
    pub fn normal(&self, p: Vec3, on_plane: bool) -> Vec3 {
        let (mut slope, _) = self.slope(p);
        if on_plane {
            slope.x = 0.0;
        }
        slope.normalize_or(Vec3::Y)
    }

    /// Moves a point near the surface onto the surface in `steps` steps.
    pub fn onto(&self, mut p: Vec3, on_plane: bool, steps: usize) -> Vec3 {
        for _ in 0..steps {
            let (mut slope, distance) = self.slope(p);
            if on_plane {
                slope.x = 0.0;
            }
            let step = slope * (distance / slope.length_squared().max(0.05));
            p -= step.clamp_length_max(0.01);
        }
        p
    }
}

/// Smooth minimum of two numbers. `width` is the width of the smooth part.
pub fn smooth_min(a: f32, b: f32, width: f32) -> f32 {
    let h = (width - (a - b).abs()).max(0.0) / width;
    a.min(b) - h * h * h * width * (1.0 / 6.0)
}
