use std::fmt::Display;

use crate::gltf::document::schema::{Accessor, Document};
use crate::report::{FileReport, Severity};

pub(super) struct Checker<'a> {
    pub(super) document: &'a Document,
    /// True if the file uses `KHR_mesh_quantization`, which allows 8-bit and 16-bit vertices.
    pub(super) quantized: bool,
    pub(super) report: &'a mut FileReport,
}

impl<'a> Checker<'a> {
    pub(super) fn error(
        &mut self,
        code: &'static str,
        pointer: impl Display,
        message: impl Display,
    ) {
        self.report.add(Severity::Error, code, pointer, message);
    }

    pub(super) fn repaired(
        &mut self,
        code: &'static str,
        pointer: impl Display,
        message: impl Display,
    ) {
        self.report.add(Severity::Repaired, code, pointer, message);
    }

    pub(super) fn ignored(
        &mut self,
        code: &'static str,
        pointer: impl Display,
        message: impl Display,
    ) {
        self.report.add(Severity::Ignored, code, pointer, message);
    }

    pub(super) fn has_stride(&self, accessor: &Accessor) -> bool {
        let views = &self.document.buffer_views;
        let view = accessor
            .buffer_view
            .and_then(|view| views.get(view as usize));
        view.is_some_and(|view| view.byte_stride.is_some())
    }

    /// Returns the object at an index. Adds a finding of `severity` if there is no such object.
    pub(super) fn resolve<T>(
        &mut self,
        index: Option<u32>,
        objects: &'a [T],
        severity: Severity,
        pointer: impl Display,
    ) -> Option<&'a T> {
        let index = index?;
        let object = objects.get(index as usize);
        // `u32::MAX` replaces an unreadable index, which already has a finding.
        if object.is_none() && index != u32::MAX {
            self.report.add(
                severity,
                "UNRESOLVED_REFERENCE",
                pointer,
                format_args!("there is no object {index}"),
            );
        }
        object
    }
}
