pub(super) mod bytes;
pub(super) mod extras;
pub(super) mod limits;
mod motion_chunk;
mod raw_tracks;
