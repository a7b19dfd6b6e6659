//! The VRM extension of a document, by version.

use std::fmt;

use crate::gltf::document::json::{escaped, member, natural, string};
use crate::gltf::document::schema::Document;
use crate::report::{FileReport, Severity};

const UNREADABLE: &str = "VRM_UNREADABLE";

/// Version of VRM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VrmVersion {
    /// Version 0.x. The avatar faces -Z at rest.
    V0,
    /// Version 1.0. The avatar faces +Z at rest.
    V1,
}

impl VrmVersion {
    /// Name of the extension in the document.
    pub fn extension(self) -> &'static str {
        match self {
            Self::V0 => "VRM",
            Self::V1 => "VRMC_vrm",
        }
    }
}

impl fmt::Display for VrmVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V0 => "VRM 0.x",
            Self::V1 => "VRM 1.0",
        })
    }
}

pub(super) struct Extension<'a> {
    pub(super) version: VrmVersion,
    pub(super) text: &'a str,
}

impl<'a> Extension<'a> {
    /// Finds the extension. If a file has two versions of it, the newer version counts.
    pub(super) fn of(document: &'a Document) -> Option<Self> {
        let versions = [VrmVersion::V1, VrmVersion::V0].into_iter();
        let mut found = versions.filter_map(|version| {
            let text = document.rest.extension(version.extension())?;
            text.starts_with('{').then_some(Self { version, text })
        });
        found.next()
    }

    pub(super) fn at(&self, way: &[&str]) -> Option<&'a str> {
        way.iter()
            .try_fold(self.text, |text, name| member(text, name))
    }

    pub(super) fn below(pointer: &str, name: &str) -> String {
        format!("{pointer}/{}", escaped(name))
    }

    pub(super) fn pointer(&self, way: &str) -> String {
        format!("/extensions/{}/{way}", self.version.extension())
    }
}

pub(super) fn index(object: &str, name: &str, count: usize) -> Option<usize> {
    let index: usize = member(object, name).and_then(natural)?;
    (index < count).then_some(index)
}

/// Reads a text. Empty if it is missing or of another type.
pub(super) fn text(object: &str, name: &str) -> String {
    let text = member(object, name).and_then(string);
    text.unwrap_or_default().into_owned()
}

pub(super) fn unreadable(
    report: &mut FileReport,
    pointer: impl fmt::Display,
    message: impl fmt::Display,
) {
    report.add(Severity::Ignored, UNREADABLE, pointer, message);
}
