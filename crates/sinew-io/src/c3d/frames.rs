use super::error::C3dError;
use super::numbers::Machine;
use glam::Vec3;
use sinew::markers::Sighting;

/// Layout and scale of points in the file.
pub struct Layout {
    pub machine: Machine,
    /// Offset of the first frame, in bytes.
    pub start: usize,
    pub points: usize,
    /// Number of analog samples after the points of a frame.
    pub analog: usize,
    /// Units per integer step. Negative if points are floats.
    pub scale: f64,
    pub metres_per_unit: f64,
    pub up: UpAxis,
}

/// The axis that is up in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpAxis {
    pub axis: usize,
    pub downward: bool,
}

impl UpAxis {
    /// Parses text such as `+Z`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut letters = text.chars().rev();
        let axis = match letters.next()?.to_ascii_lowercase() {
            'x' => 0,
            'y' => 1,
            'z' => 2,
            _ => return None,
        };
        let downward = letters.next() == Some('-');
        Some(Self { axis, downward })
    }

    /// Rotates a position to y up. Keeps one axis.
    fn to_y_up(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        match (self.axis, self.downward) {
            (0, false) => [-y, x, z],
            (0, true) => [y, -x, z],
            (1, false) => [x, y, z],
            (1, true) => [x, -y, -z],
            (_, false) => [x, z, -y],
            (_, true) => [x, -z, y],
        }
    }
}

impl Layout {
    fn number_bytes(&self) -> usize {
        if self.scale < 0.0 { 4 } else { 2 }
    }

    fn frame_bytes(&self) -> usize {
        (4 * self.points + self.analog) * self.number_bytes()
    }

    /// Number of whole frames that fit into the file.
    pub fn frames_in(&self, bytes: &[u8]) -> Result<usize, C3dError> {
        let left = bytes.len().checked_sub(self.start);
        let left = left.filter(|&left| left >= self.frame_bytes());
        let left = left.ok_or(C3dError::CutOff {
            what: "the first frame",
            byte: self.start,
            bytes: bytes.len(),
        })?;
        Ok(left / self.frame_bytes())
    }

    /// Reads a frame, which must be within the file.
    pub fn read(&self, bytes: &[u8], frame: usize, out: &mut Vec<Option<Sighting>>) {
        let size = 4 * self.number_bytes();
        let start = self.start + frame * self.frame_bytes();
        let points = bytes[start..start + self.points * size].chunks_exact(size);
        out.clear();
        out.extend(points.map(|point| {
            if self.scale < 0.0 {
                self.float_point(point)
            } else {
                self.integer_point(point)
            }
        }));
    }

    fn float_point(&self, point: &[u8]) -> Option<Sighting> {
        let number = |i: usize| {
            let bytes = [0, 1, 2, 3].map(|byte| point[4 * i + byte]);
            self.machine.float(bytes)
        };
        let position = [0, 1, 2].map(number);
        let residual_and_cameras = number(3) as i32;
        self.sighting(position, number(3) < 0.0, residual_and_cameras)
    }

    fn integer_point(&self, point: &[u8]) -> Option<Sighting> {
        let word = |i: usize| self.machine.word([point[2 * i], point[2 * i + 1]]);
        let number = |i: usize| word(i) as i16;
        let position = [0, 1, 2].map(|i| f64::from(number(i)) * self.scale);
        self.sighting(position, number(3) < 0, i32::from(number(3)))
    }

    fn sighting(&self, position: [f64; 3], unseen: bool, fourth: i32) -> Option<Sighting> {
        let metres = self.up.to_y_up(position).map(|x| x * self.metres_per_unit);
        let position = Vec3::from_array(metres.map(|x| x as f32));
        if unseen || !position.is_finite() {
            return None;
        }
        // The low byte is the residual in integer steps, the high byte the cameras.
        let residual = f64::from(fourth & 0xff) * self.scale.abs() * self.metres_per_unit;
        // An extreme scale makes the residual infinite. The result is 0, which means unknown.
        let residual = Some(residual as f32).filter(|r| r.is_finite());
        Some(Sighting {
            position,
            residual: residual.unwrap_or(0.0),
        })
    }
}
