use super::environment_map::EnvironmentMap;
use glam::Vec3;

const WIDTH: u32 = 512;
const HEIGHT: u32 = 256;

impl EnvironmentMap {
    /// Grey room with a large soft box at the front left, a fainter one at the right, two behind
    /// and one above. A figure that faces z looks into the light.
    pub fn studio() -> Self {
        let boxes = [
            SoftBox::new(
                Vec3::new(-0.75, 0.75, 0.8),
                [0.5, 0.42],
                5.2,
                [1.0, 0.97, 0.93],
            ),
            SoftBox::new(
                Vec3::new(1.0, 0.3, 0.45),
                [0.36, 0.6],
                1.5,
                [0.94, 0.97, 1.0],
            ),
            SoftBox::new(
                Vec3::new(0.6, 0.55, -0.9),
                [0.24, 0.5],
                4.6,
                [0.95, 0.98, 1.0],
            ),
            SoftBox::new(
                Vec3::new(-0.85, 0.4, -0.75),
                [0.16, 0.5],
                2.6,
                [1.0, 1.0, 1.0],
            ),
            SoftBox::new(Vec3::Y, [0.55, 0.55], 2.2, [1.0, 1.0, 1.0]),
        ];
        Self::from_fn(WIDTH, HEIGHT, |d| {
            let walls = mix([0.2; 3], [0.5, 0.5, 0.51], smooth(-0.5, 0.9, d.y));
            boxes.iter().fold(walls, |light, soft| soft.add(light, d))
        })
    }

    /// Dark room with a soft box at the front left and two behind.
    pub fn dark() -> Self {
        let boxes = [
            SoftBox::new(
                Vec3::new(-0.75, 0.75, 0.8),
                [0.4, 0.36],
                5.0,
                [1.0, 0.95, 0.88],
            ),
            SoftBox::new(
                Vec3::new(0.7, 0.5, -0.9),
                [0.2, 0.55],
                7.0,
                [0.8, 0.92, 1.0],
            ),
            SoftBox::new(
                Vec3::new(-0.9, 0.4, -0.7),
                [0.12, 0.5],
                3.0,
                [0.85, 0.94, 1.0],
            ),
        ];
        Self::from_fn(WIDTH, HEIGHT, |d| {
            let walls = mix([0.02; 3], [0.055, 0.06, 0.07], smooth(-0.6, 1.0, d.y));
            boxes.iter().fold(walls, |light, soft| soft.add(light, d))
        })
    }

    /// Cloudy sky: soft light from above.
    pub fn overcast() -> Self {
        Self::from_fn(WIDTH, HEIGHT, |d| {
            let sky = mix([0.72, 0.75, 0.8], [1.25, 1.28, 1.32], smooth(0.0, 1.0, d.y));
            mix([0.24, 0.23, 0.21], sky, smooth(-0.04, 0.04, d.y))
        })
    }

    /// Low sun at the front left of a figure that faces z, with a blue sky.
    pub fn sunset() -> Self {
        let to_sun = Vec3::new(-0.7, 0.16, 0.7).normalize();
        Self::from_fn(WIDTH, HEIGHT, |d| {
            let near = d.dot(to_sun).max(0.0);
            let blue = mix([0.5, 0.42, 0.42], [0.12, 0.2, 0.45], smooth(0.0, 0.6, d.y));
            let warm = [1.9, 0.85, 0.3].map(|c| c * near.powi(6) * smooth(0.9, 0.0, d.y));
            let disc = [46.0, 25.0, 10.0].map(|c| c * smooth(0.9965, 0.9985, near));
            let sky = std::array::from_fn(|c| blue[c] + warm[c] + disc[c]);
            mix([0.16, 0.12, 0.1], sky, smooth(-0.02, 0.03, d.y))
        })
    }
}

struct SoftBox {
    axes: [Vec3; 3],
    /// Tangents of half the angular width and height of the box.
    half: [f32; 2],
    light: [f32; 3],
}

impl SoftBox {
    fn new(to: Vec3, half: [f32; 2], strength: f32, color: [f32; 3]) -> Self {
        let to = to.normalize();
        let right = Vec3::Y.cross(to).try_normalize().unwrap_or(Vec3::X);
        Self {
            axes: [right, to.cross(right), to],
            half,
            light: color.map(|c| c * strength),
        }
    }

    fn add(&self, light: [f32; 3], d: Vec3) -> [f32; 3] {
        let [x, y, z] = self.axes.map(|axis| axis.dot(d));
        if z <= 0.0 {
            return light;
        }
        let edge = |at: f32, half: f32| smooth(half, half * 0.8, (at / z).abs());
        let covered = edge(x, self.half[0]) * edge(y, self.half[1]);
        std::array::from_fn(|c| light[c] + (self.light[c] - light[c]).max(0.0) * covered)
    }
}

fn smooth(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn mix(a: [f32; 3], b: [f32; 3], part: f32) -> [f32; 3] {
    std::array::from_fn(|c| a[c] + (b[c] - a[c]) * part)
}
