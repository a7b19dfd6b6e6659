//! Writes C3D files for tests, from the description of the format.

#![allow(
    dead_code,
    reason = "every test file uses some of these and none uses all"
)]

/// A file to write. Change fields for variants.
#[derive(Clone)]
pub struct C3d {
    pub labels: Vec<String>,
    /// Positions of the markers per frame, in the unit and axes of the file. `None` if not seen.
    pub frames: Vec<Vec<Option<[f32; 3]>>>,
    pub rate: f32,
    /// Units per integer step. Negative if points are floats.
    pub scale: f32,
    pub units: &'static str,
    pub up: &'static str,
    /// Code of the number format. 84: Intel, 85: DEC, 86: MIPS.
    pub processor: u8,
    pub analog: usize,
    /// Number of events in the header.
    pub events: u16,
    /// Low byte of the fourth number of each point.
    pub residual: u8,
    /// Labels of computed points, by kind.
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
            events: 0,
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
            bytes[2 * nth - 2..2 * nth].copy_from_slice(&self.word(value));
        };
        word(2, self.labels.len() as u16);
        word(3, self.analog as u16);
        word(4, 1);
        word(5, self.frames.len().min(65535) as u16);
        word(9, 2 + blocks as u16);
        word(150, if self.events > 0 { 0x3039 } else { 0 });
        word(151, self.events);
        bytes[12..16].copy_from_slice(&self.float(self.scale));
        bytes[20..24].copy_from_slice(&self.float(self.rate));
        bytes.extend(parameters);
        for frame in &self.frames {
            for point in frame {
                self.number(&mut bytes, point.map(|p| p[0]).unwrap_or(0.0));
                self.number(&mut bytes, point.map(|p| p[1]).unwrap_or(0.0));
                self.number(&mut bytes, point.map(|p| p[2]).unwrap_or(0.0));
                let fourth = point.map_or(-1, |_| 0x0300 + i16::from(self.residual));
                if self.scale < 0.0 {
                    bytes.extend(self.float(f32::from(fourth)));
                } else {
                    bytes.extend(self.word(fourth as u16));
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
            bytes.extend(self.float(value));
        } else {
            let steps = (value / self.scale).round() as i16;
            bytes.extend(self.word(steps as u16));
        }
    }

    fn word(&self, value: u16) -> [u8; 2] {
        match self.processor {
            86 => value.to_be_bytes(),
            _ => value.to_le_bytes(),
        }
    }

    /// A VAX float is the IEEE float of four times the value, with its two words swapped.
    fn float(&self, value: f32) -> [u8; 4] {
        match self.processor {
            86 => value.to_be_bytes(),
            85 => {
                let [a, b, c, d] = (4.0 * value).to_le_bytes();
                [c, d, a, b]
            }
            _ => value.to_le_bytes(),
        }
    }

    fn parameters(&self) -> Vec<u8> {
        let mut out = vec![1, 0x50, 0, self.processor];
        self.group(&mut out, 1, "POINT");
        let longest = self.labels.iter().map(String::len).fold(16, usize::max);
        let count = self.labels.len();
        let mut letters = Vec::new();
        for label in &self.labels {
            letters.extend(format!("{label:<longest$}").into_bytes());
        }
        self.parameter(
            &mut out,
            1,
            "LABELS",
            -1,
            &[longest as u8, count as u8],
            &letters,
        );
        let used = self.word(count as u16);
        self.parameter(&mut out, 1, "USED", 2, &[], &used);
        let frames = self.word(self.frames.len().min(65535) as u16);
        self.parameter(&mut out, 1, "FRAMES", 2, &[], &frames);
        self.parameter(&mut out, 1, "RATE", 4, &[], &self.float(self.rate));
        self.parameter(&mut out, 1, "SCALE", 4, &[], &self.float(self.scale));
        let text = |t: &'static str| (vec![t.len() as u8], t.as_bytes());
        let (sizes, units) = text(self.units);
        self.parameter(&mut out, 1, "UNITS", -1, &sizes, units);
        let (sizes, up) = text(self.up);
        self.parameter(&mut out, 1, "Y_SCREEN", -1, &sizes, up);
        for (kind, labels) in &self.lists {
            let letters: String = labels.iter().map(|l| format!("{l:<24}")).collect();
            let sizes = [24, labels.len() as u8];
            self.parameter(&mut out, 1, kind, -1, &sizes, letters.as_bytes());
        }
        out.push(0);
        out.resize(out.len().next_multiple_of(512), 0);
        out[2] = (out.len() / 512) as u8;
        out
    }

    fn group(&self, out: &mut Vec<u8>, id: i8, name: &str) {
        out.push(name.len() as u8);
        out.push((-id) as u8);
        out.extend(name.as_bytes());
        out.extend(self.word(3));
        out.push(0);
    }

    fn parameter(
        &self,
        out: &mut Vec<u8>,
        group: u8,
        name: &str,
        kind: i8,
        sizes: &[u8],
        values: &[u8],
    ) {
        out.push(name.len() as u8);
        out.push(group);
        out.extend(name.as_bytes());
        let length = 2 + 2 + sizes.len() + values.len() + 1;
        out.extend(self.word(length as u16));
        out.push(kind as u8);
        out.push(sizes.len() as u8);
        out.extend(sizes);
        out.extend(values);
        out.push(0);
    }
}
