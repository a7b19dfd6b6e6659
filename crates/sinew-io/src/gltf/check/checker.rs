//! A document under examination, and the ways to say what is wrong with it.

use std::fmt::Display;

use crate::gltf::document::schema::{Accessor, Document};
use crate::report::{FileReport, Severity};

/// A document under examination.
pub(super) struct Checker<'a> {
    pub(super) document: &'a Document,
    /// Vertices may have small integers, by `KHR_mesh_quantization`.
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

    /// True where an accessor's buffer view states a stride.
    pub(super) fn has_stride(&self, accessor: &Accessor) -> bool {
        let views = &self.document.buffer_views;
        let view = accessor
            .buffer_view
            .and_then(|view| views.get(view as usize));
        view.is_some_and(|view| view.byte_stride.is_some())
    }

    /// The object that an index refers to, or a finding of `severity` at the place of the index.
    pub(super) fn resolve<T>(
        &mut self,
        index: Option<u32>,
        objects: &'a [T],
        severity: Severity,
        pointer: impl Display,
    ) -> Option<&'a T> {
        let index = index?;
        let object = objects.get(index as usize);
        // An index that could not be read has its finding already.
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
