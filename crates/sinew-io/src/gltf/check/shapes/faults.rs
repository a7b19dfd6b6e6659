//! Reports and counts faults of objects that the document keeps as text.

use std::fmt::Display;

use crate::report::{FileReport, Severity};

pub(in crate::gltf) struct Faults<'r> {
    pub(super) report: &'r mut FileReport,
    /// Number of findings that the Khronos validator calls errors.
    pub(super) count: usize,
}

impl Faults<'_> {
    pub(super) fn add(&mut self, code: &'static str, pointer: &str, message: impl Display) {
        self.count += 1;
        self.report.add(Severity::Ignored, code, pointer, message);
    }
}
