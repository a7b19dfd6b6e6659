//! Unpacks compressed data into plain buffer views, so that later stages are independent of it.

mod broken;
#[cfg(feature = "draco")]
mod draco;
#[cfg(not(feature = "draco"))]
#[path = "no_draco.rs"]
mod draco;
mod unpacking;
mod views;

use super::buffers::Buffers;
use crate::gltf::document::budget::Budget;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::schema::Document;
use crate::report::FileReport;
use unpacking::{Allowance, Unpacking};

/// Unpacks every compressed buffer view and primitive. Omits a faulty primitive and what needs a faulty view, with
/// findings. Adds an error to `report` if a skin needs a faulty view.
///
/// # Errors
/// [`GltfError::MemoryLimit`] if a stream expands further than real encoders compress.
pub(in crate::gltf) async fn unpack(
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
    views::unpack(&mut unpacking).await?;
    draco::unpack(&mut unpacking).await
}
