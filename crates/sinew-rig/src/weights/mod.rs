//! Computes weights: the joints that move each vertex of a mesh, and their shares.

mod bind;
mod bones;
mod character;
mod edit;
mod error;
mod field;
mod given;
mod median;
mod options;
mod pieces;
mod report;
mod rows;
mod shape;
mod surface;

pub use bind::bind;
pub use bones::joints::{Bones, Flesh};
pub use bones::sides::mirrored_joints;
pub use bones::unweighted::Unweighted;
pub use character::{
    BindHooks, bind_character, bind_character_with, bind_to_skeleton, bind_to_skeleton_with,
    give_skeleton, unbind,
};
pub use edit::{Adjust, AdjustError, Brush, Falloff, MAX_SMOOTHING, Mirror, Stroke};
pub use error::{BindCharacterError, BindError};
pub use field::{BezierCurve, NearestPoint};
pub use options::{BindMethod, BindOptions};
pub use report::motions::TrialMotion;
pub use report::volume::KeptVolume;
pub use report::warnings::{BindWarning, SurfacePiece};
pub use report::{BindReport, ClothPiece, trial_clip};
pub use rows::keep_heaviest;
pub use surface::Surface;
