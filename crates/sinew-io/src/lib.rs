//! Reads and writes the files that skeletal characters come in.

pub mod gltf;
pub mod report;

pub use report::{Finding, Report, Severity};
