//! Compressed data, unpacked into plain buffer views, so that nothing after this knows of it.

mod draco;
mod unpacking;
mod views;

use super::buffers::Buffers;
use crate::gltf::document::budget::Budget;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::schema::Document;
use crate::report::FileReport;
use unpacking::{Allowance, Unpacking};

/// Unpacks every buffer view and every primitive that is compressed. What is wrong with one goes to `report` as an
/// error.
///
/// # Errors
/// [`GltfError::MemoryLimit`] when a stream would become more than any encoder makes small enough for it.
pub(in crate::gltf) fn unpack(
    document: &mut Document,
    buffers: &mut Buffers<'_>,
    report: &mut FileReport,
    budget: &mut Budget,
) -> Result<(), GltfError> {
    let allowance = Allowance::for_buffers(document, buffers);
    let mut unpacking = Unpacking {
        document,
        buffers,
        report,
        budget,
        allowance,
    };
    views::unpack(&mut unpacking)?;
    draco::unpack(&mut unpacking)
}
