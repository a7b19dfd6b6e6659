//! Clothes of the figure: regions of one colour, and the lines between them, on the left half.

use super::figure::JointPositions;
use glam::Vec3;

/// Region of the surface with one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Region {
    Skin,
    Lips,
    Eye,
    Iris,
    Hair,
    Jacket,
    Trim,
    Sash,
    Trousers,
    Boot,
    Sole,
}

impl Region {
    #[cfg(feature = "gpu")]
    pub const ALL: [Self; 11] = [
        Self::Skin,
        Self::Lips,
        Self::Eye,
        Self::Iris,
        Self::Hair,
        Self::Jacket,
        Self::Trim,
        Self::Sash,
        Self::Trousers,
        Self::Boot,
        Self::Sole,
    ];

    /// Linear red, green and blue.
    pub fn color(self) -> [f32; 3] {
        match self {
            Self::Skin => [0.60, 0.335, 0.215],
            Self::Lips => [0.47, 0.215, 0.150],
            Self::Eye => [0.42, 0.36, 0.31],
            Self::Iris => [0.045, 0.022, 0.012],
            Self::Hair => [0.022, 0.014, 0.011],
            Self::Jacket => [0.026, 0.070, 0.135],
            Self::Trim => [0.62, 0.55, 0.42],
            Self::Sash => [0.36, 0.040, 0.024],
            Self::Trousers => [0.075, 0.070, 0.068],
            Self::Boot => [0.090, 0.045, 0.022],
            Self::Sole => [0.018, 0.014, 0.012],
        }
    }
}

/// Lines between regions.
#[derive(Clone, Debug)]
pub struct Tailor {
    elbow: Vec3,
    forearm: Vec3,
    knee: Vec3,
    shin: Vec3,
}

/// Value far from any line.
const OUTSIDE: f32 = 1.0;

impl Tailor {
    pub fn new(joint_positions: &JointPositions) -> Self {
        let at = |name: &str| joint_positions[&format!("left_{name}")];
        Self {
            elbow: at("lower_arm"),
            forearm: (at("hand") - at("lower_arm")).normalize(),
            knee: at("lower_leg"),
            shin: (at("foot") - at("lower_leg")).normalize(),
        }
    }

    fn hand(&self, p: Vec3) -> f32 {
        if p.x > 0.45 {
            (p - self.elbow).dot(self.forearm) - 0.227
        } else {
            -OUTSIDE
        }
    }

    /// Positive inside the collar, which is a V in front and round at the back.
    fn neck(&self, p: Vec3) -> f32 {
        if p.y > 1.3 && p.x < 0.14 {
            let front = ((p.z + 0.045) / 0.06).clamp(0.0, 1.0);
            (p.y - 1.437 + 0.75 * p.z - (0.25 + 0.70 * front) * p.x.hypot(0.012)) * 0.7
        } else {
            -OUTSIDE
        }
    }

    /// Positive on the hair: from the brow over the temples, around the ears and down to the nape.
    fn hair(&self, p: Vec3) -> f32 {
        if p.y < 1.56 {
            return -OUTSIDE;
        }
        let temple = 0.010 * (-((p.x.abs() - 0.042) / 0.016).powi(2)).exp();
        let over = (p.y - 1.694 - 0.50 * (p.z - 0.016).max(0.0) - temple) * 0.87;
        let sideburn = (0.0085 - (p.z - 0.0195).abs()).min(p.y - 1.652);
        let round_ear = ((p.z + 0.004) / 0.026).hypot((p.y - 1.664) / 0.036) - 1.0;
        let nape = (p.y - 1.604 - 0.45 * (p.z + 0.075).max(0.0)) * 0.9;
        let behind = (0.026 * round_ear).min(nape).min(-0.004 - p.z);
        over.max(behind).max(sideburn)
    }

    fn eye(&self, p: Vec3) -> f32 {
        ellipse(p, [0.0330, 1.6802], [0.0138, 0.0051])
    }

    fn iris(&self, p: Vec3) -> f32 {
        self.eye(p)
            .min(ellipse(p, [0.0330, 1.6812], [0.0062, 0.0064]))
    }

    fn brow(&self, p: Vec3) -> f32 {
        let y = 1.7005 + 0.05 * (p.x - 0.03) - 9.0 * (p.x - 0.034) * (p.x - 0.034);
        ellipse(p, [0.0305, y], [0.0190, 0.0036])
    }

    fn lips(&self, p: Vec3) -> f32 {
        ellipse(p, [0.0, 1.602], [0.0245, 0.0088])
    }

    fn above(height: f32) -> impl Fn(Vec3) -> f32 {
        move |p: Vec3| if p.x < 0.25 { p.y - height } else { OUTSIDE }
    }

    /// Functions that are zero on a line, with a slope of about 1.
    pub fn lines(&self) -> Vec<Box<dyn Fn(Vec3) -> f32 + Send + '_>> {
        vec![
            Box::new(Self::above(SASH[1])),
            Box::new(Self::above(SASH[0])),
            Box::new(Self::above(HEM)),
            Box::new(|p| self.hand(p)),
            Box::new(|p| self.hand(p) + CUFF),
            Box::new(|p| self.neck(p)),
            Box::new(|p| self.lapel(p)),
            Box::new(|p| self.boot(p)),
            Box::new(Self::above(SOLE)),
            Box::new(|p| self.hair(p)),
            Box::new(|p| self.eye(p)),
            Box::new(|p| self.iris(p)),
            Box::new(|p| self.brow(p)),
            Box::new(|p| self.lips(p)),
        ]
    }

    fn lapel(&self, p: Vec3) -> f32 {
        if p.y > SASH[1] {
            self.neck(p) + COLLAR
        } else {
            -OUTSIDE
        }
    }

    fn boot(&self, p: Vec3) -> f32 {
        (p - self.knee).dot(self.shin) - 0.197
    }

    /// Region of a point.
    pub fn region(&self, p: Vec3) -> Region {
        if self.hand(p) > 0.0 {
            Region::Skin
        } else if self.hand(p) > -CUFF {
            Region::Trim
        } else if self.hair(p) > 0.0 {
            Region::Hair
        } else if self.iris(p) > 0.0 {
            Region::Iris
        } else if self.eye(p) > 0.0 {
            Region::Eye
        } else if self.brow(p) > 0.0 {
            Region::Hair
        } else if self.lips(p) > 0.0 {
            Region::Lips
        } else if self.neck(p) > 0.0 {
            Region::Skin
        } else if self.lapel(p) > 0.0 {
            Region::Trim
        } else if p.y > SASH[1] || p.x > 0.25 {
            Region::Jacket
        } else if p.y > SASH[0] {
            Region::Sash
        } else if p.y > HEM {
            Region::Jacket
        } else if self.boot(p) < 0.0 {
            Region::Trousers
        } else if p.y > SOLE {
            Region::Boot
        } else {
            Region::Sole
        }
    }
}

/// Positive inside an ellipse on the face. Near the rim it is about the distance in metres.
fn ellipse(p: Vec3, [x, y]: [f32; 2], [wide, high]: [f32; 2]) -> f32 {
    if p.z < 0.05 || p.y < 1.56 || p.y > 1.74 {
        return -OUTSIDE;
    }
    let (u, v) = ((p.x - x) / wide, (p.y - y) / high);
    let q = (u * u + v * v).sqrt();
    let slope = (u * u / (wide * wide) + v * v / (high * high)).sqrt();
    (1.0 - q) * q / slope.max(1e-3)
}

const SASH: [f32; 2] = [1.037, 1.092];
const HEM: f32 = 0.866;
const SOLE: f32 = 0.016;
const COLLAR: f32 = 0.019;
const CUFF: f32 = 0.022;
