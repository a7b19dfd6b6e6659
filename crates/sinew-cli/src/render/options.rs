//! What the command line says about a picture.

use anyhow::Result;
use glam::Vec3;
use sinew_gpu::{Backdrop, direction};
use std::str::FromStr;

pub fn rate(text: &str) -> Result<f64, String> {
    let rate = text
        .parse()
        .ok()
        .filter(|f: &f64| (0.01..=1000.0).contains(f));
    rate.ok_or_else(|| "a rate is a number from 0.01 to 1000, like 30".to_owned())
}

/// `960x720`.
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

/// The direction from which a picture is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraPlace {
    /// Round and above, in degrees.
    At(f32, f32),
    /// Once round.
    Turntable,
}

impl CameraPlace {
    pub fn turns(self) -> bool {
        self == Self::Turntable
    }

    pub fn direction(self) -> Vec3 {
        let (round, above): (f32, f32) = match self {
            Self::At(round, above) => (round, above),
            Self::Turntable => (0.0, 12.0),
        };
        direction(round.to_radians(), above.to_radians())
    }
}

impl FromStr for CameraPlace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "front" => Self::At(0.0, 4.0),
            "left" => Self::At(90.0, 4.0),
            "right" => Self::At(-90.0, 4.0),
            "back" => Self::At(180.0, 4.0),
            "top" => Self::At(0.0, 90.0),
            "three-quarter" => Self::At(32.0, 10.0),
            "turntable" => Self::Turntable,
            _ => {
                let number = |s: &str| s.trim().parse().ok().filter(|x: &f32| x.is_finite());
                let angles = text.split_once(',');
                let angles = angles.and_then(|(a, b)| Some((number(a)?, number(b)?)));
                let (round, above) = angles.ok_or(
                    "name front, left, right, back, top, three-quarter or turntable, or two angles in \
                     degrees like 30,10",
                )?;
                if !(-90.0..=90.0).contains(&above) {
                    return Err("the second angle is from -90 to 90".to_owned());
                }
                Self::At(round, above)
            }
        })
    }
}

/// The background.
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
            "name studio, dark or clear, or a colour of six digits like #dde4ee".to_owned()
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

/// The effects of light.
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
            assert!(camera.parse::<CameraPlace>().is_err(), "{camera}");
        }
        for background in ["", "#12345", "#1234567", "#ééé", "#gg0000", "red"] {
            assert!(background.parse::<Background>().is_err(), "{background}");
        }
        assert!("shadow,fog".parse::<Passes>().is_err());
        assert!(rate("0").is_err() && rate("nan").is_err() && rate("1e9").is_err());
    }

    #[test]
    fn what_makes_sense_is_taken() {
        assert_eq!("640x480".parse(), Ok(Size([640, 480])));
        assert_eq!("-30,10".parse(), Ok(CameraPlace::At(-30.0, 10.0)));
        assert_eq!("none".parse(), Ok(Passes::default()));
        let color = Backdrop::Color([0xdd, 0xe4, 0xee]);
        assert_eq!("#dde4ee".parse(), Ok(Background(color)));
    }
}
