//! Kinds of files that pictures are written to.

use crate::files;
use std::path::Path;

/// The content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One picture or, of several frames, an animated PNG.
    Png,
    Gif,
    Jpeg,
    Mp4,
    Webm,
    /// Four bytes for each pixel, frame after frame.
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

    /// True where another program writes it.
    pub fn is_film(self) -> bool {
        matches!(self, Self::Mp4 | Self::Webm)
    }

    /// Frames per second of what moves even when none are named.
    pub fn own_fps(self) -> Option<f64> {
        match self {
            // A whole number of hundredths of a second.
            Self::Gif => Some(25.0),
            Self::Mp4 | Self::Webm => Some(30.0),
            Self::Png | Self::Jpeg | Self::Raw => None,
        }
    }
}
