//! A document whose buffer is compressed by `EXT_meshopt_compression`, with what gltfpack does before it: triangles and
//! vertices in an order that compresses, numbers as coarse as they may be, tracks that do nothing left out.
//!
//! Positions stay in the mesh's own space: they are multiples of a power of two, so that neither nodes nor skins have to
//! undo anything.

mod elements;
mod numbers;
mod order;
mod roles;
mod tracks;
mod views;
mod weights;

use super::error::ExportError;
use super::exported::Export;
use crate::gltf::document::schema::Document;
use crate::report::Severity;
use elements::{Elements, Scales};
use numbers::Numbers;

impl Export {
    /// The same, compressed: positions to 2⁻¹⁴ of a mesh's extent, texture coordinates to 2⁻¹², normals and weights to
    /// 8 bits, rotations to 12, other keys to 15. Vertices and triangles come in another order, vertices that are then the
    /// same become one, and tracks that hold nodes where they rest are left out.
    ///
    /// A document whose buffer something unknown may refer to stays as it is, with a finding.
    ///
    /// # Errors
    /// [`ExportError::Json`] when the document cannot be put into text.
    pub fn compressed(mut self) -> Result<Self, ExportError> {
        if !roles::are_all_known(&self.document) {
            let message = "something unknown may refer to the buffer, so it is not compressed";
            self.report
                .add(Severity::Ignored, "NOT_COMPRESSED", "/buffers/0", message);
            return Ok(self);
        }
        tracks::leave_out_resting(&mut self);
        let read = roles::roles(&self.document).into_iter().enumerate();
        let mut numbers: Vec<Option<Numbers>> = read
            .map(|(index, role)| role.and(Numbers::read(&self.document, &self.bytes, index)))
            .collect();
        let before = rounded(&self.document, numbers.clone());
        order::reorder(&mut self.document, &mut numbers, &before);
        let elements = rounded(&self.document, numbers);
        views::write(&mut self, &elements)?;
        Ok(self)
    }
}

/// Every accessor as coarse as it may be.
fn rounded(document: &Document, mut numbers: Vec<Option<Numbers>>) -> Vec<Option<Elements>> {
    let roles = roles::roles(document);
    let scales = Scales::new(document, &numbers);
    weights::to_bytes(document, &roles, &mut numbers);
    let all = roles.iter().zip(&numbers).enumerate();
    all.map(|(index, (role, numbers))| {
        Some(Elements::new((*role)?, numbers.as_ref()?, &scales, index))
    })
    .collect()
}
