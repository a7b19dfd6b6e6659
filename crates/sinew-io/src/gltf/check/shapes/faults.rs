//! Faults of objects that are kept as text, counted.

use std::fmt::Display;

use crate::report::{FileReport, Severity};

/// The report that faults go to, and their number.
pub(in crate::gltf) struct Faults<'r> {
    pub(super) report: &'r mut FileReport,
    /// Findings that the validator would call errors.
    pub(super) count: usize,
}

impl Faults<'_> {
    pub(super) fn add(&mut self, code: &'static str, pointer: &str, message: impl Display) {
        self.count += 1;
        self.report.add(Severity::Ignored, code, pointer, message);
    }
}
