use std::fmt::Display;

use crate::gltf::document::schema::{Accessor, Document};
use crate::report::{FileReport, Severity};

pub(super) struct Checker<'a> {
    pub(super) document: &'a Document,
    /// True where `KHR_mesh_quantization` allows small integers in vertices.
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

    /// The object that an index refers to, or a finding of `severity`.
    pub(super) fn resolve<T>(
        &mut self,
        index: Option<u32>,
        objects: &'a [T],
        severity: Severity,
        pointer: impl Display,
    ) -> Option<&'a T> {
        let index = index?;
        let object = objects.get(index as usize);
        // An unreadable index has a finding already.
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
