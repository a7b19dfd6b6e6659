//! What is wrong with a document, beyond the types of its members.
//!
//! Pointers and codes are those of the Khronos validator. Severities are ours: an error leaves the document without a
//! meaning, everything else is repaired or ignored by the importer.

mod accessors;
mod animations;
pub mod data;
mod extensions;
mod looks;
mod materials;
mod meshes;
mod nodes;
mod replace;
pub(super) mod shape;
pub(super) mod shapes;
mod skins;
mod unused;
mod usage;

use std::fmt::Display;

use super::schema::Document;
use crate::report::{FileReport, Severity};

pub use extensions::check_required;
pub(super) use materials::{lacks_tangents, sets_needed, variant_materials};
pub use nodes::parents;
pub(super) use replace::replace_wrong;
pub(super) use unused::forgive_unused;

/// Checks everything that can be checked without looking at the buffers' bytes.
pub fn check(document: &Document, report: &mut FileReport) {
    let quantized = document
        .extensions_used
        .iter()
        .any(|name| &**name == "KHR_mesh_quantization");
    let mut checker = Checker {
        document,
        quantized,
        report,
    };
    extensions::check(&mut checker);
    looks::check(&mut checker);
    accessors::check(&mut checker);
    meshes::check(&mut checker);
    nodes::check(&mut checker);
    skins::check(&mut checker);
    animations::check(&mut checker);
    usage::check(&mut checker);
}

/// A document under examination.
struct Checker<'a> {
    document: &'a Document,
    quantized: bool,
    report: &'a mut FileReport,
}

impl<'a> Checker<'a> {
    fn error(&mut self, code: &'static str, pointer: impl Display, message: impl Display) {
        self.report.add(Severity::Error, code, pointer, message);
    }

    fn repaired(&mut self, code: &'static str, pointer: impl Display, message: impl Display) {
        self.report.add(Severity::Repaired, code, pointer, message);
    }

    fn ignored(&mut self, code: &'static str, pointer: impl Display, message: impl Display) {
        self.report.add(Severity::Ignored, code, pointer, message);
    }

    /// The object that an index refers to, or a finding of `severity` at the place of the index.
    fn resolve<T>(
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

/// One segment of a JSON pointer, escaped.
fn escaped(name: &str) -> String {
    let mut segment = String::with_capacity(name.len());
    super::json::push_escaped(&mut segment, name);
    segment
}
