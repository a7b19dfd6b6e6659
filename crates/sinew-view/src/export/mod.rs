//! Ways out: pictures as the panes show them, the character, its clip packed, and the command line that does the same.

mod command_line;
mod job;

pub use command_line::command_line;
pub use job::Job;

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Export {
    /// The panes, now: PNG.
    Picture,
    /// The panes, over the played range: GIF, or PNG that moves.
    Movie,
    /// The shown file's character: GLB.
    Character,
    /// Its clip that plays, packed: `.sinew`.
    PackedClip,
}

impl Export {
    /// All of them, in the order of the panel.
    pub const ALL: [Self; 4] = [
        Self::Picture,
        Self::Movie,
        Self::Character,
        Self::PackedClip,
    ];

    /// How its files end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Picture => "png",
            Self::Movie => "gif",
            Self::Character => "glb",
            Self::PackedClip => "sinew",
        }
    }

    /// A path with that ending, where it has none that fits.
    pub fn path(self, path: &Path) -> PathBuf {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        let fits = match self {
            Self::Movie => ["gif", "png", "apng"].contains(&ending),
            _ => ending == self.ending(),
        };
        match fits {
            true => path.to_path_buf(),
            false => path.with_extension(self.ending()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_keeps_an_ending_that_fits_and_gets_one_that_does() {
        let path = |what: Export, path: &str| what.path(Path::new(path));
        assert_eq!(path(Export::Picture, "a/hero"), Path::new("a/hero.png"));
        assert_eq!(path(Export::Movie, "hero.apng"), Path::new("hero.apng"));
        assert_eq!(path(Export::Movie, "hero.glb"), Path::new("hero.gif"));
        assert_eq!(path(Export::Character, "hero.glb"), Path::new("hero.glb"));
    }
}
