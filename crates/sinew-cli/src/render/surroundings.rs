use anyhow::{Context, Result};
use clap::ValueEnum;
use sinew_gpu::{EnvironmentMap, ToneMap};
use std::path::PathBuf;
use std::str::FromStr;

/// Environment light: a built-in light or a .hdr file.
#[derive(Clone, Debug, PartialEq)]
pub enum Surroundings {
    Studio,
    Dark,
    Overcast,
    Sunset,
    File(PathBuf),
}

impl FromStr for Surroundings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "studio" => Ok(Self::Studio),
            "dark" => Ok(Self::Dark),
            "overcast" => Ok(Self::Overcast),
            "sunset" => Ok(Self::Sunset),
            _ if text.to_lowercase().ends_with(".hdr") => Ok(Self::File(text.into())),
            _ => Err("choose studio, dark, overcast or sunset, or a .hdr file".to_owned()),
        }
    }
}

impl Surroundings {
    pub fn map(&self) -> Result<EnvironmentMap> {
        Ok(match self {
            Self::Studio => EnvironmentMap::studio(),
            Self::Dark => EnvironmentMap::dark(),
            Self::Overcast => EnvironmentMap::overcast(),
            Self::Sunset => EnvironmentMap::sunset(),
            Self::File(path) => {
                let name = || path.display().to_string();
                let bytes = std::fs::read(path).with_context(name)?;
                EnvironmentMap::from_hdr(&bytes).with_context(name)?
            }
        })
    }
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Shading {
    /// Metalness and roughness, as in glTF
    #[default]
    Physical,
    /// Ambient, diffuse and specular light after Phong
    Phong,
}

impl From<Shading> for sinew_gpu::Shading {
    fn from(shading: Shading) -> Self {
        match shading {
            Shading::Physical => Self::Physical,
            Shading::Phong => Self::Phong,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Tone {
    /// Khronos PBR Neutral, which keeps the colours of materials
    #[default]
    Neutral,
    /// A film curve with soft highlights
    Aces,
    /// No tone mapping: colours that are too bright are clipped
    None,
}

impl From<Tone> for ToneMap {
    fn from(tone: Tone) -> Self {
        match tone {
            Tone::Neutral => Self::Neutral,
            Tone::Aces => Self::Aces,
            Tone::None => Self::None,
        }
    }
}
