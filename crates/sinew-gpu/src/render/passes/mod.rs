//! Passes of a picture, one file each.

mod attachments;
pub(super) mod behind;
pub(super) mod bloom;
pub(super) mod floor;
pub(super) mod light_source;
pub(super) mod main;
pub(super) mod mirror;
pub(super) mod occlusion;
pub(super) mod quads;
pub(super) mod recording;
pub(super) mod shadow;
mod sky;
pub(super) mod sum;
pub(super) mod tone;
