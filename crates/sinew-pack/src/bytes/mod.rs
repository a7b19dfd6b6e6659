//! Numbers as bits and bytes, and the chunks that hold them.

pub(crate) mod code;
pub(crate) mod extras;
pub(crate) mod limits;
pub(crate) mod times;
pub(crate) mod write;
