use sinew::RigError;
use sinew_io::ImportError;
use sinew_io::c3d::C3dError;
use sinew_rig::mocap::FitError;
use std::io;

#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error(transparent)]
    Markers(#[from] C3dError),
    #[error("its markers give no motion: {0}")]
    Fit(#[from] FitError),
    #[error(transparent)]
    Rig(#[from] RigError),
    #[error("reading it failed because of a bug in this program")]
    Lost,
}

impl LoadError {
    /// Advice that the window shows to the user.
    pub fn way_out(&self) -> &'static str {
        match self {
            Self::Io(error) => match error.kind() {
                io::ErrorKind::NotFound => "Check the path, or drop the file onto the window.",
                io::ErrorKind::PermissionDenied => "Get permission to read it, then open it again.",
                io::ErrorKind::IsADirectory => "Open the files in the folder.",
                _ => "Check the disk, then open it again.",
            },
            Self::Import(ImportError::UnknownFormat | ImportError::Foreign(_)) => {
                "Open a glTF, GLB, VRM, FBX, BVH, C3D, OBJ, PLY or .sinew file."
            }
            Self::Import(_) | Self::Rig(_) => {
                "Export it again, or run `sinew info FILE` to list all findings."
            }
            Self::Markers(_) => "Export it again from the capture program.",
            Self::Fit(_) => "Name the markers with `sinew mocap FILE.c3d --markers SET.json`.",
            Self::Lost => "Please report the file. Other files can still be opened.",
        }
    }
}
