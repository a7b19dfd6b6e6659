//! Truth for found skeletons: bodies whose joints are known, in poses, dressed, stripped to a bare
//! mesh, and the distances of found joints from the known joints.
//!
//! Names of joints are those of `sinew_rig::template`.
#![allow(
    dead_code,
    unused_imports,
    reason = "the example and the tests use some of it each"
)]

pub mod bare;
pub mod bend;
pub mod clothes;
pub mod files;
pub mod made;
pub mod names;
pub mod pose;
pub mod score;
pub mod solid;

pub use bare::Bare;
pub use files::{Case, Truth, mannequin, shared};
pub use pose::{Look, Pose};
pub use score::{Found, Score, find};
