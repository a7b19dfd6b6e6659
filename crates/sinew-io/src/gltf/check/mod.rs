//! Checks of a document beyond the types of its members.
//!
//! JSON pointers and codes come from the Khronos validator. Severities differ. An error means that
//! the document has no clear meaning. The importer repairs or ignores all other faults.

mod accessors;
mod animations;
mod checker;
pub mod data;
mod extensions;
mod looks;
mod materials;
mod meshes;
mod nodes;
mod replace;
pub(super) mod shapes;
mod skins;
mod unused;
mod usage;

use super::document::schema::Document;
use crate::report::FileReport;
use checker::Checker;

pub use extensions::check_required;
pub(super) use materials::{lacks_tangents, sets_needed, variant_materials};
pub use nodes::parents;
pub(super) use replace::replace_wrong;
pub(super) use unused::forgive_unused;

/// Runs all checks that need no buffer bytes.
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
