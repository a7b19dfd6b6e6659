use super::buffer::BufferBuilder;
use super::shared::Shared;
use crate::gltf::check::shapes::{Shape, Walk};
use crate::gltf::document::json::Rest;
use crate::gltf::document::schema::Document;
use crate::gltf::source::SourceDocument;
use crate::report::{FileReport, Severity};
use sinew::Character;
use std::fmt::Display;

pub(super) struct Exporter<'a> {
    pub(super) character: &'a Character,
    pub(super) source: Option<&'a SourceDocument>,
    /// The document. It starts as a copy of the source, and each step replaces a part of it.
    pub(super) document: Document,
    pub(super) buffer: BufferBuilder,
    pub(super) shared: Shared,
    pub(super) cameras: Vec<Option<u32>>,
    pub(super) report: FileReport,
}

impl Exporter<'_> {
    pub(super) fn keeps_buffers(&self) -> bool {
        self.source.is_some_and(|source| !source.buffers.is_empty())
    }

    /// Drops invalid members that `shape` knows.
    pub(super) fn clean(&mut self, rest: &mut Rest, shape: &Shape, location: &str) {
        let mut kept = Rest::default();
        let mut is_whole = true;
        for (name, value) in rest.iter() {
            let mut found = FileReport::default();
            let mut one = Rest::default();
            one.push(name, value.to_owned());
            Walk::alone(&mut found).kept(&one, shape, "");
            if found.is_empty() {
                kept.push(name, value.to_owned());
            } else {
                is_whole = false;
                leave_out(
                    &mut self.report,
                    format_args!("{location}/{name}"),
                    "a value that does not fit its member",
                );
            }
        }
        if !is_whole {
            *rest = kept;
        }
    }

    pub(super) fn leave_out(&mut self, location: impl Display, what: &str) {
        leave_out(&mut self.report, location, what);
    }
}

pub(super) fn leave_out(report: &mut FileReport, location: impl Display, what: &str) {
    let message = format_args!("{what} was left out");
    report.add(Severity::Ignored, "NOT_WRITTEN", location, message);
}

pub(super) fn name(name: &str) -> Option<Box<str>> {
    (!name.is_empty()).then(|| name.into())
}
