//! Writes skinned vertices into memory of the caller: layout, conversion from rows, and writers.

mod interleaved;
mod layout;
#[cfg(all(target_arch = "x86_64", not(sinew_unoptimised)))]
mod lines;
mod sink;
mod snorm;
mod spans;
mod weave;
#[cfg(all(target_arch = "x86_64", not(sinew_unoptimised)))]
mod wide_writer;
mod writers;

pub use layout::{Directions, Layout, Order, VertexLayout};
pub use sink::VertexSink;
pub use writers::Previous;
