//! Errors of steps.

use crate::clips::NoSuchClip;
use sinew_io::bvh::BvhExportError;
use sinew_io::gltf::ExportError;
use sinew_io::{ImportError, c3d::C3dError};
use sinew_pack::PackError;
use sinew_rig::clean::MotionError;
use sinew_rig::mocap::FitError;
use sinew_rig::retarget::RetargetError;
use sinew_rig::units::ScaleError;
use thiserror::Error;

/// Reason why a step cannot be done.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StepError {
    /// The input cannot be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The input of `mocap` cannot be read.
    #[error(transparent)]
    C3d(#[from] C3dError),
    /// The chosen clip does not exist.
    #[error(transparent)]
    NoSuchClip(#[from] NoSuchClip),
    /// The input has no clip.
    #[error("there is no clip{0}")]
    NoClips(String),
    /// No clip of the input moves.
    #[error("no clip moves, so there is nothing to clean")]
    Still,
    /// A motion cannot be measured or cleaned.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// The unit makes a number too large.
    #[error("{name}: --scale {metres}: {cause}")]
    Scale {
        /// Name of the file.
        name: String,
        /// Metres per unit.
        metres: f64,
        /// Cause.
        cause: ScaleError,
    },
    /// A clip cannot be packed or retargeted.
    #[error("clip \"{clip}\": {cause}")]
    Clip {
        /// Name of the clip.
        clip: String,
        /// Cause.
        cause: Box<Self>,
    },
    /// A clip cannot be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The max error is below the precision of the clip.
    #[error(
        "--max-error {requested_mm:.1e}mm is below the precision of the numbers in the clip, {reached_mm:.1e}mm; use at least that precision"
    )]
    TooFine {
        /// Requested bound, in millimetres.
        requested_mm: f64,
        /// Smallest possible bound, in millimetres.
        reached_mm: f64,
    },
    /// A motion cannot be retargeted.
    #[error(transparent)]
    Retarget(#[from] RetargetError),
    /// Joints of two skeletons cannot be paired.
    #[error("{what}: {cause}{way_out}")]
    Pairs {
        /// The map, or the motion and the character.
        what: String,
        /// Cause.
        cause: RetargetError,
        /// End of the message.
        way_out: &'static str,
    },
    /// Markers cannot be fitted.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// The result cannot be written as glTF.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The result cannot be written as BVH.
    #[error(transparent)]
    Bvh(#[from] BvhExportError),
    /// A value of a step, or a file that it names, cannot be used.
    #[error("{0}")]
    Refused(String),
}

impl StepError {
    /// This error, about one clip.
    pub(crate) fn of_clip(self, clip: &str) -> Self {
        let clip = clip.to_owned();
        let cause = Box::new(self);
        Self::Clip { clip, cause }
    }
}
