//! Writes C3D files for tests, straight from the format's description.

#![allow(
    dead_code,
    reason = "every test file uses some of these and none uses all"
)]

/// A file to be: change a field to make it odd.
#[derive(Clone)]
pub struct C3d {
    pub labels: Vec<String>,
    /// In the file's units and axes; `None`: not seen.
    pub frames: Vec<Vec<Option<[f32; 3]>>>,
    pub rate: f32,
    /// Negative for floats.
    pub scale: f32,
    pub units: &'static str,
    pub up: &'static str,
    pub processor: u8,
    pub analog: usize,
    /// What the low byte of every fourth number is.
    pub residual: u8,
    /// Labels of points by kind, as programs list those that they computed.
    pub lists: Vec<(&'static str, Vec<&'static str>)>,
}

impl C3d {
    pub fn new(labels: &[&str], frames: Vec<Vec<Option<[f32; 3]>>>) -> Self {
        Self {
            labels: labels.iter().map(|&l| l.to_owned()).collect(),
            frames,
            rate: 120.0,
            scale: -0.1,
            units: "mm",
            up: "+Z",
            processor: 84,
            analog: 3,
            residual: 7,
            lists: Vec::new(),
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let parameters = self.parameters();
        let blocks = parameters.len() / 512;
        let mut bytes = vec![0_u8; 512];
        bytes[0] = 2;
        bytes[1] = 0x50;
        let mut word = |nth: usize, value: u16| {
            bytes[2 * nth - 2..2 * nth].copy_from_slice(&value.to_le_bytes());
        };
        word(2, self.labels.len() as u16);
        word(3, self.analog as u16);
        word(4, 1);
        word(5, self.frames.len().min(65535) as u16);
        word(9, 2 + blocks as u16);
        bytes[12..16].copy_from_slice(&self.scale.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.rate.to_le_bytes());
        bytes.extend(parameters);
        for frame in &self.frames {
            for point in frame {
                self.number(&mut bytes, point.map(|p| p[0]).unwrap_or(0.0));
                self.number(&mut bytes, point.map(|p| p[1]).unwrap_or(0.0));
                self.number(&mut bytes, point.map(|p| p[2]).unwrap_or(0.0));
                let fourth = point.map_or(-1, |_| 0x0300 + i16::from(self.residual));
                if self.scale < 0.0 {
                    bytes.extend(f32::from(fourth).to_le_bytes());
                } else {
                    bytes.extend(fourth.to_le_bytes());
                }
            }
            for _ in 0..self.analog {
                self.number(&mut bytes, 1e3);
            }
        }
        bytes
    }

    fn number(&self, bytes: &mut Vec<u8>, value: f32) {
        if self.scale < 0.0 {
            bytes.extend(value.to_le_bytes());
        } else {
            bytes.extend(((value / self.scale).round() as i16).to_le_bytes());
        }
    }

    fn parameters(&self) -> Vec<u8> {
        let mut out = vec![1, 0x50, 0, self.processor];
        group(&mut out, 1, "POINT");
        let longest = self.labels.iter().map(String::len).fold(16, usize::max);
        let count = self.labels.len();
        let mut letters = Vec::new();
        for label in &self.labels {
            letters.extend(format!("{label:<longest$}").into_bytes());
        }
        parameter(
            &mut out,
            1,
            "LABELS",
            -1,
            &[longest as u8, count as u8],
            &letters,
        );
        let used = (count as u16).to_le_bytes();
        parameter(&mut out, 1, "USED", 2, &[], &used);
        let frames = (self.frames.len().min(65535) as u16).to_le_bytes();
        parameter(&mut out, 1, "FRAMES", 2, &[], &frames);
        parameter(&mut out, 1, "RATE", 4, &[], &self.rate.to_le_bytes());
        parameter(&mut out, 1, "SCALE", 4, &[], &self.scale.to_le_bytes());
        let text = |t: &'static str| (vec![t.len() as u8], t.as_bytes());
        let (sizes, units) = text(self.units);
        parameter(&mut out, 1, "UNITS", -1, &sizes, units);
        let (sizes, up) = text(self.up);
        parameter(&mut out, 1, "Y_SCREEN", -1, &sizes, up);
        for (kind, labels) in &self.lists {
            let letters: String = labels.iter().map(|l| format!("{l:<24}")).collect();
            let sizes = [24, labels.len() as u8];
            parameter(&mut out, 1, kind, -1, &sizes, letters.as_bytes());
        }
        out.push(0);
        out.resize(out.len().next_multiple_of(512), 0);
        out[2] = (out.len() / 512) as u8;
        out
    }
}

fn group(out: &mut Vec<u8>, id: i8, name: &str) {
    out.push(name.len() as u8);
    out.push((-id) as u8);
    out.extend(name.as_bytes());
    out.extend(3_u16.to_le_bytes());
    out.push(0);
}

fn parameter(out: &mut Vec<u8>, group: u8, name: &str, kind: i8, sizes: &[u8], values: &[u8]) {
    out.push(name.len() as u8);
    out.push(group);
    out.extend(name.as_bytes());
    let length = 2 + 2 + sizes.len() + values.len() + 1;
    out.extend((length as u16).to_le_bytes());
    out.push(kind as u8);
    out.push(sizes.len() as u8);
    out.extend(sizes);
    out.extend(values);
    out.push(0);
}
