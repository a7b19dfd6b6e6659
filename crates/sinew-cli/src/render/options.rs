use anyhow::Result;
use clap::ValueEnum;
use sinew_gpu::{Backdrop, FloorHeight};
use std::str::FromStr;

pub fn zoom(text: &str) -> Result<f32, String> {
    let factor = text.parse().ok();
    let factor = factor.filter(|f: &f32| (0.01..=100.0).contains(f));
    factor.ok_or_else(|| "a zoom is a factor from 0.01 to 100, like 2".to_owned())
}

pub fn fov(text: &str) -> Result<f32, String> {
    let angle = text.parse().ok();
    let angle = angle.filter(|f: &f32| (1.0..=150.0).contains(f));
    angle.ok_or_else(|| "an angle of view is from 1 to 150 degrees, like 30".to_owned())
}

/// Movement of the camera in an animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, ValueEnum)]
pub enum Follow {
    #[default]
    On,
    Off,
}

/// Height of the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, ValueEnum)]
pub enum FloorLevel {
    #[default]
    Auto,
    Zero,
    None,
}

impl From<FloorLevel> for FloorHeight {
    fn from(level: FloorLevel) -> Self {
        match level {
            FloorLevel::Auto => Self::Lowest,
            FloorLevel::Zero => Self::Zero,
            FloorLevel::None => Self::None,
        }
    }
}

/// Width and height in pixels, as `960x720`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size(pub [u32; 2]);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once(['x', '×']);
        let side = |s: &str| s.trim().parse().ok().filter(|&n: &u32| n > 0);
        let size = sides.and_then(|(w, h)| Some([side(w)?, side(h)?]));
        size.map(Self)
            .ok_or_else(|| "a size is two numbers above 0, like 960x720".to_owned())
    }
}

/// Direction of the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraView {
    /// Azimuth from the front of the character to its left, and elevation, in degrees.
    Beside(f32, f32),
    /// Azimuth and elevation in the world of the file, in degrees.
    At(f32, f32),
    /// A full circle around the character.
    Turntable,
}

impl CameraView {
    pub const THREE_QUARTER: Self = Self::Beside(32.0, 10.0);

    pub fn turns(self) -> bool {
        self == Self::Turntable
    }

    /// Azimuth and elevation for a character whose front is at `front_rad`, in radians.
    pub fn angles_rad(self, front_rad: f32) -> [f32; 2] {
        match self {
            Self::Beside(round, above) => [front_rad + round.to_radians(), above.to_radians()],
            Self::At(round, above) => [round.to_radians(), above.to_radians()],
            Self::Turntable => [front_rad, 12_f32.to_radians()],
        }
    }
}

impl FromStr for CameraView {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "front" => Self::Beside(0.0, 4.0),
            "left" => Self::Beside(90.0, 4.0),
            "right" => Self::Beside(-90.0, 4.0),
            "back" => Self::Beside(180.0, 4.0),
            "top" => Self::At(0.0, 90.0),
            "three-quarter" => Self::THREE_QUARTER,
            "turntable" => Self::Turntable,
            _ => {
                let number = |s: &str| s.trim().parse().ok().filter(|x: &f32| x.is_finite());
                let angles = text.split_once(',');
                let angles = angles.and_then(|(a, b)| Some((number(a)?, number(b)?)));
                let (round, above) = angles.ok_or(
                    "choose front, left, right, back, top, three-quarter or turntable, or two angles in \
                     degrees like 30,10",
                )?;
                if !(-90.0..=90.0).contains(&above) {
                    return Err("the second angle must be from -90 to 90 degrees".to_owned());
                }
                Self::At(round, above)
            }
        })
    }
}

/// Background of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Background(pub Backdrop);

impl FromStr for Background {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let backdrop = match text {
            "studio" => Some(Backdrop::Studio),
            "dark" => Some(Backdrop::Dark),
            "clear" => Some(Backdrop::Clear),
            _ => text.strip_prefix('#').and_then(hexadecimal),
        };
        backdrop.map(Self).ok_or_else(|| {
            "choose studio, dark or clear, or a colour of six digits like #dde4ee".to_owned()
        })
    }
}

fn hexadecimal(digits: &str) -> Option<Backdrop> {
    if digits.len() != 6 || !digits.is_ascii() {
        return None;
    }
    let channel = |k: usize| u8::from_str_radix(&digits[2 * k..2 * k + 2], 16).ok();
    Some(Backdrop::Color([channel(0)?, channel(1)?, channel(2)?]))
}

/// Light effects to draw.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Passes {
    pub shadow: bool,
    pub occlusion: bool,
    pub reflection: bool,
    pub bloom: bool,
}

impl FromStr for Passes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut passes = Self::default();
        for name in text.split(',').map(str::trim) {
            match name {
                "shadow" => passes.shadow = true,
                "occlusion" => passes.occlusion = true,
                "reflection" => passes.reflection = true,
                "bloom" => passes.bloom = true,
                "none" | "" => {}
                _ => {
                    return Err(format!(
                        "\"{name}\" is not one of shadow, occlusion, reflection, bloom, none"
                    ));
                }
            }
        }
        Ok(passes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_refused() {
        for size in [
            "0x10",
            "10x0",
            "10",
            "x",
            "10x10x10",
            "-1x5",
            "a×b",
            "99999999999x1",
        ] {
            assert!(size.parse::<Size>().is_err(), "{size}");
        }
        for camera in ["", "up", "1", "1,2,3", "10,95", "nan,0"] {
            assert!(camera.parse::<CameraView>().is_err(), "{camera}");
        }
        for background in ["", "#12345", "#1234567", "#ééé", "#gg0000", "red"] {
            assert!(background.parse::<Background>().is_err(), "{background}");
        }
        assert!("shadow,fog".parse::<Passes>().is_err());
        for wrong in ["0", "-1", "nan", "1000", "two", ""] {
            assert!(zoom(wrong).is_err(), "{wrong}");
            assert!(fov(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_makes_sense_is_taken() {
        assert_eq!("640x480".parse(), Ok(Size([640, 480])));
        assert_eq!("-30,10".parse(), Ok(CameraView::At(-30.0, 10.0)));
        assert_eq!("left".parse(), Ok(CameraView::Beside(90.0, 4.0)));
        assert_eq!((zoom("2.5"), fov("150")), (Ok(2.5), Ok(150.0)));
        assert_eq!("none".parse(), Ok(Passes::default()));
        let color = Backdrop::Color([0xdd, 0xe4, 0xee]);
        assert_eq!("#dde4ee".parse(), Ok(Background(color)));
    }
}
