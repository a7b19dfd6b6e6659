//! Texture coordinates: a cylinder around each bone, unrolled and packed into one square.

use super::figure::JointPositions;
use super::surface_nets::Surface;
use glam::{Vec2, Vec3};
use sinew_rig::template::FINGERS;
use std::f32::consts::{PI, TAU};

struct Chart {
    from: Vec3,
    along: Vec3,
    front: Vec3,
    side: Vec3,
    length: f32,
    radius: f32,
    /// Start and end of the chart along the bone, in metres.
    reach: [f32; 2],
    /// Position in the square for the left and the right side. A middle chart holds both sides.
    at: [Vec2; 2],
}

pub struct Charts {
    charts: Vec<Chart>,
    /// Length of a metre in the square.
    scale: f32,
}

/// Gap between charts. Triangles across a seam extend into it.
const MARGIN: f32 = 0.03;

impl Charts {
    pub fn new(joint_positions: &JointPositions, half: &Surface) -> Self {
        let at = |name: &str| joint_positions[&format!("left_{name}")];
        let up = |y: f32, z: f32| Vec3::new(0.0, y, z);
        let mut bones = vec![
            (up(0.84, 0.0), up(1.475, -0.02), Vec3::Z, 0.150),
            (up(1.475, -0.02), up(1.80, 0.0), Vec3::Z, 0.075),
            (at("upper_arm"), at("lower_arm"), Vec3::Z, 0.050),
            (at("lower_arm"), at("hand"), Vec3::Z, 0.040),
            (at("hand"), at("middle_1"), Vec3::Z, 0.032),
            (at("upper_leg"), at("lower_leg"), Vec3::Z, 0.070),
            (at("lower_leg"), at("foot"), Vec3::Z, 0.050),
            (
                at("foot").with_y(0.04) + Vec3::NEG_Z * 0.06,
                at("toes").with_y(0.03) + Vec3::Z * 0.09,
                Vec3::Y,
                0.042,
            ),
        ];
        for finger in FINGERS {
            let [a, b, c] = [1, 2, 3].map(|k| at(&format!("{finger}_{k}")));
            let tip = c + (c - b) * 0.8;
            bones.push((a, tip, Vec3::Z, 0.0095));
        }
        let charts = bones.into_iter().map(|(from, to, front, radius)| {
            let along = (to - from).normalize();
            let front = (front - along * front.dot(along)).normalize();
            Chart {
                from,
                along,
                front,
                side: front.cross(along) * -1.0,
                length: from.distance(to),
                radius,
                reach: [0.0, from.distance(to)],
                at: [Vec2::ZERO; 2],
            }
        });
        let mut charts = Self {
            charts: charts.collect(),
            scale: 1.0,
        };
        charts.fit(half);
        charts.lay();
        charts
    }

    fn fit(&mut self, half: &Surface) {
        let mut ranges = vec![[f32::INFINITY, f32::NEG_INFINITY]; self.charts.len()];
        for t in &half.triangles {
            let points = t.map(|v| half.positions[v as usize]);
            let chart = self.of((points[0] + points[1] + points[2]) / 3.0);
            let (range, chart) = (&mut ranges[chart as usize], &self.charts[chart as usize]);
            for p in points {
                let along = (p - chart.from).dot(chart.along);
                *range = [range[0].min(along), range[1].max(along)];
            }
        }
        for (chart, [low, high]) in self.charts.iter_mut().zip(ranges) {
            if low < high {
                chart.reach = [low, high];
            }
        }
    }

    /// Packs charts in rows, the tallest first, into the smallest square.
    fn lay(&mut self) {
        let mut order: Vec<(usize, usize)> = Vec::new();
        for chart in 0..self.charts.len() {
            order.push((chart, 0));
            if !is_middle(chart) {
                order.push((chart, 1));
            }
        }
        order.sort_by(|a, b| {
            let length = |c: &(usize, usize)| {
                let [low, high] = self.charts[c.0].reach;
                high - low
            };
            length(b).total_cmp(&length(a)).then(a.cmp(b))
        });
        let mut side = 1.0;
        while !self.fits(&order, side) {
            side *= 1.03;
        }
        self.scale = 1.0 / side;
    }

    fn fits(&mut self, order: &[(usize, usize)], side: f32) -> bool {
        let (mut x, mut y, mut shelf) = (0.0, 0.0, 0.0);
        for &(chart, half) in order {
            let chart = &mut self.charts[chart];
            let [low, high] = chart.reach;
            let size = Vec2::new(TAU * chart.radius * 1.2, high - low) + MARGIN;
            if x + size.x > side {
                (x, y, shelf) = (0.0, y + shelf, 0.0);
            }
            if x + size.x > side || y + size.y > side {
                return false;
            }
            chart.at[half] = Vec2::new(x, y) + 0.5 * MARGIN - Vec2::Y * low;
            x += size.x;
            shelf = size.y.max(shelf);
        }
        true
    }

    /// Chart of a triangle. `middle` is its centre.
    pub fn of(&self, middle: Vec3) -> u8 {
        let off = |chart: &Chart| {
            let from = middle - chart.from;
            let t = from.dot(chart.along).clamp(0.0, chart.length);
            from.distance(chart.along * t) - chart.radius
        };
        let charts = self.charts.iter().enumerate();
        let nearest = charts.min_by(|a, b| off(a.1).total_cmp(&off(b.1)));
        nearest.map_or(0, |(index, _)| index as u8)
    }

    /// Angle of a point around the bone of its chart, in radians, in [−π, π].
    pub fn angle(&self, chart: u8, p: Vec3) -> f32 {
        let chart = &self.charts[usize::from(chart)];
        let from = p - chart.from;
        libm::atan2f(from.dot(chart.side), from.dot(chart.front))
    }

    /// Coordinates of a point or its mirror image. `over` shifts them across the seam.
    pub fn uv(&self, chart: u8, p: Vec3, over: bool, mirrored: bool) -> Vec2 {
        let angle = self.angle(chart, p) + if over { TAU } else { 0.0 };
        let middle = is_middle(usize::from(chart));
        let chart = &self.charts[usize::from(chart)];
        let angle = if mirrored && middle { -angle } else { angle };
        let at = chart.at[usize::from(mirrored && !middle)];
        let along = (p - chart.from).dot(chart.along);
        (at + Vec2::new((angle + PI) * chart.radius, along)) * self.scale
    }
}

fn is_middle(chart: usize) -> bool {
    chart < 2
}
