use crate::files;
use std::path::Path;

/// File format of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Png,
    Gif,
    Jpeg,
    Mp4,
    Webm,
    /// Four bytes per pixel, frame after frame.
    Raw,
}

impl Kind {
    pub fn of(path: &Path) -> Self {
        match files::extension(path).as_str() {
            "gif" => Self::Gif,
            "jpg" | "jpeg" => Self::Jpeg,
            "mp4" => Self::Mp4,
            "webm" => Self::Webm,
            _ => Self::Png,
        }
    }

    /// True if ffmpeg writes this format.
    pub fn is_film(self) -> bool {
        matches!(self, Self::Mp4 | Self::Webm)
    }

    /// Default frame rate of formats that are always animated.
    pub fn own_fps(self) -> Option<f64> {
        match self {
            // Each frame lasts a whole number of hundredths of a second.
            Self::Gif => Some(25.0),
            Self::Mp4 | Self::Webm => Some(30.0),
            Self::Png | Self::Jpeg | Self::Raw => None,
        }
    }
}
