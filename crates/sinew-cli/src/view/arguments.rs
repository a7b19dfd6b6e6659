#![cfg_attr(not(feature = "view"), allow(dead_code))]

use crate::shown::ShownOption;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// glTF, GLB, VRM, FBX, BVH, C3D, OBJ, PLY or .sinew files. Each file opens in a tab
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub shown: ShownOption,
    /// Run the commands of a JSON file first: a list like `[{"do": "seek", "time_secs": 0.4}, {"do": "wait", "secs":
    /// 0.5}]`. docs/view.md lists all commands
    #[arg(long, value_name = "FILE.json")]
    pub script: Option<PathBuf>,
    /// Write a picture of the whole window to this file and exit, without opening a window
    #[arg(long, value_name = "FILE.png")]
    pub screenshot: Option<PathBuf>,
    /// Width and height of that picture in pixels
    #[arg(
        long,
        value_name = "WIDTHxHEIGHT",
        default_value = "1280x800",
        requires = "screenshot"
    )]
    pub size: Size,
    /// Pixels per point of that picture; 2 doubles the size of letters in pixels
    #[arg(
        long,
        value_name = "FACTOR",
        default_value = "1",
        requires = "screenshot"
    )]
    pub scale: Scale,
}

/// Width and height in pixels.
#[derive(Clone, Copy)]
pub struct Size(pub [u32; 2]);

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("\"{text}\" is not a size like 1280x800");
        let (width, height) = text.split_once('x').ok_or_else(wrong)?;
        let side = |text: &str| match text.parse::<u32>() {
            Ok(side) if side > 0 => Ok(side),
            _ => Err(wrong()),
        };
        Ok(Self([side(width)?, side(height)?]))
    }
}

/// Pixels per point.
#[derive(Clone, Copy)]
pub struct Scale(pub f32);

impl std::str::FromStr for Scale {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<f32>() {
            Ok(scale) if (0.5..=4.0).contains(&scale) => Ok(Self(scale)),
            _ => Err(format!("\"{text}\" is not a number from 0.5 to 4")),
        }
    }
}
